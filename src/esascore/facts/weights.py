"""Weights of encoders as bytes, and the packages that it takes to use them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from esascore.errors import MissingExtraError

if TYPE_CHECKING:
    from torch import Tensor

SCALE = ".scale"
"""What the scales of a matrix are called, after its name."""


def load_torch(purpose: str = "Reading facts") -> None:
    """Say what is missing if models cannot be used here."""
    for package in ("torch", "safetensors", "tokenizers"):
        try:
            __import__(package)
        except ImportError as error:
            raise MissingExtraError(purpose, package=package, extra="facts") from error


def packed(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights in a quarter of their size: matrices as bytes, with a scale for each row."""
    import torch

    found: dict[str, Any] = {}
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
