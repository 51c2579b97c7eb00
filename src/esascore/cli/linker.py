"""``esascore linker``: entity linkers of one's own: make their index, serve them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

import click

from esascore.cli.terminal import quiet_option

COMMANDS: Mapping[str, str] = MappingProxyType(
    {"build": "esascore.cli.linker_build", "serve": "esascore.cli.linker_serve"}
)
"""Name of a subcommand -> module with a click command of that name, in the order of the help."""


class Subcommands(click.Group):
    """A group that imports the module of a subcommand when the subcommand is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all subcommands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(COMMANDS[cmd_name]), cmd_name)
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=Subcommands,
    epilog="""\b
Examples:
  esascore linker build LABELS.ttl.bz2 REDIRECTS.ttl.bz2 -o dbpedia.names
""",
)
@quiet_option
def linker() -> None:
    """Entity linkers of your own: build the index of names, serve it."""
