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
_LABELS = frozenset({":", "=", "–", "—", _CELL})
_SWITCHED: Mapping[str, Polarity] = {
    "on": "+", "active": "+", "✓": "+", "✔": "+", "✅": "+", "y": "+", "off": "-", "inactive": "-", "✗": "-",
    "✘": "-", "❌": "-", "n": "-", "×": "-",
}  # fmt: skip
_NONE = frozenset({"no", "non", "none", "nothing", "zero"})
_AUXILIARY = frozenset({"has", "have", "had", "is", "are", "was", "were", "been"})
_DOING = frozenset({"do", "does", "did"})
_REACH = 9
_LEAST_PARTICIPLE = 4
_SUBJECT = 6  # words of a subject after "and"
_DETERMINERS = frozenset({
    "the", "a", "an", "any", "some", "its", "their", "this", "that", "these", "those", "such", "other",
    "additional", "own", "all", "no", "both", "each", "every",
})  # fmt: skip
_NEW_SUBJECTS = frozenset(["it", "they", "there", "this", "we", "you", "he", "she"])
_GLUE = frozenset({
    ",", "and", "or", "nor", "/", "&", "the", "a", "an", "any", "some", "also", "as", "well", "like", "such",
    "free",
})  # fmt: skip


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
    """What governs the next mention: its polarity, by what, and where that stands."""

    polarity: Polarity = ""
    how: str = ""
    at: int = -_REACH - 1
    pending: list[Mention] = field(default_factory=list)
    clause: list[Mention] = field(default_factory=list)
    hedged: bool = False
    negated_at: int = -_REACH - 1

    def set(self, polarity: Polarity, how: str, at: int) -> None:
        self.polarity, self.how, self.at = polarity, how, at


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
    asked = bool(words) and words[-1] == "?"
    at = {mention.first: mention for mention in reversed(mentions)}
    inside = {n for mention in mentions for n in range(mention.first + 1, mention.last + 1)}
    state = _State(hedged=asked)
    n = 0
    while n < len(words):
        if n in at:
            n = _mention(words, at[n], state)
        elif n in inside:
            n += 1
        else:
            n = _word(words, n, state, asked)
    _end_clause(state, asked)


def _mention(words: Sequence[str], mention: Mention, state: _State) -> int:
    """Note a mention; return where to go on."""
    if mention.how != "form" and state.polarity and mention.first - state.at <= _REACH:
        mention.polarity, mention.how = state.polarity, state.how
        state.at = mention.last
    own = words[mention.first : mention.last + 1]
    if not words_of("negation").isdisjoint(own):
        mention.polarity, mention.how = "-", "inside"
    elif not mention.polarity and own[-1].endswith("ed") and not _AUXILIARY.isdisjoint(own):
        mention.polarity, mention.how = "+", "inside"  # a recount has been requested
    state.pending.append(mention)
    state.clause.append(mention)
    after = mention.last + 1
    following = words[after + 1] if after + 1 < len(words) else ""
    if words[after : after + 1] == ["("] and (said := _says(words, after + 1)):
        mention.polarity, mention.how = said, "aside"
        return after + 2
    if after < len(words) and words[after] in _LABELS and following:
        if _is_unknown(words[after + 1 : after + 4]):
            mention.polarity, mention.how = "?", "label"
        elif said := _says(words, after + 1, label=True):
            mention.polarity, mention.how = said, "label"
            return after + 2
    return after


def _says(words: Sequence[str], n: int, *, label: bool = False) -> Polarity:
    """Return what a word says of the thing that it is put to: yes, no, included; off after a label."""
    word = words[n] if n < len(words) else ""
    if label and word in _SWITCHED:
        return _SWITCHED[word]
    following = words[n + 1] if n + 1 < len(words) else ""
    if word in words_of("not-so") or (
        word == "not" and (following in words_of("so") or not following[:1].isalpha())
    ):
        return "-"
    return "+" if word in words_of("so") else ""


def _word(words: Sequence[str], n: int, state: _State, asked: bool) -> int:
    """Let a word govern what follows or precedes it; return where to go on."""
    word = words[n]
    if word in _ENDS or word in words_of("break"):
        if word not in ("who", "which"):
            _end_clause(state, asked)
        state.set("", "", n)
    elif word == ":":
        state.set("", "", n)
    elif word == ",":
        if _begins_clause(words, n + 1) or (state.hedged and words[0] in words_of("hedge")):
            _end_clause(state, asked)
            state.set("", "", n)
    elif word == "and" and state.how == "before" and words[n + 1 : n + 2] in (["a"], ["an"]):
        state.set("", "", n)  # no smoking and a garden
    elif word in words_of("hedge"):
        state.hedged = True
    elif word in _NONE:
        _deny_what_follows(words, n, state)
    elif word in words_of("negation"):
        return _negation(words, n, state)
    elif word in words_of("not-so") and n and _after_being(words, n) and state.pending:
        _predicate("-", state)
    elif word in words_of("not-so") and _is_before_being(words, n) and not _after_being(words, n):
        state.set("-", "before", n + 1)  # notably absent are
        return n + 2
    elif word in words_of("lacking"):
        _lacking(words, n, state)
    elif word in words_of("having"):
        _having(words, n, state)
    elif word == "there" and _is_before_being(words, n):
        if not {"no", "not"} & set(words[n + 1 : n + 4]):
            state.set("+", "verb", n)
    elif word in ("with", "plus") and state.polarity in ("", "+"):
        state.set("+", "with", n)
    elif word == "can" and words[n + 1 : n + 2] != ["not"]:
        state.set("+", "verb", n)
    elif word in words_of("being"):
        _being(words, n, state)
    elif word in words_of("so") and state.pending and n - state.pending[-1].last <= 2:
        for mention in state.pending:
            if not mention.polarity:
                mention.polarity, mention.how = "+", "predicate"
        state.pending = []
        state.set("", "", n)
    elif n - state.at > _REACH and word not in _GLUE:
        state.set("", "", state.at)
    return n + 1


def _begins_clause(words: Sequence[str], n: int) -> bool:
    """Return whether after a comma a clause begins with its own subject: "it", "and pets are"."""
    if words[n : n + 1] and words[n] in _NEW_SUBJECTS:
        return True
    if words[n : n + 1] not in (["and"], ["so"]):
        return False
    if words[n + 1 : n + 2] and words[n + 1] in _NEW_SUBJECTS:
        return True
    for at in range(n + 1, min(len(words), n + _SUBJECT)):
        auxiliary = words[at] in ("has", "have", "had") and words[at + 1 : at + 2] in (["been"], ["not"])
        if words[at] in words_of("being") or words[at] in _DOING or auxiliary:
            return at > n + 1
        if not words[at][:1].isalpha() or words[at] in words_of("having"):
            return False
    return False


def _end_clause(state: _State, asked: bool) -> None:
    for mention in state.clause:
        mention.hedged = mention.hedged or state.hedged
    state.pending, state.clause, state.hedged = [], [], asked


def _deny_what_follows(words: Sequence[str], n: int, state: _State) -> None:
    unknown = _is_unknown(words[n + 1 : n + 3])
    state.set("?" if unknown else "-", "unknown" if unknown else "before", n)


def _lacking(words: Sequence[str], n: int, state: _State) -> None:
    """Read "lacks", "without", "missing": of what follows, or of the subjects before it."""
    if state.pending and _after_being(words, n) and words[n] not in ("without", "neither", "nor"):
        _predicate("-", state)
    elif _is_unknown(words[n + 1 : n + 4]):
        state.set("?", "unknown", n)
    elif n and words[n - 1] in words_of("negation"):
        state.set("+", "verb", n)  # not without
    else:
        state.set("-", "before", n)


def _is_unknown(words: Sequence[str]) -> bool:
    """Return whether words say that nothing is known: "no information"."""
    return not words_of("unknown").isdisjoint(words)


def _negation(words: Sequence[str], n: int, state: _State) -> int:
    """Read "not": of the verb that follows, or of the subjects before it."""
    ahead = _next(words, n)
    if _is_unknown(words[n + 1 : n + 4]):
        for mention in state.pending:
            mention.polarity = "?"
        state.set("?", "unknown", n)
        return n + 1
    if words[n + 1 : n + 2] in (["only"], ["just"]):
        state.set("+", "verb", n)
        return n + 1
    closes = not ahead[:1].isalpha() or ahead == "and" or ahead in words_of("so") | words_of("break")
    if (
        state.pending
        and closes
        and (_after_being(words, n) or words[n - 1] in _DOING or n - 1 == state.pending[-1].last)
    ):
        _predicate("-", state)
        while n + 1 < len(words) and words[n + 1] in words_of("so") | words_of("adverb"):
            n += 1
        return n + 1
    state.set("-", "verb", n)
    state.negated_at = n
    return n + 1


def _having(words: Sequence[str], n: int, state: _State) -> None:
    """Read a verb of having: a new one asserts again, unless the negation before it is its own."""
    word, before = words[n], words[n - 1] if n else ""
    is_noun = word.endswith("s") and before in _DETERMINERS
    after = words[n + 1] if n + 1 < len(words) else ""
    auxiliary = word in ("have", "has", "having") and (after.endswith("ed") or after == "been")
    if is_noun or auxiliary:
        return
    if state.polarity == "-" and (n - state.negated_at <= 3 or before in ("or", "nor", "neither")):
        state.at = n  # does not offer; does not offer A or accept B
    elif (state.polarity == "-" and word == "including") or (state.polarity == "?" and n - state.at <= 3):
        state.at = n
    else:
        state.set("+", "verb", n)


def _being(words: Sequence[str], n: int, state: _State) -> None:
    ahead = _next(words, n)
    if ahead in words_of("negation") or (ahead in words_of("not-so") and state.pending):
        return
    if state.pending and (ahead in words_of("so") or _is_participle(ahead)):
        denied = words[n] == "been" and words[n - 1] in words_of("negation")
        _predicate("-" if denied else "+", state)
    elif state.polarity not in ("-", "?") or n - state.at > 3:
        state.set("+", "be", n)
        state.pending = []


def _is_participle(word: str) -> bool:
    """Return whether something that is so is there: "a towbar is fitted"."""
    return word.endswith("ed") and len(word) > _LEAST_PARTICIPLE and word not in words_of("unknown")


def _predicate(polarity: Polarity, state: _State) -> None:
    """Apply a predicate to the subjects before it; what a determiner denied stays denied."""
    for number, mention in enumerate(reversed(state.pending)):
        if mention.how == "before" and mention.polarity == "-":
            continue  # no parking is available
        if mention.polarity in ("", "?") or mention.how == "be" or number == 0:
            mention.polarity, mention.how = polarity, "predicate"
        else:
            break
    state.pending = []
    state.set("", "", state.at)


def _after_being(words: Sequence[str], n: int) -> bool:
    while n and words[n - 1] in words_of("adverb"):
        n -= 1
    return n > 0 and words[n - 1] in words_of("being")


def _is_before_being(words: Sequence[str], n: int) -> bool:
    return n + 1 < len(words) and words[n + 1] in words_of("being")


def _next(words: Sequence[str], n: int) -> str:
    """Return the next word that is no adverb."""
    n += 1
    while n < len(words) and (words[n] in words_of("adverb") or words[n].endswith("ly")):
        n += 1
    return words[n] if n < len(words) else ""
