"""Files for readers' tests, and the real corpora where they are present."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]


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
def data() -> Path:
    """Return the folder of real corpora."""
    folder = os.environ.get("ESASCORE_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("the real corpora are not here: ESASCORE_DATA names no folder")
    return Path(folder)
