"""Options that mean the same in every command."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from esascore.cli.terminal import quiet_option

if TYPE_CHECKING:
    from esascore.engine import Factory

Command = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """How entities are detected, and in how many processes."""

    profile: str
    lexicons: tuple[str, ...]
    linker: str | None
    coref: str | None
    backend: str
    jobs: int

    def factory(self) -> Factory:
        """What makes the pipeline, also in other processes."""
        from esascore.pipeline import build_pipeline

        return partial(
            build_pipeline,
            self.profile,
            lexicons=self.lexicons,
            linker=self.linker,
            coref=self.coref,
            backend=self.backend,
        )


def detection_options(command: Command) -> Command:
    """Add the options of detection; the command receives them as ``settings``."""

    @functools.wraps(command)
    def wrapped(
        *,
        profile: str,
        lexicon: tuple[str, ...],
        linker: str | None,
        coref: str | None,
        backend: str,
        jobs: int | None,
        **rest: Any,
    ) -> Any:
        from esascore.engine import processes_available

        settings = Settings(profile, lexicon, linker, coref, backend, jobs or processes_available())
        return command(settings=settings, **rest)

    options = [
        click.option(
            "--profile",
            default="default",
            show_default=True,
            metavar="NAME|FILE",
            help="Settings of detection: default, paper (the published algorithm), or your own TOML file.",
        ),
        click.option(
            "--lexicon",
            multiple=True,
            metavar="FILE",
            help="A further lexicon of surface forms; may be given again.",
        ),
        click.option("--linker", metavar="NAME", help="Entity linker; without it only the text is compared."),
        click.option("--coref", metavar="NAME", help="Coreference resolver, in place of the profile's."),
        click.option(
            "--backend",
            default="auto",
            show_default=True,
            metavar="NAME",
            help="Implementation of the alignment (see esascore backends); never changes a number.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(min=1),
            metavar="N",
            help="Processes to use; never changes a number.  [default: one per core]",
        ),
        quiet_option,
    ]
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def input_format_option(command: Command) -> Command:
    """Add ``--input-format``."""
    return click.option(
        "--input-format",
        metavar="NAME",
        help="Format of CORPUS, where its content does not tell (webnlg, jsonl, csv, records, rdf, ...).",
    )(command)
