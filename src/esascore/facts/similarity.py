"""The similarity of two answers: by their words, or by an encoder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from esascore.fact_results import Answer, Question
from esascore.text.vocabulary import function_words
from esascore.text.words import name_words
from esascore.trained.loading import Pretrained, compute_threads, each_once

_BATCH = 64
_LONGEST = 64


class Similarity(Protocol):
    """Compares answers with the expected ones."""

    def scores(self, pairs: Sequence[tuple[Question, Answer]]) -> list[float]:
        """Return, for each question and the answer to it, a number between 0 and 1."""

    def version(self) -> str:
        """Return what identifies the comparison, for signatures."""


class TokenF1:
    """The F-measure of the words of two answers, as in SQuAD."""

    def scores(self, pairs: Sequence[tuple[Question, Answer]]) -> list[float]:
        """Compare each answer with the expected one."""
        return [token_f1(question.answer, answer.text or "") for question, answer in pairs]

    def version(self) -> str:
        """Return the version of the rule."""
        return "f1.v1"


def token_f1(one: str, other: str) -> float:
    """Return the F-measure of the words of two answers, without articles and other small words.

    Examples
    --------
    >>> token_f1("the River Wend", "Wend"), token_f1("Oslo", "Bergen"), token_f1("", "")
    (0.6666666666666666, 0.0, 1.0)
    """
    words, others = (Counter(_content(text)) for text in (one, other))
    if not words or not others:
        return float(words == others)
    common = (words & others).total()
    return 2 * common / (words.total() + others.total())


def _content(text: str) -> tuple[str, ...]:
    words = name_words(text)
    return tuple(word for word in words if word not in function_words()) or words


class BertScore(Pretrained):
    """BERTScore (Zhang et al. 2020), with an encoder in a local folder.

    Every word piece is matched with the piece of the other answer whose state in the last layer is most like
    its own (cosine). Precision and recall are the means of these, the score is their F-measure. Special
    pieces count for nothing; pieces are not weighted by how rare they are, and scores are not rescaled.
    """

    loader = "AutoModel"
    kind = "an encoder"
    purpose = "BERTScore"

    def version(self) -> str:
        """Return the version of the rule, and the hash of the model's files."""
        return f"bertscore.v1.{super().version()}"

    def scores(self, pairs: Sequence[tuple[Question, Answer]]) -> list[float]:
        """Compare each answer with the expected one."""
        compared = [(question.answer, answer.text or "") for question, answer in pairs]
        states = each_once([text for pair in compared for text in pair], self._states, _BATCH)
        return [_f(states[one], states[other]) for one, other in compared]

    def _states(self, texts: Sequence[str]) -> list[Any]:
        """Return the states of the pieces of each text, of length 1 each."""
        import torch

        tokenizer, model = self.load()
        read = tokenizer(
            list(texts), return_tensors="pt", padding=True, truncation=True, max_length=_LONGEST,
            return_special_tokens_mask=True,
        )  # fmt: skip
        own = (read.pop("special_tokens_mask") == 0) & (read["attention_mask"] == 1)
        with compute_threads(1), torch.inference_mode():
            found = torch.nn.functional.normalize(model(**read).last_hidden_state, dim=-1)
        return [states[kept] for states, kept in zip(found, own, strict=True)]


def _f(one: Any, other: Any) -> float:
    if not len(one) or not len(other):
        return float(len(one) == len(other))
    alike = one @ other.T
    precision, recall = (float(alike.amax(side).mean().clamp(0, 1)) for side in (0, 1))
    return round(2 * precision * recall / (precision + recall), 6) if precision + recall else 0.0
