"""One function for each way in which a name is written differently from the label.

Each takes a `Name` and yields surface forms, which may repeat those of other rules. The rules know words of
English and of names in general, but nothing about any corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from esascore.lexicon.entity_types import organisation_nouns
from esascore.lexicon.places import Place, by_derived_word, by_name, edge_words, key, state_abbreviations
from esascore.text.numerals import SMALL_ORDINALS
from esascore.wordlists import load, values

_PARENTHESES = re.compile(r"\s*\(([^()]*)\)\s*")
_DOTTED = re.compile(r"(?<![^\W_])(?:[^\W\d_]\.)+(?:[^\W\d_]\.|[^\W\d_](?![^\W_]))")
_SEASON = re.compile(r"^(\d{4})(?:[–/-](\d{2}|\d{4}))?\s+(?=\D)")
_FOUNDED = re.compile(r"(?:1[6-9]|20)\d\d$")
_ORDINAL = re.compile(r"(?i)\b(\d{1,2})(?:st|nd|rd|th)\b")
_NUMBERED = re.compile(r"\d+\.$")
_SUFFIX_OF_FILE = re.compile(r"(?i)\.(?:svg|png|jpe?g|gif|pdf|ogg)$")
_INITIAL = re.compile(r"^[^\W\d_]\.?$")
_REGNAL = re.compile(r"^[IVX]{1,5}$")
_NICKNAME = re.compile(r"\s*[\"“”][^\"“”]+[\"“”]\s*")
_WORD = re.compile(r"[^\W_]+")
_SPLIT = re.compile(r"\s*/\s*")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SMALL_WORDS = _words(
    "a an and at by de del della der des di do du for from in la le of on the to und y van von"
)
_PARTICLES = _words(
    "al ben bin da dal de del den der di do dos du el ibn la le lo st. te ten ter van vom von zu zur"
)
_POLITIES = _words(
    """borough canton city colony commonwealth community county department district duchy empire
    governorate kingdom municipality parish prefecture principality province region republic sultanate
    town township village"""
)
_POLITIES_AFTER = _words(
    "canton department district governorate municipality oblast parish prefecture province region voivodeship"
)
_ARTICLES = _words("the a an")
# What belongs to a cuisine, a style or an industry is called by a noun of its own.
_WORKS_OF = {"cuisine": "dish", "architecture": "style", "industry": "company"}
_SHORT_FIELD = 5
# Endings of fields and of those who work in them; the first that fits.
_PRACTITIONERS = {
    "ics": ("ician", "icist"),
    "logy": ("logist",),
    "istry": ("ist",),
    "graphy": ("grapher",),
    "onomy": ("onomer", "onomist"),
    "any": ("anist",),
    "ing": ("er",),
}
_CLASS_WORDS = _words("cuisine music architecture literature people industry")
_LANGUAGE = _words("language languages")
# Kinds of things that have names of their own, also where the name is one word.
_PROPER = _words("person place organisation agent building language event work award")
_WITHOUT_ACRONYM = _words("person people food language taxon")
# Abbreviations of states that in lower case are words of English or of names.
_EVERYDAY = _words(
    """ac al ala am ap as ba cal co ct de del es ga go hi id ill in ind kan la ma man mass me miss mo mont
    ms ok oh or ore pa pr se sp tas tex to un up vic wash"""
)
_ORDINALS = tuple(map(str.capitalize, (*SMALL_ORDINALS, "twentieth")))


class Name(NamedTuple):  # made for every name
    """A name as the rules see it.

    ``plain`` is the label without parentheses and ``inside`` what stood in them; ``words``, ``folded`` (words
    without case) and ``key`` are of ``plain``. ``nature`` is what the properties around the entity tell about
    its kind, if anything.
    """

    label: str
    plain: str
    inside: str
    nature: str | None
    words: list[str]
    folded: list[str]
    key: str

    @property
    def is_person(self) -> bool:
        """Return whether the name is a person's, as its properties say and as far as its words allow."""
        return self.nature == "person"


def name_of(label: str, nature: str | None = None) -> Name:
    """Make a `Name` of a label.

    Examples
    --------
    >>> name = name_of("The Wall (song)", "work")
    >>> name.plain, name.inside, name.key
    ('The Wall', 'song', 'wall')
    """
    plain, inside = label, ""
    if match := _PARENTHESES.search(label) if "(" in label else None:
        plain = _PARENTHESES.sub(" ", label).strip() or label
        inside = match[1].strip()
    if nature == "person" and not looks_personal(plain):
        nature = None
    folded = plain.casefold()
    return Name(label, plain, inside, nature, plain.split(), folded.split(), folded.removeprefix("the "))


def is_plain(name: Name) -> bool:
    """Return whether a name is of letters alone, and none of its words is one that rules know.

    Examples
    --------
    >>> is_plain(name_of("Alan Shepard")), is_plain(name_of("Bank of Oslo")), is_plain(name_of("AC/DC"))
    (True, False, False)
    """
    return name.label.replace(" ", "").isalpha() and _known_words().isdisjoint(name.folded)


@cache
def _known_words() -> frozenset[str]:
    """Return every word for which a rule looks that is not about all names."""
    looked_up = (
        *by_name(), *by_derived_word(), *state_abbreviations(), *currencies(), *synonyms(), *abbreviations(),
        *map(str.casefold, dotted_forms()), *affixes()[0], *affixes()[1], *titles()[0], *titles()[1],
    )  # fmt: skip
    words = frozenset(word for form in looked_up for word in form.split())
    return words.union(_ARTICLES, _CLASS_WORDS, _LANGUAGE, _POLITIES, _POLITIES_AFTER, ("in", "of", "from"))


def itself(name: Name) -> Iterator[str]:
    """The label."""
    yield name.label


def without_parentheses(name: Name) -> Iterator[str]:
    """Addition (film) -> Addition."""
    yield name.plain


def parentheses_first(name: Name) -> Iterator[str]:
    """Mermaid (Train song) -> Train song Mermaid; Ardmore Airport (New Zealand) -> ... in New Zealand."""
    if name.inside and name.plain != name.label:
        if key(name.inside) in by_name():
            yield f"{name.plain} in {name.inside}"
            yield f"{name.plain}, {name.inside}"
        else:
            yield f"{name.inside} {name.plain}"


def before_comma(name: Name) -> Iterator[str]:
    """Abilene, Texas -> Abilene."""
    head, _, tail = name.plain.partition(",")
    if any(map(str.isalpha, tail)):  # not January, 2014
        yield head.rstrip()


def comma_as_in(name: Name) -> Iterator[str]:
    """Abilene, Texas -> Abilene in Texas, Texas's Abilene."""
    head, tail = (part.strip() for part in name.plain.partition(",")[::2])
    if head and tail and "," not in tail and not name.is_person:
        yield f"{head} in {tail}"
        yield f"{head} of {tail}"
        yield f"{tail}'s {head}"


def state_abbreviation(name: Name) -> Iterator[str]:
    """Abilene, Texas -> Abilene, TX; Texas -> TX, unless the abbreviation is an everyday word."""
    head, _, tail = name.plain.rpartition(",")
    for short in state_abbreviations().get(key(tail.strip()), ()):
        if head:
            yield f"{head}, {short}"
        elif short.rstrip(".").casefold() not in _EVERYDAY:
            yield short


def place_name(name: Name) -> Iterator[str]:
    """United States -> U.S.; United States Navy -> US Navy; Bank of the United States -> Bank of the US."""
    places = by_name()
    if place := places.get(name.key):
        yield from place.names
        return
    words, folded = name.words, name.folded
    for at_end, edge in zip((False, True), edge_words(), strict=True):
        if folded[-at_end] not in edge:
            continue
        for size in range(min(3, len(words) - 1), 0, -1):
            place = places.get(" ".join(folded[-size:] if at_end else folded[:size]))
            if place and len(place.names) > 1:
                rest = " ".join(words[:-size] if at_end else words[size:])
                yield from (f"{rest} {other}" if at_end else f"{other} {rest}" for other in place.names)
                break


def demonym(name: Name) -> Iterator[str]:
    """France -> French."""
    if place := by_name().get(name.key):
        yield from place.derived


def people(name: Name) -> Iterator[str]:
    """Turkish people -> Turks, Turkish; Americans -> American."""
    for place in _homelands(name):
        yield from place.derived


def homeland(name: Name) -> Iterator[str]:
    """Americans -> United States, Italian cuisine -> Italy."""
    for place in _homelands(name):
        yield from place.names


def language(name: Name) -> Iterator[str]:
    """English language -> English."""
    if name.folded[-1] in _LANGUAGE:
        yield " ".join(name.words[:-1])


def practitioner(name: Name) -> Iterator[str]:
    """Botany -> botanist, Singing -> singer, Mathematics -> mathematician."""
    if len(name.words) == 1 and len(name.plain) > _SHORT_FIELD:
        for ending, persons in _PRACTITIONERS.items():
            if name.plain.endswith(ending):
                yield from (name.plain[: -len(ending)] + person for person in persons)
                return


def class_word(name: Name) -> Iterator[str]:
    """Malay cuisine -> Malay dish, Malay; Rock music -> Rock, Turkish people -> Turkish."""
    if name.folded[-1] in _CLASS_WORDS:
        rest = " ".join(name.words[:-1])
        if noun := _WORKS_OF.get(name.folded[-1]):
            yield f"{rest} {noun}"
        yield rest


def number(name: Name) -> Iterator[str]:
    """Almond -> Almonds, Test pilots -> Test pilot; proper names have no plural."""
    word = name.words[-1]
    if len(word) < 3 or not word.isalpha() or any(link in name.plain for link in (",", " in ", " of ")):
        return
    if word.islower() or name.nature == "people" or (len(name.words) == 1 and name.nature not in _PROPER):
        head = name.plain[: -len(word)]
        for other in _other_number(word):
            yield head + other


def acronym(name: Name) -> Iterator[str]:
    """Massachusetts Institute of Technology -> MIT."""
    if len(name.words) < 3 or name.nature in _WITHOUT_ACRONYM or "," in name.plain:
        return
    words = [word for word in _WORD.findall(name.plain) if word.casefold() not in _SMALL_WORDS]
    if 3 <= len(words) <= 7 and all(word[0].isupper() and len(word) > 1 for word in words):
        yield "".join(word[0] for word in words)


def dots(name: Name) -> Iterator[str]:
    """A.S. Gubbio -> AS Gubbio, AS Roma -> A.S. Roma."""
    if "." in name.plain:
        without = _DOTTED.sub(lambda match: match[0].replace(".", ""), name.plain)
        if without != name.plain:
            yield without
    elif known := dotted_forms().get(name.words[0]):
        yield " ".join((known, *name.words[1:]))


def affix(name: Name) -> Iterator[str]:
    """Juventus F.C. -> Juventus, A.S. Gubbio 1910 -> Gubbio, 1. FC Magdeburg -> FC Magdeburg."""
    words = name.words
    before, after = affixes()
    start, end = 0, len(words)
    if end > 2 and _NUMBERED.match(words[0]):
        start = 1
        yield " ".join(words[1:])
    founded = end > 2 and _FOUNDED.match(words[-1]) is not None
    if founded:
        end -= 1
    elif not start and not _touches(name, before, after):
        return
    while end - start > 1:
        if size := _longest(words[start : end - 1], before, at_end=False):
            start += size
        elif size := _longest(words[start + 1 : end], after, at_end=True):
            end -= size
        else:
            break
        if founded:
            yield " ".join((*words[start:end], words[-1]))
        yield " ".join(words[start:end]).rstrip(" ,")


def title(name: Name) -> Iterator[str]:
    """Dr. Jane Doe -> Jane Doe, Edwin Aldrin, Jr. -> Edwin Aldrin."""
    if not _touches(name, *titles()):
        return
    words = name.plain.replace(",", " ").split()
    kept = _without_titles(words)
    if kept[0].casefold() in _SMALL_WORDS:  # President of Turkey
        return
    if len(kept) < len(words) and (len(kept) > 1 or name.is_person):
        yield " ".join(kept)


def article(name: Name) -> Iterator[str]:
    """The Bodley Head -> Bodley Head."""
    if name.folded[0] in _ARTICLES and len(name.words) > 1:
        yield " ".join(name.words[1:])


def season(name: Name) -> Iterator[str]:
    """2014–15 Serie B -> 2014-2015 Serie B, Serie B 2014–15."""
    match = _SEASON.match(name.plain)
    if not match:
        return
    rest = name.plain[match.end() :]
    first, last = match[1], match[2]
    spans = [first]
    if last:
        full = first[: 4 - len(last)] + last
        spans = [f"{first}–{full[2:]}", f"{first}–{full}"]
    for span in spans:
        yield f"{span} {rest}"
        yield f"{rest} {span}"
        yield from (f"{span} season {link} {rest}" for link in ("of", "of the", "in", "in the"))
        yield f"{span} {rest} season"


def without_year(name: Name) -> Iterator[str]:
    """2014–15 Serie B -> Serie B."""
    if match := _SEASON.match(name.plain):
        yield name.plain[match.end() :]


def without_place(name: Name) -> Iterator[str]:
    """Native Americans in the United States -> Native Americans, Felipe VI of Spain -> Felipe VI.

    A single word is left only where it says enough: President, Filipinos; but not University or Bank.
    """
    if name.key in by_name():  # Republic of Ireland
        return
    for link in (" in ", " of ", " from "):
        head, _, tail = name.plain.rpartition(link)
        if head and key(tail) in by_name():
            folded = head.casefold()
            if " " in head or name.is_person or folded in titles()[0] or folded in by_derived_word():
                yield head


def office_of_place(name: Name) -> Iterator[str]:
    """Prime Minister of Romania -> Romanian Prime Minister, Romania's Prime Minister."""
    head, link, tail = name.plain.rpartition(" of ")
    place = by_name().get(key(tail)) if link else None
    if place and not name.is_person:
        for first in (*place.adjectives, *place.names, *(f"{other}'s" for other in place.names)):
            yield f"{first} {head}"


def place_at_end(name: Name) -> Iterator[str]:
    """Superleague Greece -> Superleague of Greece, Greek Superleague."""
    words = name.words
    if name.folded[-1] not in edge_words()[1] or name.key in by_name():
        return
    for size in (2, 1):
        if len(words) > size and name.folded[-size - 1] not in _SMALL_WORDS:
            place = by_name().get(" ".join(name.folded[-size:]))
            if place and place.adjectives:
                head = " ".join(words[:-size])
                yield f"{head} of {place.names[0]}"
                yield f"{head} in {place.names[0]}"
                yield from (f"{adjective} {head}" for adjective in place.adjectives)
                return


def without_first_place(name: Name) -> Iterator[str]:
    """United States invasion of Panama -> invasion of Panama; what is left must be two words."""
    words = name.words
    for size in (2, 1):
        if len(words) > size + 1 and words[size].casefold() not in _SMALL_WORDS:
            first = " ".join(words[:size])
            if key(first) in by_name() or first.casefold() in by_derived_word():
                yield " ".join(words[size:])
                return


def polity(name: Name) -> Iterator[str]:
    """City of Brussels -> Brussels, Akita Prefecture -> Akita."""
    head, link, tail = name.plain.partition(" of ")
    if link and head.casefold().removeprefix("the ") in _POLITIES and tail:
        yield tail.removeprefix("the ")
    head, _, tail = name.plain.rpartition(" ")
    if head and tail.casefold() in _POLITIES_AFTER and head.casefold() not in _POLITIES:
        yield head


def currency(name: Name) -> Iterator[str]:
    """Indian rupee -> rupee, rupees, INR, ₹."""
    if code := currencies().get(name.key):
        unit = name.words[-1]
        yield from (unit, *_other_number(unit), *code)


def colon(name: Name) -> Iterator[str]:
    """Porius: A Romance of the Dark Ages -> Porius."""
    head, mark, tail = name.plain.partition(": ")
    if mark:
        yield from (part.strip() for part in (head, tail) if sum(map(str.isalpha, part)) > 2)


def inner_article(name: Name) -> Iterator[str]:
    """School of Business at the Aarhus University -> School of Business at Aarhus University."""
    if " the " in name.plain:
        yield name.plain.replace(" the ", " ")


def slash(name: Name) -> Iterator[str]:
    """Asphalt/Concrete -> Asphalt, Concrete, Asphalt and Concrete."""
    if "/" in name.plain and "://" not in name.plain:
        parts = _SPLIT.split(name.plain)
        if all(len(part) > 2 and part[0].isalpha() for part in parts):
            yield " and ".join(parts)
            yield " or ".join(parts)
            yield from parts


def abbreviation(name: Name) -> Iterator[str]:
    """Saint Louis -> St. Louis, College of William & Mary -> College of William and Mary, and back."""
    words = name.words
    known = abbreviations()
    for place, word in enumerate(name.folded):
        for other in known.get(word, ()):
            if len(words) > 1 or len(other) > 3:
                yield " ".join((*words[:place], _like(words[place], other), *words[place + 1 :]))


def synonym(name: Name) -> Iterator[str]:
    """Deceased -> died, Hardcover -> hardback, and back."""
    yield from synonyms().get(name.plain.casefold(), ())


def ordinal(name: Name) -> Iterator[str]:
    """11th Mississippi Infantry -> Eleventh Mississippi Infantry."""
    if (match := _ORDINAL.search(name.plain)) and int(match[1]) < len(_ORDINALS):
        yield name.plain[: match.start()] + _ORDINALS[int(match[1])] + name.plain[match.end() :]


def file_name(name: Name) -> Iterator[str]:
    """Legion of Merit ribbon.svg -> Legion of Merit ribbon, Legion of Merit."""
    stripped = _SUFFIX_OF_FILE.sub("", name.plain)
    if stripped != name.plain:
        yield stripped
        for word in (" ribbon", " medal ribbon", " logo", " flag"):
            if stripped.casefold().endswith(word):
                yield stripped[: -len(word)]


def short_person(name: Name) -> Iterator[str]:
    """Gregory L. Fenves -> Gregory Fenves, Edwin "Buzz" Aldrin -> Edwin Aldrin."""
    if not name.is_person:
        return
    plain = _NICKNAME.sub(" ", name.plain).strip()
    if plain != name.plain:
        yield plain
    words = _name_words(plain)
    if len(words) > 2:
        kept = [words[0], *(word for word in words[1:-1] if not _INITIAL.match(word)), words[-1]]
        if len(kept) < len(words):
            yield " ".join(kept)
        yield f"{words[0]} {last_name_of(words)}"


def last_name(name: Name) -> Iterator[str]:
    """Alan Shepard -> Shepard, Eberhard van der Laan -> van der Laan."""
    if name.is_person:
        words = _name_words(name.plain)
        if 2 <= len(words) <= 5:
            last = last_name_of(words)
            if len(last) > 2:
                yield last
                if " " in last:
                    yield last.rsplit(None, 1)[-1]


def first_name(name: Name) -> Iterator[str]:
    """Buzz Aldrin -> Buzz."""
    if name.is_person:
        words = _name_words(name.plain)
        if 2 <= len(words) <= 4 and len(words[0].rstrip(".")) > 2 and "." not in words[0]:
            yield words[0]


def last_name_of(words: list[str]) -> str:
    """Return the last name with its particles; of monarchs the name itself.

    Examples
    --------
    >>> last_name_of("Eberhard van der Laan".split()), last_name_of("Kempe Gowda I".split())
    ('van der Laan', 'Kempe Gowda')
    """
    if len(words) > 1 and _REGNAL.match(words[-1]):
        return " ".join(words[:-1])
    start = len(words) - 1
    while start > 1 and words[start - 1].casefold() in _PARTICLES:
        start -= 1
    return " ".join(words[start:])


@cache
def affixes() -> tuple[frozenset[str], frozenset[str]]:
    """Return the case-folded forms that may stand before and after the name of a company or club."""
    return _by_position((position, forms) for position, _, forms in load("suffixes").rows)


@cache
def titles() -> tuple[frozenset[str], frozenset[str]]:
    """Return the case-folded titles before and after names."""
    return _by_position(load("titles").rows)


def _by_position(rows: Iterable[Sequence[str]]) -> tuple[frozenset[str], frozenset[str]]:
    found: dict[str, set[str]] = {"before": set(), "after": set(), "either": set()}
    for position, cell in rows:
        found[position].update(map(str.casefold, values(cell)))
    return frozenset(found["before"] | found["either"]), frozenset(found["after"] | found["either"])


@cache
def dotted_forms() -> Mapping[str, str]:
    """Return the form with stops of each abbreviation of a club: FC -> F.C."""
    forms = (form for _, _, cell in load("suffixes").rows for form in values(cell))
    return {form.replace(".", ""): form for form in forms if _DOTTED.fullmatch(form)}


@cache
def currencies() -> Mapping[str, tuple[str, ...]]:
    """Return code, plural and symbols by the case-folded name of the currency."""
    found = {}
    for code, name, plural, symbols in load("currencies").rows:
        others = (code, plural, *values(symbols))
        found[name.casefold()] = others
        if name.startswith("US "):
            found["united states " + name[3:].casefold()] = others
    return found


@cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """Return the other words for a meaning by its case-folded form."""
    found: dict[str, dict[str, None]] = {}
    for form, cell in load("synonyms").rows:
        forms = (form, *values(cell))
        for one in forms:
            found.setdefault(one.casefold(), {}).update({other: None for other in forms if other != one})
    return {form: tuple(others) for form, others in found.items()}


@cache
def abbreviations() -> Mapping[str, tuple[str, ...]]:
    """Return the other spellings of a word by its case-folded form.

    From an abbreviation only the word follows; from the word, every abbreviation.
    """
    found: dict[str, dict[str, None]] = {}
    for word, cell in load("abbreviations").rows:
        for form in values(cell):
            found.setdefault(form.casefold(), {})[word] = None
            if form.casefold() != word.casefold():
                found.setdefault(word.casefold(), {})[form] = None
    return {form: tuple(others) for form, others in found.items()}


def _homelands(name: Name) -> tuple[Place, ...]:
    """Return the places that a word for people or an adjective, with or without its noun, comes from."""
    places = by_derived_word()
    if found := places.get(name.key):
        return found
    if name.folded[-1] in _CLASS_WORDS:
        return places.get(" ".join(name.folded[:-1]), ())
    return ()


def _name_words(plain: str) -> list[str]:
    """Split a person's name; titles, and what follows a comma or "of", are dropped."""
    return _without_titles(plain.split(",", 1)[0].split(" of ", 1)[0].split())


def _without_titles(words: list[str]) -> list[str]:
    """Return the words of a name without titles before and after it; at least one word is left."""
    before, after = titles()
    while size := _longest(words[:-1], before, at_end=False):
        words = words[size:]
    while size := _longest(words[1:], after, at_end=True):
        words = words[:-size]
    return words


def looks_personal(label: str) -> bool:
    """Return whether a label can be one person's name, whatever the properties say.

    Examples
    --------
    >>> looks_personal("Alan Shepard"), looks_personal("Birmingham City Council"), looks_personal("A and B")
    (True, False, False)
    >>> looks_personal("The Velvet Underground")
    False
    """
    if label.count(",") > 1 or ";" in label or any(map(str.isdigit, label)) or label.isupper():
        return False
    words = label.partition(",")[0].casefold().split()
    if words[:1] == ["the"]:  # a band
        return False
    return organisation_nouns().isdisjoint(words) and "and" not in words and "&" not in words


def _touches(name: Name, before: frozenset[str], after: frozenset[str]) -> bool:
    """Return whether a name may begin or end with one of these forms; a cheap first check."""
    return name.folded[0] in _edge_words(before)[0] or name.folded[-1] in _edge_words(after)[1]


@cache
def _edge_words(forms: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(form.split()[0] for form in forms), frozenset(form.split()[-1] for form in forms)


def _longest(words: list[str], known: frozenset[str], *, at_end: bool) -> int:
    """Return how many words at the beginning or the end are one of the known forms."""
    for size in (3, 2, 1):
        if size <= len(words):
            part = words[-size:] if at_end else words[:size]
            if " ".join(part).casefold() in known:
                return size
    return 0


def _other_number(word: str) -> Iterator[str]:
    """Yield the plural of a singular and the singular of a plural, by the regular rules of English."""
    low = word.casefold()
    if low.endswith("ies") and len(word) > 4:
        yield word[:-3] + "y"
    elif low.endswith(("sses", "shes", "ches", "xes", "oes")):
        yield word[:-2]
    elif low.endswith("s") and not low.endswith(("ss", "us", "is")):
        yield word[:-1]
    elif low.endswith(("s", "sh", "ch", "x", "z")):
        yield word + "es"
    elif low.endswith("o"):
        yield word + "es"
        yield word + "s"
    elif low.endswith("y") and low[-2] not in "aeiou":
        yield word[:-1] + "ies"
    else:
        yield word + "s"


def _like(word: str, other: str) -> str:
    """Write the other word with a capital where the first has one, or as it is known."""
    return other.capitalize() if word[:1].isupper() and other[:1].islower() else other
