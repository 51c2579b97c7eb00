"""Answers that stand in the text: an encoder says where an answer begins and ends, or that there is none.

It reads ``[CLS] question [SEP] context [SEP]``. Every span of the context has a score, and so has the first
piece, which stands for "no answer"; together their probabilities are one. How sure it is that there is an
answer is what "no answer" leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from esascore.fact_results import Answer
from esascore.facts.pieces import Encoded, WordPieces, steady_batches
from esascore.trained.folder import read_description
from esascore.trained.loading import compute_threads, load_torch

if TYPE_CHECKING:
    from esascore.facts.encoder import SpanEncoder

WEIGHTS = "answers.safetensors"
LONGEST = 256
"""Pieces that are read at once; of a longer context, windows are."""

LONGEST_ANSWER = 48
"""Pieces of the longest answer."""

PURPOSE = "Answering questions"
_LONGEST_QUESTION = 64
_OVERLAP = 64
_BUDGET = 2048
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Window:
    """A question with a stretch of its context; each piece of the context has a place in it."""

    read: Encoded
    places: tuple[tuple[int, int], ...]


class AskedPieces(WordPieces):
    """Cuts questions and their contexts into word pieces."""

    def windows(self, question: str, context: str) -> list[Window]:
        """Encode a question with its context, in several windows if it is too long for one."""
        asked = self.plain(question)[: min(_LONGEST_QUESTION, self.longest // 2)]
        pieces, places = self.placed(context)
        room = self.longest - len(asked) - 3
        step = max(1, room - min(_OVERLAP, room // 2))
        starts = range(0, max(1, len(pieces) - room + step), step)
        return [
            Window(self.joined(asked, pieces[at : at + room]), tuple(places[at : at + room])) for at in starts
        ]


class SpanReader:
    """Answers questions with spans, from a folder that `esascore questeval train` wrote.

    Nothing is loaded before the first question; an instance can be pickled. It reads with one thread.
    """

    form = "spans.v1"

    def __init__(self, folder: Path):
        self.folder = Path(folder)
        self._description = read_description(self.folder)
        self._loaded: tuple[AskedPieces, SpanEncoder] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return SpanReader, (self.folder,)

    def version(self) -> str:
        """The hash of the model's files."""
        return str(self._description["digest"])

    def answers(self, asked: Sequence[tuple[str, str]]) -> list[Answer]:
        """Answer each question from its context, equal ones once; of several windows, the surest counts."""
        if not asked:
            return []
        import torch

        distinct = list(dict.fromkeys(asked))
        pieces, model = self._load()
        windows = [(number, window) for number, one in enumerate(distinct) for window in pieces.windows(*one)]
        best = [Answer(None, 0.0)] * len(distinct)
        with compute_threads(1), torch.inference_mode():
            for batch in steady_batches([(len(window.read.pieces),) for _, window in windows], _BUDGET):
                some = [windows[number] for number in batch]
                found = model.best([window.read for _, window in some])
                for (number, window), (first, last, sure) in zip(some, found, strict=True):
                    answer = Answer(None, round(sure, 6))  # other processors compute other last digits
                    if sure > _HALF:
                        start, end = window.places[first][0], window.places[last][1]
                        answer = Answer(distinct[number][1][start:end], answer.confidence)
                    best[number] = max(best[number], answer, key=lambda one: one.confidence)
        known = dict(zip(distinct, best, strict=True))
        return [known[one] for one in asked]

    def _load(self) -> tuple[AskedPieces, SpanEncoder]:
        if self._loaded is None:
            load_torch(PURPOSE)
            from esascore.facts.bert import restored
            from esascore.facts.encoder import SpanEncoder

            heads = self._description.get("heads")
            what = "a model that answers questions"
            model = restored(self.folder / WEIGHTS, SpanEncoder, heads=heads, what=what)
            self._loaded = AskedPieces(self.folder, min(LONGEST, model.shape.positions)), model
        return self._loaded
