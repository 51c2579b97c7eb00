"""Closed attributes: those with few values that many inputs of a corpus share.

Another value's own words in a text then contradict the value of the input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from esascore.label import label
from esascore.lexicon.phrasings import ABSENT, NO, YES, Phrasing, Phrasings, own_words, value_key
from esascore.lexicon.truths import Truth, truth
from esascore.model import Example
from esascore.sample import content_hash

_MOST_VALUES = 12
_INPUTS_PER_VALUE = 3
_ENOUGH = _MOST_VALUES * _INPUTS_PER_VALUE


Values = Mapping[str, Mapping[str, str] | None]
"""Closed attribute -> the labels of its values by their keys; None where all are truth values."""


@dataclass(frozen=True, slots=True)
class Closed:
    """What the values of closed attributes are called, and how texts say that truth values hold.

    A single word is so common that it contradicts only a value that the text does not mention; words do not
    contradict numbers, nor numbers words: "cheap" may well be less than 20.
    """

    own: Phrasings
    truths: tuple[Truth, ...]


NOTHING_CLOSED = Closed(Phrasings(), ())
"""No attribute is known to be closed."""


@dataclass(slots=True)
class AttributeSeen:
    """Observations of an attribute: whether all values are truth values, their labels, and their number.

    ``values`` maps keys to labels, and is None where there are too many for the attribute to be closed.
    ``examples`` says how many values each example has, by its hash, and is None as soon as there are enough.
    """

    boolean: bool = True
    values: dict[str, str] | None = field(default_factory=dict)
    examples: dict[int, int] | None = field(default_factory=dict)

    def note(self, key: str, name: str) -> None:
        """Note a value."""
        if self.values is not None:
            self.values[key] = min(name, self.values.get(key, name))
            if len(self.values) > _MOST_VALUES:
                self.values = self.examples = None

    def count(self, example: int, values: int) -> None:
        """Note how many values an example has."""
        if self.examples is not None:
            self.examples[example] = values
            if sum(self.examples.values()) >= _ENOUGH:
                self.examples = None

    def merge(self, other: AttributeSeen) -> None:
        """Add the observations of the same attribute from another part of the corpus."""
        self.boolean = self.boolean and other.boolean
        if other.values is None:
            self.values = None
        for key, name in (other.values or {}).items():
            self.note(key, name)
        if other.examples is None or self.values is None:
            self.examples = None
        for example, values in (other.examples or {}).items():
            self.count(example, values)

    @property
    def is_closed(self) -> bool:
        """Return whether it has few values that many inputs share."""
        if self.values is None:
            return False
        total = _ENOUGH if self.examples is None else sum(self.examples.values())
        return total >= _INPUTS_PER_VALUE * len(self.values)


class ClosedAttributes:
    """Finds the closed attributes of a corpus in one pass, in parts that can be merged.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> seen = ClosedAttributes()
    >>> for number, area in enumerate(["riverside", "city centre"] * 3):
    ...     seen.add(Example(f"Id{number}", Graph.from_data({"area": area, "age": number})))
    >>> sorted(own.text for own in closed(seen.found()).own.phrasings)
    ['city centre', 'riverside']
    """

    def __init__(self) -> None:
        self.attributes: dict[str, AttributeSeen] = {}

    def add(self, example: Example) -> None:
        """Note the values of an example; an input that comes again counts once."""
        counted: Counter[str] = Counter()
        for entity in example.input.entities:
            for attribute in entity.object_of:
                if (seen := self.attributes.get(attribute)) is None:
                    seen = self.attributes[attribute] = AttributeSeen()
                seen.boolean = seen.boolean and entity.type == "boolean"
                if entity.type in ("text", "boolean"):
                    seen.note(value_key(entity.term), label(entity.term))
                    counted[attribute] += 1
        unsettled = [name for name in counted if self.attributes[name].examples is not None]
        own = content_hash(example.input) if unsettled else 0
        for name in unsettled:
            self.attributes[name].count(own, counted[name])

    def merge(self, other: ClosedAttributes) -> None:
        """Add the observations of another part of the corpus."""
        for name, seen in other.attributes.items():
            self.attributes.setdefault(name, AttributeSeen()).merge(seen)

    def found(self) -> Values:
        """Return the values of the closed attributes of all examples so far."""
        return {
            attribute: None if seen.boolean else dict(sorted((seen.values or {}).items()))
            for attribute, seen in sorted(self.attributes.items())
            if seen.boolean or (seen.values and seen.is_closed)
        }


def closed(attributes: Values) -> Closed:
    """Return what the values of closed attributes are called."""
    own: list[Phrasing] = []
    truths: list[Truth] = []
    for attribute, values in attributes.items():
        if values is None:
            truths += filter(None, (truth(attribute),))
        else:
            own += _phrasings(attribute, values)
    return Closed(Phrasings(own), tuple(truths))


def _phrasings(attribute: str, names: Mapping[str, str]) -> Iterator[Phrasing]:
    for key, name in names.items():
        if key in (YES, NO):  # of an attribute that also has other values
            continue
        against = {other for other in names if other != key and _has_digits(other) == _has_digits(key)}
        one = own_words(attribute, name, frozenset(against))
        if len(one.bases) > 1:
            one = own_words(attribute, name, frozenset({*against, ABSENT}))
        if one.bases:
            yield one


def _has_digits(key: str) -> bool:
    return any(map(str.isdigit, key))
