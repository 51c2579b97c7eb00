"""PARENT: precision and recall of the n-grams that a table entails (Dhingra et al. 2019).

Three models say with which probability the table entails a word: `Parent` (W, the word occurs in the table),
`ParentC` (C, co-occurrence in training data) and `ParentE` (E, a mention of one of the table's entities was
detected there). All conventions are those of the public original unless said otherwise; ``docs/parent.md``
lists them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from os import PathLike
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from esascore._version import __version__
from esascore.errors import DataError, UsageError
from esascore.metrics._parent import (
    Hooks,
    Instance,
    Mean,
    MultiRef,
    ParentSettings,
    alignment_hooks,
    chunks,
    combined,
    parts_of,
    scores_of,
)
from esascore.metrics.base import Batch, Column, Detector, Need, Score, Signature, Statistics
from esascore.metrics.bases import DetectorMetric, MeanMetric
from esascore.metrics.cooccurrence import Cooccurrence, read_counts
from esascore.metrics.parent_options import ParentOptions
from esascore.model import Cell, Detection, Example, Input, Reference
from esascore.text.tokenize import split_words
from esascore.text.words import spaced

Tokenizer = Literal["whitespace", "words", "13a", "characters"]
TableLike = Sequence[Sequence[str]]
"""(attribute, value) or (head, relation, tail) strings."""
Columns = tuple[Sequence[str], Sequence[Sequence[str]], Sequence[Any]]
"""Texts, the references of each, and the table of each."""


def columns_of(name: str, title: str) -> tuple[Column, ...]:
    """Return what tables show of a metric of the family."""
    ends = (
        ("", "", "F-measure of its P and R"),
        ("_precision", " P", "share of a text's n-grams that a reference or the input supports"),
        ("_recall", " R", "share of the references and of the input that a text covers"),
    )
    return tuple(Column(name + field, title + header, meaning=meaning) for field, header, meaning in ends)


class Parent(MeanMetric):
    """PARENT with the word overlap model: a word that occurs in a value of the table is entailed by it.

    Parameters
    ----------
    lambda_weight
        How much recall against the table counts, between 0 (only the reference) and 1 (only the table). None
        is the heuristic: for each reference 1 - its own recall against the table.
    smoothing
        The value that replaces a zero in geometric means.
    max_order
        Longest n-grams.
    attributes
        Whether words of attribute or relation names are entailed too, as the paper says; the public original
        looks at the values only.
    entailment
        ``"overlap"``, or ``"none"`` for the ablation of the paper's section 5.5: nothing is entailed when
        precision is computed, everything when recall is.
    multi_ref
        ``"best-f"`` takes precision and recall of the reference with the best F (the first of equals),
        ``"independent-max"`` the largest precision, recall and F, whichever references have them.
    tokenizer
        ``"whitespace"``; ``"words"`` separates punctuation too; ``"13a"`` is that of sacrebleu (needs the
        extra ``bleu``); ``"characters"`` also separates the letters of scripts without spaces.
    lowercase
        Whether case is ignored.
    threads
        Threads that compute; never changes a number.

    Notes
    -----
    The statistics of a text are its precision, recall and F; NaN if it has no reference. The score of a
    corpus is the mean F.

    Examples
    --------
    >>> table = [("name", "michael dahlquist"), ("born", "december 22 1965")]
    >>> text = "michael dahlquist ( december 22 1965 ) was a drummer"
    >>> reference = "michael dahlquist was a drummer in the band silkworm"
    >>> Parent().segments([text], [[reference]], [table]).round(4).tolist()
    [[0.6632, 0.0535, 0.0989]]
    >>> score = Parent(lambda_weight=None).corpus([text, ""], [[reference], [reference]], [table, table])
    >>> round(score.value, 4), score.fields["parent_undefined"]
    (0.0495, 0)
    """

    name: ClassVar[str] = "parent"
    with_references: ClassVar[bool] = True
    columns: ClassVar[tuple[Column, ...]] = columns_of("parent", "PARENT")
    measures: ClassVar[tuple[str, ...]] = ("precision", "recall", "")
    _mean: ClassVar[Mean] = "arithmetic"
    _options: ClassVar[tuple[str, ...]] = ("lambda_weight", "multi_ref", "tokenizer", "attributes")

    def __init__(
        self,
        lambda_weight: float | None = 0.5,
        *,
        smoothing: float = 1e-5,
        max_order: int = 4,
        attributes: bool = False,
        entailment: Literal["overlap", "none"] = "overlap",
        multi_ref: MultiRef = "best-f",
        tokenizer: Tokenizer = "whitespace",
        lowercase: bool = True,
        threads: int = 1,
    ):
        if lambda_weight is not None and not 0 <= lambda_weight <= 1:
            raise UsageError(
                f"lambda must be between 0 and 1, or None for the heuristic, not {lambda_weight}"
            )
        if not 0 <= smoothing <= 1:
            raise UsageError(f"smoothing must be between 0 and 1, not {smoothing}")
        if max_order < 1:
            raise UsageError(f"the longest n-grams must have at least 1 token, not {max_order}")
        _one_of("entailment", entailment, ("overlap", "none"))
        _one_of("multi_ref", multi_ref, get_args(MultiRef))
        self.attributes = attributes
        self.entailment: str = entailment
        self.tokenizer = tokenizer
        self._tokenize = tokenizer_of(tokenizer)
        self.settings = ParentSettings(
            lambda_weight=lambda_weight,
            multi_ref=multi_ref,
            max_order=max_order,
            smoothing=smoothing,
            mean=self._mean,
            ablated=entailment == "none",
            lowercase=lowercase,
            threads=threads,
        )

    @classmethod
    def create(cls, detector: Detector, options: ParentOptions) -> Self:
        """Make the metric with the options that it takes."""
        return cls(**options.given(cls._options))

    def segments(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]], tables: Sequence[TableLike]
    ) -> NDArray[np.float64]:
        """Score texts one by one.

        Parameters
        ----------
        predictions
            The generated texts.
        references
            For each text its references.
        tables
            For each text its table, a list of (attribute, value) or (head, relation, tail) strings, taken as
            they stand (replace underscores by spaces yourself). Head and tail of a triple are one value.

        Returns
        -------
        Precision, recall and F of each text, (n, 3); NaN for a text without any reference.

        Raises
        ------
        DataError
            The lists differ in length, or an entry of a table has neither two nor three parts.
        """
        return scores_of(*self._prepared((predictions, references, tables)), self.settings)

    def corpus(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]], tables: Sequence[TableLike]
    ) -> Score:
        """Score texts together; arguments as for `segments`."""
        return self.score_statistics(self.segments(predictions, references, tables))

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text precision, recall and F."""
        columns = batch.texts, references_of(batch.examples), tables_of(batch.examples)
        return scores_of(*self._prepared(columns, batch), self.settings)

    def stream(self, items: Iterator[tuple[str, Sequence[str], TableLike]]) -> Iterator[NDArray[np.float64]]:
        """Score (text, references, table) items as they come, some thousands at a time, in bounded memory.

        Examples
        --------
        >>> item = ("a b", ["a b"], [("x", "a b")])
        >>> [chunk.shape for chunk in Parent().stream(iter([item] * 10000))]
        [(8192, 3), (1808, 3)]
        """
        for chunk in chunks(self._instance(*item, number) for number, item in enumerate(items, 1)):
            yield scores_of(chunk, self._hooks(), self.settings)

    def signature(self) -> Signature:
        """Return every setting that can change a number."""
        settings = self.settings
        return Signature.of(
            {
                "esascore": __version__,
                "tok": self.tokenizer,
                "case": "lc" if settings.lowercase else "mixed",
                "lambda": "heuristic" if settings.lambda_weight is None else f"{settings.lambda_weight:g}",
                "entailment": self._model(),
                "refs": settings.multi_ref,
                "order": str(settings.max_order),
                "epsilon": f"{settings.smoothing:g}",
            }
        )

    def _model(self) -> str:
        """Return the entailment model as the signature names it."""
        return "overlap+attributes" if self.attributes and self.entailment == "overlap" else self.entailment

    def _lexical(self, table: TableLike) -> list[str]:
        """Return what the entries of a table add to its lexical items besides their values."""
        return _attributes(table) if self.attributes else []

    def _prepared(self, columns: Columns, batch: Batch | None = None) -> tuple[Iterable[Instance], Hooks]:
        """Return the instances, and how the entailment model differs from word overlap."""
        texts, references, tables = map(len, columns)
        if not texts == references == tables:
            raise DataError(
                f"{texts} texts, {references} lists of references and {tables} tables: each text needs both"
            )
        items = enumerate(zip(*columns, strict=True), 1)
        return (self._instance(*item, number) for number, item in items), self._hooks(columns, batch)

    def _instance(self, text: str, references: Sequence[str], table: TableLike, number: int) -> Instance:
        if isinstance(references, str):
            raise UsageError(f"the references of text {number} are one string: give a list of strings")
        sizes = _sizes(table, number)
        values = [e[1] if size == 2 else f"{e[0]} {e[2]}" for e, size in zip(table, sizes, strict=True)]
        return self._tokenised(Instance(text, references, values, self._lexical(table)))

    def _tokenised(self, instance: Instance) -> Instance:
        """Put spaces between the tokens of all strings."""
        if self._tokenize is None:
            return instance
        text, *lists = instance
        return Instance(self._tokens(text), *([self._tokens(one) for one in strings] for strings in lists))

    def _tokens(self, text: str) -> str:
        """A string with spaces between its tokens; lower-cased first, since tokenizers may look at case."""
        if self._tokenize is None:
            return text
        return self._tokenize(text.lower() if self.settings.lowercase else text)

    def _hooks(self, columns: Columns | None = None, batch: Batch | None = None) -> Hooks:
        return Hooks()


class ParentC(Parent):
    """PARENT with the co-occurrence model (equation 1 of the paper).

    A word that is a lexical item of the table has probability 1, any other the largest share, over the
    table's lexical items, of training pairs with that item whose text has the word. An n-gram has the
    geometric mean of its words. Lexical items are the words of values, and each attribute or relation name
    with its words joined by ``_``.

    Parameters
    ----------
    counts
        Counts of training data, or the file that holds them (see `esascore.metrics.cooccurrence`).
    lambda_weight, **options
        As for `Parent`, without ``attributes`` and ``entailment``.

    Examples
    --------
    >>> from esascore.metrics.cooccurrence import count_rows
    >>> table = [("occupation", "drummer")]
    >>> counts = Cooccurrence.of(count_rows([(table, "she plays drums"), (table, "a drummer")]))
    >>> text, references = "ann plays drums", ["ann plays the drums"]
    >>> metrics = Parent(), ParentC(counts)
    >>> [metric.segments([text], [references], [table])[0, 0].round(5).item() for metric in metrics]
    [0.00266, 0.00294]
    """

    name: ClassVar[str] = "parent-c"
    columns: ClassVar[tuple[Column, ...]] = columns_of("parent-c", "PARENT-C")
    _mean: ClassVar[Mean] = "geometric"
    _options: ClassVar[tuple[str, ...]] = ("lambda_weight", "multi_ref", "tokenizer")

    def __init__(
        self, counts: Cooccurrence | str | PathLike[str], lambda_weight: float | None = 0.5, **options: Any
    ):
        _refuse(options, "attributes", "entailment")
        super().__init__(lambda_weight, **options)
        self._counts = counts if isinstance(counts, Cooccurrence) else read_counts(counts)

    @classmethod
    def create(cls, detector: Detector, options: ParentOptions) -> Self:
        """Make the metric with the options that it takes."""
        if options.cooccurrence is None:
            raise UsageError(
                "parent-c needs counts of training data: make them with "
                "esascore parent cooccurrence TRAIN -o FILE and give --cooccurrence FILE"
            )
        return cls(options.cooccurrence, **options.given(cls._options))

    def _model(self) -> str:
        return f"cooccurrence-{self._counts.digest}"

    def _lexical(self, table: TableLike) -> list[str]:
        return ["_".join(name.split()) for name in _attributes(table)]

    def _hooks(self, columns: Columns | None = None, batch: Batch | None = None) -> Hooks:
        return Hooks(
            lambda sequences, layout, strings, _begin: self._counts.weights(
                sequences, layout.source, strings, threads=self.settings.threads
            )
        )


class ParentE(DetectorMetric, Parent):
    """PARENT with the alignment model: words of detected mentions are entailed, however they are phrased.

    A word counts as entailed where it occurs in the table, and where a mention of one of the table's entities
    was detected (a paraphrased name, date or number). A value of the table counts as mentioned as far as its
    words occur in order, and wholly where its entities were detected. The heuristic for lambda is that of
    `Parent`: it asks how far a reference diverges from the table in its wording.

    Parameters
    ----------
    detector
        The pipeline that detects entities; None builds the default one.
    lambda_weight, **options
        As for `Parent`, without ``entailment``.

    Examples
    --------
    >>> from esascore import Graph
    >>> from esascore.model import Example, Reference
    >>> graph = Graph.from_triples([("Ann_Lee", "birthDate", "1965-12-22")])
    >>> example = Example("Id1", graph, (Reference("Id1", "Ann Lee was born on 22 December 1965 ."),))
    >>> metric = ParentE()
    >>> batch = metric.batch([example], ["Ann Lee , born December 22 , 1965"])
    >>> [m.statistics(batch)[0, 2].round(4).item() for m in (Parent(), metric)]
    [0.0744, 0.0875]
    """

    name: ClassVar[str] = "parent-e"
    columns: ClassVar[tuple[Column, ...]] = columns_of("parent-e", "PARENT-E")
    needs: ClassVar[Need] = "detections"

    def __init__(self, detector: Detector | None = None, lambda_weight: float | None = 0.5, **options: Any):
        _refuse(options, "entailment")
        Parent.__init__(self, lambda_weight, **options)
        if self.tokenizer in ("13a", "characters"):
            raise UsageError("the alignment model needs the positions of tokens: use tokenizer 'words'")
        DetectorMetric.__init__(self, detector=detector)

    @classmethod
    def create(cls, detector: Detector, options: ParentOptions) -> Self:
        """Make the metric with the options that it takes."""
        return cls(detector, **options.given(cls._options))

    def batch(self, examples: Sequence[Example], texts: Sequence[str]) -> Batch:
        """Make a batch whose entities this metric's pipeline detects."""
        pairs = [(example.input, text) for example, text in zip(examples, texts, strict=True)]
        return Batch(examples, texts, detect=lambda: self._detector.detect(pairs))

    def _hooks(self, columns: Columns | None = None, batch: Batch | None = None) -> Hooks:
        if batch is None:
            if columns is None:
                raise UsageError("parent-e detects entities in whole lists of texts: score them by segments")
            texts, references, tables = columns
            batch = self.batch(_examples(references, tables), texts)
        inputs = [example.input for example in batch.examples]
        found = self._detected(batch.examples)
        return alignment_hooks(inputs, batch.detections, found, words=self.tokenizer == "words")

    def signature(self) -> Signature:
        """Return the settings of PARENT and those of detection."""
        parts = dict(super().signature().parts)
        return Signature.of({**parts, **self._detector.signature_parts()})

    def _model(self) -> str:
        return "alignment+attributes" if self.attributes else "alignment"

    def _detected(self, examples: Sequence[Example]) -> list[list[Detection]]:
        """Detections of every reference, of equal ones once: texts of all systems share them."""
        keys = [[(example.input, reference.text) for reference in example.references] for example in examples]
        distinct = list(dict.fromkeys(chain.from_iterable(keys)))
        found = dict(zip(distinct, self._detector.detect(distinct), strict=True))
        return [[found[key] for key in own] for own in keys]


class PseudoParent(Parent):
    """PARENT for inputs that are plain text: every word of the input is a value of its own.

    A word is entailed where the input has it; recall against the input is the share of its words, repetitions
    counted, that the text has. All else is as in `Parent`, but a table may be one string, and is else written
    as one (see `input_text`).

    Parameters
    ----------
    lambda_weight, **options
        As for `Parent`, without ``attributes`` and ``entailment``.

    Examples
    --------
    >>> metric = PseudoParent()
    >>> inputs = ["Bionico country Mexico"]
    >>> metric.segments(["Bionico is from Mexico"], [["Bionico comes from Mexico"]], inputs).round(4).tolist()
    [[0.5, 0.0421, 0.0777]]
    """

    name: ClassVar[str] = "pseudo-parent"
    columns: ClassVar[tuple[Column, ...]] = columns_of("pseudo-parent", "PseudoPARENT")
    _options: ClassVar[tuple[str, ...]] = ParentC._options

    def __init__(self, lambda_weight: float | None = 0.5, **options: Any):
        _refuse(options, "attributes", "entailment")
        super().__init__(lambda_weight, **options)

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text precision, recall and F."""
        inputs = [input_text(example) for example in batch.examples]
        return self.segments(batch.texts, references_of(batch.examples), inputs)

    def _instance(
        self, text: str, references: Sequence[str], table: str | TableLike, number: int
    ) -> Instance:
        plain = super()._instance(text, references, (), number)
        source = table if isinstance(table, str) else _written(table)
        return plain._replace(values=self._tokens(source).split())

    def _model(self) -> str:
        return "input-words"


def input_text(example: Example) -> str:
    """The input as text: that of the corpus, otherwise records as ``head relation tail``, joined by spaces.

    Underscores and camel case are split.

    Examples
    --------
    >>> from esascore.model import Input
    >>> graph = Input.from_triples([("Ann_Lee", "birthPlace", '"New_Town"'), ("Ann_Lee", "isA", "USCitizen")])
    >>> input_text(Example("Id1", graph))
    'Ann Lee birth Place "New Town" Ann Lee is A US Citizen'
    """
    if example.input_text is not None:
        return example.input_text
    source = example.input
    if source.table is not None:
        return _written([(cell.attribute, cell.value) for cell in source.table.cells if cell.highlighted])
    return _written([(t.subject, t.predicate, t.object) for t in source.triples])


def _written(table: TableLike) -> str:
    joined = " ".join(part for entry in table for part in entry)
    return " ".join(spaced(joined).split())


def tune_lambda(
    metric: Parent,
    systems: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    tables: Sequence[TableLike],
    ratings: Any,
    *,
    steps: int = 100,
) -> tuple[float, float]:
    """Find the one lambda whose system scores follow human ratings best (PARENT* of the paper).

    Parameters
    ----------
    metric
        Says everything but lambda.
    systems
        For each system its texts.
    references, tables
        As for `Parent.segments`.
    ratings
        Human ratings, one row per system, one column per text.
    steps
        How many steps to try between 0 and 1.

    Returns
    -------
    The smallest lambda with the largest Pearson correlation of systems' mean F and mean rating, and that
    correlation. Tuned and tested on the same ratings, it is too good to be true for others.

    Raises
    ------
    UsageError
        Fewer than three systems, ratings of another shape, or none of the correlations is defined.

    Examples
    --------
    >>> systems = [["a b c d", "a b"], ["a b c", "c b"], ["d c", "c d"]]
    >>> references, tables = [["a b c d"], ["a c"]], [[("x", "b")], [("x", "c")]]
    >>> weight, correlation = tune_lambda(
    ...     Parent(), systems, references, tables, [[3, 2], [2, 2], [1, 1]], steps=4
    ... )
    >>> weight, round(correlation, 4)
    (1.0, 0.8161)
    """
    rated = np.asarray(ratings, np.float64)
    if len(systems) < 3:
        raise UsageError(f"a correlation needs at least 3 systems, found {len(systems)}")
    if rated.shape != (len(systems), len(references)):
        raise UsageError(
            f"ratings must have one row for each of {len(systems)} systems and one column for each of "
            f"{len(references)} texts, found shape {rated.shape}"
        )
    settings = metric.settings
    prepared = [metric._prepared((texts, references, tables)) for texts in systems]
    parts = [parts_of(list(instances), settings, hooks) for instances, hooks in prepared]
    candidates = np.linspace(0, 1, steps + 1)
    tried = [replace(settings, lambda_weight=float(weight)) for weight in candidates]
    means = np.array([[np.nanmean(combined(part, one)[:, 2]) for part in parts] for one in tried])
    wanted = rated.mean(axis=1)
    defined = (np.ptp(means, axis=1) > 0) & (np.ptp(wanted) > 0)
    wanted = wanted - wanted.mean()
    means = means - means.mean(axis=1, keepdims=True)
    spread = np.sqrt((means**2).sum(axis=1) * (wanted**2).sum())
    if not defined.any():
        raise UsageError("no lambda can be tuned: all systems have the same score or the same rating")
    correlations = np.divide(means @ wanted, spread, out=np.full(len(spread), -np.inf), where=defined)
    best = int(correlations.argmax())
    return float(candidates[best]), float(correlations[best])


def tables_of(examples: Sequence[Example]) -> list[list[tuple[str, ...]]]:
    """Tables of examples as PARENT takes them: underscores of a graph's terms become spaces, quotes stay.

    Examples
    --------
    >>> graph = Input.from_triples([("Ann_Lee", "birthPlace", '"New_Town"')])
    >>> tables_of([Example("Id1", graph)])
    [[('Ann Lee', 'birthPlace', '"New Town"')]]
    """
    return [_entries(example.input) for example in examples]


def references_of(examples: Sequence[Example]) -> list[list[str]]:
    """Return reference texts of examples."""
    return [[reference.text for reference in example.references] for example in examples]


# The letters of scripts that put no spaces between words: Thai, Lao, Burmese, Khmer, Japanese and Chinese.
_WITHOUT_SPACES = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def tokenizer_of(name: str) -> Callable[[str], str] | None:
    """Tokenizer by name, as a function that puts spaces between tokens; None if that needs no work."""
    _one_of("tokenizer", name, get_args(Tokenizer))
    if name == "13a":
        from esascore.metrics.bleu import tokenizer_13a

        return tokenizer_13a()
    if name == "characters":
        return lambda text: " ".join(split_words(_WITHOUT_SPACES.sub(r" \g<0> ", text)).texts)
    return None if name == "whitespace" else lambda text: " ".join(split_words(text).texts)


def _examples(references: Sequence[Sequence[str]], tables: Sequence[TableLike]) -> list[Example]:
    """Examples whose inputs are the tables, for detection."""
    examples = []
    for number, (texts, table) in enumerate(zip(references, tables, strict=True), 1):
        sizes = set(_sizes(table, number))
        if len(sizes) > 1:
            raise DataError(f"table {number} mixes (attribute, value) and (head, relation, tail)")
        if sizes == {2}:
            source = Input.from_table(Cell(value, attribute) for attribute, value in table)
        else:
            source = Input.from_triples(table)
        listed = tuple(Reference(f"Id{n}", text) for n, text in enumerate(texts, 1))
        examples.append(Example(f"Id{number}", source, listed))
    return examples


def _sizes(table: TableLike, number: int) -> list[int]:
    """Return the numbers of parts of a table's entries."""
    for entry in table:
        if isinstance(entry, str) or len(entry) not in (2, 3):
            raise DataError(
                f"an entry of a table is (attribute, value) or (head, relation, tail), found {entry!r} "
                f"in table {number}"
            )
    return [len(entry) for entry in table]


def _entries(source: Input) -> list[tuple[str, ...]]:
    if source.table is not None:
        return [(cell.attribute, cell.value) for cell in source.table.cells]
    return [
        (t.subject.replace("_", " "), t.predicate.replace("_", " "), t.object.replace("_", " "))
        for t in source.triples
    ]


def _attributes(table: TableLike) -> list[str]:
    return [entry[0] if len(entry) == 2 else entry[1] for entry in table]


def _one_of(name: str, value: object, known: Sequence[str]) -> None:
    if value not in known:
        raise UsageError(f"{name} must be one of {', '.join(known)}, not {value!r}")


def _refuse(options: Mapping[str, Any], *names: str) -> None:
    for name in names:
        if name in options:
            raise UsageError(f"this entailment model has no option {name!r}")
