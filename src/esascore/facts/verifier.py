"""How likely a text states a fact: the protocol, and the model that `esascore facts train` makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import tanh
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from esascore.cache import AnswerCache
from esascore.facts.claims import Claim
from esascore.facts.pieces import OBJECT_OPENS, SUBJECT_OPENS, Encoded, Pieces, head_places, steady_batches
from esascore.learned.shapes import Shape, nearest
from esascore.lexicon import label, nature
from esascore.model import Entity, Triple
from esascore.trained.folder import read_description
from esascore.trained.loading import compute_threads, load_torch

if TYPE_CHECKING:
    from esascore.facts.networks import FactEncoder

Kind = str
"""A nature of `esascore.lexicon.entity_types`, ``number`` for what has digits, or empty if unknown."""

PredicateKinds = Mapping[str, frozenset[tuple[Kind, Kind]]]
"""Of each predicate, the kinds of things that were seen as its subject and object together."""

WEIGHTS = "facts.safetensors"
LONGEST = 128
"""Pieces of a claim that are read at once."""
_KIND = "facts"
_BUDGET = 1024  # pieces that are read together: with more, the states of a layer leave the processor's cache
_REMEMBERED = 1 << 16


def entity_kind(entity: Entity) -> Kind:
    """Return what kind of thing an entity is.

    Examples
    --------
    >>> [entity_kind(entity) for entity in (Entity("Ada", ("birthPlace",)), Entity("1815"), Entity("Ada"))]
    ['person', 'number', '']
    """
    return nature(entity) or ("number" if any(map(str.isdigit, label(entity.term))) else "")


def predicate_kinds(facts: Iterable[Triple], entities: Iterable[Entity]) -> PredicateKinds:
    """Return the kinds of things that each predicate stands between.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Ada", "birthPlace", "Oslo")])
    >>> predicate_kinds(graph.triples, graph.entities)
    {'birthPlace': frozenset({('person', 'place')})}
    """
    own = {entity.term: entity_kind(entity) for entity in entities}
    found: dict[str, set[tuple[Kind, Kind]]] = {}
    for fact in facts:
        found.setdefault(fact.predicate, set()).add((own[fact.subject], own[fact.object]))
    return {predicate: frozenset(some) for predicate, some in found.items()}


class Verifier(Protocol):
    """Says how likely a text states a fact."""

    def probabilities(self, claims: Sequence[Claim]) -> list[float]:
        """Return, for each claim, the probability that it is true."""

    def knows(self, predicate: str, shape: Shape) -> bool:
        """Return whether a predicate of inputs of a shape is something that the model was trained for."""

    def predicate_kinds(self) -> PredicateKinds:
        """The sorts of things between which the predicates of the training data stand."""

    def version(self) -> str:
        """Return what identifies the model, for signatures and cached answers."""


class EncoderVerifier:
    """A verifier from a folder that `esascore.facts.training.VerifierTrainee` wrote.

    The model is loaded when the first claim is judged; an instance can be pickled. Equal claims are read
    once, since several metrics ask the same. Answers are kept on disk. It reads with one thread.

    Parameters
    ----------
    folder
        Where the model is.
    cache
        Where answers are kept; None keeps none.
    """

    def __init__(self, folder: Path, cache: AnswerCache | None = None):
        self.folder = Path(folder)
        self._cache = cache
        self._description = read_description(self.folder)
        self._predicates = {
            name: frozenset((subject, object_) for subject, object_ in pairs)
            for name, pairs in self._description.get("predicates", {}).items()
        }
        self._shapes = dict.fromkeys(map(frozenset, self._description.get("shapes", ())), 0)
        self._loaded: tuple[Pieces, FactEncoder] | None = None
        self._known: dict[Claim, float] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return EncoderVerifier, (self.folder, self._cache)

    def version(self) -> str:
        """Version of the form of the model, and the hash of its files."""
        return f"encoder.v2.{self._description['digest']}"

    def knows(self, predicate: str, shape: Shape) -> bool:
        """Return whether the model was trained on inputs of such a shape.

        A name alone proves nothing: the ``city`` of a list of teams is not that of a graph of airports.
        """
        return nearest(shape, self._shapes) is not None

    def predicate_kinds(self) -> PredicateKinds:
        """The sorts of things between which the predicates of the training data stand."""
        return self._predicates

    def probabilities(self, claims: Sequence[Claim]) -> list[float]:
        """Return, for each claim, the probability that it is true; 0 where its mentions lie too far apart."""
        new = [claim for claim in dict.fromkeys(claims) if claim not in self._known]
        found = self._found(new)
        answers = [found[claim] if claim in found else self._known[claim] for claim in claims]
        if len(self._known) + len(found) > _REMEMBERED:
            self._known.clear()
        self._known |= found
        return answers

    def _found(self, claims: Sequence[Claim]) -> dict[Claim, float]:
        """Take answers from the disk where they are there, and read the other claims."""
        texts = {repr(claim): claim for claim in claims}
        kept = {} if self._cache is None else self._cache.known(_KIND, self.version(), texts)
        found = {texts[text]: float(value) for text, value in kept.items()}
        missing = [claim for claim in claims if claim not in found]
        new = dict(zip(missing, self._read(missing), strict=True))
        if self._cache is not None:
            self._cache.keep(
                _KIND, self.version(), {repr(claim): repr(value) for claim, value in new.items()}
            )
        return found | new

    def _read(self, claims: Sequence[Claim]) -> list[float]:
        if not claims:
            return []
        import torch

        pieces, model = self._load()
        encoded = [pieces.encode(claim) for claim in claims]
        found = [0.0] * len(claims)
        there = [number for number, one in enumerate(encoded) if one is not None]
        readable = [one for one in encoded if one is not None]
        with compute_threads(1), torch.inference_mode():
            for batch in steady_batches([_sizes(one) for one in readable], _BUDGET):
                logits = model([readable[number] for number in batch]).tolist()
                for number, logit in zip(batch, logits, strict=True):
                    # The last digits differ between processors.
                    found[there[number]] = round(0.5 + 0.5 * tanh(logit / 2), 6)
        return found

    def _load(self) -> tuple[Pieces, FactEncoder]:
        if self._loaded is None:
            load_torch()
            from esascore.facts.networks import FactEncoder, restored

            heads = self._description.get("heads")
            model = restored(self.folder / WEIGHTS, FactEncoder, heads=heads, what="a model of facts")
            self._loaded = Pieces(self.folder, LONGEST), model
        return self._loaded


def _sizes(read: Encoded) -> tuple[int, int]:
    """How long what is read is, and at how many places its head is computed: beginning and mentions."""
    return len(read.pieces), head_places(
        1 + read.pieces.count(SUBJECT_OPENS) + read.pieces.count(OBJECT_OPENS)
    )
