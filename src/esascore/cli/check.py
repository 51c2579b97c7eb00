"""``esascore check``: a gate for texts, with exit code 1 if one fails."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from esascore.cli import options
from esascore.cli.commands import command
from esascore.cli.outputs import STDOUT, Outputs, paths_of
from esascore.cli.systems import evaluate_systems, systems_of
from esascore.cli.terminal import print_pieces, warn
from esascore.errors import UsageError

if TYPE_CHECKING:
    from esascore.gate.verdict import Thresholds

_FORMAT_OF_SUFFIX = {".json": "json", ".xml": "junit", ".sarif": "sarif"}
_SUMMARY = "GITHUB_STEP_SUMMARY"
FAILED = 1
"""Exit code if a gate failed."""


def thresholds_of(
    min_esa: options.Share | None = None,
    max_missing_texts: options.Count | None = None,
    max_hallucinations: options.Count | None = None,
    min_faithfulness: options.Share | None = None,
    require: tuple[str, ...] = (),
) -> Thresholds:
    """Set what systems must reach.

    Options
    -------
    --min-esa X
        Minimum ESA_C of each system, 0 to 1.
    --max-missing-texts N
        Maximum number of texts of a system that lack an entity.
    --max-hallucinations N
        Maximum number of spans of a system that nothing in the input explains.
    --min-faithfulness X
        Minimum faithfulness of each system, 0 to 1.
    --require PATTERN
        Attributes whose values no text may lack; * stands for anything; can be repeated.
    """
    from esascore.gate.verdict import Thresholds

    return Thresholds(min_esa, max_missing_texts, max_hallucinations, min_faithfulness, require)


@command(thresholds=thresholds_of, reading=options.Reading, settings=options.Settings)
def check(
    corpus: str,
    outputs: tuple[str, ...] = (),
    baseline: str | None = None,
    save: str | None = None,
    accept: tuple[str, ...] = (),
    write_accept: str | None = None,
    format_: Literal["text", "json", "junit", "github", "sarif"] | None = None,
    output: str = STDOUT,
    summary: str | None = None,
    limit: options.Count = 20,
    *,
    thresholds: Thresholds,
    reading: options.Reading,
    settings: options.Settings,
) -> None:
    """Check that texts are good enough; the exit code is 1 if they are not.

    Each system must pass every gate that is given. Failing texts are printed with what is missing and what
    is added. Options, corpus and outputs can also be set in [tool.esascore.check] of pyproject.toml or in
    esascore.toml. CORPUS and OUTPUT are as in esascore score.

    Options
    -------
    --baseline FILE
        Result of an earlier run, from --save: no figure may be significantly worse.
    --save FILE
        Write the result for a later --baseline.
    --accept FILE
        Omissions and additions that a person has accepted; can be repeated.
    --write-accept FILE
        Accept everything found now: add it to FILE, then check.
    --format
        Format of the result. [default: by the suffix of -o (.json, .xml, .sarif), or text]
    -o, --output FILE
        Write the result to FILE, and print it as text.
    --summary FILE
        Also write a summary in Markdown. [default: with --format github, the step summary of GitHub]
    --limit
        Failing texts of each system that are shown; 0 for all.

    Examples
    --------
    esascore check esascore-demo/corpus.jsonl esascore-demo/copycat.txt --min-esa 0.95 --max-hallucinations 0
    esascore check esascore-demo/corpus.jsonl esascore-demo/fluent.txt --min-esa 0.9 --save last.jsonl
    esascore check esascore-demo/corpus.jsonl esascore-demo/fluent.txt --baseline last.jsonl
    esascore check esascore-demo/corpus.jsonl esascore-demo/fluent.txt --min-esa 1 --write-accept ok.jsonl
    """
    from esascore.gate.accepted import Accepted, accepted_lines, read_accepted
    from esascore.gate.formats import FORMATS, as_markdown, as_text
    from esascore.gate.verdict import judge, read_baseline, required_terms
    from esascore.reports.evaluation_file import saved_lines

    if not thresholds.given and baseline is None:
        raise UsageError(
            "nothing to check: give --min-esa, --max-missing-texts, --max-hallucinations, "
            "--min-faithfulness, --require or --baseline, or set them in esascore.toml or pyproject.toml"
        )
    chosen = format_ or _FORMAT_OF_SUFFIX.get(Path(output).suffix.lower(), "text")
    named = {"-o": output, "--save": save, "--summary": summary, "--write-accept": write_accept}
    others = [file for file in accept if file != write_accept]
    files = Outputs(named, inputs=[corpus, *paths_of(outputs), *others])
    known = read_accepted(others)
    own = read_accepted([write_accept] if write_accept is not None and Path(write_accept).exists() else [])
    inputs = reading.corpus(corpus)
    examples = list(inputs)
    systems = systems_of(corpus, outputs, examples, inputs.lines)
    required_terms(examples, thresholds.require)  # a wrong name is reported before any work is done
    earlier = None if baseline is None else read_baseline(baseline, systems, examples)
    before = () if earlier is None else earlier.systems
    scored = evaluate_systems(settings, examples, systems, thresholds.metrics, earlier=before)
    verdict = judge(scored, systems, thresholds, Accepted([*known, *own]), earlier)
    if write_accept is not None:
        own += verdict.acceptable
        verdict = judge(scored, systems, thresholds, Accepted([*known, *own]), earlier)
    for entry in verdict.unused:
        warn(f"accepted, but no longer there: {' '.join(str(value) for value in entry.as_dict().values())}")
    today = scored.systems[: len(systems)]
    small = replace(scored, systems=tuple(replace(one, detections=None, details={}) for one in today))
    shown = limit or None
    contents = {
        "--save": saved_lines(small),
        "--write-accept": accepted_lines(own),
        "--summary": [as_markdown(verdict, shown)],
        "-o": [FORMATS[chosen](verdict, shown)],
    }
    files.write(contents, for_people=chosen == "text")
    if output != STDOUT:
        print_pieces([as_text(verdict, shown)], for_people=True)
    if chosen == "github" and summary is None and os.environ.get(_SUMMARY):
        _append(os.environ[_SUMMARY], as_markdown(verdict, shown))
    if not verdict.passed:
        raise click.exceptions.Exit(FAILED)


def _append(path: str, text: str) -> None:
    """Add to the summary of the step, to which other commands of the step also write."""
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)
    except (OSError, ValueError) as error:
        warn(f"the step summary cannot be written: {error}")
