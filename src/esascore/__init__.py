"""Is every input entity mentioned, and is anything mentioned that the input does not contain?

Examples
--------
>>> from esascore import ESA, Graph
>>> graph = Graph.from_triples([("Bionico", "country", "Mexico")])
>>> ESA().score(graph, "Bionico is a dish.").undetected
('Mexico',)
"""

from typing import TYPE_CHECKING

from esascore._version import __version__

if TYPE_CHECKING:
    from esascore.errors import EsascoreError
    from esascore.metrics.esa import ESA
    from esascore.metrics.parent import Parent
    from esascore.model import Cell, Detection, Graph, Mention, Table, Triple

__all__ = [
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

# Loaded when first asked for, so that the import stays fast however much the package grows.
_HOMES = {
    "ESA": "esascore.metrics.esa",
    "Cell": "esascore.model",
    "Detection": "esascore.model",
    "EsascoreError": "esascore.errors",
    "Graph": "esascore.model",
    "Mention": "esascore.model",
    "Parent": "esascore.metrics.parent",
    "Table": "esascore.model",
    "Triple": "esascore.model",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
