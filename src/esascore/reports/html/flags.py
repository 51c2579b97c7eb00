"""Spans that a text should not contain, in the form in which ``esascore hallucinations`` writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TypeGuard

from esascore.claims.hallucinations import Hallucination
from esascore.model import Triple
from esascore.readers.jsonl import iter_objects
from esascore.readers.located import Place
from esascore.run.scored import Scored


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
        found[record["system"]][position] = tuple(_flag(span, text, place) for span in spans)
    return found


def _flag(span: object, text: str, place: Place) -> Flag:
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
