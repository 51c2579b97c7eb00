"""Cost grows with size, not with its square: operations and memory are counted, never seconds."""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from esascore.errors import DataError
from esascore.lexicon import read_user_lexicons
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example
from esascore.pipeline import Pipeline, build_pipeline
from esascore.readers.corpus import read_corpus
from esascore.readers.outputs import read_outputs
from growth.patterns import PATTERNS, USUAL, Pattern

MOST = 3.0
"""The greatest factor by which twice the size may cost more; 2 is linear, 4 quadratic."""

CONSTANT = 1.05
"""Up to this factor four times the size costs the same: a rule more that looks at long words, say."""

BLOCK = 4096
"""KiB of a block of distances, whatever the size: `esascore.align` has 65,536 in six arrays at once."""

FARTHEST = 50
"""By how many times the size of a test its costs are extrapolated at most."""

Work = Callable[[], object]


def operations(work: Work) -> int:
    """Count the operations of Python code of this package."""
    number = 0

    def count(_frame, event, _argument):
        nonlocal number
        number += event == "opcode"
        return count

    def enter(frame, _event, _argument):
        if "esascore" not in frame.f_code.co_filename:
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return count

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        work()
    finally:
        sys.settrace(before)
    return number


def peak(work: Work) -> int:
    """Measure the most memory that is held at once, in KiB."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] // 1024
    finally:
        tracemalloc.stop()


def check(make: Callable[[int], Work], size: int, full: int | None = None) -> None:
    """Compare the costs of a size, twice and four times that size.

    Given the full size of a steady pattern, its costs are extrapolated to that size and twice that size: what
    grows with the square may be too little to be seen in small ones.
    """
    make(10)()  # what is loaded once is no cost of a size
    once, twice, four_times = (operations(make(size * factor)) for factor in (1, 2, 4))
    assert twice <= MOST * once
    assert four_times <= MOST * twice
    if full is not None and four_times > CONSTANT * once:
        square = (four_times - 3 * twice + 2 * once) / 6  # of a + b * size + c * size ** 2
        linear = twice - once - 3 * square
        fixed = once - linear - square
        far = min(full / size, FARTHEST)
        at_full, beyond = (fixed + linear * times + square * times**2 for times in (far, 2 * far))
        assert beyond <= MOST * at_full
    held, more = peak(make(size * 2 + 1)), peak(make(size * 4 + 1))  # other sizes, which no cache has seen
    assert more <= MOST * held + BLOCK


@cache
def pipeline(profile: str) -> Pipeline:
    return build_pipeline(profile, language="en")  # made-up words would be of any language


@pytest.mark.parametrize("pattern", PATTERNS, ids=[pattern.name for pattern in PATTERNS])
def test_texts_and_inputs(pattern: Pattern) -> None:
    metric = Hallucinations(pipeline(pattern.profile))

    def make(size: int) -> Work:
        input_, text = pattern.make(size)
        return lambda: metric.find([Example("Id1", input_)], [text])

    check(make, pattern.small, pattern.full if pattern.steady else None)


def columns(size: int) -> str:
    return ",".join(f"c{n}" for n in range(size)) + "\n" + ",".join("x" * size) + "\n"


def rows(size: int) -> str:
    return "name,area\n" + "Zizzi,riverside\n" * size


def line(size: int) -> str:
    return json.dumps({"triples": ["a | b | c"], "text": "word " * size}) + "\n"


def fields(size: int) -> str:
    return json.dumps({"data": {f"f{n}": n for n in range(size)}}) + "\n"


def nested(size: int) -> str:
    return json.dumps({"data": [[{"name": f"n{n}", "a": [n, n + 1]} for n in range(size)]]}) + "\n"


def array(size: int) -> str:
    return json.dumps([{"name": f"n{n}"} for n in range(size)], indent=1)


def triples(size: int) -> str:
    return json.dumps({"triples": [f"s{n} | p | o" for n in range(size)]}) + "\n"


def examples(size: int) -> str:
    return "".join(json.dumps({"id": n, "triples": []}) + "\n" for n in range(size))


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (columns, "a.csv"),
        (rows, "a.csv"),
        (line, "a.jsonl"),
        (fields, "a.jsonl"),
        (nested, "a.jsonl"),
        (array, "a.json"),
        (triples, "a.jsonl"),
        (examples, "a.jsonl"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_corpora(write: Callable[[int], str], name: str, tmp_path: Path) -> None:
    def make(size: int) -> Work:
        path = tmp_path / f"{size}{name}"
        path.write_text(write(size), "utf-8")
        return lambda: read_corpus(path)

    check(make, 60)


def test_a_field_that_is_given_twice_at_the_end(tmp_path: Path) -> None:
    def make(size: int) -> Work:
        path = tmp_path / f"{size}.jsonl"
        names = ", ".join(f'"f{n}": 0' for n in range(size))
        path.write_text(f'{{{names}, "twice": 1, "twice": 2}}\n', "utf-8")

        def read() -> None:
            with pytest.raises(DataError, match="twice"):
                read_corpus(path)

        return read

    check(make, 60)


def test_outputs_by_id(tmp_path: Path) -> None:
    def make(size: int) -> Work:
        path = tmp_path / f"{size}.jsonl"
        lines = [json.dumps({"id": f"Id{n}", "text": "A text."}) + "\n" for n in reversed(range(size))]
        path.write_text("".join(lines), "utf-8")
        corpus = [Example(f"Id{n}", USUAL) for n in range(size)]
        return lambda: read_outputs(path, corpus)

    check(make, 60)


def test_lexicon_lines_of_one_entity(tmp_path: Path) -> None:
    def make(size: int) -> Work:
        path = tmp_path / f"{size}.tsv"
        path.write_text("".join(f"Ada_Marlowe\tAda the {n}th of {size}\n" for n in range(size)), "utf-8")

        def work() -> None:
            made = build_pipeline(lexicon=read_user_lexicons(path))
            Hallucinations(made).find([Example("Id1", USUAL)], ["Ada the 2nd was born in Trondheim."])

        return work

    check(make, 60)
