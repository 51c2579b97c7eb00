"""``esascore benchmark``: detection against mentions that people annotated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from esascore.cli.options import Settings, detection_options, format_option
from esascore.cli.terminal import print_pieces, progress_bar

if TYPE_CHECKING:
    from esascore.gold.mentions.benchmark import AnnotatedText, Detect
    from esascore.metrics.base import Detector
    from esascore.reports.summary import Summary

_SHOWN = 10
"""How many changed texts a table shows; all are in JSON and in the file of --errors."""


@dataclass(frozen=True, slots=True)
class _Result:
    """What is shown: plain data, a table of it, remarks for people, and what --errors and --write hold."""

    data: Mapping[str, Any]
    summary: Summary
    remarks: Sequence[str]
    errors: Iterable[Mapping[str, Any]]
    corpus: Sequence[Mapping[str, Any]] = ()


@click.command(
    epilog="""\b
Examples (after esascore demo, which writes a small annotated corpus):
  esascore benchmark esascore-demo/annotated.xml --errors mistakes.jsonl
  esascore benchmark esascore-demo/annotated.xml --compare paper default --format markdown
  esascore benchmark esascore-demo/annotated.xml --counterfactual --seed 1 --write changed.jsonl
"""
)
@click.argument("gold_dir")
@format_option
@click.option("-o", "--output", metavar="FILE", help="Write the result there.  [default: standard output]")
@click.option(
    "--errors",
    metavar="FILE",
    help="Write every mistake there as JSON lines, with context and a guess of its cause; "
    "with --compare the texts that changed.",
)
@click.option(
    "--compare", nargs=2, metavar="A B", help="Compare two profiles, and show the texts that changed."
)
@click.option(
    "--train", metavar="DIR", help="Training data, whose entities and categories are the seen ones."
)
@click.option(
    "--counterfactual",
    is_flag=True,
    help="Remove an entity from each text instead, and see whether that is noticed.",
)
@click.option(
    "--kinds",
    default="replace,delete",
    show_default=True,
    metavar="KIND,...",
    help="How entities are removed: replace, delete, number, date, name.",
)
@click.option("--all-entities", is_flag=True, help="Remove every entity in turn, not one of each text.")
@click.option(
    "--uncertain", is_flag=True, help="Make also texts whose rest may still name the removed entity."
)
@click.option("--lowercase", is_flag=True, help="Put counterfactual texts in lower case.")
@click.option("--write", metavar="FILE", help="Write the counterfactual corpus there, as JSON lines.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of what is drawn: texts and intervals."
)
@click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Bootstrap resamples for confidence intervals; 0 for none.",
)
@detection_options
def benchmark(
    gold_dir: str,
    format_: str,
    output: str | None,
    errors: str | None,
    compare: tuple[str, str] | None,
    train: str | None,
    counterfactual: bool,
    kinds: str,
    all_entities: bool,
    uncertain: bool,
    lowercase: bool,
    write: str | None,
    seed: int,
    resamples: int,
    settings: Settings,
) -> None:
    """Benchmark detection against annotated mentions.

    GOLD_DIR is a file or folder of enriched WebNLG. Detected mentions are compared with the annotated ones:
    exactly, approximately (edit distance up to 0.2), and by entity; see docs/benchmark.md for the protocol.
    """
    from esascore.errors import UsageError
    from esascore.gold.mentions.benchmark import read_annotated
    from esascore.reports.jsontext import to_json
    from esascore.reports.tables import FORMATS
    from esascore.reports.writing import check_writable, write_files

    if not counterfactual:
        given = {
            "--all-entities": all_entities,
            "--uncertain": uncertain,
            "--lowercase": lowercase,
            "--write": write,
        }
        for option, value in given.items():
            if value:
                raise UsageError(f"{option} makes counterfactual texts: it needs --counterfactual")
    elif train is not None:
        raise UsageError("--train goes without --counterfactual")
    files = [path for path in (output, errors, write) if path is not None and path != "-"]
    if len(set(files)) < len(files):
        raise UsageError("-o, --errors and --write must name different files")
    for path in files:
        check_writable(path, inputs=[gold_dir])

    texts = read_annotated(gold_dir)
    detectors = _detectors(settings, compare)
    if counterfactual:
        names = [kind.strip() for kind in kinds.split(",") if kind.strip()]
        per_text = None if all_entities else 1
        made = _Counterfactuals(tuple(names), per_text, uncertain, lowercase, seed, resamples)
        result = _on_counterfactuals(texts, detectors, made, gold_dir)
    else:
        result = _on_annotations(texts, detectors, train, seed, resamples)
    shown = to_json(result.data, indent=2) + "\n" if format_ == "json" else FORMATS[format_](result.summary)
    if format_ == "table":
        shown += "".join(f"{line}\n" for line in result.remarks)

    contents: list[tuple[str, Iterable[str]]] = []
    for target, lines in ((write, result.corpus), (errors, result.errors)):
        if target is not None:
            contents.append((target, (to_json(line) + "\n" for line in lines)))
    if output is not None:
        contents.append((output, [shown]))
    write_files([content for content in contents if content[0] != "-"])
    if output is None:
        print_pieces([shown], for_people=format_ == "table")
    for target, lines_ in contents:
        if target == "-":
            print_pieces(lines_)


# --- detectors


@dataclass(frozen=True, slots=True)
class _Named:
    """A detector under the name of its profile."""

    name: str
    pipeline: Detector
    detect: Detect


def _detectors(settings: Settings, compare: tuple[str, str] | None) -> list[_Named]:
    profiles = [settings.profile] if compare is None else list(compare)
    return [_detector(replace(settings, profile=profile)) for profile in profiles]


def _detector(settings: Settings) -> _Named:
    from esascore.engine import detect_all

    factory = settings.factory()
    pipeline = factory()

    def detect(documents: Sequence[Any]) -> list[Any]:
        items = [(document.input, document.text) for document in documents]
        with progress_bar(f"Detecting entities ({settings.profile})") as progress:
            return detect_all(factory, items, pipeline=pipeline, jobs=settings.jobs, progress=progress)

    return _Named(settings.profile, pipeline, detect)


def _signature(detectors: Sequence[_Named], more: Mapping[str, str]) -> str:
    """The settings of the benchmark and of detection; of two detectors under ``a.`` and ``b.``."""
    from esascore._version import __version__
    from esascore.metrics.base import Signature

    marks = [""] if len(detectors) == 1 else ["a.", "b."]
    parts = {
        mark + key: value
        for mark, detector in zip(marks, detectors, strict=True)
        for key, value in detector.pipeline.signature_parts().items()
    }
    return str(Signature.of({"esascore": __version__, "protocol": "1", **more, **parts}))


# --- annotated texts


def _on_annotations(
    texts: Sequence[AnnotatedText],
    detectors: Sequence[_Named],
    train: str | None,
    seed: int,
    resamples: int,
) -> _Result:
    from esascore.gold.mentions.benchmark import match_all
    from esascore.gold.mentions.breakdown import Training
    from esascore.gold.mentions.mistakes import mistakes
    from esascore.gold.mentions.summary import changes, differences, summarise
    from esascore.readers import read_corpus
    from esascore.reports.gold import benchmark_summary

    training = None if train is None else Training.of(read_corpus(train))
    matched = [match_all(texts, detector.detect) for detector in detectors]
    summaries = [summarise(one, training=training, resamples=resamples, seed=seed) for one in matched]
    signature = _signature(detectors, {})
    results = list(zip([detector.name for detector in detectors], summaries, strict=True))
    if len(detectors) == 1:
        data = {"signature": signature, "profile": detectors[0].name, **summaries[0]}
        remarks = [*_interval_remarks(summaries[0]), *_cause_remarks(summaries[0])]
        remarks += _unlocated_remarks(summaries[0])
        errors = (mistake.as_dict() for mistake in mistakes(matched[0]))
        return _Result(data, benchmark_summary(signature, results), remarks, errors)
    difference = differences(matched[0], matched[1], resamples=resamples, seed=seed)
    changed = changes(matched[0], matched[1])
    data = {
        "signature": signature,
        "texts": len(texts),
        "a": {"profile": detectors[0].name, **summaries[0]},
        "b": {"profile": detectors[1].name, **summaries[1]},
        "difference": difference,
        "changed": changed,
    }
    remarks = [*_difference_remarks(difference), *_change_remarks(changed, len(texts))]
    return _Result(data, benchmark_summary(signature, results, difference), remarks, changed)


def _interval_remarks(summary: Mapping[str, Any]) -> Iterator[str]:
    if "ci" in summary:
        ends = {level: summary["ci"][level]["f1"] for level in ("exact", "approximate", "entity")}
        shown = ", ".join(f"{level} {_range(pair)}" for level, pair in ends.items())
        yield f"95% intervals of F1 (inputs resampled {summary['ci']['resamples']} times): {shown}"


def _cause_remarks(summary: Mapping[str, Any]) -> Iterator[str]:
    for error, name in (("miss", "missed"), ("spurious", "spurious")):
        causes = summary["mistakes"][error]
        listed = ", ".join(f"{cause} {number}" for cause, number in causes.items())
        yield f"{sum(causes.values())} {name} (exact), by likely cause: {listed or 'none'}"


def _unlocated_remarks(summary: Mapping[str, Any]) -> Iterator[str]:
    if summary["not_located"]:
        missing, gold = summary["not_located"], summary["gold"]
        yield f"{missing} of {gold} annotated mentions could not be located in their text"


def _difference_remarks(difference: Mapping[str, Any]) -> Iterator[str]:
    listed = [f"{level} {_range(figures['f1']['ci'])}" for level, figures in difference.items()]
    yield f"95% intervals of the difference in F1: {', '.join(listed)}"


def _change_remarks(changed: Sequence[Mapping[str, Any]], texts: int) -> Iterator[str]:
    better = sum(one["after"] > one["before"] for one in changed)
    worse = sum(one["after"] < one["before"] for one in changed)
    yield f"{len(changed)} of {texts} texts changed: {better} better, {worse} worse (mentions exactly right)"
    ranked = sorted(changed, key=lambda one: -abs(one["after"] - one["before"]))  # stable: else corpus order
    for one in ranked[:_SHOWN]:
        yield f"  {one['id']}: {one['before']} -> {one['after']} right"
        for sign, side in (("-", "lost"), ("+", "gained")):
            for mention in one[side]:
                mark = " (right)" if mention["right"] else ""
                yield _line(f"    {sign} {mention['entity']}: {mention['text']}{mark}")
    if len(changed) > _SHOWN:
        yield f"  ... and {len(changed) - _SHOWN} more: --errors FILE writes them all"


def _range(pair: Sequence[float] | None) -> str:
    return "-" if pair is None else f"{pair[0]:.4f} to {pair[1]:.4f}"


def _line(text: str) -> str:
    from esascore.reports.visible import visible

    return visible(text)


# --- counterfactual texts


@dataclass(frozen=True, slots=True)
class _Counterfactuals:
    """Which counterfactual texts are made."""

    kinds: tuple[str, ...]
    per_text: int | None
    uncertain: bool
    lowercase: bool
    seed: int
    resamples: int


def _on_counterfactuals(
    texts: Sequence[AnnotatedText], detectors: Sequence[_Named], wanted: _Counterfactuals, gold_dir: str
) -> _Result:
    from esascore.errors import DataError, UsageError
    from esascore.gold.counterfactual.make import make_counterfactuals
    from esascore.gold.counterfactual.sensitivity import FIGURES, failures, judge, summarise_verdicts
    from esascore.reports.gold import counterfactual_summary

    if not wanted.kinds:
        raise UsageError("--kinds is empty: give one or more, separated by commas")
    made = make_counterfactuals(
        texts,
        kinds=wanted.kinds,
        seed=wanted.seed,
        per_text=wanted.per_text,
        lowercase=wanted.lowercase,
        uncertain=wanted.uncertain,
    )
    if not made:
        raise DataError(f"no text of this corpus can be changed by {', '.join(wanted.kinds)}", file=gold_dir)
    verdicts = [judge(made, detector.detect) for detector in detectors]
    summaries = [summarise_verdicts(one, resamples=wanted.resamples, seed=wanted.seed) for one in verdicts]
    more = {
        "counterfactual": ",".join(wanted.kinds),
        "entities": "all" if wanted.per_text is None else "one",
        "certainty": "any" if wanted.uncertain else "certain",
        "case": "lower" if wanted.lowercase else "kept",
        "seed": str(wanted.seed),
    }
    signature = _signature(detectors, more)
    results = list(zip([detector.name for detector in detectors], summaries, strict=True))
    corpus = [one.as_dict() for one in made]
    if len(detectors) == 1:
        data = {"signature": signature, "profile": detectors[0].name, "seed": wanted.seed, **summaries[0]}
        table = counterfactual_summary(signature, results)
        remarks = list(_figure_remarks(summaries[0]))
        return _Result(data, table, remarks, failures(verdicts[0]), corpus)
    first, second = summaries
    difference = {
        name: None if first[name] is None or second[name] is None else second[name] - first[name]
        for name in FIGURES
    }
    changed = [
        {
            "id": a.counterfactual.id,
            "kind": a.counterfactual.kind,
            "text": a.counterfactual.text,
            "entity": a.counterfactual.entity,
            "before": {"noticed": a.noticed, "lost": list(a.lost)},
            "after": {"noticed": b.noticed, "lost": list(b.lost)},
        }
        for a, b in zip(verdicts[0], verdicts[1], strict=True)
        if (a.noticed, a.lost) != (b.noticed, b.lost)
    ]
    data = {
        "signature": signature,
        "texts": len(made),
        "seed": wanted.seed,
        "a": {"profile": detectors[0].name, **first},
        "b": {"profile": detectors[1].name, **second},
        "difference": difference,
        "changed": changed,
    }
    remarks = [f"{len(changed)} of {len(made)} texts changed: --errors FILE writes them"]
    return _Result(data, counterfactual_summary(signature, results, difference), remarks, changed, corpus)


def _figure_remarks(summary: Mapping[str, Any]) -> Iterator[str]:
    if "ci" in summary:
        shown = ", ".join(f"{name} {_range(summary['ci'][name])}" for name in ("sensitivity", "specificity"))
        yield f"95% intervals (inputs resampled {summary['ci']['resamples']} times): {shown}"
