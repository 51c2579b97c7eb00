"""Trains an encoder to answer questions with spans, from pairs of `esascore questeval corpus`.

State is kept on disk, so that a run that was cut off continues where it was.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from esascore.errors import DataError
from esascore.facts.extractive import LONGEST, LONGEST_ANSWER, PURPOSE, WEIGHTS, AskedPieces, Window
from esascore.facts.pieces import TOKENIZER
from esascore.facts.seq2seq import UNANSWERABLE, question_and_context
from esascore.facts.synthetic import Pair
from esascore.facts.weights import load_torch, packed
from esascore.trained.folder import DESCRIPTION, check_new, folder_digest, write_description
from esascore.trained.runs import Optimised, Progress, Stop, check_counts, train
from esascore.trained.schedule import pooled_steps, slope

_WARM_UP = 0.06


@dataclass(frozen=True, slots=True)
class SpanSettings:
    """How often all questions are read, how many at once, the learning rate, and the seed of all chance."""

    epochs: int = 3
    batch: int = 16
    rate: float = 3e-4
    seed: int = 1

    def __post_init__(self) -> None:
        check_counts(self, "epochs", "batch")


@dataclass(frozen=True, slots=True)
class Located:
    """A question with its context, and where its answer stands in it; nowhere if there is none."""

    question: str
    context: str
    spans: tuple[tuple[int, int], ...]


def located(pairs: Sequence[Pair]) -> list[Located]:
    """Find the answers of pairs in their contexts; a pair whose answer does not stand there is left out.

    Raises
    ------
    DataError
        If no answer is found.

    Examples
    --------
    >>> pairs = [Pair("text-qa", "Who? </s> Bo saw BO.", "Bo"), Pair("text-qa", "Who? </s> In Oslo.", "Cy")]
    >>> located(pairs)
    [Located(question='Who?', context='Bo saw BO.', spans=((0, 2), (7, 9)))]
    """
    found = []
    for pair in pairs:
        question, context = question_and_context(pair.source)
        spans = _places(pair.target.strip(), context)
        if spans or pair.target == UNANSWERABLE:
            found.append(Located(question, context, () if pair.target == UNANSWERABLE else spans))
    if not any(one.spans for one in found):
        raise DataError(
            "no answer stands in its context word for word: an encoder has nothing to learn from; make pairs "
            "with esascore questeval corpus, or train a T5 or BART model"
        )
    return found


def _places(answer: str, context: str) -> tuple[tuple[int, int], ...]:
    if not answer:
        return ()
    whole = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)", re.IGNORECASE)
    return tuple(match.span() for match in whole.finditer(context))


def train_spans(
    questions: Sequence[Located],
    output: Path,
    transformer: Path,
    *,
    settings: SpanSettings | None = None,
    threads: int = 1,
    checkpoint_every: int = 5000,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> bool:
    """Train an encoder and write it as a folder that `esascore.facts.extractive.SpanReader` reads.

    Parameters
    ----------
    questions
        What to learn from: see `located`.
    output
        The folder. While training lasts, ``<output>.training`` holds its state; a call with the same
        questions and settings continues from there, any other is rejected.
    transformer
        Folder of a pretrained BERT model with ``tokenizer.json`` and ``model.safetensors``.
    threads
        How many to compute with; with more than one, results of equal seeds may differ in the last digits.
    checkpoint_every
        How many questions are read between two writings of the state.
    stop
        Asked after every step with the number of questions that this call has read; where it says yes, the
        state is written and the call returns.

    Returns
    -------
    bool
        Whether training is complete and the folder written.
    """
    settings = settings if settings is not None else SpanSettings()
    check_new(output)
    load_torch(PURPOSE)  # says what is missing, before anything is done
    return train(
        lambda: _Trainee(questions, transformer, settings),
        output,
        threads=threads,
        checkpoint_every=checkpoint_every,
        stop=stop,
        progress=progress,
    )


class _Trainee(Optimised):
    """An encoder in training, and its questions."""

    def __init__(self, questions: Sequence[Located], transformer: Path, settings: SpanSettings):
        import torch

        from esascore.facts.bert import pretrained
        from esascore.facts.span_encoder import SpanEncoder

        self.transformer, self.settings = transformer, settings
        self.identity = _identity(questions, transformer, settings)
        torch.manual_seed(settings.seed)
        self.model = pretrained(transformer, SpanEncoder)
        # The vectors of words are most of the weights; left alone, they cost no time.
        self.model.words.weight.requires_grad = False
        pieces = AskedPieces(transformer, min(LONGEST, self.model.shape.positions))
        lessons = (_lesson(one, pieces) for one in questions)
        self.items = [lesson for lesson in lessons if lesson is not None]
        lengths = [len(window.read.pieces) for window, _ in self.items]
        self.steps = pooled_steps(lengths, batch=settings.batch, epochs=settings.epochs, seed=settings.seed)
        self.learned = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(self.learned, lr=settings.rate, weight_decay=0.01, fused=True)
        self.model.train()

    def learn(self, step: int) -> None:
        """Read the questions of a step: what counts is the probability of all places of the answer."""
        import torch

        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.rate * slope(step, len(self.steps), _WARM_UP)
        some = [self.items[number] for number in self.steps[step]]
        shares = self.model([window.read for window, _ in some])
        right = [
            torch.stack([own[first, last] for first, last in answers]).logsumexp(0)
            for own, (_, answers) in zip(shares, some, strict=True)
        ]
        self.optimizer.zero_grad()
        (-torch.stack(right).mean()).backward()
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
            "questions": len(self.items),
        }
        write_description(folder / DESCRIPTION, facts)


def _lesson(one: Located, pieces: AskedPieces) -> tuple[Window, tuple[tuple[int, int], ...]] | None:
    """Return the window that is read, and where in its pieces the answers stand: (0, 0) if there is none.

    Of a long context, the first window with an answer is read; None if the answer itself is too long.
    """
    windows = pieces.windows(one.question, one.context)
    if not one.spans:
        return windows[0], ((0, 0),)
    for window in windows:
        at = window.read.text_at
        answers = tuple((at + first, at + last) for first, last in _covered(one.spans, window.places))
        if answers:
            return window, answers
    return None


def _covered(spans: Sequence[tuple[int, int]], places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the first and the last piece of each span that stands in a window and is short enough."""
    found = []
    for start, end in spans:
        first = [number for number, (a, b) in enumerate(places) if a <= start < b]
        last = [number for number, (a, b) in enumerate(places) if a < end <= b]
        if first and last and 0 <= last[0] - first[0] < LONGEST_ANSWER:
            found.append((first[0], last[0]))
    return found


def _identity(questions: Sequence[Located], transformer: Path, settings: SpanSettings) -> str:
    digest = sha256(json.dumps(asdict(settings), sort_keys=True).encode())
    digest.update(folder_digest(transformer).encode())
    for one in questions:
        digest.update(repr((one.question, one.context, one.spans)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
