"""A run: inputs are cut into units, the corpus teaches what it does, an engine scores what is not done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any

from esascore._version import __version__
from esascore.errors import DataError, EsascoreError
from esascore.shards.engines import Engine, Work
from esascore.shards.first_pass import (
    PARTS,
    Gathered,
    Learned,
    Wanted,
    finish,
    gather_unit,
    gathered_of,
    learned_before,
    units_learned,
)
from esascore.shards.inputs import InputFile, find_files
from esascore.shards.results import UNITS, Summary, name_of, summary_at
from esascore.shards.scoring import LOG, Failed, attempted, score_shard
from esascore.shards.settings import Settings
from esascore.shards.storage import Folder
from esascore.shards.units import TEXTS, Unit, cut

MANIFEST = "run.json"
"""What a run consists of, in its folder."""

FORMAT = "esascore-run-1"
"""What the manifest says; another number is another layout."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: units and texts done now, units that an earlier run did, and units that failed."""

    stage: str
    units: int
    all_units: int
    texts: int
    failed: int


Told = Callable[[Progress], None]


class UnitsFailedError(EsascoreError):
    """Some units could not be done; ``failed`` lists them."""

    exit_code = 1

    def __init__(self, failed: Sequence[Failed], units: int):
        self.failed = tuple(failed)
        remedy = (
            "mend what is said of them above; the same command then does what is missing"
            if all(one.lasting for one in failed)
            else "the same command again does what is missing"
        )
        super().__init__(f"{len(failed)} of {units} units failed: {remedy}")


def score_inputs(
    arguments: Sequence[str],
    out: str,
    settings: Settings,
    engine: Engine,
    *,
    texts: int = TEXTS,
    max_malformed: float = 0.0,
    told: Told | None = None,
) -> list[Summary]:
    """Score all rows of some inputs into a folder, as far as that has not been done.

    Parameters
    ----------
    arguments
        Files, folders, patterns and URLs (`esascore.shards.inputs.find_files`).
    out
        The folder of the run, or its URL.
    settings
        Metrics and detection.
    engine
        Where units are scored.
    texts
        Rows of a unit, about.
    max_malformed
        The share of rows that may be malformed.
    told
        Called when a unit is done.

    Raises
    ------
    UnitsFailedError
        Units could not be scored; all others are.
    DataError
        An input cannot be read, or too many rows are malformed.
    """
    files = find_files(arguments, leave_out=out)
    units = [unit for file in files for unit in cut(file, texts)]
    if not units:
        raise DataError("the files contain no rows", file=arguments[0])
    folder = Folder(out)
    _refuse_other(folder)
    folder.make("", UNITS, PARTS, LOG)
    for name in ("", UNITS, PARTS):
        folder.clear_up(name)
    # Whatever is wrong with the settings is found here, before any work is done.
    wanted = replace(settings.wanted(settings.pipeline()), files=_digest_of(files))
    if wanted.names or wanted.wordings:
        settings = replace(settings, learned=_learn(units, folder, wanted, engine, told))
    key = settings.key
    manifest = {
        "format": FORMAT,
        "esascore": __version__,
        "key": key,
        "signatures": settings.signatures,
        "learned": settings.learned.digest,
        "max_malformed": max_malformed,
        "units": [unit.as_dict() for unit in units],
    }
    folder.write(MANIFEST, json.dumps(manifest, indent=1).encode())
    done: list[Summary] = []
    failed: list[Failed] = []
    malformed = 0
    for unit, result in engine.run(partial(_score, folder, settings), ((unit, None) for unit in units)):
        if isinstance(result, Failed):
            failed.append(result)
        else:
            done.append(result)
            malformed += result.malformed
            if malformed and not max_malformed:
                number, reason = result.problems[0]
                raise DataError(f"{_where(unit, number)}: {reason} ({_ADVICE})", file=unit.file)
        _tell(told, "scoring", units, done, failed)
    _check_share(done, malformed, max_malformed)
    if failed:
        raise UnitsFailedError(failed, len(units))
    expected = {name_of(unit) for unit in units}
    for name in (f"{UNITS}/{one}" for one in folder.names(UNITS)):
        if name not in expected and summary_at(folder, name) is not None:  # nothing that is not ours
            folder.remove(name)
    return done


def manifest_of(folder: Folder) -> dict[str, Any] | None:
    """Read what the run in a folder consists of; None if it holds none.

    Raises
    ------
    DataError
        The file of that name is not of a run.
    """
    raw = folder.read(MANIFEST)
    if raw is None:
        return None
    try:
        manifest = json.loads(raw)
    except ValueError:
        manifest = None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise DataError("this is not of a run of esascore score --out", file=folder.at(MANIFEST))
    return manifest


def _refuse_other(folder: Folder) -> None:
    """Refuse a folder whose files a run would replace, though they are not of one."""
    try:
        manifest_of(folder)
    except DataError as error:
        raise DataError(
            f"{error.problem}, and would be replaced: choose another DIR", file=error.file
        ) from None


def _digest_of(files: Sequence[InputFile]) -> str:
    return sha256(repr(files).encode("utf-8", "surrogatepass")).hexdigest()[:16]


_ADVICE = "--max-malformed SHARE goes on without such rows"


def _where(unit: Unit, number: int) -> str:
    if unit.kind == "parquet":
        return f"row {unit.start + number} of row group {unit.group + 1}"
    return f"line {number}" if not unit.start else f"line {number} from byte {unit.start} on"


def _score(folder: Folder, settings: Settings, work: Work) -> Summary | Failed:
    unit, _ = work
    return attempted(lambda: score_shard(unit, folder, settings), unit, folder, "score")


def _gather(folder: Folder, work: tuple[Unit, tuple[Wanted, str | None]]) -> str | Failed:
    unit, (wanted, known) = work
    return attempted(lambda: gather_unit(unit, folder, wanted, known), unit, folder, "first pass")


def _learn(
    units: Sequence[Unit], folder: Folder, wanted: Wanted, engine: Engine, told: Told | None
) -> Learned:
    """Return what the corpus teaches: what an earlier run has learned of it, or what it does now."""
    before = units_learned(folder, wanted)
    if set(before) == {unit.name for unit in units}:
        found = _fingerprints(units, folder, wanted, engine, None, before, told)
        if (learned := learned_before(folder, found, wanted)) is not None:
            return learned
    gathered = Gathered(wanted)
    found = _fingerprints(units, folder, wanted, engine, gathered, {}, told)
    learned = finish(gathered, found, wanted, folder)
    for unit in units:
        folder.remove(f"{PARTS}/{unit.name}.json.gz")
    return learned


def _fingerprints(
    units: Sequence[Unit],
    folder: Folder,
    wanted: Wanted,
    engine: Engine,
    gathered: Gathered | None,
    known: Mapping[str, str],
    told: Told | None,
) -> dict[str, str]:
    """Have all units gathered, and merge what they teach; return their fingerprints."""

    def work() -> Iterator[tuple[Unit, Any]]:
        for unit in units:
            # What cannot belong to the samples of all units need not be written by any.
            limits = None if gathered is None else gathered.limits
            yield unit, (replace(wanted, limits=limits), known.get(unit.name))

    found: dict[str, str] = {}
    failed: list[Failed] = []
    for unit, result in engine.run(partial(_gather, folder), work()):
        if isinstance(result, Failed):
            failed.append(result)
        else:
            found[unit.name] = result
            if gathered is not None:
                gathered.merge(gathered_of(unit, folder, wanted))
        _tell(told, "first pass", units, (), failed, len(found))
    if failed:
        raise UnitsFailedError(failed, len(units))
    return found


def _tell(
    told: Told | None,
    stage: str,
    units: Sequence[Unit],
    done: Sequence[Summary],
    failed: Sequence[Failed],
    number: int = 0,
) -> None:
    if told is not None:
        texts = sum(one.rows - one.malformed for one in done)
        told(Progress(stage, len(done) + number, len(units), texts, len(failed)))


def _check_share(done: Sequence[Summary], malformed: int, most: float) -> None:
    rows = sum(one.rows for one in done)
    if malformed > most * rows:
        raise DataError(
            f"{malformed} of {rows} rows are malformed, more than --max-malformed {most:g} allows; "
            "esascore merge lists the first of them"
        )
