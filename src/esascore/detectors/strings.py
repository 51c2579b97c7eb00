"""Names and literals found as strings: Algorithm 1 of the paper over the surface variants of each entity."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from esascore.align import hits, match
from esascore.align.matches import offsets_of
from esascore.data import term_key
from esascore.detectors.base import mention, mention_of
from esascore.lexicon import Lexicon, label
from esascore.lexicon.codes import names_of_code
from esascore.lexicon.entity_types import nature
from esascore.lexicon.rules import titles
from esascore.lexicon.user import is_user_source
from esascore.literals.quantities import is_found_as_number
from esascore.model import Input, Mention, once_per_input
from esascore.text.document import Document
from esascore.text.normalize import comparable, without_punctuation
from esascore.text.phrases import lengths_of
from esascore.text.symbols import may_have_tails, tail
from esascore.text.tokenize import split_white_space
from esascore.text.words import Phrase, folded_key, name_words

METHOD = "string"
_BREAKS = frozenset(',;:()"')
_ENDING = re.compile(r"[.!?:\n]")
_YEAR_ELSEWHERE = 0.012  # "the Serie B in 2015": the year is said, only not in the name
# On which side of a part of a person's name the rest of it would stand.
_NEIGHBOUR = {"first-name": 1, "last-name": -1}
_SHORT = 3  # letters of a value that must be capitals, too, if it has them: F, US, LED
_SAME_NAME = 0.5  # the distance up to which two words can be one part of a name
_MIDDLE_NAME = 0.008  # the cost of a person's name with other names inside


@dataclass(frozen=True, slots=True)
class Candidates:
    """The strings to look for in a text: normalised, with the entity and the variant behind each."""

    texts: tuple[str, ...]
    entities: tuple[str, ...]
    variants: tuple[str, ...]


class GreedyStrings:
    """Algorithm 1: the n-gram nearest to a candidate goes to its entity, until none is near enough.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Cyril_Bruce", "occupation", "Film_director")])
    >>> detector = GreedyStrings(Lexicon(sources=("label",), keep_underscores=True), max_distance=0.4)
    >>> [found] = detector.propose([Document(graph, "It was made by Cyril Bruce.")])
    >>> [(m.entity, m.text, round(m.distance, 3)) for m in found]
    [('Cyril_Bruce', 'Cyril Bruce.', 0.091)]
    """

    def __init__(self, lexicon: Lexicon, *, max_distance: float, backend: str = "auto"):
        self.max_distance, self.backend = max_distance, backend
        self._candidates = once_per_input(partial(candidates_of, lexicon))

    def propose(self, documents: Sequence[Document]) -> list[list[Mention]]:
        """Return the mentions of each document in order of selection."""
        candidates = [self._candidates(document.input) for document in documents]
        tokens = [split_white_space(document.text) for document in documents]
        texts = list(map(comparable, tokens))
        items = [(names.texts, one.text) for names, one in zip(candidates, texts, strict=True)]
        found = match(items, max_distance=self.max_distance, backend=self.backend)
        proposals: list[list[Mention]] = [[] for _ in documents]
        columns = (found.item, found.candidate, found.start, found.end, found.distance)
        for item, candidate, first, last, distance in zip(*(c.tolist() for c in columns), strict=True):
            names, kept = candidates[item], texts[item].tokens
            start, end = tokens[item].starts[kept[first]], tokens[item].ends[kept[last - 1]]
            entity, variant = names.entities[candidate], names.variants[candidate]
            made = mention(documents[item].text, start, end, entity, METHOD, distance, variant)
            proposals[item].append(made)
        return proposals


def candidates_of(lexicon: Lexicon, input_: Input) -> Candidates:
    """Return the candidates of an input in the order of its entities, without repetition in an entity."""
    texts: list[str] = []
    entities: list[str] = []
    variants: list[str] = []
    for entity in input_.entities:
        own: set[str] = set()
        for variant in lexicon.variants(entity):
            text = " ".join(filter(None, map(without_punctuation, variant.text.split()))).strip("_")
            if text and text not in own:
                own.add(text)
                texts.append(text)
                entities.append(entity.term)
                variants.append(variant.text)
    return Candidates(tuple(texts), tuple(entities), tuple(variants))


class _Form(NamedTuple):  # made by the dozen for every name
    """A variant ready to be looked up: its folded words, and what to say when they are found.

    ``year`` is what the label has before the variant, where that is a number ("2015 Serie B"); ``part`` tells
    that it is only the first or last name of a person, ``person`` that it is a name of one. ``limit`` is the
    largest distance of an approximate match. ``tail`` are the symbols at its end, which a text must have,
    too; ``capitals`` tells that it is a few capitals, which are no word in small letters.
    """

    words: tuple[str, ...]
    text: str
    entity: str
    variant: str
    cost: float
    year: str = ""
    part: str = ""
    person: bool = False
    limit: float = 0.0
    tail: str = ""
    capitals: bool = False


class _Own(NamedTuple):
    """The forms of one entity: by their words, those that may be matched approximately, and a person's label.

    ``person`` is the label of a person with a first and a last name, between which a text may put more.
    """

    by_words: Mapping[Phrase, tuple[_Form, ...]]
    inexact: tuple[_Form, ...]
    person: _Form | None

    @classmethod
    def of(cls, forms: Sequence[_Form]) -> _Own:
        """Put forms in order, the first of which is the label."""
        person = forms[0] if forms and forms[0].person and len(forms[0].words) == 2 else None
        return cls(
            {form.words: (form,) for form in forms},
            tuple([form for form in forms if form.limit > 0]),
            None if person is None else person._replace(cost=_MIDDLE_NAME),
        )


class _Question(NamedTuple):
    """Forms to look for approximately, with the text and the limit of each, and the largest limit."""

    forms: tuple[_Form, ...]
    texts: tuple[str, ...]
    limits: NDArray[np.float64]
    most: Fraction


@dataclass(frozen=True, slots=True)
class _Forms:
    """The variants of an input: by their words for exact look-up, by entity for approximate.

    ``lengths`` has the numbers of words of the forms that begin with a word. ``of_persons`` are the labels of
    persons with a first and a last name, between which a text may put more. ``keys`` are the entities of
    ``inexact`` with their `term_key`, ``questions`` those that texts have raised, by the entities that they
    are about.
    """

    by_words: dict[Phrase, tuple[_Form, ...]]
    lengths: dict[str, tuple[int, ...]]
    inexact: dict[str, tuple[_Form, ...]]
    of_persons: tuple[_Form, ...]
    keys: tuple[tuple[str, Hashable], ...]
    questions: dict[tuple[str, ...], _Question] = field(default_factory=dict)

    def question(self, entities: tuple[str, ...]) -> _Question:
        """Return the question for these entities; the same object for all texts, whose work it shares."""
        known = self.questions.get(entities)
        if known is None:
            forms = tuple([form for entity in entities for form in self.inexact[entity]])
            texts, limits = tuple([form.text for form in forms]), [form.limit for form in forms]
            most = _fraction(max(limits))
            known = self.questions[entities] = _Question(forms, texts, np.array(limits, np.float64), most)
        return known


@lru_cache(1 << 6)
def _fraction(limit: float) -> Fraction:
    return Fraction(repr(limit))


class VariantStrings:
    """Exact matches of all variants; approximate ones only for entities that have no strong exact match.

    Parameters
    ----------
    lexicon
        Knows the variants of an entity.
    lengths, distances
        How far an approximate match may be: upper bounds of the length of a variant in ascending order, and
        the largest distance up to each and beyond the last. Digits are never approximate.
    strong
        The cost up to which an exact match makes approximate ones of the same entity needless, and up to
        which a variant may be matched approximately at all.
    backend
        Which implementation of the alignment core to use; never changes a result.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Abilene,_Texas", "mayor", "Norm_Archibald")])
    >>> lexicon = Lexicon(sources=("label", "before-comma"))
    >>> detector = VariantStrings(lexicon, lengths=(4, 10), distances=(0.0, 0.2, 0.3), strong=0.03)
    >>> [found] = detector.propose([Document(graph, "Norm Archibold is the mayor of Abilene.")])
    >>> [(m.entity, m.text, round(m.distance, 3)) for m in found][:2]
    [('Abilene,_Texas', 'Abilene', 0.0), ('Norm_Archibald', 'Norm Archibold', 0.071)]
    """

    def __init__(
        self,
        lexicon: Lexicon,
        *,
        lengths: Sequence[int],
        distances: Sequence[float],
        strong: float,
        backend: str = "auto",
    ):
        self.lexicon, self.backend = lexicon, backend
        self.lengths, self.distances, self.strong = lengths, distances, strong
        self._forms = once_per_input(self._forms_of)
        # A term stands among many properties, of which only the kind of thing matters. By type, since a value
        # of an attribute equals a term that reads the same.
        self._of_term = lru_cache(1 << 12, typed=True)(self._forms_of_term)

    def propose(self, documents: Sequence[Document]) -> list[list[Mention]]:
        """Return exact and approximate matches, which may overlap."""
        proposals: list[list[Mention]] = []
        questions: list[tuple[int, _Question]] = []
        of_input: dict[int, _Forms] = {}  # several systems' texts share one input
        for position, document in enumerate(documents):
            forms = of_input.get(id(document.input))
            if forms is None:
                forms = of_input[id(document.input)] = self._forms(document.input)
            exact = _exact(document, forms)
            proposals.append(exact)
            sure = {term_key(m.entity) for m in exact if m.cost <= self.strong}
            open_ = tuple([entity for entity, key in forms.keys if key not in sure])
            if open_:
                questions.append((position, forms.question(open_)))
        if questions:
            self._approximate(documents, questions, proposals)
        return proposals

    def _approximate(
        self,
        documents: Sequence[Document],
        questions: Sequence[tuple[int, _Question]],
        proposals: list[list[Mention]],
    ) -> None:
        found = hits(
            [(question.texts, documents[at].words.joined) for at, question in questions],
            max_distance=max(question.most for _, question in questions),
            backend=self.backend,
        )
        if not len(found):  # most texts
            return
        distances = found.distance
        first_form = offsets_of([len(question.forms) for _, question in questions])
        limits = np.concatenate([question.limits for _, question in questions])
        near = distances <= limits[first_form[found.item] + found.candidate]
        columns = (found.item, found.candidate, found.start, found.end, distances)
        for item, candidate, first, last, distance in zip(*(c[near].tolist() for c in columns), strict=True):
            position, question = questions[item]
            form = question.forms[candidate]
            document = documents[position]
            words = document.words.texts[first:last]
            if _digits(form.words) != _digits(words):
                continue
            if form.person and not _is_same_person(form.words, words):
                continue
            begin, end = document.words.starts[first], document.words.ends[last - 1]
            if _is_torn(document, begin, end, form):
                continue
            if (end := _end_with_tail(document, first, end, form)) == begin:
                continue
            # What the variant does not say may not be skipped: "Amatriciana, a sauce" is not a name.
            if _BREAKS.intersection(document.text[begin:end]).issubset(form.variant):
                proposals[position].append(_proposal(document.text, begin, end, form, form.cost, distance))

    def _forms_of(self, input_: Input) -> _Forms:
        by_words: dict[Phrase, tuple[_Form, ...]] = {}
        inexact: dict[str, tuple[_Form, ...]] = {}
        persons = []
        # Only the detector of numbers tells numbers apart, unless a user has other forms of them.
        for entity in input_.entities if self.lexicon.user else input_.worded:
            if (numeric := is_found_as_number(entity)) and not self.lexicon.user:
                continue
            own = self._of_term(entity.term, nature(entity), names_of_code(entity), numeric, entity.names)
            if by_words.keys().isdisjoint(own.by_words):
                by_words.update(own.by_words)
            else:
                for words, forms in own.by_words.items():
                    by_words[words] = (*by_words.get(words, ()), *forms)
            if own.inexact:
                inexact[entity.term] = own.inexact
            if own.person is not None:
                persons.append(own.person)
        keys = tuple([(entity, term_key(entity)) for entity in inexact])
        return _Forms(by_words, lengths_of(by_words), inexact, tuple(persons), keys)

    def _forms_of_term(
        self, term: str, kind: str | None, names: tuple[str, ...], numeric: bool, linked: tuple[str, ...]
    ) -> _Own:
        own: dict[str, _Form] = {}
        whole = folded_key(label(term))
        person = kind == "person"
        for variant in self.lexicon.variants_of_term(term, kind, names, linked):
            if numeric and not is_user_source(variant.source):
                continue
            text = folded_key(variant.text)
            if text and (text not in own or own[text].cost > variant.cost):
                before = whole.removesuffix(f" {text}")
                year = before if before != whole and before.isdigit() else ""
                part = variant.source if variant.source in _NEIGHBOUR else ""
                approximate = variant.cost <= self.strong
                limit = self.distances[bisect_left(self.lengths, len(text))] if approximate else 0.0
                words = tuple(text.split(" "))
                capitals = len(text) <= _SHORT and variant.text.isupper() and not _digits(words)
                own[text] = _Form(
                    words, text, term, variant.text, variant.cost, year, part, person, limit,
                    _tail(variant.text), capitals,
                )  # fmt: skip
        return _Own.of(list(own.values()))


def _exact(document: Document, forms: _Forms) -> list[Mention]:
    text, read = document.text, document.words
    words, starts, ends = read.texts, read.starts, read.ends
    lengths, by_words, size = forms.lengths, forms.by_words, len(read.texts)
    brackets = "(" in text
    endings = _ENDING.search(text, 0, len(text) - 1) is not None  # in one sentence nothing can be torn
    symbols = may_have_tails(text)
    found = []
    for first in compress(range(len(words)), map(lengths.__contains__, words)):
        for length in lengths[words[first]]:
            last = first + length
            if last > size:
                continue
            for form in by_words.get(words[first:last], ()):
                cost, begin, end = form.cost, starts[first], ends[last - 1]
                if endings and length > 1 and _is_torn(document, begin, end, form):
                    continue
                if form.part and _is_of_another(document, first, last, form):
                    continue
                if form.year and form.year in words:
                    cost = min(cost, _YEAR_ELSEWHERE)
                checked = symbols or form.tail or form.capitals
                if checked and (end := _end_with_tail(document, first, end, form)) == begin:
                    continue
                # Each bracket that a mention opens is closed in it or right after it.
                if not brackets or text.count("(", begin, end) <= text.count(")", begin, end + 2):
                    said = text[begin:end]
                    # `_proposal`, without the call: this runs for every match.
                    own = form.entity, begin, end, said, METHOD, 0.0, form.variant, cost, ()
                    found.append(mention_of(own))
    for form in forms.of_persons:
        if form.words[0] in words and form.words[1] in words:
            found.extend(_with_middle_names(document, words, form))
    return found


def _is_torn(document: Document, begin: int, end: int, form: _Form) -> bool:
    """Return whether a sentence ends inside a match, unless the form itself has such an end: Yahoo! Inc."""
    if not _ENDING.search(document.text, begin, end) or _ENDING.search(form.variant):
        return False
    starts = document.words.starts
    return document.casing.crossed(bisect_left(starts, begin), bisect_left(starts, end))


def _is_same_person(name: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether each part of a person's name resembles what stands for it: Jane Doe is not Ada Doe."""
    from rapidfuzz.distance.Levenshtein import normalized_distance

    if len(name) != len(words):
        return True
    return all(normalized_distance(one, other) <= _SAME_NAME for one, other in zip(name, words, strict=True))


def _is_of_another(document: Document, first: int, last: int, form: _Form) -> bool:
    """Return whether a first or last name stands in the full name of somebody else: Alan of "Alan Smith"."""
    after = _NEIGHBOUR[form.part] > 0
    text, words = document.text, document.words
    low, high = (last - 1, last) if after else (first - 1, first)
    neighbour = high if after else low
    # Words and characters of the text tell most cases; its tokens and sentences take longer to find.
    if low >= 0 and high < len(words) and not text[words.ends[low] : words.starts[high]].strip():
        word, letter = words.texts[neighbour], text[words.starts[neighbour]]
    else:
        word = ""
        letter = text[words.ends[low] :].lstrip()[:1] if after else text[: words.starts[high]].rstrip()[-1:]
    if not letter.isupper() or word in _folded_label(form.entity) or word in titles()[0]:
        return False
    if after:
        return True
    # A word may be capitalised as the first of a sentence.
    if word:
        return words.starts[neighbour] not in document.sentence_places
    return document.word_tokens[first] - 1 not in document.sentences


@lru_cache(maxsize=1 << 12)
def _folded_label(term: str) -> frozenset[str]:
    return frozenset(name_words(label(term)))


def _with_middle_names(document: Document, words: Sequence[str], form: _Form) -> Iterator[Mention]:
    """Yield "Olga Nikolaevna Bondareva" for Olga Bondareva: up to two capitalised words in between."""
    for first in compress(range(len(words)), map(form.words[0].__eq__, words)):
        for last in range(first + 2, min(first + 4, len(words))):
            if words[last] != form.words[1]:
                continue
            between = document.tokens.texts[document.word_tokens[first] + 1 : document.word_tokens[last]]
            if all(w == "." or w[:1].isupper() for w in between):
                begin, end = document.words.starts[first], document.words.ends[last]
                if not _is_torn(document, begin, end, form):
                    yield _proposal(document.text, begin, end, form, form.cost, 0.0)


def _proposal(text: str, begin: int, end: int, form: _Form, cost: float, distance: float) -> Mention:
    return mention_of((form.entity, begin, end, text[begin:end], METHOD, distance, form.variant, cost, ()))


def _tail(variant: str) -> str:
    """Return the symbols at the end of a variant."""
    end = len(variant.rstrip("+#"))
    return tail(variant, end)[0] if end else ""


def _end_with_tail(document: Document, first: int, end: int, form: _Form) -> int:
    """Return where the symbols after a form end; where it begins if they are not the form's.

    A value of up to three capitals is no word in small letters, and "A" no article.
    """
    start = document.words.starts[first]
    told = document.casing.tell(first) or (len(form.text) == 1 and not document.text.islower())
    if form.capitals and told:
        said = document.text[start:end]
        article = said in ("A", "I") and document.text[end : end + 1] == " "  # not the grades A+ and A
        if not said.isupper() or (article and document.casing.begins(first)):
            return start
    symbols, last = tail(document.text, end)
    return last if symbols == form.tail else start


def _digits(words: Sequence[str]) -> str:
    joined = "".join(words)
    return "" if joined.isalpha() else "".join(filter(str.isdigit, joined))
