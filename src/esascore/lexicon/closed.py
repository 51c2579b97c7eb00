"""Closed attributes: those with few values that many inputs of a corpus share.

Another value's own words in a text then speak against the value of the input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from esascore.lexicon.label import label
from esascore.lexicon.phrasings import ABSENT, NO, YES, Phrasing, Phrasings, own_words, value_key
from esascore.lexicon.truths import Truth, truth
from esascore.model import Example

_MOST_VALUES = 12
_INPUTS_PER_VALUE = 3


@dataclass(frozen=True, slots=True)
class Closed:
    """What the values of closed attributes are called, and how texts say that truth values hold.

    A value of one word alone is so common that it speaks only against a value that the text does not mention;
    words do not speak against numbers, nor these against words: "cheap" may well be less than 20.
    """

    own: Phrasings
    truths: tuple[Truth, ...]


NOTHING_CLOSED = Closed(Phrasings(()), ())
"""No attribute is known to be closed."""


@dataclass
class ClosedAttributes:
    """Finds the closed attributes of a corpus while it passes by.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> seen = ClosedAttributes()
    >>> for area in ["riverside", "city centre"] * 3:
    ...     seen.add(Example("", Graph.from_data({"area": area})))
    >>> sorted(own.text for own in seen.found().own.phrasings)
    ['city centre', 'riverside']
    """

    _counts: dict[str, Counter[str]] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _boolean: dict[str, bool] = field(default_factory=dict)

    def passing(self, examples: Iterable[Example]) -> Iterator[Example]:
        """Hand on examples, and note their values."""
        for example in examples:
            self.add(example)
            yield example

    def add(self, example: Example) -> None:
        """Note the values of an example."""
        for entity in example.input.entities:
            if entity.type is None:
                continue
            key = value_key(entity.term)
            for attribute in entity.object_of:
                self._boolean[attribute] = self._boolean.get(attribute, True) and entity.type == "boolean"
                counts = self._counts.setdefault(attribute, Counter())
                if entity.type in ("text", "boolean") and (len(counts) <= _MOST_VALUES or key in counts):
                    counts[key] += 1
                    self._names[key] = min(label(entity.term), self._names.get(key, label(entity.term)))

    def found(self) -> Closed:
        """Return the closed attributes of all examples so far."""
        own: list[Phrasing] = []
        truths: list[Truth] = []
        for attribute, counts in sorted(self._counts.items()):
            if self._boolean[attribute]:
                truths += filter(None, (truth(attribute),))
            elif len(counts) <= _MOST_VALUES and counts.total() >= _INPUTS_PER_VALUE * len(counts):
                own += _phrasings(attribute, {key: self._names[key] for key in sorted(counts)})
        return Closed(Phrasings(tuple(own)), tuple(truths))


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
