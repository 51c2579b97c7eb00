"""Pointers in compiled code.

Kernels take pointers and whole numbers, never arrays: what they are compiled to then needs nothing of Numba
when it runs, and compiles in a fraction of the time. Scratch memory is one array of 64-bit words, of which
kernels take parts by their distance from its beginning.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numba import njit, types
from numba.extending import intrinsic

OPTIONS: Mapping[str, Any] = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
"""No exceptions (no denominator is zero), nothing that Python could call, no memory of Numba's."""

inlined = njit(**OPTIONS)
"""Compiles a function that kernels call."""

INT = types.int64
I32, I64, U32, U64, F64 = map(
    types.CPointer, (types.int32, types.int64, types.uint32, types.uint64, types.float64)
)


@intrinsic
def moved(_typing: Any, pointer: Any, _distance: Any) -> Any:
    """Pointer to the item that is ``distance`` items further on."""

    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.gep(values[0], [values[1]])

    return pointer(pointer, INT), emit


def _reader(kind: Any) -> Any:
    @intrinsic
    def read(_typing: Any, _words: Any, _distance: Any) -> Any:
        def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.bitcast(builder.gep(values[0], [values[1]]), context.get_value_type(kind))

        return kind(U64, INT), emit

    return read


int32_at, int64_at, floats_at, words_at = map(_reader, (I32, I64, F64, U64))
"""Pointers of a type to what is so many words after a word."""


@inlined
def fill(pointer: Any, count: int, value: Any) -> None:
    """Set so many items to a value."""
    for index in range(count):
        pointer[index] = value
