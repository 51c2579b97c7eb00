"""Commands that are imported when they are used, so that ``--help`` and each command load little."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from esascore.cli.documented import DocumentedGroup


class LazyGroup(DocumentedGroup):
    """A group that imports the module of a command when the command is used.

    Parameters
    ----------
    table
        Name of a command -> module with a click command of that name, in help order.
    """

    def __init__(self, *arguments: Any, table: Mapping[str, str], **settings: Any):
        super().__init__(*arguments, **settings)
        self._table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self._table:
            return None
        command = getattr(import_module(self._table[cmd_name]), cmd_name)
        assert isinstance(command, click.Command)
        return command
