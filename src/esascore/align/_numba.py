"""The Numba backend: batches of texts as arrays for the compiled kernel, threads over batches.

Importing this module imports Numba; the first call of `solve` compiles the kernel or loads it from the
disk cache.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from threading import Lock
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from numpy.typing import NDArray

from esascore.align import _rapidfuzz
from esascore.align._problem import Problem
from esascore.align.matches import Matches
from esascore.align.ready import mark_compiled, stamp

_BATCH_CHARACTERS = 1 << 17
"""Characters of a batch: enough to hide the cost of a call, few enough for every thread to get some."""

_UNIT_CHARACTERS = 1 << 15
"""Characters that share a trie; more would only push it out of the processor's cache."""

_CODE_POINTS = 0x110000
_WORD_BITS = 63


def available() -> tuple[bool, str]:
    """Always, once Numba has been imported."""
    return True, f"numba {numba.__version__}, code for {llvmlite.binding.get_host_cpu_name()}"


def solve(problem: Problem, *, select: bool, threads: int) -> Matches:
    """Hits of every item, or those that the greedy assignment selects."""
    if not _fits(problem):
        return _rapidfuzz.solve(problem, select=select, threads=threads)
    batches = _Batches.of(problem)
    counts = np.zeros(len(problem.texts), np.int64)
    parts: list[NDArray[np.int32]] = [np.empty(0, np.int32)] * len(batches.ranges)
    positions = iter(range(len(batches.ranges)))
    lock = Lock()
    align_units = kernel()

    def work() -> None:
        codes = np.zeros(_CODE_POINTS, np.int32)
        while True:
            with lock:
                position = next(positions, None)
            if position is None:
                return
            first, last = batches.ranges[position]
            parts[position] = align_units(
                *batches.arrays(position),
                problem.numerator,
                problem.denominator,
                select,
                codes,
                counts[first:last],
            )

    workers = min(threads, len(parts))
    if workers > 1:
        with ThreadPoolExecutor(workers) as pool:
            for future in [pool.submit(work) for _ in range(workers)]:
                future.result()
    else:
        work()
    return _in_input_order(parts, counts, batches.order)


def _fits(problem: Problem) -> bool:
    """Whether the kernel can hold the place of every hit in one word; only absurd sizes do not fit."""
    text = max(map(len, problem.texts), default=0)
    candidates = max(map(len, problem.groups), default=0)
    ngram = min(text, max(map(len, chain.from_iterable(problem.groups)), default=0) + 1)
    return 2 * text.bit_length() + candidates.bit_length() + ngram.bit_length() <= _WORD_BITS


@cache
def kernel() -> Any:
    """The compiled kernel."""
    from esascore.align._kernel import compile_align_units

    compiled = compile_align_units(stamp())
    mark_compiled()
    return compiled


@dataclass(frozen=True, slots=True)
class _Batches:
    """The texts, those of a group together, in ranges of about as many characters as a batch has."""

    problem: Problem
    order: NDArray[np.int64]  # indices of the texts
    group: NDArray[np.int64]  # of each text, in this order
    lengths: NDArray[np.int64]
    ranges: list[tuple[int, int]]

    @classmethod
    def of(cls, problem: Problem) -> _Batches:
        group = np.array(problem.group, np.int64)
        order = np.argsort(group, kind="stable")
        lengths = np.fromiter(map(len, problem.texts), np.int64, len(problem.texts))[order]
        number = np.cumsum(lengths) // _BATCH_CHARACTERS
        edges = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(lengths)]
        return cls(problem, order, group[order], lengths, list(pairwise(edges)) if len(lengths) else [])

    def arrays(self, position: int) -> tuple[NDArray[Any], ...]:
        """A batch for the kernel: its strings as code points, and where its parts begin."""
        first, last = self.ranges[position]
        group = self.group[first:last]
        changes = np.diff(group, prepend=-1) != 0
        present = group[changes]
        lists = [self.problem.groups[index] for index in present.tolist()]
        candidates = list(chain.from_iterable(lists))
        texts = map(self.problem.texts.__getitem__, self.order[first:last].tolist())
        joined = "".join(chain(candidates, texts))
        # NumPy keeps strings as code points: the fastest way to them, also for lone surrogates.
        characters = np.array([joined]).view(np.uint32)[: len(joined)]

        candidate_at = _offsets(np.fromiter(map(len, candidates), np.int64, len(candidates)))
        group_at = _offsets(np.fromiter(map(len, lists), np.int64, len(lists)))
        text_at = _offsets(self.lengths[first:last]) + candidate_at[-1]

        # A unit ends with its group, or where it has enough characters.
        number = np.cumsum(changes) - 1
        piece = (text_at[:-1] - text_at[:-1][changes][number]) // _UNIT_CHARACTERS
        starts = np.flatnonzero(changes | (np.diff(piece, prepend=0) != 0))
        return characters, candidate_at, group_at, text_at, number[starts], np.append(starts, len(group))


def prepare(problem: Problem) -> list[tuple[int, int, tuple[NDArray[Any], ...]]]:
    """All batches at once, as (first text, last text, arrays): for measuring the kernel alone."""
    batches = _Batches.of(problem)
    return [(*batches.ranges[position], batches.arrays(position)) for position in range(len(batches.ranges))]


def _offsets(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def _in_input_order(
    parts: list[NDArray[np.int32]], counts: NDArray[np.int64], order: NDArray[np.int64]
) -> Matches:
    """Columns from the rows of sorted texts."""
    rows = np.concatenate([np.empty(0, np.int32), *parts]).reshape(-1, 5)
    counts_in_order = np.zeros_like(counts)
    counts_in_order[order] = counts
    source = np.zeros_like(counts)
    source[order] = _offsets(counts)[:-1]
    take = np.repeat(source - _offsets(counts_in_order)[:-1], counts_in_order) + np.arange(len(rows))
    item = np.repeat(np.arange(len(counts)), counts_in_order)
    return Matches(item, *rows[take].T.astype(np.int64))
