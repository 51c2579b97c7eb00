"""Texts that lack an entity on purpose, made from annotated texts.

Human texts hardly omit anything, so a detector that finds every entity everywhere looks good on them. Here
one entity of a text is made to vanish, in one of these ways:

``replace``
    All its annotated mentions, including pronouns and descriptions, are replaced by a mention of an unrelated
    entity that fills the same property elsewhere in the corpus (`Donors`). A possessive stays possessive.
``delete``
    Its clause is deleted if everything else that the clause mentions is named elsewhere in the text;
    otherwise its mentions are, with the preposition before them.
``number``, ``date``
    One digit of it is changed, the same in all mentions.
``name``
    The second word of a name of two is replaced by that of a donor's name.

What must hold in such a text is known: the entity is not mentioned, those in ``counted`` still are, and each
inserted span is a hallucination. ``docs/benchmark.md`` describes the full protocol.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from esascore.errors import UsageError
from esascore.gold.counterfactual.removal import REMOVERS, Case, Donors, Removal, rest, without_possessive
from esascore.gold.mentions.benchmark import AnnotatedText
from esascore.gold.mentions.forms import all_content_words, label_of, word_string
from esascore.gold.mentions.locate import overlap
from esascore.model import Entity, Input
from esascore.text.normalize import lowered_in_place

_ARTICLE = re.compile(r"(?:the|an?|this|that)\s+", re.IGNORECASE)
_CAPITALISED = re.compile(r"(?:[A-Z]|[^\W\d_a-z]|\d)[\w.,]*")


@dataclass(frozen=True, slots=True)
class Inserted:
    """A span of a counterfactual text that nothing in the input explains."""

    start: int
    end: int
    text: str
    entity: str | None


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """A text from which an entity was removed.

    Attributes
    ----------
    source, text
        The annotated text that it was made from, and the new one.
    kind
        A name of `REMOVERS`.
    entity, inserted
        The term of the entity that the text no longer mentions, and what was put in its place.
    counted
        Entities that the text certainly still mentions.
    uncounted
        Other entities of the input: those that share a word with the removed one, and those that the text
        did not name for certain in the first place.
    unit
        What was deleted, ``clause`` or ``mention``; None for other kinds.
    lowercased
        Whether the text was put in lower case, as many systems write.
    certain
        Whether the rest of the text certainly does not name the entity.
    """

    source: AnnotatedText
    kind: str
    text: str
    entity: str
    inserted: tuple[Inserted, ...]
    counted: tuple[str, ...]
    uncounted: tuple[str, ...]
    unit: str | None = None
    lowercased: bool = False
    certain: bool = True

    @property
    def id(self) -> str:
        """The id of the annotated text, the kind, and the place of the entity in the input."""
        place = [entity.term for entity in self.source.example.input.entities].index(self.entity) + 1
        return f"{self.source.id}/{self.kind}-{place}"

    @property
    def item(self) -> tuple[Input, str]:
        """The part that a detector sees: the input and the text."""
        return self.source.example.input, self.text

    def as_dict(self) -> dict[str, Any]:
        """An object of a JSONL corpus that `esascore.readers` reads, with what is known about the text."""
        triples = self.source.example.input.triples
        return {
            "id": self.id,
            "category": self.source.example.category,
            "triples": [[triple.subject, triple.predicate, triple.object] for triple in triples],
            **{name: getattr(self, name) for name in ("text", "kind", "unit", "lowercased", "certain")},
            "replaced": self.entity,
            "inserted": [asdict(span) for span in self.inserted],
            "counted": list(self.counted),
            "uncounted": list(self.uncounted),
            "source": self.source.id,
        }


def make_counterfactuals(
    texts: Sequence[AnnotatedText],
    *,
    kinds: Iterable[str] = ("replace", "delete"),
    seed: int = 0,
    per_text: int | None = 1,
    lowercase: bool = False,
    uncertain: bool = False,
) -> list[Counterfactual]:
    """Make counterfactual texts, in the order of the corpus and of ``kinds``.

    Parameters
    ----------
    texts
        Annotated texts; donors come from them too. Those whose input is not a graph are skipped.
    kinds
        Names of `REMOVERS`.
    seed
        Decides which entities, donors and digits are chosen: equal seeds give equal texts, whichever other
        kinds are requested.
    per_text
        How many entities of a text are removed, one at a time, for each kind; None for all.
    lowercase
        Put the texts in lower case.
    uncertain
        Make also texts whose rest may still name the entity: its label, a removed mention, or a capitalised
        word of either is left, or another entity has the same label.
    """
    wanted = list(dict.fromkeys(kinds))
    for kind in wanted:
        if kind not in REMOVERS:
            raise UsageError(f"unknown kind of counterfactual {kind!r}: choose from {', '.join(REMOVERS)}")
    donors = Donors(texts)
    made: list[Counterfactual] = []
    for case in (Case(text) for text in texts if text.example.input.triples):
        for kind in wanted:
            made += islice(_of_kind(case, kind, donors, seed, uncertain), per_text)
    return [_lowercased(one) for one in made] if lowercase else made


def _of_kind(case: Case, kind: str, donors: Donors, seed: int, uncertain: bool) -> Iterator[Counterfactual]:
    entities = [entity for entity in case.graph.entities if entity.term in case.named]
    # Strings seed the generator alike on every machine and version.
    random.Random(f"{seed}/{case.source.id}/{kind}").shuffle(entities)
    for entity in entities:
        is_unique = _is_unique(case, entity)
        if not is_unique and not uncertain:
            continue
        rng = random.Random(f"{seed}/{case.source.id}/{kind}/{entity.term}")
        removal = REMOVERS[kind](case, entity, donors, rng)
        if removal is None:
            continue
        certain = is_unique and _is_gone(case, entity, removal)
        if certain or uncertain:
            yield _applied(case, kind, entity, removal, certain)


def _is_unique(case: Case, entity: Entity) -> bool:
    """Return whether no other entity has its label, up to quotes and case."""
    label = word_string(label_of(entity.term))
    return sum(word_string(label_of(other.term)) == label for other in case.graph.entities) == 1


def _is_gone(case: Case, entity: Entity, removal: Removal) -> bool:
    """Return whether the rest of the text certainly does not name the entity any more."""
    edited = [edit.span for edit in removal.edits]
    names = [label_of(entity.term), *case.names(entity.term)]
    strings = {word_string(_ARTICLE.sub("", without_possessive(name))) for name in names} - {"  "}
    pieces = [word_string(piece) for piece in rest(case.text, edited)]
    if any(string in piece for piece in pieces for string in strings):
        return False
    # Annotations are incomplete: a name's part that belongs to no mention may well be the entity.
    unannotated = rest(case.text, [*edited, *case.names_of_others(entity.term)])
    capitalised = all_content_words(word for piece in unannotated for word in _CAPITALISED.findall(piece))
    return not capitalised & all_content_words(names)


def _applied(case: Case, kind: str, entity: Entity, removal: Removal, certain: bool) -> Counterfactual:
    edited = [edit.span for edit in removal.edits]
    text, *pieces = rest(case.text, edited)
    inserted = []
    for edit, piece in zip(removal.edits, pieces, strict=True):
        if edit.new:
            inserted.append(Inserted(len(text), len(text) + len(edit.new), edit.new, edit.entity))
        text += edit.new + edit.ending + piece
    removed = all_content_words([label_of(entity.term), *case.names(entity.term)])
    others = [other.term for other in case.graph.entities if other.term != entity.term]
    counted = [
        term
        for term in others
        if not removed & all_content_words([label_of(term), *case.names(term)])
        and any(not any(overlap(span, other) for other in edited) for span in case.named.get(term, ()))
    ]
    uncounted = [term for term in others if term not in counted]
    listed = tuple(inserted), tuple(counted), tuple(uncounted)
    return Counterfactual(case.source, kind, text, entity.term, *listed, removal.unit, certain=certain)


def _lowercased(one: Counterfactual) -> Counterfactual:
    return replace(
        one,
        text=lowered_in_place(one.text),
        inserted=tuple(replace(span, text=lowered_in_place(span.text)) for span in one.inserted),
        lowercased=True,
    )
