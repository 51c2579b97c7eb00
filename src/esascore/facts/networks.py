"""The networks: a BERT encoder with a head on the two mentions of a claim, or with a head for spans.

Stored, its weights are bytes, which its linear layers multiply.

Needs torch, so nothing imports this module before a model is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from esascore.errors import DataError
from esascore.facts.answering import LONGEST_ANSWER
from esascore.facts.pieces import (
    OBJECT_CLOSES,
    OBJECT_OPENS,
    SUBJECT_CLOSES,
    SUBJECT_OPENS,
    Encoded,
    head_places,
    whole_tiles,
)
from esascore.trained.folder import CONFIG, read_json, regular

SCALE = ".scale"
"""What the scales of a matrix are called, after its name."""

LARGEST = 127
_FLAT = 1e-12
"""The least largest value of a row; one of zeros stays zero."""

PRETRAINED = "model.safetensors"

_MARKERS = 5  # 0 is padding
MARKER_WORDS: Mapping[int, tuple[str, str]] = {
    SUBJECT_OPENS: ("subject", "("),
    SUBJECT_CLOSES: ("subject", ")"),
    OBJECT_OPENS: ("object", "("),
    OBJECT_CLOSES: ("object", ")"),
}
"""The words whose vectors a marker starts from."""


class ByteLinear(nn.Module):
    """A linear layer with weights of bytes (outputs, inputs), a scale for each output, and biases.

    What it reads is rounded to bytes as well, each row by its own largest value, so that sums are whole
    numbers: the same on every processor, whatever else is in a batch, and several times as fast where
    processors multiply bytes.
    """

    def __init__(self, weight: Tensor, scale: Tensor, bias: Tensor):
        super().__init__()
        self._as_bytes = _multiplies_bytes()
        self.register_buffer("weight", weight.t() if self._as_bytes else weight.t().float())
        self.register_buffer("scale", scale)
        self.register_buffer("bias", bias)

    def forward(self, states: Tensor) -> Tensor:
        """Return what the layer makes of each row."""
        rows = states.flatten(0, -2)
        largest = rows.abs().amax(1, keepdim=True).clamp_(min=_FLAT)
        read = (rows * (LARGEST / largest)).round_()
        if self._as_bytes:
            sums = torch._int_mm(read.to(torch.int8), self.weight).float()
        else:
            sums = read @ self.weight
        sums *= largest / LARGEST
        return torch.addcmul(self.bias, sums, self.scale, out=sums).unflatten(0, states.shape[:-1])


def _multiplies_bytes() -> bool:
    """Return whether sums of bytes are exact here, and fast; if not, floats, which hold such sums, are used.

    Without instructions for it (VNNI) oneDNN adds products in 16 bits, which are too few; and builds of torch
    without oneDNN have only a plain loop.
    """
    has_instructions = getattr(torch.cpu, "_is_vnni_supported", None)  # torch has no public name for it
    return torch.backends.mkldnn.is_available() and has_instructions is not None and has_instructions()


def multiply_bytes(model: nn.Module, stored: Mapping[str, Tensor]) -> None:
    """Put layers that multiply bytes in the places of a model's linear layers, with weights as stored."""
    linears = [name for name, module in model.named_modules() if isinstance(module, nn.Linear)]
    for name in linears:
        weight = f"{name}.weight"
        layer = ByteLinear(stored[weight], stored[weight + SCALE], stored[f"{name}.bias"])
        model.set_submodule(name, layer)


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of an encoder, as the ``config.json`` of a BERT model has them."""

    layers: int
    hidden: int = 384
    heads: int = 12
    inner: int = 1536
    vocabulary: int = 30522
    positions: int = 512


class Layer(nn.Module):
    """A layer of the encoder."""

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
        """Give the next state of every piece."""
        queries, keys, values = (self._by_head(some) for some in self.attention(states).chunk(3, -1))
        return self._after(states, queries, keys, values, mask)

    def at(self, places: Tensor, states: Tensor, mask: Tensor) -> Tensor:
        """Give only the states at some places of each text, (texts, places)."""
        places = places[..., None].expand(-1, -1, states.shape[-1])
        queries, keys, values = self.attention(states).chunk(3, -1)
        queries, keys, values = (self._by_head(some) for some in (queries.gather(1, places), keys, values))
        return self._after(states.gather(1, places), queries, keys, values, mask)

    def _by_head(self, some: Tensor) -> Tensor:
        return some.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def _after(self, states: Tensor, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        seen = functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
        states = self.first_norm(states + self.attended(seen.transpose(1, 2).flatten(2)))
        return self.second_norm(states + self.narrow(functional.gelu(self.widen(states))))


class Bert(nn.Module):
    """The encoder without a head; its weights have the names that folders of models hold."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.vocabulary, shape.hidden)
        self.places = nn.Embedding(shape.positions, shape.hidden)
        self.parts = nn.Embedding(2, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, eps=1e-12)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))

    def vectors(self, pieces: Tensor) -> Tensor:
        """Return the vectors of pieces, before their places count."""
        found: Tensor = self.words(pieces)
        return found

    def embedded(self, batch: Sequence[Encoded]) -> tuple[Tensor, Tensor, Tensor]:
        """Return the pieces of a batch, the states that the first layer reads, and its mask."""
        longest = whole_tiles(max(len(item.pieces) for item in batch))
        pieces = torch.tensor([(*item.pieces, *[0] * (longest - len(item.pieces))) for item in batch])
        starts = torch.tensor([item.text_at for item in batch])
        at = torch.arange(longest)
        parts = ((at >= starts[:, None]) & (pieces != 0)).long()
        states = self.norm(self.vectors(pieces) + self.places(at) + self.parts(parts))
        return pieces, states, (pieces != 0)[:, None, None, :]

    def start_from(self, weights: Mapping[str, Tensor]) -> None:
        """Take over the weights of a BERT model; those of the head stay."""
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


Network = TypeVar("Network", bound=Bert)


def pretrained(transformer: Path, make: Callable[[Shape], Network], layers: int | None = None) -> Network:
    """Make an encoder that starts from a pretrained transformer, with its first layers or all of them.

    Raises
    ------
    DataError
        If the folder holds no BERT model with as many layers.
    """
    path = transformer / CONFIG
    try:
        config = read_json(path)
        shape = Shape(
            config["num_hidden_layers"] if layers is None else layers,
            config["hidden_size"],
            config["num_attention_heads"],
            config["intermediate_size"],
            config["vocab_size"],
            config["max_position_embeddings"],
        )
        weights = load_file(regular(transformer / PRETRAINED))
        model = make(shape)
        model.start_from(weights)
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, RuntimeError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error).split("\n")[0]
        raise DataError(f"is not a BERT model that training can start from: {reason}", file=path) from error
    return model


def restored(path: Path, make: Callable[[Shape], Network], *, heads: int | None, what: str) -> Network:
    """Read an encoder whose weights were stored as bytes; ``what`` is what such a model is called.

    ``heads`` is what its description says; older ones say nothing, and have heads of 32 numbers.

    Raises
    ------
    DataError
        If the file does not hold such a model.
    """
    try:
        stored = load_file(regular(path))
        state = unpacked(stored)
        layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
        vocabulary, hidden = state["words.weight"].shape
        inner, positions = state["layers.0.widen.weight"].shape[0], state["places.weight"].shape[0]
        model = make(Shape(layers, hidden, heads or hidden // 32, inner, vocabulary, positions))
        model.load_state_dict(state)
        multiply_bytes(model, stored)
    except (OSError, SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
        reason = str(error).split("\n")[0]
        raise DataError(f"cannot be read as {what} ({reason}): train it again", file=path) from error
    model.eval()
    return model


def packed(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights in a quarter of their size: matrices as bytes, with a scale for each row."""
    found: dict[str, Tensor] = {}
    for name, values in state.items():
        if values.dim() < 2:
            found[name] = values.contiguous()
            continue
        scale = values.abs().amax(1).clamp(min=1e-12) / 127
        found[name] = (values / scale[:, None]).round().to(torch.int8).contiguous()
        found[name + SCALE] = scale
    return found


def unpacked(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return weights as `packed` took them, up to rounding."""
    return {
        name: values.float() * state[name + SCALE][:, None] if name + SCALE in state else values
        for name, values in state.items()
        if not name.endswith(SCALE)
    }


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

    def mark(self, cut: Callable[[str], Sequence[int]]) -> None:
        """Let the vector of each marker start from those of its words, which ``cut`` makes pieces of."""
        with torch.no_grad():
            for marker, words in MARKER_WORDS.items():
                self.markers.weight[marker] = self.words.weight[[cut(word)[0] for word in words]].sum(0)


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
