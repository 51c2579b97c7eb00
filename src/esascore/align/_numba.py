"""The Numba backend: batches of texts as arrays for the compiled kernel, threads over batches."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.align import _rapidfuzz
from esascore.align._problem import Problem, solve_in_batches
from esascore.align.compiled import LIBRARIES, MATCHING
from esascore.align.matches import Matches, code_points, offsets_of

BATCH_CHARACTERS = 1 << 17
"""Characters of a batch: enough to hide the cost of a call, few enough for every thread to get some."""

MANY_CHARACTERS = 1 << 20
"""Characters of a batch where one thread works: all that its memory should hold."""

UNIT_CHARACTERS = 1 << 15
"""Characters that the kernel reads at once; more would only push them out of the processor's cache."""

KEY_BITS = 63
_WORDS = 1 << 18
"""Words of memory that the kernel is given at first."""


def available() -> tuple[bool, str]:
    """Return whether the kernel has been compiled or can be, and what has been compiled."""
    missing = [library.name for library in LIBRARIES if not any(library.stored())]
    if MATCHING.name in missing and find_spec("numba") is None:
        return False, "the package numba is not installed"
    ready = [library.name for library in LIBRARIES if library.name not in missing]
    states = {"compiled": ready, "not compiled yet (esascore doctor backends --compile)": missing}
    return True, "; ".join(f"{state}: {', '.join(names)}" for state, names in states.items() if names)


def solve(problem: Problem, *, select: bool, threads: int) -> Matches:
    """Return hits of every item, or those that the greedy assignment selects."""
    if not _fits(problem):
        return _rapidfuzz.solve(problem, select=select, threads=threads)
    characters = BATCH_CHARACTERS if threads > 1 else MANY_CHARACTERS
    return solve_in_batches(problem, partial(aligned, select=select, free=[]), characters, threads)


def _fits(problem: Problem) -> bool:
    """Return whether the kernel can hold the place of every hit in one word; only absurd sizes do not fit."""
    text = max(map(len, problem.texts), default=0)
    candidates = max(map(len, problem.groups), default=0)
    if 3 * text.bit_length() + candidates.bit_length() <= KEY_BITS:
        return True  # whatever the candidates are
    ngram = min(text, max(map(len, chain.from_iterable(problem.groups)), default=0) + 1)
    return 2 * text.bit_length() + candidates.bit_length() + ngram.bit_length() <= KEY_BITS


def encoded(problem: Problem) -> tuple[NDArray[Any], ...]:
    """Texts, those of a group together, for the kernel: all strings as code points, and where parts begin."""
    group = np.array(problem.group, np.int64)
    changes = np.diff(group, prepend=-1) != 0
    lists = [problem.groups[index] for index in group[changes].tolist()]
    candidates = list(chain.from_iterable(lists))
    characters = code_points("".join(chain(candidates, problem.texts)))
    candidate_at = offsets_of(list(map(len, candidates)))
    group_at = offsets_of(list(map(len, lists)))
    text_at = offsets_of(list(map(len, problem.texts))) + candidate_at[-1]

    # A unit ends with its group, or where it has enough characters.
    number = np.cumsum(changes) - 1
    piece = (text_at[:-1] - text_at[:-1][changes][number]) // UNIT_CHARACTERS
    starts = np.flatnonzero(changes | (np.diff(piece, prepend=0) != 0))
    return characters, candidate_at, group_at, text_at, number[starts], np.append(starts, len(group))


def aligned(
    problem: Problem, strings: tuple[NDArray[Any], ...] = (), *, select: bool, free: list[NDArray[Any]]
) -> Matches:
    """Run the kernel, with more memory whenever it asks for it.

    ``strings`` are those of `encoded`; ``free`` is memory that nobody uses any more, from this call too.
    """
    strings = strings or encoded(problem)
    counts, progress = np.zeros(len(problem.texts), np.int64), np.zeros(2, np.int64)  # units and rows
    numbers = np.zeros(max(ord(" "), int(strings[0].max())) + 1, np.int32)  # for each code point
    rows = np.empty((len(strings[0]) // 4 + 64, 5), np.int32)  # more than most texts have hits
    memory = free.pop() if free else np.empty(_WORDS, np.uint64)
    fixed: list[NDArray[Any] | int] = [*strings, len(strings[-1]) - 1]
    fixed += [problem.numerator, problem.denominator, int(select), numbers, counts, progress]
    while lacking := MATCHING.code.call("align_units", *fixed, rows, len(rows), memory, len(memory)):
        if lacking > 0:
            memory = np.empty(2 * lacking, np.uint64)
        else:
            rows = np.concatenate((rows[: progress[1]], np.empty((-2 * lacking, 5), np.int32)))
    free.append(memory)
    item = np.repeat(np.arange(len(counts)), counts)
    return Matches(item, *rows[: progress[1]].T.astype(np.int64))
