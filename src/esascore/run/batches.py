"""Scores for the batches of other engines: Ray Data, Hugging Face datasets, Spark, Dask.

A `Scorer` is light to pickle and loads what it needs at its first call, in whatever process that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

from esascore.errors import DataError, UsageError, known_arguments

if TYPE_CHECKING:
    from os import PathLike

    from esascore.lexicon.user import UserLexicon
    from esascore.run.scoring import Scorer as BlockScorer

__all__ = ["Scorer"]


class Scorer:
    """Adds scores to batches of rows with the fields ``text``, ``id``, and those of an input.

    Parameters
    ----------
    metrics
        Names of metrics, as ``--metrics`` takes them.
    profile, lexicon
        As for `esascore.evaluate`.
    learned
        What a corpus taught: the file of ``esascore learn``, or ``learned.json.gz`` in the folder of
        ``esascore score --out``. Without it nothing was learned: one batch is no corpus.
    facts
        The folder of a model that verifies facts, for the metrics that need one.
    on_error
        ``"record"`` gives a row that cannot be scored no scores, and says why in the column ``error``;
        ``"raise"`` ends with the error.

    Examples
    --------
    >>> scorer = Scorer(metrics=["esa"])
    >>> batch = {"triples": [["Bionico | country | Mexico"], ["Bionico"]], "text": ["It is Bionico."] * 2}
    >>> scored = scorer(batch)
    >>> scored["esa"], scored["missing"][0], scored["error"][1][:26]
    ([0.5, None], ['Mexico'], 'a triple needs three parts')
    """

    @known_arguments()
    def __init__(
        self,
        metrics: Sequence[str] = ("esa",),
        *,
        profile: str = "default",
        lexicon: UserLexicon = (),
        learned: str | PathLike[str] | None = None,
        facts: str | PathLike[str] | None = None,
        on_error: Literal["record", "raise"] = "record",
    ):
        if isinstance(metrics, str):
            raise UsageError(f"metrics is a list of names: [{metrics!r}]")
        if on_error not in ("record", "raise"):
            raise UsageError(f"on_error is 'record' or 'raise', not {on_error!r}")
        self.metrics = tuple(metrics)
        self.profile = profile
        self.lexicon = lexicon
        self.facts = None if facts is None else str(facts)
        self.learned = "none" if learned is None else str(learned)  # one batch is no corpus
        self.on_error = on_error

    def __getstate__(self) -> dict[str, Any]:
        """Leave out loaded objects."""
        return {name: value for name, value in self.__dict__.items() if name != "_scorer"}

    def __call__(self, batch: Any) -> Any:
        """Score a batch; returns its kind, with more columns.

        Parameters
        ----------
        batch
            A dict of columns (lists or NumPy arrays), a table or batch of Arrow, or a pandas DataFrame.
        """
        if hasattr(batch, "to_pylist"):
            return _with_arrow_columns(batch, self._columns(batch.to_pylist()))
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
            # Hugging Face datasets takes the types of columns from the first batch: one without errors must
            # still have a typed column.
            return _with_arrow_columns(batch.pa_table, added)
        if any(hasattr(values, "dtype") for values in batch.values()):
            return {**batch, **{name: _array(name, values) for name, values in added.items()}}
        return {**batch, **added}

    def _columns(self, batch: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
        """Return the columns that are added to rows."""
        from esascore.readers.choice import Choice
        from esascore.readers.parquet import columns_of_examples
        from esascore.run.blocks import blocks
        from esascore.run.results import columns_of
        from esascore.run.rows import Chosen, Malformed, pairs, size_of, text_rows
        from esascore.run.scored import joined

        if batch:
            try:
                columns_of_examples(list(batch[0]))
            except ValueError as error:
                raise DataError(str(error)) from None
        fields = ((number, _fields(row, number)) for number, row in enumerate(batch, 1))
        rows = list(text_rows(fields, "row", Chosen(Choice()), cells=True))
        for row in rows:
            if isinstance(row, Malformed) and self.on_error == "raise":
                raise row.error
        scorer = self._scorer
        parts = (scorer.scored(pairs(some), [""]) for some in blocks(rows, size_of, texts=scorer.block))
        return columns_of(rows, joined(list(parts)))

    @cached_property
    def _scorer(self) -> BlockScorer:
        from esascore.metrics import create_metrics
        from esascore.pipeline import Ruler
        from esascore.run.results import kept_for
        from esascore.run.scoring import scorer_of

        ruler = Ruler(self.profile, self.lexicon, facts=self.facts, learned=self.learned)
        return scorer_of(ruler, partial(create_metrics, self.metrics), kept_for(self.metrics))


def _fields(row: Mapping[str, Any], number: int) -> dict[str, Any] | UsageError:
    """Leave out columns that say nothing about a row; an id is not needed to score a text."""
    from esascore.readers.rows import plain_value

    try:
        plain = {name: plain_value(value) for name, value in row.items()}
    except UsageError as error:
        return error
    own = {name: value for name, value in plain.items() if value is not None or name == "text"}
    return {"id": f"Id{number}", **own}


def _with_arrow_columns(batch: Any, columns: dict[str, list[Any]]) -> Any:
    from esascore.run.results import arrow_columns

    arrays = arrow_columns(columns)
    kept = {name: batch.column(name) for name in batch.schema.names if name not in arrays}
    return type(batch).from_arrays([*kept.values(), *arrays.values()], names=[*kept, *arrays])


def _with_series(frame: Any, columns: Mapping[str, list[Any]]) -> Any:
    """Add columns to a frame of pandas, of the same types in every batch."""
    import pandas as pd

    arrays = {name: _array(name, values) for name, values in columns.items()}
    made = {name: pd.Series(one, frame.index, dtype=one.dtype) for name, one in arrays.items()}
    return frame.assign(**made)


def _array(name: str, values: Sequence[Any]) -> Any:
    """Return a column as an array: scores as floats, with NaN for undefined ones."""
    import numpy as np

    if name not in ("missing", "flagged", "error"):
        return np.array([np.nan if value is None else value for value in values], np.float64)
    made = np.empty(len(values), object)
    made[:] = values
    return made
