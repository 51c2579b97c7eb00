"""Trains a verifier on claims, on a CPU in a quarter of an hour or so.

State is kept on disk, so that a run that was cut off continues where it was.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from esascore.errors import DataError
from esascore.facts.bank import bank_of
from esascore.facts.claims import training_claims
from esascore.facts.marked import Marked
from esascore.facts.pieces import TOKENIZER, Encoded, Pieces, batches
from esascore.facts.sorts import Sorts, sorts_of
from esascore.facts.verifier import LONGEST, WEIGHTS
from esascore.facts.weights import load_torch, packed
from esascore.model import Input
from esascore.trained.folder import DESCRIPTION, check_new, write_description
from esascore.trained.runs import Optimised, Progress, Stop, check_counts, train
from esascore.trained.schedule import slope

if TYPE_CHECKING:
    from esascore.facts.encoder import FactEncoder

_POOL = 1536
_BUDGET = 1200
_WARM_UP = 0.06


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
        What all chance is drawn from.
    """

    claims: int = 60_000
    layers: int = 6
    rate: float = 2e-4
    seed: int = 1

    def __post_init__(self) -> None:
        check_counts(self, "claims", "layers")


def train_verifier(
    texts: Sequence[Marked],
    output: Path,
    transformer: Path,
    *,
    settings: TrainingSettings | None = None,
    threads: int = 1,
    checkpoint_every: int = 5000,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> bool:
    """Train a verifier and write it as a folder.

    Parameters
    ----------
    texts
        What to learn from: marked texts that state the facts of their inputs.
    output
        The folder. While training lasts, ``<output>.training`` holds its state; a call with the same texts
        and settings continues from there, any other is rejected.
    transformer
        Folder of a pretrained BERT model with ``tokenizer.json`` and ``model.safetensors``.
    threads
        How many to compute with; with more than one, results of equal seeds may differ in the last digits.
    checkpoint_every
        How many claims are read between two writings of the state.
    stop
        Asked after every step with the number of claims that this call has read; where it says yes, the
        state is written and the call returns.

    Returns
    -------
    bool
        Whether training is complete and the folder written.
    """
    settings = settings if settings is not None else TrainingSettings()
    if not any(text.stated for text in texts):
        raise DataError("no text mentions both entities of a fact: there is nothing to learn from")
    check_new(output)
    load_torch()  # says what is missing, before anything is done
    return train(
        lambda: _Trainee(texts, transformer, settings),
        output,
        threads=threads,
        checkpoint_every=checkpoint_every,
        stop=stop,
        progress=progress,
    )


class _Trainee(Optimised):
    """A verifier in training: its encoder and its claims."""

    def __init__(self, texts: Sequence[Marked], transformer: Path, settings: TrainingSettings):
        import torch

        self.texts, self.transformer, self.settings = texts, transformer, settings
        self.identity = _identity(texts, settings)
        self.pieces = Pieces(transformer, LONGEST)
        bank = bank_of(texts)
        drawn = training_claims(texts, bank, settings.claims, settings.seed)
        encoded = ((self.pieces.encode(one.claim), float(one.true)) for one in drawn)
        self.claims: list[tuple[Encoded, float]] = [
            (claim, true) for claim, true in encoded if claim is not None
        ]
        self.sorts = _sorts(texts)
        torch.manual_seed(settings.seed)
        self.model = new_model(transformer, self.pieces, settings.layers)
        self.model.words.weight.requires_grad = False
        self.learned = [p for p in self.model.parameters() if p.requires_grad]
        self.steps = self._steps()
        self.optimizer = torch.optim.AdamW(self.learned, lr=settings.rate, weight_decay=0.01, fused=True)
        self.model.train()

    def learn(self, step: int) -> None:
        """Read the claims of a step."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits

        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.rate * slope(step, len(self.steps), _WARM_UP)
        some = [self.claims[number] for number in self.steps[step]]
        logits = self.model([claim for claim, _ in some])
        loss = binary_cross_entropy_with_logits(logits, torch.tensor([true for _, true in some]))
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.learned, 1.0)
        self.optimizer.step()

    def write(self, folder: Path) -> None:
        """Write the weights, the tokenizer and the description."""
        from safetensors.torch import save_file

        save_file(packed(self.model.state_dict()), folder / WEIGHTS)
        shutil.copyfile(self.transformer / TOKENIZER, folder / TOKENIZER)
        facts = {
            "training": asdict(self.settings),
            "heads": self.model.shape.heads,
            "texts": len(self.texts),
            "shapes": sorted(map(sorted, {text.shape for text in self.texts})),
            "categories": sorted({text.category for text in self.texts} - {""}),
            "predicates": {name: sorted(map(list, self.sorts[name])) for name in sorted(self.sorts)},
        }
        write_description(folder / DESCRIPTION, facts)

    def _steps(self) -> list[list[int]]:
        """Claims in the order of their drawing, those of a step about equally long."""
        chance = Random(self.settings.seed)
        steps: list[list[int]] = []
        for start in range(0, len(self.claims), _POOL):
            pool = self.claims[start : start + _POOL]
            own = batches([len(claim.pieces) for claim, _ in pool], _BUDGET)
            chance.shuffle(own)
            steps += [[start + number for number in step] for step in own]
        return steps


def _sorts(texts: Sequence[Marked]) -> Sorts:
    """Return between which sorts of things each predicate stands, over all inputs."""
    found: dict[str, frozenset[tuple[str, str]]] = {}
    for facts in dict.fromkeys(text.facts for text in texts):
        for predicate, pairs in sorts_of(facts, Input.from_triples(facts).entities).items():
            found[predicate] = found.get(predicate, frozenset()) | pairs
    return found


def new_model(transformer: Path, pieces: Pieces, layers: int) -> FactEncoder:
    """Make a model that starts from a pretrained transformer.

    Raises
    ------
    DataError
        If the folder holds no BERT model with as many layers.
    """
    from esascore.facts.bert import pretrained
    from esascore.facts.encoder import MARKER_WORDS, FactEncoder

    model = pretrained(transformer, FactEncoder, layers)
    model.mark({marker: [pieces.plain(word)[0] for word in some] for marker, some in MARKER_WORDS.items()})
    return model


def _identity(texts: Sequence[Marked], settings: TrainingSettings) -> str:
    digest = sha256(json.dumps(asdict(settings), sort_keys=True).encode())
    for text in texts:
        digest.update(repr((text.pieces, text.facts)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
