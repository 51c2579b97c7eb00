"""Verdicts on counterfactual texts, by hand."""

from __future__ import annotations

import pytest

from esascore.examples import example_path
from esascore.gold.counterfactual.make import make_counterfactuals
from esascore.gold.counterfactual.sensitivity import failures, judge, summarise_verdicts
from esascore.gold.mentions.benchmark import read_annotated
from esascore.model import Detection, Mention

TEXTS = read_annotated(example_path("annotated.xml"))


def finds_everything(items):
    """Finds every entity, in the whole text."""
    found = []
    for input_, text in items:
        terms = tuple(entity.term for entity in input_.entities)
        whole = tuple(Mention(term, 0, len(text), text, "guess") for term in terms)
        found.append(Detection(text, terms, whole, ()))
    return found


def finds_nothing(items):
    terms = [tuple(entity.term for entity in input_.entities) for input_, _ in items]
    return [Detection(text, own, (), own) for (_, text), own in zip(items, terms, strict=True)]


def test_a_detector_that_finds_everything_or_nothing():
    made, figures = make_counterfactuals(TEXTS), ("sensitivity", "specificity", "stability", "claimed")
    everything = summarise_verdicts(judge(made, finds_everything))
    assert [everything[name] for name in figures] == [0, 1, 1, 1]
    assert everything["ci"]["sensitivity"] == [0.0, 0.0]
    nothing = summarise_verdicts(judge(made, finds_nothing))
    assert [nothing[name] for name in figures] == [1, 0, None, 0]
    assert nothing["ci"]["stability"] is None


@pytest.fixture
def verdicts(make):
    """A dish whose country was replaced: the detector loses the dish and keeps on finding the country."""
    triples = [("Tolma_stew", "country", "Kelland"), ("Tolma_stew", "creator", "Lena_Voss")]
    text = "Tolma stew of Kelland is by Lena Voss."
    gold = [("Tolma_stew", "Tolma stew"), ("Kelland", "Kelland"), ("Lena_Voss", "Lena Voss")]
    donor = make.example(
        "D", [("Pie", "country", "Arvenia")], make.reference("Arvenia", ("Arvenia", "Arvenia"))
    )
    texts = make.texts(make.example("A", triples, make.reference(text, *gold)), donor)
    made = make_counterfactuals(texts, kinds=["replace"], per_text=None)
    (one,) = [made_one for made_one in made if made_one.entity == "Kelland"]
    assert one.text == "Tolma stew of Arvenia is by Lena Voss."
    found = {text: [("Tolma_stew", 0, 10)], one.text: [("Kelland", 14, 21)]}
    return judge([one], make.detector(found))


def test_hand_worked_figures(verdicts):
    (verdict,) = verdicts
    assert not verdict.noticed
    assert verdict.lost == ("Tolma_stew", "Lena_Voss")
    assert verdict.before == ("Tolma_stew",)
    found = summarise_verdicts(verdicts, resamples=0)
    assert (found["texts"], found["sensitivity"], found["specificity"]) == (1, 0.0, 0.0)
    assert (found["stability"], found["claimed"]) == (0.0, 1.0)
    assert found["by_kind"] == {
        "replace": {"texts": 1, "sensitivity": 0.0, "specificity": 0.0, "stability": 0.0, "claimed": 1.0}
    }
    assert list(found["by_type"]) == ["name"]
    assert "ci" not in found


def test_failures_say_what_went_wrong(verdicts):
    listed = list(failures(verdicts))
    assert [(one["error"], one["entity"]) for one in listed] == [
        ("still-detected", "Kelland"),
        ("lost", "Tolma_stew"),
        ("never-detected", "Lena_Voss"),
    ]
    (mention,) = listed[0]["mentions"]
    assert mention["text"] == "Arvenia"
    assert listed[0]["id"] == "A/Id1/replace-2"


def test_kinds_stay_in_order_and_add_up():
    made = make_counterfactuals(TEXTS, kinds=["name", "delete"])
    found = summarise_verdicts(judge(made, finds_everything))
    assert list(found["by_kind"]) == ["delete", "name"]  # in the order of the documentation
    assert sum(part["texts"] for part in found["by_kind"].values()) == found["texts"] == len(made)
    assert sum(part["texts"] for part in found["by_category"].values()) == len(made)


def test_no_text_has_no_figures():
    found = summarise_verdicts(judge([], finds_nothing))
    assert (found["texts"], found["sensitivity"], found["by_kind"]) == (0, None, {})


def test_a_detector_that_loses_texts_is_refused():
    with pytest.raises(ValueError, match="shorter"):
        judge(make_counterfactuals(TEXTS), lambda items: [])
