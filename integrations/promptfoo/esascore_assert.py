"""An assertion for promptfoo: does the output say what the variable ``data`` says, and nothing else?"""

from __future__ import annotations

import json
from functools import lru_cache

from esascore import Guard


def get_assert(output, context):
    """Grade an output; the ``config`` of the assertion holds settings of `esascore.Guard`."""
    config = json.dumps(context.get("config") or {}, sort_keys=True)
    data = context["vars"]["data"]
    verdict = _guard(config).check(json.loads(data) if isinstance(data, str) else data, output)
    parts = [
        {
            "pass": one.ok,
            "score": 1.0 if one.score is None else one.score,  # there is nothing to mention
            "reason": f"{one.name}: {one.reason or 'nothing is wrong'}",
        }
        for one in verdict.aspects
    ]
    return {
        "pass": verdict.ok,
        "score": float(verdict.ok),
        "reason": "; ".join(part["reason"] for part in parts if not part["pass"]) or "nothing blocks it",
        "namedScores": {
            f"esascore_{one.name}": part["score"] for one, part in zip(verdict.aspects, parts, strict=True)
        },
        "componentResults": parts,
    }


@lru_cache(maxsize=8)
def _guard(config):
    return Guard(**json.loads(config))
