"""Corpora in any format that is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType

from esascore.errors import DataError, UsageError
from esascore.model import Example
from esascore.readers import enriched_webnlg, webnlg
from esascore.readers.located import Reader
from esascore.readers.sniff import sniff

FORMATS: Mapping[str, Reader] = MappingProxyType(
    {
        "webnlg": webnlg.read,
        "enriched-webnlg": enriched_webnlg.read,
    }
)


def iter_corpus(path: str | PathLike[str], *, input_format: str | None = None) -> Iterator[Example]:
    """Read a corpus example by example."""
    path = Path(path)
    if input_format is not None and input_format not in FORMATS:
        raise UsageError(f"there is no input format {input_format!r}: choose one of {', '.join(FORMATS)}")
    if not path.exists():
        raise DataError("there is no such file or directory: check the path", file=path)
    places: dict[str, str] = {}
    for example, file, line in FORMATS[input_format or sniff(path)](path):
        place = f"{file}:{line}"
        if places.setdefault(example.id, place) != place:
            raise DataError(
                f"the id {example.id!r} was used before, in {places[example.id]}: ids must differ",
                file=file,
                line=line,
            )
        yield example
    if not places:
        raise DataError("the file holds no example", file=path)


def read_corpus(path: str | PathLike[str], *, input_format: str | None = None) -> list[Example]:
    """Read a corpus."""
    return list(iter_corpus(path, input_format=input_format))
