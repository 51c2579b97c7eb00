"""The training material: the values of inputs, and the texts about them with names blanked out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from esascore.label import label
from esascore.lexicon.phrasings import attribute_key, value_key
from esascore.model import Entity, Example, Input
from esascore.text.clauses import BREAK, Bases, clauses
from esascore.text.document import Document
from esascore.text.phrases import Phrases
from esascore.text.words import Phrase, name_words
from esascore.wordlists import SEVERAL

_NO_WORDINGS = ("number", "date", "time", "list")
"""Types of values that other detectors know how to read."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that decide which phrases are learned.

    Attributes
    ----------
    longest
        The most words of a phrase.
    support, subjects
        In how many inputs, and about how many different subjects, a phrase must be right.
    precision
        How often at least a phrase must be right, on what longer and better ones leave.
    lift, share, most
        A value belongs to a phrase if the phrase multiplies its odds by this factor and goes with it in at
        least this share of its uses; and no phrase has more than one in ``most`` of the values of its
        attribute.
    chance
        The greatest probability of the record of a phrase if it had nothing to do with its values.
    deny, sure
        A phrase contradicts a value that it makes rarer by more than this factor, if it is right this often.
    quoted, kinds
        An attribute is open, and its values are names, if it has this many values and texts quote this share.
    folds, stable
        How many parts the inputs are split into, and in how many a phrase must be learned from the others.
    """

    longest: int = 5
    support: int = 3
    subjects: int = 3
    precision: float = 0.72
    lift: float = 3.0
    share: float = 0.08
    most: int = 3
    chance: float = 1e-4
    deny: float = 0.2
    sure: float = 0.85
    quoted: float = 0.75
    kinds: int = 8
    folds: int = 3
    stable: int = 2


DEFAULTS = Settings()
"""The default settings."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text: the number of its input, its word bases, and the folded words behind them."""

    input: int
    bases: Bases
    words: tuple[int, ...]
    folded: Phrase

    def places(self, phrase: Bases) -> list[int]:
        """Return where a phrase begins."""
        size = len(phrase)
        return [n for n in range(len(self.bases) - size + 1) if self.bases[n : n + size] == phrase]

    def surface(self, start: int, end: int) -> str:
        """Return the words behind ``bases[start:end]``."""
        return " ".join(self.folded[self.words[start] : self.words[end - 1] + 1])


@dataclass(frozen=True, slots=True)
class Material:
    """The training material.

    Attributes
    ----------
    attributes
        The keys of the attributes whose values are to be learned, in order.
    values
        For each input, by attribute, the key of its value. Attributes with several values are left out.
    unclear
        For each input the attributes that have several values.
    subjects
        What each input is about; inputs without a name have their number.
    texts
        The texts.
    spelling
        How the corpus writes attributes and values.
    """

    attributes: tuple[str, ...]
    values: tuple[dict[str, str], ...]
    unclear: tuple[frozenset[str], ...]
    subjects: tuple[str, ...]
    texts: tuple[Text, ...]
    spelling: dict[str, str]

    def part(self, inputs: frozenset[int]) -> Material:
        """Return the material with the texts of some inputs only."""
        kept = tuple(text for text in self.texts if text.input in inputs)
        return Material(self.attributes, self.values, self.unclear, self.subjects, kept, self.spelling)

    def value(self, text: Text, attribute: str) -> str | None:
        """Return the value that the input of a text has for an attribute, if it has one."""
        return self.values[text.input].get(attribute)


def prepare(examples: Sequence[Example], settings: Settings) -> Material:
    """Read the inputs and reference texts of a corpus."""
    found = [_values(example.input) for example in examples]
    spelling: dict[str, str] = {}
    for own, _ in found:
        for attribute, entities in own.items():
            for entity in entities:
                spelling.setdefault(value_key(entity.term), label(entity.term))
                name = next(n for n in entity.object_of if attribute_key(n) == attribute)
                spelling.setdefault(attribute, name)
    open_ = _open_attributes(examples, [own for own, _ in found], settings)
    masks = _masks(examples, [own for own, _ in found], open_)
    learnable = sorted({a for own, _ in found for a in own} - open_)
    values = tuple(
        {a: value_key(some[0].term) for a, some in own.items() if a not in open_ and len(some) == 1}
        for own, _ in found
    )
    unclear = tuple(
        frozenset((*others, *(a for a, some in own.items() if len(some) > 1))) for own, others in found
    )
    texts = tuple(
        _text(number, example.input, reference.text, masks)
        for number, example in enumerate(examples)
        for reference in example.references
    )
    subjects = tuple(_subject(example.input) or str(number) for number, example in enumerate(examples))
    return Material(tuple(learnable), values, unclear, subjects, texts, spelling)


def grams(bases: Bases, longest: int) -> Iterator[tuple[int, Bases]]:
    """Yield the phrases of a text that do not cross a break, with their places.

    Examples
    --------
    >>> [phrase for _, phrase in grams(("low", "pric", ".", "pub"), 2)]
    [('low',), ('low', 'pric'), ('pric',), ('pub',)]
    """
    for start in range(len(bases)):
        for end in range(start + 1, min(len(bases), start + longest) + 1):
            if bases[end - 1] == BREAK:
                break
            yield start, bases[start:end]


def _values(input_: Input) -> tuple[dict[str, list[Entity]], set[str]]:
    """Return the entities by attribute that phrases can realise, and the attributes that hold others."""
    found: dict[str, list[Entity]] = defaultdict(list)
    others: set[str] = set()
    for entity in input_.entities:
        text = label(entity.term)
        spoken = entity.type not in _NO_WORDINGS and SEVERAL not in text
        for attribute in entity.object_of:
            key = attribute_key(attribute)
            if not spoken or "=" in attribute or not key:
                others.add(key)
            else:
                found[key].append(entity)
    return {key: some for key, some in found.items() if key not in others}, others


def _subject(input_: Input) -> str | None:
    return input_.root or next(iter(input_.titles), None)


def _open_attributes(
    examples: Sequence[Example], values: Sequence[dict[str, list[Entity]]], settings: Settings
) -> set[str]:
    """Return the attributes whose values are names: many, and quoted as they are."""
    quoted: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    kinds: dict[str, set[str]] = defaultdict(set)
    for example, own in zip(examples, values, strict=True):
        texts = [f" {' '.join(name_words(reference.text))} " for reference in example.references]
        for attribute, entities in own.items():
            for entity in entities:
                kinds[attribute].add(value_key(entity.term))
                name = f" {' '.join(_without_article(name_words(label(entity.term))))} "
                asked[attribute] += len(texts)
                quoted[attribute] += sum(name in text for text in texts)
    return {
        attribute
        for attribute, some in kinds.items()
        if len(some) >= settings.kinds and quoted[attribute] >= settings.quoted * asked[attribute]
    }


def _masks(
    examples: Sequence[Example], values: Sequence[dict[str, list[Entity]]], open_: set[str]
) -> Phrases:
    """Return the names of the corpus: of subjects, and the values of open attributes."""
    names = {entity.term for example in examples for entity in example.input.entities if entity.subject_of}
    names |= {entity.term for own in values for a in open_ for entity in own.get(a, ())}
    return Phrases.of((" ".join(_without_article(name_words(label(name)))), "") for name in sorted(names))


def _without_article(words: Phrase) -> Phrase:
    return words[1:] if words[:1] == ("the",) else words


def _text(number: int, input_: Input, text: str, masks: Phrases) -> Text:
    document = Document(input_, text)
    read, folded = clauses(document), document.words.texts
    blank = masked(folded, masks)
    bases = tuple(BREAK if word in blank else own for own, word in zip(read.bases, read.words, strict=True))
    return Text(number, bases, read.words, folded)


def masked(folded: Phrase, masks: Phrases) -> set[int]:
    """Return the numbers of the words that belong to names."""
    blank: set[int] = set()
    at = 0
    while at < len(folded):
        found = masks.longest(folded, at)
        if found is None:
            at += 1
        else:
            blank.update(range(at, found[0]))
            at = found[0]
    return blank
