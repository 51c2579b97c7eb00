"""Which gates systems pass, and which texts make them fail."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np

from esascore.claims.hallucinations import Hallucination
from esascore.data import Value, matches, term_key
from esascore.errors import DataError, UsageError, counted, did_you_mean
from esascore.gate.accepted import Accepted, Entry, added_entry, missing_entry
from esascore.metrics.base import Column, Metric, Statistics
from esascore.metrics.hallucination import count
from esascore.model import Detection, Entity, Example
from esascore.readers.systems import System
from esascore.reports.evaluation_file import load_scored
from esascore.reports.text_findings import findings_of
from esascore.run.scored import Scored, SystemScores
from esascore.stats.comparison import LEVEL, compare, holm

_Keys = frozenset[Hashable]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The limits that a system must keep; None sets no limit.

    Attributes
    ----------
    min_esa
        Minimum ESA_C.
    max_missing_texts
        Maximum number of texts that lack an entity.
    max_hallucinations
        Maximum number of spans, in all texts together, that nothing in the input explains.
    min_faithfulness
        Minimum faithfulness.
    require
        Patterns of attributes (``*`` stands for anything) whose values no text may lack.
    """

    min_esa: float | None = None
    max_missing_texts: int | None = None
    max_hallucinations: int | None = None
    min_faithfulness: float | None = None
    require: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("min_esa", "min_faithfulness", "max_missing_texts", "max_hallucinations"):
            value: Any = getattr(self, name)
            if name.startswith("min"):
                fits = isinstance(value, int | float) and 0 <= value <= 1  # NaN is not
                wanted = "a number between 0 and 1"
            else:
                fits, wanted = isinstance(value, int) and value >= 0, "a whole number of at least 0"
            if value is not None and not fits:
                raise UsageError(f"--{name.replace('_', '-')} must be {wanted}, not {value!r}")

    @property
    def given(self) -> bool:
        """Return whether any limit is set."""
        return self != Thresholds()

    @property
    def metrics(self) -> list[str]:
        """The metrics that the gates need."""
        asked = ["faithfulness"] if self.min_faithfulness is not None else []
        return ["esa", "hallucination", *asked]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The texts of an earlier run, and the positions of the examples that both runs have.

    Scores of two versions or settings cannot be compared; texts can. They are scored again beside those of
    today. Equal texts of an input are looked at once, so that this costs only what has changed since.
    """

    file: str
    systems: tuple[System, ...]
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FaultyText:
    """A text, and what it lacks and adds that was not accepted; ``required`` is part of ``missing``."""

    system: str
    id: str
    file: str | None
    line: int | None
    detection: Detection
    missing: tuple[str, ...]
    added: tuple[Hallucination, ...]
    required: tuple[str, ...] = ()
    faithfulness: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """The text as plain data."""
        return {
            "system": self.system,
            "id": self.id,
            "file": self.file,
            "line": self.line,
            "text": self.detection.text,
            "missing": [_named(term) for term in self.missing],
            "required": [_named(term) for term in self.required],
            "added": [one.as_dict() for one in self.added],
            **({} if self.faithfulness is None else {"faithfulness": self.faithfulness}),
        }


@dataclass(frozen=True, slots=True)
class Gate:
    """One limit for one system, and the outcome in words; ``texts`` are positions of failing texts."""

    system: str
    name: str
    passed: bool
    value: float | None
    limit: float | str | None
    message: str
    texts: tuple[int, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The gate as plain data."""
        names = ("system", "name", "passed", "value", "limit", "message")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gates of all systems, and the texts that made some of them fail.

    ``accepted`` counts what a person has accepted, ``unused`` are entries that matched nothing, and
    ``acceptable`` is what could be accepted now.
    """

    signature: str
    gates: tuple[Gate, ...]
    texts: tuple[FaultyText, ...]
    accepted: int = 0
    unused: tuple[Entry, ...] = ()
    acceptable: tuple[Entry, ...] = field(default=(), repr=False)

    @property
    def passed(self) -> bool:
        """Whether every gate was passed."""
        return all(gate.passed for gate in self.gates)

    @property
    def failed(self) -> list[Gate]:
        """The gates that were not passed."""
        return [gate for gate in self.gates if not gate.passed]


@dataclass(frozen=True, slots=True)
class _Reviewed:
    """A system without what a person has accepted: what its texts still lack and add, and its statistics."""

    scores: SystemScores
    missing: tuple[tuple[str, ...], ...]
    added: tuple[tuple[Hallucination, ...], ...]
    statistics: dict[str, Statistics]
    waived: int


def judge(
    scored: Scored,
    systems: Sequence[System],
    thresholds: Thresholds,
    accepted: Accepted | None = None,
    baseline: Baseline | None = None,
) -> Verdict:
    """Judge systems that were scored with the metrics of the thresholds and kept their detections.

    Parameters
    ----------
    scored
        The systems, followed by those of the baseline.
    systems
        The same systems as they were read: where their texts are.
    thresholds, accepted, baseline
        The limits, what a person has accepted, and an earlier run.

    Raises
    ------
    UsageError
        A required attribute is nowhere in the corpus.
    """
    known = Accepted() if accepted is None else accepted
    required = required_terms(scored.examples, thresholds.require)
    today = [_review(scored.examples, system, known) for system in scored.systems[: len(systems)]]
    unused = tuple(known.unused)  # texts of an earlier run need no entries
    earlier = [_review(scored.examples, system, known) for system in scored.systems[len(systems) :]]
    gates = [gate for one in today for gate in _gates(scored, one, thresholds, required)]
    if baseline is not None:
        gates += _compared(scored, today, earlier, baseline)
    wanted = [_Keys().union(*terms) for terms in zip(*required, strict=True)]
    wanted = wanted or [_Keys()] * len(scored.examples)
    pairs = zip(today, systems, strict=True)
    texts = tuple(text for pair in pairs for text in _blamed(scored, *pair, gates, wanted))
    acceptable = tuple(dict.fromkeys(_acceptable(scored.examples, today, thresholds, wanted)))
    waived = sum(one.waived for one in today)
    return Verdict(str(scored.signature), tuple(gates), texts, waived, unused, acceptable)


def _review(examples: Sequence[Example], system: SystemScores, accepted: Accepted) -> _Reviewed:
    missing: list[tuple[str, ...]] = []
    added: list[tuple[Hallucination, ...]] = []
    waived = 0
    for place, found, spans, _ in findings_of(system):
        about = examples[place].id, found.text
        missing.append(tuple(t for t in found.undetected if not accepted.covers(missing_entry(*about, t))))
        added.append(tuple(one for one in spans if not accepted.covers(added_entry(*about, one))))
        waived += len(found.undetected) - len(missing[-1]) + len(spans) - len(added[-1])
    statistics = dict(system.statistics)
    if waived:
        statistics["esa"] = np.array(system.statistics["esa"])
        statistics["esa"][:, 1] = [len(some) for some in missing]
        statistics["hallucination"] = count(added)
    return _Reviewed(system, tuple(missing), tuple(added), statistics, waived)


def _gates(
    scored: Scored, one: _Reviewed, thresholds: Thresholds, required: Sequence[Sequence[_Keys]]
) -> Iterator[Gate]:
    name = one.scores.name
    lacking = tuple(place for place, some in enumerate(one.missing) if some)
    adding = tuple(place for place, some in enumerate(one.added) if some)
    if thresholds.min_esa is not None:
        esa = _metric(scored, "esa").score_statistics(one.statistics["esa"]).value
        yield _least(name, "min-esa", "ESA_C", esa, thresholds.min_esa, lacking)
    if (most := thresholds.max_missing_texts) is not None:
        told = f"{counted(len(lacking), 'text')} with a missing entity, at most {most} allowed"
        yield Gate(name, "max-missing-texts", len(lacking) <= most, len(lacking), most, told, lacking)
    if (most := thresholds.max_hallucinations) is not None:
        spans = sum(map(len, one.added))
        told = f"{counted(spans, 'hallucination')}, at most {most} allowed"
        yield Gate(name, "max-hallucinations", spans <= most, spans, most, told, adding)
    if (least := thresholds.min_faithfulness) is not None:
        metric = _metric(scored, "faithfulness")
        values = metric.segment_scores(one.statistics["faithfulness"])
        low = tuple(place for place, value in enumerate(values) if value is not None and value < least)
        mean = metric.score_statistics(one.statistics["faithfulness"]).value
        yield _least(name, "min-faithfulness", "faithfulness", mean, least, low)
    for pattern, terms in zip(thresholds.require, required, strict=True):
        places = tuple(n for n, some in enumerate(one.missing) if any(term_key(t) in terms[n] for t in some))
        told = f"{counted(len(places), 'text')} without {pattern}, which is required"
        yield Gate(name, "require", not places, len(places), pattern, told, places)


def _least(
    system: str, name: str, header: str, value: float | None, least: float, texts: tuple[int, ...]
) -> Gate:
    told = f"{header} is undefined" if value is None else f"{header} {value:.4f}"
    passed = value is not None and value >= least
    return Gate(system, name, passed, value, least, f"{told}, at least {least:g} needed", texts)


def _compared(
    scored: Scored, today: Sequence[_Reviewed], earlier: Sequence[_Reviewed], baseline: Baseline
) -> Iterator[Gate]:
    """Compare each figure of each system with the earlier one, on the examples that both runs have."""
    positions = list(baseline.positions)
    inputs = [scored.examples[place].input for place in positions]
    rows = []
    for new, old in zip(today, earlier, strict=True):
        for metric in scored.metrics:
            statistics = [one.statistics[metric.name][positions] for one in (old, new)]
            column = metric.columns[0]
            (was, now), p_values = compare(metric, statistics, [(1, 0)], clusters=inputs)
            pairs = zip(positions, *map(metric.segment_scores, statistics), strict=True)
            blamed = tuple(place for place, *scores in pairs if _is_worse(column, *scores))
            p = p_values[column.field].p[1, 0]
            rows.append((new, column, was[column.field].value, now[column.field].value, blamed, p))
    corrected = holm([p for *_, p in rows])
    part = "" if len(positions) == len(scored.examples) else f" on the {len(positions)} texts that both have"
    for (new, column, before, after, blamed, _), p in zip(rows, corrected, strict=True):
        worse = _is_worse(column, before, after)
        significant = worse and p is not None and p < LEVEL
        told = f"{column.header} {_number(after)}, was {_number(before)} in {baseline.file}{part}"
        if worse and p is not None:
            told += f": {'' if significant else 'not '}significantly worse, p = {p:.3f}"
        texts = blamed if significant else ()
        yield Gate(new.scores.name, "baseline", not significant, after, before, told, texts)


def _is_worse(column: Column, before: float | None, now: float | None) -> bool:
    """Return whether a figure fell, or rose if lower is better; an undefined figure does neither."""
    if before is None or now is None:
        return False
    return now < before if column.better == "higher" else now > before


def _blamed(
    scored: Scored, one: _Reviewed, system: System, gates: Sequence[Gate], wanted: Sequence[_Keys]
) -> Iterator[FaultyText]:
    scores: list[float | None] = []
    if "faithfulness" in one.statistics:
        scores = _metric(scored, "faithfulness").segment_scores(one.statistics["faithfulness"])
    failed = [gate for gate in gates if gate.system == system.name and not gate.passed]
    for place in sorted({place for gate in failed for place in gate.texts}):
        detections = one.scores.detections or ()
        yield FaultyText(
            system.name,
            scored.examples[place].id,
            None if system.file == "-" else system.file,
            system.lines[place] if len(system.lines) > place else None,
            detections[place],
            one.missing[place],
            one.added[place],
            tuple(term for term in one.missing[place] if term_key(term) in wanted[place]),
            scores[place] if scores else None,
        )


def _acceptable(
    examples: Sequence[Example], today: Sequence[_Reviewed], thresholds: Thresholds, wanted: Sequence[_Keys]
) -> Iterator[Entry]:
    """Return what could be accepted, of what the gates look at."""
    asks_all = thresholds.min_esa is not None or thresholds.max_missing_texts is not None
    for place, example in enumerate(examples):
        for one in today:
            text = one.scores.texts[place]
            terms = [term for term in one.missing[place] if asks_all or term_key(term) in wanted[place]]
            yield from (missing_entry(example.id, text, term) for term in terms)
            if thresholds.max_hallucinations is not None:
                yield from (added_entry(example.id, text, span) for span in one.added[place])


def required_terms(examples: Sequence[Example], patterns: Sequence[str]) -> list[list[_Keys]]:
    """Return, per pattern and example, the entities that are values of a matching attribute.

    Raises
    ------
    UsageError
        A pattern matches no attribute of any input.
    """
    found = []
    for pattern in patterns:
        terms = [
            frozenset(
                term_key(entity.term)
                for entity in example.input.entities
                if any(matches([pattern], name) for name in _attributes(entity))
            )
            for example in examples
        ]
        if not any(terms):
            entities = [entity for example in examples for entity in example.input.entities]
            known = {name for entity in entities for name in _attributes(entity)}
            raise UsageError(f"no input has the attribute {pattern!r}{did_you_mean(pattern, sorted(known))}")
        found.append(terms)
    return found


def read_baseline(
    path: str | PathLike[str], systems: Sequence[System], examples: Sequence[Example]
) -> Baseline:
    """Read the saved result of an earlier run, for the systems of this one.

    Systems are found by name; if both runs have only one system, its name does not matter. Examples are the
    same if their ids and inputs are.

    Raises
    ------
    DataError
        The file is not a saved result, or has no example in common with the corpus.
    UsageError
        The earlier run has no system of that name.
    """
    saved = load_scored(path)
    places = {example.id: place for place, example in enumerate(saved.examples)}
    common = tuple(
        place
        for place, example in enumerate(examples)
        if example.id in places and saved.examples[places[example.id]].input == example.input
    )
    if not common:
        raise DataError("no example has the id and the input of one in this corpus", file=path)
    named = {system.name: system for system in saved.systems}
    if len(systems) == len(named) == 1:
        named = {systems[0].name: saved.systems[0]}
    earlier = []
    for system in systems:
        if system.name not in named:
            known = ", ".join(named)
            raise UsageError(f"there is no system {system.name!r} in {path}: it has {known}; use NAME=OUTPUT")
        texts = [""] * len(examples)
        for place in common:
            texts[place] = named[system.name].texts[places[examples[place].id]]
        earlier.append(System(f"{system.name} (earlier)", tuple(texts), str(path)))
    return Baseline(str(path), tuple(earlier), common)


def _attributes(entity: Entity) -> tuple[str, ...]:
    path = (entity.term.attribute,) if isinstance(entity.term, Value) else ()
    return (*path, *entity.object_of)


def _named(term: str) -> dict[str, str]:
    more = {"attribute": term.attribute} if isinstance(term, Value) else {}
    return {"entity": str(term), **more}


def _metric(scored: Scored, name: str) -> Metric[Any]:
    return next(metric for metric in scored.metrics if metric.name == name)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"
