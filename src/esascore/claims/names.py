"""Names of a text that nothing in the input explains.

Names are recognised by their capitals if a text is cased. If not, a word that is in no dictionary
is taken for one; common words are names only where a list of names has them (*jazz*, *petrol*).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache
from itertools import compress

from esascore.claims.evidence import EVIDENCE
from esascore.claims.finding import Finding
from esascore.claims.view import View
from esascore.languages.locales import locale_of
from esascore.lexicon.known_names import head_of
from esascore.literals.date_patterns import time_words
from esascore.literals.units import unit_named
from esascore.model import LinkedMention, Mention
from esascore.text.phrases import Phrases
from esascore.text.vocabulary import (
    WEEKDAYS,
    english_words,
    function_words,
    is_misspelt,
    longest_common,
    title_words,
)

_SHORT_TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof"})  # what only a name follows
_DETERMINERS = frozenset({"the", "this", "that", "its", "his", "her", "their"})
# After a full stop that may belong to an abbreviation, a colon, a bullet, a dash or a picture.
_BEGINS = re.compile(r"(?:[.:!?•·▪◦►→|*–—][\"'”’)]*|[^\w\s\"'“”‘’()\[\],;&/+%°$€£-])\s*[\"'“‘(]*$")
_JOINTS = frozenset({"of", "the", "de", "la", "le", "du", "di", "da", "del", "von", "van", "and", "al", "el"})
_LONG_WORD = 7
_LEAST_UNKNOWN = 3
_PREFIXES = (
    "un", "non", "re", "pre", "over", "under", "sub", "super", "semi", "multi", "mini", "micro", "anti",
    "inter", "co", "out", "up", "mis", "dis", "de", "ultra", "auto", "self",
)  # fmt: skip
_ENDINGS = (
    "y", "ish", "able", "ible", "less", "ness", "ful", "er", "ers", "ing", "ed", "like", "ly", "wise", "ward",
    "wards", "s", "ability", "ization", "isation", "ize", "ise", "ized", "ised", "est", "free", "proof",
)  # fmt: skip
_LEAST_BARE = 3
_LONGEST_SPELT = 4  # words before the last of a name that a code abbreviates
_LONGEST_ACRONYM = 5
_SYMBOL = 4  # letters at most: kWh, hPa


def unexplained_names(
    view: View, names: Phrases | None, mentions: Sequence[Mention] | None, links: Sequence[LinkedMention]
) -> list[Finding]:
    """Find the names that nothing explains, by capitals, dictionary, links and a list, in text order."""
    flags: dict[int, str] = {}
    open_ = _open_words(view)
    entities: dict[int, str] = {}
    if open_:
        _explain_expansions(view, open_)
        for index in sorted(open_):
            if (evidence := _looks_like_name(view, index, open_)) is not None:
                if _is_unit(view, index) or _is_part(view, index):
                    open_.remove(index)
                else:
                    flags[index] = evidence
        _by_links(view, links, open_, flags, entities)
        if names is not None and open_ and view.document.language.english:
            _by_list(view, names, open_, flags, entities)
    if mentions is not None:
        _by_likeness(view, mentions, flags)
    return _spans(view, flags, entities) if flags else []


@cache
def _no_names(languages: tuple[str, ...]) -> frozenset[str]:
    """Return the words that make no name whatever their case."""
    days = {day[:3] for day in WEEKDAYS} - {"sun"} | {f"{day}s" for day in WEEKDAYS}
    return function_words("number", "abbreviation", "format") | title_words() | time_words(languages) | days


def _by_likeness(view: View, mentions: Sequence[Mention], flags: dict[int, str]) -> None:
    """Flag names that are like a person's of the input but were not accepted as its mention."""
    like = view.explained.like_persons(view.words)
    if not like:
        return
    closed, last = frozenset[int](), len(view.words) - 1
    for index in [number for number, word in enumerate(view.words) if word in like]:
        word = view.words[index]
        if index in flags or view.taken[index] or not word.isalpha():
            continue
        if word in english_words().common and not _follows_title(view, index):
            continue
        if any(m.start < view.ends[index] and view.starts[index] < m.end for m in mentions):
            continue
        if any(_is_content(view, near) for near in (index - 1, index + 1) if 0 <= near <= last):
            continue  # a misspelling inside a longer name, whose other words tell what is meant
        if _looks_like_name(view, index, closed) is not None:
            flags[index] = "likeness"


def _open_words(view: View) -> set[int]:
    """Return which words may be names that nothing explains."""
    words, explained = view.words, view.explained
    judged, opens = explained.judged, explained.opens
    if not judged.issuperset(words):
        no_names = _no_names(explained.languages)
        new = set(words) - judged
        judged |= new
        opens.update(
            word
            for word in new
            if len(word) > 1 and word not in no_names and word.isalpha() and not explained.word(word)
        )
    if opens.isdisjoint(words):
        return set()
    joined, taken, last = explained.words, view.taken, len(words) - 1
    return {
        index
        for index in compress(range(len(words)), map(opens.__contains__, words))
        if not (
            taken[index]
            or (index < last and words[index] + words[index + 1] in joined)
            or (index and words[index - 1] + words[index] in joined)
            or _is_contracted(view, index)
        )
    }


def _is_unit(view: View, index: int) -> bool:
    """Tell whether a word is the unit of the number before it: the Celsius of "30 degrees Celsius"."""
    if not index:
        return False
    word, before = view.words[index], view.words[index - 1]
    if before[-1].isdigit() and len(word) <= _SYMBOL and view.text[view.starts[index]].islower():
        return True
    return unit_named(word) is not None and (before[-1].isdigit() or unit_named(before) is not None)


def _is_part(view: View, index: int) -> bool:
    """Return whether a word is no name of its own: the Bahn of U-Bahn, the mortem of post-mortem.

    Nor are capitals before a number that the input has: they say what it measures.
    """
    words, text, last = view.words, view.text, len(view.words) - 1
    start, end = view.starts[index], view.ends[index]
    hyphenated = index > 0 and text[view.ends[index - 1] : start] == "-"
    if hyphenated and (len(words[index - 1]) == 1 or text[start].islower()):
        return True
    if index == last or text[end : view.starts[index + 1]] not in (" ", " of "):
        return False
    following = words[index + 1]
    if following in WEEKDAYS:
        return words[index] in english_words().common
    return text[start:end].isupper() and following.isdigit() and view.explained.word(following)


def _is_contracted(view: View, index: int) -> bool:
    """Tell whether a word is what "n't" leaves of a verb, or a contraction without its apostrophe."""
    end = view.ends[index]
    if view.words[index] in _contractions():
        return True
    return index + 1 < len(view.words) and view.words[index + 1] == "t" and view.starts[index + 1] == end + 1


@cache
def _contractions() -> frozenset[str]:
    small = function_words()
    made = {f"{word}nt" for word in small} | {f"{word}s" for word in small if len(word) > 3}
    return frozenset(made - english_words().proper)


def _explain_expansions(view: View, open_: set[int]) -> None:
    """Close words that spell out an abbreviation of the input."""
    words, known = view.words, view.explained.words
    for start in sorted(open_):
        if start not in open_:
            continue
        if view.explained.abbreviations and _is_abbreviated(view, start):
            open_.discard(start)
            continue
        main = [i for i, word in enumerate(words[start : start + 9], start) if word not in _JOINTS][:6]
        letters = "".join([words[i][0] for i in main])
        for size in range(len(main), 1, -1):
            if letters[:size] not in known:
                continue
            chosen = main[:size]
            if not view.casing.tell(start) or all(view.text[view.starts[i]].isupper() for i in chosen):
                open_.difference_update(range(start, chosen[-1] + 1))
                break


def _is_abbreviated(view: View, index: int) -> bool:
    """Return whether a code of the input has letters of a word and those before it: LHR, London Heathrow."""
    first = index
    while (
        first > max(0, index - _LONGEST_SPELT)
        and view.text[view.starts[first - 1]].isupper()
        and not view.casing.crossed(first - 1, first + 1)
    ):
        first -= 1
    return any(
        code[0] == own[0] and _is_subsequence(code, own)
        for n in range(first, index + 1)
        if (own := "".join(view.words[n : index + 1]))
        for code in view.explained.abbreviations
    )


def _is_subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _looks_like_name(view: View, index: int, open_: Set[int]) -> str | None:
    """Return what makes a word look like a name, be it its capital or that no dictionary has it."""
    word, start = view.words[index], view.starts[index]
    if not view.document.language.english:
        return _by_capital(view, index, open_)
    if not view.casing.tell(index):
        return _by_dictionary(word)
    if not view.text[start].isupper():
        if _follows_title(view, index):
            return "title"
        evidence = _by_dictionary(word)
        # Where names have capitals, a word made of common ones is none: grippy, pre-installed, phonebook.
        made = evidence is not None and (
            _is_compound(word) or _is_derived(word) or _is_hyphenated(view, index)
        )
        return None if made else evidence
    if index and view.words[index - 1] in _DETERMINERS and word in view.explained.kinds:
        return None  # "The Book": a description, no name
    following = (
        index + 1 in open_
        and view.text[view.starts[index + 1]].isupper()
        and view.has_space(index + 1)
        and not view.casing.begins(index + 1)
    )
    if not following and index - 1 not in open_ and unit_named(word):
        return None  # "in Celsius"; but Newton Abbot is a place
    if view.casing.begins(index) or _BEGINS.search(view.text, max(0, start - 6), start):
        if word in english_words().common and not following:
            return None
        made = is_misspelt(word) or _is_derived(word)
        if made and word not in english_words().proper and not following:
            return None
        return "first-word" if not following else "capitals"
    return "capitals" if following else "capital"


def _by_capital(view: View, index: int, open_: Set[int]) -> str | None:
    """Return whether a word is a name in another language, of which nothing is known but its capitals."""
    start, text = view.starts[index], view.text
    if not (view.casing.tell(index) and text[start].isupper()):
        return None
    if view.casing.begins(index) or _BEGINS.search(text, max(0, start - 6), start):
        return None
    said = text[start : view.ends[index]]
    if said.isupper() and len(said) <= _LONGEST_ACRONYM:
        # What has a long name in the input may have other letters in that language, but a code has not.
        codes = (str(entity.term) for entity in view.document.input.entities)
        return "capitals" if any(code.isupper() and len(code) == len(said) for code in codes) else None
    beside = [
        near
        for near in (index - 1, index + 1)
        if near in open_
        and text[view.starts[near]].isupper()
        and not text[view.ends[min(near, index)] : view.starts[max(near, index)]].strip()
        and not view.casing.begins(near)
    ]
    if beside:
        return "capitals"
    language = view.document.language
    known = language.capitals_tell_names or view.words[index] in locale_of(language.code).places
    return "capital" if known else None


def _is_content(view: View, index: int) -> bool:
    word = view.words[index]
    if word in function_words("number") or word in title_words() or word in view.explained.kinds:
        return False
    return view.taken[index] or (view.explained.word(word) and word not in english_words().common)


def _follows_title(view: View, index: int) -> bool:
    return index > 0 and view.words[index - 1] in _SHORT_TITLES and not view.taken[index]


def _by_dictionary(word: str) -> str | None:
    if len(word) < _LEAST_UNKNOWN or word in english_words().common:
        return None
    if word in english_words().proper:
        return "proper"
    return None if is_misspelt(word) or _is_run_together(word) or unit_named(word) else "unknown"


def _is_compound(word: str) -> bool:
    """Whether a word is two common words of three letters or more."""
    common = english_words().common
    return _LONG_WORD <= len(word) <= 2 * longest_common() and any(
        word[:cut] in common and word[cut:] in common for cut in range(3, len(word) - 2)
    )


def _is_derived(word: str) -> bool:
    """Return whether a word is a common one with a prefix or an ending: unbookable, grippy."""
    common = english_words().common
    bare = next((word[len(own) :] for own in _PREFIXES if word.startswith(own)), word)
    if bare != word and len(bare) >= _LEAST_BARE and bare in common:
        return True
    for own in (word, bare):
        for ending in _ENDINGS:
            root = own.removesuffix(ending)
            if root == own or len(root) < _LEAST_BARE:
                continue
            if root in common or f"{root}e" in common or (root[-1] == root[-2] and root[:-1] in common):
                return True
    return False


def _is_hyphenated(view: View, index: int) -> bool:
    """Whether a hyphen joins a word to a common one in small letters."""
    for near in (index - 1, index + 1):
        if 0 <= near < len(view.words) and view.words[near] in english_words().common:
            first, last = min(near, index), max(near, index)
            if (
                view.text[view.ends[first] : view.starts[last]] == "-"
                and view.text[view.starts[near]].islower()
            ):
                return True
    return False


def _is_run_together(word: str) -> bool:
    """Whether a word is a common word and a function word without the space between them."""
    common, small = english_words().common, function_words("number")
    for cut in range(2, min(_longest_small() + 1, len(word) - 1)):
        if word[:cut] in small:
            rest = word[cut : cut + longest_common() + 1]  # and something more, perhaps
            whole = cut + len(rest) == len(word)
            if (whole and rest in common) or any(rest[:n] in common for n in range(_LONG_WORD, len(rest))):
                return True
    if len(word) > longest_common() + _longest_small():
        return False
    return any(word[cut:] in small and word[:cut] in common for cut in range(2, len(word) - 1))


@cache
def _longest_small() -> int:
    return max(map(len, function_words("number")))


def _by_links(
    view: View,
    links: Sequence[LinkedMention],
    open_: Set[int],
    flags: dict[int, str],
    entities: dict[int, str],
) -> None:
    """Flag what a linker took for an entity, unless most of its words are explained or it is not a name."""
    small = function_words("number")
    for link in links:
        main = [i for i in view.inside(link.start, link.end) if view.words[i] not in small]
        unexplained = [i for i in main if i in open_]
        if not unexplained or 2 * len(unexplained) <= len(main):
            continue
        # Some linkers link every noun: "dish" is not a name, though there is an article about dishes.
        if all(view.words[i] in english_words().common for i in main):
            capital = any(view.text[view.starts[i]].isupper() and i in flags for i in main)
            if not (capital if view.casing.tell(main[0]) else len(main) > 1):
                continue
        for index in unexplained:
            flags[index] = "linked"
            entities[index] = link.entity


def _by_list(
    view: View, names: Phrases, open_: Set[int], flags: dict[int, str], entities: dict[int, str]
) -> None:
    small = function_words("number")
    heads: set[str] | None = None
    done = 0
    # Names that begin after the last open word have none.
    for position in compress(range(max(open_) + 1), map(names.lengths.__contains__, view.words)):
        found = names.longest(view.words, position) if position >= done else None
        if found is None:
            continue
        end, entity = found
        needed = names.beside.get(view.words[position:end])
        # Where capitals tell nothing, no name could show that it is one.
        if needed is not None and view.casing.tell(position):
            heads = set(map(head_of, view.explained.properties)) if heads is None else heads
            if needed.isdisjoint(heads):
                done = end
                continue
        if open_.isdisjoint(range(position, end)):
            continue
        main = [i for i in range(position, end) if view.words[i] not in small]
        unexplained = [i for i in main if i in open_]
        if unexplained and 2 * len(unexplained) > len(main):
            for index in unexplained:
                flags.setdefault(index, "listed")
                entities.setdefault(index, entity)
            done = end


def _spans(view: View, flags: Mapping[int, str], entities: Mapping[int, str]) -> list[Finding]:
    """Join neighbouring words of a name, across the small words inside it."""
    found = []
    last = -1
    for index in sorted(flags):
        if index <= last:
            continue
        last = index
        while (following := _next_word(view, flags, entities, last)) is not None:
            last = following
        reasons = [flags[i] for i in range(index, last + 1) if i in flags]
        entity = next((entities[i] for i in range(index, last + 1) if i in entities), None)
        best = min(reasons, key=EVIDENCE.index)
        found.append(Finding(view.starts[index], view.ends[last], "name", best, "baseless", entity=entity))
    return found


def _next_word(view: View, flags: Mapping[int, str], entities: Mapping[int, str], last: int) -> int | None:
    following = last + 1
    while following < len(view.words) and following - last < 3 and following not in flags:
        if view.words[following] not in _JOINTS or view.taken[following]:
            return None
        following += 1
    if following not in flags or view.casing.crossed(last, following + 1):
        return None
    known = entities.get(last)
    if "and" in view.words[last + 1 : following] and (known is None or known != entities.get(following)):
        return None  # two names: only a list or linker knows one that holds "and"
    between = view.text[view.ends[last] : view.starts[following]]
    return None if _APART.search(between) else following


_APART = re.compile(r"[,;:!?()\"“”\n]|\.\s")
