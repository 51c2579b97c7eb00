"""Ways to remove an entity from an annotated text, as edits: of its mentions, its clause, or one digit."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from esascore.gold.mentions.benchmark import AnnotatedText
from esascore.gold.mentions.forms import (
    all_content_words,
    content_words,
    kind_of,
    label_of,
    literal_kind,
    word_string,
)
from esascore.gold.mentions.locate import located, overlap
from esascore.model import Entity, Example, Span
from esascore.text.document import read
from esascore.text.vocabulary import function_words

_CLAUSE_START = re.compile(
    r"[,;]?\s(?=(?:which|who|whose|where|while|whereas|but)\s|and\s(?:is|was|are|were|has|have|had|it|its|he|"
    r"his|she|her|they|their|also)\s)"
)

DIGITS = "0123456789"
_LONGEST = 80
"""Characters of the longest mention that is used: annotations that swallowed a clause are longer."""
Option = tuple[int, str]
"""A position in a string, and the digit to be put there."""
_LETTERS = re.compile(r"[^\W\d_]{3}")
_NUMBER = re.compile(r"[0-9]+")
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th)\b")
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_LAST_DAY = 28
_LAST_MONTH = 12
_POSSESSIVES = frozenset({"his", "its", "their", "whose", "hers", "theirs"})
_NOUN_FOLLOWS = re.compile(r"\s+(?!(?:in|on|at|by|for|from|to|with|and|or|as|of)\b)[^\W\d_]", re.IGNORECASE)
_PREPOSITION = re.compile(r"\b(?:in|of|at|by|from|to|for|on|with|as|near|within)\s+$", re.IGNORECASE)
_TWO_WORDS = re.compile(r"[A-Z][\w'’-]+ [A-Z][\w'’-]+")


def droppable(text: str, mentions: Iterable[Span]) -> list[Span]:
    """Spans that can be deleted: later clauses of a sentence, the shortest first, then whole sentences.

    No border lies within a mention. A text of one sentence has no sentence to spare.

    Examples
    --------
    >>> text = "Rome is a city, which is in Italy. It is old."
    >>> [text[slice(*span)] for span in droppable(text, [])]
    [', which is in Italy', 'Rome is a city, which is in Italy. ', ' It is old.']
    """
    inside = {position for start, end in mentions for position in range(start + 1, end)}
    document = read(text)
    firsts = (document.tokens.starts[first] for first in document.sentences[1:])
    ends = [first for first in firsts if first not in inside]
    sentences = list(zip([0, *ends], [*ends, len(text)], strict=True))
    clauses: list[Span] = []
    for start, end in sentences:
        body = start + len(text[start:end].rstrip().rstrip(".!?"))
        starts = [match.start() for match in _CLAUSE_START.finditer(text, start, body)]
        starts = [position for position in starts if inside.isdisjoint((position, position + 1))]
        clauses += pairwise([*starts, body])
    clauses.sort(key=lambda span: (span[1] - span[0], span))
    if len(sentences) == 1:
        return clauses
    *others, (start, end) = sentences
    return [*clauses, *others, (len(text[:start].rstrip()), end)]


def positions(mention: str) -> list[int]:
    """Return where the digits of a mention are.

    Examples
    --------
    >>> positions("1,299 m")
    [0, 2, 3, 4]
    """
    return [n for n, character in enumerate(mention) if character in DIGITS]


def options_of_number(mention: str) -> list[Option]:
    """Return all digits that can replace another; the first one is never 0.

    Examples
    --------
    >>> len(options_of_number("17")), (0, "0") in options_of_number("17"), (1, "0") in options_of_number("17")
    (17, False, True)
    """
    places = positions(mention)
    return [
        (n, digit)
        for n in places
        for digit in DIGITS
        if digit != mention[n] and not (n == places[0] and digit == "0")
    ]


def options_of_date(mention: str) -> list[Option]:
    """Digits that leave a possible date: one of the year's last two, or the last one of a day or month.

    Examples
    --------
    >>> options_of_date("May 1")[:3], len(options_of_date("1937"))
    ([(4, '2'), (4, '3'), (4, '4')], 18)
    """
    # Without the name of a month any of the small numbers may be one.
    latest = _LAST_DAY if _LETTERS.search(mention) else _LAST_MONTH
    found = []
    for match in _NUMBER.finditer(mention):
        start, end = match.span()
        is_year = end - start == 4
        changeable = 2 if is_year else int(end - start <= 2)
        for n in range(end - changeable, end):
            for digit in DIGITS:
                value = int(mention[start:n] + digit + mention[n + 1 : end])
                if digit != mention[n] and (is_year or 1 <= value <= latest):
                    found.append((n, digit))
    return found


def with_digit(mention: str, position: int, digit: str) -> str:
    """Replace a digit by another; ordinals get the ending that fits.

    Examples
    --------
    >>> with_digit("the 21st of May", 5, "8"), with_digit("1,299", 4, "8")
    ('the 28th of May', '1,298')
    """

    def ordinal(match: re.Match[str]) -> str:
        number = int(match[1])
        is_teen = number % 100 in (11, 12, 13)
        return match[1] + ("th" if is_teen else _ENDINGS.get(number % 10, "th"))

    return _ORDINAL.sub(ordinal, mention[:position] + digit + mention[position + 1 :])


class Donors:
    """Mentions of entities in a corpus of annotated texts that could replace others where they are wrong.

    A donor for an object of a graph fills the same property elsewhere in the corpus, a donor for a subject
    that is not an object has the same category. It is unrelated to the graph: no triple of the corpus joins
    it with an entity of the graph, no string was ever annotated for it and for one of those, and its mention
    shares no content word with graph or text.
    """

    def __init__(self, texts: Sequence[AnnotatedText]):
        self._names: dict[str, dict[str, None]] = {}
        self._strings: dict[str, set[str]] = {}
        self._neighbours: dict[str, set[str]] = {}
        self._of_property: dict[str, dict[str, None]] = {}
        self._of_category: dict[str | None, dict[str, None]] = {}
        for text in texts:
            self._add_mentions(text)
        for example in {text.cluster: text.example for text in texts}.values():
            self._add_graph(example)

    def choose(
        self, case: Case, entity: Entity, rng: random.Random, accept: Callable[[str], bool] = bool
    ) -> tuple[str, str] | None:
        """Choose a donor for an entity of a text: another entity and a mention of it; None if there is none.

        ``accept`` says which mentions can be used.
        """
        if entity.object_of:
            every = (term for name in entity.object_of for term in self._of_property.get(name, ()))
            listed = list(dict.fromkeys(every))
        else:
            listed = list(self._of_category.get(case.source.example.category, ()))
        rng.shuffle(listed)
        terms = {other.term for other in case.graph.entities}
        related = set().union(*(self._neighbours.get(term, ()) for term in terms)) | terms
        taken = set().union(*(self._strings.get(term, ()) for term in terms))
        avoid = case.words()
        for term in listed:
            if term in related or content_words(label_of(term)) & avoid:
                continue
            if not taken.isdisjoint(self._strings.get(term, ())):
                continue
            own = self._names.get(term, ())
            if names := [name for name in own if not content_words(name) & avoid and accept(name)]:
                return term, rng.choice(names)
        return None

    def _add_graph(self, example: Example) -> None:
        triples = example.input.triples
        objects = {triple.object for triple in triples}
        for triple in triples:
            self._neighbours.setdefault(triple.subject, set()).add(triple.object)
            self._neighbours.setdefault(triple.object, set()).add(triple.subject)
            self._of_property.setdefault(triple.predicate, {})[triple.object] = None
            if triple.subject not in objects:
                self._of_category.setdefault(example.category, {})[triple.subject] = None

    def _add_mentions(self, text: AnnotatedText) -> None:
        for mention, span in located(text.reference):
            string = without_possessive(text.reference.text[slice(*span)])
            words = content_words(string)
            if not words or kind_of(mention.text) in ("pronoun", "demonstrative"):
                continue
            self._strings.setdefault(mention.entity, set()).add(" ".join(sorted(words)))
            first = word_string(string).split()[0]
            if kind_of(string) != "name" or first in function_words("particle") or len(string) > _LONGEST:
                continue
            is_literal = literal_kind(mention.entity) in ("date", "number")
            if is_literal or words & content_words(label_of(mention.entity)):
                self._names.setdefault(mention.entity, {})[string] = None


def without_possessive(mention: str) -> str:
    """Return a mention without its ``'s``.

    Examples
    --------
    >>> without_possessive("Rome's"), without_possessive("The Beatles'")
    ('Rome', 'The Beatles')
    """
    for ending in ("'s", "’s", "`s"):
        if mention.endswith(ending):
            return mention.removesuffix(ending).rstrip()
    return mention.removesuffix("'").removesuffix("’") if mention.endswith(("s'", "s’")) else mention


class Case:
    """An annotated text about a graph, with the places of its mentions.

    ``spans`` holds the mentions of each entity of the graph all of whose mentions could be located, ``named``
    those that are neither pronouns nor demonstratives.
    """

    def __init__(self, source: AnnotatedText):
        self.source, self.graph, self.text = source, source.example.input, source.reference.text
        every: defaultdict[str, list[Span | None]] = defaultdict(list)
        named: defaultdict[str, list[Span]] = defaultdict(list)
        for mention, span in zip(source.reference.mentions, source.spans, strict=True):
            every[mention.entity].append(span)
            is_named = mention.kind != "pronoun" and kind_of(mention.text) not in ("pronoun", "demonstrative")
            if span is not None and is_named:
                named[mention.entity].append(span)
        terms = [entity.term for entity in self.graph.entities if None not in every.get(entity.term, [None])]
        self.spans = {term: [span for span in every[term] if span is not None] for term in terms}
        self.named = {term: named[term] for term in terms if term in named}

    def names(self, term: str) -> list[str]:
        """Return the mentions of an entity that are neither pronouns nor demonstratives."""
        return [self.text[slice(*span)] for span in self.named.get(term, ())]

    def bare(self, entity: Entity) -> list[str]:
        """Return all mentions of an entity without their possessives."""
        return [without_possessive(self.text[slice(*span)]) for span in self.spans[entity.term]]

    def names_of_others(self, term: str) -> list[Span]:
        """Mentions of other entities that share a word with its label, so that they are not mistakes."""
        return [
            span
            for other, spans in self.named.items()
            if other != term
            for span in spans
            if content_words(self.text[slice(*span)]) & content_words(label_of(other))
        ]

    def words(self) -> frozenset[str]:
        """Return the content words of graph and text."""
        return all_content_words([self.text, *(label_of(entity.term) for entity in self.graph.entities)])


class Edit(NamedTuple):
    """The text of a span gives way to ``new`` and its ``ending`` (a possessive); a deletion has neither."""

    span: Span
    new: str = ""
    ending: str = ""
    entity: str | None = None


class Removal(NamedTuple):
    """Edits, in order and without overlap; ``unit`` says what was deleted, a clause or a mention."""

    edits: Sequence[Edit]
    unit: str | None = None


Remover = Callable[[Case, Entity, Donors, random.Random], Removal | None]
"""Removes an entity from a text; None if this way is not possible."""


def rest(text: str, spans: Iterable[Span]) -> list[str]:
    """Return the pieces of a text between spans.

    Examples
    --------
    >>> rest("Rome is in Italy.", [(11, 16), (0, 4)])
    ['', ' is in ', '.']
    """
    pieces = []
    position = 0
    for start, end in sorted(spans):
        pieces.append(text[position:start])
        position = max(position, end)
    return [*pieces, text[position:]]


def _replace(case: Case, entity: Entity, donors: Donors, rng: random.Random) -> Removal | None:
    if (donor := donors.choose(case, entity, rng)) is None:
        return None
    term, mention = donor
    return _substitution(case, entity, [mention] * len(case.spans[entity.term]), term)


def _substitution(case: Case, entity: Entity, strings: Iterable[str], new: str | None = None) -> Removal:
    """Put strings in the place of the mentions of an entity, which are mentions of a new one."""
    pairs = zip(case.spans[entity.term], strings, strict=True)
    return Removal([Edit(span, string, _possessive(case.text, span), new) for span, string in pairs])


def _possessive(text: str, span: Span) -> str:
    """``'s`` if a mention is possessive, otherwise nothing."""
    mention = text[slice(*span)]
    is_pronoun = mention.casefold() in _POSSESSIVES or (
        mention.casefold() == "her" and _NOUN_FOLLOWS.match(text, span[1]) is not None
    )
    return "'s" if is_pronoun or without_possessive(mention) != mention else ""


def _delete(case: Case, entity: Entity, donors: Donors, rng: random.Random) -> Removal | None:
    every = [span for spans in case.spans.values() for span in spans]
    for start, end in droppable(case.text, every):
        left = case.text[:start] + case.text[end:]
        if content_words(left) and _mentions_only_here(case, entity, start, end):
            return Removal([Edit((start, end))], "clause")
    ranges: list[Span] = []
    for span in sorted(case.spans[entity.term]):
        start, end = _with_preposition(case.text, span)
        if ranges and start < ranges[-1][1]:
            start, _ = ranges.pop()
        ranges.append((start, end))
    others = [span for term, spans in case.spans.items() if term != entity.term for span in spans]
    if any(overlap(range_, other) for range_ in ranges for other in others):
        return None
    if not content_words("".join(rest(case.text, ranges))):
        return None
    return Removal([Edit(span) for span in ranges], "mention")


def _mentions_only_here(case: Case, entity: Entity, start: int, end: int) -> bool:
    """Return whether a part of the text has all mentions of an entity, and no other entity's only name."""
    if not all(start <= span[0] and span[1] <= end for span in case.spans[entity.term]):
        return False
    return not any(
        term != entity.term
        and any(overlap(span, (start, end)) for span in spans)
        and all(overlap(span, (start, end)) for span in case.named.get(term, ()))
        for term, spans in case.spans.items()
    )


def _with_preposition(text: str, span: Span) -> Span:
    """A span together with the preposition before it and the white space that it would leave behind."""
    start, end = span
    if before := _PREPOSITION.search(text, 0, start):
        start = before.start()
    if not text[:start].strip():
        while end < len(text) and (text[end].isspace() or text[end] in ",;"):
            end += 1
        return 0, end
    if end == len(text) or not text[end].isalnum():
        while text[start - 1].isspace():
            start -= 1
    return start, end


def _change_digit(kind: str, options: Callable[[str], list[Option]]) -> Remover:
    """Change one digit alike in all mentions of a literal, which must be written with the same digits."""

    def change(case: Case, entity: Entity, donors: Donors, rng: random.Random) -> Removal | None:
        if literal_kind(entity.term) != kind:
            return None
        mentions = case.bare(entity)
        places = [positions(mention) for mention in mentions]
        digits = {"".join(mention[n] for n in own) for mention, own in zip(mentions, places, strict=True)}
        if len(digits) != 1 or digits == {""}:
            return None
        choices = options(mentions[0])
        rng.shuffle(choices)
        for position, digit in choices:
            which = places[0].index(position)
            pairs = zip(mentions, places, strict=True)
            changed = [with_digit(mention, own[which], digit) for mention, own in pairs]
            new = all_content_words(changed) - all_content_words(mentions)
            if new and not new & case.words():
                return _substitution(case, entity, changed)
        return None

    return change


def _change_name(case: Case, entity: Entity, donors: Donors, rng: random.Random) -> Removal | None:
    mentions = case.bare(entity)
    full = next((mention for mention in mentions if _is_two_words(mention)), None)
    if full is None or literal_kind(entity.term) is not None:
        return None
    first, second = full.split()
    if any(mention not in (full, second) for mention in mentions):
        return None
    if (donor := donors.choose(case, entity, rng, accept=_is_two_words)) is None:
        return None
    other = donor[1].split()[1]
    changed = [f"{first} {other}" if mention == full else other for mention in mentions]
    return _substitution(case, entity, changed)


def _is_two_words(mention: str) -> bool:
    return _TWO_WORDS.fullmatch(mention) is not None


REMOVERS: Mapping[str, Remover] = {
    "replace": _replace,
    "delete": _delete,
    "number": _change_digit("number", options_of_number),
    "date": _change_digit("date", options_of_date),
    "name": _change_name,
}
"""Kinds of counterfactual by name."""
