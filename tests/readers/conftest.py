"""Files for readers' tests, and the real corpora where they are present."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from esascore.errors import DataError
from esascore.readers.corpus import read_corpus

Write = Callable[..., Path]
Refused = Callable[..., str]


@pytest.fixture(scope="session")
def write(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Write a new file and return its path; of session scope so that Hypothesis may use it."""
    folder = tmp_path_factory.mktemp("files")
    numbers = itertools.count()

    def write(content: str | bytes, name: str = "file.txt") -> Path:
        path = folder / str(next(numbers)) / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture(scope="session")
def refused(write: Write) -> Refused:
    """Check that a corpus is refused, and how the one line begins that says why; return the line."""

    def refused(content: str | bytes, name: str, line: int | None, message: str, **options: str) -> str:
        path = write(content, name)
        with pytest.raises(DataError) as raised:
            read_corpus(path, **options)
        told = str(raised.value)
        assert told.startswith((f"{path}: " if line is None else f"{path}:{line}: ") + message)
        assert "\n" not in told
        return told

    return refused


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of real corpora."""
    folder = os.environ.get("ESASCORE_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("the real corpora are not here: ESASCORE_DATA names no folder")
    return Path(folder)
