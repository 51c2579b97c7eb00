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

_Ends = Mapping[str, Sequence[float] | None]
"""Figure -> the ends of its interval."""

_SHOWN = 10
"""How many changed texts a table shows; JSON and the --errors file list all."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What was measured: a summary of each detector, remarks for people, contents of --errors and --write.

    For one detector ``errors`` holds its mistakes; for two there is also the difference, and ``errors`` holds
    what changed between them. ``signature`` has the settings other than those of detection.
    """

    summaries: Sequence[Mapping[str, Any]]
    table: Callable[..., Summary]
    texts: int
    remarks: Iterable[str]
    errors: Iterable[Mapping[str, Any]]
    difference: Mapping[str, Any] | None = None
    signature: Mapping[str, str] = field(default_factory=dict)
    corpus: Iterable[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Protocol:
    """What is measured, and on which texts.

    Options
    -------
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

    compare: tuple[str, str] | None = None
    train: str | None = None
    verdicts: tuple[str, ...] = ()
    write: str | None = None
    resamples: Annotated[int, click.IntRange(0, 1_000_000)] = 1000
    seed: options.Count = 0
    counterfactual: bool = False
    kinds: str = "replace,delete"
    all_entities: bool = False
    uncertain: bool = False
    lowercase: bool = False

    def check(self) -> None:
        """Reject options that cannot be combined."""
        named = self._given("compare", "train", "write", "counterfactual")
        if self.verdicts and named:
            raise UsageError(f"--verdicts cannot be combined with {' and '.join(named)}")
        if self.counterfactual and self.train is not None:
            raise UsageError("--train cannot be combined with --counterfactual")
        if not self.counterfactual:
            for option in self._given("all_entities", "uncertain", "lowercase", "write"):
                raise UsageError(f"{option} needs --counterfactual")

    def _given(self, *names: str) -> list[str]:
        """Return the options of this group that were given."""
        return [f"--{name.replace('_', '-')}" for name in names if getattr(self, name) not in (None, False)]

    @property
    def draws(self) -> dict[str, Any]:
        """The settings of confidence intervals."""
        return {"resamples": self.resamples, "seed": self.seed}


@command(protocol=Protocol, result=options.Result, reading=options.Reading, settings=options.Settings)
def benchmark(
    gold_dir: str,
    outputs: tuple[str, ...] = (),
    errors: str | None = None,
    *,
    protocol: Protocol,
    result: options.Result,
    reading: options.Reading,
    settings: options.Settings,
) -> None:
    """Benchmark detection against annotated mentions.

    GOLD_DIR is a file or folder of enriched WebNLG. Detected mentions are compared with the annotated ones:
    exactly, approximately (edit distance up to 0.2), and by entity; see docs/benchmark.md for the protocol.

    With --verdicts, GOLD_DIR is the corpus of a report in any format, and OUTPUT are the systems of that
    report. Flags and missing entities are compared with the verdicts of its readers: the share that is right,
    by class, type and system, corrected rates, and the agreement of each pair of readers.

    Options
    -------
    --errors FILE
        Write every mistake to FILE as JSON lines, with context and a guess at its cause; with --compare the
        texts that changed, with --verdicts the findings that readers called wrong.

    Examples
    --------
    esascore benchmark esascore-demo/annotated.xml --errors mistakes.jsonl
    esascore benchmark esascore-demo/annotated.xml --compare paper default --format markdown
    esascore benchmark esascore-demo/annotated.xml --counterfactual --seed 1 --write changed.jsonl
    esascore benchmark CORPUS.jsonl OUTPUT.txt --verdicts VERDICTS.jsonl --errors false-alarms.jsonl
    """
    from esascore.gold.mentions.benchmark import read_annotated

    protocol.check()
    if protocol.verdicts:
        show_verdicts(gold_dir, outputs, protocol.verdicts, result, reading, settings, errors=errors)
        return
    if outputs:
        raise UsageError(
            "OUTPUT files need --verdicts FILE; without it the annotated texts of GOLD_DIR are used"
        )
    if reading != options.Reading():
        raise UsageError("--input-format, --optional and --ignore need --verdicts FILE")
    files = Outputs({"-o": result.output, "--errors": errors, "--write": protocol.write}, inputs=[gold_dir])
    texts = read_annotated(gold_dir)
    detectors = [_Detector(settings, name) for name in protocol.compare or [settings.profile]]
    measure = _on_counterfactuals if protocol.counterfactual else _on_annotations
    found = measure(texts, detectors, protocol, gold_dir)
    signature = _signature(detectors, found.signature)
    results = [(one.name, own) for one, own in zip(detectors, found.summaries, strict=True)]
    if result.format == "json":
        seed = {"seed": protocol.seed} if protocol.counterfactual else {}
        if found.difference is None:
            own = {"profile": detectors[0].name, **seed, **found.summaries[0]}
        else:
            sides = {side: {"profile": name, **one} for side, (name, one) in zip("ab", results, strict=True)}
            changed = {"difference": found.difference, "changed": found.errors}
            own = {"texts": found.texts, **seed, **sides, **changed}
        document = {"signature": signature, **own}
        shown = to_json(document, indent=2) + "\n"
    else:
        shown = result.of(found.table(signature, results, found.difference))
    if result.for_people:
        shown += "".join(f"{line}\n" for line in found.remarks)
    contents: dict[str, Iterable[str]] = {"-o": [shown]}
    for option, records in (("--write", found.corpus), ("--errors", found.errors)):
        contents[option] = (to_json(record) + "\n" for record in records)
    files.write(contents, for_people=result.for_people)


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
    """Return the settings of benchmark and detection; those of two detectors under ``a.`` and ``b.``."""
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
    texts: Sequence[AnnotatedText], detectors: Sequence[_Detector], protocol: Protocol, _gold_dir: str
) -> _Found:
    from esascore.gold.mentions.benchmark import LEVELS, match_all
    from esascore.gold.mentions.mistakes import mistakes
    from esascore.gold.mentions.summary import changes, differences, summarise
    from esascore.reports.gold import benchmark_summary

    training = None if protocol.train is None else list(read_corpus(protocol.train))
    matched = [match_all(texts, detector.detect) for detector in detectors]
    summaries = [summarise(one, training=training, **protocol.draws) for one in matched]
    difference = None
    if len(detectors) == 1:
        ci = summaries[0].get("ci", {})
        ends = {level: ci[level]["f1"] for level in LEVELS if level in ci}
        remarks = [*_interval_remarks(" of F1", ends, protocol), *_mistake_remarks(summaries[0])]
        errors: Iterable[Mapping[str, Any]] = mistakes(matched[0])
    else:
        difference = differences(*matched, **protocol.draws)
        errors = changed = changes(*matched)
        ends = {level: figures["f1"]["ci"] for level, figures in difference.items()}
        remarks = [f"95% intervals of the difference in F1: {_ranges(ends)}"]
        remarks += _change_remarks(changed, len(texts))
    return _Found(summaries, benchmark_summary, len(texts), remarks, errors, difference)


def _interval_remarks(what: str, ends: _Ends, protocol: Protocol) -> Iterator[str]:
    if ends:
        yield f"95% intervals{what} (inputs resampled {protocol.resamples} times): {_ranges(ends)}"


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


def _ranges(ends: _Ends) -> str:
    return ", ".join(
        f"{name} " + ("-" if pair is None else f"{pair[0]:.4f} to {pair[1]:.4f}")
        for name, pair in ends.items()
    )


# --- counterfactual texts


def _on_counterfactuals(
    texts: Sequence[AnnotatedText], detectors: Sequence[_Detector], protocol: Protocol, gold_dir: str
) -> _Found:
    from esascore.gold.counterfactual import sensitivity
    from esascore.gold.counterfactual.make import make_counterfactuals
    from esascore.reports.gold import counterfactual_summary

    kinds = [kind.strip() for kind in protocol.kinds.split(",") if kind.strip()]
    if not kinds:
        raise UsageError("--kinds is empty: give one or more, separated by commas")
    made = make_counterfactuals(
        texts, kinds=kinds, seed=protocol.seed, per_text=None if protocol.all_entities else 1,
        lowercase=protocol.lowercase, uncertain=protocol.uncertain,
    )  # fmt: skip
    if not made:
        raise DataError(f"no text of this corpus can be changed with {', '.join(kinds)}", file=gold_dir)
    verdicts = [sensitivity.judge(made, detector.detect) for detector in detectors]
    summaries = [sensitivity.summarise_verdicts(one, **protocol.draws) for one in verdicts]
    difference = None
    if len(detectors) == 1:
        ci = summaries[0].get("ci", {})
        ends = {name: ci[name] for name in ("sensitivity", "specificity") if name in ci}
        remarks = list(_interval_remarks("", ends, protocol))
        errors: Iterable[Mapping[str, Any]] = sensitivity.failures(verdicts[0])
    else:
        difference = sensitivity.difference_of(*summaries)
        errors = changed = sensitivity.changed_verdicts(*verdicts)
        remarks = [f"{len(changed)} of {len(made)} texts changed: --errors FILE writes them"]
    signature = {
        "counterfactual": ",".join(kinds),
        "entities": "all" if protocol.all_entities else "one",
        "certainty": "any" if protocol.uncertain else "certain",
        "case": "lower" if protocol.lowercase else "kept",
        "seed": str(protocol.seed),
    }
    corpus = (one.as_dict() for one in made)
    return _Found(
        summaries, counterfactual_summary, len(made), remarks, errors, difference, signature, corpus
    )
