"""The tests of the server need its extra."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass

import pytest

needed = [name for name in ("starlette", "uvicorn") if importlib.util.find_spec(name) is None]
collect_ignore_glob = ["test_*.py", "serve_words.py"] if needed else []


def pytest_report_header() -> list[str]:
    return (
        [f"tests/serve: skipped because {needed[0]} is missing: pip install 'esascore[serve]'"]
        if needed
        else []
    )


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


@pytest.fixture(autouse=True)
def no_environment(monkeypatch, tmp_path):
    """No test uses the token or the cache of who runs it."""
    monkeypatch.delenv("ESASCORE_SERVE_TOKEN", raising=False)
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / "answers.sqlite"))
