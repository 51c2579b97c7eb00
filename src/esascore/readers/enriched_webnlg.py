"""Enriched WebNLG: the challenge's XML with the mentions that people annotated in each reference."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from esascore.readers.located import Located
from esascore.readers.webnlg import read_entries


def read(path: Path) -> Iterator[Located]:
    """Read a file or a directory tree, with the annotated mentions in `Reference.mentions`."""
    return read_entries(path, mentions=True)
