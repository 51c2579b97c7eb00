"""Annotated pronouns: which entities they refer to, and whether a resolver finds them.

Every resolver is given the annotated names, so that only coreference is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from esascore.coref.base import CorefResolver, Pronoun, Question
from esascore.coref.documents import Annotated, CorefDocument, coref_document
from esascore.gold.intervals import figures, intervals, positions_by, resampled
from esascore.gold.mentions.benchmark import AnnotatedText
from esascore.gold.mentions.locate import located
from esascore.metrics.base import plain
from esascore.model import Mention
from esascore.stats.resampling import RESAMPLES

_PRONOUN = "pronoun"
_SHOWN = ("precision", "recall")


@dataclass(frozen=True, slots=True)
class Asked:
    """A text with its annotated names and pronouns, and which entity each pronoun refers to.

    Pronouns of entities that the text names nowhere else are left out: no chain leads from them to a name.
    """

    text: AnnotatedText
    question: Question
    answers: tuple[str, ...]


def asked_pronouns(texts: Sequence[AnnotatedText]) -> list[Asked]:
    """Collect the texts with annotated pronouns that can be located."""
    asked = []
    for text in texts:
        whole = text.reference.text
        mentions = sorted(located(text.reference), key=lambda pair: pair[1][0])
        named = [
            Mention(mention.entity, *span, whole[slice(*span)], "gold")
            for mention, span in mentions
            if mention.kind != _PRONOUN
        ]
        names = {mention.entity for mention in named}
        kept = [pair for pair in mentions if pair[0].kind == _PRONOUN and pair[0].entity in names]
        if kept:
            pronouns = [Pronoun(whole[slice(*span)], *span) for _, span in kept]
            question = (text.example.input, whole, named, pronouns)
            asked.append(Asked(text, question, tuple(mention.entity for mention, _ in kept)))
    return asked


@dataclass(frozen=True, slots=True)
class Placed:
    """A pronoun with the right answer and the one that was given (None: no answer)."""

    text: AnnotatedText
    pronoun: str
    right: str
    given: str | None

    @property
    def is_right(self) -> bool:
        """Return whether the two agree."""
        return self.given == self.right

    @property
    def is_root(self) -> bool:
        """Return whether the pronoun refers to the root of the input."""
        return self.right == self.text.example.input.root


def place(asked: Sequence[Asked], resolver: CorefResolver) -> list[Placed]:
    """Ask a resolver, and return one row for every pronoun."""
    given = resolver.resolve([one.question for one in asked])
    return [
        Placed(one.text, pronoun.text, right, answer)
        for one, answers in zip(asked, given, strict=True)
        for pronoun, right, answer in zip(one.question[3], one.answers, answers, strict=True)
    ]


def figures_of(
    placed: Sequence[Placed], *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, float | int | None]:
    """Sum up how a resolver did: precision over what it answered, recall over all, with 95% intervals.

    Texts are drawn with replacement, each with all of its pronouns. The ends of the intervals are under
    ``precision_low``, ``precision_high`` and so on.
    """
    rows = np.array([(1, one.given is not None, one.is_right) for one in placed], np.int64).reshape(-1, 3)
    sums = rows.sum(axis=0)
    ends: dict[str, list[float] | None] = {}
    if resamples and placed:
        texts = [one.text.id for one in placed]
        ends = intervals(figures(resampled(rows, texts, resamples=resamples, seed=seed)))
    whole = plain(figures(sums))
    result = {"pronouns": int(sums[0]), "answered": int(sums[1]), **{name: whole[name] for name in _SHOWN}}
    for name in _SHOWN:
        result[f"{name}_low"], result[f"{name}_high"] = ends.get(name) or (None, None)
    return result


def groups_of(placed: Sequence[Placed]) -> dict[str, dict[str, list[Placed]]]:
    """Group pronouns by what they refer to (root or not), by the pronoun itself, and by category."""
    labels = {
        "antecedent": ["root" if one.is_root else "not the root" for one in placed],
        "pronoun": [one.pronoun.lower() for one in placed],
        "category": [one.text.example.category or "unknown" for one in placed],
    }
    groups = {}
    for kind, names in labels.items():
        largest_first = sorted(positions_by(names).items(), key=lambda item: -len(item[1]))
        groups[kind] = {name: [placed[place] for place in places] for name, places in largest_first}
    return groups


def coref_documents(texts: Sequence[AnnotatedText]) -> list[CorefDocument]:
    """Return the texts that a model can learn from, as documents.

    Those are all texts with a pronoun that shares a chain with a name, and for what chains are like otherwise
    every second text with a chain of names only; all with annotations that could be located.
    """
    with_pronouns = {one.text.id for one in asked_pronouns(texts)}
    documents = []
    for text in texts:
        if text.id not in with_pronouns and crc32(text.id.encode()) % 2:
            continue
        mentions = [Annotated(*span, mention.entity) for mention, span in located(text.reference)]
        if len(mentions) == len(text.reference.mentions):
            document = coref_document(text.id, text.reference.text, mentions)
            if document.chains:
                documents.append(document)
    return documents
