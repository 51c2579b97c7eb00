"""Whatever texts and names hold, each format stays what it is."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.claims.hallucinations import Hallucination
from esascore.gate.accepted import Entry
from esascore.gate.formats import FORMATS, as_markdown
from esascore.gate.verdict import FaultyText, Gate, Verdict
from esascore.model import Detection

ANY = st.text(
    st.characters() | st.sampled_from("\x00\x1b\r\n\u2028\ud800\ufffe\uffff<>&\"'%:,|`*\\"), max_size=12
)


@st.composite
def verdicts(draw):
    systems = draw(st.lists(ANY, min_size=1, max_size=3, unique=True))
    gates, texts = [], []
    for system in systems:
        passed = draw(st.booleans())
        gates.append(
            Gate(system, draw(st.sampled_from(["min-esa", "require"])), passed, 0.5, draw(ANY), draw(ANY))
        )
        for _ in range(0 if passed else draw(st.integers(0, 3))):
            text = draw(ANY.filter(bool))
            added = (Hallucination(0, 1, text[0], "name", "addition", None, None, 0.5, draw(ANY), draw(ANY)),)
            missing = (draw(ANY),)
            file, line = draw(st.tuples(st.none() | ANY, st.none() | st.integers(1, 9)))
            found = Detection(text, (), (), missing)
            texts.append(FaultyText(system, draw(ANY), file, line, found, missing, added, missing, 0.25))
    return Verdict("a:b", tuple(gates), tuple(texts), draw(st.integers(0, 2)), (Entry("added", "x"),))


@settings(deadline=None)
@given(verdicts())
def test_every_format_holds_whatever_it_is_given(verdict):
    failed, blamed = len(verdict.failed), len(verdict.texts)
    # The encoding of the output takes everything, and a reader that splits lines sees those that we made.
    shown = {name: write(verdict, None) for name, write in FORMATS.items()} | {"md": as_markdown(verdict)}
    for text in shown.values():
        text.encode()
        assert text.endswith("\n")
        assert len(text.splitlines()) == text.count("\n")
    root = ElementTree.fromstring(shown["junit"])
    assert int(root.get("failures")) == len(root.findall("./testsuite/testcase/failure")) == failed + blamed
    assert int(root.get("tests")) == len(root.findall("./testsuite/testcase")) == len(verdict.gates) + blamed
    commands = [line for line in shown["github"].split("\n") if line.lstrip().startswith("::")]
    assert len(commands) == failed + blamed
    for line in commands:
        assert re.fullmatch(r"::error (?:[a-z]+=[^:,]*)(?:,[a-z]+=[^:,]*)*::.*", line)
        assert not re.search(r"%(?!25|0A|3A|2C)", line)
    found = json.loads(shown["json"])
    assert [len(found["gates"]), len(found["texts"])] == [len(verdict.gates), blamed]
    [log] = json.loads(shown["sarif"])["runs"]
    assert len(log["invocations"][0]["toolExecutionNotifications"]) == failed
    assert len(log["results"]) == 3 * blamed  # each lacks one thing, adds one, and has a low figure
    assert {one["ruleId"] for one in log["results"]} <= {
        rule["id"] for rule in log["tool"]["driver"]["rules"]
    }
    for place in (place for one in log["results"] for place in one["locations"]):
        assert re.fullmatch(
            r"(?:[\w.~/-]|%[0-9A-F]{2}|file:)*", place["physicalLocation"]["artifactLocation"]["uri"]
        )
    assert not re.search(r"(?<!\\)<", shown["md"])
    # A line of the text format that is not ours begins with what we put before it.
    ours = re.compile(r"pass  |FAIL  |  text: |  [-+] |  faithfulness |\d+ accepted|passed: |failed: |$")
    heads = [line for line in shown["text"].split("\n") if not ours.match(line)]
    assert len(heads) == blamed
