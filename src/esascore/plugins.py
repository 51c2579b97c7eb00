"""Parts that other installed packages offer: metrics, entity linkers, coreference resolvers.

A package offers a part under a name in an entry-point group, and nothing is imported before it is asked for.
Names of this package's own parts cannot be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from esascore.errors import EsascoreError, UsageError

METRICS = "esascore.metrics"
"""Group of metrics: classes or functions that take a pipeline and return a `esascore.metrics.base.Metric`."""

LINKERS = "esascore.linkers"
"""Group of linkers: functions that take an address or None and return a `esascore.link.base.EntityLinker`."""

COREF = "esascore.coref"
"""Group of resolvers: functions that take a `CorefChoice` and return a `CorefResolver` (`esascore.coref`)."""


def offered(group: str, own: Collection[str] = ()) -> list[str]:
    """Names that other packages offer in a group, besides our own.

    Examples
    --------
    >>> offered("esascore.nothing")
    []
    """
    return sorted(set(_points(group)) - set(own))


def load(group: str, name: str, methods: Collection[str] = ()) -> Callable[..., Any]:
    """Load what a package offers: a function whose results have these methods.

    Raises
    ------
    EsascoreError
        It cannot be loaded, or is something else; the message names the package.
    UsageError
        Nobody offers it.
    """
    point = _points(group).get(name)
    if point is None:
        raise UsageError(f"no installed package offers {name!r} in {group}")
    package = getattr(point.dist, "name", None) or point.value
    try:
        make = point.load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise EsascoreError(f"{name!r} of the package {package} cannot be loaded ({reason})") from error
    if not callable(make):
        raise EsascoreError(f"{name!r} of the package {package} must be a function or a class")

    def checked(*arguments: Any) -> Any:
        made = make(*arguments)
        lacking = [method for method in methods if not callable(getattr(made, method, None))]
        if lacking:
            raise EsascoreError(f"{name!r} of the package {package} has no method {', '.join(lacking)}")
        return made

    return make if isinstance(make, type) and not methods else checked


def _points(group: str) -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=group)}
