"""Whether a sentence asserts or denies what it mentions: one pass from left to right.

What a sentence mentions it asserts, unless something denies it. A negation, "without" or "lacks" denies what
follows, through lists, until a verb of having or a new clause; a predicate after its subjects ("are not
available", "(absent)", ": no") denies them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple

from esascore.literals.keys import word_base
from esascore.wordlists import load, values

WORDLISTS = ("polarity",)
"""The word lists that are read here."""

Polarity = Literal["", "+", "-", "?"]
"""Not clear; asserted; denied; said to be unknown."""

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|\S|\n(?=\s*\S)")
_ENDS = frozenset(".!?;:·•|")
_CELL = "|"  # stands between the two cells of a row
_LABELS = frozenset({":", "=", "–", "—", "(", _CELL})
_NONE = frozenset({"no", "non", "none", "nothing", "zero"})
_WITHOUT = frozenset({("free", "of"), ("free", "from"), ("instead", "of"), ("rather", "than")})
_SUBJECTS = frozenset({"it", "they", "there", "this", "we", "you", "he", "she"})
_VERBS = frozenset({"do", "does", "did", "is", "are", "was", "were"})
_REACH = 9  # words between a negation and what it denies
_NEAR = 3  # words between a negation and its verb, and between a verb and what is not known
_SUBJECT = 6  # words of a subject after "and"


@cache
def words_of(kind: str) -> frozenset[str]:
    """Return the words of a kind of the word list ``polarity``.

    Examples
    --------
    >>> "offers" in words_of("having"), "without" in words_of("lacking")
    (True, True)
    """
    return frozenset(word for word, kinds in load("polarity").rows if kind in values(kinds))


class Token(NamedTuple):  # made for every word of every text
    """A word or a mark of a sentence: in small letters, its base, and where it is."""

    word: str
    base: str
    start: int
    end: int


def tokens_of(lowered: str, start: int, end: int) -> list[Token]:
    """Return the tokens of a part of a text in small letters; "n't" is a word of its own.

    Examples
    --------
    >>> [token.word for token in tokens_of("it isn't wi-fi.", 0, 15)]
    ['it', 'is', 'not', 'wi', '-', 'fi', '.']
    """
    found: list[Token] = []
    rows = lowered.count("\n", start, start + len(lowered[start:end].rstrip()))
    for own in _TOKEN.finditer(lowered, start, end):
        word, (first, last) = own[0].replace("’", "'"), own.span()
        if word == "\n":
            if rows == 1 and found and found[-1].word != ":":
                found.append(Token(_CELL, _CELL, first, last))
        elif word in ("can't", "cannot", "won't"):
            found.append(Token("cannot", "cannot", first, last))
        elif "'" not in word:
            found.append(Token(word, word_base(word), first, last))
        elif word.endswith("n't"):
            cut = last - 3
            found.append(Token(word[:-3] or "do", word[:-3], first, cut))
            found.append(Token("not", "not", cut, last))
        else:
            plain = word.removesuffix("'s").removesuffix("'re").removesuffix("'ve")
            found.append(Token(plain, word_base(plain), first, first + len(plain)))
    return found


@dataclass(slots=True)
class Mention:
    """Where a sentence mentions an attribute (the numbers of its first and last token), and its polarity.

    ``governed`` says whether a verb of having or a denial before it decided that, and which.
    """

    first: int
    last: int
    about: int
    polarity: Polarity = ""
    governed: Literal["", "verb", "determiner"] = ""


@dataclass(slots=True)
class _State:
    """What governs the next mention, since which word, and the mentions of the clause so far.

    ``pending`` are those that a predicate may follow; ``denies`` and ``hedged`` say whether the clause denies
    anything, and whether all of it may not be so.
    """

    polarity: Polarity = ""
    governed: Literal["", "verb", "determiner"] = ""
    at: int = 0
    negated_at: int = -_REACH
    pending: list[Mention] = field(default_factory=list)
    clause: list[Mention] = field(default_factory=list)
    denies: bool = False
    hedged: bool = False
    has_verb: bool = False

    def end_clause(self, at: int) -> None:
        """What nothing governs in a clause that denies nothing is asserted."""
        for mention in self.clause:
            if self.hedged:
                mention.polarity = "?"
            elif not (mention.polarity or self.denies):
                mention.polarity = "+"
        self.set("", at)
        self.pending, self.clause = [], []
        self.denies = self.hedged = self.has_verb = False

    def set(self, polarity: Polarity, at: int, governed: Literal["", "verb", "determiner"] = "verb") -> None:
        self.polarity, self.governed, self.at = polarity, governed, at

    def predicate(self, polarity: Polarity) -> None:
        """Say something of the subjects before it: the last one, and those before it that nothing governs."""
        for number, mention in enumerate(reversed(self.pending)):
            if number and mention.governed == "verb":
                break
            if mention.governed != "determiner":  # no parking is available
                mention.polarity = polarity
        self.pending = []
        self.set("", self.at)


def govern(tokens: Sequence[Token], mentions: Sequence[Mention]) -> None:
    """Give every mention of a sentence its polarity.

    Examples
    --------
    >>> tokens = tokens_of("it offers parking but no wifi, and pets are not allowed.", 0, 57)
    >>> words = [token.word for token in tokens]
    >>> mentions = [Mention(words.index(word), words.index(word), 0) for word in ("parking", "wifi", "pets")]
    >>> govern(tokens, mentions)
    >>> [mention.polarity for mention in mentions]
    ['+', '-', '-']
    """
    words = [token.word for token in tokens]
    at = {mention.first: mention for mention in reversed(mentions)}
    state = _State()
    n = 0
    while n < len(words):
        if n in at:
            n = _mention(words, at[n], state)
        else:
            _word(words, n, state)
            n += 1
    state.end_clause(n)


def _mention(words: Sequence[str], mention: Mention, state: _State) -> int:
    """Note a mention; return where to go on."""
    if state.polarity and mention.first - state.at <= _REACH:
        mention.polarity, mention.governed = state.polarity, state.governed
        state.at = mention.last
    after = mention.last + 1
    inside = words[mention.first : after]
    if not words_of("negation").isdisjoint(inside) or words[after : after + 2] == ["-", "free"]:
        mention.polarity = "-"
    state.pending.append(mention)
    state.clause.append(mention)
    if after + 1 < len(words) and words[after] in _LABELS:
        said = _said_of_label(words, after + 1)
        if said:
            mention.polarity, mention.governed = said, "verb"
            return after + 2
    return after


def _said_of_label(words: Sequence[str], n: int) -> Polarity:
    """Return what a word says of the thing that it is put to: yes, no, included."""
    word = words[n]
    if _is_unknown(words, n - 1):
        return "?"
    if word == "not" or word in words_of("not-so"):
        return "-"
    return "+" if word in words_of("so") else ""


def _word(words: Sequence[str], n: int, state: _State) -> None:
    """Let a word govern what follows or precedes it."""
    word = words[n]
    following = words[n + 1] if n + 1 < len(words) else ""
    state.has_verb |= word in words_of("having") or word in words_of("being")
    state.denies |= (word, following) in _WITHOUT
    state.denies |= any(word in words_of(kind) for kind in ("negation", "lacking", "not-so"))
    if word in _ENDS or word in words_of("break") or (word == "," and _begins_clause(words, n + 1, state)):
        state.hedged |= word == "?"
        state.end_clause(n)
        state.hedged = word in words_of("hedge")
    elif word in words_of("hedge"):
        state.hedged = True
    elif word == "and" and state.governed == "determiner" and following in ("a", "an"):
        state.set("", n)  # no smoking and a garden
    elif word in words_of("negation") and word not in _NONE:
        _negation(words, n, state)
    elif (word, following) == ("at", "home"):
        state.predicate("-")  # pets have to stay at home
    elif word in words_of("not-so") and state.pending and _after_being(words, n):
        state.predicate("-")
    elif word in _NONE or word in words_of("lacking") or (word, following) in _WITHOUT:
        state.set("?" if _is_unknown(words, n) else "-", n, "determiner")
    elif word in words_of("having"):
        _having(words, n, state)
    elif word in words_of("being"):
        _being(words, n, state)
    elif word in words_of("so") and state.pending and n - state.pending[-1].last <= _NEAR - 1:
        state.set("", n)
        state.pending = []


def _begins_clause(words: Sequence[str], n: int, state: _State) -> bool:
    """Return whether after a comma a clause begins with its own subject: "it", "and pets are"."""
    if words[n : n + 1] == ["and"]:
        for at in range(n + 2, min(len(words), n + _SUBJECT) if state.has_verb else 0):
            if words[at] in _VERBS:
                return True
            if not words[at][:1].isalpha() or words[at] in words_of("having"):
                break
        n += 1
    return n < len(words) and words[n] in _SUBJECTS


def _is_unknown(words: Sequence[str], n: int) -> bool:
    """Return whether the words after a place say that nothing is known: "no information"."""
    return not words_of("unknown").isdisjoint(words[n + 1 : n + 1 + _NEAR])


def _negation(words: Sequence[str], n: int, state: _State) -> None:
    """Read "not": of the verb that follows, or of the subjects before it."""
    ahead = _next(words, n)
    closes = not ahead[:1].isalpha() or ahead == "and" or ahead in words_of("so") | words_of("break")
    if _is_unknown(words, n):
        state.predicate("?")
        state.set("?", n)
    elif state.pending and (closes or ahead == "been"):
        state.predicate("-")
    else:
        state.set("-", n)
        state.negated_at = n


def _having(words: Sequence[str], n: int, state: _State) -> None:
    """Read a verb of having: it asserts again, unless the negation before it is its own."""
    goes_on = n - state.negated_at <= _NEAR or words[n - 1] in ("or", "nor", "neither")
    if state.polarity in ("", "+") or not (goes_on or (state.polarity == "?" and n - state.at <= _NEAR)):
        state.set("+", n)
    else:
        state.at = n  # does not offer A or accept B


def _being(words: Sequence[str], n: int, state: _State) -> None:
    ahead = _next(words, n)
    if ahead in words_of("negation") or (ahead in words_of("not-so") and state.pending):
        return
    if state.pending and ahead in words_of("so"):
        state.predicate("+")
    elif state.polarity not in ("-", "?") or n - state.at > _NEAR:
        state.set("", n)
        state.pending = []


def _after_being(words: Sequence[str], n: int) -> bool:
    while n and (words[n - 1] in words_of("adverb") or words[n - 1].endswith("ed")):
        n -= 1
    return n > 0 and words[n - 1] in words_of("being")


def _next(words: Sequence[str], n: int) -> str:
    """Return the next word that is not an adverb."""
    rest = (word for word in words[n + 1 :] if word not in words_of("adverb") and not word.endswith("ly"))
    return next(rest, "")
