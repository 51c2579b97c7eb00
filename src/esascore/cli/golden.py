"""Numbers that an installation must reproduce: the example corpus under every profile.

``make golden`` writes them again after a change that is meant to change them.
"""

from __future__ import annotations

import json
from functools import partial
from importlib import resources
from typing import Any

from esascore.readers.corpus import read_corpus
from esascore.readers.systems import read_systems

Golden = dict[str, dict[str, dict[str, Any]]]
"""Profile -> system -> figures."""


def recorded() -> Golden:
    """The numbers that came with the package."""
    text = resources.files("esascore.cli").joinpath("golden.json").read_text("utf-8")
    golden: Golden = json.loads(text)
    return golden


def measured() -> Golden:
    """The numbers of this installation."""
    from esascore.profiles import names

    return {profile: measured_with(profile) for profile in names()}


def measured_with(profile: str) -> dict[str, dict[str, Any]]:
    """The figures of each example system under one profile."""
    from esascore.examples import example_corpus_path, example_output_paths
    from esascore.metrics import create_metrics
    from esascore.pipeline import build_pipeline
    from esascore.reports.summary import summarise
    from esascore.run.evaluation import evaluate

    examples = read_corpus(example_corpus_path())
    systems = read_systems([f"{name}={path}" for name, path in example_output_paths().items()], examples)
    factory = partial(build_pipeline, profile)
    evaluation = evaluate(factory, examples, systems, partial(create_metrics, ["esa"]))
    return {fields.pop("system"): fields for fields in map(dict, summarise(evaluation).systems)}


if __name__ == "__main__":
    from esascore.cli.terminal import print_pieces

    print_pieces([json.dumps(measured(), indent=1) + "\n"])
