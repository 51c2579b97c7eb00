"""Options that mean the same in every command, in groups; each class or function describes its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from esascore.errors import UsageError
from esascore.readers.choice import Choice
from esascore.readers.corpus import Corpus
from esascore.run.workers import processes_available

if TYPE_CHECKING:
    from esascore.coref.choice import CorefChoice
    from esascore.link.choice import LinkerChoice
    from esascore.pipeline import Ruler
    from esascore.reports.summary import Significance, Summary

Positive = Annotated[int, click.IntRange(min=1)]
Count = Annotated[int, click.IntRange(min=0)]
Resamples = Annotated[int, click.IntRange(min=100, max=1_000_000)]
Share = Annotated[float, click.FloatRange(0, 1)]
Format = Literal["table", "json", "csv", "markdown", "latex"]


def _split(_ctx: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    names = tuple(name.strip() for names in value for name in names.split(",") if name.strip())
    if value and not names:
        raise click.BadParameter("no name is given")
    return names


Names = Annotated[tuple[str, ...], _split]
"""Names that are separated by commas."""


def guard(
    profile: str = "default",
    lexicon: tuple[str, ...] = (),
    learned: str = "none",
    optional: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    require: tuple[str, ...] = (),
    block: tuple[str, ...] = (),
    min_confidence: Share = 0.0,
    min_coverage: Share = 0.0,
) -> dict[str, Any]:
    """Choose how texts are checked, one at a time: the arguments of `esascore.Guard`.

    Options
    -------
    --profile NAME|FILE
        Detection settings: default, paper (the published algorithm), or your own TOML file.
    --lexicon FILE
        An additional lexicon of surface forms; can be repeated.
    --learned FILE|none
        What was learned before (esascore learn).
    --optional PATTERN
        Attributes that texts need not mention; can be repeated.
    --ignore PATTERN
        Attributes to leave out, as if the data did not have them; can be repeated.
    --require PATTERN
        Attributes that every text must mention to be ok; can be repeated.
    --block KIND
        Kinds of flags that block a text, instead of every kind; can be repeated.
    --min-confidence
        Confidence below which a flag does not block a text.
    --min-coverage
        Coverage below which a text is not ok.
    """
    return {**locals(), "block": block or None}


@dataclass(slots=True)
class Settings:
    """How entities are detected (the arguments of `esascore.pipeline.Ruler`), and in how many processes.

    Options
    -------
    --profile NAME|FILE
        default, paper (the published algorithm), or your own TOML file.
    --lexicon FILE
        An additional lexicon of surface forms; can be repeated.
    --learned FILE|none
        What was learned before (esascore learn), or nothing. [default: learned from CORPUS]
    --jobs N
        Number of processes; never changes a number. [default: one per core]

    More options
    ------------
    --language auto|CODE
        Language of the texts, such as de or fr; auto detects that of each text.
    --min-confidence SHARE
        Leave out flags whose confidence is lower.
    --learn-from
        Texts that teach: references, or outputs as well.
    --linker NAME
        Entity linker to use (gazetteer, rel, spotlight); its links also count as mentions.
    --linker-url URL
        Address of the linker service.
    --linker-index FILE
        Names for --linker, from esascore linker build; can be repeated.
    --allow-linker-failures
        Continue if the linker gives no answer, and list the texts.
    --coref NAME
        Coreference resolver (rules, stanza, stanza+rules, root) instead of the profile's.
    --coref-model PATH|NAME
        Model for stanza: a folder from esascore coref train, a file, or the name of a package.
    --coref-dir DIR
        Folder with Stanza's own models.
    --facts DIR
        Model that tells whether a text states a fact, from esascore facts train.
    --questeval DIR
        Models that ask and answer questions, for the metric questeval: DIR/data-qg, data-qa, ...
    --similarity aligned|f1|DIR
        How questeval compares answers: as detection does, by words, or by BERTScore (an encoder).
    --backend NAME
        Implementation of the alignment (see esascore doctor backends); never changes a number.
    """

    profile: str = "default"
    lexicon: tuple[str, ...] = ()
    learned: str | None = None
    learn_from: Literal["references", "outputs"] = "references"
    linker: str | None = None
    linker_url: str | None = None
    linker_index: tuple[str, ...] = ()
    allow_linker_failures: bool = False
    coref: str | None = None
    coref_model: str | None = None
    coref_dir: str | None = None
    facts: str | None = None
    questeval: str | None = None
    similarity: str = "aligned"
    backend: str = "auto"
    language: str = "auto"
    min_confidence: Share = 0.0
    jobs: Positive | None = None
    choices: Mapping[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        if self.learned is not None and self.learn_from != "references":
            raise UsageError("--learn-from cannot be combined with --learned, which says what was learned")
        linker = _linker(self.linker, self.linker_url, self.linker_index, self.allow_linker_failures)
        self.choices = {"linker": linker, "coref": resolver(self.coref, self.coref_model, self.coref_dir)}

    @property
    def processes(self) -> int:
        """How many processes share the work."""
        return self.jobs or processes_available()

    def ruler(self, **changed: Any) -> Ruler:
        """Return what a verdict depends on besides input and text; it makes the pipeline in any process."""
        from esascore.pipeline import Ruler

        own = {one.name: getattr(self, one.name) for one in fields(Ruler)}
        return Ruler(**{**own, **self.choices, **changed})


def _linker(name: str | None, url: str | None, index: tuple[str, ...], allow: bool) -> LinkerChoice | None:
    if name is None and url is None and not index and not allow:
        return None
    from esascore.link.choice import LinkerChoice

    if name is None:
        raise UsageError("--linker-url, --linker-index and --allow-linker-failures need --linker")
    return LinkerChoice(name, url, index, allow)


def resolver(
    coref: str | None = None, coref_model: str | None = None, coref_dir: str | None = None
) -> CorefChoice | None:
    """Choose a coreference resolver.

    Options
    -------
    --coref NAME
        Coreference resolver (rules, stanza, stanza+rules, root) instead of the profile's.
    --coref-model PATH|NAME
        Model for stanza: a folder from esascore coref train, a file, or the name of a package.
    --coref-dir DIR
        Folder with Stanza's own models.
    """
    if coref is None and coref_model is None and coref_dir is None:
        return None
    from esascore.coref.choice import CorefChoice

    if coref is None:
        raise UsageError("--coref-model and --coref-dir need --coref")
    return CorefChoice(coref, coref_model, coref_dir)


def comparison(
    significance: str | None = None,
    test: Literal["randomisation", "bootstrap"] = "randomisation",
    resamples: Resamples = 1000,
    seed: Count = 0,
) -> Significance | None:
    """Choose how systems are compared.

    Options
    -------
    --significance NAME|all
        Compare every system with this one, or all pairs.

    More options
    ------------
    --test
        Paired test for --significance.
    --resamples
        Number of resamples for --significance.
    --seed
        Random seed for --significance: equal seeds give equal results.
    """
    if significance is None:
        return None
    from esascore.reports.summary import Significance

    return Significance(significance, test, resamples, seed)


_FORMAT_OF_SUFFIX = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}


class Result:
    """Where a table goes, and in which format.

    Options
    -------
    --format FORMAT
        table, json, csv, markdown or latex. [default: by the suffix of -o, or table]
    -o, --output FILE
        Write the result to FILE.
    """

    def __init__(self, format_: Format | None = None, output: str | None = None):
        self.output = "-" if output is None else output
        self.format = format_ or _FORMAT_OF_SUFFIX.get(Path(self.output).suffix.lower(), "table")
        self.for_people = self.format == "table"

    def of(self, summary: Summary) -> str:
        """Write a table in that format."""
        from esascore.reports.tables import FORMATS

        return FORMATS[self.format](summary)


def shown(columns: Names = (), digits: Count = 4) -> Callable[[Summary], Summary]:
    """Choose what tables of systems show.

    More options
    ------------
    --columns NAME,...
        Columns of a table, by header or by the name in JSON. [default: all; in LaTeX what fits on a page]
    --digits
        Decimals in a table.
    """
    return lambda summary: summary.showing(columns, digits)


@dataclass(frozen=True, slots=True)
class Reading:
    """How corpora are read: their format, and which of their attributes count.

    Options
    -------
    --optional PATTERN
        Attributes that texts need not mention (* stands for anything); can be repeated.
    --ignore PATTERN
        Attributes to leave out, as if the input did not have them; can be repeated.

    More options
    ------------
    --input-format NAME
        Format of CORPUS if it cannot be detected (webnlg, json, jsonl, csv, parquet, rdf, ...).
    """

    input_format: str | None = None
    optional: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def corpus(self, path: str) -> Corpus:
        """A corpus, read when it is iterated over."""
        return Corpus(path, input_format=self.input_format, choice=Choice(self.optional, self.ignore))
