"""The figures of systems, from the footers of one run or of several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from esascore.errors import DataError, UsageError
from esascore.metrics import restored_metric
from esascore.reports.summary import Summary as Figures
from esascore.reports.summary import Sums, summary_of
from esascore.shards.results import Summary, name_of, summary_at
from esascore.shards.run import manifest_of
from esascore.shards.storage import Folder
from esascore.shards.units import Unit

_READERS = 16
_LISTED = 5


@dataclass(frozen=True, slots=True)
class Merged:
    """The figures of runs, how many rows they are of, and the first rows that could not be scored.

    ``unfit`` are patterns that fit no attribute, ``unreferenced`` metrics that found no references.
    """

    figures: Figures
    rows: int
    malformed: int
    problems: tuple[str, ...]
    unfit: tuple[str, ...]
    unreferenced: tuple[str, ...]


def merge_runs(paths: Sequence[str]) -> Merged:
    """Add up the footers of runs.

    Parameters
    ----------
    paths
        The folders of runs, or their URLs.

    Raises
    ------
    DataError
        A folder holds no run, or units are missing; runs have other settings, or learned from other rows; a
        row is in two units.
    UsageError
        A folder is given twice.
    """
    for place, path in enumerate(paths):
        if path in paths[:place]:
            raise UsageError(f"{path} is given twice: its rows would count twice")
    runs = [_run(path) for path in paths]
    first, manifest = runs[0][0], runs[0][1]
    for path, other, _ in runs[1:]:
        if other["signatures"] != manifest["signatures"]:
            raise DataError(
                f"its settings are not those of {first}, so that figures cannot be added: score both with "
                "the same version, metrics, profile and lexicons",
                file=path,
            )
        if other["key"] != manifest["key"]:
            raise DataError(
                f"its metrics learn from the corpus, and it learned from other rows than {first}: score all "
                "rows in one run, or leave out metrics that learn (hallucination)",
                file=path,
            )
    summaries = [summary for _, _, own in runs for summary in own]
    _refuse_repetitions(summaries)
    metrics = [restored_metric(*pair) for pair in manifest["signatures"].items()]
    sums: dict[str, Sums] = {}
    for summary in summaries:
        for system, written in summary.totals.items():
            own = Sums.from_dict(written, metrics)
            sums[system] = sums[system] + own if system in sums else own
    if not sums:
        raise DataError("no row could be scored", file=first)
    unfit = set.intersection(*(set(summary.unfit) for summary in summaries))
    figures = summary_of(sums, metrics)
    return Merged(
        figures,
        sum(summary.rows for summary in summaries),
        sum(summary.malformed for summary in summaries),
        tuple(_problems(summaries))[:_LISTED],
        tuple(sorted(unfit)),
        tuple(
            metric.name
            for metric in metrics
            if metric.with_references
            and all(system[metric.columns[0].field] is None for system in figures.systems)
        ),
    )


def _run(path: str) -> tuple[str, dict[str, Any], list[Summary]]:
    folder = Folder(path)
    manifest = manifest_of(folder)
    if manifest is None:
        raise DataError("this is no folder with a run of esascore score --out", file=path)
    try:
        units = [Unit(**unit) for unit in manifest["units"]]
        key = manifest["key"]
    except (TypeError, KeyError):
        raise DataError("the run in this folder cannot be read: score it again", file=path) from None
    with ThreadPoolExecutor(_READERS) as readers:
        found = list(readers.map(lambda unit: summary_at(folder, name_of(unit)), units))
    own = [summary for summary in found if summary is not None and summary.key == key]
    if len(own) < len(units):
        raise DataError(
            f"{len(units) - len(own)} of {len(units)} units are not scored yet: the command that made this "
            "folder does what is missing",
            file=path,
        )
    return path, manifest, own


def _refuse_repetitions(summaries: Sequence[Summary]) -> None:
    seen: dict[int, Summary] = {}
    for summary in summaries:
        for key in summary.keys:
            if (other := seen.setdefault(key, summary)) is not summary:
                raise DataError(
                    f"a row of {summary.unit['file']} has the system and the id of one of "
                    f"{other.unit['file']}: it would count twice"
                )


def _problems(summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield the first malformed rows of each unit, with their numbers in the file."""
    before: dict[str, int] = {}
    ordered = sorted(summaries, key=lambda one: (one.unit["file"], one.unit["group"], one.unit["start"]))
    for summary in ordered:
        file = summary.unit["file"]
        start = before.get(file, 0)
        for number, reason in summary.problems:
            yield f"{file}:{start + number}: {reason}"
        before[file] = start + summary.lines
