"""The CUDA backend: batches of texts go to the device and come back as selected matches.

On the device a batch is tokenised, its candidates become bit masks, every (candidate, start token) pair gets
a thread, and the hits are sorted and selected there (`esascore.align._cuda_kernels`). CuPy holds the memory
and sorts; two batches are under way at a time, each in its own stream, so that encoding and copying one
overlaps with computing the other. Batches are as large as the free memory of the device allows. Where the
device fails, the CPU does what is left.

The device is a small seam, `Device`: CuPy's, or in tests NumPy's with kernels in Numba's simulator.
Importing this module imports neither Numba nor CuPy.
"""

from __future__ import annotations

import importlib.util
import threading
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain
from queue import SimpleQueue
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from esascore.align._problem import Problem, solve_in_batches
from esascore.align.matches import Matches, offsets_of, ordered_quotients
from esascore.errors import BackendWarning, MissingExtraError

Array = Any
"""An array of the device."""

Host = NDArray[Any]

TILE_PAIRS = 512
"""Pairs of candidate and start token per block: several per thread, to make loading masks pay."""

TILE_CANDIDATES = 32

_BATCH_BYTES = 1 << 26
"""Memory of a batch, even where there is more: with few batches nothing would overlap."""

_MOST_CHARACTERS = 1 << 28
"""Characters of a batch that NumPy can widen at once; only a single text of this size exceeds it."""

COLUMN_BYTES = 1 << 26
"""Memory for the columns of candidates of more than 64 characters."""

LEAST_BLOCKS = 128
_WORD_BITS = 64
_CODE_POINT_BITS = 21


class Device(Protocol):
    """What a batch needs of a device."""

    xp: Any
    """Array module: NumPy or CuPy."""
    threads: int
    """Threads of a block."""
    streams: int
    """Batches that may be under way at a time."""
    shared_words: int
    """Words of masks that a block may keep in shared memory."""
    least_hits: int
    """Room for hits in a first run, however small the batch."""
    failures: tuple[type[Exception], ...]
    """Errors after which the CPU takes over."""

    def stream(self) -> AbstractContextManager[Any]:
        """Context in which the calling thread's work goes to a stream of its own."""

    def free_bytes(self) -> int:
        """Memory that can be allocated."""

    def launch(self, name: str, blocks: int, *arguments: Any) -> None:
        """Start a kernel of `esascore.align._cuda_kernels` in the current stream."""

    def to_host(self, array: Array) -> Host:
        """Copy to the host and wait for it."""


class CupyDevice:
    """The current CUDA device, through CuPy and Numba."""

    threads = 128
    streams = 2
    least_hits = 1 << 16

    def __init__(self) -> None:
        import cupy
        from numba import cuda

        from esascore.align import _cuda_kernels

        self.xp = cupy
        self.shared_words = _cuda_kernels.SHARED_WORDS
        self.failures = _failures()
        self._cuda = cuda
        self._number = cupy.cuda.Device().id
        cupy.cuda.runtime.deviceSynchronize()  # makes CuPy's context current: Numba takes the one it finds
        # Always the same streams, for CuPy keeps freed memory for reuse in the stream that it was used in.
        self._streams: SimpleQueue[Any] = SimpleQueue()
        for _ in range(self.streams):
            self._streams.put(cupy.cuda.Stream(non_blocking=True))
        self._kernels = {
            name: cuda.jit(types)(kernel) for name, (kernel, types) in _cuda_kernels.KERNELS.items()
        }
        self._lock = threading.Lock()

    @contextmanager
    def stream(self) -> Iterator[None]:
        """Context of a stream that nobody else uses, on the device that was current at first."""
        stream = self._streams.get()
        try:
            with self.xp.cuda.Device(self._number), stream:
                yield
        finally:
            self._streams.put(stream)

    def free_bytes(self) -> int:
        """Memory that the driver has free and that CuPy's pool keeps for reuse."""
        free, _ = self.xp.cuda.runtime.memGetInfo()
        return int(free + self.xp.get_default_memory_pool().free_bytes())

    def launch(self, name: str, blocks: int, *arguments: Any) -> None:
        """Start a kernel in CuPy's current stream."""
        stream = self._cuda.external_stream(self.xp.cuda.get_current_stream().ptr)
        # The arrays were made in this very stream: waiting for it, as Numba would, only loses the overlap.
        passed = [
            self._cuda.as_cuda_array(one, sync=False) if isinstance(one, self.xp.ndarray) else one
            for one in arguments
        ]
        # Numba warns of small grids; idle blocks cost less than a filter, which all threads share.
        grid = max(blocks, LEAST_BLOCKS)
        with self._lock:
            self._kernels[name][grid, self.threads, stream](*passed)

    def to_host(self, array: Array) -> Host:
        """Copy to the host and wait for it."""
        return np.asarray(self.xp.asnumpy(array))


def available() -> tuple[bool, str]:
    """Return whether a CUDA device answers, and which, or why not.

    Raises
    ------
    MissingExtraError
        A package is not installed.
    """
    for package in ("cupy", "numba"):
        if importlib.util.find_spec(package) is None:
            raise MissingExtraError("Backend cuda", package=package, extra="cuda")
    from numba import config

    if config.ENABLE_CUDASIM:
        return False, "Numba's CUDA simulator is on (NUMBA_ENABLE_CUDASIM), which is only for tests"
    return _found()


@cache
def _found() -> tuple[bool, str]:
    try:
        import cupy
        from numba import cuda

        count = cupy.cuda.runtime.getDeviceCount()
        if not count or not cuda.is_available():
            return False, "no CUDA device answers"
        properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
        name = properties["name"].decode(errors="replace")
        gigabytes = properties["totalGlobalMem"] / 2**30
    except Exception as error:  # whatever is wrong with a driver or a package, the CPU can do the work
        return False, f"no CUDA device answers: {str(error).strip() or type(error).__name__}".split("\n")[0]
    return True, f"{name}, {gigabytes:.0f} GB, cupy {cupy.__version__}"


@cache
def _device() -> Device:
    """Return the one device of this process, with its compiled kernels."""
    return CupyDevice()


def solve(problem: Problem, *, select: bool, threads: int) -> Matches:
    """Return hits of every item, or those that the greedy assignment selects; ``threads`` is for the CPU."""
    try:
        device = _device()
    except Exception as error:  # as in `_found`
        _notify(error)
        return on_cpu(problem, select, threads)
    return solve_on(device, problem, select=select, threads=threads)


def solve_on(device: Device, problem: Problem, *, select: bool, threads: int) -> Matches:
    """Solve on a device, with the CPU for what the device fails at."""
    failed: list[Exception] = []

    def solve_part(part: Problem) -> Matches:
        if not failed:
            try:
                with device.stream():
                    return Matches(*_batch_rows(device, part, select))
            except device.failures as error:
                failed.append(error)
        return on_cpu(part, select, threads)

    budget = max(1, min(_BATCH_BYTES, device.free_bytes() * 4 // (5 * device.streams)))
    found = solve_in_batches(problem, solve_part, budget, device.streams, _bytes_needed(problem))
    if failed:
        _notify(failed[0])
    return found


def _notify(error: Exception) -> None:
    reason = (str(error).strip() or type(error).__name__).split("\n")[0]
    warnings.warn(f"CUDA failed, the CPU did the work: {reason}", BackendWarning, stacklevel=3)


def _failures() -> tuple[type[Exception], ...]:
    """Errors that say that the device failed.

    CuPy: memory that runs out is a MemoryError, everything else of the driver a RuntimeError. Numba: a
    package or library that is missing is an ImportError, everything else has classes of its own.
    """
    from numba.cuda.cudadrv import error

    names = ("CudaDriverError", "CudaRuntimeError", "NvvmError", "NvrtcError")
    own = (getattr(error, name) for name in names if hasattr(error, name))
    return (MemoryError, RuntimeError, ImportError, OSError, *own)


def on_cpu(problem: Problem, select: bool, threads: int) -> Matches:
    from esascore.align import _numba

    return _numba.solve(problem, select=select, threads=threads)


def _bytes_needed(problem: Problem) -> Host:
    """Estimate the memory that each text needs."""
    candidates = np.array(list(map(len, problem.groups)), np.int64)
    characters = np.array([sum(map(len, group)) for group in problem.groups], np.int64)
    lengths = np.array(list(map(len, problem.texts)), np.int64)
    # A character of a text: itself, its code, its share of a token, and of the hits, which grow with the
    # candidates. A candidate's masks come once, with the first text of its group.
    group = np.array(problem.group, np.int64)
    needed = lengths * (24 + 6 * candidates[group]) + 64
    present, first = np.unique(group, return_index=True)
    needed[first] += characters[present] * 256
    return needed


@dataclass(frozen=True, slots=True)
class _Strings:
    """Characters of a batch on the device, candidates first, and whose they are.

    Candidates are grouped, in a group those of at most 64 characters come first, and empty ones are left out.
    """

    characters: Array
    groups: int
    text_lengths: Host
    text_group: Host
    text_at: Array
    candidate_group: Host
    candidate_length: Host
    candidate_begin: Array
    candidate_number: Array
    alphabet: Array
    alphabet_at: Array


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Texts as codes of their group's alphabet, and their tokens."""

    codes: Array
    token_at: Array
    token_at_host: Host
    places: Array


@dataclass(frozen=True, slots=True)
class _Masks:
    """Candidates as bit masks; ``most_tokens`` is the longest n-gram of each group."""

    words: Host
    mask_at: Array
    masks: Array
    most_tokens: Array


def _batch_rows(device: Device, problem: Problem, select: bool) -> Host:
    """Rows text, candidate, start, end, edits, length; texts in order, each from its best to its worst."""
    strings = _upload(device, problem)
    if strings is None:
        return np.empty((6, 0), np.int64)
    tokens = _read(device, strings)
    masks = _mask(device, strings)
    hits = _find(device, problem, strings, tokens, masks)
    return _ordered(device, tokens, hits, select)


def _upload(device: Device, problem: Problem) -> _Strings | None:
    """Join the strings and copy them; None where no candidate or no text has a character."""
    xp = device.xp
    present, text_group = np.unique(np.array(problem.group, np.int64), return_inverse=True)
    lists = [problem.groups[index] for index in present.tolist()]
    candidates = list(chain.from_iterable(lists))
    lengths = np.fromiter(map(len, candidates), np.int64, len(candidates))
    text_lengths = np.fromiter(map(len, problem.texts), np.int64, len(problem.texts))
    if not lengths.any() or not text_lengths.any():
        return None
    if int(lengths.sum() + text_lengths.sum()) > _MOST_CHARACTERS:
        raise MemoryError(f"more than {_MOST_CHARACTERS} characters in one batch")
    characters = np.array(["".join(chain(candidates, problem.texts))]).view(np.uint32)
    before_texts = int(lengths.sum())

    group_at = offsets_of(np.fromiter(map(len, lists), np.int64, len(lists)))
    group = np.repeat(np.arange(len(lists)), np.diff(group_at))
    order = np.lexsort((lengths > _WORD_BITS, group))
    order = order[lengths[order] > 0]
    keys = np.repeat(group, lengths) << _CODE_POINT_BITS | characters[:before_texts]
    alphabet = xp.unique(xp.asarray(keys))
    edges = xp.asarray(np.arange(len(lists) + 1) << _CODE_POINT_BITS)
    return _Strings(
        characters=xp.asarray(characters),
        groups=len(lists),
        text_lengths=text_lengths,
        text_group=text_group,
        text_at=xp.asarray(before_texts + offsets_of(text_lengths)),
        candidate_group=group[order],
        candidate_length=lengths[order],
        candidate_begin=xp.asarray(offsets_of(lengths)[order]),
        candidate_number=xp.asarray((order - group_at[group[order]]).astype(np.int32)),
        alphabet=(alphabet & ((1 << _CODE_POINT_BITS) - 1)).astype(np.uint32),
        alphabet_at=xp.searchsorted(alphabet, edges).astype(np.int64),
    )


def _read(device: Device, strings: _Strings) -> _Tokens:
    """Tokenise the texts."""
    from esascore.align._cuda_kernels import TOKEN_ROWS

    xp, texts = device.xp, len(strings.text_lengths)
    roomy = offsets_of((strings.text_lengths + 1) // 2)  # a token has a character and a separator
    room = xp.asarray(roomy)
    begins, ends = (xp.empty(int(roomy[-1]), np.int32) for _ in range(2))
    counts = xp.empty(texts, np.int32)
    codes = xp.empty(strings.characters.size, np.int32)
    text_group = xp.asarray(strings.text_group.astype(np.int32))
    _over(
        device, texts, "read_texts", strings.characters, strings.text_at, text_group, strings.alphabet,
        strings.alphabet_at, room, codes, begins, ends, counts,
    )  # fmt: skip
    token_at = xp.zeros(texts + 1, np.int64)
    token_at[1:] = xp.cumsum(counts, dtype=np.int64)
    token_at_host = device.to_host(token_at)
    # No array is empty, for the null pointer of an empty one is nothing that a kernel should be given.
    tokens = xp.empty((TOKEN_ROWS, max(1, int(token_at_host[-1]))), np.int32)
    _over(device, texts, "place_tokens", room, begins, ends, token_at, tokens)
    return _Tokens(codes, token_at, token_at_host, tokens)


def _mask(device: Device, strings: _Strings) -> _Masks:
    """Turn candidates into masks: a word for each letter of the group's alphabet and 64 characters."""
    xp = device.xp
    letters = 1 + np.diff(device.to_host(strings.alphabet_at))
    blocks = -(-strings.candidate_length // _WORD_BITS)
    words = letters[strings.candidate_group] * blocks
    offsets = offsets_of(words)
    mask_at = xp.asarray(offsets)
    masks = xp.zeros(int(offsets[-1]), np.uint64)
    most_tokens = xp.ones(strings.groups, np.int32)
    _over(
        device, len(words), "build_masks", strings.characters, strings.candidate_begin,
        xp.asarray(strings.candidate_length), xp.asarray(strings.candidate_group.astype(np.int32)),
        strings.alphabet, strings.alphabet_at, mask_at, masks, most_tokens,
    )  # fmt: skip
    return _Masks(words, mask_at, masks, most_tokens)


def _find(device: Device, problem: Problem, strings: _Strings, tokens: _Tokens, masks: _Masks) -> Array:
    """Find all hits, in any order, one a column."""
    from esascore.align._cuda_kernels import HIT_ROWS

    xp = device.xp
    edges = np.arange(strings.groups + 1)
    token_of_group = tokens.token_at_host[np.searchsorted(strings.text_group, edges)]
    first = np.searchsorted(strings.candidate_group, edges)
    is_short = strings.candidate_length <= _WORD_BITS
    short = np.bincount(strings.candidate_group[is_short], minlength=strings.groups)
    starts = np.diff(token_of_group)
    tiles = _tiles(device, token_of_group, first[:-1], short, masks.words)
    pair_at = offsets_of((np.diff(first) - short) * starts)

    length = xp.asarray(strings.candidate_length)
    patterns = masks.mask_at, masks.masks, masks.most_tokens, tokens.codes
    limit = problem.numerator, problem.denominator
    if len(tiles):
        group = xp.asarray(strings.candidate_group.astype(np.int32))
        short_input = xp.asarray(tiles), length, strings.candidate_number, group, *patterns, tokens.places
    if pair_at[-1]:
        words = -(-int(strings.candidate_length.max()) // _WORD_BITS)
        threads = min(int(pair_at[-1]), max(1, COLUMN_BYTES // (16 * words)))
        columns = xp.empty(words * threads, np.uint64), xp.empty(words * threads, np.uint64)
        group_input = xp.asarray(pair_at), xp.asarray(first[:-1] + short), xp.asarray(token_of_group)
        long_input = *group_input, length, strings.candidate_number, *patterns, tokens.places, *columns

    capacity = max(device.least_hits, int(np.dot(np.diff(first), starts)) // 4)
    while True:
        hits, counter = xp.empty((HIT_ROWS, capacity), np.int32), xp.zeros(1, np.int64)
        if len(tiles):
            device.launch("find_hits", len(tiles), *short_input, device.shared_words, *limit, hits, counter)
        if pair_at[-1]:
            _over(device, threads, "find_long_hits", *long_input, threads, *limit, hits, counter)
        found = int(device.to_host(counter)[0])
        if found <= capacity:
            return xp.ascontiguousarray(hits[:, :found])
        capacity = found  # it is known now: the second run has room for all


def _tiles(device: Device, tokens: Host, first: Host, short: Host, words: Host) -> Host:
    """Rows (first candidate, end, first start token, end), each of one group, covering all short pairs."""
    has_any = short > 0
    group_words = np.ones(len(first), np.int64)
    group_words[has_any] = words[first[has_any]]  # the same for all short candidates of a group
    across = np.minimum(np.clip(device.shared_words // group_words, 1, TILE_CANDIDATES), np.maximum(short, 1))
    along = TILE_PAIRS // across
    columns = -(-np.diff(tokens) // along)
    count = -(-short // across) * columns
    group = np.repeat(np.arange(len(first)), count)
    row, column = np.divmod(np.arange(len(group)) - offsets_of(count)[group], columns[group])
    low = first[group] + row * across[group]
    begin = tokens[group] + column * along[group]
    high = np.minimum(low + across[group], (first + short)[group])
    end = np.minimum(begin + along[group], tokens[group + 1])
    return np.stack((low, high, begin, end), axis=1)


def _ordered(device: Device, tokens: _Tokens, hits: Array, select: bool) -> Host:
    """Sort the hits of each text by the rules of `esascore.align.match`, and select if asked."""
    from esascore.align import _cuda_kernels as k

    xp = device.xp
    if not hits.shape[1]:
        return np.empty((6, 0), np.int64)
    wide = hits.astype(np.int64)
    distance = ordered_quotients(wide[k.EDITS], wide[k.LENGTH])
    keys = [wide[k.CANDIDATE], wide[k.START], -wide[k.CHARACTERS], distance, wide[k.TEXT]]
    order = xp.lexsort(xp.stack(keys)).astype(np.int64)
    if select:
        texts = len(tokens.token_at_host) - 1
        hit_at = xp.searchsorted(wide[k.TEXT][order], xp.asarray(np.arange(texts + 1))).astype(np.int64)
        taken = xp.zeros(tokens.places.shape[1], np.uint8)
        selected = xp.zeros(len(order), np.uint8)
        _over(device, texts, "select_hits", hits, order, hit_at, tokens.token_at, taken, selected)
        order = order[xp.flatnonzero(selected)]
    return device.to_host(wide[: k.CHARACTERS, order])


def _over(device: Device, items: int, name: str, *arguments: Any) -> None:
    """Launch with at least one thread per item."""
    device.launch(name, -(-items // device.threads), *arguments)
