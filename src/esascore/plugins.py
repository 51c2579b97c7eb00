"""Parts that other installed packages offer: metrics, entity linkers, coreference resolvers.

A package offers a part under a name in an entry-point group; a part is imported on first use. Names of this
package's own parts cannot be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from esascore.errors import EsascoreError, UsageError

METRICS = "esascore.metrics"
"""Group of metrics: classes or functions that take a pipeline and return a `esascore.metrics.base.Metric`."""

LINKERS = "esascore.linkers"
"""Group of linkers: functions that take an address or None and return a `esascore.link.base.EntityLinker`."""

COREF = "esascore.coref"
"""Group of resolvers: functions that take a `CorefChoice` and return a `CorefResolver` (`esascore.coref`)."""

_ABSENT = object()


def offered(group: str, own: Collection[str] = ()) -> list[str]:
    """Names that other packages offer in a group, besides our own.

    Examples
    --------
    >>> offered("esascore.nothing")
    []
    """
    return sorted(set(_points(group)) - set(own))


def load(group: str, name: str, methods: Collection[str] = ()) -> Callable[..., Any]:
    """Load a part that a package offers: a function whose results have these methods.

    Raises
    ------
    EsascoreError
        It cannot be loaded, or is not such a function; the message names the package.
    UsageError
        No package offers it.
    """
    point = _points(group).get(name)
    if point is None:
        raise UsageError(f"no installed package offers {name!r} in {group}")
    part = f"{name!r} of the package {getattr(point.dist, 'name', None) or point.value}"
    with _named(f"{part} cannot be loaded"):
        make = point.load()
    if not callable(make):
        raise EsascoreError(f"{part} must be a function or a class")

    def checked(*arguments: Any) -> Any:
        with _named(f"{part} failed"):
            made = make(*arguments)
            lacking = [method for method in methods if not callable(getattr(made, method, None))]
        if lacking:
            raise EsascoreError(f"{part} has no method {', '.join(lacking)}")
        return Offered(made, part)

    return make if isinstance(make, type) and not methods else checked


class Offered:
    """A part made by another package: errors of its methods name the part.

    Examples
    --------
    >>> Offered([1], "'x' of the package y").index(2)
    Traceback (most recent call last):
        ...
    esascore.errors.EsascoreError: 'x' of the package y failed (ValueError: 2 is not in list)
    """

    def __init__(self, made: Any, part: str):
        self._made, self._part = made, part

    def __reduce__(self) -> tuple[Any, ...]:
        return Offered, (self._made, self._part)

    def __getattr__(self, name: str) -> Any:
        told = f"{self._part} failed"
        with _named(told):
            found = getattr(self._made, name, _ABSENT)
        if found is _ABSENT:
            raise AttributeError(f"{self._part} has no {name}")
        if not callable(found) or isinstance(found, type):
            return found

        @wraps(found)
        def named(*arguments: Any, **more: Any) -> Any:
            with _named(told):
                return found(*arguments, **more)

        return named


@contextmanager
def _named(told: str) -> Iterator[None]:
    """Name the part in its errors, also if it ends the process: `sys.exit(0)` would look like success."""
    try:
        yield
    except EsascoreError:
        raise
    except (Exception, SystemExit) as error:
        raise EsascoreError(f"{told} ({type(error).__name__}: {error})") from error


def _points(group: str) -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=group)}
