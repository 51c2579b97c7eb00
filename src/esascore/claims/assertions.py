"""Judges what a text asserts or denies of attributes that are true, false or unknown."""

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

YES, NO, NULL, VALUE = "yes", "no", "null", "value"

# Words of a key that say that something is there or allowed, but not what.
_SMALL = frozenset({
    "has", "have", "having", "is", "are", "be", "can", "does", "do", "with", "for", "of", "to", "the", "a",
    "an", "in", "on", "at", "and", "or", "allow", "allows", "allowed", "accept", "accepts", "accepted",
    "offer", "offers", "offered", "support", "supports", "supported", "available", "availability", "enabled",
    "provided", "provides", "included", "includes", "good", "takes", "take", "type", "kind", "status",
    "option", "options", "service", "services", "flag", "used", "possible", "required", "needed", "permitted",
})  # fmt: skip
# Groups whose names say nothing of their members.
_CONTAINERS = frozenset({
    "attribute", "attributes", "feature", "features", "amenity", "amenities", "spec", "specs",
    "specification", "specifications", "detail", "details", "property", "properties", "option", "options",
    "facility", "facilities", "service", "services", "data", "info", "information", "general", "other",
    "misc", "equipment", "preparation",
})  # fmt: skip
_PARTICLES = frozenset({"out", "in", "up", "off", "through", "away"})
# What a key says of its thing beside that it is there: then it takes such a word to assert it.
_PREDICATES = (
    frozenset({"included", "includes", "inclusive", "covered", "free", "complimentary", "include", "covers"}),
    frozenset({
        "required", "needed", "mandatory", "compulsory", "require", "requires", "need", "needs", "must",
    }),
    frozenset({
        "allowed", "permitted", "accepted", "welcome", "allows", "accepts", "possible", "can", "permits",
        "may", "permit", "allow", "accept", "welcomes", "take", "takes",
    }),
)  # fmt: skip
_ARTICLES = frozenset({"a", "an", "the"})
# What may follow a noun that is the head of its phrase.
_AFTER_NOUN = frozenset({
    "and", "or", "from", "at", "in", "on", "for", "with", "to", "by", "as", "when", "if", "where", "after",
    "before", "during", "via", "near", "outside", "inside", "through", "throughout", "that", "only", "is",
    "are", "can", "will", "it", "you", "was", "were", "has", "have", "your", "our", "their", "its", "his",
    "her", "the", "a", "an", "any", "this", "these", "per", "under", "without", "must", "again", "yet",
    "today", "here",
})  # fmt: skip
_AFTER_HEAD = ("general", "having", "being", "so", "not-so", "negation", "break", "adverb", "lacking")
_DENYING = ("un", "non", "in")
_JOINING = ("-", "–", "/")
_TRUE = re.compile(r"(?:yes|true)(?=$|\s*[,;(+])", re.IGNORECASE)
_FALSE = re.compile(r"(?:no|false|none)(?=$|\s*[,;(])", re.IGNORECASE)
_ABLE = re.compile(r"(.{3,})[ai]ble")
_MODAL = frozenset({"can", "could", "cannot", "will"})
_PERMITTED = frozenset({"allowed", "permitted", "possible", "can", "will"})
_NEVER = frozenset({"not", "never", "no", "longer"})
_BETWEEN = frozenset({"be", "also", "still", "now", "easily", "only", "always"})
_LONGEST = 4  # words of an attribute in a text
_WINDOW = 2  # words between those of an attribute
_LEAST_FORM = 4
_LEAST_DENIED = 4
_GROUP_APART = 9  # words between a group and attributes that are named themselves


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute that is true, false or unknown, as texts may name it.

    Attributes
    ----------
    cell, state
        Its cell, and what that says.
    words
        The bases of the distinctive words of its key.
    predicate
        Words of which one must be there to assert it; none where it is enough that the thing is there.
    head
        The base of the group that it belongs to (the parking of valet), empty where that says nothing.
    alike
        Whether most attributes beside it are true or false, too.
    is_group
        Whether it is such a group as a whole, with the cell of its first member that is true.
    """

    cell: Cell
    state: str
    words: tuple[str, ...]
    predicate: frozenset[str] = frozenset()
    head: str = ""
    alike: bool = False
    is_group: bool = False


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
    [(('valet',), 'park', 'yes'), (('street',), 'park', 'no'), (('park',), '', 'yes'), (('wifi',), '', 'yes')]
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
                if state != VALUE and any(len(word) > 1 and word.isalpha() for word in words):
                    own = words[1:] if len(words) > 1 and words[0] in prefixes else words
                    self.all.append(Attribute(cell, state, *_names(own), head, alike))
            if head and YES in states:
                self.all.append(Attribute(cells[states.index(YES)], YES, (head,), is_group=True))

    @cached_property
    def keywords(self) -> frozenset[str]:
        """All words of attributes."""
        return frozenset(word for own in self.all for word in (*own.words, own.head)) | frozenset(
            self._record.by_word
        )

    @cached_property
    def by_word(self) -> Mapping[str, list[int]]:
        """The attributes by each of their words, and by all of them joined."""
        found: dict[str, list[int]] = defaultdict(list)
        for n, own in enumerate(self.all):
            for word in {*own.words, "".join(own.words)}:
                found[word].append(n)
        return found

    @cached_property
    def abilities(self) -> Mapping[str, list[int]]:
        """The attributes that say what can be done, by the bases of the verb: refundable, retake_allowed."""
        found: dict[str, list[int]] = defaultdict(list)
        for n, own in enumerate(self.all):
            words = split_key(own.cell.spot.rpartition("/")[2])
            able = _ABLE.fullmatch(words[-1]) if words else None
            verbs = [word for word in words if word not in _SMALL and not _PERMITTED.isdisjoint(words)]
            if able is not None:
                verbs = [able[1], f"{able[1]}e"]
            for base in {word_base(verb) for verb in verbs} if able or len(verbs) == 1 else ():
                found[base].append(n)
        return found

    def beginning(self, own: Sequence[str]) -> Iterator[int]:
        """Yield the attributes that may begin with a word, in any of its forms."""
        yield from self.by_word.get(own[0], ())
        if len(own) > 1 and len(own[0]) >= _LEAST_FORM:
            for word, numbers in self.by_word.items():
                if word != own[0] and _is_form(word, own[0]):
                    yield from numbers

    def is_elsewhere(self, attribute: Attribute) -> bool:
        """Return whether another cell has a word of an attribute, in its key or in its value."""
        return any(
            not cell.wide.isdisjoint(attribute.words)
            or not content_bases(cell.value).isdisjoint(attribute.words)
            for cell in self._record.cells
            if cell is not attribute.cell
        )

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """What the words by which attributes are known begin with: only there a mention can begin."""
        return frozenset(word[:n] for word in self.by_word for n in range(1, len(word) + 1))

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
    """Return first words of three or more keys beside each other: they name the kind of thing."""
    first = Counter(words[0] for words in keys if len(words) > 1)
    return frozenset(word for word, n in first.items() if n > 2 and word.endswith("s") and word not in _SMALL)


def _names(words: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the bases of the words of a key that say what it is about, and the predicates of the others."""
    core = tuple(word for word in words if word not in _SMALL)
    if not core or (len(words) == 2 and words[1] in _PARTICLES):
        core = words
    predicate = next((own for own in _PREDICATES if not own.isdisjoint(words)), frozenset[str]())
    return tuple(dict.fromkeys(map(word_base, core))), predicate if core != words else frozenset()


def _is_form(word: str, other: str) -> bool:
    """Return whether two bases are forms of one word: sponsor and sponsorship."""
    shorter, longer = sorted((word, other), key=len)
    return word == other or (len(shorter) >= _LEAST_FORM and longer.startswith(shorter))


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
            for mention in mentions:
                if (finding := self._judged(mention, tokens, reported)) is not None:
                    found.append(finding)
        return apart(found)

    def _mentions(self, tokens: Sequence[Token]) -> Iterator[Mention]:
        """Yield where a sentence names attributes, and groups of them as a whole."""
        taken: set[int] = set()
        starts = [n for n, token in enumerate(tokens) if token.base in self._attributes.beginnings]
        for size, groups in (*((n, False) for n in range(_LONGEST, 0, -1)), (1, True)):
            for first in starts:
                last = first + size - 1
                if last >= len(tokens):
                    break
                own = _words(tokens[first : last + 1])
                if not own or not taken.isdisjoint(range(first, last + 1)):
                    continue
                for n in dict.fromkeys(self._attributes.beginning(own)):
                    attribute = self._attributes.all[n]
                    if attribute.is_group != groups:
                        continue
                    if groups and any(abs(first - other) < _GROUP_APART for other in taken):
                        continue
                    if self._fits(attribute, own) and self._is_head(tokens, first, last, attribute):
                        taken.update(range(first, last + 1))
                        yield Mention(first, last, n)
        yield from self._denied_forms(tokens, taken)
        yield from self._able(tokens, taken)

    def _fits(self, attribute: Attribute, own: Sequence[str]) -> bool:
        if "".join(attribute.words) == "".join(own):
            return True
        gap = len(own) - len(attribute.words)
        if len(attribute.words) < 2 or not 0 <= gap <= _WINDOW:
            return False
        if not all(any(_is_form(word, end) for word in attribute.words) for end in (own[0], own[-1])):
            return False
        return all(any(_is_form(word, one) for one in own) for word in attribute.words)

    def _denied_forms(self, tokens: Sequence[Token], taken: set[int]) -> Iterator[Mention]:
        """Yield words that deny an attribute by themselves: unfurnished, non-refundable, smoke-free."""
        for n, token in enumerate(tokens):
            last, denied = n, list[str]()
            if n + 2 < len(tokens) and (tokens[n + 1].word, tokens[n + 2].word) == ("-", "free"):
                last, denied = n + 2, [own for own in self._attributes.by_word if _is_form(own, token.base)]
            elif token.word.startswith(_DENYING):
                bare = next(token.word.removeprefix(own) for own in _DENYING if token.word.startswith(own))
                denied = [word_base(bare)] if len(bare) >= _LEAST_DENIED else []
            for word in denied if n not in taken else ():
                for number in self._attributes.by_word.get(word, ()):
                    if self._attributes.all[number].words == (word,):
                        yield Mention(n, last, number, "-", "form")

    def _able(self, tokens: Sequence[Token], taken: set[int]) -> Iterator[Mention]:
        """Yield what can or cannot be done: "it can be refunded" where something is refundable."""
        if not self._attributes.abilities or tokens[-1].word == "?":
            return
        for n, token in enumerate(tokens):
            if token.word not in _MODAL:
                continue
            at = n + 1
            while at < len(tokens) and tokens[at].word in _NEVER | _BETWEEN:
                at += 1
            if at >= len(tokens) or at in taken:
                continue
            denied = token.word == "cannot" or not _NEVER.isdisjoint(own.word for own in tokens[n:at])
            for number in self._attributes.abilities.get(tokens[at].base, ()):
                yield Mention(n, at, number, "-" if denied else "+", "ability")

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
        if after is not None and after.word in ("-", "–") and last + 2 < len(tokens):
            after = tokens[last + 2]
        if after is None or not after.word[0].isalpha():
            return True
        if after.base in own or after.word in _AFTER_NOUN:
            return True
        return any(after.word in words_of(kind) for kind in _AFTER_HEAD)

    def _judged(self, mention: Mention, tokens: Sequence[Token], reported: bool) -> Finding | None:
        polarity = mention.polarity
        attribute = self._attributes.all[mention.about]
        if not polarity and self._is_label(mention, tokens):
            polarity = "+"
        if mention.hedged or polarity in ("", "?"):
            return None
        if mention.how == "be" and not self._is_complement(mention, tokens):
            return None
        if reported and (attribute.is_group or self._in_prose(attribute.words)):
            return None
        # What its key says of it: that breakfast is included.
        told = not attribute.predicate or any(token.word in attribute.predicate for token in tokens)
        if polarity == "+" and mention.how not in ("label", "ability") and not told:
            return None
        start, end = tokens[mention.first].start, tokens[mention.last].end
        chosen = self._selected(attribute, start)
        return None if chosen is None else self._verdict(chosen, polarity, mention.how, start, end)

    def _verdict(
        self, attribute: Attribute, polarity: Polarity, how: str, start: int, end: int
    ) -> Finding | None:
        cell, state = attribute.cell, attribute.state
        told = "asserts" if polarity == "+" else "denies"
        if state == NULL:
            if how == "form" or cell.value:
                return None
            if not attribute.alike and (polarity == "-" or self._attributes.is_elsewhere(attribute)):
                return None
            reason = f"the text {told} {cell.called}; the input does not know it"
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

    def _is_label(self, mention: Mention, tokens: Sequence[Token]) -> bool:
        """Return whether a mention is all that a line says: an item of a list of features."""
        words = [token.word for token in tokens if token.word[:1].isalnum()]
        own = mention.last - mention.first + 1
        return len(words) <= own + 2 and tokens[-1].word not in (":", "?")

    def _is_complement(self, mention: Mention, tokens: Sequence[Token]) -> bool:
        """Return whether a mention follows a form of "be" at once: "it is pet friendly"."""
        n = mention.first
        while n and tokens[n - 1].word in words_of("adverb") | _ARTICLES:
            n -= 1
        return n > 0 and tokens[n - 1].word in words_of("being")

    def _in_prose(self, words: Sequence[str]) -> bool:
        prose = self._attributes.prose
        return bool(prose) and re.search(r"\b" + r"\W?".join(map(re.escape, words)), prose) is not None


def _words(tokens: Sequence[Token]) -> list[str]:
    """Return the bases of tokens that are words, joined by nothing but hyphens or slashes; else none."""
    own = [token.base for token in tokens if token.base[:1].isalnum()]
    joints = [token.base for token in tokens if not token.base[:1].isalnum()]
    ends = tokens[0].base[:1].isalnum() and tokens[-1].base[:1].isalnum()
    return own if ends and all(joint in _JOINING for joint in joints) else []
