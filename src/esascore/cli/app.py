"""The command ``esascore``: finds subcommands, turns errors into one line and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType

import click

from esascore._version import __version__
from esascore.cli.commands import DocumentedGroup
from esascore.cli.terminal import CLOSED_PIPE, complain, hold_standard_streams, show_traceback, warn
from esascore.errors import EsascoreError, SeveralDataError, place_of
from esascore.run.gc_tuning import leave_to_exit, rare_collections

COMMANDS = (
    *("score", "merge", "check", "detect", "hallucinations", "report", "show"),
    *("correlate", "benchmark", "learn", "lexicon"),
    *("serve", "mcp"),
    *("linker", "coref", "facts", "questeval", "parent", "totto"),
    *("demo", "doctor", "completion"),
)
"""The commands in the order of the help; a module of the same name holds each."""

OLD_NAMES: Mapping[tuple[str, ...], tuple[str, ...]] = MappingProxyType(
    {
        ("totto", "score"): ("score", "--input-format", "totto", "--metrics", "totto"),
        ("parent", "score"): ("score", "--parent-files"),
        ("cache", "info"): ("doctor", "cache"),
        ("cache", "clear"): ("doctor", "cache", "--clear"),
        ("cache",): ("doctor", "cache"),
        ("selftest",): ("doctor", "selftest"),
        ("backends",): ("doctor", "backends"),
    }
)
"""Earlier name of a command -> the present one; the first match counts."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as in shells (128 + SIGINT)."""

COMPLETION = "_ESASCORE_COMPLETE"
"""What shells set to ask for completions; click ends the process then."""

UNFORESEEN = 70
"""Exit code after an unexpected error, as in sysexits.h."""

_EXHAUSTED = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)
)
"""Error numbers of the system when something has run out: space, open files, memory, processes."""

_NO_COMMAND = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""What click 8.2 and later raise if the command of a group is missing."""


class _Commands(DocumentedGroup):
    """The commands, each imported when it is used, so that ``--help`` and each command load little."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"esascore.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, also by its old name."""
        for old, new in OLD_NAMES.items():
            if tuple(args[: len(old)]) == old:
                warn(f"esascore {' '.join(old)} is now esascore {' '.join(new)}")
                args = [*new, *args[len(old) :]]
                break
        return super().resolve_command(ctx, args)


@click.command(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "--version", prog_name="esascore", message="%(prog)s %(version)s")
@click.pass_context
def esascore(ctx: click.Context) -> None:
    """Entity-based semantic adequacy of generated texts.

    Does a text mention every entity of its input, and does it mention anything that the input does not
    contain?

    Examples
    --------
    esascore demo
    esascore score esascore-demo/corpus.jsonl esascore-demo/fluent.txt

    Exit codes: 0 done, 1 a check failed, 2 usage, 3 data, 4 linker, 5 missing extra, 6 the machine or a
    server failed, 70 a defect of esascore.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code.

    Examples
    --------
    >>> main(["--version"]).bit_length()  # doctest: +ELLIPSIS
    esascore ...
    0
    """
    hold_standard_streams()
    streams = sys.stdout, sys.stderr
    for stream in streams:
        if hasattr(stream, "reconfigure"):  # a terminal shows an escape for a character that it lacks
            stream.reconfigure(errors="backslashreplace")
    asked: dict[str, bool] = {}
    try:
        with rare_collections(), warnings.catch_warnings():
            warnings.showwarning = lambda message, *_args, **_more: warn(str(message))
            code = esascore.main(arguments, prog_name="esascore", standalone_mode=False, obj=asked)
            if arguments is None:  # those of the process, which ends now
                leave_to_exit()
    except BaseException as error:
        if isinstance(error, SystemExit):
            if sys.stdout is not streams[0]:  # click has replaced them: the reader of a help text has gone
                sys.stdout, sys.stderr = streams
                return CLOSED_PIPE
            if COMPLETION in os.environ:
                raise
        if asked.get("debug"):
            show_traceback(error)
        errors = error.errors if isinstance(error, SeveralDataError) else (error,)
        explained = [_explained(one) for one in errors]
        for message, _ in explained:
            complain(message)
        return explained[0][1]
    return code if isinstance(code, int) else 0


def _explained(error: BaseException) -> tuple[str, int]:
    """Return a one-line message for an error, and the exit code."""
    if isinstance(error, click.Abort) and isinstance(error.__cause__, EOFError):
        error = error.__cause__  # which click takes for an interrupt
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return "interrupted", INTERRUPTED
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx is not None else "esascore"
        told = " ".join(error.format_message().split()).rstrip(".")  # click breaks lines in lists of choices
        if isinstance(error, _NO_COMMAND) and error.ctx and isinstance(error.ctx.command, click.Group):
            # Its message is the whole help.
            told = f"a command is missing: {', '.join(error.ctx.command.list_commands(error.ctx))}"
        if isinstance(error, click.MissingParameter) and command == "esascore check":
            told += ": give it, or set corpus in esascore.toml or pyproject.toml"
        return f"error: {told} (see {command} --help)", error.exit_code
    if isinstance(error, click.ClickException):
        return f"error: {error.format_message()}", error.exit_code
    if isinstance(error, EsascoreError):
        return f"error: {error}", error.exit_code
    if isinstance(error, MemoryError):
        return "error: out of memory: score fewer systems at once, or try --jobs 1", EsascoreError.exit_code
    if isinstance(error, OSError) and error.errno in _EXHAUSTED:
        where = f" ({error.filename})" if error.filename else ""
        advice = "free some of it and run the same command again"
        return f"error: {error.strerror}{where}: {advice}", EsascoreError.exit_code
    unexpected = f"unexpected {type(error).__name__}{place_of(error)}"
    advice = "this is a defect of esascore: run the same command with --debug and report what it shows"
    return f"error: {unexpected}: {advice}", UNFORESEEN
