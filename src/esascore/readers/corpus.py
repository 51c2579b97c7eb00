"""Corpora in any known format."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path

from esascore.errors import DataError, UsageError, did_you_mean
from esascore.model import Example
from esascore.readers import csv, dart, json, jsonl, parquet, rdf, records, totto, webnlg
from esascore.readers.choice import Choice, paths_of
from esascore.readers.lines import is_there, size_of
from esascore.readers.located import MOST_HELD, Located, Place, Reader
from esascore.readers.reread import Reread
from esascore.readers.sniff import sniff
from esascore.triples import SHAPE

FORMATS: Mapping[str, Reader] = {
    "webnlg": webnlg.read,
    "enriched-webnlg": webnlg.read_annotated,
    "jsonl": jsonl.read,
    "json": json.read,
    "csv": csv.read,
    "parquet": parquet.read,
    "rdf": rdf.read,
    "rdf-subjects": rdf.read_subjects,
    "records": records.read,
    "totto": totto.read,
    "dart": dart.read,
}
"""The formats by name; a reader takes a path and yields examples with their places."""

_ALL = Choice()


def read_corpus(
    path: str | PathLike[str], *, input_format: str | None = None, choice: Choice = _ALL
) -> list[Example]:
    r"""Read a corpus: inputs, and whatever else the file says about them.

    Parameters
    ----------
    path
        A file, ``-`` for standard input, or a directory of XML or RDF files, which is read in natural order.
    input_format
        A name of `FORMATS`; without it the content decides.
    choice
        Which attributes are optional, and which are ignored.

    Raises
    ------
    DataError
        Something cannot be read; the message names file and line and says what to do.
    UsageError
        There is no such format, or a pattern fits no attribute.

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
    return list(Corpus(path, input_format=input_format, choice=choice))


def iter_corpus(path: str | PathLike[str], *, input_format: str | None = None) -> Iterator[Example]:
    """Read a corpus one example at a time, as `read_corpus` does.

    XML, JSONL, CSV, Parquet, records and ToTTo are streamed, RDF is held in memory file by file.
    """
    return iter(Corpus(path, input_format=input_format))


class Corpus(Reread[Example]):
    """A corpus in a file or folder that is read one example at a time, as often as it is iterated over.

    Everything is checked, as `read_corpus` does. A corpus of up to `MOST_HELD` bytes, and one in a folder,
    stays in memory from then on.

    Parameters
    ----------
    path, input_format, choice
        See `read_corpus`.

    Attributes
    ----------
    typed
        Whether any input is more than triples; once the corpus was read.
    lines
        The line where each example begins; once the corpus was read.
    """

    def __init__(self, path: str | PathLike[str], *, input_format: str | None = None, choice: Choice = _ALL):
        if input_format is not None and input_format not in FORMATS:
            raise UsageError(
                f"there is no input format {input_format!r}{did_you_mean(input_format, FORMATS)}"
            )
        super().__init__(self._examples)
        self._path = Path(path)
        self._format = input_format
        self._choice = choice
        self._held: list[Example] | None = None
        self.typed = True
        self.lines: Sequence[int] = ()

    def _examples(self) -> Iterator[Example]:
        """Read and check; ids may not repeat."""
        if self._held is not None:
            yield from self._held
            return
        if not is_there(self._path):
            raise DataError("there is no such file or directory: check the path", file=self._path)
        held: list[Example] | None = [] if self._size() <= MOST_HELD else None
        hashes: set[int] = set()
        paths: dict[str, None] = {}
        lines, typed = array("Q"), False
        for example, place in self._located(paths):
            if (key := hash(example.id)) in hashes:
                self._refuse_repetition(example.id, place)
            hashes.add(key)
            lines.append(place.line)
            typed = typed or example.input.shape != SHAPE
            if held is not None:
                held.append(example)
            yield example
        if not hashes:
            raise DataError("the file contains no example", file=self._path)
        self._choice.check(list(paths))
        self._number, self._held, self.typed, self.lines = len(lines), held, typed, lines

    def _size(self) -> int:
        self._format = self._format or sniff(self._path)
        return parquet.held_size(self._path) if self._format == "parquet" else size_of(self._path)

    def _located(self, paths: dict[str, None]) -> Iterator[Located]:
        """Read examples without ignored attributes; note the paths of attributes if there are patterns."""
        for example, place in FORMATS[self._format or sniff(self._path)](self._path):
            if self._choice != _ALL:
                paths.update(dict.fromkeys(paths_of(example.input)))
            yield Located(self._choice.of(example), place)

    def _refuse_repetition(self, id_: str, second: Place) -> None:
        """Fail if an id is that of an earlier example too; equal hashes alone mean nothing."""
        first = next((place for example, place in self._located({}) if example.id == id_), second)
        if first != second:
            second.fail(
                f"the id {id_!r} is already used in {first.file}:{first.line}: give each example its own"
            )
