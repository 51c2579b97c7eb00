"""``esascore backends``: which implementations of the alignment this machine can run."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import click

from esascore.cli.documented import Documented
from esascore.cli.terminal import quiet_option, say
from esascore.reports.visible import visible


@click.command(cls=Documented)
@click.option("--compile", "compile_", is_flag=True, help="Compile the kernels now, and say what was done.")
@quiet_option
def backends(compile_: bool) -> None:
    """List the implementations of the alignment.

    All give identical results. By default the size of the work decides; --backend or the environment variable
    ESASCORE_BACKEND chooses one. The Numba kernels are compiled once per machine, in the background, when
    they are first of use; the environment variable ESASCORE_COMPILE=off forbids that.

    Examples
    --------
    esascore backends
    esascore backends --compile
    """
    from esascore.align.backends import describe

    if compile_:
        say(*_compiled())
        return
    rows = [(row.name, "yes" if row.available else "no", visible(row.detail)) for row in describe()]
    rows.insert(0, ("backend", "runs", ""))
    say(*(f"{name:<10}  {runs:<4}  {detail}".rstrip() for name, runs, detail in rows))


def _compiled() -> Iterator[str]:
    """Compile what has not been, and report on each library."""
    from esascore.align.compiled import LIBRARIES, compile_now

    for library in LIBRARIES:
        ready = library.is_compiled()
        began = perf_counter()
        path = compile_now(library)
        taken = "compiled before" if ready else f"compiled in {perf_counter() - began:.0f} s"
        yield f"{library.name:<10}  {taken}: {visible(str(path))}"
