"""Which kinds of variants there are, what each costs, and the rule that makes it.

Costs are ordered by the risk that a form means something else: up to 0.01 it is another spelling of the label
(never 0, so that of two entities the one wins whose label is written), 0.02 names the same thing in other
words, 0.05 may name something related, 0.12 is a first name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from esascore.lexicon import rules
from esascore.lexicon.places import WORDLISTS as PLACES
from esascore.lexicon.rules import Name


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of variant.

    ``cost`` is how much weaker than the label its variants are as evidence. ``needs`` is a string without
    which in the label its rule makes nothing: that saves asking. ``lexicons`` are the files that it reads. A
    rule that is not ``of_plain`` makes nothing of names that `rules.is_plain`, which most are.
    """

    cost: float
    rule: Callable[[Name], Iterator[str]]
    needs: str = ""
    lexicons: tuple[str, ...] = ()
    only_persons: bool = False
    of_plain: bool = False


_PERSONS = ("titles", "type_words")

SOURCES: Mapping[str, Source] = {
    "label": Source(0.0, rules.itself, of_plain=True),
    "dots": Source(0.002, rules.dots, lexicons=("suffixes",)),
    "article": Source(0.002, rules.article, " "),
    "no-parentheses": Source(0.005, rules.without_parentheses, "("),
    "people": Source(0.01, rules.people, lexicons=PLACES),
    "language": Source(0.01, rules.language, " "),
    "inner-article": Source(0.01, rules.inner_article, " the "),
    "abbreviation": Source(0.01, rules.abbreviation, lexicons=("abbreviations",)),
    "ordinal": Source(0.01, rules.ordinal, " "),
    "comma-in": Source(0.01, rules.comma_as_in, ","),
    "season": Source(0.01, rules.season, " "),
    "file": Source(0.01, rules.file_name, "."),
    "state": Source(0.02, rules.state_abbreviation, lexicons=("states",)),
    "place": Source(0.02, rules.place_name, lexicons=PLACES),
    "demonym": Source(0.02, rules.demonym, lexicons=PLACES),
    "affix": Source(0.02, rules.affix, " ", ("suffixes",)),
    "title": Source(0.02, rules.title, " ", ("titles",)),
    "short-person": Source(0.02, rules.short_person, " ", _PERSONS, only_persons=True, of_plain=True),
    "parentheses": Source(0.02, rules.parentheses_first, "(", PLACES),
    "office": Source(0.02, rules.office_of_place, " of ", PLACES),
    "place-at-end": Source(0.02, rules.place_at_end, " ", PLACES),
    "synonym": Source(0.02, rules.synonym, lexicons=("synonyms",)),
    "number": Source(0.03, rules.number, of_plain=True),
    "class-word": Source(0.03, rules.class_word, " "),
    "before-comma": Source(0.04, rules.before_comma, ","),
    "practitioner": Source(0.04, rules.practitioner, of_plain=True),
    "without-place": Source(0.04, rules.without_place, " ", (*PLACES, *_PERSONS)),
    "homeland": Source(0.05, rules.homeland, lexicons=PLACES),
    "colon": Source(0.05, rules.colon, ": "),
    "currency": Source(0.05, rules.currency, " ", ("currencies",)),
    "polity": Source(0.05, rules.polity, " "),
    "acronym": Source(0.05, rules.acronym, " ", of_plain=True),
    "slash": Source(0.06, rules.slash, "/"),
    "without-year": Source(0.06, rules.without_year, " "),
    "without-first-place": Source(0.06, rules.without_first_place, " ", PLACES),
    "last-name": Source(0.08, rules.last_name, " ", _PERSONS, only_persons=True, of_plain=True),
    "first-name": Source(0.12, rules.first_name, " ", _PERSONS, only_persons=True, of_plain=True),
}
"""What a variant may come from."""

# What shortens a name, and what then treats the shorter form as if it were the label: Saint Louis, Missouri
# -> Saint Louis -> St. Louis. The costs add up.
RESPELLED: Mapping[str, tuple[str, ...]] = {
    "affix": ("dots", "abbreviation"),
    "before-comma": ("dots", "abbreviation"),
    "without-place": ("people", "number"),
    "without-first-place": ("abbreviation", "number"),
}
