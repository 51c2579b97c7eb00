"""BERTScore (Zhang et al. 2020) of two answers, with an encoder from a local folder.

Every word piece is matched with the piece of the other answer whose state in the last layer is most like its
own (cosine). Precision and recall are the means of these, the score is their F-measure. Special pieces count
for nothing; pieces are not weighted by how rare they are, and scores are not rescaled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from esascore.fact_results import Answer, Question
from esascore.trained.loading import compute_threads
from esascore.trained.pretrained import Pretrained

_BATCH = 64
_LONGEST = 64


class BertScore(Pretrained):
    """Compares answers with an encoder in a local folder."""

    loader = "AutoModel"
    kind = "an encoder"
    purpose = "BERTScore"

    def version(self) -> str:
        """The version of the rule, and the hash of the model's files."""
        return f"bertscore.v1.{super().version()}"

    def scores(self, pairs: Sequence[tuple[Question, Answer]]) -> list[float]:
        """Compare each answer with the expected one."""
        compared = [(question.answer, answer.text or "") for question, answer in pairs]
        distinct = sorted({text for pair in compared for text in pair}, key=lambda text: (len(text), text))
        states: dict[str, Any] = {}
        for start in range(0, len(distinct), _BATCH):
            batch = distinct[start : start + _BATCH]
            states |= dict(zip(batch, self._states(batch), strict=True))
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
