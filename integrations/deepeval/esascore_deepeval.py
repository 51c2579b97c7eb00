"""Metrics for deepeval: what a text leaves out, and what it adds. Deterministic, without a model."""

from __future__ import annotations

import json

from deepeval.metrics import BaseMetric

from esascore import Guard


class _Aspect(BaseMetric):
    """Passes if the score reaches the threshold and, by the settings of the guard, nothing blocks the text.

    The data are ``metadata["data"]`` of the test case; without them, the input is read as JSON.
    """

    name: str
    aspect: int

    def __init__(self, threshold: float = 0.5, **settings):
        self.threshold = threshold
        self.guard = Guard(**settings)
        self.async_mode = False

    def measure(self, test_case, *_args, **_more):
        given = test_case.metadata or {}
        data = given["data"] if "data" in given else json.loads(test_case.input)
        found = self.guard.check(data, test_case.actual_output).aspects[self.aspect]
        self.score = 1.0 if found.score is None else found.score  # there is nothing to mention
        self.reason = found.reason or "nothing is wrong"
        self.success = found.ok and self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case, *args, **more):
        return self.measure(test_case, *args, **more)

    def is_successful(self):
        return bool(self.success) and self.error is None

    @property
    def __name__(self):
        return self.name


class Completeness(_Aspect):
    """The share of the data's values that the text mentions."""

    name, aspect = "Completeness (esascore)", 0


class Support(_Aspect):
    """The share of the text's words that the data explain; by default any flag makes it fail."""

    name, aspect = "Support (esascore)", 1
