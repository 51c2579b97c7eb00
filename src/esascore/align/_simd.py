"""The bit-parallel step on vectors: one short pattern in each lane, all against the same text.

The vectors are generic LLVM ones, so every processor that LLVM knows runs this code, with as many
instructions as its own vectors need. The operations come from `esascore.align._steps.advance`, which is
run on symbols that emit them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from esascore.align._pointers import INT
from esascore.align._steps import advance

VECTOR_BITS = 256
VECTOR_WORDS = VECTOR_BITS // 64
"""Size of a vector in 64-bit words: eight lanes of 32 bits or four of 64."""

_INT64 = ir.IntType(64)


class _Symbol:
    """A vector in the code being emitted; operators emit instructions."""

    __slots__ = ("builder", "value")

    def __init__(self, builder: Any, value: Any):
        self.builder = builder
        self.value = value

    def _emit(self, operation: str, other: _Symbol | np.uint64) -> _Symbol:
        value = other.value if isinstance(other, _Symbol) else _splat_constant(self.value.type, int(other))
        return _Symbol(self.builder, getattr(self.builder, operation)(self.value, value))

    def __and__(self, other: _Symbol | np.uint64) -> _Symbol:
        return self._emit("and_", other)

    def __or__(self, other: _Symbol | np.uint64) -> _Symbol:
        return self._emit("or_", other)

    def __xor__(self, other: _Symbol | np.uint64) -> _Symbol:
        return self._emit("xor", other)

    def __add__(self, other: _Symbol | np.uint64) -> _Symbol:
        return self._emit("add", other)

    def __lshift__(self, other: _Symbol | np.uint64) -> _Symbol:
        return self._emit("shl", other)

    def __invert__(self) -> _Symbol:
        return _Symbol(self.builder, self.builder.not_(self.value))


def _splat_constant(vector: Any, value: int) -> Any:
    return ir.Constant(vector, [value] * vector.count)


def _splat(builder: Any, vector: Any, value: Any) -> Any:
    lane = builder.trunc(value, vector.element) if vector.element.width < 64 else value
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), lane, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)


def _count_ones(builder: Any, value: Any) -> Any:
    vector = value.type
    name = f"llvm.ctpop.v{vector.count}i{vector.element.width}"
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(vector, [vector]), name)
    return builder.call(function, [value])


def _make_advance_lanes(bits: int) -> Any:
    vector = ir.VectorType(ir.IntType(bits), VECTOR_BITS // bits)

    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        masks, codes, begin, end, before, after, constants, shortest, ngram, most, edits = values

        def load(pointer: Any, index: Any) -> Any:
            vectors = builder.bitcast(pointer, vector.as_pointer())
            return builder.load(builder.gep(vectors, [index]), align=8)

        def store(what: Any, pointer: Any, index: int) -> None:
            vectors = builder.bitcast(pointer, vector.as_pointer())
            builder.store(what, builder.gep(vectors, [_INT64(index)]), align=8)

        first_vp, first_vn = load(before, _INT64(0)), load(before, _INT64(1))
        entry = builder.block
        head, body, done = (builder.append_basic_block(f"lanes.{name}") for name in ("head", "body", "done"))
        builder.branch(head)
        builder.position_at_end(head)
        position, vp, vn = builder.phi(_INT64), builder.phi(vector), builder.phi(vector)
        position.add_incoming(begin, entry)
        vp.add_incoming(first_vp, entry)
        vn.add_incoming(first_vn, entry)
        builder.cbranch(builder.icmp_signed("<", position, end), body, done)

        builder.position_at_end(body)
        code = builder.zext(builder.load(builder.gep(codes, [position])), _INT64)
        symbols = (_Symbol(builder, one) for one in (load(masks, code), vp, vn))
        next_vp, next_vn = advance(*symbols)
        position.add_incoming(builder.add(position, _INT64(1)), body)
        vp.add_incoming(next_vp.value, body)
        vn.add_incoming(next_vn.value, body)
        builder.branch(head)

        builder.position_at_end(done)
        store(vp, after, 0)
        store(vn, after, 1)
        score, skip = (builder.append_basic_block(f"lanes.{name}") for name in ("score", "skip"))
        builder.cbranch(builder.icmp_signed(">=", ngram, shortest), score, skip)

        builder.position_at_end(score)
        # The distance, and whether it is within what this length or the pattern's own allows.
        used, own = load(constants, _INT64(0)), load(constants, _INT64(1))
        length = _splat(builder, vector, ngram)
        allowed = _splat(builder, vector, most)
        distance = builder.sub(
            builder.add(length, _count_ones(builder, builder.and_(vp, used))),
            _count_ones(builder, builder.and_(vn, used)),
        )
        store(distance, edits, 0)
        limit = builder.select(builder.icmp_signed(">", own, allowed), own, allowed)
        hit = builder.icmp_signed("<=", distance, limit)
        lanes = builder.zext(builder.bitcast(hit, ir.IntType(vector.count)), _INT64)
        builder.branch(skip)

        builder.position_at_end(skip)
        result = builder.phi(_INT64)
        result.add_incoming(lanes, score)
        result.add_incoming(_INT64(0), done)
        return result

    @intrinsic
    def advance_lanes(
        _typing: Any,
        masks: Any,
        codes: Any,
        _begin: Any,
        _end: Any,
        before: Any,
        after: Any,
        constants: Any,
        _shortest: Any,
        _length: Any,
        _allowed: Any,
        edits: Any,
    ) -> Any:
        at = INT
        return at(masks, codes, at, at, before, after, constants, at, at, at, edits), emit

    advance_lanes.__doc__ = f"""Move {vector.count} patterns of up to {bits} characters over part of a text.

    Parameters
    ----------
    masks
        For each character code a vector of the positions that hold it.
    codes, begin, end
        The characters to move over are ``codes[begin:end]``.
    before, after
        The columns (vp, vn) are read at ``before`` and written at ``after``.
    constants
        For each lane a one for every character of its pattern, then for each lane the edits that its own
        length allows.
    shortest
        Length of the shortest n-gram that can be a hit; before that no distance is computed.
    length, allowed
        Characters since the start of the n-gram, and the edits that this length allows.
    edits
        Receives the distance of each lane where one is computed.

    Returns
    -------
    int
        Bits of the lanes whose distance is allowed.
    """
    return advance_lanes


advance_lanes_32 = _make_advance_lanes(32)
advance_lanes_64 = _make_advance_lanes(64)
