"""``esascore merge``: the table of runs that scored shards."""

from __future__ import annotations

import click

from esascore.cli import options
from esascore.cli.documented import Documented
from esascore.cli.outputs import Outputs
from esascore.cli.shards import merged_figures
from esascore.cli.terminal import quiet_option


@click.command(cls=Documented)
@click.argument("folders", metavar="DIR...", nargs=-1, required=True)
@options.result_options
@quiet_option
def merge(folders: tuple[str, ...], format_: str, output: str) -> None:
    """Show the scores of runs that `esascore score --out DIR` made, one row per system.

    They come from the totals in the files of each DIR, or of several: runs of other machines with the same
    settings add up to the scores of all rows, exactly.

    Examples
    --------
    esascore merge DIR
    esascore merge DIR DIR --format json -o scores.json
    """
    from esascore.reports.tables import FORMATS

    files = Outputs({"-o": output})
    files.write({"-o": [FORMATS[format_](merged_figures(folders))]}, for_people=format_ == "table")
