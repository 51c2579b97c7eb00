"""The adapters in ``integrations/``, and what the tests of all of them say of one hotel."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

ADAPTERS = Path(__file__).parents[1] / "integrations"
HOTEL = {"name": "Casa do Rio", "city": "Porto", "rooms": 27}
RIGHT = "Casa do Rio in Porto has 27 rooms."
WRONG = "Casa do Rio in Porto has 32 rooms."


def require(package: str) -> None:
    """Skip if a package is not installed."""
    if find_spec(package) is None:
        pytest.skip(f"needs the package {package}: make test-adapters, or make test-adapters ADAPTERS=all")
