"""The optional package scipy, or a message that says how to get it."""

from __future__ import annotations

from typing import Any

from esascore.errors import MissingExtraError


def scipy_stats(purpose: str) -> Any:
    """Import ``scipy.stats``.

    Raises
    ------
    MissingExtraError
        If scipy is not installed.
    """
    try:
        import scipy.stats
    except ImportError:
        raise MissingExtraError(purpose, package="scipy", extra="stats") from None
    return scipy.stats
