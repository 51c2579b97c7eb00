"""Loads models as data: nothing is looked up or printed, and no code in their files runs."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from esascore.errors import MissingExtraError

_WEIGHTS_ONLY = "TORCH_FORCE_WEIGHTS_ONLY_LOAD"
_ANYTHING = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"


@contextmanager
def quiet() -> Iterator[None]:
    """Keep Stanza and transformers, if they are installed, from writing to the terminal."""
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
def contained() -> Iterator[None]:
    """Load a model as data from this machine: nothing is looked up, and no code in its files runs.

    Whatever Stanza and transformers ask for, and whatever the environment allows, files of weights hold
    weights only, and nobody is asked whether code that comes with a transformer may run.
    """
    # The variable of the environment is read once, on import: too late for us, and for good.
    from huggingface_hub import constants
    from transformers import dynamic_module_utils

    before = constants.HF_HUB_OFFLINE, dynamic_module_utils.TIME_OUT_REMOTE_CODE
    variables = {name: os.environ.pop(name, None) for name in (_WEIGHTS_ONLY, _ANYTHING)}
    constants.HF_HUB_OFFLINE, dynamic_module_utils.TIME_OUT_REMOTE_CODE = True, 0
    os.environ[_WEIGHTS_ONLY] = "1"
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE, dynamic_module_utils.TIME_OUT_REMOTE_CODE = before
        del os.environ[_WEIGHTS_ONLY]
        os.environ.update({name: value for name, value in variables.items() if value is not None})


@contextmanager
def compute_threads(number: int) -> Iterator[None]:
    """Let torch compute with so many threads."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def load_torch(purpose: str = "Reading facts") -> None:
    """Say what is missing if models cannot be used here."""
    for package in ("torch", "safetensors", "tokenizers"):
        try:
            __import__(package)
        except ImportError as error:
            raise MissingExtraError(purpose, package=package, extra="facts") from error
