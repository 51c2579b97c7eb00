"""The systems of a command line: read, evaluated with a progress bar, with warnings about what is odd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from esascore.cli.outputs import stem_of
from esascore.cli.terminal import progress_bar, warn

if TYPE_CHECKING:
    from esascore.cli.options import Settings
    from esascore.engine import Scored
    from esascore.metrics.base import Detector, Metric
    from esascore.model import Example
    from esascore.readers.systems import System

_NAMED = 5


def systems_of(corpus: str, outputs: Sequence[str], examples: Sequence[Example]) -> list[System]:
    """The systems of the command line; without any, the texts of the corpus itself."""
    from esascore.errors import UsageError
    from esascore.readers.systems import own_outputs, read_systems

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
    make_metrics: Callable[[Detector], Sequence[Metric[Any]]],
    *,
    keep_detections: bool = False,
) -> Scored:
    """Score systems, and warn about texts that the entity linker gave no answer for."""
    from esascore.engine import evaluate

    with progress_bar("Detecting entities") as progress:
        scored = evaluate(
            settings.factory(),
            examples,
            systems,
            make_metrics,
            keep_detections=keep_detections,
            jobs=settings.jobs,
            progress=progress,
        )
    for system in scored.systems:
        if system.unlinked:
            ids = [examples[n].id for n in system.unlinked]
            warn(
                f"system {system.name}: the linker gave no answer for {len(ids)} of {len(examples)} texts: "
                f"what it would have found is unknown ({_listed(ids)})"
            )
    return scored


def warn_about(
    examples: Sequence[Example], systems: Sequence[System], metrics: Sequence[Metric[Any]]
) -> None:
    """Warn about blank outputs, which score 0, and inputs without entities or references, without a score."""
    from esascore.text.blank import is_blank

    for system in systems:
        pairs = zip(examples, system.texts, strict=True)
        blank = [example.id for example, text in pairs if is_blank(text)]
        if blank:
            warn(
                f"system {system.name}: {len(blank)} of {len(examples)} outputs are blank or null-like "
                f"and score 0 ({_listed(blank)})"
            )
    empty = [example.id for example in examples if not example.input.entities]
    if empty:
        warn(
            f"{len(empty)} of {len(examples)} inputs have no entity: ESA is undefined for them, and they are "
            f"excluded ({_listed(empty)})"
        )
    alone = [example.id for example in examples if not example.references]
    compared = [metric.name for metric in metrics if metric.with_references]
    if alone and compared:
        warn(
            f"{len(alone)} of {len(examples)} inputs have no reference: {', '.join(compared)} cannot score "
            f"them, and they are excluded ({_listed(alone)})"
        )


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more
