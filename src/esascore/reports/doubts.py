"""What makes results doubtful: values that are never found, texts that are not English, shifted outputs.

Figures look the same whether a text lacks a value or words it in a way that is not known, and whether outputs
are bad or stand in the wrong lines. `Doubts` watches a run and says so afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from esascore.data import Value
from esascore.engine import Scored
from esascore.lexicon import label
from esascore.model import Example
from esascore.text.blank import is_blank
from esascore.text.vocabulary import english_words, function_words
from esascore.text.words import FoldedWords, name_words

_LEAST_TEXTS = 20
_NEARLY_ALL = 0.95
_MOSTLY_FOUND = 0.5  # what texts say selectively (box scores) is missing for a good reason
_LEAST_WORDS = 100
_WORDS_READ = 2_000  # of a system; more would not change what its language is
_ENGLISH = 0.06  # of words that are no names; English texts have a share of 0.15 and more
_LEAST_SHIFTED = 5
_MOST_LISTED = 5


_Names = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Line:
    """A text, the names of its input, and whether it has none of them."""

    number: int
    names: _Names
    text: str
    unsaid: bool

    def says(self, names: _Names) -> bool:
        """Tell whether the text has all of these names, of which there is one."""
        if not names or is_blank(self.text):
            return False
        words = f" {' '.join(FoldedWords.of(self.text).texts)} "
        return all(f" {' '.join(name)} " in words for name in names)


@dataclass(slots=True)
class _Watched:
    """What is counted of one system."""

    texts: int = 0
    words: int = 0
    english: int = 0
    shifted: dict[str, list[int]] = field(default_factory=lambda: {"previous": [], "next": []})
    last: _Line | None = None


@dataclass(slots=True)
class _Missing:
    """In how many texts each attribute and each value should be found, and is.

    All systems count together: what one of them never says is its own fault.
    """

    required: int = 0
    missing: int = 0
    attributes: dict[str, list[int]] = field(default_factory=dict)
    values: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def add(self, wanted: Sequence[tuple[str, str]], missing: Sequence[str], required: int) -> None:
        self.required += required
        self.missing += len(missing)
        lacking = set(missing)
        said: dict[str, bool] = {}
        for attribute, term in wanted:
            found = term not in lacking
            said[attribute] = said.get(attribute, False) or found
            _add(self.values.setdefault((attribute, str(term)), [0, 0]), found)
        for attribute, found in said.items():
            _add(self.attributes.setdefault(attribute, [0, 0]), found)

    def doubts(self) -> Iterator[str]:
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


class Doubts:
    """Watches what is scored, and says what makes the result doubtful.

    Examples
    --------
    >>> from esascore.engine import evaluate
    >>> from esascore.metrics import create_metrics
    >>> from esascore.model import Graph
    >>> from esascore.pipeline import build_pipeline
    >>> from esascore.readers.systems import System
    >>> corpus = [Example(f"{n}", Graph.from_data({"name": f"Zorb {n}", "lit": "dimly"})) for n in range(20)]
    >>> system = System("mine", tuple(f"The Zorb {n} is what they have." for n in range(20)))
    >>> doubts = Doubts()
    >>> doubts.add(evaluate(build_pipeline, corpus, [system], lambda d: create_metrics(["esa"], d)))
    >>> doubts.messages()[0][:69]
    'no value of lit is found in 20 of the 20 texts that should say it; if'
    """

    def __init__(self) -> None:
        self._systems: dict[str, _Watched] = {}
        self._missing = _Missing()
        self._optional: dict[str, None] = {}

    def watched(self, parts: Iterable[Scored]) -> Iterator[Scored]:
        """Hand on parts, and watch them."""
        for part in parts:
            self.add(part)
            yield part

    def add(self, part: Scored) -> None:
        """Watch a part of a corpus."""
        wanted = [_wanted(example) for example in part.examples]
        required = [sum(not one.optional for one in example.input.entities) for example in part.examples]
        for example in part.examples:
            self._optional.update(
                (one.term.attribute, None)
                for one in example.input.entities
                if one.optional and isinstance(one.term, Value)
            )
        names = [_names(example) for example in part.examples]
        for system in part.systems:
            own = self._systems.setdefault(system.name, _Watched())
            if system.missing:
                for n, missing in enumerate(system.missing):
                    self._missing.add(wanted[n], missing, required[n])
            for number, text in enumerate(system.texts):
                if own.words < _WORDS_READ:
                    _count_words(own, text)
                if system.missing:
                    unsaid = bool(names[number]) and names[number] <= _words_of(system.missing[number])
                    _look_around(own, _Line(own.texts + number, names[number], text, unsaid))
            own.texts += len(system.texts)

    @property
    def optional(self) -> tuple[str, ...]:
        """The attributes of the data that were never counted as missing."""
        return tuple(self._optional)

    def messages(self) -> list[str]:
        """What is doubtful: of each system, and of all together."""
        own = [f"system {name}: {one}" for name, some in self._systems.items() for one in _doubts(some)]
        return [*own, *self._missing.doubts()]


def _wanted(example: Example) -> list[tuple[str, str]]:
    """Return the attribute and term of each value that a text should mention."""
    pairs: list[tuple[str, str]] = []
    for entity in example.input.entities:
        if entity.optional or entity.subject_of:
            continue
        if isinstance(entity.term, Value):
            pairs.append((entity.term.attribute, entity.term))
        else:
            pairs += [(attribute, entity.term) for attribute in entity.object_of]
    return pairs


def _names(example: Example) -> _Names:
    """Return the entities of an input that are named in words which no dictionary has as common ones."""
    found = (name_words(label(entity.term)) for entity in example.input.entities if not entity.optional)
    common = english_words().common
    return frozenset(
        words for words in found if words and all(map(str.isalpha, words)) and not common.issuperset(words)
    )


def _words_of(terms: Sequence[str]) -> set[tuple[str, ...]]:
    return {name_words(label(term)) for term in terms}


def _add(counts: list[int], found: bool) -> None:
    counts[0] += 1
    counts[1] += found


def _count_words(own: _Watched, text: str) -> None:
    """Count the words that are no names, and the English ones without content among them.

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


def _look_around(own: _Watched, here: _Line) -> None:
    """Note where a text has none of its input's names, but the line before or after has them all."""
    before, own.last = own.last, here
    if before is None:
        return
    if here.unsaid and before.says(here.names - before.names):
        own.shifted["previous"].append(here.number)
    if before.unsaid and here.says(before.names - here.names):
        own.shifted["next"].append(before.number)


def _doubts(own: _Watched) -> Iterator[str]:
    if own.words >= _LEAST_WORDS and own.english < _ENGLISH * own.words:
        yield (
            "the texts do not look English, and only English is understood: "
            "names and numbers may be found, but nothing else of these figures holds"
        )
    for where, numbers in own.shifted.items():
        if len(numbers) >= _LEAST_SHIFTED and 2 * len(numbers) > numbers[-1] - numbers[0]:
            yield (
                f"the outputs look shifted by a line: {len(numbers)} texts, the first in line "
                f"{numbers[0] + 1}, lack the names of their inputs, which the {where} line has"
            )


def _is_rare(counts: Sequence[int]) -> bool:
    texts, found = counts
    return texts >= _LEAST_TEXTS and texts - found >= _NEARLY_ALL * texts


def _told(counts: Sequence[int]) -> str:
    texts, found = counts
    return f"{texts - found} of the {texts} texts that should say it"
