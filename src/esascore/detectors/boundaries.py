"""Where a mention begins and ends: the span conventions of the annotated data, as one step.

Detectors find the words that name an entity. People who annotate mark a little more. In this order:

1. a preposition or conjunction at its edge does not belong to it (``in Soldevanahalli``);
2. a bracket that the mention opens is closed, and the stop of an abbreviation belongs to it (``N.V.``),
   unless it may as well end the sentence;
3. quotes right around a name belong to it;
4. a noun for the entity's type right before the name, with its article, belongs to it (``the dish Bionico``,
   ``the comic character, Bolt``, ``the dish of Bionico``), unless that is a place or a
   taxon (``the city of Akron``, ``the order Poales``);
5. an article right before the name belongs to it, unless a noun for a type follows, whose article it is
   (``the Karnataka region``);
6. the possessive right after the name belongs to it.

In a chain of places (``Akron, Ohio, United States``, where the input has Akron, Ohio and the United States)
the middle belongs to the last. Edge punctuation and units never belong to a mention, nor does anything that
is part of another mention. What annotated data say about the words around an entity (`Contexts`, from a
lexicon that ``esascore lexicon mine`` wrote) takes precedence over all rules.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from esascore.detectors.base import with_possessive
from esascore.detectors.values import METHOD as VALUE
from esascore.lexicon import UserEntry, label
from esascore.lexicon.entity_types import nature, nouns, type_words
from esascore.model import Input, Mention, once_per_input
from esascore.text.document import Document

_OPENING = {'"': '"', "“": "”", "«": "»", "„": "“", "'": "'", "‘": "’"}
_BRACKETS = {"(": ")", "[": "]"}
ANY = "*"
"""Stands for any entity in a lexicon of contexts."""
LONGEST_CONTEXT = 4
_REACH = 6  # tokens beside a mention among which any rule looks: "the comic book character, |Bolt"
_LINK = re.compile(r"\s?,\s?(?:the\s)?")
_DEFINITE = "the"
_EDGE_WORDS = frozenset(
    {"in", "at", "on", "by", "from", "of", "to", "with", "for", "as", "and", "or"}
    | {"is", "are", "was", "were", "has", "have", "who", "which", "that", "where"}
)
# Kinds whose noun is not felt as part of the name: "the order Solanales", "the country India".
_NO_APPOSITION = frozenset({"taxon", "place"})
_NO_ARTICLE = frozenset({"date"})
_ONLY_DEFINITE = frozenset({"number"})


@dataclass(frozen=True, slots=True)
class Contexts:
    """Words around an entity that belong to its mentions (True) or do not (False).

    ``left`` and ``right`` map an entity's label, or ``*`` for any entity, to words in lower case as the text
    has them, joined by spaces. What is known of the entity itself goes before what is known of any.

    Examples
    --------
    >>> contexts = Contexts(left={"*": {"the dish": True}, "Turkey": {"the": False}})
    >>> contexts.before("Bionico", ["was", "the", "dish"], 0), contexts.before("Turkey", ["in", "the"], 1)
    (2, 0)
    """

    left: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    right: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)

    @classmethod
    def of(cls, entries: Iterable[UserEntry]) -> Contexts:
        """Take the contexts from the entries of user lexicons."""
        sides: dict[str, dict[str, dict[str, bool]]] = {"before": {}, "after": {}}
        for entry in entries:
            side = entry.kind.removeprefix("not-")
            if side in sides:
                sides[side].setdefault(entry.entity, {})[entry.form] = side == entry.kind
        return cls(sides["before"], sides["after"])

    def __bool__(self) -> bool:
        return bool(self.left or self.right)

    def before(self, entity: str, words: Sequence[str], usual: int) -> int:
        """Return how many of the words right before a mention belong to it; ``usual`` by the rules."""
        return _learned(self.left, entity, [" ".join(words[n:]) for n in range(len(words))][::-1], usual)

    def after(self, entity: str, words: Sequence[str], usual: int) -> int:
        """Return how many of the words right after a mention belong to it; ``usual`` by the rules."""
        return _learned(self.right, entity, [" ".join(words[: n + 1]) for n in range(len(words))], usual)


def _learned(
    known: Mapping[str, Mapping[str, bool]], entity: str, contexts: Sequence[str], usual: int
) -> int:
    """Decide for the longest context that belongs; ``contexts`` are of 1, 2, ... words."""
    own, any_entity = known.get(label(entity), {}), known.get(ANY, {})
    for length in range(len(contexts), 0, -1):
        context = contexts[length - 1]
        if own.get(context, any_entity.get(context, False)):
            return length
    if usual and usual <= len(contexts):
        context = contexts[usual - 1]
        if not own.get(context, any_entity.get(context, True)):
            return 0
    return usual


@dataclass(frozen=True, slots=True)
class Boundaries:
    """Extends mentions to the span that people would mark.

    Parameters
    ----------
    articles
        Articles that join the name that follows them.
    heads
        Nouns that take the article before a name that they follow, besides those for types.
    possessive, quotes, appositions, chains
        Whether the rule of that name applies.
    contexts
        What was learned about the words around entities.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> document = Document(Graph(), "He left the United States' navy (and Abilene's).")
    >>> spans = [("United_States", 12, 25), ("Abilene", 37, 44)]
    >>> names = [Mention(e, start, end, document.text[start:end], "string", 0.0) for e, start, end in spans]
    >>> rules = Boundaries(articles=("the",), heads=("navy",))
    >>> [m.text for m in rules.extend(document, names)]
    ['the United States', "Abilene's"]
    """

    articles: tuple[str, ...]
    heads: tuple[str, ...]
    possessive: bool = True
    quotes: bool = True
    appositions: bool = True
    chains: bool = True
    contexts: Contexts = Contexts()

    def extend(self, document: Document, mentions: Sequence[Mention]) -> list[Mention]:
        """Return the mentions, which are in text order, with their final spans."""
        if not mentions:
            return []
        starts, ends = document.tokens.starts, document.tokens.ends
        extended: list[Mention] = []
        left = 0
        if self.chains:
            mentions = _unchained(document.text, mentions)
        for position, mention in enumerate(mentions):
            first = bisect_left(starts, mention.start)
            last = bisect_left(ends, mention.end, first)
            right = mentions[position + 1].start if position + 1 < len(mentions) else len(document.text)
            inside = starts[first : first + 1] != (mention.start,) or ends[last : last + 1] != (mention.end,)
            if inside or mention.method == VALUE:
                extended.append(mention)  # inside a word, or a phrase that is whole: leave it as it is
                left = mention.end
                continue
            # The words that are free on both sides, as far as a rule looks.
            low = bisect_left(starts, left, max(0, first - _REACH), first)
            high = bisect_right(ends, right, last + 1, min(len(ends), last + 1 + _REACH)) - 1
            first, last = self._extended(document, mention, first, last, low, high)
            start, end = starts[first], ends[last]
            if (start, end) != (mention.start, mention.end):
                mention = mention._replace(start=start, end=end, text=document.text[start:end])  # noqa: PLW2901
            extended.append(mention)
            left = end
        return extended

    def _extended(
        self, document: Document, mention: Mention, first: int, last: int, low: int, high: int
    ) -> tuple[int, int]:
        texts = document.tokens.texts
        first, last = _trimmed(texts, first, last)
        last = _closed(document, mention, first, last, high)
        core = first, last
        first, last = self._by_rule(document, mention, first, last, low, high)
        if not self.contexts:
            return first, last
        before = [word.lower() for word in texts[max(low, core[0] - LONGEST_CONTEXT) : core[0]]]
        after = [word.lower() for word in texts[core[1] + 1 : min(high, core[1] + LONGEST_CONTEXT) + 1]]
        return (
            core[0] - self.contexts.before(mention.entity, before, core[0] - first),
            core[1] + self.contexts.after(mention.entity, after, last - core[1]),
        )

    def _by_rule(
        self, document: Document, mention: Mention, first: int, last: int, low: int, high: int
    ) -> tuple[int, int]:
        texts = document.tokens.texts
        if self.quotes and texts[first : last + 1].count('"') % 2:
            # One of a pair of quotes is inside.
            if first > low and texts[first - 1] == '"':
                first -= 1
            elif last < high and texts[last + 1] == '"':
                last += 1
        elif self.quotes and low < first and last < high:
            quoted = _OPENING.get(texts[first - 1]) == texts[last + 1]
            first, last = first - quoted, last + quoted
        followed = texts[last + 1].lower() if last < high else ""
        known = _nouns(document.input).get(mention.entity) if self.appositions else None
        if known and mention.method not in _NO_ARTICLE:
            before = [word.lower() for word in texts[max(low, first - _REACH) : first]]
            first = _with_apposition(known, before, first)
        if first > low and mention.method not in _NO_ARTICLE:
            article = texts[first - 1].lower()
            fits = article in self.articles and (article == _DEFINITE or mention.method not in _ONLY_DEFINITE)
            if fits and followed not in _all_nouns() and followed not in self.heads:
                first -= 1
        if self.possessive and last + 2 <= high:
            last = with_possessive(texts, last)
        return first, last


def _unchained(text: str, mentions: Sequence[Mention]) -> Sequence[Mention]:
    """Give the middle of "Akron, Ohio, United States" to the last mention of the chain."""
    changed = list(mentions)
    for n in range(len(changed) - 1):
        one, other = changed[n], changed[n + 1]
        if (
            "," in one.entity
            and not one.entity.startswith('"')
            and _LINK.fullmatch(text, one.end, other.start)
            and (comma := one.text.find(",")) > 0
        ):
            cut = one.start + comma
            begin = cut + 1 + (text[cut + 1] == " ")
            changed[n] = one._replace(end=cut, text=text[one.start : cut])
            changed[n + 1] = other._replace(start=begin, text=text[begin : other.end])
    return changed


def _trimmed(texts: Sequence[str], first: int, last: int) -> tuple[int, int]:
    while first < last and texts[first] in _EDGE_WORDS:
        first += 1
    while first < last and texts[last] in _EDGE_WORDS:
        last -= 1
    return first, last


def _closed(document: Document, mention: Mention, first: int, last: int, high: int) -> int:
    texts = document.tokens.texts
    if last < high:
        closing = texts[last + 1]
        for opener, closer in _BRACKETS.items():
            inside = texts[first : last + 1]
            if closing == closer and inside.count(opener) > inside.count(closer):
                return last + 1
        # A stop may end the sentence unless a small letter follows.
        if closing == "." and last + 2 < len(texts) and not texts[last + 2][:1].isupper():
            # A letter after a stop is an abbreviation, and so is what the data writes with a stop.
            initials = last > first and len(texts[last]) == 1 and texts[last - 1] == "."
            if initials or (mention.variant or "").endswith("."):
                return last + 1
    return last


def _with_apposition(known: frozenset[str], before: Sequence[str], first: int) -> int:
    """Return where a mention starts with a noun for its type before it, or ``first``."""
    # "the comic character, Bolt", "the dish of Bionico"
    comma = 1 if before[-1:] in ([","], ["of"]) else 0
    for length in (3, 2, 1):
        noun = before[len(before) - comma - length : len(before) - comma]
        article = len(before) - comma - length - 1
        if article >= 0 and before[article] == _DEFINITE and " ".join(noun) in known:
            return first - comma - length - 1
    return first


@once_per_input
def _nouns(input_: Input) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for entity in input_.entities:
        category = input_.category and (input_.category if entity.term == input_.root else None)
        own = nouns(entity, category)
        if own and nature(entity, category) not in _NO_APPOSITION:
            found[entity.term] = frozenset(own)
    return found


@lru_cache(maxsize=1)
def _all_nouns() -> frozenset[str]:
    return frozenset(noun for _, some in type_words().values() for noun in some)
