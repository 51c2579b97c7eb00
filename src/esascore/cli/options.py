"""Options that mean the same in every command."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from esascore.cli.terminal import quiet_option
from esascore.errors import UsageError

if TYPE_CHECKING:
    from esascore.coref.choice import CorefChoice
    from esascore.engine import Factory
    from esascore.link.choice import LinkerChoice

Command = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """How entities are detected, and in how many processes."""

    profile: str
    lexicons: tuple[str, ...]
    linker: LinkerChoice | None
    coref: CorefChoice | None
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


_COREF_OPTIONS = (
    click.option(
        "--coref",
        metavar="NAME",
        help="Coreference (rules, stanza, stanza+rules, corenlp, root), in place of the profile's.",
    ),
    click.option(
        "--coref-model",
        metavar="PATH|NAME",
        help="Model of stanza: a folder from esascore coref train, a file, or a package's name.",
    ),
    click.option("--coref-dir", metavar="DIR", help="Where Stanza's own models are."),
    click.option("--coref-url", metavar="URL", help="Address of a running CoreNLP server."),
)


def detection_options(command: Command) -> Command:
    """Add the options of detection; the command receives them as ``settings``."""

    @functools.wraps(command)
    def wrapped(
        *,
        profile: str,
        lexicon: tuple[str, ...],
        linker: str | None,
        linker_url: str | None,
        linker_index: tuple[str, ...],
        allow_linker_failures: bool,
        coref: str | None,
        coref_model: str | None,
        coref_dir: str | None,
        coref_url: str | None,
        backend: str,
        jobs: int | None,
        **rest: Any,
    ) -> Any:
        from esascore.engine import processes_available

        resolver = _coref(coref, coref_model, coref_dir, coref_url)
        # Every process would start a server of its own, with gigabytes of memory; one has threads enough.
        starts_server = resolver is not None and resolver.name == "corenlp" and resolver.url is None
        settings = Settings(
            profile,
            lexicon,
            _linker(linker, linker_url, linker_index, allow_linker_failures),
            resolver,
            backend,
            1 if starts_server else jobs or processes_available(),
        )
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
        click.option(
            "--linker",
            metavar="NAME",
            help="Entity linker (gazetteer, rel, spotlight), whose links count as mentions, too.",
        ),
        click.option("--linker-url", metavar="URL", help="Address of the service of --linker."),
        click.option(
            "--linker-index",
            multiple=True,
            metavar="FILE",
            help="Names for --linker, from esascore linker build; may be given again.",
        ),
        click.option(
            "--allow-linker-failures",
            is_flag=True,
            help="Go on where the linker gives no answer, and list the texts.",
        ),
        *_COREF_OPTIONS,
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


def coref_options(command: Command) -> Command:
    """Add the options that choose a coreference resolver; the command receives them as ``choice``."""

    @functools.wraps(command)
    def wrapped(
        *,
        coref: str | None,
        coref_model: str | None,
        coref_dir: str | None,
        coref_url: str | None,
        **rest: Any,
    ) -> Any:
        return command(choice=_coref(coref, coref_model, coref_dir, coref_url), **rest)

    for option in reversed(_COREF_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


def _linker(name: str | None, url: str | None, index: tuple[str, ...], allow: bool) -> LinkerChoice | None:
    if name is None and url is None and not index and not allow:
        return None
    from esascore.link.choice import LinkerChoice

    if name is None:
        raise UsageError("--linker-url, --linker-index and --allow-linker-failures need --linker")
    return LinkerChoice(name, url, index, allow)


def _coref(name: str | None, model: str | None, directory: str | None, url: str | None) -> CorefChoice | None:
    if name is None and model is None and directory is None and url is None:
        return None
    from esascore.coref.choice import CorefChoice

    if name is None:
        raise UsageError("--coref-model, --coref-dir and --coref-url need --coref")
    return CorefChoice(name, model, directory, url)


def input_format_option(command: Command) -> Command:
    """Add ``--input-format``."""
    return click.option(
        "--input-format",
        metavar="NAME",
        help="Format of CORPUS, where its content does not tell (webnlg, jsonl, csv, records, rdf, ...).",
    )(command)


def format_option(command: Command) -> Command:
    """Add ``--format``; the command receives the name of a format of tables as ``format_``."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
        default="table",
        show_default=True,
        help="Format of the result.",
    )(command)
