"""The optional package Stanza: imported when first needed, kept from logging and from the network."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from esascore.errors import MissingExtraError

_PURPOSE = "Neural coreference"


def coref_model_class() -> Any:
    """Return Stanza's class of coreference models.

    Raises
    ------
    MissingExtraError
        If Stanza or what its coreference needs is not installed.
    """
    try:
        import stanza  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(_PURPOSE, package="stanza", extra="coref") from error
    with offline():
        try:
            from stanza.models.coref.model import CorefModel
        except ImportError as error:
            raise MissingExtraError(_PURPOSE, package=error.name or "transformers", extra="coref") from error
    return CorefModel


@contextmanager
def quiet_stanza() -> Iterator[None]:
    """Keep Stanza and transformers from writing to the terminal."""
    loggers = [logging.getLogger(name) for name in ("stanza", "transformers")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def offline() -> Iterator[None]:
    """Keep the model hub's package from looking anything up: what is not on this machine is an error."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_PROGRESS_BARS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
