"""Synthetic questions and answers, and how models learn from them: the steps of the data-QuestEval paper.

A generator asks questions about the reference texts of a corpus (step 2). Each question with its answer is
then matched with the data of the text (step 3), so that models learn to ask and to answer it, from data and
from texts (step 4). A question about another input is unanswerable.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from esascore.errors import DataError
from esascore.fact_results import Question
from esascore.facts.answering import (
    LONGEST,
    LONGEST_ANSWER,
    PURPOSE,
    UNANSWERABLE,
    WEIGHTS,
    AskedPieces,
    Seq2Seq,
    Window,
    linearised,
    prompt,
    question_and_context,
)
from esascore.facts.questions import QuestionGenerator
from esascore.facts.training import EncoderTrainee
from esascore.facts.verdicts import Page
from esascore.trained.loading import quiet
from esascore.trained.runs import Trainee, check_counts, pooled_steps

_UNANSWERABLE_SHARE = 0.2

_LONGEST = 256
_NOTHING = -100  # the label that counts for nothing


@dataclass(frozen=True, slots=True)
class PairSettings:
    """How often all pairs are read, how many at once, the learning rate, and the seed of random numbers."""

    epochs: int = 3
    batch: int = 16
    rate: float = 3e-4
    seed: int = 1

    def __post_init__(self) -> None:
        check_counts(self, "epochs", "batch")


@dataclass(frozen=True, slots=True)
class Pair:
    """What a model of one of `PARTS` reads, and what it should write."""

    part: str
    source: str
    target: str


def question_pairs(pages: Sequence[Page], generator: QuestionGenerator, seed: int) -> list[Pair]:
    """Make training pairs of texts with their data, equal ones once."""
    chance = Random(seed)
    asked = generator.from_text(pages)
    pairs: dict[Pair, None] = {}
    for number, (page, questions) in enumerate(zip(pages, asked, strict=True)):
        contexts = {"data": linearised(page.facts), "text": page.text}
        for question in questions:
            for side, context in contexts.items():
                pairs[Pair(f"{side}-qg", prompt(question.answer, context), question.text)] = None
                pairs[Pair(f"{side}-qa", prompt(question.text, context), question.answer)] = None
        for question in _strange(asked, number, chance) if len(pages) > 1 else ():
            for side, context in contexts.items():
                pairs[Pair(f"{side}-qa", prompt(question.text, context), UNANSWERABLE)] = None
    return list(pairs)


def _strange(asked: Sequence[Sequence[Question]], number: int, chance: Random) -> list[Question]:
    """Draw questions about another input, for some of those about this one."""
    own = {question.text for question in asked[number]}
    found = []
    for _ in asked[number]:
        if chance.random() < _UNANSWERABLE_SHARE:
            others = asked[(number + chance.randrange(1, len(asked))) % len(asked)]
            found += chance.sample(list(others), min(1, len(others)))
    return [question for question in found if question.text not in own]


@dataclass(frozen=True, slots=True)
class Located:
    """A question with its context, and where its answer stands in it; nowhere if there is none."""

    question: str
    context: str
    spans: tuple[tuple[int, int], ...]


def located(pairs: Sequence[Pair]) -> list[Located]:
    """Find the answers of pairs in their contexts; a pair whose answer is not there is left out.

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


class SpanTrainee(EncoderTrainee):
    """An encoder in training, and its questions, which `located` makes; `SpanReader` reads the folder.

    It starts from such a model as `esascore.facts.training.VerifierTrainee`.
    """

    weights, purpose = WEIGHTS, PURPOSE

    def begin(self) -> None:
        """Find the pieces in which the answers stand."""
        from esascore.facts.networks import SpanEncoder, pretrained

        settings = self.settings
        self.optimise(pretrained(self.start_from, SpanEncoder))
        pieces = AskedPieces(self.start_from, min(LONGEST, self.model.shape.positions))
        lessons = (_lesson(one, pieces) for one in self.items)
        self.lessons = [lesson for lesson in lessons if lesson is not None]
        lengths = [len(window.read.pieces) for window, _ in self.lessons]
        self.steps = pooled_steps(lengths, batch=settings.batch, epochs=settings.epochs, seed=settings.seed)

    def loss(self, items: Sequence[int]) -> Any:
        """Read the questions of a step: what counts is the probability of all places of the answer."""
        import torch

        some = [self.lessons[number] for number in items]
        shares = self.model([window.read for window, _ in some])
        right = [
            torch.stack([own[first, last] for first, last in answers]).logsumexp(0)
            for own, (_, answers) in zip(shares, some, strict=True)
        ]
        return -torch.stack(right).mean()

    def described(self) -> dict[str, Any]:
        """Return also the number of questions."""
        return {**super().described(), "questions": len(self.lessons)}


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


class Seq2SeqTrainee(Trainee):
    """A T5 or BART model in training, and its pairs; `Seq2Seq` reads the folder.

    With one thread, equal seeds give equal models.
    """

    warm_up = 0.05

    @classmethod
    def require(cls, items: Sequence[Pair], start_from: Path) -> None:
        """Reject an empty list, and a folder without such a model."""
        if not items:
            raise DataError("there are no pairs to learn from")
        Seq2Seq(start_from).load()

    def begin(self) -> None:
        """Load the model."""
        import torch

        settings = self.settings
        self.tokenizer, self.model = Seq2Seq(self.start_from).load()
        torch.manual_seed(settings.seed)  # whatever loading has drawn
        self.parts = {"model": self.model}
        lengths = [0] * len(self.items)
        self.steps = pooled_steps(lengths, batch=settings.batch, epochs=settings.epochs, seed=settings.seed)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=settings.rate)
        self.model.train()

    def loss(self, items: Sequence[int]) -> Any:
        """Read the pairs of a step."""
        some = [self.items[number] for number in items]
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
