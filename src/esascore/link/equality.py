"""When two names mean the same entity of DBpedia or Wikipedia."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol
from urllib.parse import unquote

from esascore.label import label

_RESOURCE = re.compile(
    r"<?(?:https?://(?:[\w-]+\.)*(?:dbpedia\.org/(?:resource|page)|wikipedia\.org/wiki|wikidata\.org/(?:entity|wiki))/|dbr:)"
    r"(?P<title>[^<>]*)>?$"
)
_MOST_HOPS = 8


@lru_cache(maxsize=1 << 16)
def canonical(name: str) -> str:
    """Return the name of an entity as Wikipedia and DBpedia write it.

    Addresses are cut down to the title, what is percent-encoded is decoded, spaces become underscores, the
    first letter is a capital. Accents, all other letters and brackets stay as they are.

    Examples
    --------
    >>> canonical("new York  City"), canonical("http://dbpedia.org/resource/S%C3%A3o_Paulo")
    ('New_York_City', 'São_Paulo')
    >>> canonical('"Ajoblanco"@en'), canonical("iPhone_(1st_generation)")
    ('Ajoblanco', 'IPhone_(1st_generation)')
    """
    address = _RESOURCE.match(name.strip())
    text = percent_decoded(address["title"] if address else label(name))
    words = unicodedata.normalize("NFC", text).replace("_", " ").split()
    return capitalised("_".join(words))


def capitalised(title: str) -> str:
    """Make the first letter of a title a capital, if it has one: not ß.

    Examples
    --------
    >>> capitalised("new York"), capitalised("ßeta")
    ('New York', 'ßeta')
    """
    first = title[:1].upper()
    return first + title[1:] if len(first) == 1 else title


class Redirects(Protocol):
    """Something that knows which titles lead to which entities."""

    def redirect(self, title: str) -> str | None:
        """Return where a canonical title leads; None if it leads nowhere."""


class EntityNames:
    """Says whether an entity that a linker found is one that the input names.

    Parameters
    ----------
    redirects
        Where titles lead, for instance index files (`NameIndex`); without any only spelling is compared.

    Examples
    --------
    >>> names = EntityNames()
    >>> names.same("New_York_City", "New York City"), names.same("Orléans", "Orleans")
    (True, False)
    """

    def __init__(self, redirects: Sequence[Redirects] = ()):
        self._redirects = tuple(redirects)
        self.entity = lru_cache(maxsize=1 << 16)(self._follow)
        """Returns the canonical name of the entity that a name leads to."""

    def __reduce__(self) -> tuple[type[EntityNames], tuple[Sequence[Redirects]]]:
        return EntityNames, (self._redirects,)

    def same(self, linked: str, term: str) -> bool:
        """Return whether an entity that a linker named is a term of the input."""
        return self.entity(linked) == self.entity(term)

    def _follow(self, name: str) -> str:
        title = canonical(name)
        for _ in range(_MOST_HOPS):  # one index may lead to a title that another one leads on from
            found = (index.redirect(title) for index in self._redirects)
            target = next((t for t in found if t is not None and t != title), None)
            if target is None:
                break
            title = target
        return title


def percent_decoded(text: str) -> str:
    """Return a text with ``%26`` as ``&``; one in which a percent sign encodes nothing as it is.

    Examples
    --------
    >>> percent_decoded("S%C3%A3o_Paulo"), percent_decoded("Caf%E9")
    ('São_Paulo', 'Caf%E9')
    """
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text
