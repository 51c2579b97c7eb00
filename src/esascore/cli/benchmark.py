"""``esascore benchmark``: detection against mentions that people annotated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import click

from esascore.cli import options
from esascore.cli.commands import command
from esascore.cli.outputs import Outputs
from esascore.cli.terminal import progress_bar
from esascore.cli.verdicts import show_verdicts
from esascore.errors import DataError, UsageError
from esascore.model import Detection, Input
from esascore.readers.corpus import read_corpus
from esascore.reports.escaping import visible
from esascore.reports.jsontext import to_json

if TYPE_CHECKING:
    from esascore.gold.mentions.benchmark import AnnotatedText
    from esascore.reports.summary import Summary

_SHOWN = 10
"""How many changed texts a table shows; JSON and the --errors file have all of them."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What was measured: a summary of each detector, remarks for people, contents of --errors and --write.

    One detector stands alone with its mistakes. For two there is the difference, and ``errors`` holds what
    changed between them. ``signature`` and ``seed`` are the settings besides those of detection.
    """

    summaries: Sequence[Mapping[str, Any]]
    table: Callable[..., Summary]
    texts: int
    remarks: Iterable[str]
    errors: Iterable[Mapping[str, Any]]
    difference: Mapping[str, Any] | None = None
    signature: Mapping[str, str] = field(default_factory=dict)
    seed: Mapping[str, int] = field(default_factory=dict)
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

    def check(self, verdicts: bool, given: Mapping[str, object]) -> None:
        """Reject options that do not go together; ``given`` are further ones, with what was given."""
        more = {**given, "--counterfactual": self.counterfactual}
        if verdicts and (named := [option for option, value in more.items() if value not in (None, False)]):
            raise UsageError(f"--verdicts goes without {' and '.join(named)}")
        if self.counterfactual:
            if given["--train"] is not None:
                raise UsageError("--train cannot be combined with --counterfactual")
            return
        own = {
            "--all-entities": self.all_entities,
            "--uncertain": self.uncertain,
            "--lowercase": self.lowercase,
            "--write": given["--write"],
        }
        for option, value in own.items():
            if value:
                raise UsageError(f"{option} needs --counterfactual")


@command(wanted=Wanted, result=options.Result, reading=options.Reading, settings=options.Settings)
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

    wanted.check(bool(verdicts), {"--compare": compare, "--train": train, "--write": write})
    if verdicts:
        show_verdicts(gold_dir, outputs, verdicts, result, reading, settings, errors=errors)
        return
    _check_gold(outputs, reading)
    files = Outputs({"-o": result.output, "--errors": errors, "--write": write}, inputs=[gold_dir])
    texts = read_annotated(gold_dir)
    detectors = [_Detector(settings, name) for name in compare or [settings.profile]]
    if wanted.counterfactual:
        found = _on_counterfactuals(texts, detectors, wanted, gold_dir, seed, resamples)
    else:
        found = _on_annotations(texts, detectors, train, seed, resamples)
    signature = _signature(detectors, found.signature)
    results = [(one.name, own) for one, own in zip(detectors, found.summaries, strict=True)]
    if result.format == "json":
        shown = to_json(_document(found, signature, results), indent=2) + "\n"
    else:
        shown = result.of(found.table(signature, results, found.difference))
    if result.for_people:
        shown += "".join(f"{line}\n" for line in found.remarks)
    contents: dict[str, Iterable[str]] = {"-o": [shown]}
    for option, records in (("--write", found.corpus), ("--errors", found.errors)):
        contents[option] = (to_json(record) + "\n" for record in records)
    files.write(contents, for_people=result.for_people)


def _check_gold(outputs: Sequence[str], reading: options.Reading) -> None:
    """Annotated texts are in GOLD_DIR itself, in one format."""
    if outputs:
        raise UsageError(
            "OUTPUT files need --verdicts FILE; without it the annotated texts of GOLD_DIR are used"
        )
    if reading != options.Reading():
        raise UsageError("--input-format, --optional and --ignore need --verdicts FILE")


class _Detector:
    """Detection with a profile, under its name."""

    def __init__(self, settings: options.Settings, profile: str):
        self.name, self._jobs = profile, settings.processes
        self._ruler = settings.ruler(profile=profile)
        self.pipeline = self._ruler()

    def detect(self, items: Sequence[tuple[Input, str]]) -> list[Detection]:
        from esascore.run.evaluation import detect_all

        with progress_bar(f"Detecting entities ({self.name})") as progress:
            return detect_all(self._ruler, items, pipeline=self.pipeline, jobs=self._jobs, progress=progress)


def _signature(detectors: Sequence[_Detector], more: Mapping[str, str]) -> str:
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


def _document(
    found: _Found, signature: str, results: Sequence[tuple[str, Mapping[str, Any]]]
) -> dict[str, Any]:
    """What was found as plain data."""
    if found.difference is None:
        [(profile, summary)] = results
        return {"signature": signature, "profile": profile, **found.seed, **summary}
    sides = {side: {"profile": name, **own} for side, (name, own) in zip("ab", results, strict=True)}
    changed = {"difference": found.difference, "changed": found.errors}
    return {"signature": signature, "texts": found.texts, **found.seed, **sides, **changed}


# --- annotated texts


def _on_annotations(
    texts: Sequence[AnnotatedText],
    detectors: Sequence[_Detector],
    train: str | None,
    seed: int,
    resamples: int,
) -> _Found:
    from esascore.gold.mentions.benchmark import LEVELS, match_all
    from esascore.gold.mentions.mistakes import mistakes
    from esascore.gold.mentions.summary import changes, differences, summarise
    from esascore.reports.gold import benchmark_summary

    training = None if train is None else list(read_corpus(train))
    matched = [match_all(texts, detector.detect) for detector in detectors]
    summaries = [summarise(one, training=training, resamples=resamples, seed=seed) for one in matched]
    difference = None
    if len(detectors) == 1:
        ci = summaries[0].get("ci", {})
        ends = {level: ci[level]["f1"] for level in LEVELS if level in ci}
        remarks = [*_interval_remarks(" of F1", ends, resamples), *_mistake_remarks(summaries[0])]
        errors: Iterable[Mapping[str, Any]] = mistakes(matched[0])
    else:
        difference = differences(matched[0], matched[1], resamples=resamples, seed=seed)
        errors = changed = changes(matched[0], matched[1])
        ends = {level: figures["f1"]["ci"] for level, figures in difference.items()}
        remarks = [f"95% intervals of the difference in F1: {_ranges(ends)}"]
        remarks += _change_remarks(changed, len(texts))
    return _Found(summaries, benchmark_summary, len(texts), remarks, errors, difference)


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
    detectors: Sequence[_Detector],
    wanted: Wanted,
    gold_dir: str,
    seed: int,
    resamples: int,
) -> _Found:
    from esascore.gold.counterfactual import sensitivity
    from esascore.gold.counterfactual.make import make_counterfactuals
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
    verdicts = [sensitivity.judge(made, detector.detect) for detector in detectors]
    summaries = [sensitivity.summarise_verdicts(one, resamples=resamples, seed=seed) for one in verdicts]
    difference = None
    if len(detectors) == 1:
        ci = summaries[0].get("ci", {})
        ends = {name: ci[name] for name in ("sensitivity", "specificity") if name in ci}
        remarks = list(_interval_remarks("", ends, resamples))
        errors: Iterable[Mapping[str, Any]] = sensitivity.failures(verdicts[0])
    else:
        difference = sensitivity.difference_of(*summaries)
        errors = changed = sensitivity.changed_verdicts(*verdicts)
        remarks = [f"{len(changed)} of {len(made)} texts changed: --errors FILE writes them"]
    return _Found(
        summaries,
        counterfactual_summary,
        len(made),
        remarks,
        errors,
        difference,
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
