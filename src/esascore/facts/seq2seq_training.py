"""Fine-tunes a sequence-to-sequence model in a local folder on pairs of what it reads and should write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from esascore.errors import DataError
from esascore.facts.seq2seq import Seq2Seq
from esascore.facts.synthetic import Pair
from esascore.trained.folder import check_new, new_folder
from esascore.trained.loading import compute_threads
from esascore.trained.runs import Progress, check_counts

_LONGEST = 256
_WARM_UP = 0.05


@dataclass(frozen=True, slots=True)
class Seq2SeqSettings:
    """How often all pairs are read, how many at once, the learning rate, and what chance is drawn from."""

    epochs: int = 3
    batch: int = 16
    rate: float = 3e-4
    seed: int = 1

    def __post_init__(self) -> None:
        check_counts(self, "epochs", "batch")


def train_seq2seq(
    pairs: Sequence[Pair],
    output: Path,
    start_from: Path,
    *,
    settings: Seq2SeqSettings | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> None:
    """Fine-tune a model on pairs, and write it as a folder that `Seq2Seq` reads.

    With one thread, equal seeds give equal models.
    """
    settings = settings if settings is not None else Seq2SeqSettings()
    if not pairs:
        raise DataError("there are no pairs to learn from")
    check_new(output)
    tokenizer, model = Seq2Seq(start_from).load()
    import torch

    chance = Random(settings.seed)
    torch.manual_seed(settings.seed)
    total = settings.epochs * len(pairs)
    steps = settings.epochs * -(-len(pairs) // settings.batch)
    rise = max(1, int(_WARM_UP * steps))
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.rate)
    slope = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / rise, (steps - step) / max(1, steps - rise))
    )
    done = 0
    model.train()
    with compute_threads(threads):
        for _ in range(settings.epochs):
            order = list(pairs)
            chance.shuffle(order)
            for start in range(0, len(order), settings.batch):
                batch = order[start : start + settings.batch]
                read = tokenizer(
                    [pair.source for pair in batch],
                    text_target=[pair.target for pair in batch],
                    return_tensors="pt", padding=True, truncation=True, max_length=_LONGEST,
                )  # fmt: skip
                read.pop("token_type_ids", None)
                read["labels"][read["labels"] == tokenizer.pad_token_id] = -100  # what counts for nothing
                optimizer.zero_grad()
                model(**read).loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                slope.step()
                done += len(batch)
                if progress is not None:
                    progress(done, total)
    model.eval()
    with new_folder(output) as folder:
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
