"""Which facts of an input a text states, which it contradicts, and which other facts it states.

A fact is *stated* if both of its entities are mentioned and the verifier finds it likely enough. It is
*contradicted* if it is unlikely, and the text is sure to state the same of others: it exchanges subject and
object, or puts another entity of the input in the place of one of them. Otherwise it is *not stated*.

To extract all facts of a text, the verifier reads for every ordered pair of mentioned entities the
predicates that could stand between them: those of the input, and those that the model was trained on, as far
as they take things of such kinds and the text has a word of theirs. The likeliest is the fact of the pair, if
it is likely enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, permutations
from typing import TypeVar

from esascore.claims.classes import CONTRADICTED, type_of
from esascore.claims.evidence import TYPES
from esascore.claims.hallucinations import Hallucination
from esascore.fact_results import FactVerdict, Ruling
from esascore.facts.bank import Spans, words_of
from esascore.facts.claims import Claim
from esascore.facts.verifier import PredicateKinds, Verifier, entity_kind, predicate_kinds
from esascore.model import Detection, Entity, Input, Mention, Triple
from esascore.text.stem import stem
from esascore.text.vocabulary import function_words
from esascore.text.words import name_words

VERSION = "v3"
"""Changes with every change of the rules that can change a verdict."""

LIKELY = 0.5
"""The probability from which a fact counts as stated."""

UNLIKELY, SURE = 0.2, 0.7
"""The probability below which a fact is contradicted, and the one that the fact stated instead reaches.

At 0.5 for both, every tenth text that people wrote would contradict its input.
"""

_MOST_OTHERS = 8
Key = TypeVar("Key")


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
    asked = [
        (number, fact, known)
        for number, page in enumerate(pages)
        for fact in page.facts
        if (known := verifier.knows(fact.predicate, page.shape)) or guesses
    ]
    found: list[list[FactVerdict]] = [[] for _ in pages]
    read = shares([pages[number].claim(fact) for number, fact, _ in asked], verifier)
    for (number, fact, known), share in zip(asked, read, strict=True):
        ruling: Ruling = "stated" if share >= LIKELY else "not stated"
        found[number].append(FactVerdict(fact, ruling, share, known))
    others = [
        ((number, place), page, other)
        for number, (page, own) in enumerate(zip(pages, found, strict=True))
        for place, verdict in enumerate(own)
        if contradictions and verdict.probability < UNLIKELY
        for other in page.others(verdict.fact)
    ]
    for (number, place), other in _likeliest(others, verifier, SURE).items():
        found[number][place] = replace(found[number][place], ruling="contradicted", instead=other)
    return [tuple(own) for own in found]


def shares(claims: Sequence[Claim | None], verifier: Verifier) -> list[float]:
    """Return the probabilities of claims; 0 where there is None instead of a claim."""
    found = iter(verifier.probabilities([claim for claim in claims if claim is not None]))
    return [0.0 if claim is None else next(found) for claim in claims]


def _likeliest(
    asked: Sequence[tuple[Key, Page, Triple]], verifier: Verifier, least: float
) -> dict[Key, Triple]:
    """Return, for each key, the likeliest of its facts if it is likely enough; of equals the first."""
    best: dict[Key, tuple[float, Triple]] = {}
    read = shares([page.claim(fact) for _, page, fact in asked], verifier)
    for (key, _, fact), share in zip(asked, read, strict=True):
        if share >= least and share > best.get(key, (0.0,))[0]:
            best[key] = share, fact
    return {key: fact for key, (_, fact) in best.items()}


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
            text=found.text,
            shape=input_.shape,
            facts=tuple(dict.fromkeys(input_.triples)),
            all_entities=input_.entities,
            spans={entity: tuple(some) for entity, some in spans.items()},
            strangers=strangers,
            unexplained=unexplained,
        )

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The entities that are mentioned."""
        return tuple(entity for entity in self.all_entities if entity.term in self.spans)

    def place(self, fact: Triple) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return where a fact stands: at the later of the first mentions of its entities."""
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
        left = (one for one in dict.fromkeys(candidates) if one not in seen and one.subject != one.object)
        yield from islice(left, _MOST_OTHERS)


def extract(items: Sequence[tuple[Input, Detection]], verifier: Verifier) -> list[tuple[Triple, ...]]:
    """Extract the facts of each text, in the order in which their mentions stand; a table has none.

    Examples
    --------
    >>> from esascore.model import Graph, Mention
    >>> class Direct:  # takes for stated what has its subject before its object
    ...     def probabilities(self, claims):
    ...         return [float(claim.subject[0] < claim.object[0]) for claim in claims]
    ...     def predicate_kinds(self):
    ...         return {}
    >>> graph = Graph.from_triples([("Bo", "chairs", "Ada")])
    >>> mentions = (Mention("Ada", 0, 3, "Ada", "string"), Mention("Bo", 11, 13, "Bo", "string"))
    >>> extract([(graph, Detection("Ada chairs Bo.", ("Bo", "Ada"), mentions, ()))], Direct())
    [(Triple(subject='Ada', predicate='chairs', object='Bo'),)]
    """
    pages = [Page.of(*item) for item in items]
    known = verifier.predicate_kinds()
    asked = [
        ((number, fact.subject, fact.object), page, fact)
        for number, page in enumerate(pages)
        for fact in _candidates(page, known)  # the input's own predicates before others
    ]
    found: list[list[Triple]] = [[] for _ in pages]
    for (number, *_), fact in _likeliest(asked, verifier, LIKELY).items():
        found[number].append(fact)
    return [tuple(sorted(some, key=page.place)) for page, some in zip(pages, found, strict=True)]


def _candidates(page: Page, known: PredicateKinds) -> list[Triple]:
    kinds = {entity.term: entity_kind(entity) for entity in page.entities}
    own = predicate_kinds(page.facts, page.all_entities)
    allowed = {**known, **{name: some | known.get(name, frozenset()) for name, some in own.items()}}
    said = frozenset(map(stem, name_words(page.text)))
    # To read hundreds of predicates for each pair would take seconds for each text.
    others = [name for name in sorted(set(known) - set(own)) if not said.isdisjoint(_stems(name))]
    return [
        Triple(subject, predicate, object_)
        for subject, object_ in permutations(kinds, 2)
        for predicate in (*own, *others)
        if (kinds[subject], kinds[object_]) in allowed[predicate]
    ]


@cache
def _stems(predicate: str) -> frozenset[str]:
    """Return the stems of the words of a predicate that say something."""
    return frozenset(stem(word) for word in words_of(predicate).split() if word not in function_words())


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
