"""What a corpus in files teaches as a whole: gathered unit by unit before any text is judged, and merged.

Neither the cut into units nor their order has an influence on what is learned (`esascore.learned`). From
which rows that was is kept in the folder of the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from esascore._version import __version__
from esascore.learned import Learned, Source, taught, to_bytes
from esascore.learned.gathering import Gathered
from esascore.metrics.base import Metric
from esascore.pipeline import Ruler
from esascore.readers.choice import Choice
from esascore.run.engines import Engine, attempted, results
from esascore.run.pool import Do, Progress, Tell
from esascore.run.rows import Chosen, TextRow, rows_of
from esascore.run.storage import Folder
from esascore.run.units import Unit, content_of

LEARNED = "learned.json.gz"
"""What a run has learned, in its folder: a file for ``--learned``."""

_ROWS = "first-pass.json.gz"
_FORMAT = 4


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
        parts = _FORMAT, __version__, self
        return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def learn_from_units(
    units: Sequence[Unit], folder: Folder, lesson: Lesson, engine: Engine, progress: Progress | None
) -> Learned:
    """Return what the corpus teaches: learned by an earlier run, or now."""
    earlier = folder.load(_ROWS) or {}
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
        folder.remove(_ROWS)
        return learn_from_units(units, folder, lesson, engine, progress)
    learned = taught(gathered, lesson.source)
    folder.write(LEARNED, to_bytes(learned))
    folder.save(_ROWS, {"key": lesson.key, "units": fingerprints})
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
