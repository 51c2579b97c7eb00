"""What the corpus as a whole teaches: gathered unit by unit before any text is judged, and merged.

Names of other inputs, attributes with few values, whose numbers are whose in the texts of a system, and
wordings of values are all learned from bounded samples: of what there is too much of, the entries with the
smallest content hashes. So neither the cut into units nor their order has an influence on what is learned.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from esascore._version import __version__
from esascore.explain.knowledge import Knowledge, Seen
from esascore.explain.whose.model import Learner, Model
from esascore.lexicon.closed import AttributeSeen
from esascore.lexicon.learning.corpus import WordingsSeen
from esascore.lexicon.learning.forms import Progress
from esascore.lexicon.user import UserEntry
from esascore.model import Entity, Graph
from esascore.readers.choice import Choice
from esascore.reports.saved import decoded, encoded
from esascore.sample import Sample
from esascore.shards.rows import Chosen, Row, rows_of
from esascore.shards.storage import Folder
from esascore.shards.units import Unit, content_of

LEARNED = "knowledge.json.gz"
"""What a run has learned, in its folder."""

PARTS = "first-pass"
"""The folder of what each unit teaches, while not all are read."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be gathered: ``names`` and all else that metrics learn, ``wordings`` that the profile does.

    ``limits`` are hashes from which on the samples of all units keep nothing; ``files`` tells those units
    from others, for which such limits would not hold.
    """

    names: bool
    wordings: bool
    choice: Choice
    limits: Mapping[str, Any] | None = None
    files: str = ""

    @property
    def key(self) -> str:
        """Two runs with equal keys gather the same of the same rows."""
        return _digest([_FORMAT, __version__, self.names, self.wordings, asdict(self.choice)])


class Gathered:
    """What some units teach."""

    def __init__(self, wanted: Wanted):
        limits = wanted.limits or {}
        self._limits = limits
        self.seen = Seen(limits.get("seen", (None, None, None))) if wanted.names else None
        self.wordings = WordingsSeen(limits.get("wordings", (None, None))) if wanted.wordings else None
        self.learners: dict[str, Learner] = {}

    @property
    def limits(self) -> dict[str, Any]:
        """Hashes from which on nothing more is kept."""
        return {
            "seen": None if self.seen is None else list(self.seen.limits),
            "wordings": None if self.wordings is None else list(self.wordings.limits),
            "learners": {name: one.sample.limit for name, one in self.learners.items()},
        }

    def add(self, row: Row) -> None:
        """Note what a row teaches."""
        if self.wordings is not None:
            self.wordings.add(row.example, [row.text])
        if self.seen is None:
            return
        self.seen.add(row.example)
        source = row.example.input
        if isinstance(source, Graph) and source.data is not None:
            learner = self._learner(row.system)
            for text in (row.text, *(reference.text for reference in row.example.references)):
                learner.add(source, text)

    def merge(self, other: Gathered) -> None:
        """Add what other units teach."""
        if self.seen is not None and other.seen is not None:
            self.seen.merge(other.seen)
        if self.wordings is not None and other.wordings is not None:
            self.wordings.merge(other.wordings)
        for name, learner in other.learners.items():
            self._learner(name).merge(learner)

    def _learner(self, system: str) -> Learner:
        if system not in self.learners:
            self.learners[system] = Learner(self._limits.get("learners", {}).get(system))
        return self.learners[system]

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON values: equal where equal things were gathered."""
        return {
            "seen": None if self.seen is None else _of_seen(self.seen),
            "wordings": None
            if self.wordings is None
            else [_of_sample(one, _of_pair) for one in (self.wordings.references, self.wordings.others)],
            "learners": {
                name: _of_sample(one.sample, _of_pair) for name, one in sorted(self.learners.items())
            },
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], wanted: Wanted) -> Gathered:
        """Make the same again of what `as_dict` gave."""
        own = cls(Wanted(wanted.names, wanted.wordings, wanted.choice))
        if own.seen is not None:
            _fill_seen(own.seen, values["seen"])
        if own.wordings is not None:
            for sample, written in zip(
                (own.wordings.references, own.wordings.others), values["wordings"], strict=True
            ):
                _fill(sample, written, _to_pair)
        for name, written in values["learners"].items():
            _fill(own._learner(name).sample, written, _to_pair)
        return own


@dataclass(frozen=True, slots=True)
class Learned:
    """What a corpus teaches, ready for use; ``digest`` tells it from what others teach."""

    knowledge: Knowledge | None = None
    whose: Mapping[str, Model] | None = None
    entries: tuple[UserEntry, ...] = ()
    digest: str = ""


def gather_unit(unit: Unit, folder: Folder, wanted: Wanted, known: str | None = None) -> str:
    """Write what a unit teaches into the folder of a run, unless that has been done; return its fingerprint.

    Nothing is written where the fingerprint is the one that is ``known``.
    """
    content = content_of(unit)
    if content.fingerprint == known:
        return known
    name = f"{PARTS}/{unit.name}.json.gz"
    before = _loaded(folder, name)
    own = {"key": wanted.key, "files": wanted.files, "fingerprint": content.fingerprint}
    if before is None or {part: before[part] for part in own} != own:
        gathered = Gathered(wanted)
        if wanted.names or content.may_be_data():
            for row in rows_of(unit, content, Chosen(wanted.choice)):
                if isinstance(row, Row):
                    gathered.add(row)
        _save(folder, name, {**own, "gathered": gathered.as_dict()})
    return content.fingerprint


def gathered_of(unit: Unit, folder: Folder, wanted: Wanted) -> Gathered:
    """Read what `gather_unit` wrote."""
    values = _loaded(folder, f"{PARTS}/{unit.name}.json.gz")
    if values is None:
        raise FileNotFoundError(unit.name)
    return Gathered.from_dict(values["gathered"], wanted)


def finish(
    gathered: Gathered,
    fingerprints: Mapping[str, str],
    wanted: Wanted,
    folder: Folder,
    progress: Progress | None = None,
) -> Learned:
    """Learn from what all units teach, and keep it in the folder of the run."""
    entries = () if gathered.wordings is None else gathered.wordings.entries(progress)
    models = {name: learner.model() for name, learner in sorted(gathered.learners.items())}
    learned = {
        "entries": [asdict(entry) for entry in entries],
        "whose": {name: model.as_dict() for name, model in models.items() if model is not None},
        "seen": None if gathered.seen is None else _of_seen(gathered.seen),
    }
    values = {"key": wanted.key, "fingerprints": dict(sorted(fingerprints.items())), "learned": learned}
    _save(folder, LEARNED, values)
    return _learned(learned)


def learned_before(folder: Folder, fingerprints: Mapping[str, str], wanted: Wanted) -> Learned | None:
    """Return what an earlier run learned, if it was from the same rows in the same way."""
    values = _loaded(folder, LEARNED)
    if values is None or values["key"] != wanted.key or values["fingerprints"] != dict(fingerprints):
        return None
    return _learned(values["learned"])


def units_learned(folder: Folder, wanted: Wanted) -> dict[str, str]:
    """Return the fingerprints of the units from which an earlier run learned in the same way."""
    values = _loaded(folder, LEARNED)
    return dict(values["fingerprints"]) if values is not None and values["key"] == wanted.key else {}


def load_learned(path: str) -> Learned:
    """Read the file of what a run has learned (`LEARNED`).

    Raises
    ------
    DataError
        There is no such file, or it is another one.
    """
    from esascore.errors import DataError

    name, own = path.rpartition("/")[2], Folder(path.rpartition("/")[0] or ".")
    if own.read(name) is None:
        raise DataError(f"there is no such file: a run of score --out writes it ({LEARNED})", file=path)
    values = _loaded(own, name)
    if not isinstance(values, dict) or "learned" not in values:
        raise DataError(f"this is not what a run of score --out has learned ({LEARNED})", file=path)
    return _learned(values["learned"])


def _learned(values: Mapping[str, Any]) -> Learned:
    knowledge = None
    if values["seen"] is not None:
        seen = Seen()
        _fill_seen(seen, values["seen"])
        knowledge = seen.knowledge()
    return Learned(
        knowledge,
        {name: Model.from_dict(model) for name, model in values["whose"].items()},
        tuple(UserEntry(**entry) for entry in values["entries"]),
        _digest(values),
    )


# --- plain values of samples


def _of_sample(sample: Sample[Any], write: Callable[[Any], Any]) -> list[Any]:
    return [sample.limit, [[key, weight, write(entry)] for key, weight, entry in sample.weighed()]]


def _fill(sample: Sample[Any], written: Sequence[Any], read: Callable[[Any], Any]) -> None:
    limit, entries = written
    sample.merge(limit, ((key, weight, read(entry)) for key, weight, entry in entries))


def _of_seen(seen: Seen) -> dict[str, Any]:
    return {
        "terms": _of_sample(seen.names.terms, _of_entities),
        "uses": _of_sample(seen.names.uses, lambda use: [use[0], " ".join(sorted(use[1].split())), use[2]]),
        "listed": _of_sample(seen.listed, str),
        "of_data": seen.of_data,
        "closed": {
            name: [one.boolean, _sorted(one.values), _sorted(one.examples)]
            for name, one in sorted(seen.closed.attributes.items())
        },
    }


def _fill_seen(seen: Seen, values: Mapping[str, Any]) -> None:
    _fill(seen.names.terms, values["terms"], _to_entities)
    _fill(seen.names.uses, values["uses"], lambda use: (use[0], use[1], tuple(use[2])))
    _fill(seen.listed, values["listed"], str)
    seen.of_data = values["of_data"]
    for name, (boolean, own, examples) in values["closed"].items():
        numbered = None if examples is None else {int(key): count for key, count in examples.items()}
        seen.closed.attributes[name] = AttributeSeen(boolean, own, numbered)


def _sorted(values: Mapping[Any, Any] | None) -> dict[str, Any] | None:
    return None if values is None else {str(key): value for key, value in sorted(values.items())}


def _of_entities(entities: Iterable[Entity]) -> list[Any]:
    written = [[one.term, bool(one.subject_of), list(one.object_of), one.type] for one in entities]
    return sorted(written, key=repr)


def _to_entities(written: Sequence[Any]) -> set[Entity]:
    return {
        Entity(term, ("",) if subject else (), tuple(object_of), type_)
        for term, subject, object_of, type_ in written
    }


def _of_pair(pair: tuple[Any, str]) -> list[Any]:
    return [encoded(pair[0]), pair[1]]


def _to_pair(written: Sequence[Any]) -> tuple[Any, str]:
    return decoded(written[0]), written[1]


def _digest(values: Any) -> str:
    return sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def _save(folder: Folder, name: str, values: Any) -> None:
    raw = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    folder.write(name, gzip.compress(raw, compresslevel=1, mtime=0))


def _loaded(folder: Folder, name: str) -> Any:
    raw = folder.read(name)
    try:
        return None if raw is None else json.loads(gzip.decompress(raw).decode("utf-8", "surrogatepass"))
    except (OSError, ValueError, EOFError):
        return None
