"""The arithmetic of PARENT over whole corpora, shared by every metric of its family.

A text, its references, the values that it should mention and further strings that entail words are one group
of interned sequences; kernels of :mod:`esascore.align.sequences` count, NumPy does the rest. Equation numbers
are those of Dhingra et al. (2019).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from esascore.align.matches import offsets_of
from esascore.align.sequences import Sequences, intern_texts, lcs_lengths, ngram_overlap, occurs_in
from esascore.errors import UsageError
from esascore.model import Detection, Input
from esascore.text.tokenize import split_white_space, split_words

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mean = Literal["arithmetic", "geometric"]
MultiRef = Literal["best-f", "independent-max"]

_F_OFFSET = 1e-8  # in the public original's denominator of F

CHUNK = 8192
"""Instances that are held as arrays at once: enough to fill the kernels, few enough to bound memory."""

CHUNK_STRINGS = 2**18
"""Strings of instances (references, values and what else entails words) that end a chunk earlier."""

_LONG = 2048


class Instance(NamedTuple):
    """One text to be scored, as strings that white space separates into tokens.

    Attributes
    ----------
    text
        The generated text.
    references
        Its references; without any it is not scored.
    values
        The strings that it should mention, one per record (equation 6).
    lexical
        Strings whose tokens entail words but need not be mentioned.
    """

    text: str
    references: Sequence[str]
    values: Sequence[str]
    lexical: Sequence[str] = ()


class Layout(NamedTuple):
    """Where the sequences of a chunk are, as sequence numbers.

    ``pairs[i]`` to ``pairs[i + 1] - 1`` are the references of text ``i``, ``records`` the same for values.
    """

    text: Indices
    reference: Indices
    value: Indices
    pairs: Indices
    records: Indices
    source: NDArray[np.bool_]


class Parts(NamedTuple):
    """What precision and recall are made of, one row per text and reference.

    ``precision`` and ``reference_recall`` are geometric means over the orders (equations 3 and 5),
    ``table_recall`` (equation 6) is that of the text, ``reference_coverage`` that of the reference, which is
    1 - lambda by the heuristic; None unless asked for. Text ``i`` has the rows ``pairs[i]:pairs[i + 1]``.
    """

    pairs: Indices
    precision: Floats
    reference_recall: Floats
    table_recall: Floats
    reference_coverage: Floats | None


Weigh = Callable[[Sequences, Layout, Sequence[str], int], NDArray[Any]]
"""Gives every token of the interned sequences of a chunk, whose strings come along with the number of its
first instance, the probability that the table entails it."""

Recall = Callable[[NDArray[Any], Indices, Layout, int], NDArray[Any]]
"""Says how many tokens of each value its text mentions, given what equation 6 says, the lengths of the
values, and the number of the first instance of the chunk."""


class Hooks(NamedTuple):
    """An entailment model; by default word overlap with values and lexical strings."""

    weigh: Weigh = lambda sequences, layout, _strings, _begin: occurs_in(sequences, layout.source)
    recall: Recall = lambda common, _lengths, _layout, _begin: common


@dataclass(frozen=True, slots=True)
class ParentSettings:
    """The settings that change numbers, and the number of threads, which does not.

    Without ``lambda_weight`` it is the heuristic. Where the model is ``ablated``, nothing is entailed when
    precision is computed, everything when recall is.
    """

    lambda_weight: float | None = 0.5
    multi_ref: MultiRef = "best-f"
    max_order: int = 4
    smoothing: float = 1e-5
    mean: Mean = "arithmetic"
    ablated: bool = False
    lowercase: bool = True
    threads: int = 1


def parts_of(instances: Sequence[Instance], settings: ParentSettings, hooks: Hooks, begin: int = 0) -> Parts:
    """Compute the parts of one chunk.

    Parameters
    ----------
    instances
        The texts with what they are compared with.
    settings
        See `ParentSettings`.
    hooks
        The entailment model.
    begin
        Number of the first instance, for the hooks.
    """
    strings: list[str] = []
    counts: list[int] = []
    for instance in instances:
        strings.append(instance.text)
        strings.extend(instance.references)
        strings.extend(instance.values)
        strings.extend(instance.lexical)
        counts += len(instance.references), len(instance.values), len(instance.lexical)
    try:  # string by string, which is faster than one call for all: most are ASCII
        strings = list(map(str.lower if settings.lowercase else str.__str__, strings))
    except TypeError:
        wrong = next(string for string in strings if not isinstance(string, str))
        raise UsageError(
            f"texts, references and tables must be strings, found {type(wrong).__name__}"
        ) from None
    layout, groups = _layout(np.array(counts, np.int64).reshape(-1, 3))
    sequences = intern_texts(strings, groups, threads=settings.threads)
    weights = hooks.weigh(sequences, layout, strings, begin)
    text_of_pair = np.repeat(layout.text, np.diff(layout.pairs))
    precision, reference_recall = _ngrams(sequences, text_of_pair, layout.reference, weights, settings)
    text_of_value = np.repeat(layout.text, np.diff(layout.records))
    common = _common(sequences, text_of_value, layout.value, settings)
    lengths = sequences.lengths[layout.value]
    table_recall = _mean_share(hooks.recall(common, lengths, layout, begin), lengths, layout.records)
    table_recall = np.repeat(table_recall, np.diff(layout.pairs))
    coverage = _coverage(sequences, layout, settings) if settings.lambda_weight is None else None
    return Parts(layout.pairs, precision, reference_recall, table_recall, coverage)


def combined(parts: Parts, settings: ParentSettings) -> Floats:
    """Make precision, recall and F of texts, (n, 3), from their parts; NaN if a text has no reference."""
    table = np.where(parts.table_recall == 0, settings.smoothing, parts.table_recall)
    weight: Floats | float | None = settings.lambda_weight
    if weight is None:
        if parts.reference_coverage is None:
            raise ValueError("the heuristic needs the coverage of the references")
        weight = 1.0 - parts.reference_coverage
    reference = parts.reference_recall
    with np.errstate(divide="ignore", invalid="ignore"):
        recall = np.exp((1.0 - weight) * np.log(reference) + weight * np.log(table))
    recall = np.where((reference == 0) | (table == 0), 0.0, recall)
    f = 2.0 * parts.precision * recall / (parts.precision + recall + _F_OFFSET)
    columns = np.column_stack((parts.precision, recall, f))
    texts = len(parts.pairs) - 1
    scores = np.full((texts, 3), np.nan)
    referenced = np.flatnonzero(np.diff(parts.pairs))
    if not len(referenced):
        return scores
    starts = parts.pairs[:-1][referenced]
    if settings.multi_ref == "independent-max":
        scores[referenced] = np.maximum.reduceat(columns, starts)
    else:
        scores[referenced] = columns[_first_best(f, starts)]
    return scores


def chunks(instances: Iterable[Instance]) -> Iterator[list[Instance]]:
    """Cut a stream of instances into lists: `CHUNK` of them, fewer where tables are large."""
    chunk: list[Instance] = []
    strings = 0
    for instance in instances:
        chunk.append(instance)
        strings += len(instance.references) + len(instance.values) + len(instance.lexical)
        if len(chunk) == CHUNK or strings >= CHUNK_STRINGS:
            yield chunk
            chunk, strings = [], 0
    if chunk:
        yield chunk


def scores_of(instances: Iterable[Instance], hooks: Hooks, settings: ParentSettings) -> Floats:
    """Score a stream of instances, (n, 3), in bounded memory."""
    found = []
    begin = 0
    for chunk in chunks(instances):
        found.append(combined(parts_of(chunk, settings, hooks, begin), settings))
        begin += len(chunk)
    return np.concatenate([np.empty((0, 3)), *found])


def _layout(counts: Indices) -> tuple[Layout, Indices]:
    """Number the sequences of a chunk: text, references, values, lexical strings of each instance."""
    sizes = 1 + counts.sum(axis=1)
    groups = offsets_of(sizes)
    text = groups[:-1]
    first_value = text + 1 + counts[:, 0]
    pairs, records = offsets_of(counts[:, 0]), offsets_of(counts[:, 1])
    reference = _ranges(text + 1, counts[:, 0])
    value = _ranges(first_value, counts[:, 1])
    source = np.zeros(groups[-1], np.bool_)
    source[_ranges(first_value, counts[:, 1] + counts[:, 2])] = True
    return Layout(text, reference, value, pairs, records, source), groups


def _ngrams(
    sequences: Sequences, text: Indices, reference: Indices, weights: NDArray[Any], settings: ParentSettings
) -> tuple[Floats, Floats]:
    """Entailed precision (equations 2, 3) and recall against the reference (equation 5) of each pair."""
    overlap = partial(ngram_overlap, sequences, text, reference, mean=settings.mean, threads=settings.threads)
    sums = overlap(np.zeros(len(weights)) if settings.ablated else weights, settings.max_order)
    if settings.ablated:
        sums[..., 2:] = overlap(np.ones(len(weights)), settings.max_order)[..., 2:]
    reward, ngrams, matched, weight = np.moveaxis(sums, -1, 0)
    precision = np.divide(reward, ngrams, out=np.zeros_like(reward), where=ngrams > 0)
    recall = np.divide(matched, weight, out=np.ones_like(matched), where=weight > 0)
    for figures in (precision, recall):
        later = figures[:, 1:]
        later[later == 0] = settings.smoothing
    return _geometric_mean(precision, 0.0), _geometric_mean(recall, settings.smoothing)


def _geometric_mean(figures: Floats, otherwise: float) -> Floats:
    """Geometric mean of each row; ``otherwise`` where one is 0."""
    with np.errstate(divide="ignore"):
        means = np.exp(np.log(figures).mean(axis=1))
    return np.where((figures == 0).any(axis=1), otherwise, means)


def _mean_share(common: NDArray[Any], lengths: Indices, records: Indices) -> Floats:
    """Mean share of each instance's values that is mentioned (equation 6).

    A value without tokens is not a record; if there is no record at all, nothing is missing: 1.
    """
    counted = lengths > 0
    shares = np.divide(common, lengths, out=np.zeros(len(lengths)), where=counted)
    owner = np.repeat(np.arange(len(records) - 1), np.diff(records))
    total = np.bincount(owner, shares, len(records) - 1)
    number = np.bincount(owner, counted, len(records) - 1)
    return np.divide(total, number, out=np.ones(len(total)), where=number > 0)


def _coverage(sequences: Sequences, layout: Layout, settings: ParentSettings) -> Floats:
    """Recall of each reference against the values of its instance."""
    per_pair = np.repeat(np.diff(layout.records), np.diff(layout.pairs))
    reference = np.repeat(layout.reference, per_pair)
    value = layout.value[_ranges(np.repeat(layout.records[:-1], np.diff(layout.pairs)), per_pair)]
    common = _common(sequences, reference, value, settings)
    return _mean_share(common, sequences.lengths[value], offsets_of(per_pair))


def _common(sequences: Sequences, text: Indices, value: Indices, settings: ParentSettings) -> NDArray[Any]:
    """Return length of the longest common subsequence of each text and value."""
    # The first of a pair is turned into masks, which is fast for a text with many values, but takes memory
    # with the square of its length: a very long text comes second.
    lengths = sequences.lengths
    swapped = (lengths[text] > _LONG) & (lengths[value] < lengths[text])
    if swapped.any():
        text, value = np.where(swapped, value, text), np.where(swapped, text, value)
    return lcs_lengths(sequences, text, value, threads=settings.threads)


def _first_best(f: Floats, starts: Indices) -> Indices:
    """Return index of the first largest F of each run that begins at ``starts``."""
    best = np.maximum.reduceat(f, starts)
    reached = f == np.repeat(best, np.diff(starts, append=len(f)))
    places = np.where(reached, np.arange(len(f)), len(f))
    return np.minimum.reduceat(places, starts)


def _ranges(starts: Indices, counts: Indices) -> Indices:
    """Return the numbers ``starts[i]`` to ``starts[i] + counts[i] - 1`` for every i, joined."""
    offsets = offsets_of(counts)
    return np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], counts)


def alignment_hooks(
    inputs: Sequence[Input],
    texts: Sequence[Detection],
    references: Sequence[Sequence[Detection]],
    *,
    words: bool,
) -> Hooks:
    """Make the model of detections in texts and in their references, with one entry per input.

    ``words`` says that tokens are words, not runs between white space.
    """
    split = split_words if words else split_white_space

    def weigh(sequences: Sequences, layout: Layout, strings: Sequence[str], begin: int) -> NDArray[np.bool_]:
        entailed = occurs_in(sequences, layout.source)
        found = [
            *texts[begin : begin + len(layout.text)],
            *(one for listed in references[begin : begin + len(layout.text)] for one in listed),
        ]
        for number, detection in zip((*layout.text, *layout.reference), found, strict=True):
            begin_token, end_token = sequences.offsets[number], sequences.offsets[number + 1]
            entailed[begin_token:end_token] |= covered(detection, words=words)
        return entailed

    def recall(common: NDArray[Any], lengths: Indices, layout: Layout, begin: int) -> NDArray[Any]:
        least: list[int] = []
        for number in range(begin, begin + len(layout.text)):
            there = set(texts[number].entities) - set(texts[number].undetected)
            for record in _pieces(inputs[number]):
                least.append(sum(len(split(written)) for term, written in record if term in there))
        mentioned: NDArray[np.int64] = np.maximum(common, np.minimum(np.array(least, np.int64), lengths))
        return mentioned

    return Hooks(weigh, recall)


def covered(detection: Detection, *, words: bool = False) -> NDArray[np.bool_]:
    """Return for every token of a text whether a mention touches it.

    Examples
    --------
    >>> from esascore.model import Mention
    >>> mention = Mention("1965-12-22", 8, 24, "December 22, 1965", "date")
    >>> covered(Detection("born on December 22, 1965.", ("1965-12-22",), (mention,), ())).tolist()
    [False, False, True, True, True]
    """
    tokens = split_words(detection.text) if words else split_white_space(detection.text)
    touched = np.zeros(len(tokens), np.bool_)
    starts, ends = np.array(tokens.starts, np.int64), np.array(tokens.ends, np.int64)
    for mention in detection.mentions:
        first = np.searchsorted(ends, mention.start, side="right")
        last = np.searchsorted(starts, mention.end, side="left")
        touched[first:last] = True
    return touched


def _pieces(source: Input) -> list[list[tuple[str, str]]]:
    """Return per record the terms that make its value, each with the way PARENT writes it."""
    if source.table is not None:
        return [[(cell.value, cell.value)] if cell.highlighted else [] for cell in source.table.cells]
    return [
        [(term, term.replace("_", " ")) for term in (triple.subject, triple.object)]
        for triple in source.triples
    ]
