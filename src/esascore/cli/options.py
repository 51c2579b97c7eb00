"""Options that mean the same in every command."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from esascore.cli.terminal import quiet_option
from esascore.errors import UsageError
from esascore.run.workers import processes_available

if TYPE_CHECKING:
    from esascore.coref.choice import CorefChoice
    from esascore.learned import Source
    from esascore.link.choice import LinkerChoice
    from esascore.pipeline import Ruler
    from esascore.readers.corpus import Corpus
    from esascore.reports.summary import Significance
    from esascore.stats.comparison import Test

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


@dataclass(frozen=True, slots=True)
class Settings:
    """How entities are detected, and in how many processes."""

    profile: str
    lexicons: tuple[str, ...]
    learned: str | None
    learn_from: Source
    linker: LinkerChoice | None
    coref: CorefChoice | None
    facts: str | None
    questeval: str | None
    similarity: str
    backend: str
    jobs: int
    language: str

    def ruler(self) -> Ruler:
        """What a verdict depends on beside input and text; it makes the pipeline, here or elsewhere."""
        from esascore.pipeline import Ruler

        return Ruler(
            self.profile,
            lexicons=self.lexicons,
            linker=self.linker,
            coref=self.coref,
            facts=self.facts,
            questeval=self.questeval,
            similarity=self.similarity,
            backend=self.backend,
            learned=self.learned,
            learn_from=self.learn_from,
            language=self.language,
        )


def grouped(name: str, make: Callable[..., Any], options: Sequence[Decorator]) -> Decorator:
    """Make a decorator that adds options to a command, which receives them as one argument.

    Parameters
    ----------
    name
        The argument of the command.
    make
        Makes it; its parameters have the names of the options.
    options
        The options, in help order.
    """
    parameters = tuple(inspect.signature(make).parameters)

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def wrapped(**values: Any) -> Any:
            own = {parameter: values.pop(parameter) for parameter in parameters}
            return command(**values, **{name: make(**own)})

        added: Command = wrapped
        for option in reversed(options):
            added = option(added)
        return added

    return decorate


def number_option(
    name: str, default: float, help_: str, *, least: int = 1, most: int | None = None
) -> Decorator:
    """Add an option that takes a number, an integer if its default is one."""
    numbers = click.IntRange if isinstance(default, int) else click.FloatRange
    within = numbers(min=least, max=most)
    return click.option(name, type=within, default=default, show_default=True, help=help_)


def choice_option(name: str, choices: Sequence[str], help_: str, *more: str) -> Decorator:
    """Add an option with fixed choices, by default the first; ``more`` may name the argument."""
    default, one = choices[0], click.Choice(choices)
    return click.option(name, *more, type=one, default=default, show_default=True, help=help_)


def repeated_option(name: str, metavar: str, what: str, *more: str) -> Decorator:
    """Add an option that can be repeated, as its help then says; ``more`` may name the argument."""
    return click.option(name, *more, multiple=True, metavar=metavar, help=f"{what}; can be repeated.")


def target_option(help_: str, metavar: str = "FILE") -> Decorator:
    """Add a required ``-o``; the command receives the name as ``output``."""
    return click.option("-o", "--output", required=True, metavar=metavar, help=help_)


def seed_option(command: Command) -> Command:
    """Add ``--seed``, from which the chance of making or training something is drawn."""
    return click.option("--seed", type=int, default=1, show_default=True, help="Random seed.")(command)


def jobs_option(unchanged: str) -> Decorator:
    """Add ``--jobs``, with what the number of processes never changes; the command receives None for all."""
    help_ = f"Number of processes; never changes {unchanged}.  [default: one per core]"
    return click.option("--jobs", type=click.IntRange(min=1), metavar="N", help=help_)


def _settings(
    profile: str,
    lexicon: tuple[str, ...],
    learned: str | None,
    learn_from: Source,
    linker: str | None,
    linker_url: str | None,
    linker_index: tuple[str, ...],
    allow_linker_failures: bool,
    coref: str | None,
    coref_model: str | None,
    coref_dir: str | None,
    facts: str | None,
    questeval: str | None,
    similarity: str,
    backend: str,
    jobs: int | None,
    language: str,
) -> Settings:
    chosen = _linker(linker, linker_url, linker_index, allow_linker_failures)
    resolver = _coref(coref, coref_model, coref_dir)
    if learned is not None and learn_from != "references":
        raise UsageError("--learned says what was learned: --learn-from is for what is learned now")
    return Settings(
        profile,
        lexicon,
        learned,
        learn_from,
        linker=chosen,
        coref=resolver,
        facts=facts,
        questeval=questeval,
        similarity=similarity,
        backend=backend,
        jobs=jobs or processes_available(),
        language=language,
    )


def _linker(name: str | None, url: str | None, index: tuple[str, ...], allow: bool) -> LinkerChoice | None:
    if name is None and url is None and not index and not allow:
        return None
    from esascore.link.choice import LinkerChoice

    if name is None:
        raise UsageError("--linker-url, --linker-index and --allow-linker-failures need --linker")
    return LinkerChoice(name, url, index, allow)


def _coref(coref: str | None, coref_model: str | None, coref_dir: str | None) -> CorefChoice | None:
    if coref is None and coref_model is None and coref_dir is None:
        return None
    from esascore.coref.choice import CorefChoice

    if coref is None:
        raise UsageError("--coref-model and --coref-dir need --coref")
    return CorefChoice(coref, coref_model, coref_dir)


_COREF_OPTIONS = (
    click.option(
        "--coref",
        metavar="NAME",
        help="Coreference resolver (rules, stanza, stanza+rules, root) instead of the profile's.",
    ),
    click.option(
        "--coref-model",
        metavar="PATH|NAME",
        help="Model for stanza: a folder from esascore coref train, a file, or the name of a package.",
    ),
    click.option("--coref-dir", metavar="DIR", help="Folder with Stanza's own models."),
)

coref_options = grouped("choice", _coref, _COREF_OPTIONS)
"""Adds the options that choose a coreference resolver; the command receives them as ``choice``."""

detection_options = grouped(
    "settings",
    _settings,
    (
        click.option(
            "--profile",
            default="default",
            show_default=True,
            metavar="NAME|FILE",
            help="Detection settings: default, paper (the published algorithm), or your own TOML file.",
        ),
        repeated_option("--lexicon", "FILE", "An additional lexicon of surface forms"),
        click.option(
            "--learned",
            metavar="FILE|none",
            help="What was learned before (esascore learn), or nothing.  [default: learned from CORPUS]",
        ),
        choice_option(
            "--learn-from", ["references", "outputs"], "Texts that teach: references, or outputs as well."
        ),
        click.option(
            "--linker",
            metavar="NAME",
            help="Entity linker to use (gazetteer, rel, spotlight); its links also count as mentions.",
        ),
        click.option("--linker-url", metavar="URL", help="Address of the linker service."),
        repeated_option("--linker-index", "FILE", "Names for --linker, from esascore linker build"),
        click.option(
            "--allow-linker-failures",
            is_flag=True,
            help="Continue if the linker gives no answer, and list the texts.",
        ),
        *_COREF_OPTIONS,
        click.option(
            "--language",
            default="auto",
            show_default=True,
            metavar="auto|CODE",
            help="Language of the texts, such as de or fr; auto detects that of each text.",
        ),
        click.option(
            "--facts",
            metavar="DIR",
            help="Model that tells whether a text states a fact, from esascore facts train.",
        ),
        click.option(
            "--questeval",
            metavar="DIR",
            help="Models that ask and answer questions, for the metric questeval: DIR/data-qg, data-qa, ...",
        ),
        click.option(
            "--similarity",
            default="aligned",
            show_default=True,
            metavar="aligned|f1|DIR",
            help="How questeval compares answers: as detection does, by words, or by BERTScore (an encoder).",
        ),
        click.option(
            "--backend",
            default="auto",
            show_default=True,
            metavar="NAME",
            help="Implementation of the alignment (see esascore backends); never changes a number.",
        ),
        jobs_option("a number"),
        quiet_option,
    ),
)
"""Adds the options of detection; the command receives them as ``settings``."""


def resampling_options(
    resamples: str, seed: str, *, name: str = "--resamples", least: int = 100, default: int = 1000
) -> Decorator:
    """Add the number of resamples and ``--seed``, with these help texts."""

    def decorate(command: Command) -> Command:
        number = number_option(name, default, resamples, least=least, most=1_000_000)
        return number(number_option("--seed", 0, seed, least=0)(command))

    return decorate


def _significance(significance: str | None, test: Test, resamples: int, seed: int) -> Significance | None:
    if significance is None:
        return None
    from esascore.reports.summary import Significance

    return Significance(significance, test, resamples, seed)


significance_options = grouped(
    "significance",
    _significance,
    (
        click.option(
            "--significance",
            metavar="NAME|all",
            help="Compare every system with this one, or all pairs: intervals, marks or ranks and clusters.",
        ),
        choice_option("--test", ["randomisation", "bootstrap"], "Paired test for --significance."),
        resampling_options(
            "Number of resamples for --significance.",
            "Random seed for --significance: equal seeds give equal results.",
        ),
    ),
)
"""Adds the options that compare systems; the command receives them as ``significance``, or None."""


def systems_arguments(command: Command) -> Command:
    """Add ``CORPUS``, and the files of systems as ``outputs``, which may be empty."""
    outputs = click.argument("outputs", metavar="[[NAME=]OUTPUT]...", nargs=-1)
    return click.argument("corpus")(outputs(command))


def metrics_option(default: str, *, named: bool = True) -> Decorator:
    """Add ``--metrics``; the command receives a list of names, where ``default`` does not name any, None."""

    def split(_ctx: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> list[str] | None:
        return (
            None
            if not value
            else [name.strip() for names in value for name in names.split(",") if name.strip()]
        )

    return click.option(
        "--metrics",
        multiple=True,
        default=[default] if named else [],
        metavar="NAME,...",
        callback=split,
        help=f"Metrics, separated by commas; can be repeated.  [default: {default}]",
    )


_FORMATS = ("table", "json", "csv", "markdown", "latex")
_FORMAT_OF_SUFFIX = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}


def format_option(command: Command) -> Command:
    """Add ``--format``; the command receives the name of a table format as ``format_``."""
    return choice_option("--format", _FORMATS, "Format of the result.", "format_")(command)


def result_options(command: Command) -> Command:
    """Add ``--format`` and ``-o``; the suffix of the file decides where no format is given."""

    @functools.wraps(command)
    def wrapped(*, format_: str | None, output: str, **values: Any) -> Any:
        chosen = format_ or _FORMAT_OF_SUFFIX.get(Path(output).suffix.lower(), _FORMATS[0])
        return command(format_=chosen, output=output, **values)

    return click.option(
        "--format",
        "format_",
        type=click.Choice(_FORMATS),
        help="Format of the result.  [default: by the suffix of -o (.json, .csv, .md, .tex), or table]",
    )(output_option(wrapped))


def output_option(command: Command) -> Command:
    """Add ``-o``; the command receives the file's name as ``output``, ``-`` for standard output."""
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help="Write the result to FILE.  [default: standard output]",
    )(command)


def segments_option(command: Command) -> Command:
    """Add ``--segments``."""
    return click.option(
        "--segments",
        metavar="FILE",
        help="Write the scores of every text to FILE, as JSON lines or (.parquet) Parquet.",
    )(command)


@dataclass(frozen=True, slots=True)
class Reading:
    """How corpora are read: their format, and which of their attributes count."""

    input_format: str | None
    optional: tuple[str, ...]
    ignore: tuple[str, ...]

    def corpus(self, path: str) -> Corpus:
        """A corpus, read when it is iterated over."""
        from esascore.readers.choice import Choice
        from esascore.readers.corpus import Corpus

        return Corpus(path, input_format=self.input_format, choice=Choice(self.optional, self.ignore))


reading_options = grouped(
    "reading",
    Reading,
    (
        click.option(
            "--input-format",
            metavar="NAME",
            help="Format of CORPUS if it cannot be detected (webnlg, json, jsonl, csv, parquet, rdf, ...).",
        ),
        repeated_option(
            "--optional", "PATTERN", "Attributes that texts need not mention (* stands for anything)"
        ),
        repeated_option("--ignore", "PATTERN", "Attributes to leave out, as if the input did not have them"),
    ),
)
"""Adds the options of reading; the command receives them as ``reading``."""
