"""Spans for tools that show them: the interface of LettuceDetect, and the files of factgenie."""

from __future__ import annotations

import importlib.util
import inspect
import json

import pytest

from adapters import HOTEL, RIGHT, WRONG, require
from esascore import Guard


def lettuce_base():
    """The class that detectors of LettuceDetect have in common; the package itself would import torch."""
    require("lettucedetect")
    [folder] = importlib.util.find_spec("lettucedetect").submodule_search_locations
    spec = importlib.util.spec_from_file_location("lettuce_base", f"{folder}/detectors/base.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.BaseDetector


@pytest.fixture
def detector(adapter):
    return adapter("lettucedetect", "esascore_detector").EsascoreDetector()


def test_predict_has_the_signature_of_lettucedetect(detector):
    theirs = inspect.signature(lettuce_base().predict).parameters
    ours = inspect.signature(type(detector).predict).parameters
    assert list(ours) == list(theirs)
    assert [one.kind for one in ours.values()] == [one.kind for one in theirs.values()]
    differ = {name for name in ours if ours[name].default != theirs[name].default}
    assert differ == {"output_format"}


def test_lettucedetect_filters_our_spans_as_we_do(detector):
    context = [json.dumps(HOTEL)]
    spans = detector.predict(context, WRONG, output_format="spans")
    for least in (0.0, spans[0]["confidence"], 0.99):
        theirs = lettuce_base()._filter_spans_by_confidence(spans, "spans", least)
        assert theirs == detector.predict(context, WRONG, output_format="spans", min_confidence=least)


def test_predict_returns_spans(detector):
    [span] = detector.predict(context=[json.dumps(HOTEL)], answer=WRONG, question="What is it like?")
    assert {name: span[name] for name in ("start", "end", "text", "category")} == {
        "start": 25,
        "end": 27,
        "text": "32",
        "category": "replacement",
    }
    assert 0 < span["confidence"] <= 1
    assert detector.predict([json.dumps(HOTEL)], RIGHT) == []


def test_several_passages_and_passages_that_are_text(detector):
    passages = ['{"name": "Casa do Rio", "rooms": 27}', "Casa do Rio is in Porto. It opened in 1998."]
    assert detector.predict(passages, "Casa do Rio in Porto opened in 1998 and has 27 rooms.") == []
    [span] = detector.predict(passages, "Casa do Rio in Porto opened in 1989 and has 27 rooms.")
    assert span["text"] == "1989"


def test_what_predict_cannot_do_is_said(detector):
    with pytest.raises(ValueError, match="output_format must be 'spans'"):
        detector.predict([json.dumps(HOTEL)], RIGHT, output_format="tokens")
    with pytest.raises(ValueError, match="min_confidence"):
        detector.predict([json.dumps(HOTEL)], RIGHT, min_confidence=2.0)


@pytest.fixture
def campaign(adapter, tmp_path):
    """A campaign with two texts, and the adapter that wrote it."""
    module = adapter("factgenie", "esascore_factgenie")
    verdicts = Guard().check_all([(HOTEL, RIGHT), (HOTEL, "In Porto, Casa do Rio has 32 rooms. Nice 😀 32!")])
    module.write_campaign(tmp_path, verdicts, dataset="hotels", setup_id="mine")
    return module, tmp_path


def test_what_was_written_is_read(campaign):
    module, folder = campaign
    first, second = module.read_annotations(folder / "campaigns" / "esascore")
    assert (first["text"], first["spans"]) == (RIGHT, [])
    assert (second["dataset"], second["split"], second["setup_id"], second["example_idx"]) == (
        "hotels",
        "test",
        "mine",
        1,
    )
    assert second["spans"][0]["text"] == "32"
    for span in second["spans"]:
        assert second["text"][span["start"] : span["end"]] == span["text"]
        assert span["category"] == "replacement"
        assert span["reason"]


@pytest.mark.filterwarnings("ignore")  # those of factgenie
def test_factgenie_shows_the_campaign(campaign, monkeypatch):
    _, folder = campaign
    require("factgenie")
    from factgenie import campaign as campaigns
    from factgenie import workflows

    for place in (campaigns, workflows):
        monkeypatch.setattr(place, "CAMPAIGN_DIR", folder / "campaigns")
    monkeypatch.setattr(workflows, "OUTPUT_DIR", folder / "data" / "outputs")

    class App:
        db = {"annotation_index": None, "output_index": None}  # noqa: RUF012

    index = workflows.generate_campaign_index(App)
    assert type(index["esascore"]).__name__ == "ExternalCampaign"
    assert len(workflows.get_campaign_data(index["esascore"])) == 2
    workflows.get_output_index(App)
    workflows.get_annotation_index(App)
    [shown] = workflows.get_outputs("hotels", "test", 1, app=App, force_reload=False)
    assert shown["output"] == "In Porto, Casa do Rio has 32 rooms. Nice 😀 32!"
    [annotated] = workflows.get_annotations(App, "hotels", "test", 1, "mine")
    names = [one["name"] for one in annotated["annotation_span_categories"]]
    first = annotated["annotations"][0]
    assert (first["text"], names[first["type"]]) == ("32", "replacement")
    assert annotated["text_fields"] == [{"label": "missing", "value": "rooms = 27"}]


@pytest.mark.filterwarnings("ignore")
def test_annotations_that_factgenie_saves_are_read(adapter, monkeypatch, tmp_path):
    module = adapter("factgenie", "esascore_factgenie")
    require("factgenie")
    from factgenie import workflows

    monkeypatch.setattr(workflows, "CAMPAIGN_DIR", tmp_path)
    categories = [{"name": "incorrect", "color": "red"}, {"name": "not checkable", "color": "blue"}]
    metadata = {
        "id": "people",
        "mode": "crowdsourcing",
        "config": {"annotation_span_categories": categories},
    }

    class People:
        pass

    people = People()
    people.metadata = metadata
    row = {"dataset": "hotels", "split": "test", "example_idx": 0, "setup_id": "mine", "annotator_id": "a1"}
    row |= {"annotator_group": 0, "batch_idx": 0, "end": 0}
    spans = [{"type": 1, "start": 25, "text": "32"}]
    workflows.save_record("crowdsourcing", people, row, {"output": WRONG, "annotations": spans})
    (tmp_path / "people" / "metadata.json").write_text(json.dumps(metadata), "utf-8")
    [read] = module.read_annotations(tmp_path / "people")
    assert (read["annotator"], read["text"]) == ("a1", WRONG)
    assert read["spans"] == [
        {"start": 25, "end": 27, "text": "32", "category": "not checkable", "reason": None}
    ]
