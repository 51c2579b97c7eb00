"""The words that a term of the input stands for."""

from __future__ import annotations

import html
import re

# "text"^^xsd:string, "text"^^<http://...>, "text"@en-GB, and the same without quotes around the text.
_DATATYPE = re.compile(r"\^\^(?:<[^<>\s]*>|[^\s\"<>]+)$")
_LANGUAGE = re.compile(r"(?<=\")@[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$")
_QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“", "'": "'", "‘": "’"}
# "8820.0"(minutes): a quoted value with its unit.
_QUOTED_VALUE = re.compile(r'^"([^"]*)"\s*(\([^()]*\))$')
_CHARACTER_REFERENCE = re.compile(r"&#?\w+;")


def label(term: str, *, keep_underscores: bool = False) -> str:
    """Return the words of an RDF term or table cell, in their own case and spelling.

    Quotes, datatype and language tag of a literal are dropped, character references are resolved,
    underscores become spaces (unless they are kept), and white space is made single.

    Examples
    --------
    >>> label("Abilene,_Texas")
    'Abilene, Texas'
    >>> label('"Colmore Row, Birmingham"@en'), label('"185.0"^^xsd:double'), label("&minus;7")
    ('Colmore Row, Birmingham', '185.0', '−7')
    >>> label("Abilene,_Texas", keep_underscores=True)
    'Abilene,_Texas'
    """
    text = term.strip()
    if text.isalnum():  # most numbers, and many names
        return text
    if "^^" in text:
        text = _DATATYPE.sub("", text).rstrip()
    if "@" in text:
        text = _LANGUAGE.sub("", text)
    if "&" in text and _CHARACTER_REFERENCE.search(text):
        text = html.unescape(text)
    if text[:1] in _QUOTES:
        text = _without_quotes(text)
    if not keep_underscores and "_" in text:
        text = text.replace("_", " ")
    return " ".join(text.split())


def _without_quotes(text: str) -> str:
    if value := _QUOTED_VALUE.match(text):
        return f"{value[1]} {value[2]}"
    while len(text) > 1 and _QUOTES.get(text[0]) == text[-1]:
        inner = text[1:-1].strip()
        if text[0] in inner or not inner:  # 'A' and 'B', not one quoted whole
            break
        text = inner
    return text
