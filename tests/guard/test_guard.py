"""A guard says of one text what the commands say of many, whole or in pieces, from many threads at once."""

from __future__ import annotations

import json
import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from enum import Enum

import pytest

import esascore
from esascore import Guard, check_text
from esascore.errors import MissingExtraError, UsageError

HOTEL = {
    "name": "Casa do Rio",
    "city": "Porto",
    "rooms": 27,
    "pets_allowed": True,
    "opened": "2016-05-20",
    "price": {"amount": 142, "currency": "EUR"},
}
RIGHT = "Casa do Rio in Porto has 27 rooms. It opened on 20 May 2016. A night costs 142 euros."
WRONG = "Casa do Rio in Lisbon has 32 rooms. It opened on 21 May 2016. A night costs 142 euros."


@pytest.fixture(scope="module")
def ready():
    return Guard().prepare(HOTEL)


def test_a_text_that_says_what_the_data_say_is_ok(ready):
    verdict = ready.check(RIGHT)
    assert verdict.ok
    assert verdict.flags == ()
    assert verdict.repair_prompt() == ""
    assert verdict.text == RIGHT


def test_flags_are_those_of_the_command(ready):
    verdict = ready.check(WRONG)
    assert not verdict.ok
    assert list(verdict.flags) == list(esascore.hallucinations(HOTEL, WRONG))
    assert {flag.text for flag in verdict.flags} >= {"Lisbon", "32"}
    assert all(WRONG[flag.start : flag.end] == flag.text for flag in verdict.flags)
    detected = esascore.detect(HOTEL, WRONG)
    assert verdict.coverage == detected.esa
    assert [one.value for one in verdict.missing] == list(detected.undetected)


def test_what_is_missing_has_its_attribute_and_does_not_block(ready):
    verdict = ready.check("Casa do Rio is in Porto.")
    assert verdict.ok
    assert ("rooms", "27") in [(one.attribute, one.value) for one in verdict.missing]
    triples = check_text([("Bionico", "country", "Mexico")], "Bionico is a dish.")
    assert [(one.attribute, one.value) for one in triples.missing] == [("country", "Mexico")]


def test_what_is_required_blocks():
    guard = Guard(require=["price", "stars"])
    assert guard.check(HOTEL, RIGHT).ok
    verdict = guard.check(HOTEL, "Casa do Rio is in Porto.")
    assert not verdict.ok
    assert {one.attribute for one in verdict.blocking} <= {"price.amount", "price.currency"}
    assert 'price.amount is "142"' in verdict.repair_prompt()


def test_coverage_blocks_below_the_least():
    found = check_text(HOTEL, "Casa do Rio is in Porto.", min_coverage=0.9)
    assert not found.ok
    assert found.blocking == found.missing
    assert check_text(HOTEL, "Casa do Rio is in Porto.", min_coverage=0.2).ok
    assert not check_text(HOTEL, "", min_coverage=0.1).ok


def test_what_blocks_can_be_chosen():
    verdict = Guard(block="date").check(HOTEL, "Casa do Rio in Lisbon has 32 rooms.")
    assert verdict.flags
    assert verdict.ok
    least = min(flag.confidence for flag in verdict.flags)
    assert not Guard(min_confidence=least).check(HOTEL, WRONG).ok
    assert Guard(min_confidence=1).check(HOTEL, WRONG).ok == all(
        flag.confidence < 1 for flag in verdict.flags
    )
    with pytest.raises(UsageError, match="did you mean 'number'"):
        Guard(block=["numbr"])
    with pytest.raises(UsageError, match="min_confidence must be a number from 0 to 1"):
        Guard(min_confidence=50)


def test_a_prompt_names_each_finding_and_what_the_data_say(ready):
    verdict = ready.check('Casa do Rio in Porto has 32 rooms. It belongs to "Ignacio Quintero".')
    lines = verdict.repair_prompt().split("\n")
    assert '"32" is wrong: the data say "27".' in lines[1]
    assert '"Ignacio Quintero" is not in the data (' in lines[2]
    assert len(lines) == 1 + len(verdict.blocking)


def test_a_verdict_prints_shows_and_saves_itself(ready):
    verdict = ready.check(WRONG)
    assert str(verdict).startswith("not ok  coverage ")
    assert "  + 32: " in str(verdict)
    saved = json.loads(json.dumps(verdict.to_dict()))
    assert list(saved) == ["ok", "text", "flags", "missing", "coverage", "support", "language"]
    assert saved["flags"][0]["class"]
    shown = ready.check("Casa do Rio <script>alert(1)</script> has 32\x1b[2J rooms.")
    assert "<script>" not in shown._repr_html_()
    assert "\x1b" not in str(shown)


class Size(Enum):
    SMALL = "small"


@dataclass
class Price:
    amount: int
    currency: str


@dataclass
class Hotel:
    name: str
    opened: date
    price: Price
    size: Size = Size.SMALL
    tags: list[str] = field(default_factory=lambda: ["quiet"])
    data: str = "a field, no row"


def test_dataclasses_are_data():
    plain = {
        "name": "Casa do Rio",
        "opened": "2016-05-20",
        "price": {"amount": 142, "currency": "EUR"},
        "size": "small",
        "tags": ["quiet"],
    }
    text = "Casa do Rio, opened on 21 May 2016, costs 142 euros."
    made = Guard(ignore="data").check(Hotel("Casa do Rio", date(2016, 5, 20), Price(142, "EUR")), text)
    assert made == check_text(plain, text)
    with pytest.raises(UsageError, match="data must be triples, a dict"):
        check_text(Hotel, text)


def test_models_of_pydantic_are_data():
    pydantic = pytest.importorskip("pydantic", reason="pydantic comes with esascore[serve]")
    model = pydantic.create_model("Model", name=(str, ...), opened=(date, ...))
    text = "Casa do Rio opened on 21 May 2016."
    plain = {"name": "Casa do Rio", "opened": "2016-05-20"}
    assert check_text(model(name="Casa do Rio", opened=date(2016, 5, 20)), text) == check_text(plain, text)
    nested = {"hotel": model(name="Casa do Rio", opened=date(2016, 5, 20))}
    assert check_text(nested, text) == check_text({"hotel": plain}, text)


def test_a_lexicon_is_a_dict_or_a_file(tmp_path):
    data, text = {"name": "Casa do Rio", "city": "Porto"}, "Casa do Rio is in the Unvanquished City."
    file = tmp_path / "forms.tsv"
    file.write_text("Porto\tthe Unvanquished City\n", "utf-8")
    for given in ({"Porto": "the Unvanquished City"}, {"Porto": ["the Unvanquished City"]}, file, [file]):
        assert check_text(data, text, lexicon=given).missing == ()
    assert check_text(data, text).missing


def test_optional_and_ignored_attributes():
    text = "Casa do Rio is in Porto."
    left = Guard(optional=["rooms", "price"], ignore="opened").check(HOTEL, text)
    assert {one.attribute for one in left.missing} == {"pets_allowed"}


def test_the_signature_names_the_ruler():
    assert Guard().signature != Guard(profile="paper").signature
    assert "profile:paper" in Guard(profile="paper").signature


CASES = [
    (HOTEL, RIGHT),
    (HOTEL, WRONG),
    ({"name": "Anna Berg", "age": 34, "born": "Oslo"}, "Anna Borg, 35, was born in Oslo. She is from Rome."),
    ([("Bionico", "country", "Mexico")], "Bionico is a dish from Peru."),
    ({"items": [{"name": "A12", "stock": 3}, {"name": "B7", "stock": 0}]}, "A12 is sold out. B7 has 3 left."),
    (HOTEL, ""),
    (HOTEL, "# Casa do Rio\n\n- **27 rooms**\n- pets: no\n\nDr. Ana runs it. e.g. 3.5 stars! Really?"),
]


def streamed(guard, data, text, sizes):
    stream, told, at = guard.prepare(data).stream(), [], 0
    while at < len(text):
        size = next(sizes)
        told += stream.feed(text[at : at + size])
        at += size
    return told, stream.close()


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_stream_ends_in_the_verdict_on_the_whole(case, size):
    data, text = case
    guard = Guard()
    told, verdict = streamed(guard, data, text, iter(lambda: size, None))
    assert verdict == guard.check(data, text)
    assert all(text[flag.start : flag.end] == flag.text for flag in told)
    assert [flag.start for flag in told] == sorted(flag.start for flag in told)
    assert len({(flag.start, flag.end) for flag in told}) == len(told)


def test_a_stream_tells_of_a_finished_sentence_at_once(ready):
    stream = ready.stream()
    assert stream.feed("Casa do Rio in Porto has 32 rooms.") == ()
    assert stream.feed(" It") == ()  # "32 rooms. It" could still be an abbreviation's full stop
    assert [flag.text for flag in stream.feed(" is nice.")] == ["32"]
    assert stream.feed(" It has 33 rooms.") == ()
    assert [flag.text for flag in stream.close().flags] == ["32", "33"]


def test_a_long_stream_looks_back_only_so_far(ready, monkeypatch):
    lengths = []
    check = Guard.check_all

    def watched(self, items):
        lengths.append(len(items[0][1]))
        return check(self, items)

    monkeypatch.setattr(Guard, "check_all", watched)
    monkeypatch.setattr("esascore.guard.WINDOW", 300)
    stream = ready.stream()
    sentence = "Casa do Rio in Porto has 32 rooms. "
    told = [flag for _ in range(40) for flag in stream.feed(sentence)]
    assert max(lengths) <= 300 + 2 * len(sentence)
    assert [flag.start for flag in told] == [25 + n * len(sentence) for n in range(39)]


def test_threads_change_no_verdict():
    guard, shared = Guard(), [Guard().prepare(data) for data, _ in CASES]
    expected = [Guard().check(*case) for case in CASES]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(16) as pool:

            def work(seed):
                order = random.Random(seed).choices(range(len(CASES)), k=30)
                return [(n, guard.check(*CASES[n]), shared[n].check(CASES[n][1])) for n in order]

            for some in pool.map(work, range(16)):
                for n, own, ready in some:
                    assert own == expected[n] == ready
    finally:
        sys.setswitchinterval(before)


def test_many_at_once_are_each_alone():
    guard = Guard()
    assert guard.check_all(CASES) == [guard.check(*case) for case in CASES]
    assert guard.check_all([]) == []


def test_what_is_no_text_is_refused(ready):
    with pytest.raises(UsageError, match="a text must be a str, not NoneType"):
        ready.check(None)
    with pytest.raises(UsageError, match="a text must be a str, not bytes"):
        ready.stream().feed(b"x")


def test_a_verdict_has_two_aspects_and_is_ok_if_both_are():
    for settings in (
        {},
        {"require": ["rooms"]},
        {"min_confidence": 1.0},
        {"min_coverage": 0.9},
        {"block": ["date"]},
    ):
        guard = Guard(**settings)
        for text in (RIGHT, WRONG, "Casa do Rio.", ""):
            verdict = guard.check(HOTEL, text)
            coverage, support = verdict.aspects
            assert (coverage.name, support.name) == ("coverage", "support")
            assert (coverage.score, support.score) == (verdict.coverage, verdict.support)
            assert verdict.ok == (coverage.ok and support.ok)
            assert coverage.reason.count("not said") == len(verdict.missing)
            assert bool(support.reason) == bool(verdict.flags)


def test_the_counts_of_an_aspect_hold_no_word_of_text_or_data(ready):
    coverage, support = ready.check(WRONG).aspects
    assert re.fullmatch(r"\d+ missing", coverage.counts)
    assert all(re.fullmatch(r"\d+ [a-z]+", one) for one in support.counts.split(", "))
    assert [one.counts for one in ready.check(RIGHT).aspects][1] == "none"


def test_a_wrong_choice_of_telemetry_is_refused():
    with pytest.raises(UsageError, match="telemetry must be True, False or 'text', not 'words'"):
        Guard(telemetry="words")


def test_what_needs_a_package_says_which(monkeypatch):
    from esascore.serve.mcp import make_server

    monkeypatch.setitem(sys.modules, "opentelemetry._logs", None)
    with pytest.raises(MissingExtraError, match=r"opentelemetry-api.*pip install 'esascore\[telemetry\]'"):
        Guard(telemetry=True)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(MissingExtraError, match=r"mcp.*pip install 'esascore\[mcp\]'"):
        make_server(Guard())
