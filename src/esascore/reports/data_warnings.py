"""What makes results doubtful: values that are never found, texts that are not English, shifted outputs.

Figures look the same whether a text lacks a value or words it in a way that is not known, and whether outputs
are bad or stand in the wrong lines. `DataWarnings` watches a run and says so afterwards.
"""

from __future__ import annotations

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
_MOSTLY_FOUND = 0.5  # what texts say selectively (box scores) is missing for a good reason
_LEAST_WORDS = 100
_WORDS_READ = 2_000  # of a system; more would not change what its language is
_MOST_VALUES = 100_000  # that are counted: further ones of a large corpus are not
_ENGLISH = 0.06  # of words that are no names; English texts have a share of 0.15 and more
_LEAST_SHIFTED = 5
_MOST_LISTED = 5


_Names = frozenset[tuple[str, ...]]
_Wanted = Mapping[str, Sequence[str]]
_Expected = tuple[list[int], Sequence[str], list[list[int]]]
"""The texts that should have a value of an attribute, and those that lack all; its terms; these of each."""


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
    last: _Line | None = None


@dataclass(slots=True)
class _Missing:
    """In how many texts each attribute and each value should be found, and is not.

    All systems count together: what one of them never says is its own fault.
    """

    required: int = 0
    missing: int = 0
    attributes: dict[str, list[int]] = field(default_factory=dict)
    values: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def expect(self, wanted: _Wanted, required: int, texts: int) -> list[_Expected]:
        """Note what some texts of an input should say; return where each that lacks it is to be counted."""
        self.required += required * texts
        expected = []
        for attribute, terms in wanted.items():
            counts = self.attributes.setdefault(attribute, [0, 0])
            counts[0] += texts
            of_terms = []
            for term in terms:
                if (own := self.values.get((attribute, term))) is None:
                    own = [0, 0]
                    if len(self.values) < _MOST_VALUES:
                        self.values[attribute, term] = own
                own[0] += texts
                of_terms.append(own)
            expected.append((counts, terms, of_terms))
        return expected

    def add(self, expected: Iterable[_Expected], missing: Sequence[str]) -> None:
        """Note what one text lacks."""
        self.missing += len(missing)
        lacking = set(missing)
        for counts, terms, of_terms in expected:
            gone = [own for term, own in zip(terms, of_terms, strict=True) if term in lacking]
            counts[1] += len(gone) == len(terms)
            for own in gone:
                own[1] += 1

    def messages(self) -> Iterator[str]:
        if self.required - self.missing < _MOSTLY_FOUND * self.required:
            return
        never = {name: counts for name, counts in self.attributes.items() if _is_rare(counts)}
        listed = [f"no value of {name} is found in {_told(counts)}" for name, counts in never.items()]
        listed += [
            f"the value {value!r} of {name} is not found in {_told(counts)}"
            for (name, value), counts in self.values.items()
            if name not in never and _is_rare(counts)
        ]
        for one in listed[:_MOST_LISTED]:
            yield f"{one}; if they say it in other words, use --lexicon; if they need not say it, --optional"
        if len(listed) > _MOST_LISTED:
            yield f"{len(listed) - _MOST_LISTED} more values are found in hardly any of these texts"


class DataWarnings:
    """Watches what is scored, and reports what makes the result doubtful.

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
        self._systems: dict[str, _Watched] = {}
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
            own = self._systems.setdefault(system.name, _Watched())
            if system.missing:
                for expected, missing in zip(wanted, system.missing, strict=True):
                    if missing:
                        self._missing.add(expected, missing)
            for text in system.texts:
                if own.words >= _WORDS_READ:
                    break
                _count_words(own, text)
            if system.missing:
                _look_around(own, system.texts, names, system.missing)
            own.texts += len(system.texts)

    @property
    def optional(self) -> tuple[str, ...]:
        """The attributes of the data that were never counted as missing."""
        return tuple(self._optional)

    def messages(self) -> list[str]:
        """What is doubtful: of each system, and of all together."""
        own = [f"system {name}: {one}" for name, some in self._systems.items() for one in _messages(some)]
        return [*own, *self._missing.messages()]


def _wanted(example: Example) -> _Wanted:
    """Return the terms of the values that a text should mention, by attribute."""
    found: dict[str, list[str]] = {}
    for entity in example.input.entities:
        if entity.optional or entity.subject_of:
            continue
        if isinstance(entity.term, Value):
            found.setdefault(entity.term.attribute, []).append(entity.term)
        else:
            for attribute in entity.object_of:
                found.setdefault(attribute, []).append(entity.term)
    return found


def _names(example: Example) -> _Names:
    """Return the entities of an input that are named in capitalised words."""
    terms = (entity.term for entity in example.input.worded if not entity.optional)
    labels = (label(term) for term in terms if not term.isdecimal())
    found = (name_words(name) for name in labels if name[:1].isupper())
    return frozenset(words for words in found if all(map(str.isalpha, words)))


def _words_of(terms: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the words of the terms that may be names in letters."""
    return {name_words(label(term)) for term in terms if not term.isdecimal()}


def _count_words(own: _Watched, text: str) -> None:
    """Count the words that are not names, and the English function words among them.

    Those of two letters do not count: Dutch has "in", "is" and "of".
    """
    words = FoldedWords.of(text)
    small = function_words()
    for word, start in zip(words.texts, words.starts, strict=True):
        is_small = len(word) > 2 and word in small
        if word.isalpha() and (
            is_small or not text[start].isupper()
        ):  # "The" begins a sentence, and is no name
            own.words += 1
            own.english += is_small


def _look_around(
    own: _Watched, texts: Sequence[str], names: Sequence[_Names], missing: Sequence[Sequence[str]]
) -> None:
    """Note where a text has none of its input's names, but the line before or after has them all."""
    unsaid = [
        0 < len(here) <= len(lacking) and here <= _words_of(lacking)
        for here, lacking in zip(names, missing, strict=True)
    ]

    def line(number: int) -> _Line:
        return _Line(own.texts + number, names[number], texts[number], unsaid[number])

    if own.last is not None:
        _compare(own, own.last, line(0))
    for number, pair in enumerate(pairwise(unsaid), 1):
        if True in pair:  # few are
            _compare(own, line(number - 1), line(number))
    own.last = line(len(unsaid) - 1)


def _compare(own: _Watched, before: _Line, here: _Line) -> None:
    """Note whether one of two neighbouring texts lacks the names that the other has."""
    if here.unsaid and before.says(here.names - before.names):
        _note(own, "previous", here.number)
    if before.unsaid and here.says(before.names - here.names):
        _note(own, "next", before.number)


def _note(own: _Watched, where: str, number: int) -> None:
    """Count the texts whose names are in another line, and note the first and last of them."""
    count, first, _ = own.shifted.get(where, (0, number, number))
    own.shifted[where] = count + 1, first, number


def _messages(own: _Watched) -> Iterator[str]:
    if own.words >= _LEAST_WORDS and own.english < _ENGLISH * own.words:
        yield (
            "the texts do not look English, and only English is understood: "
            "names and numbers may be found, but nothing else of these figures holds"
        )
    for where, (number, first, last) in own.shifted.items():
        if number >= _LEAST_SHIFTED and 2 * number > last - first:
            yield (
                f"the outputs look shifted by a line: {number} texts, the first in line "
                f"{first + 1}, lack the names of their inputs, which the {where} line has"
            )


def _is_rare(counts: Sequence[int]) -> bool:
    texts, missing = counts
    return texts >= _LEAST_TEXTS and missing >= _NEARLY_ALL * texts


def _told(counts: Sequence[int]) -> str:
    texts, missing = counts
    return f"{missing} of the {texts} texts that should say it"
