"""A system's output: one text per line in corpus order, or JSON, CSV and Parquet in which texts have ids."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import starmap, zip_longest
from os import PathLike
from pathlib import Path
from typing import Any

from esascore.errors import DataError, misspelt
from esascore.model import Example
from esascore.readers.csv import column_name, delimiter_of, read_rows
from esascore.readers.fields import INPUT_FIELDS, load_json, optional_string, whole_id
from esascore.readers.json import iter_array
from esascore.readers.jsonl import iter_objects
from esascore.readers.lines import iter_lines, size_of
from esascore.readers.located import MOST_HELD, Place, shown
from esascore.readers.parquet import held_size, is_named_parquet, is_parquet_file, iter_rows
from esascore.readers.reread import Reread

_FIELDS = ("id", "text")
_NAMED = 5
_OBJECT = re.compile(r'\{\s*(?:"|\}|$)')
_ARRAY = re.compile(r"\[\s*(?:\{|$)")
_TEXTS = re.compile(r'\[\s*"(?:[^"\\]|\\.)*"\s*(?:,|\]$)')
_MARKUP = re.compile(r"<\?xml|<benchmark|<entr(?:y|ies)[\s>]", re.IGNORECASE)
_HEADER = re.compile(r"\w{1,30}")
_REMEDY = 'write one text per line, or JSON lines with {"id": ..., "text": ...}'


@dataclass(frozen=True, slots=True)
class Output:
    """The texts of a file, in corpus order, and the line where each begins, unless the file is large."""

    texts: Collection[str]
    lines: Sequence[int]


def read_outputs(path: str | PathLike[str], examples: Collection[Example] | None = None) -> list[str]:
    r"""Read a system's texts, in the order of the corpus.

    Parameters
    ----------
    path
        A file with one text per line in corpus order, or JSON lines, a JSON array, a CSV or a Parquet file
        with ``id`` and ``text``, in any order.
    examples
        The corpus, which the file has to fit; without it the texts are in the order of the file.

    Raises
    ------
    DataError
        The file cannot be read or does not fit the corpus; the message says which ids are missing, given
        twice or unknown.

    Examples
    --------
    >>> import tempfile
    >>> from esascore.model import Graph
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "system.csv")
    ...     _ = path.write_text("id,text\nb,Second.\na,First.\n", encoding="utf-8")
    ...     read_outputs(path, [Example("a", Graph()), Example("b", Graph())])
    ['First.', 'Second.']
    """
    return list(read_output(Path(path), examples).texts)


def read_output(path: Path, examples: Collection[Example] | None = None) -> Output:
    """Read a system's texts as `read_outputs` does, with their lines.

    A file of more than `MOST_HELD` bytes is not held, if its texts are in corpus order.
    """
    kind = _kind(path)
    large = (held_size if kind == "parquet" else size_of)(path) > MOST_HELD
    if kind == "plain":
        texts = Reread(partial(plain_texts, path)) if large else tuple(plain_texts(path))
        _refuse_objects(texts, path)
        if examples is not None and len(texts) != len(examples):
            raise DataError(_unequal(path, texts, len(examples)), file=path)
        return Output(texts, range(1, len(texts) + 1))
    if large and examples is not None and _is_in_order(path, kind, examples):
        return Output(Reread(lambda: (text for _, _, text in _rows(path, kind)), len(examples)), ())
    rows = list(_rows(path, kind))
    if examples is None:
        return Output(tuple(text for _, _, text in rows), [line for line, _, _ in rows])
    found = {id_: (line, text) for line, id_, text in reversed(rows)}  # of equals the first
    if problems := misfits(rows, [example.id for example in examples]):
        raise DataError(problems, file=path)
    ordered = [found[example.id] for example in examples]
    return Output(tuple(text for _, text in ordered), [line for line, _ in ordered])


def plain_texts(path: Path) -> Iterator[str]:
    r"""Yield one text per line, in corpus order.

    Lines end with ``\n`` only (a ``\r`` before it is dropped); white space around a text, as
    `str.strip` knows it, is removed, and offsets in results count from there. A final ``\n`` makes no
    extra text. The file is UTF-8, with or without a byte order mark.

    Raises
    ------
    DataError
        The file is missing, is not UTF-8, or has a line beyond `MAX_LINE_BYTES`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "system.txt")
    ...     _ = path.write_bytes(b"Bionico is a dish. \r\n\nIt is from Mexico.\n")
    ...     list(plain_texts(path))
    ['Bionico is a dish.', '', 'It is from Mexico.']
    """
    return (text.strip() for _, text in iter_lines(path))


def _kind(path: Path) -> str:
    """Return what a file is, judged by its beginning: ``plain``, or a kind that has ids."""
    if is_parquet_file(path):
        return "parquet"
    if is_named_parquet(path):
        raise DataError("the name says Parquet, but the content is not: write or copy it again", file=path)
    line, first = next(((n, text.strip()) for n, text in iter_lines(path) if text.strip()), (1, ""))
    place = Place(path, line)
    if _MARKUP.match(first):
        place.fail(f"this looks like XML, but texts are needed (is it the corpus?): {_REMEDY}")
    if _OBJECT.match(first):
        return "jsonl"
    if _ARRAY.match(first):
        return "json"
    if _TEXTS.match(first):
        place.fail(f"this looks like a JSON array of texts: {_REMEDY}")
    names = [column_name(cell.strip('"')) for cell in first.split(delimiter_of(first, _FIELDS))]
    suffix = path.suffix.lower()
    is_header = len(names) > 1 and "id" in names and all(map(_HEADER.fullmatch, names))
    if is_header or (suffix in (".csv", ".tsv") and first):
        missing = [name for name in _FIELDS if name not in names]
        if missing:
            place.fail(
                f"no column {' and '.join(missing)} in the header {shown(', '.join(names))}"
                f"{misspelt(missing, names)}: a CSV of outputs has the columns id and text"
            )
        return "csv"
    if suffix in (".json", ".jsonl") and first:
        place.fail(f"the name says JSON, but the first line is {shown(first)}: {_REMEDY}")
    return "plain"


def _rows(path: Path, kind: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the id and the text of each object of a file."""
    objects: Iterator[tuple[Place, dict[str, Any]]]
    if kind == "parquet":
        objects = iter_rows(path, lambda names: list(_FIELDS) if set(_FIELDS) <= set(names) else names)
    elif kind == "csv":
        objects = ((Place(path, line), dict(row)) for line, row in read_rows(path))
    else:
        objects = (
            iter_array(path) if kind == "json" else iter_objects(path, 'in {"id": "Id1", "text": "..."}')
        )
    return starmap(_identified, objects)


def _is_in_order(path: Path, kind: str, examples: Collection[Example]) -> bool:
    """Return whether an output has the ids of the corpus, one after the other."""
    pairs = zip_longest((id_ for _, id_, _ in _rows(path, kind)), (example.id for example in examples))
    return all(one == other for one, other in pairs)


def _identified(place: Place, fields: dict[str, Any]) -> tuple[int, str, str]:
    """Return line, id and text of an object; a text that is null means a system that gave nothing."""
    missing = [name for name in _FIELDS if name not in fields]
    if missing:
        is_corpus = any(name in fields for name in INPUT_FIELDS)
        corpus = " (is it the corpus?)" if is_corpus else misspelt(missing, fields)
        place.fail(
            f"{' and '.join(missing)} missing{corpus}, found {shown(', '.join(fields) or 'no field')}: "
            'an object of an output is {"id": ..., "text": ...}; texts without ids go one per line'
        )
    id_ = whole_id(fields["id"], place)
    if id_ is None:
        place.fail("the id is empty: give the id of an example of the corpus")
    return place.line, id_, optional_string(fields, "text", place) or ""


def misfits(rows: Sequence[tuple[int, str, str]], wanted: Sequence[str]) -> str:
    """Return a message about ids that are missing, given twice or unknown; an empty one if all is well."""
    lines: dict[str, list[int]] = {}
    for line, id_, _ in rows:
        lines.setdefault(id_, []).append(line)
    known = set(wanted)
    twice = [f"{id_} (lines {', '.join(map(str, at))})" for id_, at in lines.items() if len(at) > 1]
    missing = [id_ for id_ in wanted if id_ not in lines]
    unknown = [f"{id_} (line {at[0]})" for id_, at in lines.items() if id_ not in known]
    problems = []
    if missing:
        problems.append(f"no text for {len(missing):,} of {len(wanted):,} ids: {_listed(missing)}")
    if twice:
        problems.append(f"{len(twice):,} {_ids(twice)} given more than once: {_listed(twice)}")
    if unknown:
        problems.append(f"{len(unknown):,} {_ids(unknown)} not in the corpus: {_listed(unknown)}")
    if missing:
        problems.append("give each id of the corpus one text, an empty one if the system gave none")
    return "; ".join(problems)


def _refuse_objects(texts: Iterable[str], path: Path) -> None:
    """Reject a file in which most lines are JSON objects although the first is not."""
    spoken = objects = 0
    first: tuple[int, str] | None = None
    for line, text in enumerate(texts, start=1):
        spoken += bool(text)
        if text.startswith("{") and text.endswith("}") and _OBJECT.match(text):
            objects += 1
            first = first or (line, text)
    with suppress(ValueError):
        if first is not None and 2 * objects > spoken and isinstance(load_json(first[1]), dict):
            Place(path, first[0]).fail(f"most lines are JSON objects, but the first one is not: {_REMEDY}")


def _ids(some: Sequence[str]) -> str:
    return "id is" if len(some) == 1 else "ids are"


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more


def _unequal(path: Path, texts: Collection[str], wanted: int) -> str:
    found = len(texts)
    problem = (
        f"{found:,} text{'s' * (found != 1)}, but the corpus has {wanted:,} example{'s' * (wanted != 1)}: "
        "one text per line is needed, or JSON lines or CSV with id and text"
    )
    if found == wanted + 1 and column_name(next(iter(texts))) in (*_FIELDS, "output", "prediction"):
        problem += " (the first line looks like the header of a table)"
    if found == wanted - 1 and path.is_file() and path.read_bytes().endswith(b"\n"):
        problem += " (if the last text is blank, it needs its own line end)"
    return problem
