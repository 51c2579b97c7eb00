"""``esascore benchmark``: detection against mentions that people annotated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import click

from esascore.cli import options
from esascore.cli.commands import command
from esascore.cli.outputs import Outputs
from esascore.cli.terminal import progress_bar
from esascore.cli.verdicts import show_verdicts

if TYPE_CHECKING:
    from esascore.gold.mentions.benchmark import AnnotatedText, Detect
    from esascore.metrics.base import Detector
    from esascore.model import Detection, Input
    from esascore.reports.summary import Summary

_SHOWN = 10
"""How many changed texts a table shows; JSON and the --errors file have all of them."""


@dataclass(frozen=True, slots=True)
class _Result:
    """What is shown: plain data, its table, remarks for people, and the contents of --errors and --write."""

    data: Mapping[str, Any]
    summary: Summary
    remarks: Iterable[str]
    errors: Iterable[Mapping[str, Any]]
    corpus: Iterable[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which counterfactual texts are made.

    Options
    -------
    --counterfactual
        Remove an entity from each text instead, and test whether detection notices.
    --kinds KIND,...
        How entities are removed: replace, delete, number, date, name.
    --all-entities
        Remove every entity in turn instead of one per text.
    --uncertain
        Also make texts whose remaining words may still name the removed entity.
    --lowercase
        Convert counterfactual texts to lower case.
    """

    counterfactual: bool = False
    kinds: str = "replace,delete"
    all_entities: bool = False
    uncertain: bool = False
    lowercase: bool = False


@command(wanted=Wanted, result=options.Result, reading=options.Reading, settings=options.detection)
def benchmark(
    gold_dir: str,
    outputs: tuple[str, ...] = (),
    errors: str | None = None,
    compare: tuple[str, str] | None = None,
    train: str | None = None,
    verdicts: tuple[str, ...] = (),
    write: str | None = None,
    resamples: Annotated[int, click.IntRange(0, 1_000_000)] = 1000,
    seed: options.Count = 0,
    *,
    wanted: Wanted,
    result: options.Result,
    reading: options.Reading,
    settings: options.Settings,
) -> None:
    """Benchmark detection against annotated mentions.

    GOLD_DIR is a file or folder of enriched WebNLG. Detected mentions are compared with the annotated ones:
    exactly, approximately (edit distance up to 0.2), and by entity; see docs/benchmark.md for the protocol.

    With --verdicts, GOLD_DIR is the corpus of a report in any format, and OUTPUT are the systems of that
    report. Flags and missing entities are compared with what its readers said: the share that is right, by
    class, type and system, corrected rates, and the agreement of every two readers.

    Options
    -------
    --errors FILE
        Write every mistake to FILE as JSON lines, with context and a guess at its cause; with --compare the
        texts that changed, with --verdicts what readers called wrong.
    --compare A B
        Compare two profiles, and show the texts that changed.
    --train DIR
        Training data; its entities and categories count as seen.
    --verdicts FILE
        Verdicts on flags and missing entities, downloaded from the report; can be repeated.
    --write FILE
        Write the counterfactual corpus to FILE as JSON lines.
    --resamples
        Number of bootstrap resamples for confidence intervals; 0 for none.
    --seed
        Random seed for counterfactual texts and confidence intervals.

    Examples
    --------
    esascore benchmark esascore-demo/annotated.xml --errors mistakes.jsonl
    esascore benchmark esascore-demo/annotated.xml --compare paper default --format markdown
    esascore benchmark esascore-demo/annotated.xml --counterfactual --seed 1 --write changed.jsonl
    esascore benchmark CORPUS.jsonl OUTPUT.txt --verdicts VERDICTS.jsonl --errors false-alarms.jsonl
    """
    from esascore.gold.mentions.benchmark import read_annotated
    from esascore.reports.jsontext import to_json

    if verdicts:
        _check_verdicts(wanted, {"--compare": compare, "--train": train, "--write": write})
        show_verdicts(gold_dir, outputs, verdicts, result, reading, settings, errors=errors)
        return
    _check(wanted, write, train)
    _check_gold(outputs, reading)
    files = Outputs({"-o": result.output, "--errors": errors, "--write": write}, inputs=[gold_dir])
    texts = read_annotated(gold_dir)
    profiles = [settings.profile] if compare is None else compare
    detectors = [_detector(settings, profile) for profile in profiles]
    if wanted.counterfactual:
        found = _on_counterfactuals(texts, detectors, wanted, gold_dir, seed, resamples)
    else:
        found = _on_annotations(texts, detectors, train, seed, resamples)
    in_json = result.format == "json"
    shown = to_json(found.data, indent=2) + "\n" if in_json else result.of(found.summary)
    if result.for_people:
        shown += "".join(f"{line}\n" for line in found.remarks)
    contents: dict[str, Iterable[str]] = {"-o": [shown]}
    for option, records in (("--write", found.corpus), ("--errors", found.errors)):
        contents[option] = (to_json(record) + "\n" for record in records)
    files.write(contents, for_people=result.for_people)


def _check_verdicts(wanted: Wanted, given: Mapping[str, object]) -> None:
    from esascore.errors import UsageError

    more = [option for option, value in given.items() if value is not None]
    if wanted.counterfactual:
        more.append("--counterfactual")
    if more:
        raise UsageError(f"--verdicts goes without {' and '.join(more)}")
    _check(wanted, None, None)


def _check_gold(outputs: Sequence[str], reading: options.Reading) -> None:
    """Annotated texts are in GOLD_DIR itself, in one format."""
    from esascore.errors import UsageError

    if outputs:
        raise UsageError(
            "OUTPUT files need --verdicts FILE; without it the annotated texts of GOLD_DIR are used"
        )
    if reading.input_format or reading.optional or reading.ignore:
        raise UsageError("--input-format, --optional and --ignore need --verdicts FILE")


def _check(wanted: Wanted, write: str | None, train: str | None) -> None:
    from esascore.errors import UsageError

    if wanted.counterfactual:
        if train is not None:
            raise UsageError("--train cannot be combined with --counterfactual")
        return
    given = {
        "--all-entities": wanted.all_entities,
        "--uncertain": wanted.uncertain,
        "--lowercase": wanted.lowercase,
        "--write": write,
    }
    for option, value in given.items():
        if value:
            raise UsageError(f"{option} needs --counterfactual")


# --- detectors


@dataclass(frozen=True, slots=True)
class _Named:
    """A detector under the name of its profile."""

    name: str
    pipeline: Detector
    detect: Detect


def _detector(settings: options.Settings, profile: str) -> _Named:
    from esascore.run.evaluation import detect_all

    factory = settings.ruler(profile=profile)
    pipeline = factory()

    def detect(items: Sequence[tuple[Input, str]]) -> list[Detection]:
        with progress_bar(f"Detecting entities ({profile})") as progress:
            return detect_all(factory, items, pipeline=pipeline, jobs=settings.jobs, progress=progress)

    return _Named(profile, pipeline, detect)


def _signature(detectors: Sequence[_Named], more: Mapping[str, str]) -> str:
    """The settings of the benchmark and of detection; those of two detectors under ``a.`` and ``b.``."""
    from esascore._version import __version__
    from esascore.metrics.base import Signature

    marks = [""] if len(detectors) == 1 else ["a.", "b."]
    parts = {
        mark + key: value
        for mark, detector in zip(marks, detectors, strict=True)
        for key, value in detector.pipeline.signature_parts().items()
    }
    return str(Signature.of({"esascore": __version__, "protocol": "1", **more, **parts}))


def _result(
    detectors: Sequence[_Named],
    summaries: Sequence[Mapping[str, Any]],
    table: Callable[..., Summary],
    *,
    texts: int,
    remarks: Iterable[str],
    errors: Iterable[Mapping[str, Any]],
    difference: Mapping[str, Any] | None = None,
    signature: Mapping[str, str] | None = None,
    seed: Mapping[str, int] | None = None,
    corpus: Iterable[Mapping[str, Any]] = (),
) -> _Result:
    """One detector alone with its mistakes, or two side by side with what changed between them."""
    signed = _signature(detectors, signature or {})
    results = [(detector.name, found) for detector, found in zip(detectors, summaries, strict=True)]
    if difference is None:
        data = {"signature": signed, "profile": results[0][0], **(seed or {}), **summaries[0]}
    else:
        sides = {side: {"profile": name, **found} for side, (name, found) in zip("ab", results, strict=True)}
        data = {"signature": signed, "texts": texts, **(seed or {}), **sides}
        data |= {"difference": difference, "changed": errors}
    return _Result(data, table(signed, results, difference), remarks, errors, corpus)


# --- annotated texts


def _on_annotations(
    texts: Sequence[AnnotatedText],
    detectors: Sequence[_Named],
    train: str | None,
    seed: int,
    resamples: int,
) -> _Result:
    from esascore.gold.mentions.benchmark import LEVELS, match_all
    from esascore.gold.mentions.mistakes import mistakes
    from esascore.gold.mentions.summary import Training, changes, differences, summarise
    from esascore.readers import read_corpus
    from esascore.reports.gold import benchmark_summary

    training = None if train is None else Training.of(read_corpus(train))
    matched = [match_all(texts, detector.detect) for detector in detectors]
    summaries = [summarise(one, training=training, resamples=resamples, seed=seed) for one in matched]
    difference = None
    if len(detectors) == 1:
        (summary,) = summaries
        ci = summary.get("ci", {})
        ends = {level: ci[level]["f1"] for level in LEVELS if level in ci}
        remarks = [*_interval_remarks(" of F1", ends, resamples), *_mistake_remarks(summary)]
        errors: Iterable[Mapping[str, Any]] = (mistake.as_dict() for mistake in mistakes(matched[0]))
    else:
        difference = differences(matched[0], matched[1], resamples=resamples, seed=seed)
        errors = changed = changes(matched[0], matched[1])
        ends = {level: figures["f1"]["ci"] for level, figures in difference.items()}
        remarks = [f"95% intervals of the difference in F1: {_ranges(ends)}"]
        remarks += _change_remarks(changed, len(texts))
    return _result(
        detectors,
        summaries,
        benchmark_summary,
        texts=len(texts),
        remarks=remarks,
        errors=errors,
        difference=difference,
    )


def _interval_remarks(what: str, ends: Mapping[str, Sequence[float] | None], resamples: int) -> Iterator[str]:
    if ends:
        yield f"95% intervals{what} (inputs resampled {resamples} times): {_ranges(ends)}"


def _mistake_remarks(summary: Mapping[str, Any]) -> Iterator[str]:
    for error, name in (("miss", "missed"), ("spurious", "spurious")):
        causes = summary["mistakes"][error]
        listed = ", ".join(f"{cause} {number}" for cause, number in causes.items())
        yield f"{sum(causes.values())} {name} (exact), by likely cause: {listed or 'none'}"
    if summary["not_located"]:
        missing, gold = summary["not_located"], summary["gold"]
        yield f"{missing} of {gold} annotated mentions could not be located in their text"


def _change_remarks(changed: Sequence[Mapping[str, Any]], texts: int) -> Iterator[str]:
    from esascore.reports.escaping import visible

    better = sum(one["after"] > one["before"] for one in changed)
    worse = sum(one["after"] < one["before"] for one in changed)
    yield f"{len(changed)} of {texts} texts changed: {better} better, {worse} worse (mentions exactly right)"
    ranked = sorted(changed, key=lambda one: -abs(one["after"] - one["before"]))  # stable: ties keep order
    for one in ranked[:_SHOWN]:
        yield f"  {one['id']}: {one['before']} -> {one['after']} right"
        for sign, side in (("-", "lost"), ("+", "gained")):
            for mention in one[side]:
                mark = " (right)" if mention["right"] else ""
                yield visible(f"    {sign} {mention['entity']}: {mention['text']}{mark}")
    if len(changed) > _SHOWN:
        yield f"  ... and {len(changed) - _SHOWN} more: --errors FILE writes them all"


def _ranges(ends: Mapping[str, Sequence[float] | None]) -> str:
    return ", ".join(
        f"{name} " + ("-" if pair is None else f"{pair[0]:.4f} to {pair[1]:.4f}")
        for name, pair in ends.items()
    )


# --- counterfactual texts


def _on_counterfactuals(
    texts: Sequence[AnnotatedText],
    detectors: Sequence[_Named],
    wanted: Wanted,
    gold_dir: str,
    seed: int,
    resamples: int,
) -> _Result:
    from esascore.errors import DataError, UsageError
    from esascore.gold.counterfactual.make import make_counterfactuals
    from esascore.gold.counterfactual.sensitivity import (
        changed_verdicts,
        difference_of,
        failures,
        judge,
        summarise_verdicts,
    )
    from esascore.reports.gold import counterfactual_summary

    kinds = [kind.strip() for kind in wanted.kinds.split(",") if kind.strip()]
    if not kinds:
        raise UsageError("--kinds is empty: give one or more, separated by commas")
    made = make_counterfactuals(
        texts,
        kinds=kinds,
        seed=seed,
        per_text=None if wanted.all_entities else 1,
        lowercase=wanted.lowercase,
        uncertain=wanted.uncertain,
    )
    if not made:
        raise DataError(f"no text of this corpus can be changed with {', '.join(kinds)}", file=gold_dir)
    verdicts = [judge(made, detector.detect) for detector in detectors]
    summaries = [summarise_verdicts(one, resamples=resamples, seed=seed) for one in verdicts]
    difference = None
    if len(detectors) == 1:
        ci = summaries[0].get("ci", {})
        ends = {name: ci[name] for name in ("sensitivity", "specificity") if name in ci}
        remarks = list(_interval_remarks("", ends, resamples))
        errors: Iterable[Mapping[str, Any]] = failures(verdicts[0])
    else:
        difference = difference_of(*summaries)
        errors = changed = changed_verdicts(*verdicts)
        remarks = [f"{len(changed)} of {len(made)} texts changed: --errors FILE writes them"]
    return _result(
        detectors,
        summaries,
        counterfactual_summary,
        texts=len(made),
        remarks=remarks,
        errors=errors,
        difference=difference,
        signature={
            "counterfactual": ",".join(kinds),
            "entities": "all" if wanted.all_entities else "one",
            "certainty": "any" if wanted.uncertain else "certain",
            "case": "lower" if wanted.lowercase else "kept",
            "seed": str(seed),
        },
        seed={"seed": seed},
        corpus=(one.as_dict() for one in made),
    )
