"""A detector with the interface of LettuceDetect's ``HallucinationDetector``, for structured data."""

from __future__ import annotations

import json
from collections.abc import Sequence

from esascore import Guard


class EsascoreDetector:
    """Gives flags as spans; the settings are those of `esascore.Guard`.

    The passages of the context should be JSON; a passage of plain text supports what it says.
    """

    def __init__(self, **settings):
        self.guard = Guard(**settings)

    def predict(
        self,
        context: Sequence[str],
        answer: str,
        question: str | None = None,
        output_format: str = "spans",
        min_confidence: float = 0.0,
    ) -> list[dict]:
        """Return spans with ``start``, ``end``, ``text``, ``confidence``, ``category`` and ``reasoning``.

        The category is the class of the flag. The question is ignored.
        """
        if output_format != "spans":
            raise ValueError(f"output_format must be 'spans', not {output_format!r}: flags are not tokens")
        if not 0.0 <= min_confidence <= 1.0:
            raise ValueError(f"min_confidence must be in [0, 1], got {min_confidence}")
        passages = [_read(one) for one in ([context] if isinstance(context, str) else context)]
        found = self.guard.check(passages[0] if len(passages) == 1 else passages, answer)
        return [
            {
                "start": flag.start,
                "end": flag.end,
                "confidence": flag.confidence,
                "text": flag.text,
                "category": flag.kind,
                "reasoning": flag.reason,
            }
            for flag in found.flags
            if flag.confidence >= min_confidence
        ]


def _read(passage):
    try:
        return json.loads(passage)
    except ValueError:
        return {"passage": passage}
