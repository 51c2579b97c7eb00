"""Assertions about texts, for tests; with pytest, ``assert_faithful`` is also a fixture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from esascore.api import hallucinations
from esascore.data import named
from esascore.errors import UsageError
from esascore.model import Example
from esascore.readers.choice import Choice, paths_of
from esascore.readers.rows import as_input
from esascore.reports.escaping import visible
from esascore.reports.spans import flagged

__all__ = ["assert_faithful"]


def assert_faithful(
    data: Any,
    text: str,
    *,
    allow_missing: Iterable[str] | bool = (),
    allow_added: Iterable[str] | bool = (),
    optional: Iterable[str] = (),
    ignore: Iterable[str] = (),
    **settings: Any,
) -> None:
    """Assert that a text says what its data say, and nothing else.

    Parameters
    ----------
    data, text
        As for `esascore.hallucinations`.
    allow_missing
        Values that the text need not mention; True allows all to be missing.
    allow_added
        Spans of the text that need no explanation; True allows all.
    optional, ignore
        Patterns of attributes that the text need not mention, and of attributes to leave out.
    settings
        ``profile``, ``lexicon``, ``learned``, ``linker`` and ``coref``, as for `esascore.ESA`.

    Raises
    ------
    AssertionError
        The text lacks a value, or says a name, date or number that nothing in the data explains.

    Examples
    --------
    >>> assert_faithful({"name": "Blue Spice", "area": "Oslo"}, "Blue Spice is in Oslo.")
    >>> assert_faithful({"name": "Blue Spice", "area": "Oslo"}, "In Rome.")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    AssertionError: the text is not faithful to its data
      text: In {Rome}!.
      - Blue Spice (name)
      - Oslo (area)
      + Rome (replacement: ...)
    """
    __tracebackhide__ = True  # pytest then shows the line of the test
    if any(isinstance(given, str) for given in (allow_missing, allow_added, optional, ignore)):
        raise UsageError("allow_missing, allow_added, optional and ignore take lists of strings: use [ ]")
    example = data if isinstance(data, Example) else Example("", as_input(data))
    choice = Choice(tuple(optional), tuple(ignore))
    choice.check(list(paths_of(example.input)))
    found = hallucinations(choice.of(example), text, **settings)
    missing = [term for term in found.detection.undetected if not _allowed(term, allow_missing)]
    added = [one for one in found if not _allowed(one.text, allow_added)]
    if missing or added:
        lines = [
            "the text is not faithful to its data",
            f"  text: {flagged(found.detection.text, added) or '(blank)'}",
            *(f"  - {visible(named(term))}" for term in missing),
            *(f"  + {visible(one.text)} ({one.kind}: {visible(one.reason)})" for one in added),
        ]
        raise AssertionError("\n".join(lines))


def _allowed(what: str, allowed: Iterable[str] | bool) -> bool:
    return allowed if isinstance(allowed, bool) else any(str(what) == one for one in allowed)
