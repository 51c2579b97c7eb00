"""The command line: one command per file, loaded when it is called."""

import os
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code.

    Worker processes also import this module, but nothing of what it runs.
    """
    if arguments is None:  # those of the process, which is ours: NumPy would start threads that nothing needs
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from esascore.cli.app import main as run

    return run(arguments)
