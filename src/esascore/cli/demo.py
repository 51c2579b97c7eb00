"""``esascore demo``: everything on the bundled example corpus, offline, in seconds."""

from __future__ import annotations

from pathlib import Path

from esascore.cli.commands import command
from esascore.cli.options import Settings
from esascore.cli.systems import evaluate_systems
from esascore.cli.terminal import print_pieces
from esascore.errors import UsageError
from esascore.readers.corpus import read_corpus
from esascore.readers.systems import read_systems
from esascore.reports.writing import write_files

METRICS = ("esa",)
"""Metrics of the demo: none that would have to be compiled in the first run."""


@command(settings=Settings)
def demo(output: str = "esascore-demo", *, settings: Settings) -> None:
    """Score the bundled example corpus and write a report.

    Four invented systems verbalise 40 small graphs: copycat says everything, fluent says it in its own words,
    forgetful leaves things out, dreamer makes things up. The folder receives the report, the scores, the
    detections, and a copy of the corpus and the outputs to try the other commands on.

    Options
    -------
    -o, --output FOLDER
        Folder for the report and the example files; created if needed.

    Examples
    --------
    esascore demo
    esascore demo -o somewhere --profile paper
    """
    from esascore.examples import example_corpus_path, example_output_paths, example_path
    from esascore.metrics.hallucination import Hallucinations
    from esascore.reports.html import write_report
    from esascore.reports.html.site import check_target
    from esascore.reports.lines import detection_lines, segment_lines
    from esascore.reports.summary import summarise
    from esascore.reports.tables import FORMATS, as_overview

    corpus, outputs = example_corpus_path(), example_output_paths()
    examples = read_corpus(corpus)
    systems = read_systems([f"{name}={path}" for name, path in outputs.items()], examples)
    scored = evaluate_systems(settings, examples, systems, METRICS)
    summary = summarise(scored)
    folder = Path(output)
    title = "esascore: the example corpus"
    copied = [corpus, *map(example_path, ("annotated.xml", "walkthrough.csv", "feed.json", "ratings.csv"))]
    contents = [
        (folder / "report.md", iter([as_overview(scored, title)])),
        (folder / "scores.json", iter([FORMATS["json"](summary)])),
        (folder / "segments.jsonl", segment_lines(scored)),
        *(
            (folder / f"{system.name}.detections.jsonl", detection_lines(scored, [system]))
            for system in scored.systems
        ),
        *((folder / path.name, iter([path.read_text("utf-8")])) for path in (*copied, *outputs.values())),
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot create the folder {output}: {error}") from error
    check_target(folder / "report")
    write_files(contents)
    find = Hallucinations(settings.ruler()()).find
    flags = {system.name: find(examples, system.texts, system.detections) for system in scored.systems}
    page = write_report(scored, folder / "report", title=title, flags=flags)
    print_pieces([FORMATS["table"](summary), f"\nReport: {page}\n"], for_people=True)
