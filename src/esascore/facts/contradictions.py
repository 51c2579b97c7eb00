"""Facts that a text contradicts, as hallucinations: a flag where the text says them of others."""

from __future__ import annotations

from collections.abc import Sequence

from esascore.claims.classes import CONTRADICTED, type_of
from esascore.claims.evidence import TYPES
from esascore.claims.hallucinations import Hallucination
from esascore.fact_results import FactVerdict
from esascore.model import Detection, Entity, Mention


def contradictions(
    found: Detection,
    entities: Sequence[Entity],
    verdicts: Sequence[FactVerdict],
    languages: tuple[str, ...] = (),
) -> list[Hallucination]:
    """Return a flag for each contradicted fact, unless the model was not trained for such facts.

    Parameters
    ----------
    found, entities
        What was detected in the text, and the entities of its input.
    verdicts
        What the text says about the facts of the input.
    languages
        Of dates.

    Examples
    --------
    >>> from esascore.model import Triple
    >>> mentions = (Mention("Ada", 0, 3, "Ada", "string"), Mention("Bo", 11, 13, "Bo", "string"))
    >>> found = Detection("Ada chairs Bo.", ("Bo", "Ada"), mentions, ())
    >>> fact, instead = Triple("Bo", "chairs", "Ada"), Triple("Ada", "chairs", "Bo")
    >>> [flag] = contradictions(found, (), [FactVerdict(fact, "contradicted", 0.02, True, instead)])
    >>> flag.text, flag.kind, flag.expected, flag.reason
    ('Bo', 'contradicted', 'Ada', 'the text says Ada | chairs | Bo, the input Bo | chairs | Ada')
    """
    types = {entity.term: type_of(entity, languages) for entity in entities}
    flags = []
    for verdict in verdicts:
        fact, instead = verdict.fact, verdict.instead
        if instead is None or not verdict.known:
            continue
        wrong, other, expected = (
            (instead.subject, instead.object, fact.subject)
            if instead.object == fact.object
            else (instead.object, instead.subject, fact.object)
        )
        mention = _nearest(wrong, other, found.mentions)
        type_ = types.get(wrong, "name")
        flag = Hallucination(
            mention.start, mention.end, mention.text,
            type=type_ if type_ in TYPES else "value", kind=CONTRADICTED,
            entity=str(wrong), nearest=str(expected), expected=str(expected),
            confidence=round(1 - verdict.probability, 6),
            reason=f"the text says {instead}, the input {fact}",
            fact=fact, attribute=fact.predicate,
        )  # fmt: skip
        flags.append(flag)
    return flags


def _nearest(entity: str, other: str, mentions: Sequence[Mention]) -> Mention:
    """Return the mention of an entity that stands nearest to one of another entity; the first of equals."""
    own, others = ([m for m in mentions if term in (m.entity, *m.also)] for term in (entity, other))
    return min(own, key=lambda one: min(max(one.start - m.end, m.start - one.end) for m in others))
