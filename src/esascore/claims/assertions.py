"""Judges what a text asserts or denies about attributes that are true, false or unknown."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from esascore.claims.cells import Cell, Record, content_bases
from esascore.claims.finding import Finding, apart, contradicted_by
from esascore.claims.polarity import Mention, Polarity, Token, govern, tokens_of, words_of
from esascore.claims.reading import Reading
from esascore.claims.scope import Scopes
from esascore.data import EVERY
from esascore.literals.keys import split_key, word_base
from esascore.text.vocabulary import function_words

YES, NO, NULL, VALUE = "yes", "no", "null", "value"

# Words of a key that say that something is there or allowed, but not what.
_SMALL = frozenset({
    "has", "have", "having", "is", "are", "be", "can", "does", "do", "with", "for", "of", "to", "the", "a",
    "an", "in", "on", "at", "and", "or", "allow", "allows", "allowed", "accept", "accepts", "accepted",
    "offer", "offers", "offered", "support", "supports", "supported", "available", "availability", "enabled",
    "provided", "provides", "included", "includes", "good", "takes", "type", "kind", "status",
    "option", "options", "service", "services", "flag", "used", "possible", "required", "needed", "permitted",
})  # fmt: skip
# Groups whose names say nothing about their members.
_CONTAINERS = frozenset({
    "attribute", "attributes", "feature", "features", "amenity", "amenities", "spec", "specs",
    "specification", "specifications", "detail", "details", "property", "properties", "option", "options",
    "facility", "facilities", "service", "services", "data", "info", "information", "general", "other",
    "misc", "equipment", "preparation",
})  # fmt: skip
# Words of keys that say more than that a thing exists: asserting the attribute then takes such a word.
_PREDICATES = frozenset({
    "included", "includes", "include", "inclusive", "covered", "covers", "free", "complimentary", "required",
    "requires", "require", "needed", "needs", "need", "mandatory", "compulsory", "must", "allowed", "allows",
    "allow", "permitted", "permits", "permit", "accepted", "accepts", "accept", "welcome", "welcomes",
    "possible", "can", "may", "take", "takes",
})  # fmt: skip
_AFTER_HEAD = ("general", "having", "being", "so", "not-so", "negation", "break", "adverb", "lacking")
_JOINING = ("-", "–", "/")
_TRUE = re.compile(r"(?:yes|true)(?=$|\s*[,;(+])", re.IGNORECASE)
_FALSE = re.compile(r"(?:no|false|none)(?=$|\s*[,;(])", re.IGNORECASE)
_START = 4  # letters that all forms of a word share
_LONGEST = 4  # words of an attribute in a text
_WINDOW = 2  # words between those of an attribute


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute that is true, false or unknown, as texts may name it.

    Attributes
    ----------
    cell, state
        Its cell, and what that says.
    words
        The bases of the distinctive words of its key.
    head
        The base of the group that it belongs to (the parking of valet); empty if that says nothing.
    predicated
        Whether its key says of its thing that it is allowed or included: then such a word asserts it.
    alike
        Whether most attributes beside it are true or false, too.
    """

    cell: Cell
    state: str
    words: tuple[str, ...]
    head: str = ""
    predicated: bool = False
    alike: bool = False


def state_of(cell: Cell) -> str:
    """Return what a cell says: yes, no, nothing, or something else.

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.model import Graph
    >>> cells = record_of(Graph.from_data({"pool": True, "wifi": "No", "pets": None, "bar": "rooftop"})).cells
    >>> {cell.path: state_of(cell) for cell in cells}
    {'pool': 'yes', 'wifi': 'no', 'bar': 'value', 'pets': 'null'}
    """
    if cell.type == "null":
        return NULL
    if _TRUE.match(cell.value):
        return YES
    return NO if _FALSE.match(cell.value) else VALUE


class Attributes:
    """The attributes of an input that a text can assert or deny.

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.model import Graph
    >>> data = {"BusinessParking": {"valet": True, "street": False}, "hasWifi": True, "stars": 3}
    >>> [(own.words, own.head, own.state) for own in Attributes(record_of(Graph.from_data(data))).all]
    [(('valet',), 'park', 'yes'), (('street',), 'park', 'no'), (('wifi',), '', 'yes')]
    """

    def __init__(self, record: Record):
        self._record = record
        siblings: dict[str, list[Cell]] = defaultdict(list)
        for cell in record.cells:
            siblings[cell.home].append(cell)
        self.all: list[Attribute] = []
        for home, cells in siblings.items():
            states = [state_of(cell) for cell in cells]
            keys = [split_key(cell.spot.rpartition("/")[2]) for cell in cells]
            prefixes, head = _prefixes(keys), _head(home, states)
            truths = states.count(YES) + states.count(NO)
            known = len(states) - states.count(NULL)
            alike = (bool(head) and len(cells) > 2) or (truths > 1 and 2 * truths >= known)
            for cell, state, words in zip(cells, states, keys, strict=True):
                if state != VALUE and any(word.isalpha() and word not in function_words() for word in words):
                    own = words[1:] if len(words) > 1 and words[0] in prefixes else words
                    predicated = not _PREDICATES.isdisjoint(own)
                    self.all.append(Attribute(cell, state, self._called(cell, own), head, predicated, alike))

    def _called(self, cell: Cell, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of an attribute; with that of its object where others have its only word, too."""
        names = _names(words)
        like = (self._record.cells[n].path for n in self._record.by_word.get(names[0], ())) if names else ()
        above = cell.path.removesuffix(f".{EVERY}").split(".")[-2:-1]
        if len(names) > 1 or not above or above == [EVERY] or set(like) <= {cell.path}:
            return names
        return (*_names(split_key(above[0])), *names)

    @cached_property
    def keywords(self) -> frozenset[str]:
        """All words of attributes."""
        return frozenset(word for own in self.all for word in (*own.words, own.head)) | frozenset(
            self._record.by_word
        )

    @cached_property
    def by_start(self) -> Mapping[str, list[int]]:
        """The attributes by what each of their words begins with, and all of them joined."""
        found: dict[str, list[int]] = defaultdict(list)
        for n, own in enumerate(self.all):
            for start in {word[:_START] for word in (*own.words, "".join(own.words))}:
                found[start].append(n)
        return found

    def is_elsewhere(self, attribute: Attribute) -> bool:
        """Return whether another cell has a word of an attribute, in its key or in its value."""
        return any(
            not cell.wide.isdisjoint(attribute.words)
            or not content_bases(cell.value).isdisjoint(attribute.words)
            for cell in self._record.cells
            if cell is not attribute.cell
        )

    @cached_property
    def prose(self) -> str:
        """The long texts of the input."""
        return " ".join(self._record.prose)


def _head(home: str, states: Sequence[str]) -> str:
    """Return the word of a group whose members are all true, false or unknown: the parking of valet."""
    if VALUE in states or len(states) < 2:
        return ""
    key = split_key(home.rpartition("/")[2])
    words = [word for word in key if word not in _SMALL and not word.isdigit()]
    return word_base(words[-1]) if words and words[-1] not in _CONTAINERS else ""


def _prefixes(keys: Sequence[tuple[str, ...]]) -> frozenset[str]:
    """Return the first words that three or more sibling keys share: they name the kind of thing."""
    first = Counter(words[0] for words in keys if len(words) > 1)
    return frozenset(word for word, n in first.items() if n > 2 and word.endswith("s") and word not in _SMALL)


def _names(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the bases of the words of a key that say what it is about."""
    core = [word for word in words if word not in _SMALL]
    return tuple(dict.fromkeys(map(word_base, core or words)))


def distinctive_words(cell: Cell) -> list[str]:
    """Return the bases of the words by which texts name an attribute, those of the group if it has none.

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.model import Graph
    >>> data = {"has_parking": True, "breakfast": {"included": False}}
    >>> [distinctive_words(cell) for cell in record_of(Graph.from_data(data)).cells]
    [['park'], ['breakfast']]
    """
    keys = [split_key(part) for part in cell.path.split(".") if part != EVERY]
    told = ([word_base(word) for word in own if word not in _SMALL] for own in reversed(keys))
    return next(filter(None, told), [])


class AssertionJudge:
    """Judges what one text asserts and denies."""

    def __init__(self, attributes: Attributes, reading: Reading, scopes: Scopes):
        self._attributes = attributes
        self._reading = reading
        self._scopes = scopes

    def judge(self) -> list[Finding]:
        """Return what is asserted or denied against the input."""
        found: list[Finding] = []
        if not self._attributes.all:
            return found
        for start, end in self._reading.sentences:
            tokens = tokens_of(self._reading.lowered, start, end)
            mentions = list(self._mentions(tokens))
            if not mentions:
                continue
            govern(tokens, mentions)
            reported = any(token.word in words_of("saying") for token in tokens)
            found += filter(None, (self._judged(mention, reported, tokens) for mention in mentions))
        return apart(found)

    def _mentions(self, tokens: Sequence[Token]) -> Iterator[Mention]:
        """Yield where a sentence names attributes, by most words first."""
        taken: set[int] = set()
        starts = [n for n, token in enumerate(tokens) if token.base[:_START] in self._attributes.by_start]
        for size in range(_LONGEST, 0, -1):
            for first in starts:
                last = first + size - 1
                own = _words(tokens[first : last + 1]) if last < len(tokens) else []
                if not own or not taken.isdisjoint(range(first, last + 1)):
                    continue
                for n in self._attributes.by_start[own[0][:_START]]:
                    attribute = self._attributes.all[n]
                    if _fits(attribute.words, own) and self._is_head(tokens, first, last, attribute):
                        taken.update(range(first, last + 1))
                        yield Mention(first, last, n)

    def _is_head(self, tokens: Sequence[Token], first: int, last: int, attribute: Attribute) -> bool:
        """Return whether a mention is the head of its phrase: not "street food", not "SIM card slot"."""
        before = tokens[first - 1] if first else None
        own = (*attribute.words, attribute.head)
        if (
            before is not None
            and before.word.isalpha()
            and before.base in self._attributes.keywords
            and before.base not in own
            and before.word not in words_of("having") | words_of("so")
        ):
            return False
        after = tokens[last + 1] if last + 1 < len(tokens) else None
        if after is None or not after.word[0].isalpha():
            return True
        if after.base in own or after.word in function_words():
            return True
        return any(after.word in words_of(kind) for kind in _AFTER_HEAD)

    def _judged(self, mention: Mention, reported: bool, tokens: Sequence[Token]) -> Finding | None:
        attribute, polarity = self._attributes.all[mention.about], mention.polarity
        if polarity in ("", "?") or (reported and self._in_prose(attribute.words)):
            return None
        told = not attribute.predicated or any(token.word in _PREDICATES for token in tokens)
        if polarity == "+" and not told:
            return None
        start, end = tokens[mention.first].start, tokens[mention.last].end
        chosen = self._selected(attribute, start)
        return None if chosen is None else self._verdict(chosen, polarity, start, end)

    def _verdict(self, attribute: Attribute, polarity: Polarity, start: int, end: int) -> Finding | None:
        cell, state = attribute.cell, attribute.state
        told = "asserts" if polarity == "+" else "denies"
        if state == NULL:
            if cell.value:
                return None
            if not attribute.alike and (polarity == "-" or self._attributes.is_elsewhere(attribute)):
                return None
            reason = f"the text {told} {cell.called}; the input does not say"
            return Finding(start, end, "value", "unknown-attribute", "baseless", cell.number, None, reason)
        if (polarity == "+") == (state == YES):
            return None
        reason = f"the text {told} {cell.called}; the input says {cell.statement}"
        return contradicted_by(cell, start, end, "value", "polarity", reason)

    def _selected(self, attribute: Attribute, place: int) -> Attribute | None:
        """Return the attribute of the item that a sentence is about; None if that is not clear."""
        name = attribute.words, attribute.head
        same = [own for own in self._attributes.all if (own.words, own.head) == name]
        if EVERY in attribute.cell.path.split("."):
            parts = attribute.cell.spot.split("/")
            for n in range(1, len(parts) if len(same) > 1 else 0):
                about = self._scopes.of("/".join(parts[:n]), place)
                if about is not None and about[1]:
                    same = [own for own in same if own.cell.is_in(about[0])]
                    return same[0] if len({own.state for own in same}) == 1 else None
        return attribute if len({own.state for own in same}) == 1 else None

    def _in_prose(self, words: Sequence[str]) -> bool:
        prose = self._attributes.prose
        return bool(prose) and re.search(r"\b" + r"\W?".join(map(re.escape, words)), prose) is not None


def _fits(words: Sequence[str], own: Sequence[str]) -> bool:
    """Return whether words of a text name an attribute: its own, with few others between them."""
    if "".join(words) == "".join(own):
        return True
    if len(words) < 2 or not 0 <= len(own) - len(words) <= _WINDOW:
        return False
    is_end = any(_is_form(word, own[-1]) for word in words)
    return is_end and all(any(_is_form(word, one) for one in own) for word in words)


def _is_form(word: str, other: str) -> bool:
    """Return whether two bases are forms of one word: sponsor and sponsorship."""
    shorter, longer = sorted((word, other), key=len)
    return word == other or (len(shorter) >= _START and longer.startswith(shorter))


def _words(tokens: Sequence[Token]) -> list[str]:
    """Return the bases of tokens that are words, joined by nothing but hyphens or slashes; else none."""
    own = [token.base for token in tokens if token.base[:1].isalnum()]
    joints = [token.base for token in tokens if not token.base[:1].isalnum()]
    ends = tokens[0].base[:1].isalnum() and tokens[-1].base[:1].isalnum()
    return own if ends and all(joint in _JOINING for joint in joints) else []
