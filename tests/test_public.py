"""The public surface is a decision."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import esascore

CLASSES = [
    "ESA",
    "Cell",
    "Detection",
    "EsascoreError",
    "Evaluation",
    "Example",
    "Graph",
    "Guard",
    "Hallucination",
    "Mention",
    "Parent",
    "Table",
    "Triple",
    "Verdict",
]
FUNCTIONS = [
    "check",
    "check_text",
    "compare",
    "detect",
    "evaluate",
    "hallucinations",
    "learn",
    "read_corpus",
    "read_outputs",
    "report",
]


def test_the_public_names_are_these():
    assert esascore.__all__ == [*CLASSES, "__version__", *FUNCTIONS]
    assert dir(esascore) == sorted(esascore.__all__)
    for name in esascore.__all__:
        found = getattr(esascore, name)
        assert isinstance(found, str) or found.__doc__


def test_the_import_is_light():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(esascore.__file__).parents[1])!r}); "
        "import esascore; dir(esascore); "
        "print(sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    shown = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert set(ast.literal_eval(shown.stdout)) - {"__main__"} == {"esascore"}


def test_other_names_do_not_exist():
    with pytest.raises(AttributeError, match="module 'esascore' has no attribute 'Nothing'"):
        esascore.Nothing  # noqa: B018


def test_the_names_are_decided_in_one_place():
    """No other module of the facade has a list of its own that could differ."""
    import esascore.api

    assert not hasattr(esascore.api, "__all__")
    assert set(esascore._HOMES) < set(esascore.__all__)
