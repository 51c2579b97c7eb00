"""A model of whose numbers are whose, kept in a line of a lexicon: ``# numbers: {...}``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import PathLike

from esascore.errors import DataError
from esascore.explain.whose.model import Model
from esascore.wordlists import text_lines

_LINE = "# numbers: "


def model_line(model: Model) -> str:
    """Return the line of a lexicon that holds a model.

    Examples
    --------
    >>> model_line(Model({}, frozenset({2.0}))).startswith('# numbers: {')
    True
    """
    return _LINE + json.dumps(model.as_dict(), ensure_ascii=False, separators=(",", ":"))


def stored_model(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> Model | None:
    """Return the model that the first of some lexicons holds; None if none of them does.

    Raises
    ------
    DataError
        A line is there, but it holds no model.
    """
    for path in [paths] if isinstance(paths, str | PathLike) else paths:
        for number, line in text_lines(path):
            if line.startswith(_LINE):
                try:
                    return Model.from_dict(json.loads(line.removeprefix(_LINE)))
                except ValueError as error:  # also what json raises
                    told = f"the line of numbers is damaged ({error}): learn it again, or remove the line"
                    raise DataError(told, file=path, line=number) from None
    return None
