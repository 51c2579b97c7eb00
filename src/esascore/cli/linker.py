"""``esascore linker``: your own entity linkers: build their index, serve them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import click

from esascore.cli.lazy import LazyGroup
from esascore.cli.terminal import quiet_option

COMMANDS: Mapping[str, str] = MappingProxyType(
    {"build": "esascore.cli.linker_build", "serve": "esascore.cli.linker_serve"}
)
"""Name of a subcommand -> module with a click command of that name, in help order."""


@click.group(cls=LazyGroup, table=COMMANDS)
@quiet_option
def linker() -> None:
    """Your own entity linkers: build an index of names, serve it.

    Examples
    --------
    esascore linker build LABELS.ttl.bz2 REDIRECTS.ttl.bz2 -o dbpedia.names
    """
