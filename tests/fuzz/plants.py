"""Bugs to plant: fuzzing that finds none of them finds nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from esascore.model import Detection, Mention
from esascore.pipeline import Pipeline
from esascore.readers import corpus, jsonl


def _longer(mention: Mention) -> Mention:
    return Mention(mention.entity, mention.start, mention.end + 1, mention.text, mention.method)


def _span() -> AbstractContextManager[object]:
    """Every mention ends one character too late."""
    real = Pipeline.detect

    def detect(self: Pipeline, items: Any, **more: Any) -> list[Detection]:
        return [replace(one, mentions=tuple(map(_longer, one.mentions))) for one in real(self, items, **more)]

    return mock.patch.object(Pipeline, "detect", detect)


def _reader(act: Callable[[], None]) -> AbstractContextManager[object]:
    """JSON lines with a certain word are too much for their reader."""

    def read(path: Path) -> Iterator[Any]:
        if b"Oslo" in path.read_bytes():
            act()
        yield from jsonl.read(path)

    return mock.patch.object(corpus, "FORMATS", {**corpus.FORMATS, "jsonl": read})


def _fail() -> None:
    raise IndexError("planted")


PLANTS: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "span": _span,
    "traceback": lambda: _reader(_fail),
    "hang": lambda: _reader(lambda: time.sleep(60)),
}
"""Name of a bug -> what breaks the package while it is open."""


def planted(name: str | None) -> AbstractContextManager[object]:
    """Break the package, unless no bug is named."""
    return nullcontext() if name is None else PLANTS[name]()
