"""``esascore completion``: scripts that let a shell complete commands, options and their values."""

from __future__ import annotations

from typing import Literal

import click

from esascore.cli.commands import command
from esascore.cli.terminal import print_pieces


@command()
def completion(shell: Literal["bash", "zsh", "fish"]) -> None:
    """Print the completion script for a shell.

    Examples
    --------
    esascore completion bash > esascore.bash     then: source esascore.bash (in ~/.bashrc)
    esascore completion zsh > _esascore          then: move it into a folder of $fpath
    esascore completion fish > esascore.fish     then: move it to ~/.config/fish/completions/
    """
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, "click supports every shell that can be chosen"
    script = kind(click.get_current_context().find_root().command, {}, "esascore", "_ESASCORE_COMPLETE")
    # Not script.source(): for bash it would run bash, which this machine may not have.
    print_pieces([ShellComplete.source(script)])
