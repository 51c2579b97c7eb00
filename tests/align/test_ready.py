from __future__ import annotations

from pathlib import Path

import pytest

from esascore.align import ready


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_mark_tells_that_the_kernel_was_compiled(elsewhere: Path) -> None:
    assert not ready.is_compiled()
    ready.mark_compiled()
    assert ready.is_compiled()
    ready.mark_compiled()
    assert len(list(elsewhere.iterdir())) == 1


def test_another_version_has_another_mark(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready.mark_compiled()
    monkeypatch.setattr(ready, "_name", lambda: "another")
    assert not ready.is_compiled()


def test_a_place_that_cannot_be_written_to_is_no_error(elsewhere: Path) -> None:
    elsewhere.write_text("a file, not a folder")
    ready.mark_compiled()
    assert not ready.is_compiled()
