"""A text in another language, respelled for the checks: figures as in English, names as in its input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from esascore.label import label
from esascore.languages import Language
from esascore.languages.figures import Piece, english_figures
from esascore.languages.locales import locale_of
from esascore.languages.names import Names
from esascore.languages.scripts import plain
from esascore.model import Input, once_per_input
from esascore.text.markdown import Unmarked
from esascore.text.vocabulary import english_words, function_words

_WORD = re.compile(r"[^\W\d_]+")
_LEAST = 3


@once_per_input
def named_in(input_: Input, language: Language) -> Input:
    """Return an input with the names that a language has for its entities, and those that it links to.

    Examples
    --------
    >>> graph = Input.from_triples([("Abilene", "leader", "Marlowe")]).linked([("Abilene", "Абилин")])
    >>> [entity.names for entity in named_in(graph, Language("ru")).entities]
    [('Абилин',), ()]
    """
    known = locale_of(language.code).names
    names = [
        (entity.term, name)
        for entity in input_.entities
        if not str(entity.term)[:1].isdigit()
        for name in (*known.get(plain(label(entity.term)), ()), *_kept(label(entity.term)))
    ]
    return replace(input_, names=(*input_.links, *names))


def _kept(name: str) -> Iterator[str]:
    """Yield what translations leave of a name: the Harlow of Harlow Airport."""
    common = english_words().common
    long_ones = (word for word in name.split() if word[0].isupper() and len(word) > _LEAST)
    own = [word for word in long_ones if word.lower() not in common]
    if 0 < len(own) < len(name.split()) and " ".join(own) in name:
        yield " ".join(own)


def respelled(text: str, input_: Input, language: Language) -> Unmarked:
    """Return how a text reads with figures as in English and names as in its input, and what stands where.

    Examples
    --------
    >>> graph = Input.from_triples([("Abilene", "leader", "Marlowe")]).linked([("Abilene", "Абилин")])
    >>> respelled("Marlowes Haus", named_in(graph, Language("ru")), Language("ru")).text
    'Marlowe Haus'
    """
    pieces = english_figures(text, language)
    names = _names(input_, language)
    taken = iter([*pieces, Piece(len(text), len(text), "")])
    figure = next(taken)
    for word in _WORD.finditer(text):
        while figure.end <= word.start() and figure.start < len(text):
            figure = next(taken)
        if word.end() <= figure.start and (found := names.of(word[0])) is not None and found[0] != word[0]:
            pieces.append(Piece(*word.span(), found[0]))
    return _joined(text, sorted(pieces))


def _joined(text: str, pieces: list[Piece]) -> Unmarked:
    made: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for start, end, new in [*pieces, Piece(len(text), len(text), "")]:
        made += (text[at:start], new)
        starts += range(at, start)
        ends += range(at + 1, start + 1)
        starts += [start] * len(new)
        ends += [end] * len(new)
        at = end
    return Unmarked("".join(made), tuple(starts), tuple(ends))


@once_per_input
def _names(input_: Input, language: Language) -> Names:
    return Names(_words(input_), language.code)


def _words(input_: Input) -> Iterator[str]:
    small = function_words()
    called = (name for entity in input_.entities for name in (label(entity.term), *entity.names))
    around = (label(text) for text in (*input_.titles, *(fact.value for fact in input_.facts)))
    for text in (*called, *around):
        yield from (word for word in _WORD.findall(text) if len(word) >= _LEAST and word.lower() not in small)
