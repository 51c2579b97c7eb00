"""``esascore cache``: show and remove the answers that are kept on disk."""

from __future__ import annotations

import click

from esascore.cli.documented import DocumentedGroup
from esascore.cli.options import choice_option
from esascore.cli.terminal import counted, print_pieces, quiet_option, say, warn
from esascore.reports.visible import visible


@click.group(cls=DocumentedGroup)
@quiet_option
def cache() -> None:
    """Answers of linkers and coreference models on disk: info, clear.

    They are in the file named by the environment variable ESASCORE_CACHE, otherwise in your cache folder.
    Removing them changes no result, only the time needed.

    Examples
    --------
    esascore cache info
    esascore cache clear --kind rel
    """


@cache.command()
@choice_option("--format", ["table", "json"], "Format of the result.", "format_")
@quiet_option
def info(format_: str) -> None:
    """Show where the answers are, how much disk space they take, and how many there are of each kind.

    Examples
    --------
    esascore cache info
    esascore cache info --format json
    """
    from esascore.cache import AnswerCache
    from esascore.reports.jsontext import to_json

    found = AnswerCache().info()
    if format_ == "json":
        record = {
            "path": str(found.path),
            "bytes": found.bytes,
            "entries": dict(found.entries),
            "problem": found.problem,
        }
        print_pieces([to_json(record, indent=2) + "\n"])
    else:
        rows = [("path", visible(str(found.path))), ("size", _size(found.bytes))]
        rows += [(visible(kind), f"{number:,}") for kind, number in found.entries.items()]
        width = max(len(name) for name, _ in rows)
        say(*(f"{name:<{width}}  {value}" for name, value in rows))
    if found.problem is not None:
        warn(f"the cache cannot be used: {found.problem} (esascore cache clear removes a damaged file)")


@cache.command()
@click.option(
    "--kind", metavar="NAME", help="Only the answers of one linker or model, with the name that info shows."
)
@quiet_option
def clear(kind: str | None) -> None:
    """Remove the answers, or a damaged cache file.

    Examples
    --------
    esascore cache clear
    esascore cache clear --kind spotlight
    """
    from esascore.cache import AnswerCache

    say(f"{counted(AnswerCache().clear(kind), 'answer')} removed")


def _size(number: int) -> str:
    if number < 1000:
        return f"{number} bytes"
    size, unit = number / 1000, "kB"
    for larger in ("MB", "GB"):
        if size >= 1000:
            size, unit = size / 1000, larger
    return f"{size:.1f} {unit}"
