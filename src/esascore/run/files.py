"""A run over files: cut them into units, learn from the corpus, score the units that are not done yet.

What a corpus teaches as a whole is gathered unit by unit before any text is judged, and merged. Neither the
cut into units nor their order has an influence on what is learned (`esascore.learned`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from hashlib import sha256
from typing import Any

from esascore._version import __version__
from esascore.errors import DataError, EsascoreError, UsageError
from esascore.learned import Learned, Source, taught, to_bytes
from esascore.learned.gathering import Gathered
from esascore.metrics.base import Metric
from esascore.pipeline import Ruler
from esascore.readers.choice import Choice
from esascore.run.blocks import blocks
from esascore.run.engines import LOG, Engine, attempted, results
from esascore.run.gc_tuning import rare_collections, set_aside
from esascore.run.pool import Do, Progress, Tell
from esascore.run.results import UNITS, Footer, footer_of, kept_for, name_of, packed, write_result, written_at
from esascore.run.rows import AnyRow, Chosen, Malformed, TextRow, pairs, rows_of, size_of
from esascore.run.scored import Scored, Sums, joined
from esascore.run.scoring import MakeMetrics, Scorer, scorer_of
from esascore.run.storage import Folder, checksum_of
from esascore.run.units import ROWS, Content, Unit, content_of, cut, find_files
from esascore.sample import content_hash

MANIFEST = "run.json"
"""What a run consists of, in its folder."""

FORMAT = "esascore-run-1"
"""What the manifest says; another number is another layout."""

_FORMAT_OF_RESULTS = 4
"""Another number makes units be scored again."""

_KEYS = 1 << 23
"""Hashes of systems with ids that a run keeps, about."""

_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class _Task:
    """How units are scored, and where the results go; can be sent to any process."""

    folder: Folder
    make_scorer: Callable[[], Scorer]
    choice: Choice
    key: str
    signatures: dict[str, str]
    below: int


def score_files(
    arguments: Sequence[str],
    out: str,
    ruler: Ruler,
    make_metrics: MakeMetrics,
    engine: Engine,
    *,
    choice: Choice,
    rows: int = ROWS,
    max_malformed: float = 0.0,
    learning: Progress | None = None,
    progress: Progress | None = None,
) -> None:
    """Score all rows of some inputs into a folder, except those that have been scored before.

    Parameters
    ----------
    arguments, out
        Files, folders, patterns and URLs (`esascore.run.units.find_files`), and the folder of the run.
    ruler, make_metrics
        How texts are judged; what the corpus teaches becomes part of the ruler, where it is to learn.
    engine
        Where units are scored.
    choice
        Which parts of the inputs count.
    rows
        Rows of a unit, about.
    max_malformed
        The share of rows that may be malformed.
    learning, progress
        Called with the rows that were looked at for what they teach, that were scored, and all.

    Raises
    ------
    UnitsFailedError
        Units could not be scored; all others are.
    DataError
        An input cannot be read, or too many rows are malformed.
    """
    files = find_files(arguments, leave_out=out)
    units = [unit for path, size in files.items() for unit in cut(path, size, rows)]
    if not units:
        raise DataError("the files contain no rows", file=arguments[0])
    folder = Folder(out)
    with _made(folder):
        # Whatever is wrong with the settings is found here, before any work is done.
        metrics = _addable(make_metrics(ruler()))
        lesson = Lesson.of(ruler, metrics, choice)
        if lesson is not None:
            ruler = replace(ruler, learned=learn_from_units(units, folder, lesson, engine, learning))
            metrics = make_metrics(ruler())
        signatures = {metric.name: str(metric.signature()) for metric in metrics}
        manifest = _manifest(signatures, choice, units)
        folder.save(MANIFEST, manifest)
        make_scorer = partial(scorer_of, ruler, make_metrics, kept_for(signatures))
        below = 2**64 * _KEYS // max(_KEYS, sum(unit.rows for unit in units))
        task = _Task(folder, make_scorer, choice, manifest["key"], signatures, below)
        make_do = partial(_scorer_of_units, task)
        _refuse_malformed(results(engine, make_do, units, progress), max_malformed)
        if folder.load(MANIFEST) != manifest:  # where there are no locks
            raise EsascoreError(f"{out}: another run wrote to this folder meanwhile: run the command again")
        # Results that do not count any more, and nothing that is not ours.
        for name in {f"{UNITS}/{one}" for one in folder.names(UNITS)} - set(map(name_of, units)):
            if written_at(folder, name) is not None:
                folder.remove(name)


@contextmanager
def _made(folder: Folder) -> Iterator[None]:
    """Make the folder of a run, unless it holds something else, and lock it."""
    manifest_of(folder)
    folder.make("", UNITS, LOG)
    with folder.claimed():
        for name in ("", UNITS):
            folder.clear_up(name)
        yield


def _manifest(signatures: Mapping[str, str], choice: Choice, units: Sequence[Unit]) -> dict[str, Any]:
    """Return what a run consists of; runs with equal keys give equal results for equal rows."""
    parts = _FORMAT_OF_RESULTS, sorted(signatures.items()), asdict(choice)
    manifest = {
        "format": FORMAT,
        "esascore": __version__,
        "key": sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16],
        "signatures": signatures,
        "units": [asdict(unit) for unit in units],
    }
    return {**manifest, "checksum": checksum_of(manifest)}


def _refuse_malformed(scored: Iterable[tuple[Unit, Footer]], allowed: float) -> None:
    """Raise an error if more than the allowed share of rows are malformed, at once if none may be."""
    malformed = rows = 0
    for unit, footer in scored:
        malformed += footer.malformed
        rows += footer.rows
        if malformed and not allowed:
            number, reason = footer.problems[0]
            told = f"{_where(unit, number)}: {reason} (--max-malformed SHARE goes on without such rows)"
            raise DataError(told, file=unit.file)
    if malformed > allowed * rows:
        raise DataError(
            f"{malformed} of {rows} rows are malformed, more than --max-malformed {allowed:g} "
            "allows; esascore merge lists the first of them"
        )


def manifest_of(folder: Folder) -> dict[str, Any] | None:
    """Read what the run in a folder consists of; None if it holds none.

    Raises
    ------
    DataError
        The file of that name is not of a run.
    """
    manifest = folder.load(MANIFEST)
    if manifest is not None and manifest.get("format") != FORMAT:
        told = "this is not from esascore score --out, which would replace it: choose another DIR"
        raise DataError(told, file=folder.at(MANIFEST))
    return manifest


def _addable(metrics: Sequence[Metric[Any]]) -> Sequence[Metric[Any]]:
    """Reject metrics whose totals cannot be stored in files and added up."""
    for metric in metrics:
        if not hasattr(getattr(metric, "total_type", None), "from_dict"):
            raise UsageError(
                f"the metric {metric.name!r} cannot be scored with --out: its totals cannot be read from "
                "files (total_type has no from_dict)"
            )
    return metrics


def _where(unit: Unit, number: int) -> str:
    if unit.kind == "parquet":
        return f"row {unit.start + number} of row group {unit.group + 1}"
    return f"line {number}" if not unit.start else f"line {number} from byte {unit.start} on"


def _scorer_of_units(task: _Task, tell: Tell) -> Do:
    """Make the function that scores units, unless the folder has results for the same rows."""
    scorer = cache(task.make_scorer)  # units that are done need none

    def score(unit: Unit) -> Footer:
        content = content_of(unit)
        done = footer_of(unit, task.folder, task.key, content.fingerprint)
        if done is not None:
            return done
        with rare_collections(), set_aside():
            return _scored(task, scorer(), unit, content, tell)

    return partial(attempted, score, task.folder, "score")


def _scored(task: _Task, scorer: Scorer, unit: Unit, content: Content, tell: Tell) -> Footer:
    """Score a unit, and write the result."""
    chosen = Chosen(task.choice)
    rows: list[AnyRow] = []
    parts: list[Scored] = []
    for some in blocks(rows_of(content, chosen), size_of, texts=scorer.block):
        parts.append(scorer.scored(pairs(some), [""]))
        rows += some
        tell(unit, len(rows))
    scored = joined(parts)
    totals, keys = _totals(rows, scored, task.below)
    bad = [row for row in rows if isinstance(row, Malformed)]
    footer = Footer(
        unit=asdict(unit),
        key=task.key,
        fingerprint=content.fingerprint,
        signatures=task.signatures,
        rows=len(rows),
        malformed=len(bad),
        lines=content.lines,
        problems=[[row.number, row.reason] for row in bad[:_PROBLEMS]],
        totals=totals,
        keys=keys,
        unfit=sorted(chosen.unfit),
    )
    write_result(task.folder, unit, rows, scored, footer)
    return footer


def _totals(rows: Iterable[AnyRow], scored: Scored, below: int) -> tuple[dict[str, Any], str]:
    """Return the exact totals of each system, and the hashes of systems with ids that are below a number."""
    places: dict[str, list[int]] = {}
    keys = []
    for place, row in enumerate(row for row in rows if isinstance(row, TextRow)):
        places.setdefault(row.system, []).append(place)
        keys.append(content_hash(row.system, row.example.id))
    [own] = scored.systems
    sums = {name: Sums.of(own, scored.metrics, some).as_dict() for name, some in sorted(places.items())}
    return sums, packed(key for key in keys if key < below)


LEARNED = "learned.json.gz"
"""What a run has learned, in its folder: a file for ``--learned``."""

_FIRST_PASS = "first-pass.json.gz"
_FORMAT_OF_LESSONS = 4


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is to be learned: ``names`` and all else that claims are judged by, ``wordings`` of values.

    ``choice`` says what of the inputs counts, ``source`` which texts teach.
    """

    names: bool
    wordings: bool
    choice: Choice
    source: Source

    @classmethod
    def of(cls, ruler: Ruler, metrics: Iterable[Metric[Any]], choice: Choice) -> Lesson | None:
        """Return what a ruler is to learn for some metrics; None if that is nothing."""
        names = ruler.learned is None and any(metric.learns for metric in metrics)
        if not names and not ruler.learns_wordings:
            return None
        return cls(names, ruler.learns_wordings, choice, ruler.learn_from)

    @property
    def key(self) -> str:
        """Runs with equal keys gather the same from the same rows."""
        parts = _FORMAT_OF_LESSONS, __version__, self
        return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def learn_from_units(
    units: Sequence[Unit], folder: Folder, lesson: Lesson, engine: Engine, progress: Progress | None
) -> Learned:
    """Return what the corpus teaches: learned by an earlier run, or now."""
    earlier = folder.load(_FIRST_PASS) or {}
    known = earlier.get("units", {}) if earlier.get("key") == lesson.key and folder.load(LEARNED) else {}
    gathered = Gathered(names=lesson.names, wordings=lesson.wordings)
    fingerprints: dict[str, str] = {}
    make_do = partial(_gatherer, folder, lesson, learned=bool(known))
    for unit, (fingerprint, more) in results(engine, make_do, units, progress):
        fingerprints[unit.name] = fingerprint
        if more is not None:
            gathered.merge(more)
        elif fingerprint != known.get(unit.name):
            break
    if known and fingerprints == known:
        return Learned.from_dict(folder.load(LEARNED) or {})
    if known:  # what was learned is of other rows
        folder.remove(_FIRST_PASS)
        return learn_from_units(units, folder, lesson, engine, progress)
    learned = taught(gathered, lesson.source)
    folder.write(LEARNED, to_bytes(learned))
    folder.save(_FIRST_PASS, {"key": lesson.key, "units": fingerprints})
    return learned


def _gatherer(folder: Folder, lesson: Lesson, _tell: Tell, *, learned: bool) -> Do:
    """Make the function that a process applies to units in the first pass."""

    def gather(unit: Unit) -> tuple[str, Gathered | None]:
        """Return the fingerprint of a unit and, unless that was learned already, what the unit teaches."""
        content = content_of(unit)
        if learned:
            return content.fingerprint, None
        gathered = Gathered(names=lesson.names, wordings=lesson.wordings)
        if lesson.names or content.may_be_data():
            for row in rows_of(content, Chosen(lesson.choice)):
                if isinstance(row, TextRow):
                    gathered.add(row.example, [row.text] if lesson.source == "outputs" else ())
        return content.fingerprint, gathered

    return partial(attempted, gather, folder, "first pass")
