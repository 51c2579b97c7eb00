"""Corpora in any of the formats that are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType

from esascore.errors import DataError, UsageError
from esascore.model import Example
from esascore.readers import csv, dart, enriched_webnlg, json, jsonl, rdf, records, totto, webnlg
from esascore.readers.lines import is_there
from esascore.readers.located import Reader
from esascore.readers.sniff import sniff

FORMATS: Mapping[str, Reader] = MappingProxyType(
    {
        "webnlg": webnlg.read,
        "enriched-webnlg": enriched_webnlg.read,
        "jsonl": jsonl.read,
        "json": json.read,
        "csv": csv.read,
        "rdf": rdf.read,
        "rdf-subjects": rdf.read_subjects,
        "records": records.read,
        "totto": totto.read,
        "dart": dart.read,
    }
)
"""The formats by name; a reader takes a path and yields examples with their places."""


def read_corpus(path: str | PathLike[str], *, input_format: str | None = None) -> list[Example]:
    r"""Read a corpus: inputs, and whatever else the file says about them.

    Parameters
    ----------
    path
        A file, ``-`` for standard input, or a directory of XML or RDF files, which is read in natural order.
    input_format
        A name of `FORMATS`; without it the content decides.

    Raises
    ------
    DataError
        Something cannot be read; the message names file and line and says what to do.
    UsageError
        There is no such format.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "corpus.jsonl")
    ...     _ = path.write_text('{"triples": ["Bionico | country | Mexico"]}\n', encoding="utf-8")
    ...     example = read_corpus(path)[0]
    >>> example.id, example.input.triples[0].object
    ('Id1', 'Mexico')
    """
    return list(iter_corpus(path, input_format=input_format))


def iter_corpus(path: str | PathLike[str], *, input_format: str | None = None) -> Iterator[Example]:
    """Read a corpus one example at a time, as `read_corpus` does.

    XML, JSONL, CSV, records and ToTTo are streamed, RDF is held in memory file by file.
    """
    if input_format is not None and input_format not in FORMATS:
        raise UsageError(f"there is no input format {input_format!r}: choose one of {', '.join(FORMATS)}")
    return _examples(Path(path), input_format)


def _examples(path: Path, input_format: str | None) -> Iterator[Example]:
    if not is_there(path):
        raise DataError("there is no such file or directory: check the path", file=path)
    places: dict[str, str] = {}
    for example, place in FORMATS[input_format or sniff(path)](path):
        if example.id in places:
            place.fail(
                f"the id {example.id!r} is already used in {places[example.id]}: give each example its own"
            )
        places[example.id] = f"{place.file}:{place.line}"
        yield example
    if not places:
        raise DataError("the file contains no example", file=path)
