"""Products of whole numbers: the linear layers of a stored encoder, which multiply bytes.

Weights are stored as bytes. What a layer reads is rounded to bytes as well, each row by its own largest
value, so that sums are whole numbers: the same on every processor, whatever else is in a batch, and several
times as fast where processors multiply bytes.

Needs torch, so nothing imports this module before a model is used.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from esascore.facts.weights import SCALE

LARGEST = 127
_FLAT = 1e-12
"""The least largest value of a row; one of zeros stays zero."""


class ByteLinear(nn.Module):
    """A linear layer with weights of bytes (outputs, inputs), a scale for each output, and biases."""

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
