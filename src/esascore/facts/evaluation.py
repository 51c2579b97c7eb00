"""How well a verifier distinguishes stated facts from others, on corrupted texts with detected mentions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from esascore.facts.bank import Marked, bank_of
from esascore.facts.claims import CORRUPTIONS, WHOLE, claim_of, corrupted
from esascore.facts.verdicts import shares as shares_of
from esascore.facts.verifier import Verifier
from esascore.model import Triple

Detect = Callable[[Sequence[tuple[Sequence[Triple], str]]], Sequence[Sequence[tuple[str, int, int]]]]
"""Gives the mentions (entity, start, end) of each text, which should state some facts."""

ACCEPTED = 0.85
"""The share of true facts that the threshold accepts at which rejection is measured."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The facts of one kind of text: how many there are, and what the verifier does with them.

    ``accepted`` is the share of those that are stated, ``rejected`` that of the others, and
    ``rejected_mentioned`` that of others whose two entities are both mentioned: only the model rejects them.
    """

    name: str
    stated: int
    others: int
    accepted: float | None
    rejected: float | None
    mentioned: int
    rejected_mentioned: float | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results of a verifier on facts that texts state and on others.

    Attributes
    ----------
    facts
        How many facts were judged.
    auc
        The probability that a stated fact gets a higher value than another one.
    auc_mentioned
        The value of the rule "both entities are mentioned" alone, as a baseline.
    threshold
        The value that `ACCEPTED` of the stated facts reach.
    kinds
        Acceptance and rejection at that threshold, by kind of text.
    """

    facts: int
    auc: float | None
    auc_mentioned: float | None
    threshold: float
    kinds: tuple[Kind, ...]


def evaluate(
    verifier: Verifier,
    texts: Sequence[Marked],
    detect: Detect | None = None,
    *,
    number: int = 1980,
    seed: int = 7,
) -> Evaluation:
    """Corrupt texts in every way in turn, and compare what the verifier says with what they then state.

    Parameters
    ----------
    verifier
        The model.
    texts
        Marked texts that state the facts of their inputs; none that the model was trained on. Facts of which
        no mention is marked are left out: nobody knows whether the text states them.
    detect
        How mentions are found in the corrupted texts; by default they are where the corruptions put them.
    number
        How many texts are tried.
    seed
        The seed of all random numbers.
    """
    texts = [replace(text, facts=tuple(f for f in text.facts if f in text.stated)) for text in texts]
    chance, bank = Random(seed), bank_of(texts)
    names = [WHOLE, *CORRUPTIONS]
    drawn: list[tuple[str, Marked]] = []
    for turn in range(number):
        name = names[turn % len(names)]
        text = corrupted(name, chance.choice(texts), bank, chance)
        if text is not None:
            drawn.append((name, text))
    seen = [text for _, text in drawn]
    if detect is not None:
        found = detect([(text.facts, text.text) for text in seen])
        seen = [Marked.of(text.text, own, text.facts) for text, own in zip(seen, found, strict=True)]
    judged = [
        (name, fact in text.stated, claim_of(fact, view))
        for (name, text), view in zip(drawn, seen, strict=True)
        for fact in text.facts
    ]
    shares = np.array(shares_of([claim for *_, claim in judged], verifier))
    true = np.array([stated for _, stated, _ in judged], bool)
    mentioned = np.array([claim is not None for *_, claim in judged], bool)
    threshold = float(np.quantile(shares[true], 1 - ACCEPTED)) if true.any() else 0.5
    of_kind = np.array([name for name, *_ in judged], object)
    kinds = (_kind(name, shares >= threshold, true, mentioned, of_kind == name) for name in names)
    return Evaluation(
        facts=len(judged),
        auc=area_under_curve(shares, true),
        auc_mentioned=area_under_curve(mentioned, true),
        threshold=threshold,
        kinds=tuple(kinds),
    )


def area_under_curve(shares: np.ndarray, true: np.ndarray) -> float | None:
    """Return the probability that a true one has the higher value, half of it for equal values.

    Examples
    --------
    >>> area_under_curve(np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False]))
    0.875
    """
    if true.all() or not true.any():
        return None
    others = np.sort(shares[~true])
    below, with_equals = (np.searchsorted(others, shares[true], side) for side in ("left", "right"))
    return float((below + with_equals).sum() / 2 / (len(others) * len(below)))


def _kind(name: str, accepted: np.ndarray, true: np.ndarray, mentioned: np.ndarray, own: np.ndarray) -> Kind:
    stated, others, both = own & true, own & ~true, own & ~true & mentioned
    return Kind(
        name,
        stated=int(stated.sum()),
        others=int(others.sum()),
        accepted=_share(accepted[stated]),
        rejected=_share(~accepted[others]),
        mentioned=int(both.sum()),
        rejected_mentioned=_share(~accepted[both]),
    )


def _share(values: np.ndarray) -> float | None:
    return float(values.mean()) if len(values) else None
