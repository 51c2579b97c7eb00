"""Which format is a file in? Decided by its content."""

from __future__ import annotations

from pathlib import Path

from esascore.readers.lines import opened
from esascore.readers.tree import files_under

_HEAD = 2**18


def sniff(path: Path) -> str:
    """Name the format of a file or directory."""
    first = next(iter(files_under(path, (".xml",))), None) if path.is_dir() else path
    if first is None:
        return "webnlg"
    with opened(first) as file:
        head = file.read(_HEAD)
    return "enriched-webnlg" if b"<references>" in head else "webnlg"
