"""The embedded linker: names that are known on this machine, found by longest match.

It knows the names of places, those of the entities of a corpus, and those in index files. In a cased text a
name must be cased; common words are names only with a capital inside a sentence, or together with other
words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, pairwise
from operator import attrgetter
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.errors import DataError
from esascore.lexicon import label
from esascore.lexicon.entity_types import nature_in, type_words
from esascore.lexicon.known_names import corpus_names
from esascore.lexicon.places import WORDLISTS as PLACES
from esascore.lexicon.places import by_derived_word, by_name, key
from esascore.link.base import LinkedMention, Links
from esascore.link.equality import EntityNames, canonical
from esascore.link.gazetteer.index import (
    ALIAS,
    BARE,
    LABEL,
    PAGE,
    PAIR_FACTOR,
    REDIRECT,
    Candidate,
    NameIndex,
    NameRecord,
    word_hash,
)
from esascore.model import Example, Input
from esascore.text.casing import is_written_as
from esascore.text.document import Document, read
from esascore.text.vocabulary import WEEKDAYS, english_words, function_words, month_numbers
from esascore.text.vocabulary import WORDLISTS as VOCABULARY
from esascore.text.words import Phrase, folded_key, name_words, property_key, words_as_written
from esascore.wordlists import lexicon_digest, load

VERSION = "gazetteer.v1"
"""Changes with every change of the rules that can change a link."""

CONFIDENCE: Mapping[str, float] = {
    "input": 0.95,
    "written": 0.95,
    "only": 0.9,
    "folded": 0.8,
    "type": 0.75,
    "rank": 0.7,
    "common": 0.5,
}
"""How sure a link is, as an order and no probability: the least of what holds of the entity (it is in the
``input``; the ``only`` one of that name; of a ``type`` that is wanted; the first of several by ``rank``) and
of the mention (``written`` as names are; ``folded``: capitals tell nothing; all words are ``common``)."""

_PLACE = "place"
_LONGEST_LABEL = 100
_BATCH = 512
_COARSE: Mapping[str, str] = {
    "per": "person",
    "loc": "place",
    "location": "place",
    "gpe": "place",
    "fac": "building",
    "org": "organisation",
    "organization": "organisation",
}
# Between words of a name only where the name has it, too.
_SEPARATORS = ',;:!?()[]{}"“”«»/|\n'


class Gazetteer:
    """Finds the names that an index knows.

    Parameters
    ----------
    indexes
        Indexes of names; of candidates of equal kind those of the first index stand first.

    Examples
    --------
    >>> gazetteer = gazetteer_linker([])
    >>> [links] = gazetteer.link(["The dish comes from New Zealand."])
    >>> [(link.text, link.entity, link.type) for link in links]
    [('New Zealand', 'New_Zealand', 'place')]
    """

    def __init__(self, indexes: Sequence[NameIndex]):
        self.indexes = tuple(indexes)
        self._beginnings = _combined([index.beginnings for index in self.indexes])
        self._names = EntityNames(self.indexes)
        self._common = english_words().common
        self._unnamed = frozenset((*month_numbers(), *WEEKDAYS))
        self._wanted = lru_cache(maxsize=1 << 12)(self._look_at)
        self._reading = lru_cache(maxsize=1 << 16)(self._read)

    def __reduce__(self) -> tuple[Any, ...]:
        return Gazetteer, (self.indexes,)

    def link(self, texts: Sequence[str], documents: Sequence[Document] | None = None) -> list[Links]:
        """Return the links of each text; of several entities of one name one of the input is preferred."""
        known = list(map(read, texts)) if documents is None else documents
        if len(known) != len(texts):
            raise DataError(f"{len(texts)} texts, but {len(known)} documents: each text needs one")
        links: list[Links] = []
        for first in range(0, len(known), _BATCH):
            for index in self.indexes:
                index.check()
            batch = known[first : first + _BATCH]
            begins = _beginnings_in([document.words.texts for document in batch], self._beginnings)
            links += map(self._link, batch, begins)
        return links

    def version(self) -> str:
        """Return the version of the rules, and a hash of all names and word lists."""
        parts = [index.digest for index in self.indexes]
        parts.append(lexicon_digest((*VOCABULARY, *PLACES, "languages", "type_words")))
        return f"{VERSION}({hashlib.sha256(':'.join(parts).encode()).hexdigest()[:12]})"

    def _link(self, document: Document, begins: Sequence[tuple[int, bool]]) -> Links:
        if not begins:
            return ()
        wanted = self._wanted(document.input)
        found = list(self._find(document, begins, wanted.entities))
        ranked = wanted.natures and any(reading.evidence == "rank" for *_, reading in found)
        missing = self._missing(wanted, found) if ranked else frozenset()
        links = []
        for start, end, reading in found:
            chosen, evidence = reading.candidates[0], reading.evidence
            typed = (c for c in reading.candidates if missing and _nature_of(c.type) in missing)
            if evidence == "rank" and (fitting := next(typed, None)):
                chosen, evidence = fitting, "type"
            sure = min(CONFIDENCE[evidence], CONFIDENCE[reading.written])
            said = document.text[start:end]
            links.append(LinkedMention(start, end, said, chosen.entity, sure, chosen.type))
        return tuple(links)

    def _find(
        self, document: Document, begins: Sequence[tuple[int, bool]], own: frozenset[str]
    ) -> Iterator[_Match]:
        words, done = document.words.texts, 0
        for at, longer in begins:
            if at < done or not ((alone := self._can_be_a_name(document, at)) or longer):
                continue
            names = {name for index in self.indexes for name in index.prefixes(words, at)}
            for name in sorted(names, key=len, reverse=True):  # one begins with the other
                size = name.count(" ")
                if (size > 1 or alone) and (matched := self._matched(document, at, at + size, name, own)):
                    yield matched
                    done = at + size
                    break

    def _can_be_a_name(self, document: Document, at: int) -> bool:
        """Return whether a word alone may be a name: no common word without capital inside a sentence."""
        word, casing = document.words.texts[at], document.casing
        if word in self._unnamed or word not in self._common:
            return word not in self._unnamed and not word.isdigit()
        is_capital = document.text[document.words.starts[at]].isupper()
        return is_capital and not casing.begins(at) and casing.tell(at)

    def _matched(
        self, document: Document, at: int, end: int, name: str, own: frozenset[str]
    ) -> _Match | None:
        """Return what a span of words means; None if it is not a name there."""
        words, casing = document.words, document.casing
        if end - at > 1 and casing.crossed(at, end):
            return None
        start, stop = words.starts[at], words.ends[end - 1]
        span = document.text[start:stop]
        reading = self._reading(name, span, casing.tell(at), casing.begins(at))
        if reading is None:
            return None
        for candidate in reading.candidates:
            if candidate.entity in own and not _hides(candidate, span):
                return start, stop, _Reading((candidate,), "input", reading.written)
        return start, stop, reading

    def _read(self, name: str, span: str, told: bool, begins: bool) -> _Reading | None:
        """Return what a name may mean where it is written like that; None if it is not a name then.

        ``told`` says whether capitals tell names there, ``begins`` whether a sentence begins there.
        """
        folded = name.split()
        if all(word.isdigit() or word in self._unnamed for word in folded):
            return None
        all_common = all(map(self._common.__contains__, folded))
        if not told and not _is_name_without_capitals(folded, all_common):
            return None
        fitting = [c for index in self.indexes for c in index.candidates(name) if c.kind != PAGE]
        if told:
            written = words_as_written(span)
            fitting = [c for c in fitting if is_written_as(written, c.words, begins=begins)]
            if all_common and begins and not any(word[0].isupper() for word in written[1:]):
                told = False
        marks = {mark for mark in _SEPARATORS if mark in span}
        fitting = [c for c in fitting if marks.issubset(c.name)]
        if not fitting:
            return None
        fitting.sort(key=attrgetter("kind"))
        how = "common" if all_common and not (told and span != span.lower()) else "written"
        if how == "written" and (not told or (begins and len(folded) == 1)):
            how = "folded"
        several = any(c.entity != fitting[0].entity for c in fitting)
        return _Reading(tuple(fitting), "rank" if several else "only", how)

    def _look_at(self, input_: Input) -> _Wanted:
        titles = {entity: self._names.entity(entity.term) for entity in input_.entities}
        known = ((title, nature_in(entity, input_)) for entity, title in titles.items())
        own = (canonical(entity.term) for entity in titles)
        return _Wanted(
            frozenset((*own, *titles.values())), tuple((title, kind) for title, kind in known if kind)
        )

    def _missing(self, wanted: _Wanted, found: Sequence[_Match]) -> frozenset[str]:
        """Return the natures of the input's entities that nothing found so far can be."""
        named = {self._names.entity(reading.candidates[0].entity) for *_, reading in found}
        return frozenset(known for entity, known in wanted.natures if entity not in named)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a text should name: titles of the input's entities, and the natures of those where known."""

    entities: frozenset[str]
    natures: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    candidates: tuple[Candidate, ...]
    evidence: str
    written: str


_Match = tuple[int, int, _Reading]
"""Where a name begins and ends, and what it may mean there."""


def gazetteer_linker(
    paths: Sequence[str | PathLike[str]] = (), examples: Sequence[Example] = ()
) -> Gazetteer:
    """Make the linker of the names of places, of the entities of a corpus, and of index files.

    Parameters
    ----------
    paths
        Files that ``esascore linker build`` made.
    examples
        A corpus; names of common words that its references use as such are left out.

    Raises
    ------
    DataError
        A file cannot be read, is damaged, or is not an index.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> corpus = [Example("Id1", Graph.from_triples([("Kestrel_Arena", "location", "Oslo")]))]
    >>> [links] = gazetteer_linker(examples=corpus).link(["kestrel arena is in oslo."])
    >>> [(link.entity, link.confidence) for link in links]
    [('Kestrel_Arena', 0.5), ('Oslo', 0.8)]
    """
    return gazetteer_of([NameIndex.open(path) for path in paths], examples)


def gazetteer_of(indexes: Sequence[NameIndex], examples: Sequence[Example] = ()) -> Gazetteer:
    """Make the same linker of indexes that are open already."""
    known = NameIndex.of((*_corpus_records(examples), *_place_records()))
    return Gazetteer((known, *indexes))


def _corpus_records(examples: Sequence[Example]) -> Iterator[NameRecord]:
    if not examples:
        return
    known = corpus_names(examples)
    types: dict[str, str | None] = {}
    for example in examples:
        for entity in example.input.entities:
            types[entity.term] = types.get(entity.term) or nature_in(entity, example.input)
    for term, type_ in types.items():
        name = label(term)
        if len(name) <= _LONGEST_LABEL and name_words(name) in known:
            yield NameRecord(name, canonical(term), LABEL, 0, type_)
            bare = name.partition(" (")[0]
            if bare != name and name.endswith(")") and any(map(str.isalpha, bare)):
                yield NameRecord(bare, canonical(term), BARE, 0, type_)


@cache
def _place_records() -> tuple[NameRecord, ...]:
    languages = {name for _, name in load("languages").rows}
    found: dict[NameRecord, None] = {}
    for place in dict.fromkeys(by_name().values()):
        entity = canonical(place.names[0])
        for number, name in enumerate(place.names):
            found[NameRecord(name, entity, ALIAS if number else LABEL, 0, _PLACE)] = None
        for word in place.derived:
            found[NameRecord(word, entity, ALIAS, 0, _PLACE)] = None
            if word in languages:
                found[NameRecord(word, f"{word}_language", ALIAS, 0, "language")] = None
    return tuple(found)


def _hides(candidate: Candidate, span: str) -> bool:
    """Return whether a mere alias of an entity is what a place is called, which would hide that place."""
    if candidate.kind not in (REDIRECT, ALIAS):
        return False
    name = key(span)
    places = [*filter(None, (by_name().get(name),)), *by_derived_word().get(name, ())]
    own = folded_key(candidate.entity)
    return bool(places) and all(own != folded_key(n) for place in places for n in place.names)


def _is_name_without_capitals(words: Sequence[str], all_common: bool) -> bool:
    first, last = words[0], words[-1]
    small = function_words("number")
    if len(words) == 1:
        return not all_common and first not in small
    if last in small or (first in small and first != "the"):
        return False
    return not (all_common and first == "the")


def _beginnings_in(texts: Sequence[Phrase], bits: NDArray[np.uint8]) -> list[list[tuple[int, bool]]]:
    """Return the words of each text at which a name may begin, and whether one of several words may.

    Of most words, two bits tell that none does.
    """
    sizes = np.array(list(map(len, texts)))
    total = int(sizes.sum())

    def may_begin(hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
        places = (hashes & np.uint64(8 * len(bits) - 1)).astype(np.int64)
        set_ = bits[places >> 3] >> (places & 7).astype(np.uint8) & 1
        return np.asarray(set_, np.bool_)

    hashes = np.fromiter(map(word_hash, chain.from_iterable(texts)), np.uint64, total)
    # The last word of a text is paired with the first of the next, which costs at most a needless look-up.
    longer = may_begin(hashes * np.uint64(PAIR_FACTOR) + np.roll(hashes, -1))
    found = np.flatnonzero(longer | may_begin(hashes))
    ends = np.cumsum(sizes)
    words = found - np.repeat(ends - sizes, sizes)[found]
    begins = list(zip(words.tolist(), longer[found].tolist(), strict=True))
    edges = [0, *np.searchsorted(found, ends).tolist()]
    return [begins[start:end] for start, end in pairwise(edges)]


def _combined(bits: Sequence[memoryview]) -> NDArray[np.uint8]:
    """Return the bits of several indexes as one: a hash is looked up modulo their number, a power of two."""
    size = max(map(len, bits), default=1)
    joined = np.zeros(size, np.uint8)
    for some in bits:
        joined |= np.tile(np.frombuffer(some, np.uint8), size // len(some))
    return joined


@lru_cache(maxsize=1 << 12)
def _nature_of(type_: str | None) -> str | None:
    """Return the nature that a type belongs to, as `esascore.lexicon.entity_types` names them."""
    if type_ is None:
        return None
    own = property_key(type_)
    known = type_words().get((own, "class"))
    return known[0] if known else _COARSE.get(own, own)
