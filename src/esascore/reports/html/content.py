"""What the report shows, as plain data: an overview, an index to filter by, texts, and details of inputs.

Names that come from files are only ever values in arrays, never keys of objects: a category may be called
``__proto__``. Spans are code points of the text, entities numbers in the entities of their input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from esascore._version import __version__
from esascore.data import Value
from esascore.errors import UsageError
from esascore.fact_results import Asked, FactVerdict
from esascore.model import Detection, Example, Mention
from esascore.reports.groups import group
from esascore.reports.html.flags import Flags, Found, flags_of_metrics
from esascore.reports.nearest import Nearest, nearest_spans
from esascore.reports.summary import Significance, Summary, summarise
from esascore.run.scored import Scored
from esascore.stats.comparison import LEVEL
from esascore.text.blank import is_blank
from esascore.text.markdown import plain

MOST_BARS = 4  # of the distribution: texts with 0, 1, 2, ... undetected entities, the last one open
# Size at which a part of the data ends; an input is never split.
TEXTS_CHARACTERS = 400_000
DETAILS_CHARACTERS = 250_000
_OVERHEAD = 60  # characters that a mention or an undetected entity takes in the details, about


@dataclass(frozen=True, slots=True)
class Content:
    """An evaluation with all that its report shows."""

    evaluation: Scored
    title: str
    summary: Summary
    detections: tuple[Sequence[Detection], ...]
    nearest: tuple[Sequence[tuple[Nearest, ...]], ...]
    flags: tuple[Sequence[Sequence[Found]] | None, ...]
    scores: tuple[tuple[list[float | None], ...], ...]
    warnings: tuple[str, ...]

    @classmethod
    def of(
        cls,
        evaluation: Scored,
        title: str,
        *,
        significance: Significance | None = None,
        flags: Flags | None = None,
        warnings: Sequence[str] = (),
        threads: int = 1,
    ) -> Content:
        """Collect what is shown of an evaluation that kept its detections."""
        detections = tuple(
            system.detections for system in evaluation.systems if system.detections is not None
        )
        if len(detections) < len(evaluation.systems):
            raise UsageError("a report needs an evaluation that kept its detections")
        inputs = [example.input for example in evaluation.examples]
        if flags is None:
            flags = flags_of_metrics(evaluation)
        summary = summarise(evaluation, significance=significance or Significance())
        return cls(
            evaluation,
            title,
            summary,
            detections,
            tuple(nearest_spans(inputs, found, threads=threads) for found in detections),
            tuple(flags.get(system.name) for system in evaluation.systems),
            tuple(
                tuple(m.segment_scores(system.statistics[m.name]) for m in evaluation.metrics)
                for system in evaluation.systems
            ),
            (*_warnings(evaluation), *_warnings_of(summary), *warnings),
        )

    def overview(self, texts: Sequence[int], details: Sequence[int]) -> dict[str, Any]:
        """The first page; ``texts`` and ``details`` are the positions at which the parts begin."""
        return {
            "version": __version__,
            "title": self.title,
            "key": self._key(),
            "signature": self.summary.signature,
            "examples": len(self.evaluation.examples),
            "columns": [[c.field, c.header, c.kind, c.better, c.meaning] for c in self.summary.columns],
            "systems": [self._system(number) for number in range(len(self.evaluation.systems))],
            "groups": list(self._groups()),
            "mains": [n for n, c in enumerate(self.summary.columns) if c.field in self.summary.mains],
            "metrics": [metric.name for metric in self.evaluation.metrics],
            "flagged": any(any(flags or ()) for flags in self.flags),
            "comparison": _comparison(self.summary.significance),
            "warnings": list(self.warnings),
            "texts": list(texts),
            "details": list(details),
        }

    def index(self) -> dict[str, Any]:
        """What texts are filtered by, as columns."""
        categories: dict[str, int] = {}
        entities: dict[str, int] = {}
        kinds: dict[str, int] = {}
        examples = self.evaluation.examples
        return {
            "ids": [example.id for example in examples],
            "category": [
                categories.setdefault(example.category, len(categories)) if example.category else -1
                for example in examples
            ],
            "size": [example.size for example in examples],
            "entities": [
                [entities.setdefault(entity.term, len(entities)) for entity in example.input.entities]
                for example in examples
            ],
            "missing": [[_numbers(found) for found in detections] for detections in self.detections],
            "flags": [
                [
                    sorted({kinds.setdefault(flag.kind, len(kinds)) for flag in some}) or 0
                    for some in flags or ()
                ]
                for flags in self.flags
            ],
            "blank": [
                [place for place, text in enumerate(system.texts) if is_blank(text)]
                for system in self.evaluation.systems
            ],
            "categories": list(categories),
            "names": list(entities),
            "attributes": [term.attribute if isinstance(term, Value) else "" for term in entities],
            "kinds": list(kinds),
        }

    def texts(self, begin: int, end: int) -> list[list[str]]:
        """The texts of each system on some inputs."""
        return [list(system.texts[begin:end]) for system in self.evaluation.systems]

    def metric_scores(self, metric: int) -> list[list[float | None]]:
        """The scores of every text of each system under one metric."""
        return [[_rounded(value) for value in scores[metric]] for scores in self.scores]

    def details(self, begin: int, end: int) -> list[dict[str, Any]]:
        """Inputs, references, and what was found in each system's text."""
        return [self._detail(place) for place in range(begin, end)]

    def text_parts(self) -> list[int]:
        """Positions at which the parts of the texts begin."""
        rows = zip(*(system.texts for system in self.evaluation.systems), strict=True)
        return _parts([sum(map(len, texts)) for texts in rows], TEXTS_CHARACTERS)

    def detail_parts(self) -> list[int]:
        """Positions at which the parts of the details begin."""
        sizes = []
        for example, *found in zip(self.evaluation.examples, *self.detections, strict=True):
            listed = sum(1 + len(one.mentions) + len(one.undetected) for one in found)
            references = sum(len(reference.text) for reference in example.references)
            sizes.append(references + _OVERHEAD * (len(example.input.entities) + listed))
        return _parts(sizes, DETAILS_CHARACTERS)

    def _key(self) -> str:
        """What verdicts of readers are kept under: the same for the same texts."""
        hashed = sha256()
        for example in self.evaluation.examples:
            hashed.update(f"{example.id}\0".encode("utf-8", "replace"))
        for system in self.evaluation.systems:
            hashed.update("\0".join([system.name, *system.texts]).encode("utf-8", "replace"))
        return hashed.hexdigest()[:16]

    def _system(self, number: int) -> dict[str, Any]:
        fields = self.summary.systems[number]
        compared = (fields.get(name, {}) for name in ("ci", "p_holm", "rank", "cluster"))
        intervals, p_values, ranks, clusters = compared
        bars = [0] * MOST_BARS
        for found in self.detections[number]:
            if found.entities:
                bars[min(len(found.undetected), MOST_BARS - 1)] += 1
        columns = [column.field for column in self.summary.columns]
        return {
            "name": self.evaluation.systems[number].name,
            "figures": [fields.get(field) for field in columns],
            "ci": [intervals.get(field) for field in columns],
            "p": [p_values.get(field) for field in columns],
            "rank": [ranks.get(field) if field in self.summary.mains else None for field in columns],
            "cluster": [clusters.get(field) for field in columns],
            "bars": bars,
            "bleu": fields.get("bleu"),
            "esic": fields.get("esic_1"),
        }

    def _groups(self) -> Iterator[dict[str, Any]]:
        columns = [c.field for c in self.summary.columns]
        known = {
            "category": any(example.category for example in self.evaluation.examples),
            "size": len({example.size for example in self.evaluation.examples}) > 1,
        }
        for by in [name for name, told in known.items() if told]:
            labels = group(self.evaluation.examples, by)
            parts = [fields["by"][by] for fields in summarise(self.evaluation, by).systems]
            yield {
                "by": by,
                "labels": list(labels),
                "texts": [len(positions) for positions in labels.values()],
                "figures": [
                    [[part[label].get(field) for field in columns] for label in labels] for part in parts
                ],
            }

    def _detail(self, place: int) -> dict[str, Any]:
        example = self.evaluation.examples[place]
        numbers = {entity.term: number for number, entity in enumerate(example.input.entities)}
        found = [system.details for system in self.evaluation.systems]
        columns = zip(self.detections, self.nearest, self.flags, self.scores, found, strict=True)
        systems = [
            {
                "unsaid": _unsaid(detections[place], example),
                "marks": _marks(detections[place].text),
                "mentions": [_mention(mention, numbers) for mention in detections[place].mentions],
                "missing": _missing(detections[place], nearest[place], numbers),
                "flags": [] if flags is None else [_flag(flag) for flag in flags[place]],
                "scores": [_rounded(column[place]) for column in scores],
                "facts": [_fact(one) for one in details["facts"][place]] if "facts" in details else [],
                "asked": [_asked(one) for one in details["questeval"][place]]
                if "questeval" in details
                else [],
            }
            for detections, nearest, flags, scores, details in columns
        ]
        return {**_input(example), "references": [r.text for r in example.references], "systems": systems}


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
    return (
        f"Below a figure: its 95% interval. {means}, p < {LEVEL} "
        f"({how.test}, {how.resamples} resamples, Holm)."
    )


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
    """Where the marks of Markdown are: what is blank in the text that people read."""
    read = "".join("x" if one == other else " " for one, other in zip(text, plain(text), strict=True))
    return [list(found.span()) for found in re.finditer(" +", read)]


def _mention(mention: Mention, numbers: dict[str, int]) -> list[Any]:
    also = [numbers[term] for term in mention.also if term in numbers]
    entity, distance = numbers.get(mention.entity, -1), _rounded(mention.distance)
    return [entity, mention.start, mention.end, mention.method, distance, mention.variant, also]


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


def _parts(sizes: Sequence[int], most: int) -> list[int]:
    starts = [0]
    size = 0
    for position, one in enumerate(sizes):
        if size and size + one > most:
            starts.append(position)
            size = 0
        size += one
    return starts


def _warnings_of(summary: Summary) -> Iterator[str]:
    yield from (f"{message[0].upper()}{message[1:]}." for message in summary.warnings)
    if summary.optional:
        yield f"Optional attributes, which texts need not mention: {', '.join(summary.optional)}."


def _warnings(evaluation: Scored) -> Iterator[str]:
    number = len(evaluation.examples)
    for system in evaluation.systems:
        blank = sum(map(is_blank, system.texts))
        if blank:
            yield f"{system.name}: {blank:,} of {number:,} outputs are blank or null-like and score 0."
    empty = sum(not example.input.entities for example in evaluation.examples)
    if empty:
        yield f"{empty:,} of {number:,} inputs have no entity: ESA is undefined, and they are excluded."
