"""TOML files: profiles, and the options of commands."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from esascore.errors import DataError
from esascore.readers.lines import decoded, opened, without_mark


def read_toml(path: Path) -> dict[str, Any]:
    """Read a file.

    Raises
    ------
    DataError
        It cannot be read, or is not TOML.
    """
    with opened(path) as file:
        text = decoded(without_mark(file.read(), path), path, 1)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number with more digits than Python reads
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise DataError(f"not valid TOML: {reason}", file=path) from None
