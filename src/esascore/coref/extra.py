"""The optional package Stanza, imported when needed."""

from __future__ import annotations

import re
from typing import Any

from esascore.errors import MissingExtraError

_PURPOSE = "Neural coreference"
_OLDEST_TORCH = (2, 6)  # before, files of weights could run code even where only weights were to be read


def coref_model_class() -> Any:
    """Return the class of Stanza coreference models.

    Raises
    ------
    MissingExtraError
        If Stanza or what its coreference needs is not installed.
    """
    try:
        import stanza  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(_PURPOSE, package="stanza", extra="coref") from error
    try:
        from stanza.models.coref.model import CorefModel
    except ImportError as error:
        raise MissingExtraError(_PURPOSE, package=error.name or "transformers", extra="coref") from error
    from torch import __version__

    if tuple(map(int, re.findall(r"\d+", __version__)[:2])) < _OLDEST_TORCH:
        raise MissingExtraError(_PURPOSE, package="torch>=2.6", extra="coref")
    return CorefModel
