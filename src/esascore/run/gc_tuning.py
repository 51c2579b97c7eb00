"""Tuning of garbage collection: run it rarely while millions of objects are made, none of them in a cycle."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_OBJECTS = 1_000_000  # after which Python looks for cycles; 700 by default


@contextmanager
def rare_collections() -> Iterator[None]:
    """Make Python look for cycles of objects less often.

    Examples
    --------
    >>> before = gc.get_threshold()
    >>> with rare_collections():
    ...     gc.get_threshold() > before
    True
    >>> gc.get_threshold() == before
    True
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _NEW_OBJECTS), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def set_aside() -> Iterator[None]:
    """Make Python look for cycles only among objects that are made from here on.

    What was imported and read before stays until the work ends; searching it again and again takes long.

    Examples
    --------
    >>> with set_aside():
    ...     gc.get_freeze_count() > 0
    True
    >>> gc.get_freeze_count()
    0
    """
    if gc.get_freeze_count():  # frozen by somebody else, who would not want them unfrozen
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def leave_to_exit() -> None:
    """Skip the search for cycles when the process ends, since all its memory is freed anyway.

    After a long run that would take half a second.

    Examples
    --------
    >>> leave_to_exit()
    >>> gc.get_freeze_count() > 0
    True
    >>> gc.unfreeze()
    """
    gc.freeze()
