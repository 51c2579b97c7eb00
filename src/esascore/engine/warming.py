"""A process gets ready: what the first text would have to wait for is loaded before there is any."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from esascore.align.backends import prepare
from esascore.engine.blocks import Block
from esascore.engine.scoring import Scorer
from esascore.metrics import METRICS, create_metrics
from esascore.model import Example, Graph
from esascore.pipeline import build_pipeline
from esascore.processes import WORTH_A_PROCESS
from esascore.profiles import names

_INPUT = [("Ada_Lovelace", "birthDate", "1815-12-10"), ("Ada_Lovelace", "birthPlace", "London")]
_TEXT = "Ada Lovelace, who died at 36, was born in Paris on 10 December 1815. She had walked 5.5 km."
"""A text with a name, a pronoun, a date and numbers, of which not all are in the input."""


def warm_up(profile: str, metrics: Sequence[str]) -> None:
    """Score a text, so that lexicons are read, patterns compiled and kernels loaded.

    A profile of the user's own may name parts that take long to start, and metrics of other packages may do
    anything: both are left to the work itself, and so are all errors.

    Examples
    --------
    >>> warm_up("default", ["esa", "hallucination"])
    """
    with suppress(Exception):
        pipeline = build_pipeline(profile if profile in names() else "default")
        made = tuple(create_metrics([name for name in metrics if name in METRICS], pipeline))
        example = Example("", Graph.from_triples(_INPUT))
        knowledge = None
        if any(metric.learns for metric in made):
            from esascore.explain.knowledge import gather

            knowledge = gather([example])
        prepare(2 * WORTH_A_PROCESS)  # of fewer texts none is for another process
        Scorer(pipeline, made, knowledge, (None,), False, True)(Block((example,), ((_TEXT,),)))
