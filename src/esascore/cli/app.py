"""The command ``esascore``: finds subcommands, turns errors into one line and an exit code."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import click

from esascore._version import __version__
from esascore.cli.lazy import LazyGroup
from esascore.cli.terminal import complain, quiet_option, warn
from esascore.errors import EsascoreError

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "score": "esascore.cli.score",
        "detect": "esascore.cli.detect",
        "hallucinations": "esascore.cli.hallucinations",
        "report": "esascore.cli.report",
        "show": "esascore.cli.show",
        "correlate": "esascore.cli.correlate",
        "benchmark": "esascore.cli.benchmark",
        "lexicon": "esascore.cli.lexicon",
        "linker": "esascore.cli.linker",
        "coref": "esascore.cli.coref",
        "cache": "esascore.cli.cache",
        "parent": "esascore.cli.parent",
        "totto": "esascore.cli.totto",
        "demo": "esascore.cli.demo",
        "selftest": "esascore.cli.selftest",
        "backends": "esascore.cli.backends",
        "completion": "esascore.cli.completion",
    }
)
"""Name of a command -> module with a click command of that name, in help order."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as in shells (128 + SIGINT)."""


@click.command(
    cls=LazyGroup,
    table=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "--version", prog_name="esascore", message="%(prog)s %(version)s")
@quiet_option
@click.pass_context
def esascore(ctx: click.Context) -> None:
    """Entity-based semantic adequacy of generated texts.

    Is every entity of the input mentioned in the text, and is anything mentioned that the input does not
    contain?

    Examples
    --------
    esascore demo
    esascore score esascore-demo/corpus.jsonl esascore-demo/fluent.txt

    Exit codes: 0 done, 1 failed, 2 usage, 3 data, 4 linker, 5 missing extra.
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
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that lacks a character shows an escape
            stream.reconfigure(errors="backslashreplace")
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_args, **_more: warn(str(message))
            code = esascore.main(arguments, prog_name="esascore", standalone_mode=False)
    except click.Abort:
        complain("interrupted")
        return INTERRUPTED
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx is not None else "esascore"
        complain(f"error: {error.format_message().rstrip('.')} (see {command} --help)")
        return error.exit_code
    except click.ClickException as error:
        complain(f"error: {error.format_message()}")
        return error.exit_code
    except EsascoreError as error:
        complain(f"error: {error}")
        return error.exit_code
    except MemoryError:
        complain("error: out of memory: score fewer systems at once, or try --jobs 1")
        return EsascoreError.exit_code
    return code if isinstance(code, int) else 0
