"""The public surface is a decision."""

from __future__ import annotations

import pytest

import esascore

PUBLIC = ["ESA", "Cell", "Detection", "EsascoreError", "Graph", "Mention", "Parent", "Table", "Triple"]


def test_the_public_names_are_these():
    assert esascore.__all__ == [*PUBLIC, "__version__"]
    assert dir(esascore) == sorted(esascore.__all__)
    for name in esascore.__all__:
        assert getattr(esascore, name) is not None


def test_other_names_do_not_exist():
    with pytest.raises(AttributeError, match="module 'esascore' has no attribute 'Nothing'"):
        esascore.Nothing  # noqa: B018
