"""The bit-parallel step on vectors: one short pattern in each lane, all against the same n-grams.

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


def _make_advance_lanes(bits: int, chains: int) -> Any:
    vector = ir.VectorType(ir.IntType(bits), VECTOR_BITS // bits)

    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        masks, codes, begin, end, space, columns, constants, lengths, limits, scored, edits = values

        def load(pointer: Any, index: Any) -> Any:
            vectors = builder.bitcast(pointer, vector.as_pointer())
            return builder.load(builder.gep(vectors, [index]), align=8)

        def store(what: Any, pointer: Any, index: int) -> None:
            vectors = builder.bitcast(pointer, vector.as_pointer())
            builder.store(what, builder.gep(vectors, [_INT64(index)]), align=8)

        def advanced(code: Any, state: list[Any]) -> list[Any]:
            mask = load(masks, code)
            after = []
            for vp, vn in zip(state[::2], state[1::2], strict=True):
                after += [one.value for one in advance(*(_Symbol(builder, one) for one in (mask, vp, vn)))]
            return after

        before = [load(columns, _INT64(index)) for index in range(2 * chains)]
        entry = builder.block
        head, body, done = (builder.append_basic_block(f"lanes.{name}") for name in ("head", "body", "done"))
        builder.branch(head)
        builder.position_at_end(head)
        position, state = builder.phi(_INT64), [builder.phi(vector) for _ in before]
        position.add_incoming(begin, entry)
        for phi, value in zip(state, before, strict=True):
            phi.add_incoming(value, entry)
        builder.cbranch(builder.icmp_signed("<", position, end), body, done)

        builder.position_at_end(body)
        code = builder.zext(builder.load(builder.gep(codes, [position])), _INT64)
        for phi, value in zip(state, advanced(code, state), strict=True):
            phi.add_incoming(value, body)
        position.add_incoming(builder.add(position, _INT64(1)), body)
        builder.branch(head)

        builder.position_at_end(done)
        for index, value in enumerate(advanced(space, state)):
            store(value, columns, index + 2)
        score, hit, skip = (builder.append_basic_block(f"lanes.{name}") for name in ("score", "hit", "skip"))
        builder.cbranch(builder.icmp_signed("!=", scored, _INT64(0)), score, skip)

        builder.position_at_end(score)
        # The distances, and which are within what the length of the n-gram or of the pattern allows.
        used, own = load(constants, _INT64(0)), load(constants, _INT64(1))
        found = _INT64(0)
        distances = []
        for chain in range(chains):
            length, limit = (
                _splat(builder, vector, builder.load(builder.gep(numbers, [_INT64(chain)])))
                for numbers in (lengths, limits)
            )
            distance = builder.sub(
                builder.add(length, _count_ones(builder, builder.and_(state[2 * chain], used))),
                _count_ones(builder, builder.and_(state[2 * chain + 1], used)),
            )
            allowed = builder.select(builder.icmp_signed(">", own, limit), own, limit)
            within = builder.icmp_signed("<=", distance, allowed)
            lanes = builder.zext(builder.bitcast(within, ir.IntType(vector.count)), _INT64)
            found = builder.or_(found, builder.shl(lanes, _INT64(vector.count * chain)))
            distances.append(distance)
        builder.cbranch(builder.icmp_signed("!=", found, _INT64(0)), hit, skip)

        builder.position_at_end(hit)
        for chain, distance in enumerate(distances):
            store(distance, edits, chain)
        builder.branch(skip)

        builder.position_at_end(skip)
        result = builder.phi(_INT64)
        result.add_incoming(found, hit)
        result.add_incoming(found, score)
        result.add_incoming(_INT64(0), done)
        return result

    @intrinsic
    def advance_lanes(
        _typing: Any, masks: Any, codes: Any, _begin: Any, _end: Any, _space: Any, columns: Any,
        constants: Any, lengths: Any, limits: Any, _scored: Any, edits: Any,
    ) -> Any:  # fmt: skip
        at = INT
        return at(masks, codes, at, at, at, columns, constants, lengths, limits, at, edits), emit

    advance_lanes.__doc__ = f"""Move {vector.count} patterns of up to {bits} characters over a token.

    This is done for the n-grams of {chains} start tokens that follow each other. Nothing of one depends on
    another, so that the processor works on all at the same time.

    Parameters
    ----------
    masks
        For each character code a vector of the positions that hold it.
    codes, begin, end
        The characters of the token are ``codes[begin:end]``.
    space
        The code of the space that follows it.
    columns
        The columns (vp, vn) of the n-grams before the token, the latest start first. They become those
        after the token and the space, one place further on.
    constants
        For each lane a one for every character of its pattern, then for each lane the edits that its own
        length allows.
    lengths, limits
        For each n-gram its characters with this token, and the edits that this length allows.
    scored
        Whether to compute distances: not where all n-grams are still too short.
    edits
        Receives the distances of all lanes of all n-grams if one is allowed.

    Returns
    -------
    int
        Bits of the lanes whose distance is allowed, those of the first n-gram lowest.
    """
    return advance_lanes


advance_two_32, advance_four_32 = _make_advance_lanes(32, 2), _make_advance_lanes(32, 4)
advance_two_64, advance_four_64 = _make_advance_lanes(64, 2), _make_advance_lanes(64, 4)
