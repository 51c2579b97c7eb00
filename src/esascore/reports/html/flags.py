"""Spans that a text should not contain, in the form in which ``esascore hallucinations`` writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeGuard, runtime_checkable

from esascore.engine import Scored
from esascore.errors import DataError
from esascore.model import Detection, Example
from esascore.readers.fields import load_json
from esascore.readers.lines import iter_lines


@dataclass(frozen=True, slots=True)
class Flag:
    """A span of a text that its input does not explain: ``kind`` is its class, ``type`` what it names.

    ``entity`` is what a linker took it for and ``nearest`` the entity of the input that is most like it.
    """

    start: int
    end: int
    kind: str
    type: str = ""
    entity: str | None = None
    nearest: str | None = None
    confidence: float | None = None


Flags = Mapping[str, Sequence[Sequence[Flag]]]
"""System -> the flags of each of its texts, in corpus order."""


class _Found(Protocol):
    """What is read of a span that a metric found; `Flag` says what it is."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def entity(self) -> str | None: ...
    @property
    def nearest(self) -> str | None: ...
    @property
    def confidence(self) -> float | None: ...


@runtime_checkable
class FindsSpans(Protocol):
    """A metric that can say where in the texts it found what it counts."""

    def find(
        self,
        examples: Sequence[Example],
        texts: Sequence[str],
        detections: Sequence[Detection] | None = None,
    ) -> Sequence[Sequence[_Found]]:
        """Find the spans of each text."""
        ...


def flags_of_metrics(evaluation: Scored) -> dict[str, list[list[Flag]]] | None:
    """The spans that the metrics of an evaluation flag, or None where no metric can tell them."""
    finders = [metric for metric in evaluation.metrics if isinstance(metric, FindsSpans)]
    return find_flags(evaluation, finders) if finders else None


def find_flags(evaluation: Scored, finders: Sequence[FindsSpans]) -> dict[str, list[list[Flag]]]:
    """The spans that some metrics flag in the texts of an evaluation."""
    flags: dict[str, list[list[Flag]]] = {}
    for system in evaluation.systems:
        flags[system.name] = [[] for _ in system.texts]
        for finder in finders:
            spans = finder.find(evaluation.examples, system.texts, system.detections)
            for own, some in zip(flags[system.name], spans, strict=True):
                own += [
                    Flag(one.start, one.end, one.kind, one.type, one.entity, one.nearest, one.confidence)
                    for one in some
                ]
    return flags


def read_flags(path: str | PathLike[str], evaluation: Scored) -> dict[str, list[tuple[Flag, ...]]]:
    """Read the file that ``esascore hallucinations -o`` writes, for the systems of an evaluation.

    Systems that the evaluation does not have are passed over; texts that the file does not have get no flag.

    Raises
    ------
    DataError
        A line is not as agreed, or speaks of another text than the evaluation has.
    """
    file = Path(path)
    places = {example.id: position for position, example in enumerate(evaluation.examples)}
    texts = {system.name: system.texts for system in evaluation.systems}
    found: dict[str, list[tuple[Flag, ...]]] = {name: [()] * len(places) for name in texts}
    for number, line in iter_lines(file):
        if not line.strip():
            continue
        record = _record(line, file, number)
        if record["system"] not in texts:
            continue
        position = places.get(record["id"])
        if position is None:
            _fail(f"the corpus has no example {record['id']!r}: give the file of this corpus", file, number)
        text = texts[record["system"]][position]
        spans = record["hallucinations"]
        found[record["system"]][position] = tuple(_flag(span, text, file, number) for span in spans)
    return found


def _record(line: str, file: Path, number: int) -> dict[str, Any]:
    try:
        record = load_json(line)
    except (json.JSONDecodeError, ValueError) as error:
        _fail(f"not JSON ({error}): one object a line is needed", file, number)
    if not (
        isinstance(record, dict)
        and isinstance(record.get("system"), str)
        and isinstance(record.get("id"), str)
        and isinstance(record.get("hallucinations"), list)
    ):
        _fail("an object with system, id and hallucinations is needed", file, number)
    return record


def _flag(span: object, text: str, file: Path, number: int) -> Flag:
    if not isinstance(span, dict):
        _fail("a hallucination must be an object with start, end, class and type", file, number)
    start, end = span.get("start"), span.get("end")
    if not (_is_count(start) and _is_count(end) and start < end <= len(text)):
        _fail(f"start {start!r} and end {end!r} are no span of the text: was it changed?", file, number)
    if span.get("text", text[start:end]) != text[start:end]:
        _fail(f"the text has no {span['text']!r} at {start}: give the file of these outputs", file, number)
    confidence = span.get("confidence")
    return Flag(
        start,
        end,
        str(span.get("class") or "hallucination"),
        str(span.get("type") or ""),
        _word(span.get("entity")),
        _word(span.get("nearest")),
        float(confidence) if isinstance(confidence, int | float) else None,
    )


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _word(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _fail(problem: str, file: Path, line: int) -> NoReturn:
    raise DataError(problem, file=file, line=line)
