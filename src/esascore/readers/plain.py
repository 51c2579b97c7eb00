"""Plain output files: one text per line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from esascore.readers.lines import iter_lines


def read(path: Path) -> Iterator[str]:
    r"""Yield one text per line, in corpus order.

    Lines end with ``\n`` only (a ``\r`` before it is dropped); white space around a text, as
    `str.strip` knows it, is removed, and offsets in results count from there. A final ``\n`` makes no
    extra text. The file is UTF-8, with or without a byte order mark.

    Raises
    ------
    DataError
        The file is missing, is not UTF-8, or has a line beyond `limits.MAX_LINE_BYTES`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "system.txt")
    ...     _ = path.write_bytes(b"Bionico is a dish. \r\n\nIt is from Mexico.\n")
    ...     list(read(path))
    ['Bionico is a dish.', '', 'It is from Mexico.']
    """
    return (text.strip() for _, text in iter_lines(path))
