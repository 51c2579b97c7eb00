"""Spans of a text that look like a name, a date or a number and that nothing in the input explains.

Names are told by their capitals where a text is cased. Where it is not, a word that stands in no dictionary
is taken for one; common words are names only where a list of names has them (*jazz*, *petrol*).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from esascore.detectors._date_patterns import lowered_in_place
from esascore.detectors._units import unit_named
from esascore.detectors.base import Document
from esascore.detectors.dates import DateRange, FoundDate, PartialDate, agrees, find_dates
from esascore.detectors.explained import Explained, title_words
from esascore.detectors.linked import METHOD as LINKED
from esascore.detectors.numbers import FoundNumber, find_numbers, number_distance
from esascore.lexicon.words import english_words, is_misspelt
from esascore.link.names import Names
from esascore.model import LinkedMention, LinkFailure, Links, Mention

EVIDENCE: Mapping[str, float] = MappingProxyType(
    {
        "date": 0.95,
        "number": 0.9,
        "capitals": 0.9,
        "capital": 0.85,
        "first-word": 0.6,
        "title": 0.8,
        "linked": 0.9,
        "listed": 0.8,
        "proper": 0.75,
        "unknown": 0.6,
        "code": 0.7,
        "likeness": 0.5,
    }
)
"""Why a span is taken for a mention, with how sure that makes it."""


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A span that nothing in the input explains.

    ``type`` is ``name``, ``date`` or ``number``; ``evidence`` a name of `EVIDENCE`; ``entity`` what the span
    is in a list of names, if it is there.
    """

    start: int
    end: int
    type: str
    evidence: str
    entity: str | None = None


def find_unexplained(
    document: Document,
    explained: Explained,
    names: Names | None = None,
    mentions: Sequence[Mention] | None = None,
    links: Links | None = None,
) -> list[Unexplained]:
    """Find what a text mentions and the input does not explain, in text order.

    Parameters
    ----------
    document
        The text with its input.
    explained
        What the input explains.
    names
        Names of other entities, which may consist of common words.
    mentions
        What was accepted as mentions of the input's entities. A name that is only like a person's of the
        input is found where it is in none of them; without any being given it is not. What an entity linker
        took for an entity of the input is explained.
    links
        What an entity linker found in the text, also of entities that are not in the input.

    Examples
    --------
    >>> from esascore.detectors.explained import explain
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Kestrel_Arena", "openingDate", "1998-05-04")])
    >>> text = "Kestrel Arena in Oslo, opened on 4 May 1999, has 800 seats."
    >>> [(text[u.start:u.end], u.type) for u in find_unexplained(Document(graph, text), explain(graph))]
    [('Oslo', 'name'), ('4 May 1999', 'date'), ('800', 'number')]
    """
    view = _View.of(document, explained)
    for mention in mentions or ():
        if mention.method == LINKED:
            view.take(mention.start, mention.end)
    found = [*_literals(view)]
    found += _names(view, names, mentions, () if links is None or isinstance(links, LinkFailure) else links)
    return sorted(found, key=lambda span: span.start)


@dataclass(frozen=True, slots=True)
class _View:
    """A text as this module reads it: folded words with their places, and which are spoken for."""

    text: str
    lowered: str
    explained: Explained
    words: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    taken: list[bool]

    @classmethod
    def of(cls, document: Document, explained: Explained) -> _View:
        tokens, folded = document.words, document.folded
        words = folded.text.split(" ") if folded.text else []
        starts = [tokens.starts[index] for index in folded.tokens]
        ends = [tokens.ends[index] for index in folded.tokens]
        view = cls(
            document.text,
            lowered_in_place(document.text),
            explained,
            words,
            starts,
            ends,
            [False] * len(words),
        )
        view._take_phrases()
        return view

    def _take_phrases(self) -> None:
        phrases = self.explained.phrases
        done = 0
        for position, word in enumerate(self.words):
            if position >= done and word in phrases.lengths:  # spares most words the call
                found = phrases.longest(self.words, position)
                if found is not None:
                    done = found[0]
                    self.taken[position:done] = [True] * (done - position)
        if not _LEAKS.isdisjoint(self.words) or "&" in self.text or "__" in self.text:
            for leak in _PLACEHOLDER.finditer(self.text):
                self.take(leak.start(), leak.end())

    def inside(self, start: int, end: int) -> range:
        """The words that a span touches."""
        return range(bisect_right(self.ends, start), bisect_left(self.starts, end))

    def take(self, start: int, end: int) -> None:
        for index in self.inside(start, end):
            self.taken[index] = True

    def is_taken(self, start: int, end: int) -> bool:
        return all(self.taken[index] for index in self.inside(start, end))


# What is left of a system's inner workings, and character references.
_PLACEHOLDER = re.compile(
    r"\b(?:agent|patient|bridge|entity|ent)\s?[-_]\s?\d+\b|__\w+__|&\s?(?:amp\s?;\s?)?#?\w+\s?;",
    re.IGNORECASE,
)
_LEAKS = frozenset({"agent", "patient", "bridge", "entity", "ent"})
_SPLIT_CODE = re.compile(r"\d+(?:[ -]+\d+)+")
_A_DIGIT = re.compile(r"\d")


# --- dates, numbers and codes


def _literals(view: _View) -> Iterator[Unexplained]:
    if not _A_DIGIT.search(view.text):
        yield from _spoken_numbers(view)
        return
    bad: list[tuple[int, int, str]] = []
    for split in _SPLIT_CODE.finditer(view.text):
        digits = "".join(filter(str.isdigit, split[0]))
        if len(digits) > 3 and any(digits in code for code in view.explained.codes):
            view.take(split.start(), split.end())
    for date in find_dates(view.text):
        if view.is_taken(date.start, date.end):
            continue
        if _date_is_explained(date, view.explained):
            view.take(date.start, date.end)
        elif not isinstance(date.values[0], DateRange) or _is_decade(date):
            bad.append((date.start, date.end, "date"))
    numbers = [number for number in find_numbers(view.text) if not view.is_taken(number.start, number.end)]
    for number in numbers:
        if _number_is_explained(number, view):
            view.take(number.start, number.outer_end)
            view.take(number.outer_start, number.start)
        elif _A_DIGIT.search(view.text, number.start, number.end) or _is_told(number):
            bad.append((number.start, number.end, "number"))
    # Of readings that overlap, the longest is what the text says.
    last = -1
    for start, end, kind in sorted(bad, key=lambda span: (span[0], -span[1])):
        if start < last or any(view.taken[index] for index in view.inside(start, end)):
            continue
        last = end
        view.take(start, end)
        yield Unexplained(start, end, kind, kind)
    for index, word in enumerate(view.words):
        if view.taken[index] or not _A_DIGIT.search(word):
            continue
        explained = _code_is_explained(view, index)
        view.taken[index] = True
        if not explained:
            kind = "number" if word.isdigit() else "name"
            yield Unexplained(view.starts[index], view.ends[index], kind, "code")


def _spoken_numbers(view: _View) -> Iterator[Unexplained]:
    for number in find_numbers(view.text):
        if _is_told(number) and not view.is_taken(number.start, number.end):
            explained = _number_is_explained(number, view)
            view.take(number.start, number.end)
            if not explained:
                yield Unexplained(number.start, number.end, "number", "number")


def _is_told(number: FoundNumber) -> bool:
    """Whether a number in words is said for its value, as "one" and "first" hardly are."""
    return not number.ordinal and abs(number.values[0]) > _SMALL


def _is_decade(date: FoundDate) -> bool:
    value = date.values[0]
    if not isinstance(value, DateRange) or value.first.year is None or value.last.year is None:
        return False
    return value.last.year == value.first.year + 9 and value.first.month is None


def _date_is_explained(date: FoundDate, explained: Explained) -> bool:
    if any(agrees(date, own) is not None for own in explained.dates):
        return True
    for value in date.values:
        if isinstance(value, DateRange):
            first, last = value.first.year, value.last.year
            if first is not None and last is not None and any(first <= y <= last for y in explained.years):
                return True
        elif value.month is None and value.year is not None:
            if value.year in explained.years or Decimal(value.year) in explained.values:
                return True
        elif value == PartialDate(value.year, 1, 1) and value.year in explained.years:
            return True
    return False


_SMALL = 20
_CENTURY = re.compile(r"(?:st|nd|rd|th)?[\s-]?centur(?:y|ies)")
_DECADE = re.compile(r"\s?['’]?s(?!\w)")
_YEARS = re.compile(r"[\s-]?(?:years?|yrs?)\b|\s?$|\s?[.,]")
_LONGEST_SPAN = 150
_SHORT_YEAR = re.compile(r"['’/–-]\s?$")


def _number_is_explained(number: FoundNumber, view: _View) -> bool:
    explained = view.explained
    if any(abs(value) in explained.values for value in number.values):
        return True
    if any(number_distance(number, quantity) is not None for quantity in explained.quantities):
        return True
    value = number.values[0]
    if value != value.to_integral_value() or not 0 < value < 10_000:
        return False
    whole = int(value)
    if whole in explained.counts and not number.ordinal:
        return True
    if whole <= _LONGEST_SPAN and whole in explained.spans and _YEARS.match(view.lowered, number.end):
        return True
    if _CENTURY.match(view.lowered, number.end):
        return any(whole in ((year - 1) // 100 + 1, year // 100) for year in explained.years)
    if _DECADE.match(view.lowered, number.end):
        tens = whole % 100
        return any(year // 10 * 10 % 100 == tens or year // 100 * 100 == whole for year in explained.years)
    if whole < 100 and _SHORT_YEAR.search(view.lowered, max(0, number.start - 2), number.start):
        return any(year % 100 == whole for year in explained.years)
    return False


def _code_is_explained(view: _View, index: int) -> bool:
    """Whether letters and digits that stand together without a space are part of a label."""
    first = last = index
    while first and view.ends[first - 1] >= view.starts[first] - 1 and not _has_space(view, first):
        first -= 1
    while last + 1 < len(view.words) and not _has_space(view, last + 1):
        last += 1
    explained = view.explained
    word = view.words[index]
    if explained.code("".join(view.words[first : last + 1])) or explained.code(word):
        return True
    if word.isdigit():
        return Decimal(word) in explained.values
    glued = _GLUED.fullmatch(word)
    return explained.word(word) or (glued is not None and Decimal(glued[1]) in explained.values)


_GLUED = re.compile(r"[^\W\d_]*(\d{1,18})[^\W\d_]*")


def _has_space(view: _View, index: int) -> bool:
    return any(c.isspace() for c in view.text[view.ends[index - 1] : view.starts[index]])


# --- names

_FUNCTION_WORDS = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "and", "or", "but", "nor", "so", "yet", "if",
    "as", "at", "by", "for", "from", "in", "into", "of", "off", "on", "onto", "out", "over", "per",
    "than", "to", "up", "upon", "via", "with", "within", "without", "it", "its", "he", "him", "his",
    "she", "her", "hers", "they", "them", "their", "theirs", "we", "us", "our", "you", "your", "i",
    "me", "my", "who", "whom", "whose", "which", "what", "when", "where", "why", "how", "there", "here",
    "is", "are", "was", "were", "be", "been", "being", "am", "has", "have", "had", "having", "do",
    "does", "did", "done", "will", "would", "shall", "should", "can", "could", "may", "might", "must",
    "not", "no", "also", "both", "some", "any", "all", "many", "most", "more", "much", "few", "such",
    "same", "own", "only", "very", "just", "about", "after", "before", "since", "until", "while",
    "during", "between", "among", "through", "under", "above", "below", "near", "because", "although",
    "though", "however", "then", "thus", "now", "each", "other", "another", "one", "two", "three",
    "four", "five", "six", "seven", "eight", "nine", "ten", "first", "second", "third",
})  # fmt: skip
_TIMES = frozenset({
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
})  # fmt: skip
# Abbreviations that go with any name, number or sentence.
_ABBREVIATIONS = frozenset({
    "tv", "inc", "ltd", "co", "corp", "llc", "plc", "jr", "sr", "fc", "cf", "sc", "ac", "afc", "utc",
    "gmt", "cet", "est", "pst", "usd", "eur", "gbp", "sq", "no", "nr", "vs", "etc", "ok", "dvd", "cd",
    "lp", "ep", "pm", "am", "ad", "bc", "ce", "bce", "rd", "ave", "blvd", "st", "ii", "iii", "iv", "vi",
    "vii", "viii", "ix", "xi", "xii", "phd", "ba", "bsc", "ma", "msc", "bs", "mba", "ceo", "aka", "id",
    "hq", "isbn", "issn", "lccn", "oclc", "icao", "iata", "rpm", "mph", "kmh", "km", "cm", "mm", "kg",
    "lb", "lbs", "ft", "hp", "kw", "cc",
})  # fmt: skip
_SHORT_TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof"})  # what only a name follows
_DETERMINERS = frozenset({"the", "this", "that", "its", "his", "her", "their"})
_SENTENCE_END = re.compile(r"[.!?:]['\"”’)]*\s*['\"“‘(]*$|^['\"“‘(\s]*$|\n['\"“‘(\s]*$")
_CONNECTORS = frozenset(
    {"of", "the", "de", "la", "le", "du", "di", "da", "del", "von", "van", "and", "al", "el"}
)
_LONG_WORD = 7
_LEAST_UNKNOWN = 3
_MOSTLY = 0.85
_FEW_WORDS = 6


def is_cased(text: str) -> bool:
    """Tell whether capitals mean something in a text: it has some, and not on every word.

    Examples
    --------
    >>> is_cased("Oslo is big."), is_cased("oslo is big."), is_cased("OSLO IS A BIG AND OLD CITY")
    (True, False, False)
    """
    words = _LETTERS.findall(text)
    capitals = sum(word[0].isupper() for word in words)
    return capitals > 0 and not (len(words) >= _FEW_WORDS and capitals > _MOSTLY * len(words))


_LETTERS = re.compile(r"[^\W\d_]+")


def _names(
    view: _View, names: Names | None, mentions: Sequence[Mention] | None, links: Sequence[LinkedMention]
) -> list[Unexplained]:
    cased = is_cased(view.text)
    flags: list[str | None] = [None] * len(view.words)
    open_ = [not taken and _is_open(view, index) for index, taken in enumerate(view.taken)]
    entities: dict[int, str] = {}
    if any(open_):
        _explain_expansions(view, open_, cased)
        for index, word in enumerate(view.words):
            if open_[index]:
                flags[index] = _by_case(view, index, word, open_) if cased else _by_dictionary(word)
        _by_links(view, links, cased, open_, flags, entities)
        if names is not None:
            _by_list(view, names, open_, flags, entities)
    if mentions is not None:
        _by_likeness(view, mentions, cased, flags)
    return _spans(view, flags, entities)


def _by_likeness(view: _View, mentions: Sequence[Mention], cased: bool, flags: list[str | None]) -> None:
    """Flag names that are like a person's of the input but were not accepted as its mention."""
    closed = [False] * len(flags)
    for index, word in enumerate(view.words):
        if (
            flags[index]
            or view.taken[index]
            or not word.isalpha()
            or not view.explained.resembles_person(word)
        ):
            continue
        if word in _FUNCTION_WORDS or (word in english_words().common and not _follows_title(view, index)):
            continue
        if any(m.start < view.ends[index] and view.starts[index] < m.end for m in mentions):
            continue
        if any(_is_content(view, near) for near in (index - 1, index + 1) if 0 <= near < len(flags)):
            continue  # a misspelling inside a longer name, whose other words tell what is meant
        if (_by_case(view, index, word, closed) if cased else _by_dictionary(word)) is not None:
            flags[index] = "likeness"


def _is_open(view: _View, index: int) -> bool:
    word = view.words[index]
    if len(word) < 2 or not word.isalpha():
        return False
    if word in _FUNCTION_WORDS or word in _TIMES or word in _ABBREVIATIONS or word in title_words():
        return False
    if view.explained.word(word):
        return False
    joined = view.explained.words
    if index + 1 < len(view.words) and word + view.words[index + 1] in joined:
        return False
    return not (index and view.words[index - 1] + word in joined)


def _explain_expansions(view: _View, open_: list[bool], cased: bool) -> None:
    """Close words that spell out an abbreviation of the input."""
    for start in range(len(open_)):
        if not open_[start]:
            continue
        main = [i for i in range(start, min(len(open_), start + 9)) if view.words[i] not in _CONNECTORS][:6]
        letters = "".join([view.words[i][0] for i in main])
        for size in range(len(main), 1, -1):
            if letters[:size] not in view.explained.words:
                continue
            chosen = main[:size]
            if not cased or all(view.text[view.starts[i]].isupper() for i in chosen):
                open_[start : chosen[-1] + 1] = [False] * (chosen[-1] + 1 - start)
                break


def _by_case(view: _View, index: int, word: str, open_: Sequence[bool]) -> str | None:
    start = view.starts[index]
    if not view.text[start].isupper():
        return "title" if _follows_title(view, index) else _by_dictionary(word)
    if index and view.words[index - 1] in _DETERMINERS and word in view.explained.kinds:
        return None  # "The Book": a description, no name
    following = index + 1 < len(open_) and open_[index + 1] and view.text[view.starts[index + 1]].isupper()
    if following and not _has_space(view, index + 1):
        following = False
    if _SENTENCE_END.search(view.text, max(0, start - 4), start):
        if word in english_words().common and not following:
            return None
        if is_misspelt(word) and word not in english_words().proper and not following:
            return None
        return "first-word" if not following else "capitals"
    return "capitals" if following else "capital"


def _is_content(view: _View, index: int) -> bool:
    word = view.words[index]
    if word in _FUNCTION_WORDS or word in title_words() or word in view.explained.kinds:
        return False
    return view.taken[index] or (view.explained.word(word) and word not in english_words().common)


def _follows_title(view: _View, index: int) -> bool:
    return index > 0 and view.words[index - 1] in _SHORT_TITLES and not view.taken[index]


def _by_dictionary(word: str) -> str | None:
    if len(word) < _LEAST_UNKNOWN or word in english_words().common:
        return None
    if word in english_words().proper:
        return "proper"
    return None if is_misspelt(word) or _is_run_together(word) or unit_named(word) else "unknown"


def _is_run_together(word: str) -> bool:
    """Whether a word is a common word and a function word without the space between them."""
    common = english_words().common
    for cut in range(2, len(word) - 1):
        first, rest = word[:cut], word[cut:]
        if (first in _FUNCTION_WORDS and rest in common) or (rest in _FUNCTION_WORDS and first in common):
            return True
        if first in _FUNCTION_WORDS and any(rest[:end] in common for end in range(_LONG_WORD, len(rest))):
            return True  # and something more
    return False


def _by_links(
    view: _View,
    links: Sequence[LinkedMention],
    cased: bool,
    open_: Sequence[bool],
    flags: list[str | None],
    entities: dict[int, str],
) -> None:
    """Flag what a linker took for an entity, unless most of its words are explained or it is no name."""
    for link in links:
        main = [i for i in view.inside(link.start, link.end) if view.words[i] not in _FUNCTION_WORDS]
        unexplained = [i for i in main if open_[i]]
        if not unexplained or 2 * len(unexplained) <= len(main):
            continue
        # Some linkers link every noun: "dish" is no name, though there is an article about dishes.
        if all(view.words[i] in english_words().common for i in main):
            capital = any(view.text[view.starts[i]].isupper() and flags[i] for i in main)
            if not (capital if cased else len(main) > 1):
                continue
        for index in unexplained:
            flags[index] = "linked"
            entities[index] = link.entity


def _by_list(
    view: _View, names: Names, open_: Sequence[bool], flags: list[str | None], entities: dict[int, str]
) -> None:
    position = 0
    while position < len(open_):
        found = names.longest(view.words, position) if view.words[position] in names.lengths else None
        if found is None:
            position += 1
            continue
        end, entity = found
        main = [i for i in range(position, end) if view.words[i] not in _FUNCTION_WORDS]
        unexplained = [i for i in main if open_[i]]
        if unexplained and 2 * len(unexplained) > len(main):
            for index in unexplained:
                flags[index] = flags[index] or "listed"
                entities.setdefault(index, entity)
            position = end
        else:
            position += 1


def _spans(view: _View, flags: Sequence[str | None], entities: dict[int, str]) -> list[Unexplained]:
    """Join neighbouring words of a name, across the small words inside it."""
    found = []
    index = 0
    while index < len(flags):
        if flags[index] is None:
            index += 1
            continue
        last = index
        while (following := _next_word(view, flags, last)) is not None:
            last = following
        reasons = [flag for flag in flags[index : last + 1] if flag is not None]
        entity = next((entities[i] for i in range(index, last + 1) if i in entities), None)
        best = max(reasons, key=lambda reason: EVIDENCE[reason])
        found.append(Unexplained(view.starts[index], view.ends[last], "name", best, entity))
        index = last + 1
    return found


def _next_word(view: _View, flags: Sequence[str | None], last: int) -> int | None:
    following = last + 1
    while following < len(flags) and following - last < 3 and flags[following] is None:
        if view.words[following] not in _CONNECTORS or view.taken[following]:
            return None
        following += 1
    if following >= len(flags) or flags[following] is None:
        return None
    between = view.text[view.ends[last] : view.starts[following]]
    return None if _APART.search(between) else following


_APART = re.compile(r"[,;:!?()\"“”]|\.\s")
