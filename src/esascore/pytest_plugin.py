"""The fixture ``assert_faithful`` for pytest, which finds it by itself where esascore is installed."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def assert_faithful() -> Callable[..., None]:
    """Assert that a text says what its data say, and nothing else: `esascore.testing.assert_faithful`."""
    from esascore.testing import assert_faithful

    return assert_faithful
