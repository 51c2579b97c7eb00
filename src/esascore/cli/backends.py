"""``esascore backends``: which implementations of the alignment this machine can run."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import click

from esascore.cli.documented import Documented
from esascore.cli.terminal import quiet_option, say
from esascore.reports.visible import visible


@click.command(cls=Documented)
@click.option(
    "--compile", "compile_", is_flag=True, help="Compile kernels that are missing, and say where they are."
)
@quiet_option
def backends(compile_: bool) -> None:
    """List the implementations of the alignment.

    All give identical results. By default the size of the work decides; --backend or the environment variable
    ESASCORE_BACKEND chooses one. The Numba kernels come compiled with the package. Where they do not fit this
    machine, --compile makes them and keeps them in the user's cache folder; so does the first long work.

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
    from esascore.align.compiled import LIBRARIES

    for library in LIBRARIES:
        ready, began = any(library.stored()), perf_counter()
        library.code  # noqa: B018 - compiles it
        taken = "compiled before" if ready else f"compiled in {perf_counter() - began:.0f} s"
        path, _ = next(library.stored(), ("it cannot be kept, the user's cache folder is read-only", None))
        yield f"{library.name:<10}  {taken}: {visible(str(path))}"
