"""``esascore linker``: entity linkers of one's own: make their index, serve them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import click

from esascore.cli.lazy import LazyGroup
from esascore.cli.terminal import quiet_option

COMMANDS: Mapping[str, str] = MappingProxyType(
    {"build": "esascore.cli.linker_build", "serve": "esascore.cli.linker_serve"}
)
"""Name of a subcommand -> module with a click command of that name, in the order of the help."""


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    epilog="""\b
Examples:
  esascore linker build LABELS.ttl.bz2 REDIRECTS.ttl.bz2 -o dbpedia.names
""",
)
@quiet_option
def linker() -> None:
    """Entity linkers of your own: build the index of names, serve it."""
