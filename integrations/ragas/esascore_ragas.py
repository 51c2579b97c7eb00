"""Metrics for ragas: what a text leaves out, and what it adds. Deterministic, without a model."""

from __future__ import annotations

from typing import Any

from ragas.metrics import MetricResult, numeric_metric

from esascore import Guard

guard = Guard()  # assign another one for other settings


@numeric_metric(name="esascore_coverage", allowed_values=(0.0, 1.0))
def coverage(data: Any, response: str) -> MetricResult:
    """The share of the data's values that the response mentions."""
    return _result(guard.check(data, response).aspects[0])


@numeric_metric(name="esascore_support", allowed_values=(0.0, 1.0))
def support(data: Any, response: str) -> MetricResult:
    """The share of the response's words that the data explain."""
    return _result(guard.check(data, response).aspects[1])


def _result(aspect):
    value = 1.0 if aspect.score is None else aspect.score  # there is nothing to mention
    return MetricResult(value=value, reason=aspect.reason or "nothing is wrong")
