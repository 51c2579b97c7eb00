"""Fine-tunes a sequence-to-sequence model in a local folder on pairs of what it reads and should write.

State is kept on disk, so that a run that was cut off continues where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from esascore.errors import DataError
from esascore.facts.question_pairs import Pair, PairSettings
from esascore.facts.seq2seq import Seq2Seq
from esascore.trained.loading import quiet
from esascore.trained.runs import RunOptions, Trainee, identity_of, pooled_steps, train

_LONGEST = 256
_NOTHING = -100  # the label that counts for nothing


def train_seq2seq(
    pairs: Sequence[Pair],
    output: Path,
    start_from: Path,
    *,
    settings: PairSettings | None = None,
    **run: Unpack[RunOptions],
) -> bool:
    """Fine-tune a model on pairs, and write it as a folder that `Seq2Seq` reads.

    With one thread, equal seeds give equal models.

    It starts from the folder of a T5 or BART model and its tokenizer, in the format of the package
    ``transformers``; the run is as `esascore.trained.runs.train` says.
    """
    if not pairs:
        raise DataError("there are no pairs to learn from")
    model = Seq2Seq(start_from)
    chosen = settings or PairSettings()
    return train(lambda: _Trainee(pairs, model, chosen), output, require=model.load, **run)


class _Trainee(Trainee):
    """A model in training, and its pairs."""

    warm_up = 0.05

    def __init__(self, pairs: Sequence[Pair], start_from: Seq2Seq, settings: PairSettings):
        import torch

        self.pairs = pairs
        self.identity = identity_of(settings, start_from.folder, pairs)
        self.tokenizer, self.model = start_from.load()
        self.parts = {"model": self.model}
        torch.manual_seed(settings.seed)
        size, batch = len(pairs), settings.batch
        self.steps = pooled_steps([0] * size, batch=batch, epochs=settings.epochs, seed=settings.seed)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=settings.rate)
        self.model.train()

    def loss(self, items: Sequence[int]) -> Any:
        """Read the pairs of a step."""
        some = [self.pairs[number] for number in items]
        read = self.tokenizer(
            [pair.source for pair in some],
            text_target=[pair.target for pair in some],
            return_tensors="pt", padding=True, truncation=True, max_length=_LONGEST,
        )  # fmt: skip
        read.pop("token_type_ids", None)
        read["labels"][read["labels"] == self.tokenizer.pad_token_id] = _NOTHING
        return self.model(**read).loss

    def write(self, folder: Path) -> None:
        """Write model and tokenizer in the format of the package ``transformers``."""
        self.model.eval()
        with quiet():
            self.model.save_pretrained(folder)
            self.tokenizer.save_pretrained(folder)
