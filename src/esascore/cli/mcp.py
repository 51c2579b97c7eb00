"""``esascore mcp``: tools for assistants."""

from __future__ import annotations

from typing import Any

from esascore.cli import options
from esascore.cli.commands import command


@command(guard=options.guard)
def mcp(*, guard: dict[str, Any]) -> None:
    """Serve tools for assistants over standard input and output (Model Context Protocol).

    The tools are check_text and explain_flag. An assistant starts the command itself.

    Examples
    --------
    esascore mcp --require ATTRIBUTE
    """
    from esascore.guard import Guard
    from esascore.serve.mcp import make_server

    make_server(Guard(**guard)).run("stdio")
