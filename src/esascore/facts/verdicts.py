"""Which facts of an input a text states, which it contradicts, and which it does not state.

A fact is *stated* if both of its entities are mentioned and the verifier finds it likely enough. It is
*contradicted* if it is unlikely, and the text surely states the same of others: it exchanges subject and
object, or puts another entity of the input in the place of one of them. Otherwise it is *not stated*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from esascore.fact_results import FactVerdict, Ruling
from esascore.facts.bank import words_of
from esascore.facts.claims import Claim
from esascore.facts.marked_texts import Spans
from esascore.facts.verifier import Verifier, entity_kind
from esascore.model import Detection, Entity, Input, Triple

VERSION = "v3"
"""Changes with every change of the rules that can change a verdict."""

LIKELY = 0.5
"""The probability from which a fact counts as stated."""

UNLIKELY, SURE = 0.2, 0.7
"""What a contradicted fact stays below, and what the text states instead reaches.

At 0.5 for both, every tenth text that people wrote would contradict its input.
"""

_MOST_OTHERS = 8


def verdicts(
    items: Sequence[tuple[Input, Detection]],
    verifier: Verifier,
    *,
    contradictions: bool = True,
    guesses: bool = True,
) -> list[tuple[FactVerdict, ...]]:
    """Judge the facts of each input against its text; a table has none.

    Without ``contradictions``, what is contradicted counts as not stated: one reading less. Without
    ``guesses``, facts that the model was not trained for are left out: of data there can be hundreds.

    Examples
    --------
    >>> from esascore.model import Mention
    >>> class Direct:  # takes for stated what has its subject before its object
    ...     def probabilities(self, claims):
    ...         return [float(claim.subject[0] < claim.object[0]) for claim in claims]
    ...     def knows(self, predicate, shape):
    ...         return True
    >>> graph = Input.from_triples([("Bo", "chairs", "Ada"), ("Cy", "likes", "Ada")])
    >>> mentions = (Mention("Ada", 0, 3, "Ada", "string"), Mention("Bo", 11, 13, "Bo", "string"))
    >>> found = Detection("Ada chairs Bo.", ("Bo", "Ada", "Cy"), mentions, ("Cy",))
    >>> [[first, second]] = verdicts([(graph, found)], Direct())
    >>> first.ruling, first.instead.subject, second.ruling
    ('contradicted', 'Ada', 'not stated')
    """
    pages = [Page.of(*item) for item in items]
    if not guesses:
        pages = [
            replace(page, facts=tuple(f for f in page.facts if verifier.knows(f.predicate, page.shape)))
            for page in pages
        ]
    asked = [(number, fact) for number, page in enumerate(pages) for fact in page.facts]
    found: list[list[FactVerdict]] = [[] for _ in pages]
    read = shares([pages[number].claim(fact) for number, fact in asked], verifier)
    for (number, fact), share in zip(asked, read, strict=True):
        ruling: Ruling = "stated" if share >= LIKELY else "not stated"
        known = verifier.knows(fact.predicate, pages[number].shape)
        found[number].append(FactVerdict(fact, ruling, share, known))
    others = [
        (number, place, other)
        for number, own in enumerate(found)
        for place, verdict in enumerate(own)
        if contradictions and verdict.probability < UNLIKELY
        for other in pages[number].others(verdict.fact)
    ]
    best: dict[tuple[int, int], tuple[float, Triple]] = {}
    read = shares([pages[number].claim(other) for number, _, other in others], verifier)
    for (number, place, other), share in zip(others, read, strict=True):
        if share >= SURE and share > best.get((number, place), (0.0,))[0]:
            best[number, place] = share, other
    for (number, place), (_, other) in best.items():
        found[number][place] = replace(found[number][place], ruling="contradicted", instead=other)
    return [tuple(own) for own in found]


def shares(claims: Sequence[Claim | None], verifier: Verifier) -> list[float]:
    """Return the probabilities of claims; 0 for what is none."""
    found = iter(verifier.probabilities([claim for claim in claims if claim is not None]))
    return [0.0 if claim is None else next(found) for claim in claims]


@dataclass(frozen=True, slots=True)
class Page:
    """A text with the facts of its input, and the places of its entities."""

    text: str
    shape: frozenset[str]
    facts: tuple[Triple, ...]
    all_entities: tuple[Entity, ...]
    spans: dict[str, Spans]
    strangers: Spans = ()
    unexplained: Spans = ()

    @classmethod
    def of(cls, input_: Input, found: Detection, strangers: Spans = (), unexplained: Spans = ()) -> Page:
        """Lay out a text in which entities were detected.

        ``strangers`` is what else it names, ``unexplained`` what else it says and the input does not explain.
        """
        spans: dict[str, list[tuple[int, int]]] = {}
        for mention in found.mentions:
            for entity in (mention.entity, *mention.also):
                if entity not in found.undetected:  # a pronoun alone may stand for something else
                    spans.setdefault(entity, []).append((mention.start, mention.end))
        return cls(
            found.text,
            input_.shape,
            tuple(dict.fromkeys(input_.triples)),
            input_.entities,
            {entity: tuple(some) for entity, some in spans.items()},
            strangers,
            unexplained,
        )

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The entities that are mentioned."""
        return tuple(entity for entity in self.all_entities if entity.term in self.spans)

    def place(self, fact: Triple) -> tuple[tuple[int, int], tuple[int, int]]:
        """Where a fact stands: at the later of the first mentions of its entities."""
        first, second = sorted((self.spans[fact.subject][0], self.spans[fact.object][0]))
        return second, first

    def claim(self, fact: Triple) -> Claim | None:
        """Make the claim that the text states a fact; None if one of its entities is not mentioned."""
        subject, object_ = self.spans.get(fact.subject), self.spans.get(fact.object)
        # Two entities in one place are one mention: nothing can be said of the two of them.
        if not subject or not object_ or subject == object_:
            return None
        return Claim(words_of(fact.predicate), self.text, subject, object_)

    def others(self, fact: Triple) -> Iterator[Triple]:
        """Yield what a text could state instead of a fact: at most a few of them."""
        seen = {fact, *self.facts}
        kinds = {entity.term: entity_kind(entity) for entity in self.entities}
        candidates = [replace(fact, subject=fact.object, object=fact.subject)]
        for term, own in kinds.items():
            if own == kinds.get(fact.object):
                candidates.append(replace(fact, object=term))
            if own == kinds.get(fact.subject):
                candidates.append(replace(fact, subject=term))
        left = [
            other
            for other in dict.fromkeys(candidates)
            if other not in seen and other.subject != other.object
        ]
        yield from left[:_MOST_OTHERS]
