"""Scores for the batches of other engines: Ray Data, Hugging Face datasets, Spark, Dask.

A `Scorer` is light to pickle and loads what it needs at its first call, in whatever process that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from esascore.errors import DataError, UsageError
from esascore.readers.choice import Choice
from esascore.readers.located import Place
from esascore.readers.rows import plain_value

if TYPE_CHECKING:
    from os import PathLike

    from esascore.shards.scoring import RowScorer
    from esascore.shards.settings import Settings

__all__ = ["Scorer"]


class Scorer:
    """Adds scores to batches of rows with the fields ``text``, ``id``, and those of an input.

    Parameters
    ----------
    metrics
        Names of metrics, as ``--metrics`` takes them.
    profile, lexicons
        As for `esascore.evaluate`.
    knowledge
        What the whole corpus teaches: the file ``knowledge.json.gz`` of a run of ``esascore score --out``.
        Metrics that learn from the corpus (``hallucination``) need it: one batch is no corpus.
    facts
        The folder of a model that verifies facts, for the metrics that need one.
    on_error
        ``"record"`` gives a row that cannot be scored no scores, and says why in the column ``error``;
        ``"raise"`` ends with the error.

    Raises
    ------
    UsageError
        A metric learns from the corpus, and there is no ``knowledge``.

    Examples
    --------
    >>> scorer = Scorer(metrics=["esa"])
    >>> batch = {"triples": [["Bionico | country | Mexico"], ["Bionico"]], "text": ["It is Bionico."] * 2}
    >>> scored = scorer(batch)
    >>> scored["esa"], scored["missing"][0], scored["error"][1][:26]
    ([0.5, None], ['Mexico'], 'a triple needs three parts')
    """

    def __init__(
        self,
        metrics: Sequence[str] = ("esa",),
        *,
        profile: str = "default",
        lexicons: str | Sequence[str] = (),
        knowledge: str | PathLike[str] | None = None,
        facts: str | PathLike[str] | None = None,
        on_error: Literal["record", "raise"] = "record",
    ):
        if isinstance(metrics, str):
            raise UsageError(f"metrics is a list of names: [{metrics!r}]")
        if on_error not in ("record", "raise"):
            raise UsageError(f"on_error is 'record' or 'raise', not {on_error!r}")
        self.metrics = tuple(metrics)
        self.profile = profile
        self.lexicons = (lexicons,) if isinstance(lexicons, str) else tuple(lexicons)
        self.facts = None if facts is None else str(facts)
        self.knowledge = None if knowledge is None else str(knowledge)
        self.on_error = on_error
        self._loaded: RowScorer | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is loaded."""
        return {**self.__dict__, "_loaded": None}

    def __call__(self, batch: Any) -> Any:
        """Score a batch; returns its kind, with more columns.

        Parameters
        ----------
        batch
            A dict of columns (lists or NumPy arrays), a table or batch of Arrow, or a pandas DataFrame.
        """
        if hasattr(batch, "to_pylist"):
            added = self._columns(batch.to_pylist())
            return _with_arrow_columns(batch, added)
        if hasattr(batch, "to_dict") and hasattr(batch, "assign"):
            return _with_series(batch, self._columns(batch.to_dict("records")))
        if not isinstance(batch, Mapping):
            raise UsageError(
                f"a batch is a dict of columns, an Arrow table or a DataFrame, not {type(batch).__name__}"
            )
        columns = {name: list(values) for name, values in batch.items()}
        lengths = set(map(len, columns.values()))
        if len(lengths) > 1:
            raise DataError(f"the columns of a batch have different lengths: {sorted(lengths)}")
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        added = self._columns(rows)
        if hasattr(batch, "pa_table"):
            # Of Hugging Face datasets, which takes the types of columns from the first batch: one without any
            # error must not make a column of nothing.
            return _with_arrow_columns(batch.pa_table, added)
        if any(hasattr(values, "dtype") for values in batch.values()):
            return {**batch, **{name: _array(name, values) for name, values in added.items()}}
        return {**batch, **added}

    def _columns(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
        """Return the columns that are added to rows."""
        from esascore.metrics.hallucination import Hallucinations
        from esascore.readers.parquet import columns_of_examples
        from esascore.shards.rows import Chosen, Row, row_of

        if rows:
            try:
                columns_of_examples(list(rows[0]))
            except ValueError as error:
                raise DataError(str(error)) from None
        scorer = self._scorer()
        errors: list[str | None] = [None] * len(rows)
        good: list[Row] = []
        places: list[int] = []
        chosen = Chosen(Choice())
        for place, fields in enumerate(rows):
            try:
                # Columns that all rows have say nothing about one; an id is not needed to score a text.
                plain = {name: plain_value(value) for name, value in fields.items()}
                own = {name: value for name, value in plain.items() if value is not None or name == "text"}
                row = row_of(
                    {"id": f"Id{place + 1}", **own}, place + 1, Place("row", place + 1), chosen, cells=True
                )
            except (DataError, UsageError) as error:
                if self.on_error == "raise":
                    raise
                errors[place] = error.problem if isinstance(error, DataError) else str(error)
                continue
            good.append(row)
            places.append(place)
        names = [metric.name for metric in scorer.metrics]
        detects = any(metric.needs != "nothing" for metric in scorer.metrics)
        columns: dict[str, list[Any]] = {name: [None] * len(rows) for name in names}
        more = (["missing"] if detects else []) + (["flagged"] if Hallucinations.name in names else [])
        columns |= {name: [None] * len(rows) for name in more}
        if good:
            kept = scorer(good)
            for metric in scorer.metrics:
                scores = metric.segment_scores(kept.statistics[metric.name])
                for place, score in zip(places, scores, strict=True):
                    columns[metric.name][place] = score
            for n, place in enumerate(places):
                if detects and kept.missing:
                    columns["missing"][place] = [str(term) for term in kept.missing[n]]
                if "flagged" in columns:
                    columns["flagged"][place] = [
                        one.as_dict() for one in kept.details[Hallucinations.name][n]
                    ]
        return {**columns, "error": errors}

    def _scorer(self) -> RowScorer:
        if self._loaded is None:
            from esascore.shards.scoring import scorer_of

            self._loaded = scorer_of(self._settings())
        return self._loaded

    def _settings(self) -> Settings:
        from dataclasses import replace
        from functools import partial

        from esascore.pipeline import build_pipeline
        from esascore.shards.first_pass import load_learned
        from esascore.shards.settings import Settings

        settings = Settings(
            self.metrics, partial(build_pipeline, self.profile, lexicons=self.lexicons, facts=self.facts)
        )
        if self.knowledge is not None:
            return replace(settings, learned=load_learned(self.knowledge))
        learning = [one.name for one in settings.made_metrics(settings.pipeline()) if one.learns]
        if learning:
            raise UsageError(
                f"{', '.join(learning)} learns from the whole corpus, of which a batch is a part: give "
                "knowledge=, the file knowledge.json.gz that esascore score --out writes"
            )
        return settings


def _with_arrow_columns(batch: Any, columns: Mapping[str, list[Any]]) -> Any:
    import pyarrow as pa

    from esascore.shards.results import flagged_type

    text = pa.string()
    kinds = {"error": text, "missing": pa.list_(text), "flagged": flagged_type()}
    arrays = {name: pa.array(values, kinds.get(name, pa.float64())) for name, values in columns.items()}
    names = [name for name in batch.schema.names if name not in arrays]
    kept = {name: batch.column(name) for name in names}
    return type(batch).from_arrays([*kept.values(), *arrays.values()], names=[*kept, *arrays])


def _with_series(frame: Any, columns: Mapping[str, list[Any]]) -> Any:
    """Add columns to a frame of pandas, of the same types in every batch."""
    import pandas as pd

    arrays = {name: _array(name, values) for name, values in columns.items()}
    return frame.assign(
        **{name: pd.Series(one, frame.index, dtype=one.dtype) for name, one in arrays.items()}
    )


def _array(name: str, values: Sequence[Any]) -> Any:
    """Return a column as an array: scores as floats, with NaN for undefined ones."""
    import numpy as np

    if name in ("missing", "flagged", "error"):
        made = np.empty(len(values), object)
        made[:] = values
        return made
    return np.array([np.nan if value is None else value for value in values], np.float64)
