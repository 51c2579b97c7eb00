"""The networks: an encoder with a head on the two mentions of a claim, and one with a head for spans.

Needs torch, so nothing imports this module before a model is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from esascore.facts.bert import Bert, Shape
from esascore.facts.extractive import LONGEST_ANSWER
from esascore.facts.pieces import (
    OBJECT_CLOSES,
    OBJECT_OPENS,
    SUBJECT_CLOSES,
    SUBJECT_OPENS,
    Encoded,
    head_places,
)

_MARKERS = 5  # 0 is padding

MARKER_WORDS: Mapping[int, tuple[str, str]] = {
    SUBJECT_OPENS: ("subject", "("),
    SUBJECT_CLOSES: ("subject", ")"),
    OBJECT_OPENS: ("object", "("),
    OBJECT_CLOSES: ("object", ")"),
}
"""The words whose vectors a marker starts from."""


class FactEncoder(Bert):
    """Gives the logit that a text states a fact, for each of a batch of encoded claims."""

    def __init__(self, shape: Shape):
        super().__init__(shape)
        self.markers = nn.Embedding(_MARKERS, shape.hidden)
        self.mix = nn.Linear(3 * shape.hidden, shape.hidden)
        self.logit = nn.Linear(shape.hidden, 1)

    def vectors(self, pieces: Tensor) -> Tensor:
        """Return the vectors of pieces; markers have their own."""
        marked = (pieces > 0) & (pieces < _MARKERS)
        return torch.where(
            marked[..., None], self.markers(pieces.clamp(max=_MARKERS - 1)), self.words(pieces)
        )

    def forward(self, batch: Sequence[Encoded]) -> Tensor:
        """Return the logits of a batch."""
        pieces, states, mask = self.embedded(batch)
        *lower, last = self.layers
        for layer in lower:
            states = layer(states, mask)
        # The head reads the first piece, which a stable sort leaves in front, and the opening markers.
        at = torch.arange(pieces.shape[1])
        heads = (pieces == SUBJECT_OPENS) | (pieces == OBJECT_OPENS) | (at == 0)
        most = head_places(int(heads.sum(1).max()))
        places = heads.int().argsort(dim=1, descending=True, stable=True)[:, :most]
        states, there = last.at(places, states, mask), pieces.gather(1, places)

        def mean(marker: int) -> Tensor:
            own = (there == marker).to(states.dtype)
            return (states * own[..., None]).sum(1) / own.sum(1, keepdim=True).clamp(min=1)

        read = torch.cat([states[:, 0], mean(SUBJECT_OPENS), mean(OBJECT_OPENS)], 1)
        logits: Tensor = self.logit(torch.tanh(self.mix(read)))[:, 0]
        return logits

    def mark(self, words: Mapping[int, Sequence[int]]) -> None:
        """Let the vector of each marker start from the sum of those of some pieces."""
        with torch.no_grad():
            for marker, some in words.items():
                self.markers.weight[marker] = self.words.weight[list(some)].sum(0)


class SpanEncoder(Bert):
    """Gives the log-probability of every span, for each of a batch of encoded questions."""

    def __init__(self, shape: Shape):
        super().__init__(shape)
        self.ends = nn.Linear(shape.hidden, 2)

    def forward(self, batch: Sequence[Encoded]) -> Tensor:
        """Return log-probabilities (texts, first piece, last piece); those of "no answer" are at (0, 0)."""
        pieces, states, mask = self.embedded(batch)
        for layer in self.layers:
            states = layer(states, mask)
        first, last = self.ends(states).unbind(-1)
        scores = first[:, :, None] + last[:, None, :]
        at = torch.arange(pieces.shape[1])
        starts = torch.tensor([item.text_at for item in batch])[:, None]
        stops = torch.tensor([len(item.pieces) - 1 for item in batch])[:, None]
        inside = (at >= starts) & (at < stops)
        length = at[None, :] - at[:, None]
        allowed = inside[:, :, None] & inside[:, None, :] & (length >= 0) & (length < LONGEST_ANSWER)
        allowed[:, 0, 0] = True
        scores = scores.masked_fill(~allowed, float("-inf"))
        return scores.flatten(1).log_softmax(1).view_as(scores)

    def best(self, batch: Sequence[Encoded]) -> list[tuple[int, int, float]]:
        """Return the likeliest span of each context, in its pieces, and how sure it is that there is one."""
        shares = self(batch)
        sure = 1 - shares[:, 0, 0].exp()
        shares[:, 0, 0] = float("-inf")
        places = shares.flatten(1).argmax(1)
        return [
            (place // shares.shape[2] - item.text_at, place % shares.shape[2] - item.text_at, share)
            for item, place, share in zip(batch, places.tolist(), sure.tolist(), strict=True)
        ]
