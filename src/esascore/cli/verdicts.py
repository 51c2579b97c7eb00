"""Verdicts of a report's readers, read back by ``esascore correlate`` and ``esascore benchmark``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from esascore.cli import options
from esascore.cli.outputs import Outputs, paths_of
from esascore.cli.systems import evaluate_systems, systems_of
from esascore.cli.terminal import warn
from esascore.errors import DataError
from esascore.reports.jsontext import to_json


def show_verdicts(
    corpus: str,
    outputs: tuple[str, ...],
    verdicts: Sequence[str],
    result: options.Result,
    reading: options.Reading,
    settings: options.Settings,
    *,
    errors: str | None = None,
) -> None:
    """Write the share that is right, the corrected rates and the agreement of readers.

    ``errors`` is the file for findings that readers called wrong and that are still found.
    """
    from esascore.gold.ratings.verdicts import agreements, marks, read_verdicts
    from esascore.reports.gold import agreement_lines, false_alarms, verdict_summary
    from esascore.reports.tables import as_document

    files = Outputs({"-o": result.output, "--errors": errors}, inputs=[corpus, *verdicts, *paths_of(outputs)])
    examples = list(reading.corpus(corpus))
    systems = systems_of(corpus, outputs, examples)
    judged = read_verdicts(verdicts)
    shares = marks(judged)
    given = [one.name for one in systems]
    if not (known := {key[0] for key in shares}) & set(given):
        raise DataError(
            f"the verdicts are about {', '.join(sorted(known))}, but the systems are {', '.join(given)}; "
            "give the outputs that the report was made from, as NAME=OUTPUT if names differ",
            file=verdicts[0],
        )
    scored = evaluate_systems(settings, examples, systems, ["esa", "hallucination"])
    summary = verdict_summary(scored, shares)
    warn(*summary.warnings)
    compared = list(agreements(judged))
    if result.format == "json":
        document = as_document(summary) | {"agreement": [asdict(one) for one in compared]}
        shown = to_json(document, indent=2) + "\n"
    else:
        shown = result.of(summary)
    if result.for_people:
        shown += "".join(agreement_lines(compared))
    wrong = (to_json(record) + "\n" for record in false_alarms(scored, shares))
    files.write({"-o": [shown], "--errors": wrong}, for_people=result.for_people)
