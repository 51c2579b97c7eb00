"""Whether a sentence asserts or denies what it mentions: one pass from left to right.

A verb of having asserts what follows, through lists; a negation, "without" or "lacks" denies it, until a new
verb or conjunction. A predicate after its subjects ("are not available", "(absent)", ": no") says it of them.
What nothing governs is neither asserted nor denied.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple

from esascore.literals.keys import word_base
from esascore.wordlists import load, values

WORDLISTS = ("polarity",)
"""The word lists that are read here."""

Polarity = Literal["", "+", "-", "?"]
"""Nothing governs it; asserted; denied; said to be unknown."""

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|\S|\n(?=\s*\S)")
_ENDS = frozenset(".!?;")
_CELL = "|"  # stands between the two cells of a row
_LABELS = frozenset({":", "=", "–", "—", "(", _CELL})
_SWITCHED: Mapping[str, Polarity] = {
    "on": "+", "active": "+", "✓": "+", "✔": "+", "✅": "+", "y": "+", "off": "-", "inactive": "-", "✗": "-",
    "✘": "-", "❌": "-", "n": "-", "×": "-",
}  # fmt: skip
_NONE = frozenset({"no", "non", "none", "nothing", "zero"})
_AUXILIARY = frozenset({"has", "have", "had", "is", "are", "was", "were", "been"})
_SUBJECTS = frozenset(["it", "they", "there", "this", "we", "you", "he", "she"])
_VERBS = frozenset({"do", "does", "did", "is", "are", "was", "were"})
_REACH = 9  # words between a verb and what it governs
_NEAR = 3  # words between a negation and its verb, and between a verb and what is not known
_SUBJECT = 6  # words of a subject after "and"
_LEAST_PARTICIPLE = 4


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


@dataclass(slots=True)
class Mention:
    """Where a sentence mentions an attribute (the numbers of its first and last token), and how."""

    first: int
    last: int
    about: int
    polarity: Polarity = ""
    how: str = ""
    hedged: bool = False


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
class _State:
    """What governs the next mention: its polarity, by what, and where that stands.

    ``pending`` are the mentions of the clause so far: a predicate may follow that says something of them.
    """

    asked: bool
    hedged: bool
    polarity: Polarity = ""
    how: str = ""
    at: int = -_REACH - 1
    negated_at: int = -_REACH - 1
    pending: list[Mention] = field(default_factory=list)

    def set(self, polarity: Polarity, how: str, at: int) -> None:
        self.polarity, self.how, self.at = polarity, how, at

    def end_clause(self, at: int) -> None:
        self.set("", "", at)
        self.pending, self.hedged = [], self.asked

    def predicate(self, polarity: Polarity) -> None:
        """Say something of the subjects before it; what a determiner denied stays denied."""
        for number, mention in enumerate(reversed(self.pending)):
            if mention.how == "before" and mention.polarity == "-":
                continue  # no parking is available
            if number and mention.polarity not in ("", "?") and mention.how != "be":
                break
            mention.polarity, mention.how = polarity, "predicate"
        self.pending = []
        self.set("", "", self.at)


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
    inside = {n for mention in mentions for n in range(mention.first + 1, mention.last + 1)}
    asked = words[-1:] == ["?"]
    state = _State(asked, asked)
    n = 0
    while n < len(words):
        if n in at:
            n = _mention(words, at[n], state)
        else:
            if n not in inside:
                _word(words, n, state)
            n += 1


def _mention(words: Sequence[str], mention: Mention, state: _State) -> int:
    """Note a mention; return where to go on."""
    mention.hedged = state.hedged
    if mention.how != "form" and state.polarity and mention.first - state.at <= _REACH:
        mention.polarity, mention.how = state.polarity, state.how
        state.at = mention.last
    own = words[mention.first : mention.last + 1]
    if not words_of("negation").isdisjoint(own):
        mention.polarity, mention.how = "-", "inside"
    elif not mention.polarity and own[-1].endswith("ed") and not _AUXILIARY.isdisjoint(own):
        mention.polarity, mention.how = "+", "inside"  # a recount has been requested
    state.pending.append(mention)
    after = mention.last + 1
    if after + 1 < len(words) and words[after] in _LABELS:
        said: Polarity = "?" if _is_unknown(words, after) else _said_of_label(words, after + 1)
        if said:
            mention.polarity, mention.how = said, "label"
            return after + 2
    return after


def _said_of_label(words: Sequence[str], n: int) -> Polarity:
    """Return what a word says of the thing that it is put to: yes, no, included, off."""
    word, following = words[n], words[n + 1] if n + 1 < len(words) else ""
    if word in _SWITCHED:
        return "" if words[n - 1] == "(" else _SWITCHED[word]
    denied = word == "not" and (following in words_of("so") or not following[:1].isalpha())
    if denied or word in words_of("not-so"):
        return "-"
    return "+" if word in words_of("so") else ""


def _word(words: Sequence[str], n: int, state: _State) -> None:
    """Let a word govern what follows or precedes it."""
    word = words[n]
    following = words[n + 1] if n + 1 < len(words) else ""
    if word in ("who", "which", ":"):
        state.set("", "", n)
    elif word in _ENDS or word in words_of("break") or (word == "," and _begins_clause(words, n + 1)):
        state.end_clause(n)
    elif word == "and" and state.how == "before" and following in ("a", "an"):
        state.set("", "", n)  # no smoking and a garden
    elif word in words_of("hedge"):
        state.hedged = True
        for mention in state.pending:
            mention.hedged = True
    elif word in words_of("negation") and word not in _NONE:
        _negation(words, n, state)
    elif word in _NONE or word in words_of("lacking") or word in words_of("not-so"):
        _lacking(words, n, state)
    elif word in words_of("having"):
        _having(words, n, state)
    elif (word in ("with", "plus") and state.polarity in ("", "+")) or (word == "can" and following != "not"):
        state.set("+", "verb" if word == "can" else "with", n)
    elif word in words_of("being"):
        _being(words, n, state)
    elif word in words_of("so") and state.pending and n - state.pending[-1].last <= 2:
        for mention in state.pending:
            if not mention.polarity:
                mention.polarity, mention.how = "+", "predicate"
        state.pending = []
        state.set("", "", n)


def _begins_clause(words: Sequence[str], n: int) -> bool:
    """Return whether after a comma a clause begins with its own subject: "it", "and pets are"."""
    if words[n : n + 1] in (["and"], ["so"]):
        for at in range(n + 2, min(len(words), n + _SUBJECT)):
            if words[at] in _VERBS or (
                words[at] in _AUXILIARY and words[at + 1 : at + 2] in (["been"], ["not"])
            ):
                return True
            if not words[at][:1].isalpha() or words[at] in words_of("having"):
                break
        n += 1
    return n < len(words) and words[n] in _SUBJECTS


def _lacking(words: Sequence[str], n: int, state: _State) -> None:
    """Read "no", "lacks", "without", "missing": of what follows, or of the subjects before it."""
    word = words[n]
    if word in _NONE or not (state.pending and _after_being(words, n)):
        if word in words_of("lacking") or word in _NONE or _is_before_being(words, n):
            unknown = _is_unknown(words, n)
            state.set("?" if unknown else "-", "unknown" if unknown else "before", n)
    else:
        state.predicate("-")


def _is_before_being(words: Sequence[str], n: int) -> bool:
    """Return whether a form of "be" follows: excluded are."""
    return n + 1 < len(words) and words[n + 1] in words_of("being")


def _is_unknown(words: Sequence[str], n: int) -> bool:
    """Return whether the words after a place say that nothing is known: "no information"."""
    return not words_of("unknown").isdisjoint(words[n + 1 : n + 1 + _NEAR])


def _negation(words: Sequence[str], n: int, state: _State) -> None:
    """Read "not": of the verb that follows, or of the subjects before it."""
    ahead = _next(words, n)
    closes = not ahead[:1].isalpha() or ahead == "and" or ahead in words_of("so") | words_of("break")
    if _is_unknown(words, n):
        for mention in state.pending:
            mention.polarity = "?"
        state.set("?", "unknown", n)
    elif state.pending and closes:
        state.predicate("-")
    else:
        state.set("-", "verb", n)
        state.negated_at = n


def _having(words: Sequence[str], n: int, state: _State) -> None:
    """Read a verb of having: a new one asserts again, unless the negation before it is its own."""
    word, before = words[n], words[n - 1] if n else ""
    after = words[n + 1] if n + 1 < len(words) else ""
    if word in ("have", "has", "having") and (after.endswith("ed") or after == "been"):
        return
    goes_on = n - state.negated_at <= _NEAR or before in ("or", "nor", "neither") or word == "including"
    if (state.polarity == "-" and goes_on) or (state.polarity == "?" and n - state.at <= _NEAR):
        state.at = n  # does not offer A or accept B
    else:
        state.set("+", "verb", n)


def _being(words: Sequence[str], n: int, state: _State) -> None:
    ahead = _next(words, n)
    if ahead in words_of("negation") or (ahead in words_of("not-so") and state.pending):
        return
    if state.pending and (ahead in words_of("so") or _is_participle(ahead)):
        denied = words[n] == "been" and words[n - 1] in words_of("negation")
        state.predicate("-" if denied else "+")
    elif state.polarity not in ("-", "?") or n - state.at > _NEAR:
        state.set("+", "be", n)
        state.pending = []


def _is_participle(word: str) -> bool:
    """Return whether something that is so is there: "a towbar is fitted"."""
    return word.endswith("ed") and len(word) > _LEAST_PARTICIPLE and word not in words_of("unknown")


def _after_being(words: Sequence[str], n: int) -> bool:
    while n and words[n - 1] in words_of("adverb"):
        n -= 1
    return n > 0 and words[n - 1] in words_of("being")


def _next(words: Sequence[str], n: int) -> str:
    """Return the next word that is no adverb."""
    rest = (word for word in words[n + 1 :] if word not in words_of("adverb") and not word.endswith("ly"))
    return next(rest, "")
