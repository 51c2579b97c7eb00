"""What commands write: results to standard output, messages and progress to standard error."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, TextIO

import click

from esascore.errors import UsageError
from esascore.reports.escaping import visible, without_commands
from esascore.reports.writing import unwritable

if TYPE_CHECKING:
    from esascore.run.pool import Progress

_KEY_VARIABLE = "ESASCORE_LINKER_KEY"  # as esascore.link says, which is not loaded for a message
_STANDARD_ERROR = 2
_LONGEST = 2000
_EVERY = 30.0
CLOSED_PIPE = 141
"""Exit code if the reader of our output has closed the pipe, as in shells (128 + SIGPIPE)."""


def common_flag(*names: str, help: str) -> click.Option:  # noqa: A002, as in click
    """Make a flag that means the same before and after the name of a subcommand.

    If it was given, that is noted under its name in the object that all contexts share.
    """

    def note(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value:
            ctx.ensure_object(dict)[parameter.name] = True

    return click.Option(names, is_flag=True, is_eager=True, expose_value=False, callback=note, help=help)


def is_quiet() -> bool:
    """Return whether ``--quiet`` was given."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and "quiet" in (ctx.find_object(dict) or ())


def complain(message: str) -> None:
    """Write one line to standard error; nothing can report that this failed."""
    shown = visible(message)
    if len(shown) > _LONGEST:  # a name in it may be of any length
        shown = f"{shown[: _LONGEST // 2]} [...] {shown[-_LONGEST // 2 :]}"
    with suppress(OSError):
        click.echo(_for_people(f"esascore: {shown}"), err=True)


def show_traceback(error: BaseException) -> None:
    """Write the traceback of an error to standard error, without the key of a linker."""
    text = "".join(traceback.format_exception(error))
    secret = os.environ.get(_KEY_VARIABLE, "").strip().rpartition(": ")[2]
    with suppress(OSError):
        click.echo(text.replace(secret, "***") if secret else text, err=True, nl=False)


def hold_standard_streams() -> None:
    """Open replacements for standard input, output and error if they are closed.

    Otherwise the next file to be opened would take their place and receive whatever a library prints.
    """
    while (free := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        pass
    os.close(free)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal; None is one that was closed."""
    return stream is not None and stream.isatty()


def warn(*messages: str) -> None:
    """Write warnings to standard error, unless ``--quiet`` was given."""
    if not is_quiet():
        for message in messages:
            complain(f"warning: {message}")


@contextmanager
def progress_bar(what: str, unit: str = "texts") -> Iterator[Progress | None]:
    """Show progress on standard error; ``unit`` is what it counts.

    A terminal shows a bar, other files get a line now and then; with ``--quiet`` there is nothing to call.
    """
    if is_quiet() or not is_terminal(sys.stderr):
        yield None if is_quiet() else _lines(what, unit)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    speed = TextColumn("{task.fields[speed]}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), speed)
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(what, total=None, speed="")

        def show(done: int, total: int) -> None:
            known = bar.tasks[0].speed
            bar.update(task, completed=done, total=total, speed=f"{known:,.0f} {unit}/s" if known else "")

        yield show


def _lines(what: str, unit: str) -> Progress:
    """Return a function that writes a line if nothing was shown for a while."""
    started = shown = monotonic()

    def show(done: int, total: int) -> None:
        nonlocal shown
        if (now := monotonic()) - shown >= _EVERY and done:
            shown = now
            speed = done / (now - started)
            left = f"about {_time((total - done) / speed)} left"
            complain(f"{what}: {done:,} of {total:,} {unit}, {speed:,.0f} {unit}/s, {left}")

    return show


def _time(seconds: float) -> str:
    """Write a time for people.

    Examples
    --------
    >>> _time(42), _time(600), _time(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def say(*lines: str) -> None:
    """Write lines for people to standard output."""
    print_pieces([f"{line}\n" for line in lines], for_people=True)


def _for_people(text: str) -> str:
    """Make sure that no part of a text acts as a command in the log of a CI service."""
    return without_commands(text) if os.environ.get("CI") else text


def print_pieces(pieces: Iterable[str], *, for_people: bool = False) -> None:
    """Write text to standard output, as UTF-8 or, for people, in the encoding of their terminal.

    Ends the command quietly if the reader has closed the pipe.
    """
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise UsageError("cannot write to standard output: it is closed (-o names a file)")
    try:
        if for_people:
            stream.write(_for_people("".join(pieces)))
        elif not hasattr(stream, "buffer"):
            stream.writelines(pieces)
        else:
            stream.flush()
            stream.buffer.writelines(piece.encode() for piece in pieces)
        stream.flush()
    except OSError as error:
        # What is still buffered would fail again when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise click.exceptions.Exit(CLOSED_PIPE) from None
        raise unwritable("to standard output", error) from error
