"""``esascore correlate``: do metrics agree with people?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from esascore.cli import options, parent
from esascore.cli.commands import command
from esascore.cli.outputs import Outputs, paths_of
from esascore.cli.systems import evaluate_systems
from esascore.cli.terminal import warn
from esascore.cli.verdicts import show_verdicts
from esascore.errors import DataError, UsageError
from esascore.metrics.parent_options import ParentOptions
from esascore.model import Example
from esascore.readers.systems import System, read_systems
from esascore.reports.jsontext import to_json
from esascore.text.blank import is_blank

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from esascore.gold.ratings.files import Ratings, TextKey
    from esascore.gold.ratings.study import Study, Variable
    from esascore.reports.correlations import Findings
    from esascore.run.scored import Scored

Columns = Mapping[str, "Mapping[TextKey, float]"]


@command(result=options.Result, reading=options.Reading, settings=options.Settings, family=parent.family)
def correlate(
    corpus: str,
    outputs: tuple[str, ...] = (),
    ratings: str | None = None,
    verdicts: tuple[str, ...] = (),
    rated_texts: bool = False,
    metrics: options.Names = ("esa", "faithfulness"),
    segments: tuple[str, ...] = (),
    correlations: tuple[Literal["pearson", "spearman", "kendall"], ...] = ("pearson",),
    samples: Annotated[int, click.IntRange(1, 1_000_000)] = 500,
    seed: options.Count = 0,
    disagreements: str | None = None,
    plot: str | None = None,
    *,
    result: options.Result,
    reading: options.Reading,
    family: ParentOptions,
    settings: options.Settings,
) -> None:
    """Correlate metrics with human ratings, over texts and over systems.

    CORPUS and OUTPUT are as in esascore score; the ratings can cover only some of the texts. Correlation
    matrices are given for all rated texts, those that are not blank, and those with at least one and at least
    two undetected entities.

    With --verdicts the table shows which share of the flags and of the missing entities is right, with its
    95% interval, by class, type and system, and their number per text times that share; the agreement of
    each pair of readers follows.

    Options
    -------
    --ratings FILE
        Human ratings: WebNLG 2017, 2020, or CSV.
    --verdicts FILE
        Verdicts on flags and missing entities, downloaded from the report; can be repeated.
    --rated-texts
        Use the texts in the ratings file instead of OUTPUT files.
    --metrics NAME,...
        Metrics, separated by commas; can be repeated.
    --segments FILE
        Scores of other metrics per text (CSV, or JSON lines from score --segments); can be repeated.
    --correlation
        Correlations that tables show (JSON and CSV have all); can be repeated.
    --samples
        Number of bootstrap samples of the inputs for correlations over systems.
    --seed
        Seed of the bootstrap.
    --disagreements FILE
        Write texts that people and the first metric judge in opposite ways to FILE as JSON lines.
    --plot FILE
        Draw the first correlation over all texts as a heat map (.svg, .png or .pdf).

    Examples
    --------
    esascore correlate TESTDATA.xml SUBMISSIONS/*.txt --ratings RATINGS.csv
    esascore correlate TESTDATA.xml --rated-texts --ratings RATINGS.csv --metrics esa --correlation kendall
    esascore correlate TESTDATA.xml SUBMISSIONS/* --ratings RATINGS.json --segments BLEURT.csv --format latex
    esascore correlate CORPUS.jsonl OUTPUT.txt --verdicts VERDICTS.jsonl
    """
    from esascore.gold.ratings.files import read_ratings, read_scores
    from esascore.metrics import create_metrics
    from esascore.reports.correlations import FORMATS, disagreement_records
    from esascore.reports.plots import check_figure, draw_matrix

    if (ratings is None) == (not verdicts):
        raise UsageError("give either --ratings FILE or --verdicts FILE")
    if ratings is None:
        if rated_texts or segments or disagreements or plot:
            raise UsageError(
                "--verdicts cannot be combined with --rated-texts, --segments, --disagreements or --plot"
            )
        show_verdicts(corpus, outputs, verdicts, result, reading, settings)
        return
    if rated_texts == bool(outputs):
        raise UsageError("give either OUTPUT files or --rated-texts")
    parent.check_taken(family, metrics)
    read: list[str | Path] = [corpus, ratings, *segments, *paths_of(outputs)]
    files = Outputs({"--disagreements": disagreements, "-o": result.output}, inputs=read)
    if plot is not None:
        check_figure(plot, inputs=read)

    examples = list(reading.corpus(corpus))
    judged = read_ratings(ratings, examples)
    systems = _systems(outputs, examples, judged, ratings)
    matched = _matched(judged.systems, [system.name for system in systems], ratings)
    external = [judged.scores, *(read_scores(path, examples) for path in segments)]
    positions = sorted(
        {place for rated in judged.aspects.values() for name, place in rated if name in matched}
    )
    texts = {one.name: tuple(one.texts) for one in systems if one.name in matched.values()}
    rated = [System(name, tuple(own[place] for place in positions)) for name, own in texts.items()]
    # Subsets depend on undetected entities, whatever is correlated.
    names = metrics if not metrics or "esa" in metrics else [*metrics, "esa"]
    make_metrics = partial(create_metrics, names, options=family)
    rows = [examples[place] for place in positions]
    evaluation = evaluate_systems(settings, rows, rated, make_metrics, keep="statistics")
    study = _study(evaluation, metrics, judged, external, matched, positions)
    findings = _findings(str(evaluation.signature), study, judged, metrics[0], samples, seed)
    if plot is not None:
        pairs = {names: found.value for names, found in findings.texts["all"][correlations[0]].items()}
        title = f"{correlations[0].capitalize()}, {int(study.subset('all').sum())} texts"
        draw_matrix(plot, [variable.name for variable in study.variables], pairs, title=title)
    records = disagreement_records(findings, [tuple(one.texts) for one in rated])
    lines = (to_json(record) + "\n" for record in records)
    contents = {"--disagreements": lines, "-o": [FORMATS[result.format](findings, correlations)]}
    files.write(contents, for_people=result.for_people)


def _systems(outputs: Sequence[str], examples: Sequence[Example], judged: Ratings, path: str) -> list[System]:
    """Return the systems of OUTPUT files; without any, those whose texts are in the ratings.

    In the latter case, texts that were not rated are blank and never used.
    """
    if outputs:
        return read_systems(outputs, examples)
    if not judged.texts:
        raise UsageError(f"{path} contains no texts: give OUTPUT files instead of --rated-texts")
    texts: dict[str, list[str]] = {name: [""] * len(examples) for name in judged.systems}
    for (name, place), text in judged.texts.items():
        if name in texts:
            texts[name][place] = text
    return [System(name, tuple(listed)) for name, listed in texts.items()]


def _findings(
    signature: str, study: Study, judged: Ratings, metric: str, samples: int, seed: int
) -> Findings:
    from esascore.gold.ratings import study as found
    from esascore.reports.correlations import Findings
    from esascore.stats.correlation import CORRELATIONS

    return Findings(
        signature,
        study,
        {
            subset: {kind: found.correlate_texts(study, subset, kind) for kind in CORRELATIONS}
            for subset in found.SUBSETS
        },
        found.correlate_systems(study, samples=samples, seed=seed),
        found.compare_metrics(study),
        found.rating_reliability({name: list(rated.values()) for name, rated in judged.aspects.items()}),
        found.disagreements(study, metric),
    )


def _matched(rated: Sequence[str], given: Sequence[str], path: str) -> dict[str, str]:
    from esascore.gold.ratings.files import match_names

    matched = match_names(rated, given)
    if not matched:
        raise DataError(
            f"no OUTPUT has the name of a rated system; the rated systems are {', '.join(rated)}; "
            "give names with NAME=OUTPUT",
            file=path,
        )
    silent = [name for name in rated if name not in matched]
    if silent:
        warn(f"rated systems without an OUTPUT are left out: {', '.join(silent)}")
    unrated = [name for name in given if name not in matched.values()]
    if unrated:
        warn(f"systems without ratings are left out: {', '.join(unrated)}")
    return matched


def _study(
    evaluation: Scored,
    metrics: Sequence[str],
    judged: Ratings,
    external: Sequence[Columns],
    matched: Mapping[str, str],
    positions: Sequence[int],
) -> Study:
    """Arrange scores, ratings and metrics in arrays of the same shape."""
    import numpy as np

    from esascore.gold.ratings.files import match_names
    from esascore.gold.ratings.study import Study, Variable

    systems = [system.name for system in evaluation.systems]
    rows = {name: row for row, name in enumerate(systems)}
    columns = {place: column for column, place in enumerate(positions)}

    def spread(values: Mapping[TextKey, float], names: Mapping[str, str]) -> NDArray[np.float64]:
        array = np.full((len(systems), len(positions)), np.nan)
        for (name, place), value in values.items():
            if names.get(name) in rows and place in columns:
                array[rows[names[name]], columns[place]] = value
        return array

    taken = {*metrics, *judged.aspects}
    variables: list[Variable] = []
    for number, source in enumerate(external):
        for name, values in source.items():
            named = list(dict.fromkeys(system for system, _ in values))
            names = matched if not number else match_names(named, systems)
            label = name
            while label in taken:
                label += " (file)"
            taken.add(label)
            variables.append(Variable(label, "score", spread(values, names)))
    for aspect, rated in judged.aspects.items():
        means = {key: sum(values) / len(values) for key, values in rated.items()}
        variables.append(Variable(aspect, "rating", spread(means, matched)))
    known = np.any([~np.isnan(v.values) for v in variables if v.role == "rating"], axis=0)
    for metric in evaluation.metrics:
        if metric.name in metrics:
            scores = [metric.segment_scores(system.statistics[metric.name]) for system in evaluation.systems]
            variables.append(Variable(metric.name, "metric", np.array(scores, np.float64)))
    return Study(
        tuple(systems),
        tuple(example.id for example in evaluation.examples),
        tuple(variables),
        known,
        np.array([[is_blank(text) for text in system.texts] for system in evaluation.systems]),
        np.array([system.statistics["esa"][:, 1] for system in evaluation.systems]),
    )
