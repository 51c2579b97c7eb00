"""Assertions about texts, for tests: with pytest they are there as the fixture ``assert_faithful``, too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from esascore.api import hallucinations
from esascore.errors import UsageError
from esascore.reports.spans import flagged
from esascore.reports.visible import visible

__all__ = ["assert_faithful"]


def assert_faithful(
    data: Any,
    text: str,
    *,
    allow_missing: Iterable[str] | bool = (),
    allow_added: Iterable[str] | bool = (),
    **settings: Any,
) -> None:
    """Assert that a text says what its data say, and nothing else.

    Parameters
    ----------
    data, text
        As for `esascore.hallucinations`.
    allow_missing
        Values that the text need not mention; True for all.
    allow_added
        Spans of the text that nothing needs to explain; True for all.
    settings
        ``profile``, ``lexicons``, ``linker`` and ``coref``, as for `esascore.ESA`.

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
    if isinstance(allow_missing, str) or isinstance(allow_added, str):
        raise UsageError("what is allowed is a list of strings: put it into [ ]")
    found = hallucinations(data, text, **settings)
    missing = [term for term in found.detection.undetected if not _allowed(term, allow_missing)]
    added = [one for one in found if not _allowed(one.text, allow_added)]
    if missing or added:
        lines = [
            "the text is not faithful to its data",
            f"  text: {flagged(found.detection.text, added) or '(blank)'}",
            *(f"  - {visible(_named(term))}" for term in missing),
            *(f"  + {visible(one.text)} ({one.kind}: {visible(one.reason)})" for one in added),
        ]
        raise AssertionError("\n".join(lines))


def _allowed(what: str, allowed: Iterable[str] | bool) -> bool:
    return allowed if isinstance(allowed, bool) else any(str(what) == one for one in allowed)


def _named(term: str) -> str:
    attribute = getattr(term, "attribute", "")
    return f"{term} ({attribute})" if attribute else term
