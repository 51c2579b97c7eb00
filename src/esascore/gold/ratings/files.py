"""Human ratings of texts, and scores of texts that other programs computed.

Formats, distinguished by content:

- **WebNLG 2017** (``all_data_final_averaged.csv``): ``mr``, ``team``, ``text``, ``fluency``, ``grammar``,
  ``semantics``, and the scores ``bleu``, ``meteor``, ``ter``; inputs are found by their triples;
- **WebNLG 2020**: a JSON list of objects with ``submission_id``, ``sample_id`` (from 1, in the order of the
  corpus) and a number for each aspect;
- **long CSV**: ``system``, ``id``, ``aspect``, ``rating``, one row per judgement; several of one text are its
  raw ratings (a column ``rater`` may tell whose they are);
- **wide CSV**: ``system``, ``id``, and a column for each aspect.

Scores come as wide CSV or as the JSON lines of ``esascore score --segments``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from esascore.errors import DataError
from esascore.model import Example
from esascore.readers.csv import read_rows
from esascore.readers.fields import load_json
from esascore.readers.jsonl import iter_objects
from esascore.readers.lines import iter_lines
from esascore.readers.located import Place, shown
from esascore.readers.parquet import is_parquet_file, iter_rows

_ASPECTS_2017 = ("fluency", "grammar", "semantics")
_SCORES_2017 = ("bleu", "meteor", "ter")
_ASPECTS_2020 = ("Correctness", "DataCoverage", "Fluency", "Relevance", "TextStructure")
_KEYS = ("system", "id")
_NO_NUMBERS = (*_KEYS, "text", "rater")
_SCORED = '{"system": "a", "id": "Id1", "scores": {"esa": 1.0}}'
_ALIASES = {"vietnam": "uitdangnt"}  # the team's name in the ratings of 2017
_SHORTEST_PREFIX = 4

TextKey = tuple[str, int]
"""A system's name and the position of the example."""

_Fail = Callable[[str], NoReturn]
_Row = tuple[_Fail, TextKey, dict[str, float | None]]
"""The function that reports errors of a row, the text that the row is about, and its numbers by name."""
_Columns = dict[str, dict[TextKey, tuple[float, ...]]]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings and scores by name, each for some texts.

    Attributes
    ----------
    aspects
        Aspect -> text -> its ratings, at least one.
    scores
        Score that the file brings along -> text -> value.
    texts
        The rated texts, where the file has them.
    """

    aspects: Mapping[str, Mapping[TextKey, tuple[float, ...]]]
    scores: Mapping[str, Mapping[TextKey, float]] = field(default_factory=dict)
    texts: Mapping[TextKey, str] = field(default_factory=dict)

    @property
    def systems(self) -> list[str]:
        """Names of the rated systems, in order of appearance."""
        return list(dict.fromkeys(system for rated in self.aspects.values() for system, _ in rated))


def read_ratings(path: str | Path, examples: Sequence[Example]) -> Ratings:
    """Read human ratings of texts that systems wrote for a corpus.

    Raises
    ------
    DataError
        The file cannot be read, has none of the known forms, or names an input that the corpus lacks.
    """
    file = Path(path)
    if _starts_with(file, "["):
        return Ratings(_ratings(_rows_2020(file, examples), examples, file, once=True))
    rows = list(read_rows(file))
    columns = list(rows[0][1]) if rows else []
    if {"mr", "team", *_ASPECTS_2017} <= set(columns):
        return _read_2017(file, rows, examples)
    if not {*_KEYS} <= set(columns):
        raise DataError(
            "no ratings were recognised: a CSV needs the columns system, id, and aspect, rating or a column "
            f"per aspect; found {shown(', '.join(columns))}",
            file=file,
        )
    if {"aspect", "rating"} <= set(columns):
        rows = [
            (line, {**{name: row[name] for name in _KEYS}, row["aspect"].strip(): row["rating"]})
            for line, row in rows
        ]
    return Ratings(_ratings(_wide(file, rows, examples), examples, file))


def read_scores(path: str | Path, examples: Sequence[Example]) -> dict[str, dict[TextKey, float]]:
    """Read scores of texts: name -> text -> score; undefined ones are left out.

    Raises
    ------
    DataError
        The file cannot be read, or gives a score of one text twice.
    """
    file = Path(path)
    is_objects = is_parquet_file(file) or _starts_with(file, "{")
    rows = _objects(file, examples) if is_objects else _wide(file, read_rows(file), examples)
    found = _collected(rows, examples, once=True)
    if not found:
        raise DataError("the file contains no score", file=file)
    return {name: _single(column) for name, column in found.items()}


def match_names(rated: Sequence[str], given: Sequence[str]) -> dict[str, str]:
    """Find the systems that ratings refer to: rated name -> given name.

    Names are equal when their letters and digits are, whatever their case; else one may be the beginning of
    the other, if that fits only one.

    Examples
    --------
    >>> match_names(["tilburg-pipe", "vietnam", "adapt"], ["Tilburg-Pipeline", "UIT-DANGNT", "Tilburg-SMT"])
    {'tilburg-pipe': 'Tilburg-Pipeline', 'vietnam': 'UIT-DANGNT'}
    """
    folded = {name: re.sub(r"[\W_]", "", name.casefold()) for name in (*rated, *given)}
    matched: dict[str, str] = {}
    for name in rated:
        if name in given:
            matched[name] = name
            continue
        wanted = {folded[name], _ALIASES.get(folded[name], folded[name])}
        equal = [other for other in given if folded[other] in wanted]
        if len(equal) == 1:
            matched[name] = equal[0]
    for name in rated:
        if name not in matched:
            free = [other for other in given if other not in matched.values()]
            alike = [other for other in free if _begins(folded[name], folded[other])]
            if len(alike) == 1:
                matched[name] = alike[0]
    return {name: matched[name] for name in rated if name in matched}


# --- formats


def _wide(
    file: Path, rows: Iterable[tuple[int, dict[str, str]]], examples: Sequence[Example]
) -> Iterator[_Row]:
    places = _places(examples)
    for line, row in rows:
        place = Place(file, line)
        if not {*_KEYS} <= set(row):
            place.fail(f"columns system and id are needed; found {shown(', '.join(row))}")
        numbers = {name: _number(cell, name, place) for name, cell in row.items() if name not in _NO_NUMBERS}
        yield place.fail, _key(row["system"], row["id"], places, place), numbers


def _objects(file: Path, examples: Sequence[Example]) -> Iterator[_Row]:
    places = _places(examples)
    for place, row in iter_rows(file) if is_parquet_file(file) else iter_objects(file, _SCORED):
        if not isinstance(row.get("scores"), dict):
            place.fail(f"an object with scores is needed, as {_SCORED}")
        numbers = {name: _json_number(value, name, place.fail) for name, value in row["scores"].items()}
        yield place.fail, _key(str(row.get("system", "")), str(row.get("id", "")), places, place), numbers


def _read_2017(
    file: Path, rows: Sequence[tuple[int, dict[str, str]]], examples: Sequence[Example]
) -> Ratings:
    inputs = {_triples(example): position for position, example in reversed(list(enumerate(examples)))}
    texts: dict[TextKey, str] = {}
    listed: list[_Row] = []
    for line, row in rows:
        place = Place(file, line)
        triples = tuple(
            sorted(tuple(part.strip() for part in mr.split(" | ")) for mr in row["mr"].split("<br>"))
        )
        if triples not in inputs:
            place.fail(f"the corpus has no input {shown(row['mr'])}: is it the one that was rated?")
        key = (row["team"].strip(), inputs[triples])
        names = [name for name in (*_ASPECTS_2017, *_SCORES_2017) if name in row]
        listed.append((place.fail, key, {name: _number(row[name], name, place) for name in names}))
        if "text" in row:
            texts[key] = row["text"].strip()
    found = _ratings(listed, examples, file, once=True)
    aspects = {name: column for name, column in found.items() if name in _ASPECTS_2017}
    scores = {name: _single(column) for name, column in found.items() if name in _SCORES_2017}
    return Ratings(aspects, scores, texts)


def _rows_2020(file: Path, examples: Sequence[Example]) -> Iterator[_Row]:
    try:
        rows = load_json("\n".join(line for _, line in iter_lines(file)))
    except ValueError as error:
        raise DataError(f"not JSON ({error}): correct the file", file=file) from None
    for number, row in enumerate(rows, 1):

        def fail(problem: str, number: int = number) -> NoReturn:
            raise DataError(f"rating {number}: {problem}", file=file)

        if not isinstance(row, dict) or not {"submission_id", "sample_id"} <= set(row):
            fail("submission_id and sample_id are needed")
        sample = str(row["sample_id"]).strip()
        if not sample.isdecimal() or not 0 < int(sample) <= len(examples):
            fail(f"sample_id {shown(sample)} is not a number from 1 to {len(examples)}, the corpus size")
        numbers = {name: _json_number(row.get(name), name, fail) for name in _ASPECTS_2020}
        yield fail, (str(row["submission_id"]), int(sample) - 1), numbers


# --- columns


def _collected(rows: Iterable[_Row], examples: Sequence[Example], *, once: bool) -> _Columns:
    found: _Columns = {}
    for fail, key, numbers in rows:
        for name, value in numbers.items():
            column = found.setdefault(name, {})
            if value is None:
                continue
            if once and key in column:
                id_ = examples[key[1]].id
                fail(f"{shown(name)} of system {shown(key[0])} and id {shown(id_)} is given twice")
            column[key] = (*column.get(key, ()), value)
    return found


def _ratings(
    rows: Iterable[_Row], examples: Sequence[Example], file: Path, *, once: bool = False
) -> _Columns:
    """Collect the columns that hold a number."""
    found = {name: column for name, column in _collected(rows, examples, once=once).items() if column}
    if not found:
        raise DataError("the file contains no rating", file=file)
    return found


def _single(column: Mapping[TextKey, tuple[float, ...]]) -> dict[TextKey, float]:
    return {key: value for key, (value,) in column.items()}


# --- cells


def _places(examples: Sequence[Example]) -> dict[str, int]:
    places: dict[str, int] = {}
    for position, example in enumerate(examples):
        places.setdefault(example.id, position)
    return places


def _key(system: str, id_: str, places: Mapping[str, int], place: Place) -> TextKey:
    name, wanted = system.strip(), id_.strip()
    if not name:
        place.fail("the name of the system is missing")
    if wanted not in places:
        place.fail(f"the corpus has no id {shown(wanted)}; its first is {shown(next(iter(places), ''))}")
    return name, places[wanted]


def _number(cell: str, name: str, place: Place) -> float | None:
    if not cell.strip():
        return None
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        place.fail(f"{shown(name)} is {shown(cell)}: a number is needed, or nothing")
    return value


def _json_number(value: Any, name: str, fail: _Fail) -> float | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        fail(f"{shown(name)} is {shown(str(value))}: a number is needed, or null")
    return None if value is None else float(value)


def _triples(example: Example) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted((t.subject, t.predicate, t.object) for t in example.input.triples))


def _begins(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= _SHORTEST_PREFIX and longer.startswith(shorter)


def _starts_with(file: Path, mark: str) -> bool:
    return next((line.lstrip()[0] for _, line in iter_lines(file) if line.strip()), "") == mark
