"""Scores as events of OpenTelemetry, named as its conventions for generative AI name them."""

from __future__ import annotations

from collections.abc import Callable

from esascore._version import __version__
from esascore.errors import import_extra

Emit = Callable[[str, float | None, bool, str], None]
"""Called with what was evaluated, its score, whether that is good enough, and why."""


def event_emitter() -> Emit:
    """Return what sends an event ``gen_ai.evaluation.result`` for a score, beneath the current span.

    Raises
    ------
    MissingExtraError
        opentelemetry-api is not installed.
    """
    logs = import_extra("Telemetry", "opentelemetry._logs", extra="telemetry", package="opentelemetry-api")
    logger = logs.get_logger("esascore", __version__)

    def emit(name: str, score: float | None, good: bool, explanation: str) -> None:
        attributes: dict[str, str | float] = {
            "gen_ai.evaluation.name": name,
            "gen_ai.evaluation.score.label": "pass" if good else "fail",
            "gen_ai.evaluation.explanation": explanation,
        }
        if score is not None:
            attributes["gen_ai.evaluation.score.value"] = score
        logger.emit(
            logs.LogRecord(
                event_name="gen_ai.evaluation.result",
                severity_number=logs.SeverityNumber.INFO,
                attributes=attributes,
            )
        )

    return emit
