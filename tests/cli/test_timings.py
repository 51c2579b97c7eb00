"""``--timings`` says where the time went, on standard error, and changes nothing else."""

from __future__ import annotations

import re

import pytest

LINE = '{"triples": ["Bionico | country | Mexico"], "text": "Bionico is from Peru."}\n'


@pytest.mark.parametrize(
    ("command", "stages"),
    [
        (
            ["score", "--metrics", "esa,hallucination"],
            ["first pass", "reading", "detection", "hallucination"],
        ),
        (["detect", "--own", "-o", "-"], ["checking", "first pass", "reading", "detection", "writing"]),
        (["hallucinations"], ["first pass", "detection", "hallucination", "writing"]),
    ],
    ids=lambda one: one[0],
)
def test_stages(command, stages, run, tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(LINE * 3, "utf-8")
    plain = run(command[0], str(corpus), *command[1:])
    timed = run(command[0], str(corpus), *command[1:], "--timings")
    assert (timed.code, timed.out) == (plain.code, plain.out) == (0, plain.out)
    assert plain.err == ""
    rows = re.findall(r"^(\S.*?)\s+\d+\.\d\d\s+[\d,-]+$", timed.err, re.MULTILINE)
    assert [stage for stage in stages if stage not in rows] == []
    assert rows[-1] == "all (elapsed)"
