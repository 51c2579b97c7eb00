"""Names of a text that nothing in the input explains.

Names are recognised by their capitals if a text is cased. If not, a word that is in no dictionary
is taken for one; common words are names only where a list of names has them (*jazz*, *petrol*).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from itertools import compress

from esascore.claims.evidence import EVIDENCE
from esascore.claims.finding import Finding
from esascore.claims.knowledge import Knowledge
from esascore.claims.view import View
from esascore.languages.locales import locale_of
from esascore.literals.units import unit_named
from esascore.model import LinkedMention
from esascore.text.phrases import Phrases
from esascore.text.vocabulary import WEEKDAYS, english_words, function_words, is_misspelt

_SHORT_TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof"})  # what only a name follows
# After a full stop that may belong to an abbreviation, a colon, a bullet, a dash or a picture.
_BEGINS = re.compile(r"(?:[.:!?•·▪◦►→|*–—][\"'”’)]*|[^\w\s\"'“”‘’()\[\],;&/+%°$€£-])\s*[\"'“‘(]*$")
_APART = re.compile(r"[,;:!?()\"“”\n]|\.\s")
_JOINTS = frozenset({"of", "the", "de", "la", "le", "du", "di", "da", "del", "von", "van", "and", "al", "el"})
_PREFIXES = (
    "un", "non", "re", "pre", "over", "under", "sub", "super", "semi", "multi", "mini", "micro", "anti",
    "inter", "co", "out", "up", "mis", "dis", "de", "ultra", "auto", "self",
)  # fmt: skip
_ENDINGS = (
    "y", "ish", "able", "ible", "less", "ness", "ful", "er", "ers", "ing", "ed", "like", "ly", "wise", "ward",
    "wards", "s", "ability", "ization", "isation", "ize", "ise", "ized", "ised", "est", "free", "proof",
)  # fmt: skip
_LEAST_PART, _LEAST_COMPOUND = 3, 7  # letters of a word that another one is made of, and of one of two
_LONGEST_ACRONYM = 5
_SYMBOL = 4  # letters at most: kWh, hPa


def unexplained_names(
    view: View, knowledge: Knowledge | None, links: Sequence[LinkedMention]
) -> list[Finding]:
    """Find the names that nothing explains, by capitals, dictionary, links and a list, in text order."""
    flags: dict[int, str] = {}
    entities: dict[int, str] = {}
    open_ = _open_words(view)
    capitals = frozenset[str]() if knowledge is None else knowledge.capitals
    if open_:
        _explain_expansions(view, open_)
        for index in sorted(open_):
            if (evidence := _looks_like_name(view, index, open_, capitals)) is not None:
                if _is_beside_number(view, index):
                    open_.remove(index)
                else:
                    flags[index] = evidence
        _by_links(view, links, open_, flags, entities)
        if knowledge is not None and open_ and view.document.language.english:
            _by_list(view, knowledge.names, open_, flags, entities)
    return _spans(view, flags, entities)


def _open_words(view: View) -> set[int]:
    """Return which words may be names that nothing explains."""
    opens = view.explained.unexplained_words.among(view.words)
    if not opens:
        return set()
    found = compress(range(len(view.words)), map(opens.__contains__, view.words))
    return {index for index in found if not (view.taken[index] or _is_part(view, index))}


def _is_part(view: View, index: int) -> bool:
    """Return whether a word is a part of another: of "don't", of a word of the input, or of U-Bahn."""
    words, known = view.words, view.explained.words
    if words[index + 1 : index + 2] == ("t",) and len(view.between(index + 1)) == 1:
        return True
    if index and view.between(index) == "-" and (len(words[index - 1]) == 1 or not view.is_capital(index)):
        return True
    return any("".join(words[max(0, at) : at + 2]) in known for at in (index - 1, index))


def _explain_expansions(view: View, open_: set[int]) -> None:
    """Close words that spell out an abbreviation of the input."""
    words, known = view.words, view.explained.words
    for start in sorted(open_):
        if any(_abbreviates(code, words[start]) for code in view.explained.abbreviations):
            open_.discard(start)
        if start not in open_:
            continue
        main = [i for i, word in enumerate(words[start : start + 9], start) if word not in _JOINTS][:6]
        letters = "".join([words[i][0] for i in main])
        for size in range(len(main), 1, -1):
            is_name = not view.casing.tell(start) or all(map(view.is_capital, main[:size]))
            if letters[:size] in known and is_name:
                open_.difference_update(range(start, main[size - 1] + 1))
                break


def _abbreviates(code: str, word: str) -> bool:
    """Return whether a code has letters of a word in their order: MAD, Madrid; LHR, Heathrow but its L."""
    letters = iter(word)
    return word[0] in code[:2] and all(letter in letters for letter in code[code.index(word[0]) :])


def _looks_like_name(view: View, index: int, open_: Set[int], capitals: Set[str]) -> str | None:
    """Return why a word looks like a name: by its capital, or because no dictionary has it.

    Of a word that has a capital because of its place a corpus must know that it is one in names.
    """
    word = view.words[index]
    if not view.document.language.english:
        return _by_capital(view, index, open_)
    if index and view.words[index - 1] in _SHORT_TITLES and view.between(index) in (" ", ". "):
        return "title"
    if not view.casing.tell(index):
        return _by_dictionary(word)
    if view.is_capital(index):
        following = (
            index + 1 in open_
            and view.is_capital(index + 1)
            and any(map(str.isspace, view.between(index + 1)))
            and not view.casing.begins(index + 1)
        )
        if following:
            return "capitals"
        beside = view.words[index - 1] if index else ""
        if unit_named(word) and (index - 1 not in open_ or unit_named(beside)):
            return None  # "in Celsius", "degrees Celsius"; but Newton Abbot is a place
        if not _begins(view, index):
            return "capital"
        if word in capitals:
            return "listed"
    # Where names have capitals, neither what is before a hyphen nor what is made of common words is one.
    is_before = index + 1 < len(view.words) and view.between(index + 1) == "-"
    return None if is_before or _is_made(word) else _by_dictionary(word)


def _begins(view: View, index: int) -> bool:
    """Return whether a word has a capital because of where it stands."""
    start = view.starts[index]
    return view.casing.begins(index) or _BEGINS.search(view.text, max(0, start - 6), start) is not None


def _by_capital(view: View, index: int, open_: Set[int]) -> str | None:
    """Return whether a word is a name in another language, of which nothing is known but its capitals."""
    if not (view.casing.tell(index) and view.is_capital(index)) or _begins(view, index):
        return None
    said = view.text[view.starts[index] : view.ends[index]]
    if said.isupper() and len(said) <= _LONGEST_ACRONYM:
        # What has a long name in the input may have other letters in that language, but a code has not.
        codes = (str(entity.term) for entity in view.document.input.entities)
        return "capitals" if any(code.isupper() and len(code) == len(said) for code in codes) else None
    for near, later in ((index - 1, index), (index + 1, index + 1)):
        joined = near in open_ and view.is_capital(near) and not view.between(later).strip()
        if joined and not view.casing.begins(near):
            return "capitals"
    language = view.document.language
    known = language.capitals_tell_names or view.words[index] in locale_of(language.code).places
    return "capital" if known else None


def _by_dictionary(word: str) -> str | None:
    if len(word) < _LEAST_PART or word in english_words().common:
        return None
    if word in english_words().proper:
        return "proper"
    return None if is_misspelt(word) or unit_named(word) else "unknown"


@lru_cache(maxsize=1 << 14)
def _is_made(word: str) -> bool:
    """Return whether a word is made of common ones and affixes: phonebook, unbookable, grippy, ofthe."""
    common, small = english_words().common, function_words()
    for cut in range(2, len(word)):
        first, rest = word[:cut], word[cut:]
        is_long = cut >= _LEAST_PART
        is_word = is_long and first in common and len(word) >= _LEAST_COMPOUND
        begins = first in _PREFIXES or first in small or is_word
        if (
            begins
            and len(rest) >= _LEAST_PART
            and (rest in common or (first in _PREFIXES and _is_made(rest)))
        ):
            return True
        roots = first, f"{first}e", first[:-1] if first[-1] == first[-2] else first
        if is_long and (rest in _ENDINGS or rest in small) and not common.isdisjoint(roots):
            return True
    return False


def _is_beside_number(view: View, index: int) -> bool:
    """Return whether a word is the symbol after a number, what it measures, or the Black of Black Friday."""
    words, said = view.words, view.text[view.starts[index] : view.ends[index]]
    if index and words[index - 1][-1].isdigit():
        return len(said) <= _SYMBOL and said[0].islower()
    if index + 1 == len(words) or view.between(index + 1) not in (" ", " of "):
        return False
    following = words[index + 1]
    if following in WEEKDAYS:
        return words[index] in english_words().common
    return said.isupper() and following.isdigit() and view.explained.word(following)


def _by_links(
    view: View,
    links: Sequence[LinkedMention],
    open_: Set[int],
    flags: dict[int, str],
    entities: dict[int, str],
) -> None:
    """Flag entities that a linker found, unless most of their words are explained or they are not names."""
    small, common = function_words("number"), english_words().common
    for link in links:
        main = [i for i in view.inside(link.start, link.end) if view.words[i] not in small]
        unexplained = [i for i in main if i in open_]
        if not unexplained or 2 * len(unexplained) <= len(main):
            continue
        # Some linkers link every noun: "dish" is not a name, though there is an article about dishes.
        if common.issuperset(view.words[i] for i in main):
            is_capital = any(i in flags and view.is_capital(i) for i in main)
            if not (is_capital if view.casing.tell(main[0]) else len(main) > 1):
                continue
        for index in unexplained:
            flags[index] = "linked"
            entities[index] = link.entity


def _by_list(
    view: View, names: Phrases, open_: Set[int], flags: dict[int, str], entities: dict[int, str]
) -> None:
    done = 0
    # Names that begin after the last open word have none.
    for position in compress(range(max(open_) + 1), map(names.lengths.__contains__, view.words)):
        found = names.longest(view.words, position) if position >= done else None
        if found is None:
            continue
        end, entity = found
        for index in (n for n in range(position, end) if n in open_):
            flags.setdefault(index, "listed")
            entities.setdefault(index, entity)
            done = end


def _spans(view: View, flags: Mapping[int, str], entities: Mapping[int, str]) -> list[Finding]:
    """Join neighbouring words of a name, across the small words inside it."""
    found: list[Finding] = []
    last = -1
    for index in sorted(flags):
        if index <= last:
            continue
        last = index
        while (following := _next_word(view, flags, entities, last)) is not None:
            last = following
        inside = range(index, last + 1)
        best = min((flags[i] for i in inside if i in flags), key=EVIDENCE.index)
        entity = next((entities[i] for i in inside if i in entities), None)
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
