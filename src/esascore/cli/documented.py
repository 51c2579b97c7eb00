"""Commands whose docstring has their examples, which the help shows after the options."""

from __future__ import annotations

from inspect import cleandoc
from textwrap import indent
from typing import Any

import click

from esascore.cli.completing import complete_values
from esascore.cli.terminal import debug_option
from esascore.errors import did_you_mean

_DEBUG_OPTION = debug_option()


class Documented(click.Command):
    """A command whose examples are the NumPy section of that name in the docstring of its function."""

    def __init__(self, name: str | None, *, help: str, **settings: Any):  # noqa: A002, as in click
        text, _, section = cleandoc(help).partition("\n\nExamples\n--------\n")
        lines, _, rest = section.partition("\n\n")
        needs_demo = "esascore-demo/" in lines and "esascore demo\n" not in lines
        note = " (after esascore demo, which writes these files)" if needs_demo else ""
        epilog = f"\b\nExamples{note}:\n{indent(lines, '  ')}\n\n{rest}"
        super().__init__(name, help=text, epilog=epilog, **settings)
        complete_values(self.params)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, and ``--debug``, which all commands have as they have ``--help``."""
        return [*super().get_params(ctx), _DEBUG_OPTION]


class DocumentedGroup(Documented, click.Group):
    """A group of such commands, with examples of its own."""

    command_class = Documented

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; if there is none of that name, say which one is meant."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-") and not ctx.resilient_parsing:
            near = did_you_mean(name, self.list_commands(ctx))
            raise click.UsageError(f"there is no command {name!r}{near}", ctx)
        return super().resolve_command(ctx, args)
