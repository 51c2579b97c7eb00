"""Everyday records of ninety domains: faithful texts pass, and texts with one planted error are stopped.

``everyday.jsonl`` has one invented record per line: ``data`` and ``text`` with marks ``⟦right→wrong|type⟧``.
With all right parts the text is faithful; each wrong part alone is one error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import esascore

MARK = re.compile(r"⟦([^→⟧]*)→([^|⟧]*)\|([^⟧]+)⟧")
LEAST_PASSED = 143
LEAST_STOPPED = 775
Record = dict[str, Any]


@pytest.fixture(scope="module")
def records() -> list[Record]:
    lines = Path(__file__).with_name("everyday.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def variants(text: str) -> Iterator[str]:
    """Yield the faithful text, then the text with each wrong part."""
    marks = len(MARK.findall(text))
    for chosen in range(-1, marks):
        parts = iter(range(marks))
        yield MARK.sub(lambda mark, at=parts, wrong=chosen: mark[2 if next(at) == wrong else 1], text)


def flags(record: Record, text: str) -> set[str]:
    return {flag.text for flag in esascore.check_text(record["data"], text).flags}


def test_faithful_texts_pass_and_errors_are_stopped(records: list[Record]) -> None:
    passed = stopped = errors = 0
    for record in records:
        faithful, *wrong = variants(record["text"])
        known = flags(record, faithful)
        passed += not known
        errors += len(wrong)
        stopped += sum(bool(flags(record, text) - known) for text in wrong)
    assert (len(records), errors) == (180, 1533)
    assert passed >= LEAST_PASSED
    assert stopped >= LEAST_STOPPED
