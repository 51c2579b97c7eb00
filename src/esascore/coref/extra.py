"""The optional package Stanza: imported when first needed, kept from logging and from the network."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from esascore.errors import MissingExtraError

_PURPOSE = "Neural coreference"


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
    return CorefModel


@contextmanager
def quiet_stanza() -> Iterator[None]:
    """Keep Stanza, and transformers where it is there, from writing to the terminal."""
    loggers = [logging.getLogger(name) for name in ("stanza", "transformers")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with _no_progress_bars():
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    try:
        from transformers.utils import logging as reports
    except ImportError:  # what writes no bars needs no call
        yield
        return
    shown = reports.is_progress_bar_enabled()
    reports.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            reports.enable_progress_bar()


@contextmanager
def offline() -> Iterator[None]:
    """Keep the model hub's package from looking anything up: what is not on this machine is an error."""
    # The variable of the environment is read once, on import: too late for us, and for good.
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before
