"""Does a text say everything that its input contains, and nothing else?

Examples
--------
>>> import esascore
>>> data = [("Bionico", "country", "Mexico")]
>>> esascore.detect(data, "Bionico is a dish.").undetected
('Mexico',)
>>> [(one.text, one.kind) for one in esascore.hallucinations(data, "Bionico is a dish from Peru.")]
[('Peru', 'replacement')]
"""

from typing import TYPE_CHECKING

from esascore._version import __version__

if TYPE_CHECKING:
    from esascore.api import (
        Evaluation,
        check,
        compare,
        detect,
        evaluate,
        hallucinations,
        learn,
        read_corpus,
        report,
    )
    from esascore.claims.hallucinations import Hallucination
    from esascore.errors import EsascoreError
    from esascore.guard import Guard, Verdict, check_text
    from esascore.metrics.esa import ESA
    from esascore.metrics.parent import Parent
    from esascore.model import Cell, Detection, Example, Graph, Mention, Table, Triple
    from esascore.readers.outputs import read_outputs

__all__ = [
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
    "__version__",
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

# Loaded on first access, so that the import stays fast however much the package grows.
_HOMES = {
    "ESA": "esascore.metrics.esa",
    "EsascoreError": "esascore.errors",
    "Hallucination": "esascore.claims.hallucinations",
    "Parent": "esascore.metrics.parent",
    "read_outputs": "esascore.readers.outputs",
    **dict.fromkeys(("Guard", "Verdict", "check_text"), "esascore.guard"),
    **dict.fromkeys(
        ("Cell", "Detection", "Example", "Graph", "Mention", "Table", "Triple"), "esascore.model"
    ),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES.get(name, "esascore.api")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
