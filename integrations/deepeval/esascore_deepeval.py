"""Metrics for deepeval: what a text leaves out, and what it adds. The same every time, without a model."""

from __future__ import annotations

import json

from deepeval.metrics import BaseMetric

from esascore import Guard


class _Aspect(BaseMetric):
    """Passes where the score reaches the threshold and nothing blocks, as the settings of the guard say.

    The data are ``metadata["data"]`` of the test case; without it, the input is read as JSON.
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
        self.score = 1.0 if found.score is None else found.score  # where there is nothing to mention
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
    """The share of the text's words that the data explain; by default no flag may be left."""

    name, aspect = "Support (esascore)", 1
