"""Fine-tunes a sequence-to-sequence model in a local folder on pairs of what it reads and should write.

State is kept on disk, so that a run that was cut off continues where it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from esascore.errors import DataError
from esascore.facts.seq2seq import Seq2Seq
from esascore.facts.synthetic import Pair
from esascore.trained.folder import check_new, folder_digest
from esascore.trained.loading import quiet
from esascore.trained.runs import Optimised, Progress, Stop, check_counts, train
from esascore.trained.schedule import shuffled_steps, slope

_LONGEST = 256
_WARM_UP = 0.05
_NOTHING = -100  # the label that counts for nothing


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
    checkpoint_every: int = 5000,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> bool:
    """Fine-tune a model on pairs, and write it as a folder that `Seq2Seq` reads.

    With one thread, equal seeds give equal models.

    Parameters
    ----------
    pairs
        What to learn from.
    output
        The folder. While training lasts, ``<output>.training`` holds its state; a call with the same pairs
        and settings continues from there, any other is rejected.
    start_from
        Folder of a T5 or BART model and its tokenizer, in the format of the package ``transformers``.
    checkpoint_every
        How many pairs are read between two writings of the state.
    stop
        Asked after every step with the number of pairs that this call has read; where it says yes, the state
        is written and the call returns.

    Returns
    -------
    bool
        Whether training is complete and the folder written.
    """
    settings = settings if settings is not None else Seq2SeqSettings()
    if not pairs:
        raise DataError("there are no pairs to learn from")
    check_new(output)
    model = Seq2Seq(start_from)
    model.load()  # says what is missing, before anything is done
    return train(
        lambda: _Trainee(pairs, model, settings),
        output,
        threads=threads,
        checkpoint_every=checkpoint_every,
        stop=stop,
        progress=progress,
    )


class _Trainee(Optimised):
    """A model in training, and its pairs."""

    def __init__(self, pairs: Sequence[Pair], start_from: Seq2Seq, settings: Seq2SeqSettings):
        import torch

        self.pairs, self.settings = pairs, settings
        self.identity = _identity(pairs, start_from.folder, settings)
        self.tokenizer, self.model = start_from.load()
        torch.manual_seed(settings.seed)
        self.steps = shuffled_steps(
            len(pairs), batch=settings.batch, epochs=settings.epochs, seed=settings.seed
        )
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=settings.rate)
        self.model.train()

    def learn(self, step: int) -> None:
        """Read the pairs of a step."""
        import torch

        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.rate * slope(step, len(self.steps), _WARM_UP)
        some = [self.pairs[number] for number in self.steps[step]]
        read = self.tokenizer(
            [pair.source for pair in some],
            text_target=[pair.target for pair in some],
            return_tensors="pt", padding=True, truncation=True, max_length=_LONGEST,
        )  # fmt: skip
        read.pop("token_type_ids", None)
        read["labels"][read["labels"] == self.tokenizer.pad_token_id] = _NOTHING
        self.optimizer.zero_grad()
        self.model(**read).loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()

    def write(self, folder: Path) -> None:
        """Write model and tokenizer in the format of the package ``transformers``."""
        self.model.eval()
        with quiet():
            self.model.save_pretrained(folder)
            self.tokenizer.save_pretrained(folder)


def _identity(pairs: Sequence[Pair], start_from: Path, settings: Seq2SeqSettings) -> str:
    digest = sha256(json.dumps(asdict(settings), sort_keys=True).encode())
    digest.update(folder_digest(start_from).encode())
    for pair in pairs:
        digest.update(repr((pair.source, pair.target)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
