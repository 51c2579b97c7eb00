"""The command line: one command per file, loaded when it is called."""

from esascore.cli.app import main

__all__ = ["main"]
