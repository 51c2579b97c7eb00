"""``esascore merge``: the table of one or more runs that scored shards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from esascore.cli import options
from esascore.cli.commands import command
from esascore.cli.outputs import Outputs
from esascore.cli.shards import merged_figures

if TYPE_CHECKING:
    from esascore.reports.summary import Summary


@command(result=options.Result, shown=options.shown)
def merge(dir_: tuple[str, ...], *, result: options.Result, shown: Callable[[Summary], Summary]) -> None:
    """Show the scores of runs that `esascore score --out DIR` made, one row per system.

    They come from the totals in the files of each DIR. Several runs with the same settings, on any machine,
    add up exactly to the scores of all rows.

    Examples
    --------
    esascore merge DIR
    esascore merge DIR DIR --format json -o scores.json
    """
    files = Outputs({"-o": result.output})
    files.write({"-o": [result.of(shown(merged_figures(dir_)))]}, for_people=result.for_people)
