"""What an input explains: the words, dates and numbers that a text may say because of it.

A word is explained if it is one of a label, of a surface form, of a property or the category, or is derived
from one: a stem, a demonym or its country, initials, a code, a misspelling. A misspelling explains only words
that are no names themselves: Australia does not explain Austria.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from esascore.detectors.dates import DateRange, DateValue, PartialDate, entity_date, find_dates
from esascore.detectors.numbers import Quantity, entity_quantity, find_numbers
from esascore.lexicon import Lexicon, label, nature, nouns
from esascore.lexicon.files import load, values
from esascore.lexicon.places import by_derived_word, by_name, state_abbreviations
from esascore.lexicon.words import english_words
from esascore.link.names import Name, Names, name_words
from esascore.model import Entity, Graph, Input, Table
from esascore.text.normalize import folded

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Z])|[_/]")
_DIGITS = re.compile(r"\d+")
_SEASON = re.compile(r"(?<![\d-])(\d\d)\d\d\s?[-–/]\s?(\d\d)(?![\d-])")
_CLIPPED = re.compile(r"([^\W\d_]{2,})\.")
_SUFFIXES = ("ings", "ing", "ers", "er", "ed", "es", "s", "ly", "al", "ions", "ion")
_SMALL_WORDS = frozenset({"of", "the", "and", "for", "in", "de", "la", "du", "von", "van", "a", "an", "to"})
_KNOWN, _LIKENESS = "known", "likeness"
_LONGEST_PLACE = 4
_LONGEST_INITIALS = 9
_ABOUT_OFFICES = re.compile("leader|president|mayor|governor|head|monarch|successor|predecessor|office|chief")
_OFFICES = (
    "president", "minister", "prime", "mayor", "king", "queen", "chancellor", "governor", "lord", "emperor",
    "premier", "monarch", "chief", "prince", "princess", "deputy", "head", "vice",
)  # fmt: skip


@dataclass(frozen=True)
class Explained:
    """What an input explains; `explain` makes it.

    Attributes
    ----------
    words, kinds, stems, initials, codes, clipped
        Folded words; nouns for the kinds of things that the entities are; the words' stems; first letters of
        runs of words; labels without spaces and punctuation; what a label abbreviates words to (*Sc.*).
    persons
        The words of persons' names.
    phrases
        Labels and surface forms of several words.
    dates, years, quantities, values, spans, counts
        The dates of the input, all its years, its quantities, every number in a label, the years between two
        dates, and how many things it lists together.
    """

    words: frozenset[str]
    kinds: frozenset[str]
    stems: frozenset[str]
    initials: frozenset[str]
    codes: tuple[str, ...]
    clipped: tuple[str, ...]
    persons: frozenset[str]
    phrases: Names
    dates: tuple[DateValue, ...]
    years: frozenset[int]
    quantities: tuple[Quantity, ...]
    values: frozenset[Decimal]
    spans: frozenset[int]
    counts: frozenset[int]
    _long: tuple[str, ...] = ()
    _known: dict[str, str | None] = field(default_factory=dict, repr=False, compare=False)

    def word(self, word: str) -> bool:
        """Tell whether a folded word is explained.

        Examples
        --------
        >>> explained = explain(Graph.from_triples([("Kestrel_Arena", "country", "Norway")]))
        >>> [explained.word(word) for word in ("arenas", "norwegian", "kestral", "ka", "sweden")]
        [True, True, True, True, False]
        """
        return self._reason(word) is not None

    def resembles_person(self, word: str) -> bool:
        """Tell whether a folded word is explained by nothing but its likeness to a person's name.

        A misspelt place is still that place; a misspelt person may well be another one.

        Examples
        --------
        >>> explained = explain(Graph.from_triples([("Jane_Marlowe", "birthPlace", "Trondheim")]))
        >>> [explained.resembles_person(word) for word in ("marlawe", "marlowe", "trondhem")]
        [True, False, False]
        """
        if self._reason(word) != _LIKENESS:
            return False
        is_name = word in english_words().proper
        return any(len(own) > 3 and _resembles(word, own, is_name) for own in self.persons)

    def _reason(self, word: str) -> str | None:
        try:
            return self._known[word]
        except KeyError:
            reason = self._known[word] = self._explanation(word)
            return reason

    def code(self, text: str) -> bool:
        """Tell whether letters and digits without anything between them stand in a label."""
        if text.isdigit() and len(text) < 6:
            return any(text == code for code in self.codes)
        return any(text in code for code in self.codes)

    def _explanation(self, word: str) -> str | None:
        if word in self.words or word in self.initials:
            return _KNOWN
        if len(word) > 4 and stem(word) in self.stems:
            return _KNOWN
        if word.endswith("s") and (word[:-1] in self.initials or word[:-1] in self.words):
            return _KNOWN
        if len(word) < 3:
            return None
        if len(word) == 3:
            known = word in english_words().common or word in english_words().proper
            return None if known or not any(own.startswith(word) for own in self._long) else _KNOWN
        if self.clipped and word.startswith(self.clipped):
            return _KNOWN
        if len(word) > 4 and any(word in code for code in self.codes):
            return _KNOWN
        dictionary = english_words()
        is_name = word in dictionary.proper
        if not is_name and word not in dictionary.common and any(own.startswith(word) for own in self._long):
            return _KNOWN  # cut short, or before a character that could not be written
        return _LIKENESS if any(_resembles(word, own, is_name) for own in self._long) else None


def explain(input_: Input, original: Graph | None = None, lexicon: Lexicon | None = None) -> Explained:
    """Collect what an input explains.

    Parameters
    ----------
    input_, original
        The input, and the unmodified graph that it was made from, where there is one: systems may have seen
        either.
    lexicon
        Knows the surface forms of entities.
    """
    lexicon = _default_lexicon() if lexicon is None else lexicon
    entities = list(dict.fromkeys((*input_.entities, *(original.entities if original else ()))))
    properties = {name for entity in entities for name in (*entity.subject_of, *entity.object_of)}
    labels = list(dict.fromkeys(label(entity.term) for entity in entities))
    words: set[str] = set()
    kinds: set[str] = set()
    initials: set[str] = set()
    phrases: list[tuple[str, str]] = []
    for entity in entities:
        phrases += ((variant.text, entity.term) for variant in lexicon.variants(entity))
        kinds.update(word for noun in nouns(entity, input_.category) for word in noun.split())
    for text in (*labels, *(text for text, _ in phrases), *_around(input_)):
        words.update(name_words(text))
    for text in labels:
        own = name_words(text)
        words.update(_of_label(text, own))
        initials.update(_initials(own, 2))
    for name in properties:
        own = name_words(_CAMEL.sub(" ", name))
        words.update((*own, "".join(own)))
        initials.update(_initials(own, 3))
        if _ABOUT_OFFICES.search(name.lower()):
            words.update(_OFFICES)
    words |= set(_places(words, [name_words(text) for text in (*labels, *_around(input_))]))
    dates, years = _dates(entities, labels)
    numbers = [number for text in (*labels, *properties) for number in _values(text)]
    spans = {b - a - early for a in years for b in years if b > a for early in (0, 1)}
    return Explained(
        frozenset(words),
        frozenset(kinds),
        frozenset(stem(word) for word in words if len(word) > 3),
        frozenset(initials),
        tuple(dict.fromkeys("".join(name_words(text)) for text in labels)),
        tuple({folded(part) for text in labels for part in _CLIPPED.findall(text)} - {""}),
        frozenset(
            word
            for entity in entities
            if nature(entity) == "person"
            for word in name_words(label(entity.term))
        ),
        Names.of(phrases),
        dates,
        years,
        tuple(q for entity in entities if (q := entity_quantity(entity)) is not None),
        frozenset(numbers),
        frozenset(spans),
        _counts(input_),
        tuple(word for word in words if len(word) > 3 and not word.isdigit()),
    )


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return a word without a common ending.

    Examples
    --------
    >>> stem("directors") == stem("directed") == stem("director")
    False
    >>> stem("producers") == stem("produced")
    True
    """
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) > 3:
            return word.removesuffix(suffix).rstrip("e")
    return word.rstrip("e") if len(word) > 4 else word


@lru_cache(maxsize=1)
def _default_lexicon() -> Lexicon:
    return Lexicon()


def _around(input_: Input) -> Iterator[str]:
    """Yield what else the input says: its category, for tables titles and headers."""
    if input_.category:
        yield _CAMEL.sub(" ", input_.category)
    if isinstance(input_, Table):
        yield from (input_.title, input_.section_title, input_.section_text)
        yield from (cell.value for cell in input_.cells if cell.is_header)


def _of_label(text: str, own: Name) -> Iterator[str]:
    """Yield the words that a text may have for a label besides its own."""
    yield from name_words(_CAMEL.sub(" ", text))
    for first, second in pairwise(own):
        yield first + second
    if not text.isascii():  # characters that a system could not write
        yield from name_words("".join(c if c.isascii() else "" for c in text))
        yield from name_words("".join(c if c.isascii() else " " for c in text))
    for part in text.split(","):
        for abbreviation in state_abbreviations().get(part.strip().casefold(), ()):
            yield from name_words(abbreviation)


def _initials(words: Name, least: int) -> Iterator[str]:
    for start in range(len(words)):
        all_, main = "", ""
        for word in words[start : start + _LONGEST_INITIALS]:
            all_ += word[0]
            main += "" if word in _SMALL_WORDS else word[0]
            yield from (letters for letters in (all_, main) if len(letters) >= least)


def _places(words: set[str], labels: Iterable[Name]) -> Iterator[str]:
    """Yield the words for places that the labels name, and for what is derived from them, both ways."""
    names, derived = by_name(), by_derived_word()
    for own in labels:
        for start in range(len(own)):
            for end in range(start + 1, min(len(own), start + _LONGEST_PLACE) + 1):
                if place := names.get(" ".join(own[start:end])):
                    yield from _words_of((*place.names, *place.derived))
    for word in words:
        for place in derived.get(word, ()):
            yield from _words_of((*place.names, *place.derived))


def _words_of(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _cached_words(text)


@lru_cache(maxsize=1 << 12)
def _cached_words(text: str) -> Name:
    own = name_words(text)
    return (*own, "".join(own)) if "." in text else own


def _dates(entities: Iterable[Entity], labels: Iterable[str]) -> tuple[tuple[DateValue, ...], frozenset[int]]:
    dates: dict[DateValue, None] = {}
    whole = set()
    for entity in entities:
        if (date := entity_date(entity)) is not None:
            dates[date] = None
            whole.add(label(entity.term))
    for text in labels:
        if text in whole:
            continue
        for found in find_dates(text):
            dates.update(dict.fromkeys(found.values))
        for season in _SEASON.finditer(text):
            dates[PartialDate(int(season[1] + season[2]))] = None
    years: set[int] = set()
    for date in dates:
        ends = (date.first, date.last) if isinstance(date, DateRange) else (date,)
        years.update(end.year for end in ends if end.year is not None)
    return tuple(dates), frozenset(years)


def _values(text: str) -> Iterator[Decimal]:
    for number in find_numbers(text):
        yield from (abs(value) for value in number.values)
    yield from (Decimal(digits) for digits in _DIGITS.findall(text) if len(digits) < 20)


def _counts(input_: Input) -> frozenset[int]:
    """Return how many subjects or objects share what they are said of."""
    groups: dict[tuple[str, str, str], set[str]] = {}
    if isinstance(input_, Graph):
        for triple in input_.triples:
            groups.setdefault(("", triple.subject, triple.predicate), set()).add(triple.object)
            groups.setdefault(("object", triple.predicate, triple.object), set()).add(triple.subject)
            groups.setdefault(("property", triple.predicate, ""), set()).add(triple.object)
    else:
        for cell in input_.cells:
            groups.setdefault(("", cell.attribute, ""), set()).add(f"{cell.row} {cell.value}")
    return frozenset(len(group) for group in groups.values() if len(group) > 1)


def _resembles(word: str, own: str, is_name: bool) -> bool:
    """Tell whether a word may be a misspelling, clipping or inflection of one of the input."""
    if abs(len(word) - len(own)) > 4:
        return False
    longest = max(len(word), len(own))
    limit = int(0.34 * longest)
    distance = _osa_distance()(word, own, score_cutoff=limit)
    if distance <= limit and (longest >= 7 and distance == 1 if is_name else distance == 1 or longest > 5):
        return True
    shared = 0
    for a, b in zip(word, own, strict=False):
        if a != b:
            break
        shared += 1
    shortest = min(len(word), len(own))
    # Austria is no inflection of Australia, though most of it is the same.
    return shared > 3 and shared >= (1.0 if is_name else 0.7) * shortest


@lru_cache(maxsize=1)
def _osa_distance() -> Callable[..., int]:
    # Imported when first needed, but not anew for each of many comparisons.
    from rapidfuzz.distance import OSA

    return OSA.distance


@lru_cache(maxsize=1)
def title_words() -> frozenset[str]:
    """Return the folded titles before names: mr, dr, sir.

    Examples
    --------
    >>> "mr" in title_words()
    True
    """
    return frozenset(
        word
        for position, words in load("titles").rows
        if position == "before"
        for form in values(words)
        for word in map(folded, form.rstrip(".").split())
        if word
    )
