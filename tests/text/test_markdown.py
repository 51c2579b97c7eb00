from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example, Graph
from esascore.pipeline import build_pipeline
from esascore.text.markdown import plain, unmarked

MARKS = "* ** __ _ ` ``` # - 1. | |---| [a](b) [ ]( <br> a Oslo 5 : . é ~~ > ---"
PIECES = st.sampled_from([*MARKS.split(" "), " ", "\n", "\r", ": "])
PHONE = {
    "name": "Nova X",
    "maker": "Kestrel Labs",
    "released": "2023-05-04",
    "battery": "5000 mAh",
    "weight": {"value": 205, "unit": "g"},
}


@given(st.lists(PIECES, max_size=30).map("".join))
@example("**" * 50)
def test_every_character_keeps_its_place(text):
    seen = plain(text)
    assert len(seen) == len(text)
    assert all(new == old or new in " \n" for new, old in zip(seen, text, strict=True))


@given(st.lists(PIECES, max_size=30).map("".join), st.data())
def test_places_survive_the_way_there_and_back(text, data):
    found = unmarked(text)
    if found is None or not found.text:
        return
    start = data.draw(st.integers(0, len(found.text) - 1))
    end = data.draw(st.integers(start + 1, len(found.text)))
    assert found.from_source(*found.to_source(start, end)) == (start, end)


@given(st.text("abc XYZ.,;:!?()'\"-0123456789é", max_size=60))
def test_a_text_without_marks_stays_itself(text):
    assert unmarked(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Nova** is *new* and _old_, `x`, ~~no~~, ***all***.", "Nova is new and old, x, no, all."),
        ("See [Nova X](https://a.b/c_d) and ![a photo](p.png), <https://a.b>.", "See Nova X and a photo, ."),
        ("## Nova ##\n> quoted", " Nova \n quoted"),
        ("- one\n* two\n+ three", " one\n two\n three"),
        ("1. one\n2) two", " one\n two"),
        ("| a | b |\n|---|:-:|\n| c | d |", "\n a \n b \n\n\n\n c \n d \n"),
        ("a<br>b <b>c</b>", "a\nb c"),
        ("It is **Battery:** big, **Size**: small.", "It is \nBattery:\n big, \nSize:\nsmall."),
        ("Battery: big\nSize: small", "Battery:\nbig\nSize:\nsmall"),
        ("```json\nx\n```", "\nx\n"),
        ("one\n\n---\n\ntwo", "one\n\n\n\ntwo"),
    ],
)
def test_what_people_read(text, expected):
    found = unmarked(text)
    assert found is not None
    assert found.text == expected


@pytest.mark.parametrize(
    "text",
    [
        "1. FC Oslo won at 18:00: a | b, A_b_c, 4*4*4, 2 * 3 * 4, C#, #1 and a < b > c.",
        "__agent__ is __PATIENT__, and - 5 is cold.",
        "Note: it is new [sic].",
    ],
)
def test_what_is_no_mark(text):
    assert unmarked(text) is None


def test_a_wrapped_paragraph_is_one_line():
    first = "This line is long enough to have been wrapped by the one who wrote it in Kestrel"
    assert unmarked(f"{first}\nLabs.").text == f"{first} Labs."
    assert unmarked(f"{first}.\nLabs.") is None
    assert unmarked("Kestrel\nLabs.") is None


def checked(text):
    graph = Graph.from_data(PHONE)
    pipeline = build_pipeline()
    [found] = pipeline.detect([(graph, text)])
    [flags] = Hallucinations(pipeline).find([Example("Id1", graph)], [text], [found])
    for one in (*found.mentions, *flags):
        assert one.text == text[one.start : one.end]
    bare = str.maketrans("", "", "*_`")
    return (
        [(str(m.entity), m.text.translate(bare)) for m in found.mentions],
        [str(term) for term in found.undetected],
        [(f.text.translate(bare), f.type, f.kind) for f in flags],
    )


PLAIN = "Kestrel Labs sells the Nova X since 4 May 2023. It has 5000 mAh, 205 g, 128 GB and Zorblax."


@pytest.mark.parametrize(
    "text",
    [
        "**Kestrel Labs** sells the *Nova X* since **4 May 2023**. "
        "It has **5000** mAh, 205 g, 128 GB and Zorblax.",
        "Kestrel **Labs** sells the `Nova X` since 4 **May** _2023_. "
        "It has `5000 mAh`, **205** g, **128** GB and *Zorblax*.",
        "[Kestrel Labs](https://zorb.example/Quux) sells the Nova X since 4 May 2023. "
        "It has 5000 mAh, 205 g, 128 GB and **Zorblax**.",
    ],
)
def test_marks_change_neither_mentions_nor_flags(text):
    assert checked(text) == checked(PLAIN)
    assert checked(PLAIN)[2] == [("128 GB", "number", "addition"), ("Zorblax", "name", "addition")]


def test_what_a_language_model_writes():
    text = """# Nova X: A Closer Look at Its Strengths

The **Nova X** by *Kestrel Labs* wasn't released before **May 4, 2023**.

## Key Features and Final Thoughts

- **Battery Life:** 5000 mAh
- **Total Weight**: 205 g

| Feature | What You Get |
|---------|--------------|
| Maker Name | [Kestrel Labs](https://kestrel.example/Nova_X) |
| Chip Vendor | Zorblax |

1. It comes pre-installed.
2. More at https://nova.example/Kestrel?x=77.
"""
    mentions, missing, flags = checked(text)
    assert missing == []
    assert [text for text, _, _ in flags] == ["Zorblax"]
    assert {entity for entity, _ in mentions} == {"Nova X", "Kestrel Labs", "2023-05-04", "5000 mAh", "205"}
