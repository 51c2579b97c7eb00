"""What the report shows, as plain data: an overview, an index to filter by, texts, and details of inputs.

Names that come from files are only ever values in arrays, never keys of objects: a category may be called
``__proto__``. Spans are code points of the text, entities numbers in the entities of their input.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, pairwise
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard

from esascore._version import __version__
from esascore.claims.hallucinations import Hallucination
from esascore.data import Value
from esascore.errors import UsageError
from esascore.fact_results import Asked, FactVerdict
from esascore.model import Detection, Example, Mention, Triple
from esascore.readers.jsonl import iter_objects
from esascore.readers.located import Place
from esascore.reports.nearest import Nearest, nearest_spans
from esascore.reports.summary import Significance, Summary, summarise
from esascore.run.scored import Scored
from esascore.text.blank import is_blank
from esascore.text.markdown import plain

MOST_BARS = 4  # of the distribution: texts with 0, 1, 2, ... undetected entities, the last one open
# Size at which a part of the data ends; an input is never split.
TEXTS_CHARACTERS = 400_000
DETAILS_CHARACTERS = 250_000
_OVERHEAD = 60  # characters that a mention or an undetected entity takes in the details, about


@dataclass(frozen=True, slots=True)
class Flag:
    """A span of a text that its input does not explain: ``kind`` is its class, ``type`` what it names.

    ``entity`` is what a linker took it for and ``nearest`` the entity of the input that is most like it;
    ``expected`` is the value that the input has instead, ``reason`` says in words why the span is flagged,
    and ``fact`` is the fact of the input that the text contradicts here, if that is why.
    """

    start: int
    end: int
    kind: str
    type: str = ""
    entity: str | None = None
    nearest: str | None = None
    confidence: float | None = None
    expected: str | None = None
    reason: str = ""
    fact: Triple | None = None


_WORDS = ("entity", "nearest", "expected", "reason")
Found = Flag | Hallucination
Flags = Mapping[str, Sequence[Sequence[Found]]]
"""System -> the flags of each of its texts, in corpus order."""


def flags_of_metrics(evaluation: Scored) -> Flags:
    """The spans that metrics found in the texts of an evaluation; nothing for systems where none did."""
    return {
        system.name: [
            [one for one in chain.from_iterable(found) if isinstance(one, Found)]
            for found in zip(*system.details.values(), strict=True)
        ]
        for system in evaluation.systems
        if system.details
    }


def read_flags(path: str | PathLike[str], evaluation: Scored) -> dict[str, list[tuple[Flag, ...]]]:
    """Read the file that ``esascore hallucinations -o`` writes, for the systems of an evaluation.

    Systems that the evaluation does not have are skipped; texts that the file does not have get no flag.

    Raises
    ------
    DataError
        A line is not as agreed, or speaks of another text than the evaluation has.
    """
    file = Path(path)
    places = {example.id: position for position, example in enumerate(evaluation.examples)}
    texts = {system.name: system.texts for system in evaluation.systems}
    found: dict[str, list[tuple[Flag, ...]]] = {name: [()] * len(places) for name in texts}
    for place, record in iter_objects(file, "esascore hallucinations -o writes them"):
        spans = record.get("hallucinations")
        if not isinstance(spans, list) or not all(
            isinstance(record.get(name), str) for name in ("system", "id")
        ):
            place.fail("an object with system, id and hallucinations is needed")
        if record["system"] not in texts:
            continue
        position = places.get(record["id"])
        if position is None:
            place.fail(f"the corpus has no example {record['id']!r}: give the file for this corpus")
        text = texts[record["system"]][position]
        found[record["system"]][position] = tuple(_read_flag(span, text, place) for span in spans)
    return found


def _read_flag(span: object, text: str, place: Place) -> Flag:
    if not isinstance(span, dict):
        place.fail("a hallucination must be an object with start, end, class and type")
    start, end = span.get("start"), span.get("end")
    if not (_is_count(start) and _is_count(end) and start < end <= len(text)):
        place.fail(f"start {start!r} and end {end!r} are not a span of the text: was it changed?")
    if span.get("text", text[start:end]) != text[start:end]:
        place.fail(f"the text has no {span['text']!r} at {start}: give the file for these outputs")
    confidence = span.get("confidence")
    fact = span.get("fact")
    if fact is not None and not (isinstance(fact, list) and [*map(type, fact)] == [str] * 3):
        place.fail("the fact of a hallucination must be a list of subject, predicate and object")
    words = {name: value for name, value in span.items() if name in _WORDS and isinstance(value, str)}
    return Flag(
        start,
        end,
        str(span.get("class") or "hallucination"),
        str(span.get("type") or ""),
        confidence=float(confidence) if isinstance(confidence, int | float) else None,
        fact=None if fact is None else Triple(*fact),
        **words,
    )


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


class Content:
    """An evaluation that kept its detections, with all that its report shows; see `write_report`."""

    def __init__(
        self,
        evaluation: Scored,
        title: str,
        *,
        significance: Significance | None = None,
        flags: Flags | None = None,
        warnings: Sequence[str] = (),
        threads: int = 1,
    ):
        self.title = title
        self._evaluation = evaluation
        self._examples, self._systems = evaluation.examples, evaluation.systems
        self._detections = [own.detections for own in self._systems if own.detections is not None]
        if len(self._detections) < len(self._systems):
            raise UsageError("a report needs an evaluation that kept its detections")
        self._summary = summarise(evaluation, significance=significance or Significance())
        inputs = [example.input for example in self._examples]
        self._nearest = [nearest_spans(inputs, found, threads=threads) for found in self._detections]
        known = flags_of_metrics(evaluation) if flags is None else flags
        self._flags = [known.get(system.name) for system in self._systems]
        self._scores = [
            [list(map(_rounded, m.segment_scores(system.statistics[m.name]))) for m in evaluation.metrics]
            for system in self._systems
        ]
        self._warnings = [*_warnings(evaluation, self._summary), *warnings]
        self._columns = [column.field for column in self._summary.columns]

    def parts(self) -> Iterator[tuple[str, Any]]:
        """The parts of the data, by the names under which the pages ask for them."""
        rows = zip(*(system.texts for system in self._systems), strict=True)
        texts = _parts([sum(map(len, own)) for own in rows], TEXTS_CHARACTERS)
        details = _parts(self._sizes(), DETAILS_CHARACTERS)
        yield "overview", self._overview([begin for begin, _ in texts], [begin for begin, _ in details])
        yield "index", self._index()
        for part, (begin, end) in enumerate(texts):
            yield f"texts-{part}", [system.texts[begin:end] for system in self._systems]
        for part, places in enumerate(details):
            yield f"details-{part}", [self._detail(place) for place in range(*places)]
        for metric in range(len(self._evaluation.metrics)):
            yield f"scores-{metric}", [scores[metric] for scores in self._scores]

    def _sizes(self) -> Iterator[int]:
        """About how many characters the details of each input take."""
        for example, *found in zip(self._examples, *self._detections, strict=True):
            listed = sum(1 + len(one.mentions) + len(one.undetected) for one in found)
            references = sum(len(reference.text) for reference in example.references)
            yield references + _OVERHEAD * (len(example.input.entities) + listed)

    def _overview(self, texts: Sequence[int], details: Sequence[int]) -> dict[str, Any]:
        """The first page; ``texts`` and ``details`` are the positions at which the parts begin."""
        summary = self._summary
        return {
            "version": __version__,
            "title": self.title,
            "key": self._key(),
            "signature": summary.signature,
            "examples": len(self._examples),
            "columns": [[c.field, c.header, c.kind, c.better, c.meaning] for c in summary.columns],
            "systems": [self._system(number) for number in range(len(self._systems))],
            "groups": list(self._groups()),
            "mains": [n for n, field in enumerate(self._columns) if field in summary.mains],
            "metrics": [metric.name for metric in self._evaluation.metrics],
            "flagged": any(any(flags or ()) for flags in self._flags),
            "comparison": _comparison(summary.significance),
            "warnings": self._warnings,
            "texts": texts,
            "details": details,
        }

    def _index(self) -> dict[str, Any]:
        """What texts are filtered by, as columns."""
        categories, entities, kinds = _Numbers(), _Numbers(), _Numbers()
        return {
            "ids": [example.id for example in self._examples],
            "category": [categories[one.category] if one.category else -1 for one in self._examples],
            "size": [example.size for example in self._examples],
            "entities": [
                [entities[one.term] for one in example.input.entities] for example in self._examples
            ],
            "missing": [[_numbers(found) for found in detections] for detections in self._detections],
            "flags": [
                [sorted({kinds[flag.kind] for flag in some}) or 0 for some in flags or ()]
                for flags in self._flags
            ],
            "blank": [
                [place for place, text in enumerate(system.texts) if is_blank(text)]
                for system in self._systems
            ],
            "categories": list(categories),
            "names": list(entities),
            "attributes": [term.attribute if isinstance(term, Value) else "" for term in entities],
            "kinds": list(kinds),
        }

    def _key(self) -> str:
        """What verdicts of readers are kept under: the same for the same texts."""
        hashed = sha256()
        for example in self._examples:
            hashed.update(f"{example.id}\0".encode("utf-8", "replace"))
        for system in self._systems:
            hashed.update("\0".join([system.name, *system.texts]).encode("utf-8", "replace"))
        return hashed.hexdigest()[:16]

    def _system(self, number: int) -> dict[str, Any]:
        fields = self._summary.systems[number]
        bars = [0] * MOST_BARS
        for found in self._detections[number]:
            if found.entities:
                bars[min(len(found.undetected), MOST_BARS - 1)] += 1
        compared = {
            key: [fields.get(name, {}).get(field) for field in self._columns]
            for key, name in (("ci", "ci"), ("p", "p_holm"), ("rank", "rank"), ("cluster", "cluster"))
        }
        compared["rank"] = [
            rank if field in self._summary.mains else None
            for field, rank in zip(self._columns, compared["rank"], strict=True)
        ]
        return {
            "name": self._systems[number].name,
            "figures": [fields.get(field) for field in self._columns],
            **compared,
            "bars": bars,
            "bleu": fields.get("bleu"),
            "esic": fields.get("esic_1"),
        }

    def _groups(self) -> Iterator[dict[str, Any]]:
        known = {
            "category": any(example.category for example in self._examples),
            "size": len({example.size for example in self._examples}) > 1,
        }
        for by in [name for name, told in known.items() if told]:
            parts = [fields["by"][by] for fields in summarise(self._evaluation, by).systems]
            labels = list(parts[0])
            yield {
                "by": by,
                "labels": labels,
                "texts": [parts[0][label]["texts"] for label in labels],
                "figures": [
                    [[part[label].get(field) for field in self._columns] for label in labels]
                    for part in parts
                ],
            }

    def _detail(self, place: int) -> dict[str, Any]:
        """An input with its references, and what was found in each system's text."""
        example = self._examples[place]
        numbers = {entity.term: number for number, entity in enumerate(example.input.entities)}
        systems = []
        columns = (self._systems, self._detections, self._nearest, self._flags, self._scores)
        for system, detections, nearest, flags, scores in zip(*columns, strict=True):
            found = detections[place]
            facts, asked = (system.details.get(name) for name in ("facts", "questeval"))
            systems.append(
                {
                    "unsaid": _unsaid(found, example),
                    "marks": _marks(found.text),
                    "mentions": [_mention(mention, numbers) for mention in found.mentions],
                    "missing": _missing(found, nearest[place], numbers),
                    "flags": [_flag(flag) for flag in flags[place]] if flags else [],
                    "scores": [column[place] for column in scores],
                    "facts": [_fact(one) for one in facts[place]] if facts else [],
                    "asked": [_asked(one) for one in asked[place]] if asked else [],
                }
            )
        return {**_input(example), "references": [r.text for r in example.references], "systems": systems}


class _Numbers(dict[str, int]):
    """Names with their numbers in order of first use."""

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]


def _comparison(how: Significance | None) -> str | None:
    if how is None:
        return None
    if how.baseline is None:
        return "Below a figure: its 95% interval."
    means = f"* differs from {how.baseline}"
    if how.pairs:
        means = (
            "(1-2): range of ranks by significant differences of all pairs; sorted by a figure, a line ends "
            "a cluster: all above differ from all below"
        )
    return f"Below a figure: its 95% interval. {means}, {how.how}."


def _input(example: Example) -> dict[str, Any]:
    input_ = example.input
    table = input_.table
    if table is None:
        return {"triples": [triple.as_list() for triple in input_.triples], "root": input_.root}
    titles = [title for title in (table.title, table.section_title) if title]
    marked = [[cell.attribute, cell.value] for cell in table.cells if cell.highlighted and cell.value]
    return {"titles": titles, "cells": marked}


def _unsaid(found: Detection, example: Example) -> list[int]:
    """The optional entities that a text does not mention, as it may."""
    said = {term for mention in found.mentions for term in (mention.entity, *mention.also)}
    listed = enumerate(example.input.entities)
    return [number for number, entity in listed if entity.optional and entity.term not in said]


def _marks(text: str) -> list[list[int]]:
    """Where the marks of Markdown are: they are blank in the text that people read."""
    read = "".join("x" if one == other else " " for one, other in zip(text, plain(text), strict=True))
    return [list(found.span()) for found in re.finditer(" +", read)]


def _mention(one: Mention, numbers: dict[str, int]) -> list[Any]:
    also = [numbers[term] for term in one.also if term in numbers]
    entity, distance = numbers.get(one.entity, -1), _rounded(one.distance)
    return [entity, one.start, one.end, one.method, distance, one.variant, also]


def _missing(found: Detection, near: Sequence[Nearest], numbers: dict[str, int]) -> list[list[Any]]:
    spans: dict[str, list[Any]] = {}
    for one in near:
        taken = -1 if one.taken is None else numbers.get(one.taken, -1)
        spans[one.entity] = [one.start, one.end, _rounded(one.distance), one.variant, taken]
    return [[numbers[term], *spans.get(term, ())] for term in found.undetected]


def _flag(flag: Found) -> list[Any]:
    confidence = _rounded(flag.confidence)
    why = flag.expected, flag.reason
    about = [flag.start, flag.end, flag.kind, flag.type, flag.entity, flag.nearest, confidence, *why]
    return about if flag.fact is None else [*about, flag.fact.as_list()]


def _fact(verdict: FactVerdict) -> list[Any]:
    instead = None if verdict.instead is None else verdict.instead.as_list()
    return [verdict.fact.as_list(), verdict.ruling, _rounded(verdict.probability), verdict.known, instead]


def _asked(asked: Asked) -> list[Any]:
    fields = asked.as_dict()
    return [*(fields[name] for name in ("about", "question", "expected", "answer")), _rounded(asked.score)]


def _numbers(found: Detection) -> list[int] | int:
    """The undetected entities of a text; 0 for none, which is shorter."""
    missing = set(found.undetected)
    return [number for number, term in enumerate(found.entities) if term in missing] or 0


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _parts(sizes: Iterable[int], most: int) -> list[tuple[int, int]]:
    """Cut a list of items into parts of at most some size: first position, and the one after the last."""
    starts = [0]
    size = number = 0
    for number, one in enumerate(sizes, 1):
        if size and size + one > most:
            starts.append(number - 1)
            size = 0
        size += one
    return list(pairwise([*starts, number]))


def _warnings(evaluation: Scored, summary: Summary) -> Iterator[str]:
    number = len(evaluation.examples)
    for system in evaluation.systems:
        if blank := sum(map(is_blank, system.texts)):
            yield f"{system.name}: {blank:,} of {number:,} outputs are blank or null-like and score 0."
    if empty := sum(not example.input.entities for example in evaluation.examples):
        yield f"{empty:,} of {number:,} inputs have no entity: ESA is undefined, and they are excluded."
    yield from (f"{message[0].upper()}{message[1:]}." for message in summary.warnings)
    if summary.optional:
        yield f"Optional attributes, which texts need not mention: {', '.join(summary.optional)}."
