"""The network: a BERT encoder whose markers have vectors of their own, and a head on the two mentions.

Needs torch, so nothing imports this module before a model is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from esascore.facts.pieces import OBJECT_CLOSES, OBJECT_OPENS, SUBJECT_CLOSES, SUBJECT_OPENS, Encoded

_MARKERS = 5  # 0 is padding


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of an encoder, as the ``config.json`` of a BERT model has them."""

    layers: int
    hidden: int = 384
    heads: int = 12
    inner: int = 1536
    vocabulary: int = 30522
    positions: int = 512


class _Layer(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.heads = shape.heads
        self.attention = nn.Linear(shape.hidden, 3 * shape.hidden)
        self.attended = nn.Linear(shape.hidden, shape.hidden)
        self.first_norm = nn.LayerNorm(shape.hidden, eps=1e-12)
        self.widen = nn.Linear(shape.hidden, shape.inner)
        self.narrow = nn.Linear(shape.inner, shape.hidden)
        self.second_norm = nn.LayerNorm(shape.hidden, eps=1e-12)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        queries, keys, values = (self._by_head(some) for some in self.attention(states).chunk(3, -1))
        return self._after(states, queries, keys, values, mask)

    def at(self, places: Tensor, states: Tensor, mask: Tensor) -> Tensor:
        """Give only the states at some places of each text, (texts, places): no others are computed."""
        hidden = states.shape[-1]
        asking = states.gather(1, places[..., None].expand(-1, -1, hidden))
        weight, bias = self.attention.weight, self.attention.bias
        queries = functional.linear(asking, weight[:hidden], bias[:hidden])
        keys, values = functional.linear(states, weight[hidden:], bias[hidden:]).chunk(2, -1)
        queries, keys, values = (self._by_head(some) for some in (queries, keys, values))
        return self._after(asking, queries, keys, values, mask)

    def _by_head(self, some: Tensor) -> Tensor:
        return some.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def _after(self, states: Tensor, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        seen = functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
        states = self.first_norm(states + self.attended(seen.transpose(1, 2).flatten(2)))
        return self.second_norm(states + self.narrow(functional.gelu(self.widen(states))))


class FactEncoder(nn.Module):
    """Gives the logit that a text states a fact, for each of a batch of encoded claims."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.words = nn.Embedding(shape.vocabulary, shape.hidden)
        self.places = nn.Embedding(shape.positions, shape.hidden)
        self.parts = nn.Embedding(2, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, eps=1e-12)
        self.layers = nn.ModuleList(_Layer(shape) for _ in range(shape.layers))
        self.markers = nn.Embedding(_MARKERS, shape.hidden)
        self.mix = nn.Linear(3 * shape.hidden, shape.hidden)
        self.logit = nn.Linear(shape.hidden, 1)

    def forward(self, batch: Sequence[Encoded]) -> Tensor:
        """Return the logits of a batch."""
        longest = max(len(item.pieces) for item in batch)
        pieces = torch.tensor([(*item.pieces, *[0] * (longest - len(item.pieces))) for item in batch])
        starts = torch.tensor([item.text_at for item in batch])
        at = torch.arange(longest)
        marked = (pieces > 0) & (pieces < _MARKERS)
        states = torch.where(
            marked[..., None], self.markers(pieces.clamp(max=_MARKERS - 1)), self.words(pieces)
        )
        parts = ((at >= starts[:, None]) & (pieces != 0)).long()
        states = self.norm(states + self.places(at) + self.parts(parts))
        mask = (pieces != 0)[:, None, None, :]
        *lower, last = self.layers
        for layer in lower:
            states = layer(states, mask)
        # The head reads the first piece, which a stable sort leaves in front, and the opening markers.
        heads = (pieces == SUBJECT_OPENS) | (pieces == OBJECT_OPENS) | (at == 0)
        places = heads.int().argsort(dim=1, descending=True, stable=True)[:, : int(heads.sum(1).max())]
        states, there = last.at(places, states, mask), pieces.gather(1, places)

        def mean(marker: int) -> Tensor:
            own = (there == marker).to(states.dtype)
            return (states * own[..., None]).sum(1) / own.sum(1, keepdim=True).clamp(min=1)

        read = torch.cat([states[:, 0], mean(SUBJECT_OPENS), mean(OBJECT_OPENS)], 1)
        logits: Tensor = self.logit(torch.tanh(self.mix(read)))[:, 0]
        return logits

    def start_from(self, weights: Mapping[str, Tensor], words: Mapping[int, Sequence[int]]) -> None:
        """Take over the weights of a BERT model.

        ``words`` are, for each marker, the pieces whose vectors it starts from: their sum.
        """
        known = {name.removeprefix("bert."): values.float() for name, values in weights.items()}
        renamed = {"words": "word", "places": "position", "parts": "token_type"}
        state = {
            f"{own}.weight": known[f"embeddings.{theirs}_embeddings.weight"]
            for own, theirs in renamed.items()
        }
        modules = {
            "attended": "attention.output.dense",
            "first_norm": "attention.output.LayerNorm",
            "widen": "intermediate.dense",
            "narrow": "output.dense",
            "second_norm": "output.LayerNorm",
        }
        for kind in ("weight", "bias"):
            state[f"norm.{kind}"] = known[f"embeddings.LayerNorm.{kind}"]
            for number in range(len(self.layers)):
                theirs = f"encoder.layer.{number}."
                state |= {
                    f"layers.{number}.{own}.{kind}": known[f"{theirs}{name}.{kind}"]
                    for own, name in modules.items()
                }
                state[f"layers.{number}.attention.{kind}"] = torch.cat(
                    [known[f"{theirs}attention.self.{name}.{kind}"] for name in ("query", "key", "value")]
                )
        self.load_state_dict({**self.state_dict(), **state})
        with torch.no_grad():
            for marker, some in words.items():
                self.markers.weight[marker] = self.words.weight[list(some)].sum(0)


MARKER_WORDS: Mapping[int, tuple[str, str]] = {
    SUBJECT_OPENS: ("subject", "("),
    SUBJECT_CLOSES: ("subject", ")"),
    OBJECT_OPENS: ("object", "("),
    OBJECT_CLOSES: ("object", ")"),
}
"""The words whose vectors a marker starts from."""
