"""Trains a verifier on claims, on a CPU in a quarter of an hour or so.

State is kept on disk, so that an interrupted run continues where it stopped.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from esascore.errors import DataError
from esascore.facts.bank import Marked, bank_of
from esascore.facts.claims import training_claims
from esascore.facts.pieces import TOKENIZER, Pieces, batches
from esascore.facts.verifier import LONGEST, WEIGHTS, predicate_kinds
from esascore.model import Input
from esascore.trained.loading import load_torch
from esascore.trained.runs import Trainee, check_counts

_POOL = 1536
_BUDGET = 1200


class EncoderTrainee(Trainee):
    """An encoder in training, with the tokenizer of the transformer that it started from.

    A subclass says how its weights are called, and what the model is for.
    """

    warm_up = 0.06
    weights: ClassVar[str]
    purpose: ClassVar[str] = "Reading facts"

    @classmethod
    def require(cls, items: Any, start_from: Path) -> None:
        """Raise an error if packages are missing."""
        load_torch(cls.purpose)

    def optimise(self, model: Any) -> None:
        """Take a network to train."""
        import torch

        self.model = model
        self.parts = {"model": model}
        # The vectors of words are most of the weights; left alone, they cost no time.
        model.words.weight.requires_grad = False
        learned = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(learned, lr=self.settings.rate, weight_decay=0.01, fused=True)
        model.train()

    def write(self, folder: Path) -> None:
        """Write the weights and the tokenizer."""
        from safetensors.torch import save_file

        from esascore.facts.networks import packed

        save_file(packed(self.model.state_dict()), folder / self.weights)
        shutil.copyfile(self.start_from / TOKENIZER, folder / TOKENIZER)

    def described(self) -> dict[str, Any]:
        """Return what is needed to read the model again."""
        return {"heads": self.model.shape.heads}


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """What a trained verifier depends on besides its texts.

    Attributes
    ----------
    claims
        How many claims are drawn; each is read once.
    layers
        How many layers of the transformer are kept, from the first on.
    rate
        The learning rate; it rises at first and then falls to zero.
    seed
        The seed of all random numbers.
    """

    claims: int = 60_000
    layers: int = 6
    rate: float = 2e-4
    seed: int = 1

    def __post_init__(self) -> None:
        check_counts(self, "claims", "layers")


class VerifierTrainee(EncoderTrainee):
    """A verifier in training, and its claims; `esascore.facts.verifier.EncoderVerifier` reads the folder.

    It starts from a pretrained BERT model with ``tokenizer.json`` and ``model.safetensors``.
    """

    weights = WEIGHTS

    @classmethod
    def require(cls, items: Sequence[Marked], start_from: Path) -> None:
        """Reject texts without a fact to learn from."""
        super().require(items, start_from)
        if not any(text.stated for text in items):
            raise DataError("no text mentions both entities of a fact: there is nothing to learn from")

    def content(self) -> Iterable[object]:
        """Return the texts without what follows from them."""
        return ((text.pieces, text.facts, text.category, sorted(text.shape)) for text in self.items)

    def begin(self) -> None:
        """Draw claims, and take them in the order of their drawing, those of a step about equally long."""
        from esascore.facts.networks import FactEncoder, pretrained

        settings = self.settings
        pieces = Pieces(self.start_from, LONGEST)
        drawn = training_claims(self.items, bank_of(self.items), settings.claims, settings.seed)
        encoded = ((pieces.encode(one.claim), float(one.true)) for one in drawn)
        self.claims = [(claim, true) for claim, true in encoded if claim is not None]
        model = pretrained(self.start_from, FactEncoder, settings.layers)
        model.mark(pieces.plain)
        self.optimise(model)
        chance = Random(settings.seed)
        steps: list[list[int]] = []
        for start in range(0, len(self.claims), _POOL):
            pool = self.claims[start : start + _POOL]
            own = batches([len(claim.pieces) for claim, _ in pool], _BUDGET)
            chance.shuffle(own)
            steps += [[start + number for number in step] for step in own]
        self.steps = steps

    def loss(self, items: Sequence[int]) -> Any:
        """Read the claims of a step."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits

        some = [self.claims[number] for number in items]
        logits = self.model([claim for claim, _ in some])
        return binary_cross_entropy_with_logits(logits, torch.tensor([true for _, true in some]))

    def described(self) -> dict[str, Any]:
        """Return also the texts, and between what kinds of entities each predicate stands in them."""
        kinds: dict[str, set[tuple[str, str]]] = {}
        for facts in dict.fromkeys(text.facts for text in self.items):
            for predicate, pairs in predicate_kinds(facts, Input.from_triples(facts).entities).items():
                kinds.setdefault(predicate, set()).update(pairs)
        return {
            **super().described(),
            "texts": len(self.items),
            "shapes": sorted(map(sorted, {text.shape for text in self.items})),
            "categories": sorted({text.category for text in self.items} - {""}),
            "predicates": {name: sorted(map(list, kinds[name])) for name in sorted(kinds)},
        }
