"""Which attribute a context speaks of, learned from inputs and texts alone.

Each number of a text has contexts ("r rebound": the word after it) and labels under which the owners in
reach hold it. Expectation maximisation finds, for each context by itself, the share of its numbers that each
label explains, and the share that nothing does. The keys of the input lend a head start to labels that have a
word of the context in them.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from math import sqrt
from typing import Any

from esascore.explain.whose.contexts import AROUND, PAIR, RIGHT, TWO_RIGHT, Said, numbers_said
from esascore.explain.whose.ledger import DERIVED, DIFFERENCE, DOCUMENT, SUM, Ledger, ledger_of, stems_of
from esascore.explain.whose.pieces import pieces_of
from esascore.explain.whose.presence import Presence, Uses, learned, uses
from esascore.explain.whose.reach import Reach
from esascore.model import Graph, Input
from esascore.sample import Sample, content_hash
from esascore.text.blank import is_blank
from esascore.text.document import Document
from esascore.text.markdown import unmarked

LEAST_TEXTS = 10
"""Fewer texts teach nothing."""

MOST_TEXTS = 600
"""More texts than this are not needed: those with the smallest hashes are taken."""

LEAST_SEEN = 4
"""How often a context must be seen."""

SHARE, TOP = 0.35, 0.25
"""What part of a context's numbers its labels together, and the best alone, must explain to be trusted."""

LONE_SHARE, LONE_TOP = 0.65, 0.5
"""The same where nobody but the whole document can own the number."""

ACCEPTED, ALSO, RELATIVE = 0.08, 0.25, 0.3
"""The share of a label that explains a number: in the best context, in others, and as part of the best."""

NEARER = 0.1
"""What a context that holds the word after the number is worth more than others."""

PLAIN = 0.6
"""The share of a label from which on words further away do not matter."""

HEAD_START = 1.0
"""Numbers that a label is taken to explain beforehand if all its words are in the context."""

NOTHING = 0.05
"""How likely a number is that nothing explains."""

COMMON = 0.1
"""A number that a smaller part of all documents holds is not there by chance."""

_ROUNDS = 15
_LEAST_SHARE = 0.005
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Context:
    """What is known of a context: how often it was seen, and which share each label explains.

    ``explained`` is the share that any label explains, ``best`` that of the best one.
    """

    seen: int
    shares: Mapping[str, float]
    explained: float = field(init=False, repr=False, compare=False)
    best: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "explained", min(1.0, sum(self.shares.values())))
        object.__setattr__(self, "best", max(self.shares.values(), default=0.0))


@dataclass(frozen=True, slots=True)
class Expected:
    """What a number should be: the labels of its most telling context, and those that others allow, too."""

    key: str
    labels: tuple[str, ...]
    accepted: frozenset[str]


@dataclass(frozen=True)
class Model:
    """What contexts stand for.

    ``common`` are the numbers that many documents hold of themselves, ``presence`` the words that claim to
    have an attribute or to lack it.

    Examples
    --------
    >>> model = Model({"r rebound": Context(9, {"players.*.rebounds": 0.8})}, frozenset())
    >>> Model.from_dict(model.as_dict()) == model
    True
    """

    contexts: Mapping[str, Context]
    common: frozenset[float]
    presence: Presence = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The object for JSON."""
        return {
            "format": _FORMAT,
            "contexts": {
                key: [own.seen, dict(sorted(own.shares.items()))]
                for key, own in sorted(self.contexts.items())
            },
            "common": sorted(self.common),
            "presence": {word: list(told) for word, told in sorted(self.presence.items())},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Model:
        """Make a model of what `as_dict` gave.

        Raises
        ------
        ValueError
            It is not such an object.
        """
        try:
            if data["format"] != _FORMAT:
                raise ValueError(f"format {data['format']!r} is not known; this version reads {_FORMAT}")
            contexts = {
                str(key): Context(int(seen), {str(label): float(share) for label, share in shares.items()})
                for key, (seen, shares) in data["contexts"].items()
            }
            presence = {str(word): (str(label), bool(has)) for word, (label, has) in data["presence"].items()}
            return cls(contexts, frozenset(map(float, data["common"])), presence)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"this is no model of whose numbers are whose: {error!r}") from None

    @property
    def digest(self) -> str:
        """A short hash of what it knows."""
        return sha256(json.dumps(self.as_dict(), sort_keys=True).encode()).hexdigest()[:12]

    def expected(self, said: Said, *, lone: bool) -> Expected | None:
        """Return what a number should be, if a trusted context tells."""
        least, least_top = (LONE_SHARE, LONE_TOP) if lone else (SHARE, TOP)
        known = [(key, self.contexts[key]) for key in said.keys if key in self.contexts]
        trusted = [
            (_telling(key, own), key, own)
            for key, own in known
            if own.explained >= least and own.best >= least_top
        ]
        if not trusted:
            return None
        _, key, context = max(trusted, key=lambda one: one[0])
        plain = key.startswith(_NEAR) and context.best >= PLAIN
        also = {
            label
            for other, own in known
            if other.startswith(_NEAR) or (own.explained >= SHARE and not plain)
            for label, share in own.shares.items()
            if share >= max(ALSO, RELATIVE * own.best)
        }
        enough = max(ACCEPTED, RELATIVE * context.best)
        labels = sorted(
            (label for label, p in context.shares.items() if p >= enough),
            key=lambda x: (-context.shares[x], x),
        )
        return Expected(key, tuple(labels), frozenset(also.union(labels)))


_NEAR = tuple(f"{word} " for word in (RIGHT, TWO_RIGHT, AROUND, PAIR))


def _telling(key: str, context: Context) -> float:
    """Return how much a context tells: the more it explains, and the more often it was seen."""
    near = NEARER if key.startswith(_NEAR) else 0.0
    return context.explained * (1 - 1 / sqrt(context.seen)) + 0.3 * context.best + near


def explaining(
    said: Said, owners: Sequence[str], ledger: Ledger, twos: Sequence[tuple[str, str]]
) -> frozenset[str]:
    """Return the labels under which owners in reach hold a number.

    Of a pair either two attributes of one owner (``a & b``) or one attribute of two owners (``a & a``).
    """
    if said.sort == "ordinal":
        return frozenset(
            label
            for owner in owners
            for label, rank in ledger.ranks.get(owner, {}).items()
            if rank == said.values[0]
        )
    if said.sort != "pair":
        return frozenset().union(*(ledger.labels(owner, said.values[0], said.unit) for owner in owners))
    one, two = said.values
    found: set[str] = set()
    for owner in owners:
        first, second = ledger.labels(owner, one), ledger.labels(owner, two)
        found.update(paired(a, b) for a in first for b in second if a != b)
    for owner, other in twos:
        found.update(paired(a, a) for a in ledger.labels(owner, one) & ledger.labels(other, two))
    return frozenset(found)


def paired(one: str, two: str) -> str:
    """Return the label of a pair.

    Examples
    --------
    >>> paired("wins", "losses"), parts_of("wins & losses")
    ('wins & losses', ('wins', 'losses'))
    """
    return f"{one} & {two}"


def parts_of(label: str) -> tuple[str, str]:
    """Return the two labels of a pair."""
    one, _, two = label.partition(" & ")
    return one, two


def twos_of(reach: Reach, said: Said) -> list[tuple[str, str]]:
    """Return the pairs of owners that two numbers may compare: named in the sentence, or the only two."""
    if said.sort != "pair":
        return []
    near = [owner for named in reach.named(reach.pieces.sentences[said.first]) for owner in named.owners]
    some = list(dict.fromkeys((*near, *(owner for two in reach.ledger.only_two for owner in two))))
    kinds = reach.ledger.owners
    return [(a, b) for a in some for b in some if a != b and kinds[a].kind == kinds[b].kind]


class Learner:
    """Takes inputs with texts one by one, and learns from a bounded sample of them."""

    def __init__(self, limit: int | None = None) -> None:
        self.sample: Sample[tuple[Graph, str]] = Sample(MOST_TEXTS, limit)

    def add(self, graph: Graph, text: str) -> None:
        """Add a text about the data of a graph."""
        if graph.data is None or is_blank(text):
            return
        key = content_hash(text, *(value for _, _, _, value, *_ in graph.data.rows))
        self.sample.merge(None, [(key, 1, (graph, text))], _first)

    def merge(self, other: Learner) -> None:
        """Add the sample of another part of the texts."""
        self.sample.merge(other.sample.limit, other.sample.weighed(), _first)

    def model(self) -> Model | None:
        """Learn; None where there are fewer than `LEAST_TEXTS`."""
        some = list(self.sample)
        if len(some) < LEAST_TEXTS:
            return None
        seen: Counter[tuple[str, frozenset[str]]] = Counter()
        held: Counter[float] = Counter()
        words: Uses = Counter()
        for graph, text in some:
            ledger = ledger_of(graph)
            reading = unmarked(text)
            document = Document.unmarked(graph, text if reading is None else reading.text)
            reach = Reach.of(pieces_of(document, ledger), ledger)
            for said in numbers_said(reach.pieces):
                if said.sort != "implied":
                    labels = explaining(said, reach.owners(said.first), ledger, twos_of(reach, said))
                    seen.update((key, labels) for key in said.keys)
            words.update(uses(reach))
            held.update({abs(n) for numbers in ledger.held[DOCUMENT].values() for n in numbers})
        common = frozenset(number for number, count in held.items() if count >= COMMON * len(some))
        return Model(_maximised(seen), common, learned(words))


def _first(one: tuple[Graph, str], other: tuple[Graph, str]) -> tuple[Graph, str]:
    """Choose between graphs that hold the same values under other names: the same in whatever order."""
    return one if one[0] == other[0] else min(one, other, key=lambda pair: repr(pair[0]))


def learn(pairs: Iterable[tuple[Input, str]]) -> Model | None:
    """Learn from inputs and texts; None where there are fewer than `LEAST_TEXTS` about data.

    Neither the order of the pairs nor more than `MOST_TEXTS` of them matter.

    Examples
    --------
    >>> games = [
    ...     Graph.from_data({"players": [{"name": name, "rebounds": n, "assists": n // 2} for name in "AB"]})
    ...     for n in range(20, 32)
    ... ]
    >>> model = learn((game, f"A had {n} boards.") for n, game in enumerate(games, 20))
    >>> model.contexts["r board"].shares["players.*.rebounds"] > 0.9
    True
    """
    learner = Learner()
    for input_, text in pairs:
        if isinstance(input_, Graph):
            learner.add(input_, text)
    return learner.model()


def _maximised(seen: Mapping[tuple[str, frozenset[str]], int]) -> dict[str, Context]:
    """Return the shares of labels for each context that was seen often enough."""
    rows = sorted((key, sorted(labels), count) for (key, labels), count in seen.items())
    contexts: dict[str, Context] = {}
    for key, group in groupby(rows, key=lambda row: row[0]):
        own = [(labels, count) for _, labels, count in group]
        total = sum(count for _, count in own)
        if total >= LEAST_SEEN and any(labels for labels, _ in own):
            contexts[key] = Context(total, _shares(key, own, total))
    return contexts


def _shares(key: str, rows: Sequence[tuple[Sequence[str], int]], total: int) -> dict[str, float]:
    start: dict[str, float] = defaultdict(float)
    for labels, count in rows:
        for label in labels:
            start[label] += count / total
    head = {label: extra for label in start if (extra := _head_start(label, key)) > 0}
    whole = sum(start.values()) + 0.5
    shares = {label: share / whole for label, share in start.items()}
    none = 0.5 / whole
    for _ in range(_ROUNDS):
        new: dict[str, float] = defaultdict(float)
        unexplained = 0.0
        for labels, count in rows:
            weights = [(label, shares[label]) for label in labels if label in shares]
            nothing = none * NOTHING
            each = count / total / ((sum(weight for _, weight in weights) + nothing) or 1.0)
            for label, weight in weights:
                new[label] += weight * each
            unexplained += nothing * each
        for label, extra in head.items():
            new[label] += extra / total
        whole = 1 + sum(head.values()) / total
        shares = {label: share / whole for label, share in new.items() if share > _LEAST_SHARE}
        none = max(unexplained / whole, 1e-6)
    return {label: round(share, 6) for label, share in sorted(shares.items())}


def _head_start(label: str, key: str) -> float:
    if label.startswith((f"{DIFFERENCE} ", f"{SUM} ")):
        return 0.0
    words = set(key.split(" ")[1:])
    stems = frozenset().union(*map(stems_of, label.split(" & "))) - set(DERIVED)
    return HEAD_START * len(stems & words) / len(stems) if stems else 0.0
