"""The systems of a command line: read, evaluated with a progress bar, with warnings about what is odd."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from esascore.cli.outputs import paths_of, stem_of
from esascore.cli.terminal import progress_bar, warn
from esascore.cli.timings import stage, timings
from esascore.processes import start_ahead, worth_starting
from esascore.readers.lines import size_of

if TYPE_CHECKING:
    from esascore.cli.options import Settings
    from esascore.engine import Scored, SystemScores
    from esascore.engine.scoring import MakeMetrics
    from esascore.model import Example
    from esascore.readers.systems import System
    from esascore.reports.writing import Spool

_NAMED = 5


_BYTES_PER_TEXT = 128  # of WebNLG; longer texts are worth a process sooner


def start_processes(outputs: Sequence[str], settings: Settings, metrics: Sequence[str]) -> None:
    """Start the processes that will share the work on systems, if it looks large enough.

    They get ready while this one imports what it needs and reads everything: to be called before that.
    """
    size = sum(size_of(path) for path in paths_of(outputs))
    start_ahead(worth_starting(size // _BYTES_PER_TEXT, settings.jobs) - 1, settings.profile, metrics)


def systems_of(corpus: str, outputs: Sequence[str], examples: Collection[Example]) -> list[System]:
    """The systems of the command line; without any, the texts of the corpus itself."""
    from esascore.errors import UsageError
    from esascore.readers.systems import own_outputs, read_systems

    with stage("checking"):  # which reads everything once
        if outputs:
            return read_systems(outputs, examples)
        own = own_outputs(examples, stem_of(corpus))
    if own is None:
        raise UsageError(f"{corpus} contains no texts of a system: give one or more OUTPUT files")
    return [own]


def evaluate_systems(
    settings: Settings,
    examples: Sequence[Example],
    systems: Sequence[System],
    make_metrics: MakeMetrics,
    *,
    keep_detections: bool = False,
) -> Scored:
    """Score systems, and warn about texts that the linker gave no answer for, and about what is doubtful."""
    from esascore.engine import evaluate
    from esascore.reports.doubts import Doubts

    factory = settings.factory(examples, [system.texts for system in systems])
    with progress_bar("Detecting entities") as progress:
        scored = evaluate(
            factory,
            examples,
            systems,
            make_metrics,
            keep_detections=keep_detections,
            jobs=settings.jobs,
            progress=progress,
        )
    warn_about([scored], "unlinked")
    doubts = Doubts()
    doubts.add(scored)
    warn_all(doubts.messages())
    return scored


def warn_all(messages: Iterable[str]) -> None:
    """Warn with each message."""
    for message in messages:
        warn(message)


def evaluate_parts(
    settings: Settings,
    examples: Collection[Example],
    systems: Sequence[System],
    make_metrics: MakeMetrics,
    *,
    keep_detections: bool = False,
    keep_details: bool = False,
) -> Iterator[Scored]:
    """Score systems on a corpus that need not fit into memory, part by part."""
    from esascore.engine import stream

    with stage("learning"):
        factory = settings.factory(examples, [system.texts for system in systems])
    noted = timings()
    with progress_bar("Detecting entities") as progress:
        yield from stream(
            factory,
            examples,
            systems,
            make_metrics,
            keep_detections=keep_detections,
            keep_details=keep_details,
            jobs=settings.jobs,
            progress=progress,
            spent=None if noted is None else noted.spent,
        )
    if noted is not None:
        noted.texts = len(examples) * len(systems)


def spooled(
    parts: Iterable[Scored],
    spool: Spool | None,
    lines: Callable[[Scored, Sequence[SystemScores]], Iterable[str]],
) -> Iterator[Scored]:
    """Hand on parts, and put their lines aside, system by system, if somebody wants them."""
    for part in parts:
        if spool is not None:
            with stage("writing"):
                for system in part.systems:
                    spool.add(system.name, lines(part, [system]))
        yield part


Oddity = Literal["unlinked", "blank", "empty", "alone"]

ODD_TEXTS: tuple[Oddity, ...] = ("blank", "empty", "alone")


def warn_about(parts: Iterable[Scored], *oddities: Oddity) -> None:
    """Warn about what is odd in all of a corpus."""
    for _ in watched(parts, *oddities):
        pass


def watched(parts: Iterable[Scored], *oddities: Oddity) -> Iterator[Scored]:
    """Hand on parts, and warn at the end about what is odd in them.

    That are texts that the entity linker gave no answer for, blank outputs, which score 0, and inputs without
    entities or references, without a score.
    """
    from esascore.text.blank import is_blank

    texts = 0
    unlinked: dict[str, _Listed] = {}
    blank: dict[str, _Listed] = {}
    empty, alone = _Listed(), _Listed()
    compared: list[str] = []
    for part in parts:
        texts += len(part.examples)
        for system in part.systems:
            for position in system.unlinked:
                unlinked.setdefault(system.name, _Listed()).add(part.examples[position].id)
            for example, text in zip(part.examples, system.texts, strict=True):
                if is_blank(text):
                    blank.setdefault(system.name, _Listed()).add(example.id)
        for example in part.examples:
            if not example.input.entities:
                empty.add(example.id)
            if not example.references:
                alone.add(example.id)
        compared = [metric.name for metric in part.metrics if metric.with_references]
        yield part
    if "unlinked" in oddities:
        for name, listed in unlinked.items():
            warn(
                f"system {name}: the linker gave no answer for {listed.number} of {texts} texts: "
                f"what it would have found is unknown ({listed})"
            )
    if "blank" in oddities:
        for name, listed in blank.items():
            warn(
                f"system {name}: {listed.number} of {texts} outputs are blank or null-like "
                f"and score 0 ({listed})"
            )
    if "empty" in oddities and empty.number:
        warn(
            f"{empty.number} of {texts} inputs have no entity: ESA is undefined for them, and they are "
            f"excluded ({empty})"
        )
    if "alone" in oddities and alone.number and compared:
        warn(
            f"{alone.number} of {texts} inputs have no reference: {', '.join(compared)} cannot score "
            f"them, and they are excluded ({alone})"
        )


class _Listed:
    """The first ids of many, and their number."""

    def __init__(self) -> None:
        self.number = 0
        self._first: list[str] = []

    def add(self, id_: str) -> None:
        self.number += 1
        if self.number <= _NAMED:
            self._first.append(id_)

    def __str__(self) -> str:
        more = f" and {self.number - _NAMED} more" if self.number > _NAMED else ""
        return ", ".join(self._first) + more
