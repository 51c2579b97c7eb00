"""The files of ``-o`` and similar options: checked before any work is done, written together at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import MappingProxyType

from esascore.cli.terminal import print_pieces
from esascore.cli.timings import stage
from esascore.errors import UsageError
from esascore.readers.parquet import is_named_parquet
from esascore.readers.systems import split_spec
from esascore.reports.parquet import Types, parquet_pieces, require_arrow
from esascore.reports.writing import Spool, check_writable, write_files

_NO_ROWS: Mapping[str, Types] = MappingProxyType({})
STDOUT = STDIN = "-"
"""The file name that means standard output, or standard input."""


class Outputs:
    r"""The files that a command writes, by option.

    Parameters
    ----------
    files
        Option -> the file that it names, ``-`` for standard output, None if it was not given.
    inputs
        Files that the command reads, which must not be overwritten.
    rows
        Option -> the types of its JSON lines, where the file can be a Parquet file instead.

    Raises
    ------
    UsageError
        Two options name the same file, a file cannot be written, or standard input is given twice.
    MissingExtraError
        A Parquet file is named, and pyarrow is not installed.

    Examples
    --------
    >>> outputs = Outputs({"-o": "-", "--segments": None}, inputs=["corpus.xml"])
    >>> outputs.write({"-o": ["Score: 1\n"], "--segments": ["not asked for\n"]})
    Score: 1
    """

    def __init__(
        self,
        files: Mapping[str, str | None],
        *,
        inputs: Iterable[str | PathLike[str]] = (),
        rows: Mapping[str, Types] = _NO_ROWS,
    ):
        self._rows = rows
        self._files = {option: file for option, file in files.items() if file is not None}
        read = list(inputs)
        check_inputs(read)
        options: dict[Path, str] = {}
        for option, file in self._files.items():
            if file == STDOUT:
                continue
            first = options.setdefault(Path(file), option)
            if first != option:
                raise UsageError(f"{first} and {option} name the same file")
            check_writable(file, inputs=read)
            if is_named_parquet(file):
                if option not in rows:
                    raise UsageError(f"{option} does not write Parquet: give {file} another suffix")
                require_arrow()

    @contextmanager
    def spool(self, option: str) -> Iterator[Spool | None]:
        """Open a temporary file beside that of an option; None if the option was not given."""
        file = self._files.get(option)
        if file is None:
            yield None
            return
        with Spool(None if file == STDOUT else Path(file).resolve().parent) as spool:
            yield spool

    def write(self, contents: Mapping[str, Iterable[str]], *, for_people: bool = False) -> None:
        """Write pieces of text by option; the pieces of options that were not given are not computed.

        No file is replaced before all are written. After that, the text for standard output is printed, in
        the given order.

        Parameters
        ----------
        contents
            Option -> pieces of text.
        for_people
            Whether ``-o`` receives a table for people, who see their own encoding on standard output.
        """
        asked = [(option, pieces) for option, pieces in contents.items() if option in self._files]
        with stage("writing"):
            write_files(
                (file, parquet_pieces(pieces, self._rows[option]) if is_named_parquet(file) else pieces)
                for option, pieces in asked
                if (file := self._files[option]) != STDOUT
            )
            for option, pieces in asked:
                if self._files[option] == STDOUT:
                    print_pieces(pieces, for_people=for_people and option == "-o")


def check_inputs(inputs: Iterable[str | PathLike[str]]) -> None:
    """Reject two inputs from standard input.

    Examples
    --------
    >>> check_inputs(["-", Path("-")])
    Traceback (most recent call last):
        ...
    esascore.errors.UsageError: standard input can be read only once: give a file instead of one -
    """
    if sum(str(path) == STDIN for path in inputs) > 1:
        raise UsageError("standard input can be read only once: give a file instead of one -")


def stem_of(path: str) -> str:
    """Return the name of a file without its last suffix; ``stdin`` for standard input.

    Examples
    --------
    >>> stem_of("runs/a.v2.txt"), stem_of("-")
    ('a.v2', 'stdin')
    """
    return "stdin" if path == STDIN else Path(path).stem


def paths_of(specs: Iterable[str]) -> list[Path]:
    """Return the files of systems that are given as ``PATH`` or ``NAME=PATH``."""
    return [split_spec(spec)[1] for spec in specs]
