"""What the training of every encoder shares: how it is optimised, and how it is written."""

from __future__ import annotations

import shutil
from abc import abstractmethod
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

from esascore.facts.pieces import TOKENIZER
from esascore.facts.weights import packed
from esascore.trained.folder import DESCRIPTION, write_description
from esascore.trained.runs import Trainee


class EncoderTrainee(Trainee):
    """An encoder in training, with the tokenizer of the transformer that it started from.

    A subclass says how its weights are called and what the description of the model has besides the settings.
    """

    warm_up = 0.06
    weights: ClassVar[str]

    def __init__(self, model: Any, transformer: Path, settings: Any):
        import torch

        self.model, self.transformer, self.settings = model, transformer, settings
        self.parts = {"model": model}
        # The vectors of words are most of the weights; left alone, they cost no time.
        model.words.weight.requires_grad = False
        learned = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(learned, lr=settings.rate, weight_decay=0.01, fused=True)
        model.train()

    @abstractmethod
    def described(self) -> dict[str, Any]:
        """What the description of the model says about what it was trained on."""

    def write(self, folder: Path) -> None:
        """Write the weights, the tokenizer and the description."""
        from safetensors.torch import save_file

        save_file(packed(self.model.state_dict()), folder / self.weights)
        shutil.copyfile(self.transformer / TOKENIZER, folder / TOKENIZER)
        training = {"training": asdict(self.settings), "heads": self.model.shape.heads}
        write_description(folder / DESCRIPTION, {**training, **self.described()})
