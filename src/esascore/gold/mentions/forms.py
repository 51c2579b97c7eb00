"""The form of a mention: without the marks of a tokeniser, and as a name, a description or a pronoun.

Annotations are tokenised, the texts are not. Their types, of which *description* means no more than a leading
article, are needed for mentions that nobody annotated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from esascore.text.vocabulary import function_words
from esascore.text.words import folded_key, name_words

_SINGLE = "'"
_DOUBLE = '"'
_UNIFIED = {
    "``": _DOUBLE,
    "''": _DOUBLE,
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    **dict.fromkeys("“”„‟«»″〝〞＂", _DOUBLE),
    **dict.fromkeys("‘’‚‛`´′ʹʼ＇‹›", _SINGLE),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
}
# Longer forms first, so that `` is one double quote and not two single ones.
_FORMS = re.compile("|".join(map(re.escape, sorted(_UNIFIED, key=len, reverse=True))) + r"|\s+")
_EVERYTHING = re.compile(f"{_FORMS.pattern}|.", re.DOTALL)

_ARTICLE = re.compile(r"(?:the|an?)\s", re.IGNORECASE)
_DEMONSTRATIVE = re.compile(r"(?:this|that|these|those)(?:\s|$)", re.IGNORECASE)
_PRONOUN = re.compile(
    r"(?:he|him|his|she|hers?|its?|they|them|theirs?|who|whom|whose|which|himself|herself|itself|themselves)"
    r"(?:\s?['’]s)?",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'"(.*)"(?:\^\^.*|@[\w-]+)?', re.DOTALL)
_DATE = re.compile(r"[-+]?\d{1,4}-\d{1,2}-\d{1,2}(?:T.*)?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}")
_NUMBER = re.compile(r"[-+−]?\d[\d.,]*(?:[eE][-+]?\d+)?(?:\s*[(%].*)?")
MENTION_KINDS = ("name", "description", "demonstrative", "pronoun")


def untokenised(string: str) -> str:
    """Remove white space and unify quotes, dashes and the tokeniser's brackets; keep case.

    Examples
    --------
    >>> untokenised("The `` Big Apple '' -LRB- 1990 – 95 -RRB-")
    'The"BigApple"(1990-95)'
    """
    return _FORMS.sub(_unified, string)


def untokenised_with_spans(string: str) -> tuple[str, list[int], list[int]]:
    """Undo tokenisation, and say where each of its characters starts and ends in the original.

    Examples
    --------
    >>> untokenised_with_spans("a ''b")
    ('a"b', [0, 2, 4], [1, 4, 5])
    """
    found = [(kept, *match.span()) for match in _EVERYTHING.finditer(string) if (kept := _unified(match))]
    return "".join(kept for kept, _, _ in found), [start for _, start, _ in found], [end for *_, end in found]


def _unified(match: re.Match[str]) -> str:
    return _UNIFIED.get(match[0], "" if match[0].isspace() else match[0])


@lru_cache(maxsize=2**16)
def content_words(text: str) -> frozenset[str]:
    """Return the folded words of a text but for function words and the small words of names."""
    return frozenset(name_words(text)) - function_words("particle")


def all_content_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the content words of several texts."""
    return frozenset().union(*map(content_words, texts))


def word_string(text: str) -> str:
    """All words of a text, folded, each between single spaces: for finding strings at word boundaries."""
    return f" {folded_key(text)} "


def kind_of(mention: str) -> str:
    """Guess the type that an annotator would give a mention.

    Examples
    --------
    >>> [kind_of(text) for text in ("Rome", "the city", "this city", "Its", "A.S. Roma")]
    ['name', 'description', 'demonstrative', 'pronoun', 'name']
    """
    stripped = mention.strip()
    if _PRONOUN.fullmatch(stripped):
        return "pronoun"
    if _DEMONSTRATIVE.match(stripped):
        return "demonstrative"
    return "description" if _ARTICLE.match(stripped) else "name"


@lru_cache(maxsize=2**16)
def label_of(term: str) -> str:
    """Return the term without quotes, datatype, language tag and underscores.

    Examples
    --------
    >>> label_of('"Sol"'), label_of('"12"^^xsd:integer'), label_of("Abilene,_Texas")
    ('Sol', '12', 'Abilene, Texas')
    """
    quoted = _QUOTED.fullmatch(term.strip())
    return (quoted[1] if quoted else term).replace("_", " ").strip()


def literal_kind(term: str) -> str | None:
    """Return which literal a term is: a date, a number or a list; None for anything else.

    Examples
    --------
    >>> [literal_kind(term) for term in ("1907-07-11", '"1,299.0 (metres)"', '"salt, pepper, oil"', "Rome")]
    ['date', 'number', 'list', None]
    """
    label = label_of(term)
    if _DATE.fullmatch(label):
        return "date"
    if _NUMBER.fullmatch(label):
        return "number"
    return "list" if label.count(",") >= 2 else None
