"""esascore as a module of the package ``evaluate``."""

from __future__ import annotations

import json

import datasets
import evaluate

_DESCRIPTION = "Does a text say everything that its input contains, and nothing else?"
_INPUTS = """
predictions: texts, one for each input
data: JSON as strings, one for each text: any value, or a list of "subject | predicate | object"
profile: "default" or "paper"
"""


class Esascore(evaluate.Metric):
    """Entity-based semantic adequacy and hallucinations."""

    def _info(self):
        features = {"predictions": datasets.Value("string"), "data": datasets.Value("string")}
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="",
            inputs_description=_INPUTS,
            features=datasets.Features(features),
        )

    def _compute(self, predictions, data, profile="default"):
        import esascore

        corpus = [_row(number, json.loads(one)) for number, one in enumerate(data)]
        metrics = ["esa", "hallucination"]
        found = esascore.evaluate(
            corpus, {"predictions": list(predictions)}, metrics=metrics, profile=profile
        )
        figures, texts = found.to_dict(), found.to_pandas()
        [row] = figures["systems"]
        return {
            "esa": row["esa_c"],
            "hallucination": row["hallucination"],
            "missing": [list(map(str, some)) for some in texts["missing"]],
            "flags": [list(map(str, some)) for some in texts["added"]],
            "signature": figures["signature"],
        }


def _row(number, value):
    lines = isinstance(value, list) and value and all(isinstance(one, str) for one in value)
    is_graph = lines and all(one.count(" | ") == 2 for one in value)
    return {"id": str(number), "triples" if is_graph else "data": value}
