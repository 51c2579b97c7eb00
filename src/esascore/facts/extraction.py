"""Which facts a text states about the entities that it mentions, whether its input has them or not.

For every ordered pair of mentioned entities, the verifier reads the predicates that could stand between them:
those of the input, and those that the model was trained on, as far as they take things of such kinds and the
text has a word of theirs. The likeliest is the fact of the pair, if it is likely enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations

from esascore.facts.bank import words_of
from esascore.facts.verdicts import LIKELY, Page, shares
from esascore.facts.verifier import PredicateKinds, Verifier, entity_kind, predicate_kinds
from esascore.model import Detection, Input, Triple
from esascore.text.stem import stem
from esascore.text.vocabulary import function_words
from esascore.text.words import name_words


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
    asked = [(number, fact) for number, page in enumerate(pages) for fact in _candidates(page, known)]
    best: dict[tuple[int, str, str], tuple[float, Triple]] = {}
    read = shares([pages[number].claim(fact) for number, fact in asked], verifier)
    for (number, fact), share in zip(asked, read, strict=True):
        pair = number, fact.subject, fact.object
        # Of equals the first counts: the input's own predicates come before others.
        if share >= LIKELY and share > best.get(pair, (0.0,))[0]:
            best[pair] = share, fact
    found: list[list[Triple]] = [[] for _ in pages]
    for (number, *_), (_, fact) in best.items():
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
