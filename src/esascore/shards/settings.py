"""What the scores of a run depend on beside its rows; can be sent to any process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

from esascore.errors import UsageError
from esascore.metrics import create_metrics
from esascore.metrics.base import Detector, Metric, Signature
from esascore.metrics.family import DEFAULTS, ParentOptions
from esascore.pipeline import build_pipeline
from esascore.readers.choice import Choice
from esascore.shards.first_pass import Learned, Wanted

_FORMAT = 1
"""Of result files; another number makes units be scored again."""


@dataclass(frozen=True)
class Settings:
    """Metrics, and how entities are detected.

    Attributes
    ----------
    metrics, parent
        Names of metrics, and the options of the PARENT family.
    make
        Makes the pipeline, with the wordings that the corpus teaches as ``entries``; can be pickled.
    wordings
        Whether wordings are learned (`esascore.pipeline.learns_wordings`).
    choice
        What of the inputs counts.
    learned
        What the corpus as a whole teaches, once that is known.
    """

    metrics: tuple[str, ...] = ("esa",)
    make: Callable[..., Detector] = build_pipeline
    wordings: bool = False
    parent: ParentOptions = DEFAULTS
    choice: Choice = field(default_factory=Choice)
    learned: Learned = field(default_factory=Learned)

    def pipeline(self) -> Detector:
        """Make the pipeline."""
        return self.make(entries=self.learned.entries)

    def made_metrics(self, pipeline: Detector) -> tuple[Metric[Any], ...]:
        """Make the metrics for a pipeline.

        Raises
        ------
        UsageError
            The totals of one cannot be kept in files and added up.
        """
        made = tuple(create_metrics(self.metrics, pipeline, options=self.parent))
        for metric in made:
            kind = getattr(metric, "total_type", None)
            if not hasattr(kind, "from_dict"):
                raise UsageError(
                    f"the metric {metric.name!r} cannot be scored with --out: its totals cannot be read from "
                    "files (total_type has no from_dict)"
                )
        return made

    def wanted(self, pipeline: Detector) -> Wanted:
        """Tell what is to be gathered of the corpus as a whole; wordings only if it has typed data."""
        learns = any(metric.learns for metric in self.made_metrics(pipeline))
        return Wanted(learns, self.wordings, self.choice)

    @cached_property
    def signatures(self) -> dict[str, str]:
        """The printed signature of each metric."""
        return {metric.name: str(metric.signature()) for metric in self.made_metrics(self.pipeline())}

    @cached_property
    def signature(self) -> str:
        """The signature of all metrics, as ``esascore score`` prints it."""
        pairs = [(name, Signature.parse(text)) for name, text in self.signatures.items()]
        return str(Signature.joined(pairs))

    @cached_property
    def key(self) -> str:
        """Two runs with equal keys give equal rows equal scores."""
        parts = (_FORMAT, sorted(self.signatures.items()), self.learned.digest, asdict(self.choice))
        return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
