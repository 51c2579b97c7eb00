"""A device for the CUDA backend that is none: NumPy's memory, and kernels in Numba's simulator."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class SimulatedDevice:
    """Numba's CUDA simulator with NumPy's memory: slow beyond use."""

    memory: int = 1 << 30
    threads: int = 4
    streams: int = 1
    shared_words: int = 64
    least_hits: int = 1
    xp: Any = np
    failures: tuple[type[Exception], ...] = (MemoryError, RuntimeError)

    def stream(self) -> AbstractContextManager[Any]:
        """Nothing: there is one stream."""
        return nullcontext()

    def free_bytes(self) -> int:
        """As told."""
        return self.memory

    def launch(self, name: str, blocks: int, *arguments: Any) -> None:
        """Run a kernel to its end."""
        from numba import cuda, typeof

        from esascore.align import _cuda_kernels

        kernel, types = _cuda_kernels.KERNELS[name]
        # The simulator takes anything; a device takes what the kernel was compiled for.
        if tuple(typeof(argument) for argument in arguments) != types:
            raise TypeError(f"{name} is compiled for {types}, not {[typeof(a) for a in arguments]}")
        cuda.jit(kernel)[blocks, self.threads](*arguments)

    def to_host(self, array: Any) -> np.ndarray:
        """Return it as it is."""
        return np.asarray(array)
