"""The public surface is a decision."""

from __future__ import annotations

import pytest

import esascore

PUBLIC = [
    "ESA",
    "Cell",
    "Detection",
    "EsascoreError",
    "Graph",
    "Mention",
    "Parent",
    "Table",
    "Triple",
    "__version__",
]


def test_the_public_names_are_these():
    assert esascore.__all__ == PUBLIC
    assert dir(esascore) == sorted(PUBLIC)
    for name in PUBLIC:
        assert getattr(esascore, name) is not None


def test_other_names_do_not_exist():
    with pytest.raises(AttributeError, match="module 'esascore' has no attribute 'Nothing'"):
        esascore.Nothing  # noqa: B018
