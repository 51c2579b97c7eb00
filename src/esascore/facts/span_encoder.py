"""The network that answers with spans: an encoder, and a head that scores where an answer begins and ends.

Needs torch, so nothing imports this module before a model is used.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from esascore.facts.bert import Bert, Shape
from esascore.facts.extractive import LONGEST_ANSWER
from esascore.facts.pieces import Encoded


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
