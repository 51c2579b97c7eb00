"""An evaluator for LangSmith's ``evaluate``. It needs no model and is deterministic."""

from __future__ import annotations

from esascore import Guard


def faithful_to(data="data", text="output", **settings):
    """Make an evaluator; ``data`` and ``text`` name the fields of the inputs and outputs that hold them.

    Without the field ``data``, all inputs together are the data. The settings are those of `esascore.Guard`.
    """
    guard = Guard(**settings)

    def esascore(inputs: dict, outputs: dict) -> dict:
        verdict = guard.check(inputs.get(data, inputs), outputs[text])
        results = [
            {"key": f"esascore_{one.name}", "score": one.score, "comment": one.reason or "nothing is wrong"}
            for one in verdict.aspects
        ]
        comment = verdict.repair_prompt() or "nothing blocks it"
        return {"results": [*results, {"key": "esascore_ok", "score": verdict.ok, "comment": comment}]}

    return esascore
