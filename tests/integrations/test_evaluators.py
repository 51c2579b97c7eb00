"""The adapters for tools that evaluate models, run by the real tools, offline."""

from __future__ import annotations

import uuid

import pytest

from adapters import HOTEL, RIGHT, WRONG

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("no_network")]


@pytest.fixture
def deepeval(adapter, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # where it keeps its own files
    return adapter("deepeval", "esascore_deepeval", "deepeval")


def case(text, **fields):
    from deepeval.test_case import LLMTestCase

    return LLMTestCase(
        **{"input": "Describe it.", "actual_output": text, "metadata": {"data": HOTEL}, **fields}
    )


def test_deepeval_measures_what_is_left_out_and_what_is_added(deepeval):
    completeness, support = deepeval.Completeness(), deepeval.Support()
    assert (completeness.measure(case(RIGHT)), support.measure(case(RIGHT))) == (1.0, 1.0)
    assert (completeness.is_successful(), support.is_successful()) == (True, True)
    assert completeness.reason == "nothing is wrong"
    assert completeness.measure(case(WRONG)) == pytest.approx(2 / 3)
    assert completeness.is_successful()  # above the threshold
    assert completeness.reason == "27: not said (rooms)"
    support.measure(case(WRONG))
    assert (support.is_successful(), support.score) == (False, pytest.approx(0.8))
    assert support.reason == "32: replacement, the input says rooms = 27"


def test_deepeval_thresholds_and_settings_of_the_guard(deepeval):
    strict, required = deepeval.Completeness(threshold=0.9), deepeval.Completeness(require=["rooms"])
    for metric in (strict, required):
        metric.measure(case(WRONG))
        assert not metric.is_successful()
    lenient = deepeval.Completeness(threshold=0.9, optional=["rooms"])
    lenient.measure(case(WRONG))
    assert lenient.is_successful()


def test_deepeval_reads_the_input_where_the_case_has_no_data(deepeval):
    support = deepeval.Support()
    support.measure(case(WRONG, input='{"name": "Casa do Rio", "city": "Porto", "rooms": 32}', metadata=None))
    assert support.is_successful()
    nothing = deepeval.Completeness()
    assert nothing.measure(case("A text.", metadata={"data": {}})) == 1.0


@pytest.mark.parametrize("in_parallel", [False, True])
def test_deepeval_asserts(deepeval, in_parallel):
    from deepeval import assert_test

    metrics = [deepeval.Completeness(), deepeval.Support()]
    assert_test(case(RIGHT), metrics, run_async=in_parallel)
    with pytest.raises(AssertionError, match=r"Support \(esascore\).*32: replacement"):
        assert_test(case(WRONG), metrics, run_async=in_parallel)


def test_langsmith_evaluates(adapter):
    module = adapter("langchain", "esascore_langsmith", "langsmith")
    from langsmith import Client, evaluate
    from langsmith.schemas import Example

    def example(text):
        inputs = {"data": HOTEL, "text": text}
        return Example(id=uuid.uuid4(), dataset_id=uuid.uuid4(), inputs=inputs, outputs={})

    results = evaluate(
        lambda inputs: {"answer": inputs["text"]},
        data=[example(RIGHT), example(WRONG)],
        evaluators=[module.faithful_to(text="answer", require=["rooms"])],
        client=Client(api_url="http://127.0.0.1:9", api_key="none", auto_batch_tracing=False),
        upload_results=False,
    )
    found = {
        row["example"].inputs["text"]: {one.key: one for one in row["evaluation_results"]["results"]}
        for row in results
    }
    assert {key: one.score for key, one in found[RIGHT].items()} == {
        "esascore_coverage": 1.0,
        "esascore_support": 1.0,
        "esascore_ok": True,
    }
    assert found[WRONG]["esascore_ok"].score is False
    assert found[WRONG]["esascore_coverage"].score == pytest.approx(2 / 3)
    assert found[WRONG]["esascore_support"].comment == "32: replacement, the input says rooms = 27"
    assert 'Missing: rooms is "27"' in found[WRONG]["esascore_ok"].comment


def test_langsmith_takes_all_inputs_as_data_where_no_field_has_them(adapter):
    module = adapter("langchain", "esascore_langsmith")  # which needs no package itself
    [coverage, _, ok] = module.faithful_to()(HOTEL, {"output": RIGHT})["results"]
    assert (coverage["score"], ok["score"]) == (1.0, True)


def test_ragas_scores(adapter):
    module = adapter("ragas", "esascore_ragas", "ragas")
    result = module.support.score(data=HOTEL, response=WRONG)
    assert (result.value, result.reason) == (
        pytest.approx(0.8),
        "32: replacement, the input says rooms = 27",
    )
    right, wrong = module.coverage.batch_score(
        [{"data": HOTEL, "response": RIGHT}, {"data": HOTEL, "response": WRONG}]
    )
    assert (right.value, wrong.value) == (1.0, pytest.approx(2 / 3))
    assert module.coverage.score(data={}, response="A text.").value == 1.0
