"""The systems of a command line: read and evaluated with a progress bar and warnings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

import click

from esascore.cli.outputs import paths_of, stem_of
from esascore.cli.terminal import progress_bar, warn
from esascore.cli.timings import spent, stage, timings
from esascore.errors import UsageError
from esascore.model import Example
from esascore.readers.lines import size_of
from esascore.readers.systems import System, own_outputs, read_systems
from esascore.reports.writing import Spool
from esascore.run.workers import Workers, worth_starting
from esascore.text.blank import is_blank

if TYPE_CHECKING:
    from esascore.cli.options import Settings
    from esascore.pipeline import Ruler
    from esascore.run.scored import Scored, SystemScores
    from esascore.run.scoring import Keep, MakeMetrics

    Metrics = Sequence[str] | MakeMetrics
    """Metrics by name, or a function that makes them for a pipeline."""

_NAMED = 5
_BYTES_PER_TEXT = 128  # of WebNLG; longer texts are worth a process sooner


def started_workers(outputs: Sequence[str], settings: Settings, metrics: Sequence[str]) -> Workers:
    """Start the processes that will share the work on systems, if it looks large enough.

    Call this before the main process imports and reads everything, so that they get ready in the meantime.
    They end with the command.
    """
    size = sum(size_of(path) for path in paths_of(outputs))
    workers = Workers()
    click.get_current_context().call_on_close(workers.dismiss)
    workers.start_ahead(
        worth_starting(size // _BYTES_PER_TEXT, settings.processes) - 1, settings.profile, metrics
    )
    return workers


def systems_of(
    corpus: str, outputs: Sequence[str], examples: Collection[Example], lines: Sequence[int] = ()
) -> list[System]:
    """Return the systems of the command line; without any, the texts of the corpus itself, at its lines."""
    with stage("checking"):  # which reads everything once
        if outputs:
            return read_systems(outputs, examples)
        own = own_outputs(examples, stem_of(corpus), corpus, lines)
    if own is None:
        raise UsageError(f"{corpus} contains no texts of a system: give one or more OUTPUT files")
    return [own]


def evaluate_systems(
    settings: Settings,
    examples: Sequence[Example],
    systems: Sequence[System],
    metrics: Metrics,
    *,
    keep: Keep = "detections",
    earlier: Sequence[System] = (),
) -> Scored:
    """Score systems, and warn about texts for which the linker gave no answer and about anything doubtful.

    The texts of ``earlier`` systems are also scored, but teach nothing.
    """
    from esascore.reports.data_warnings import DataWarnings
    from esascore.run.scored import joined

    ruler = settings.ruler()
    if earlier:
        with progress_bar("Learning wordings", "steps") as learning:
            ruler = ruler.taught_by(examples, [one.texts for one in systems], progress=learning)
    scored = joined(
        list(evaluate_parts(settings, examples, [*systems, *earlier], metrics, keep, ruler=ruler))
    )
    found = DataWarnings()
    found.add(scored)
    warn_about(scored, "unlinked")
    warn(*found.messages())
    return scored


def evaluate_parts(
    settings: Settings,
    examples: Collection[Example],
    systems: Sequence[System],
    metrics: Metrics,
    keep: Keep = "statistics",
    workers: Workers | None = None,
    ruler: Ruler | None = None,
) -> Iterator[Scored]:
    """Score systems on a corpus that need not fit into memory, part by part, by the settings or a ruler."""
    from esascore.run.evaluation import stream

    with (
        progress_bar("Learning wordings", "steps") as learning,
        progress_bar("Detecting entities") as progress,
    ):
        yield from stream(
            ruler or settings.ruler(), examples, systems, maker_of(metrics), keep=keep,
            jobs=settings.processes, workers=workers, learning=learning, progress=progress, spent=spent,
        )  # fmt: skip
    if (noted := timings()) is not None:
        noted.texts = len(examples) * len(systems)


def maker_of(metrics: Metrics) -> MakeMetrics:
    """Return a function that makes metrics for a pipeline, if only their names are given."""
    if callable(metrics):
        return metrics
    from esascore.metrics import create_metrics
    from esascore.run.evaluation import no_metrics

    return partial(create_metrics, metrics) if metrics else no_metrics


def spooled(
    parts: Iterable[Scored],
    spool: Spool | None,
    lines: Callable[[Scored, Sequence[SystemScores]], Iterable[str]],
) -> Iterator[Scored]:
    """Pass parts on, and spool their lines system by system if requested."""
    for part in parts:
        if spool is not None:
            with stage("writing"):
                for system in part.systems:
                    spool.add(system.name, lines(part, [system]))
        yield part


Oddity = Literal["unlinked", "blank", "empty", "alone"]

ODD_TEXTS: tuple[Oddity, ...] = ("blank", "empty", "alone")

_TOLD: Mapping[Oddity, str] = {
    "unlinked": "{system}the linker gave no answer for {number} of {texts} texts: "
    "what it would have found is unknown",
    "blank": "{system}{number} of {texts} outputs are blank or null-like and score 0",
    "empty": "{number} of {texts} inputs have no entity: ESA is undefined for them, and they are excluded",
    "alone": "{number} of {texts} inputs have no reference: {compared} cannot score them, "
    "and they are excluded",
}


def warn_about(scored: Scored, *oddities: Oddity) -> None:
    """Warn about anything odd in a corpus as a whole."""
    list(watched([scored], *oddities))


def watched(parts: Iterable[Scored], *oddities: Oddity) -> Iterator[Scored]:
    """Pass parts on, and warn at the end about anything odd in them."""
    texts = 0
    compared: list[str] = []
    numbers: Counter[tuple[Oddity, str]] = Counter()
    first: dict[tuple[Oddity, str], list[str]] = defaultdict(list)
    for part in parts:
        texts += len(part.examples)
        compared = [metric.name for metric in part.metrics if metric.with_references]
        for kind, system, example in _odd(part, bool(compared)):
            numbers[kind, system] += 1
            if numbers[kind, system] <= _NAMED:
                first[kind, system].append(example.id)
        yield part
    for oddity in oddities:
        for (kind, system), number in numbers.items():
            if kind == oddity:
                fields = {"number": number, "texts": texts, "compared": ", ".join(compared)}
                told = _TOLD[kind].format(system=f"system {system}: ", **fields)
                more = f" and {number - _NAMED} more" if number > _NAMED else ""
                warn(f"{told} ({', '.join(first[kind, system])}{more})")


def _odd(part: Scored, compared: bool) -> Iterator[tuple[Oddity, str, Example]]:
    """Yield texts without an answer of the linker, blank outputs, inputs without entities or references."""
    for system in part.systems:
        yield from (("unlinked", system.name, part.examples[place]) for place in system.unlinked)
        for example, text in zip(part.examples, system.texts, strict=True):
            if is_blank(text):
                yield "blank", system.name, example
    for example in part.examples:
        if not example.input.entities:
            yield "empty", "", example
        if compared and not example.references:
            yield "alone", "", example
