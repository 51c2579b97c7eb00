"""Longest common subsequences and n-gram counts over interned tokens, for whole corpora at once.

Tokens become numbers once (:func:`intern_texts`); everything else works on arrays: :func:`occurs_in`,
:func:`lcs_lengths`, :func:`ngram_overlap` and :func:`largest_shares`. N-grams are compared exactly, never by
hash alone. Little work runs in plain Python, other work in compiled kernels, in threads if asked. Neither
changes a result.

Examples
--------
PARENT for one text: how much of the table's values it mentions (equation 6 of the paper), and its n-grams
against a reference, where words of the table count as entailed (equations 2 and 5).

>>> texts = ["paris is in france", "paris is a city", "paris", "la france"]   # text, reference, values
>>> sequences = intern_texts(texts)
>>> lcs_lengths(sequences, [0, 0], [2, 3]).tolist()
[1, 1]
>>> in_table = occurs_in(sequences, [False, False, True, True])
>>> in_table[:4].tolist()
[True, False, False, True]
>>> ngram_overlap(sequences, [0], [1], in_table, max_order=2)[0].tolist()
[[3.0, 4.0, 1.0, 1.0], [1.5, 3.0, 0.5, 0.5]]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esascore.align import _sequences_py, backends
from esascore.align.compiled import SEQUENCES
from esascore.align.matches import code_points, offsets_of
from esascore.errors import UsageError

__all__ = ["Sequences", "intern_texts", "largest_shares", "lcs_lengths", "ngram_overlap", "occurs_in"]

Backend = Literal["auto", "numba", "python"]

Ints = NDArray[np.int32]
Offsets = NDArray[np.int64]

_WORDS = 1 << 12
"""Words of memory that a kernel is given at first."""


@dataclass(frozen=True, slots=True, eq=False)
class Sequences:
    """Token sequences as numbers, joined.

    Sequence ``s`` is ``ids[offsets[s]:offsets[s + 1]]``; group ``g`` is the sequences ``groups[g]`` to
    ``groups[g + 1] - 1``. Within a group equal tokens, and only they, have equal ids, numbered from 0 in
    order of first occurrence; ``sizes[g]`` is how many there are. Ids of different groups mean nothing to
    each other.

    Examples
    --------
    >>> sequences = intern_texts(["a rose is a rose", "is it"])
    >>> sequences.ids.tolist(), sequences.offsets.tolist(), sequences.sizes.tolist()
    ([0, 1, 2, 0, 1, 2, 3], [0, 5, 7], [4])
    >>> len(sequences)
    2
    """

    ids: Ints
    offsets: Offsets
    groups: Offsets
    sizes: Ints

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Offsets:
        """Tokens of each sequence."""
        return np.diff(self.offsets)


def intern_texts(
    texts: Sequence[str], groups: ArrayLike | None = None, *, threads: int = 1, backend: Backend = "auto"
) -> Sequences:
    r"""Split texts at white space, as ``str.split`` does, and turn their tokens into numbers.

    Parameters
    ----------
    texts
        The texts; case and everything else is kept.
    groups
        Offsets of groups of texts: texts ``groups[g]`` to ``groups[g + 1] - 1`` share their numbers. Small
        groups (a text with its references and table) are faster than one for all, and run in threads.
        Without it all texts are one group.
    threads
        How many threads.
    backend
        ``"python"``, ``"numba"`` or ``"auto"``. All give the same result.

    Examples
    --------
    >>> intern_texts(["Paris  is\tin France", "France", "France", ""], [0, 2, 4]).ids.tolist()
    [0, 1, 2, 3, 3, 0]
    """
    limits = _integers([0, len(texts)] if groups is None else groups)
    if not _compiled(backend, backends.CHARACTER * sum(map(len, texts))):
        return Sequences(*_sequences_py.intern_texts(texts, limits))
    codes, borders = code_points("".join(texts)), offsets_of(list(map(len, texts)))
    places = offsets_of((np.diff(borders) + 1) // 2)  # a token has a character and a separator
    roomy = np.empty(places[-1], np.int32)
    counts = np.zeros(len(texts), np.int64)
    sizes = np.zeros(len(limits) - 1, np.int32)
    arguments = codes, borders, limits, places, roomy, counts, sizes
    _run("intern_texts", arguments, borders[limits], threads)
    offsets = offsets_of(counts)
    taken = np.arange(offsets[-1]) + np.repeat(places[:-1] - offsets[:-1], counts)
    return Sequences(roomy[taken], offsets, limits, sizes)


def occurs_in(sequences: Sequences, source: ArrayLike) -> NDArray[np.bool_]:
    """Return for every token whether it occurs in a source sequence of its group.

    Parameters
    ----------
    sequences
        The interned sequences.
    source
        One truth value per sequence: is it a source?

    Returns
    -------
    One truth value per token, in the order of ``sequences.ids``.

    Examples
    --------
    >>> occurs_in(intern_texts(["paris is big", "big paris"]), [False, True]).tolist()
    [True, False, True, True, True]
    """
    chosen = np.ascontiguousarray(source, np.bool_)
    first_id = offsets_of(sequences.sizes)  # of each group, if no two groups shared any
    tokens = np.diff(sequences.offsets[sequences.groups])
    distinct = sequences.ids + np.repeat(first_id[:-1], tokens)
    known = np.zeros(first_id[-1], np.bool_)
    known[distinct[np.repeat(chosen, sequences.lengths)]] = True
    return known[distinct]


def lcs_lengths(
    sequences: Sequences, first: ArrayLike, second: ArrayLike, *, threads: int = 1, backend: Backend = "auto"
) -> Ints:
    """Return length of the longest common subsequence of pairs of sequences.

    Parameters
    ----------
    sequences
        The interned sequences.
    first, second
        The pairs, as two columns of sequence numbers of the same group. Fastest where pairs with the same
        ``first`` are neighbours and it is the longer one: a text against the values of its table.
    threads, backend
        As for :func:`intern_texts`.

    Examples
    --------
    >>> sequences = intern_texts(["born on december 22 1965 in boston", "december 22 1965", "1965 december"])
    >>> lcs_lengths(sequences, [0, 0], [1, 2]).tolist()
    [3, 1]
    """
    a, b = _integers(first), _integers(second)
    if not _compiled(backend):
        return _sequences_py.lcs_lengths(sequences.ids, sequences.offsets, a, b)
    found = np.empty(len(a), np.int32)
    arguments = sequences.ids, _size(sequences), sequences.offsets, a, b, found
    _run("lcs_lengths", arguments, offsets_of(sequences.lengths[a] + sequences.lengths[b]), threads)
    return found


def ngram_overlap(
    sequences: Sequences,
    first: ArrayLike,
    second: ArrayLike,
    weights: ArrayLike,
    max_order: int = 4,
    *,
    mean: Literal["arithmetic", "geometric"] = "arithmetic",
    threads: int = 1,
    backend: Backend = "auto",
) -> NDArray[np.float64]:
    """Overlap of the n-grams of pairs of texts where every token has a weight: the sums inside PARENT.

    With c1(g) and c2(g) the counts of the n-gram g in the first and second text, m(g) = min(c1(g), c2(g)),
    and w1(g) and w2(g) the mean weight of its tokens (arithmetic or geometric, averaged over its occurrences
    in that text), the four sums are:

    0. of m(g) + (c1(g) - m(g)) w1(g): what is matched counts fully, the rest by its weight;
    1. of c1(g): the n-grams of the first text;
    2. of m(g) w2(g): the matched weight;
    3. of c2(g) w2(g): the weight of the second text.

    With the generated text first, its reference second and weights that say what the table entails, sum 0
    over sum 1 is PARENT's entailed precision (equation 2) and sum 2 over sum 3 its entailed recall against
    the reference (equation 5).

    Parameters
    ----------
    sequences
        The interned sequences.
    first, second
        The pairs, as two columns of sequence numbers of the same group; fastest where pairs with the same
        ``first`` are neighbours.
    weights
        One weight per token, in the order of ``sequences.ids``, finite and not negative.
    max_order
        Longest n-grams.
    threads, backend
        As for :func:`intern_texts`.
    mean
        How the weights of its tokens make the weight of an n-gram.

    Returns
    -------
    Sums, of shape (pairs, ``max_order``, 4).

    Examples
    --------
    >>> sequences = intern_texts(["a b a", "a a c"])
    >>> ngram_overlap(sequences, [0], [1], [0.5, 0, 0.5, 0.5, 0.5, 1], max_order=1).tolist()
    [[[2.0, 3.0, 1.0, 2.0]]]
    """
    values = np.ascontiguousarray(weights, np.float64)
    a, b = _integers(first), _integers(second)
    geometric = mean == "geometric"
    if not _compiled(backend):
        return _sequences_py.ngram_overlap(
            sequences.ids, sequences.offsets, max_order, values, geometric, a, b
        )
    sums = np.empty((len(a), max_order, 4), np.float64)
    settings = _size(sequences), max_order, int(geometric)
    arguments = sums, sequences.ids, sequences.offsets, values, a, b, *settings
    _run("ngram_overlap", arguments, offsets_of(sequences.lengths[a] + sequences.lengths[b]), threads)
    return sums


def largest_shares(
    sequences: Sequences,
    source: ArrayLike,
    words: NDArray[np.int64],
    table: tuple[NDArray[Any], ...],
    *,
    threads: int = 1,
    backend: Backend = "auto",
) -> NDArray[np.float64]:
    """Largest share of each token, over the items of its group, that a table of counts says: n(v, g) / n(v).

    Parameters
    ----------
    sequences
        The interned sequences.
    source
        One truth value per sequence: are its tokens items? A token that is one has the share 1.
    words
        For each token its number in the table; -1 where it has none.
    table
        Totals n(v) of each word; where the row of each word begins, and the end; numbers of the words g of
        all rows, sorted within a row; and their counts n(v, g).
    threads, backend
        As for :func:`intern_texts`.

    Examples
    --------
    >>> sequences = intern_texts(["plays drums", "drummer"])
    >>> table = np.array([0, 0, 2]), np.array([0, 0, 0, 2]), np.array([0, 1]), np.array([1.0, 2.0])
    >>> largest_shares(sequences, [False, True], np.array([0, 1, 2]), table).tolist()
    [0.5, 1.0, 1.0]
    """
    totals = table[0]
    shares = occurs_in(sequences, source).astype(np.float64)
    at = sequences.offsets[sequences.groups]
    item = np.repeat(np.ascontiguousarray(source, np.bool_), sequences.lengths) & (words >= 0)
    item[item] = totals[words[item]] > 0
    owner = np.repeat(np.arange(len(at) - 1), np.diff(at))
    keys = np.unique(owner[item] * len(totals) + words[item])  # each item of a group once
    item_at = np.searchsorted(keys, np.arange(len(at)) * len(totals))
    arguments = words, at, keys % max(1, len(totals)), item_at, *table
    if _compiled(backend):
        _run("largest_shares", (*arguments, shares), at, threads)
    else:
        _sequences_py.largest_shares(*arguments, shares=shares)
    return shares


def _compiled(asked: str, plain: float | None = None) -> bool:
    """Return whether to use compiled code, for work that takes plain Python so many microseconds.

    The first step, interning, decides for all: without ``plain`` code that is there is used.
    """
    if asked not in ("auto", "numba", "python"):
        raise UsageError(f"backend must be 'auto', 'numba' or 'python', not {asked!r}")
    # The environment may name a backend of `match` that has no kernels for sequences: it means auto here.
    wanted = backends.wanted(asked)
    if wanted in ("numba", "python"):
        return wanted == "numba"
    return SEQUENCES.is_loaded() if plain is None else backends.pays(SEQUENCES, plain)


def _run(kernel: str, arguments: tuple[Any, ...], work: Offsets, threads: int) -> None:
    """Run a kernel over the ranges of a work list, in threads, cut where the cumulated work is even.

    ``work`` has one entry more than the list, as offsets have. Kernels release the GIL.
    """
    if threads < 1:
        raise UsageError(f"threads must be at least 1, not {threads}")
    code = SEQUENCES.code

    def run(begin: int, end: int) -> None:
        memory = np.empty(_WORDS, np.uint64)
        while wanted := code.call(kernel, *arguments, begin, end, memory, len(memory)):
            memory = np.empty(wanted, np.uint64)

    items = len(work) - 1
    if threads == 1 or items < 2:
        run(0, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    parts = min(items, 4 * threads)  # more parts than threads: an uneven one does not stop the others
    cuts = np.searchsorted(work, np.linspace(work[0], work[-1], parts + 1)[1:-1])
    borders = np.unique(np.concatenate([[0], cuts, [items]])).tolist()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, borders[:-1], borders[1:]))


def _size(sequences: Sequences) -> int:
    """Ids of the largest group, at least 1: what arrays over ids and keys of n-grams need."""
    return max(1, int(sequences.sizes.max(initial=0)))


def _integers(numbers: ArrayLike) -> Offsets:
    return np.ascontiguousarray(numbers, np.int64)
