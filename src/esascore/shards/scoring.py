"""What is done with one unit, in whatever process: its rows are scored, and the result is written."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from time import perf_counter, sleep, time
from typing import Any, TypeVar

import numpy as np

from esascore.align.backends import prepare
from esascore.engine import BATCH
from esascore.engine.blocks import WEIGHT
from esascore.engine.scoring import Kept
from esascore.engine.scoring import Scorer as BlockScorer
from esascore.errors import DataError, EsascoreError
from esascore.explain.whose.model import Model
from esascore.garbage import rare_collections
from esascore.metrics.base import Metric
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example
from esascore.reports.summary import Sums
from esascore.sample import Sample, content_hash
from esascore.shards.results import Columns, Summary, name_of, summary_at, write_result
from esascore.shards.rows import Chosen, Malformed, Row, rows_of
from esascore.shards.settings import Settings
from esascore.shards.storage import Folder
from esascore.shards.units import Unit, content_of
from esascore.text.blank import is_blank

ATTEMPTS = 3
"""How often a unit is tried."""

LOG = "attempts"
"""The folder of what was tried when and where, in that of a run."""

_KEYS = 4096
_PROBLEMS = 20
_CHARACTERS_PER_WORD = 6
_WAIT = 1.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Failed:
    """A unit that could not be done, and why; if that is ``lasting``, trying again is in vain."""

    unit: Unit
    reason: str
    lasting: bool = False


class RowScorer:
    """Scores rows of any systems together; made once in a process."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.pipeline = settings.pipeline()
        self.metrics = settings.made_metrics(self.pipeline)
        self._flags = any(metric.name == Hallucinations.name for metric in self.metrics)
        self._scorer = BlockScorer(
            self.pipeline, self.metrics, settings.learned.knowledge, (), False, self._flags
        )

    def __call__(self, rows: Sequence[Row]) -> Kept:
        """Score rows; equal texts of an example are looked at once."""
        owners: dict[Example, Example] = {}
        models = self.settings.learned.whose or {}
        numbers: dict[tuple[int, str, str | None], int] = {}
        examples: list[Example] = []
        texts: list[str] = []
        whose: list[Model | None] = []
        places = []
        for row in rows:
            example = owners.setdefault(row.example, row.example)
            model = models.get(row.system)
            key = id(example), row.text, None if model is None else row.system
            if key not in numbers:
                numbers[key] = len(numbers)
                examples.append(example)
                texts.append(row.text)
                whose.append(model)
            places.append(numbers[key])
        return _spread(self._scorer.judged(examples, texts, whose), places)


def _spread(kept: Kept, places: Sequence[int]) -> Kept:
    """Give each row what was kept of its text."""
    if len(places) == kept.places.size:
        return kept
    at = np.array(places, np.intp)
    return Kept(
        at.reshape(1, -1),
        {name: rows[at] for name, rows in kept.statistics.items()},
        {n: kept.failures[place] for n, place in enumerate(places) if place in kept.failures},
        None,
        {name: [found[place] for place in places] for name, found in kept.details.items()},
        kept.seconds,
        [kept.missing[place] for place in places] if kept.missing else (),
    )


_made: dict[str, RowScorer] = {}


def scorer_of(settings: Settings) -> RowScorer:
    """Return the scorer of settings, which a process makes once."""
    if settings.key not in _made:
        _made.clear()  # nobody alternates between settings, and one may hold much
        prepare(1 << 20)
        _made[settings.key] = RowScorer(settings)
    return _made[settings.key]


def score_shard(unit: Unit, out: str | Folder, settings: Settings) -> Summary:
    """Score a unit and write the result, unless the folder has one of the same rows and settings.

    Parameters
    ----------
    unit
        Part of a file (`esascore.shards.units.cut`).
    out
        The folder of the run.
    settings
        Metrics and detection; with what the corpus teaches, where a metric learns from it.

    Raises
    ------
    DataError
        The unit cannot be read.
    """
    folder = Folder(out) if isinstance(out, str) else out
    content = content_of(unit)
    before = summary_at(folder, name_of(unit))
    if before is not None and (before.key, before.fingerprint) == (settings.key, content.fingerprint):
        return before
    started = perf_counter()
    scorer = scorer_of(settings)
    rows: list[Row | Malformed] = []
    kept: list[Kept] = []
    chosen = Chosen(settings.choice)
    with rare_collections():
        for block in _blocks(rows_of(unit, content, chosen), rows):
            kept.append(scorer(block))
    written, scored = _columns(rows, kept, scorer.metrics)
    good = [row for row in rows if isinstance(row, Row)]
    bad = [row for row in rows if isinstance(row, Malformed)]
    summary = Summary(
        unit.as_dict(),
        settings.key,
        content.fingerprint,
        settings.signatures,
        len(rows),
        len(bad),
        content.length,
        [[row.number, row.reason] for row in bad[:_PROBLEMS]],
        {name: sums.as_dict() for name, sums in _sums(good, kept, scorer.metrics).items()},
        _smallest_keys(good),
        sorted(chosen.unfit),
        settings.learned.digest,
        round(perf_counter() - started, 3),
    )
    write_result(folder, unit, written, scored, summary)
    return summary


def attempted(do: Callable[[], T], unit: Unit, folder: Folder, what: str) -> T | Failed:
    """Do something with a unit, again where the machine failed; note each attempt in the folder of the run.

    What is wrong with the data stays wrong, and is a `Failed` at once; what is wrong with the command is
    raised.
    """
    for attempt in range(1, ATTEMPTS + 1):
        log(folder, unit, what, "start")
        try:
            done = do()
        except DataError as error:
            log(folder, unit, what, "failed")
            return Failed(unit, error.problem, lasting=True)
        except EsascoreError as error:
            if type(error) is not EsascoreError:
                raise
            failed = Failed(unit, str(error))
        except Exception as error:
            failed = Failed(unit, f"{type(error).__name__}: {error}")
        else:
            log(folder, unit, what, "end")
            return done
        log(folder, unit, what, "failed")
        if attempt < ATTEMPTS:
            sleep(_WAIT * attempt)
    return failed


def log(folder: Folder, unit: Unit, what: str, event: str) -> None:
    """Note that a unit was begun or ended, where and when."""
    line = {
        "what": what,
        "event": event,
        "time": round(time(), 3),
        "host": socket.gethostname(),
        "pid": os.getpid(),
    }
    folder.append(f"{LOG}/{unit.name}.jsonl", json.dumps(line) + "\n")


def _blocks(rows: Iterator[Row | Malformed], seen: list[Row | Malformed]) -> Iterator[list[Row]]:
    """Yield rows in blocks small enough to be held; note all, malformed ones too."""
    held: list[Row] = []
    weighs = 0
    while some := list(islice(rows, BATCH)):
        for row in some:
            seen.append(row)
            if isinstance(row, Malformed):
                continue
            more = len(row.example.input.entities) + len(row.text) // _CHARACTERS_PER_WORD
            if held and (len(held) >= BATCH or weighs + more > WEIGHT):
                yield held
                held, weighs = [], 0
            held.append(row)
            weighs += more
    if held:
        yield held


def _columns(
    rows: Sequence[Row | Malformed], kept: Sequence[Kept], metrics: Sequence[Metric[Any]]
) -> tuple[Columns, list[int]]:
    scored = [place for place, row in enumerate(rows) if isinstance(row, Row)]
    statistics = {metric.name: _joined(metric, kept) for metric in metrics}
    errors: list[str | None] = [row.reason if isinstance(row, Malformed) else None for row in rows]
    missing: list[Sequence[str] | None] = [None] * len(rows)
    flagged: list[Any] = [None] * len(rows)
    has_missing = has_flags = False
    places = iter(scored)
    for one in kept:
        found = one.details.get(Hallucinations.name)
        has_missing, has_flags = has_missing or bool(one.missing), has_flags or found is not None
        for n, place in enumerate(islice(places, one.places.size)):
            if one.missing:
                missing[place] = one.missing[n]
            if found is not None:
                flagged[place] = found[n]
            if n in one.failures:
                errors[place] = f"the linker gave no answer: {one.failures[n]}"
    scores: dict[str, list[float | None]] = {}
    for metric in metrics:
        own: list[float | None] = [None] * len(rows)
        if (stats := statistics[metric.name]) is not None:
            for place, value in zip(scored, metric.segment_scores(stats), strict=True):
                own[place] = value
        scores[metric.name] = own
    written = Columns(
        [row.example.id if isinstance(row, Row) else None for row in rows],
        [row.system if isinstance(row, Row) else None for row in rows],
        [row.number for row in rows],
        scores,
        statistics,
        missing if has_missing else None,
        flagged if has_flags else None,
        errors,
    )
    return written, scored


def _joined(metric: Metric[Any], kept: Sequence[Kept]) -> Any:
    return np.concatenate([one.statistics[metric.name] for one in kept]) if kept else None


def _sums(rows: Sequence[Row], kept: Sequence[Kept], metrics: Sequence[Metric[Any]]) -> dict[str, Sums]:
    """Return the exact sums of each system."""
    own: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        own.setdefault(row.system, []).append(place)
    joined = [_joined(metric, kept) for metric in metrics]
    return {
        system: Sums(
            len(places),
            sum(is_blank(rows[place].text) for place in places),
            tuple(metric.total(stats[places]) for metric, stats in zip(metrics, joined, strict=True)),
        )
        for system, places in sorted(own.items())
    }


def _smallest_keys(rows: Sequence[Row]) -> list[int]:
    sample: Sample[None] = Sample(_KEYS)
    for row in rows:
        if sample.lacks(key := content_hash(row.system, row.example.id)):
            sample.add(key, None)
    return [key for key, _ in sample.items()]
