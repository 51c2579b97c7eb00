"""Records of many kinds of values, written out in plain layouts: all is said, and a change is noticed."""

from __future__ import annotations

from collections import defaultdict

import pytest

from esascore.claims.omissions import missing
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example, Input
from esascore.pipeline import build_pipeline
from esascore.text.document import Document
from value_kinds import KINDS, LAYOUTS, WORDS, cases


@pytest.fixture(scope="module")
def checked():
    """Each case with the attributes of what is missing, and its flags."""
    all_ = list(cases(rounds=1))
    examples = [Example(str(n), Input.from_data(case.data)) for n, case in enumerate(all_)]
    texts = [case.text for case in all_]
    documents = [Document(example.input, text) for example, text in zip(examples, texts, strict=True)]
    pipeline = build_pipeline()
    detections = pipeline.detect(documents)
    flags = Hallucinations(pipeline).find(examples, texts, detections)
    unsaid = [
        {one.attribute.removesuffix(".*") for one in missing(document, detection)}
        for document, detection in zip(documents, detections, strict=True)
    ]
    return list(zip(all_, unsaid, flags, strict=True))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_written_out_is_said_and_right(checked, layout):
    clean = [(unsaid, flags) for case, unsaid, flags in checked if case.layout == layout and not case.changed]
    assert len(clean) > len(KINDS) / 7
    assert [(unsaid, [one.text for one in flags]) for unsaid, flags in clean if unsaid or flags] == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_changed_value_is_flagged_or_missing(checked, layout):
    found = defaultdict(set)
    for case, unsaid, flags in checked:
        if case.layout == layout and case.changed:
            start, end = case.place
            hit = any(one.start < end and one.end > start for one in flags)
            lost = KINDS[case.changed][0] in unsaid
            found["flagged" if hit else "missing" if lost else "unnoticed"].add(case.changed)
    assert found["unnoticed"] == set()
    assert found["missing"] <= WORDS
    assert len(found["flagged"]) >= 90


def test_a_flag_after_a_label_says_what_is_right(checked):
    [flag] = next(
        flags for case, _, flags in checked if case.layout == "bullets" and case.changed == "version"
    )
    assert (flag.kind, flag.expected) == ("replacement", "3.11.7")
    assert flag.reason == "the input says version = 3.11.7"
