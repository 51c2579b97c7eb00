"""What the inputs of some shapes teach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any

from esascore.claims.knowledge import Knowledge
from esascore.learned.shapes import Shape
from esascore.learned.wordings.forms import Form, entry_of
from esascore.lexicon.closed import Values, closed
from esascore.lexicon.known_names import CorpusNames
from esascore.lexicon.phrasings import Phrasings


@dataclass(frozen=True)
class Lesson:
    """What a group of shapes teaches.

    Attributes
    ----------
    shapes
        The shapes of the inputs.
    forms
        How texts express values.
    names
        The names of entities.
    closed
        The values of attributes that have few.
    """

    shapes: tuple[Shape, ...]
    forms: tuple[Form, ...] = ()
    names: CorpusNames = field(default_factory=CorpusNames)
    closed: Values = field(default_factory=dict)

    @cached_property
    def knowledge(self) -> Knowledge:
        """What claims about such inputs are judged by."""
        return Knowledge(self.names.phrases(), self.names.capitals(), self.names.words(), closed(self.closed))

    @cached_property
    def phrasings(self) -> Phrasings:
        """The phrases for values of such inputs."""
        return Phrasings.of_user(map(entry_of, self.forms))

    def as_dict(self) -> dict[str, Any]:
        """The object for JSON: equal for equal lessons."""
        return {
            "shapes": sorted(map(sorted, self.shapes)),
            "forms": [asdict(form) for form in self.forms],
            "names": [list(pair) for pair in self.names.own],
            "closed": {name: None if own is None else dict(own) for name, own in self.closed.items()},
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Lesson:
        """Rebuild it from what `as_dict` returned."""
        return cls(
            tuple(map(frozenset, values["shapes"])),
            tuple(
                Form(**{**form, "values": tuple(form["values"]), "against": tuple(form["against"])})
                for form in values["forms"]
            ),
            CorpusNames(tuple((name, term) for name, term in values["names"])),
            values["closed"],
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave out derived fields."""
        return {each.name: getattr(self, each.name) for each in fields(self)}
