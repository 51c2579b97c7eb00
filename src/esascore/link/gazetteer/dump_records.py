r"""The records that lines of dumps of labels, redirects and types give for an index of names.

A record begins with a letter and a title with spaces:

====  =======================================================
N     title, kind, name, count: a name of the entity
S, T  title, number: where the numbered redirect begins, ends
D     title: the page divides meanings, it is not an entity
Y     title, type
C     title, count: how many pages lead to it
====  =======================================================
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import unquote

from esascore.lexicon.ntriples import STATEMENT, is_about_other_pages, local_name, title_of, unescaped
from esascore.lexicon.places import by_name
from esascore.link.equality import canonical, capitalised
from esascore.link.gazetteer.index import ALIAS, BARE, LABEL, PAGE, REDIRECT
from esascore.text.vocabulary import english_words
from esascore.text.words import folded_key
from esascore.wordlists import is_comment

_MOST_CHARACTERS = 100
_LEAST_FOLDED = 2
_MOST_FOLDED = 200
_MOST_DIGITS = 18
_DBPEDIA = "http://dbpedia.org/resource/"
_ONTOLOGY = "http://dbpedia.org/ontology/"
_BRACKETS = re.compile(r"\s*\([^()]*\)$")

_NAMES: Mapping[str, int] = {
    "http://www.w3.org/2000/01/rdf-schema#label": LABEL,
    "http://www.w3.org/2004/02/skos/core#prefLabel": LABEL,
    "http://schema.org/name": LABEL,
    "https://schema.org/name": LABEL,
    "http://www.w3.org/2004/02/skos/core#altLabel": ALIAS,
    "http://www.w3.org/2004/02/skos/core#hiddenLabel": ALIAS,
    "http://schema.org/alternateName": ALIAS,
    "https://schema.org/alternateName": ALIAS,
    "http://xmlns.com/foaf/0.1/name": ALIAS,
    "http://xmlns.com/foaf/0.1/nick": ALIAS,
    _ONTOLOGY + "alias": ALIAS,
}
"""Address of a property -> what kind of name its values are."""

_REDIRECTS = frozenset({_ONTOLOGY + "wikiPageRedirects"})
_DIVIDES = frozenset({_ONTOLOGY + "wikiPageDisambiguates"})
_TYPES = frozenset({"http://www.w3.org/1999/02/22-rdf-syntax-ns#type"})
_LINK_COUNTS = frozenset({_ONTOLOGY + "wikiPageInDegree", _ONTOLOGY + "wikiPageInLinkCountCleaned"})


Record = tuple[Any, ...]


class MalformedLineError(ValueError):
    """A line that is neither a statement nor a row of names."""


def records(line: str, language: str | None, redirects: int) -> list[Record]:
    r"""Return the records of a line.

    Parameters
    ----------
    line
        A statement of N-Triples, or name, entity and perhaps type and count between tabs.
    language
        The language of labels to take; labels without a language are always taken. None takes all.
    redirects
        How many there were before: the number of the next.

    Raises
    ------
    MalformedLineError
        It is neither.

    Examples
    --------
    >>> records("Big Apple\tNew_York_City\tCity\t12", "en", 0)
    [('N', 'New York City', 2, 'Big Apple', 12), ('Y', 'New York City', 'City')]
    """
    if "\0" in line:
        raise MalformedLineError
    if line.startswith("<"):
        match = STATEMENT.match(line)
        if match is None:
            raise MalformedLineError
        subject, predicate, iri, text, tag = match.groups()
        if iri is None:
            return _of_literal(subject, predicate, text, tag, language)
        if predicate in _REDIRECTS:
            return _redirect(_title(subject), _title(iri), redirects)
        if predicate in _DIVIDES:
            return [("D", _title(subject))]
        if predicate in _TYPES and iri.startswith(_ONTOLOGY):
            return [("Y", _title(subject), local_name(iri))]
        return []
    if not line.strip() or is_comment(line):
        return []
    return _of_row([" ".join(cell.split()) for cell in line.split("\t")])


def _of_literal(
    subject: str, predicate: str, text: str, tag: str | None, language: str | None
) -> list[Record]:
    kind = _NAMES.get(predicate)
    if kind is not None:
        if tag is None or language is None or tag == language or tag.split("-")[0].lower() == language:
            return _names(_title(subject), _without_nul(" ".join(unescaped(text).split())), kind)
    elif predicate in _LINK_COUNTS:
        if not _is_count(text):
            raise MalformedLineError
        return [("C", _title(subject), int(text))]
    return []


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


def _of_row(cells: list[str]) -> list[Record]:
    if not 2 <= len(cells) <= 4 or not cells[0] or not cells[1]:
        raise MalformedLineError
    name, title, type_, count = (*cells, *[""] * (4 - len(cells)))
    if len(cells) == 3 and type_.isdecimal():
        type_, count = "", type_
    if count and not _is_count(count):
        raise MalformedLineError
    title = _without_nul(canonical(title).replace("_", " "))
    own = canonical(name).replace("_", " ") == title
    found = _names(title, name, LABEL if own else ALIAS, int(count or 0), chosen=True)
    if type_:
        found.append(("Y", title, type_))
    return found


def _names(title: str, name: str, kind: int, count: int = 0, *, chosen: bool = False) -> list[Record]:
    if not title or is_about_other_pages(title) or not _can_be_found(name):
        return []
    if kind == ALIAS and not is_a_name_of(name, title, chosen=chosen):
        return []
    found: list[Record] = [("N", title, kind, name, count)]
    if kind == LABEL and name[-1] == ")":
        bare = _BRACKETS.sub("", name)
        if bare != name and _can_be_found(bare):
            found.append(("N", title, BARE, bare, count))
    return found


def _redirect(source: str, target: str, number: int) -> list[Record]:
    if not source or not target or source == target:
        return []
    found: list[Record] = [("S", source, number), ("T", target, number)]
    if len(source) <= _MOST_CHARACTERS and folded_key(source) and not is_about_other_pages(target):
        named = _can_be_found(source) and is_a_name_of(source, target)
        found.append(("N", target, REDIRECT if named else PAGE, source, 0))
    return found


def is_a_name_of(name: str, title: str, *, chosen: bool = False) -> bool:
    """Return whether a redirect or an alias can be a name of the entity with that title.

    If words around the title name a place, they say where something is; if one of them is a common word, it
    is about a part or an aspect. Accepted as a name, it would hide what a text adds.

    Parameters
    ----------
    name, title
        The candidate and the title.
    chosen
        Whether somebody chose the name on purpose: then only places rule it out.

    Examples
    --------
    >>> is_a_name_of("Jane Doe Quist", "Jane Doe"), is_a_name_of("Jane Doe discography", "Jane Doe")
    (True, False)
    >>> is_a_name_of("Broadcasting House in London", "Broadcasting House", chosen=True)
    False
    """
    if is_about_other_pages(name):
        return False
    own, other = f" {folded_key(title)} ", f" {folded_key(name)} "
    if own == other or own not in other:
        return True
    before, _, after = other.partition(own)
    around = (before.split(), after.split())
    common = english_words().common
    if not chosen and any(word in common and word != "the" for words in around for word in words):
        return False
    return not any(
        " ".join(words[start:end]) in _place_names()
        for words in around
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
    )


def _can_be_found(name: str) -> bool:
    if not 0 < len(name) <= _MOST_CHARACTERS or is_about_other_pages(name):
        return False
    key = folded_key(name)
    return _LEAST_FOLDED <= len(key) <= _MOST_FOLDED and not key.replace(" ", "").isdigit()


def _title(iri: str) -> str:
    if not iri.startswith(_DBPEDIA):
        title = title_of(iri)
    else:
        title = iri[len(_DBPEDIA) :]
        if "\\" in title:
            title = unescaped(title)
        if "%" in title:
            title = unquote(title)
    title = _without_nul(" ".join(title.replace("_", " ").split()))
    return capitalised(title if title.isascii() else unicodedata.normalize("NFC", title))


def _without_nul(text: str) -> str:
    """Replace what an escape or a percent sign may have hidden, and what a trie cannot hold."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


@cache
def _place_names() -> frozenset[str]:
    return frozenset(folded_key(name) for place in by_name().values() for name in place.names)
