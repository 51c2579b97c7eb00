"""What a corpus in files teaches as a whole: gathered unit by unit before any text is judged, and merged.

Neither the cut into units nor their order has an influence on what is learned (`esascore.learned`). What was
gathered so far is kept in the folder of the run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from time import monotonic

from esascore._version import __version__
from esascore.learned import Learned, Source, taught, to_bytes
from esascore.learned.gathering import Gathered
from esascore.readers.choice import Choice
from esascore.run.engines import Engine, attempted, results
from esascore.run.plain import decoded, encoded
from esascore.run.pool import Do, Progress, Tell
from esascore.run.rows import Chosen, TextRow, rows_of
from esascore.run.storage import Folder
from esascore.run.units import Unit, content_of

LEARNED = "learned.json.gz"
"""What a run has learned, in its folder: a file for ``--learned``."""

_SO_FAR = "first-pass.json.gz"
_FORMAT = 3
_EVERY = 30.0
"""Seconds after which what was gathered is written."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is to be learned: ``names`` and all else that claims are judged by, ``wordings`` of values.

    ``choice`` says what of the inputs counts, ``source`` which texts teach.
    """

    names: bool
    wordings: bool
    choice: Choice
    source: Source

    @property
    def key(self) -> str:
        """Runs with equal keys gather the same from the same rows."""
        parts = _FORMAT, __version__, self
        return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def learn_from_units(
    units: Sequence[Unit], folder: Folder, lesson: Lesson, engine: Engine, progress: Progress | None
) -> Learned:
    """Return what the corpus teaches: learned by an earlier run, or now."""
    known, gathered = _earlier(folder, lesson, {unit.name for unit in units})
    before, written = dict(known), monotonic()
    make_do = partial(_gatherer, folder, lesson, before)
    for unit, (fingerprint, more) in results(engine, make_do, units, progress):
        if fingerprint == before.get(unit.name):
            continue
        if gathered is None or unit.name in before:  # what was learned is of other rows
            folder.remove(_SO_FAR)
            return learn_from_units(units, folder, lesson, engine, progress)
        gathered.merge(more)
        known[unit.name] = fingerprint
        if monotonic() - written > _EVERY:
            _save(folder, lesson, known, gathered)
            written = monotonic()
    if gathered is None:
        return Learned.from_dict(folder.load(LEARNED) or {})
    learned = taught(gathered, lesson.source)
    folder.write(LEARNED, to_bytes(learned))
    _save(folder, lesson, known, None)
    return learned


def _gatherer(folder: Folder, lesson: Lesson, known: Mapping[str, str], _tell: Tell) -> Do:
    """Make the function that a process applies to units in the first pass."""

    def gather(unit: Unit) -> tuple[str, Gathered | None]:
        """Return the fingerprint of a unit and, unless that is known already, what the unit teaches."""
        content = content_of(unit)
        if content.fingerprint == known.get(unit.name):
            return content.fingerprint, None
        gathered = Gathered(names=lesson.names, wordings=lesson.wordings)
        if lesson.names or content.may_be_data():
            for row in rows_of(content, Chosen(lesson.choice)):
                if isinstance(row, TextRow):
                    gathered.add(row.example, [row.text] if lesson.source == "outputs" else ())
        return content.fingerprint, gathered

    return partial(attempted, gather, folder, "first pass")


def _earlier(folder: Folder, lesson: Lesson, units: set[str]) -> tuple[dict[str, str], Gathered | None]:
    """Return the units that an earlier run gathered from, and the result; None if it finished learning."""
    values = folder.load(_SO_FAR) or {}
    known = values.get("units", {})
    if values.get("key") == lesson.key and known.keys() <= units:
        if values["gathered"] is not None:
            return known, decoded(values["gathered"])
        if known.keys() == units and folder.load(LEARNED):
            return known, None
    return {}, Gathered(names=lesson.names, wordings=lesson.wordings)


def _save(folder: Folder, lesson: Lesson, known: Mapping[str, str], gathered: Gathered | None) -> None:
    folder.save(_SO_FAR, {"key": lesson.key, "units": known, "gathered": encoded(gathered)})
