"""The command line: one command a file, loaded when it is called."""

from esascore.cli.app import main

__all__ = ["main"]
