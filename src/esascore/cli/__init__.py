"""The command line: one command per file, loaded when it is called."""

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code.

    Worker processes import this module too, and none of what it runs.
    """
    from esascore.cli.app import main as run

    return run(arguments)
