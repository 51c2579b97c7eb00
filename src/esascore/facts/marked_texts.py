"""Texts whose mentions are marked: what facts are read from, and what corruptions change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from esascore.model import Triple
from esascore.text.vocabulary import function_words
from esascore.text.words import name_words
from esascore.triples import SHAPE

Spans = tuple[tuple[int, int], ...]
"""Places of mentions in a text, in text order."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text: a mention of an entity, or what stands between mentions."""

    text: str
    entity: str | None = None

    @property
    def is_name(self) -> bool:
        """Whether this mentions an entity by more than a pronoun.

        Examples
        --------
        >>> Piece("Ada", "Ada_Hall").is_name, Piece("it", "Ada_Hall").is_name, Piece("Ada").is_name
        (True, False, False)
        """
        return self.entity is not None and not function_words().issuperset(name_words(self.text))


@dataclass(frozen=True, slots=True)
class Marked:
    """A text in pieces, the facts of its input, and those that it states.

    Examples
    --------
    >>> fact = Triple("Ada_Hall", "architect", "Bo_Berg")
    >>> marked = Marked.of("Bo Berg built Ada Hall.", [("Bo_Berg", 0, 7), ("Ada_Hall", 14, 22)], [fact])
    >>> marked.text, marked.spans("Ada_Hall"), marked.stated == {fact}
    ('Bo Berg built Ada Hall.', ((14, 22),), True)
    """

    pieces: tuple[Piece, ...]
    facts: tuple[Triple, ...]
    stated: frozenset[Triple]
    category: str = ""
    shape: frozenset[str] = SHAPE

    @classmethod
    def of(
        cls,
        text: str,
        mentions: Iterable[tuple[str, int, int]],
        facts: Sequence[Triple],
        category: str = "",
        shape: frozenset[str] = SHAPE,
    ) -> Marked:
        """Cut a text at its mentions; one that overlaps an earlier one is left out.

        A text of a corpus is taken to state every fact of its input whose two entities it mentions.
        """
        pieces = []
        done = 0
        for entity, start, end in sorted(mentions, key=lambda mention: (mention[1], -mention[2])):
            if start < done or start == end:
                continue
            if start > done:
                pieces.append(Piece(text[done:start]))
            pieces.append(Piece(text[start:end], entity))
            done = end
        if done < len(text):
            pieces.append(Piece(text[done:]))
        said = {piece.entity for piece in pieces}
        stated = frozenset(fact for fact in facts if fact.subject in said and fact.object in said)
        return cls(tuple(pieces), tuple(facts), stated, category, shape)

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def named(self) -> tuple[str, ...]:
        """The entities that are mentioned by name, in text order."""
        return tuple(dict.fromkeys(p.entity for p in self.pieces if p.entity is not None and p.is_name))

    def spans(self, entity: str, *, pronouns: bool = True) -> Spans:
        """Where an entity is mentioned."""
        found = []
        at = 0
        for piece in self.pieces:
            if piece.entity == entity and (pronouns or piece.is_name):
                found.append((at, at + len(piece.text)))
            at += len(piece.text)
        return tuple(found)
