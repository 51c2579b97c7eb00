"""``esascore backends``: which implementations of the alignment this machine can run."""

from __future__ import annotations

import click

from esascore.cli.documented import Documented
from esascore.cli.terminal import quiet_option, say
from esascore.reports.visible import visible


@click.command(cls=Documented)
@quiet_option
def backends() -> None:
    """List the implementations of the alignment.

    All give identical results. By default the size of the work decides; --backend or the environment variable
    ESASCORE_BACKEND chooses one.

    Examples
    --------
    esascore backends
    """
    from esascore.align.backends import describe

    rows = [(row.name, "yes" if row.available else "no", visible(row.detail)) for row in describe()]
    rows.insert(0, ("backend", "runs", ""))
    say(*(f"{name:<10}  {runs:<4}  {detail}".rstrip() for name, runs, detail in rows))
