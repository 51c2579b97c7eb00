"""Warnings about doubtful results: values that are never found, texts that are not English, shifted outputs.

Figures look the same whether a text lacks a value or expresses it in unknown words, and whether outputs are
bad or stand in the wrong lines. `DataWarnings` watches a run and warns at the end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from esascore.data import Value
from esascore.lexicon import label
from esascore.model import Example
from esascore.run.scored import Scored
from esascore.text.blank import is_blank
from esascore.text.vocabulary import function_words
from esascore.text.words import FoldedWords, name_words

_LEAST_TEXTS = 20
_NEARLY_ALL = 0.95
_MOSTLY_FOUND = 0.5  # values that texts select from (box scores) are missing for a good reason
_LEAST_WORDS = 100
_WORDS_READ = 2_000  # of a system; more would not change what its language is
_MOST_VALUES = 100_000  # that are counted: further ones of a large corpus are not
_ENGLISH = 0.06  # of words that are no names; English texts have a share of 0.15 and more
_LEAST_SHIFTED = 5
_MOST_LISTED = 5


_Names = frozenset[tuple[str, ...]]


class _Line(NamedTuple):
    """A text, the names of its input, and whether it has none of them."""

    number: int
    names: _Names
    text: str
    unsaid: bool

    def says(self, names: _Names) -> bool:
        """Return whether the text has all of these names, at least one."""
        if not names or is_blank(self.text):
            return False
        words = f" {' '.join(FoldedWords.of(self.text).texts)} "
        return all(f" {' '.join(name)} " in words for name in names)


@dataclass(slots=True)
class _Watched:
    """What is counted for one system."""

    texts: int = 0
    words: int = 0
    english: int = 0
    shifted: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    last: list[_Line] = field(default_factory=list)

    def count_words(self, text: str) -> None:
        """Count the words that are not names, and the English function words among them.

        Those of two letters do not count: Dutch has "in", "is" and "of".
        """
        words = FoldedWords.of(text)
        small = function_words()
        for word, start in zip(words.texts, words.starts, strict=True):
            is_small = len(word) > 2 and word in small
            # "The" begins a sentence, and is no name.
            if word.isalpha() and (is_small or not text[start].isupper()):
                self.words += 1
                self.english += is_small

    def look_around(
        self, texts: Sequence[str], names: Sequence[_Names], missing: Sequence[Sequence[str]]
    ) -> None:
        """Note where a text has none of its input's names, but the line before or after has them all."""
        lines = [
            _Line(number, own, text, 0 < len(own) <= len(lacking) and own <= _words_of(lacking))
            for number, (text, own, lacking) in enumerate(zip(texts, names, missing, strict=True), self.texts)
        ]
        for before, here in pairwise([*self.last, *lines]):
            for where, one, other in (("previous", here, before), ("next", before, here)):
                if one.unsaid and other.says(one.names - other.names):
                    count, first, _ = self.shifted.get(where, (0, one.number, one.number))
                    self.shifted[where] = count + 1, first, one.number
        self.last = lines[-1:]

    def messages(self) -> Iterator[str]:
        """Yield what is doubtful."""
        if self.words >= _LEAST_WORDS and self.english < _ENGLISH * self.words:
            yield (
                "the texts do not look English, and only English is understood: "
                "names and numbers may be found, but nothing else of these figures holds"
            )
        for where, (number, first, last) in self.shifted.items():
            if number >= _LEAST_SHIFTED and 2 * number > last - first:
                yield (
                    f"the outputs look shifted by a line: {number} texts, the first in line "
                    f"{first + 1}, lack the names of their inputs, which the {where} line has"
                )


@dataclass(slots=True)
class _Count:
    """In how many texts something should be found, and is not."""

    texts: int = 0
    missing: int = 0

    @property
    def is_rare(self) -> bool:
        """Return whether hardly any text has it."""
        return self.texts >= _LEAST_TEXTS and self.missing >= _NEARLY_ALL * self.texts

    def __str__(self) -> str:
        return f"{self.missing} of the {self.texts} texts that should say it"


_Expected = Sequence[tuple[_Count, Sequence[tuple[str, _Count]]]]
"""The count of an attribute, with its terms and their counts."""


class _Missing:
    """How often all values, those of each attribute and each of them should be found, and are not.

    All systems count together: what one of them never says is its own fault.
    """

    def __init__(self) -> None:
        self.total = _Count()
        self.attributes: defaultdict[str, _Count] = defaultdict(_Count)
        self.values: dict[tuple[str, str], _Count] = {}

    def expect(self, wanted: Mapping[str, Sequence[str]], required: int, texts: int) -> _Expected:
        """Note what some texts of an input should say; return where each that lacks it is to be counted."""
        self.total.texts += required * texts
        expected = []
        for attribute, terms in wanted.items():
            self.attributes[attribute].texts += texts
            of_terms = []
            for term in terms:
                count = self.values.get((attribute, term)) or _Count()
                count.texts += texts
                of_terms.append((term, count))
                if len(self.values) < _MOST_VALUES:
                    self.values[attribute, term] = count
            expected.append((self.attributes[attribute], of_terms))
        return expected

    def add(self, expected: _Expected, missing: Sequence[str]) -> None:
        """Note what one text lacks."""
        self.total.missing += len(missing)
        lacking = set(missing)
        for attribute, of_terms in expected:
            gone = [count for term, count in of_terms if term in lacking]
            attribute.missing += len(gone) == len(of_terms)
            for count in gone:
                count.missing += 1

    def messages(self) -> Iterator[str]:
        """Yield what is hardly ever found."""
        if self.total.texts - self.total.missing < _MOSTLY_FOUND * self.total.texts:
            return
        never = {name: count for name, count in self.attributes.items() if count.is_rare}
        listed = [f"no value of {name} is found in {count}" for name, count in never.items()]
        listed += [
            f"the value {value!r} of {name} is not found in {count}"
            for (name, value), count in self.values.items()
            if name not in never and count.is_rare
        ]
        for one in listed[:_MOST_LISTED]:
            yield f"{one}; if they say it in other words, use --lexicon; if they need not say it, --optional"
        if len(listed) > _MOST_LISTED:
            yield f"{len(listed) - _MOST_LISTED} more values are found in hardly any of these texts"


class DataWarnings:
    """Watches the texts that are scored, and reports what makes the result doubtful.

    Examples
    --------
    >>> from esascore.run.evaluation import evaluate
    >>> from esascore.metrics import create_metrics
    >>> from esascore.model import Graph
    >>> from esascore.pipeline import build_pipeline
    >>> from esascore.readers.systems import System
    >>> corpus = [Example(f"{n}", Graph.from_data({"name": f"Zorb {n}", "lit": "dimly"})) for n in range(20)]
    >>> system = System("mine", tuple(f"The Zorb {n} is what they have." for n in range(20)))
    >>> noted = DataWarnings()
    >>> noted.add(evaluate(build_pipeline, corpus, [system], lambda d: create_metrics(["esa"], d)))
    >>> noted.messages()[0][:69]
    'no value of lit is found in 20 of the 20 texts that should say it; if'
    """

    def __init__(self) -> None:
        self._systems: defaultdict[str, _Watched] = defaultdict(_Watched)
        self._missing = _Missing()
        self._optional: dict[str, None] = {}

    def watched(self, parts: Iterable[Scored]) -> Iterator[Scored]:
        """Pass parts on, and watch them."""
        for part in parts:
            self.add(part)
            yield part

    def add(self, part: Scored) -> None:
        """Watch a part of a corpus."""
        detected = sum(bool(system.missing) for system in part.systems)
        wanted = []
        for example in part.examples:
            entities = example.input.entities
            optional = [one.term for one in entities if one.optional]
            required = len(entities) - len(optional)
            wanted.append(self._missing.expect(_wanted(example), required, detected))
            self._optional.update((one.attribute, None) for one in optional if isinstance(one, Value))
        names = [_names(example) for example in part.examples]
        for system in part.systems:
            own = self._systems[system.name]
            for text in system.texts:
                if own.words >= _WORDS_READ:
                    break
                own.count_words(text)
            if system.missing:
                for expected, missing in zip(wanted, system.missing, strict=True):
                    if missing:
                        self._missing.add(expected, missing)
                own.look_around(system.texts, names, system.missing)
            own.texts += len(system.texts)

    @property
    def optional(self) -> tuple[str, ...]:
        """The attributes of the data that were never counted as missing."""
        return tuple(self._optional)

    def messages(self) -> list[str]:
        """What is doubtful: of each system, and of all together."""
        own = [f"system {name}: {one}" for name, some in self._systems.items() for one in some.messages()]
        return [*own, *self._missing.messages()]


def _wanted(example: Example) -> Mapping[str, Sequence[str]]:
    """Return the terms of the values that a text should mention, by attribute."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for entity in example.input.entities:
        if not entity.optional and not entity.subject_of:
            term = entity.term
            for attribute in (term.attribute,) if isinstance(term, Value) else entity.object_of:
                found[attribute].append(term)
    return found


def _names(example: Example) -> _Names:
    """Return the entities of an input that are named in capitalised words."""
    named = [one.term for one in example.input.worded if not one.optional and label(one.term)[:1].isupper()]
    return frozenset(words for words in _words_of(named) if all(map(str.isalpha, words)))


def _words_of(terms: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the words of the terms that may be names in letters."""
    return {name_words(label(term)) for term in terms if not term.isdecimal()}
