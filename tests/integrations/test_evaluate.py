"""The module for the package ``evaluate``, loaded by the package itself, offline."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

MODULE = Path(__file__).parents[2] / "integrations" / "evaluate" / "esascore"


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs, on import
        evaluate = pytest.importorskip("evaluate", reason="needs the package evaluate")
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", True)
            yield evaluate.load(str(MODULE), cache_dir=str(tmp_path_factory.mktemp("evaluate")))


@pytest.mark.filterwarnings("ignore")
def test_data(module):
    inn = {"name": "Blue Lantern", "area": "riverside", "rooms": 12}
    result = module.compute(
        predictions=["The Blue Lantern by the riverside has 14 rooms.", "The Blue Lantern has 12 rooms."],
        data=[json.dumps(inn)] * 2,
    )
    assert result["esa"] == pytest.approx(2 / 3)
    assert result["hallucination"] == 0.5
    assert [len(some) for some in result["missing"]] == [1, 1]
    assert [len(some) for some in result["flags"]] == [1, 0]
    assert result["signature"].startswith("esascore:")


@pytest.mark.filterwarnings("ignore")
def test_triples(module):
    data = [json.dumps(["Bionico | country | Mexico"])]
    result = module.compute(predictions=["Bionico is a dish from Mexico."], data=data, profile="paper")
    assert (result["esa"], result["missing"]) == (1.0, [[]])
    assert "profile:paper" in result["signature"]
