"""What fails around the package: disks, folders, processes, clocks and servers. Nothing is lost."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from esascore.cli import main
from esascore.errors import EsascoreError, UsageError
from esascore.reports.writing import staged, write_files

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits are others there")

CORPUS = '{"id": "a", "triples": ["Kestrel_Arena | location | Oslo"], "text": "Kestrel Arena is in Oslo."}\n'
OLD, NEW = "old", "new " * 5000

# --- processes that are killed

KILLED = """
import os, signal, sys
from pathlib import Path
from esascore.reports.writing import staged, write_files
kind, step, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
seen = 0
def watch(event, arguments):
    global seen
    if event.split(".")[0] in ("os", "shutil", "tempfile", "open", "fcntl") and str(folder) in str(arguments):
        seen += 1
        if seen > step:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
if kind == "folder":
    with staged(folder / "target") as made:
        made.mkdir()
        (made / "page").write_text("new " * 5000)
else:
    write_files([(folder / "target", ["new " * 2500, "new " * 2500])])
"""


def content(target: Path) -> str | None:
    page = target / "page" if target.is_dir() else target
    return page.read_text() if page.exists() else None


@pytest.mark.parametrize("kind", ["new file", "old file", "folder"])
def test_a_process_that_is_killed_at_any_step(tmp_path, kind):
    ends = []
    for step in range(200):
        folder = tmp_path / str(step)
        folder.mkdir()
        target = folder / "target"
        if kind == "folder":
            target.mkdir()
        if kind != "new file":
            (target / "page" if kind == "folder" else target).write_text(OLD)
        command = [sys.executable, "-c", KILLED, kind, str(step), str(folder)]
        ends.append(subprocess.run(command, check=False).returncode)
        found = content(target)
        whole = {None, NEW} if kind == "new file" else {OLD, NEW}
        if kind == "folder" and found is None:  # put aside and not yet replaced: both are there
            assert sorted(content(left) or "" for left in next(folder.glob(".target.*.tmp")).iterdir()) == [
                NEW,
                OLD,
            ]
        else:
            assert found in whole, step
        # The next write succeeds, and nothing of the one before is left.
        with staged(target) as made:
            if kind == "folder":
                assert content(target) in whole, "what was put aside is brought back"
                made.mkdir()
            (made / "page" if kind == "folder" else made).write_text("third")
        assert content(target) == "third"
        assert [path.name for path in folder.iterdir()] == ["target"], step
        if ends[-1] == 0:
            break
    assert len(ends) > 5
    assert ends == [-signal.SIGKILL] * (len(ends) - 1) + [0]


def test_what_another_process_is_writing_is_left_alone(tmp_path):
    target = tmp_path / "target"
    with staged(target) as first, staged(target) as second:
        first.write_text("first")
        second.write_text("second")
        assert first.exists()
    assert target.read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["target"]


# --- disks and folders

LIMITED = """
import resource, signal, sys
from esascore.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def corpus(tmp_path, monkeypatch) -> str:
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / "cache.sqlite"))
    (tmp_path / "corpus.jsonl").write_text(CORPUS)
    return str(tmp_path / "corpus.jsonl")


def test_a_full_disk(tmp_path, corpus):
    target = tmp_path / "out.jsonl"
    target.write_text(OLD)
    command = [sys.executable, "-c", LIMITED, "detect", corpus, "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 6, done.stderr
    advice = "free some space, and run the same command again"
    assert re.fullmatch(rf"esascore: error: cannot write .*: File too large: {advice}\n", done.stderr)
    assert target.read_text() == OLD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus.jsonl", "out.jsonl"]


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        *((number, EsascoreError) for number in (errno.ENOSPC, errno.EDQUOT)),
        *((number, UsageError) for number in (errno.EROFS, errno.EACCES, errno.EIO, errno.ENAMETOOLONG)),
    ],
)
def test_what_the_system_refuses_is_said_in_one_line(tmp_path, monkeypatch, number, kind):
    def refuse(*_arguments, **_more):
        raise OSError(number, os.strerror(number))

    target = tmp_path / "target"
    target.write_text(OLD)
    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with pytest.raises(EsascoreError) as caught:
        write_files([(target, [NEW])])
    assert type(caught.value) is kind
    assert str(caught.value).startswith(f"cannot write {target}: {os.strerror(number)}")
    assert target.read_text() == OLD


def test_a_folder_that_vanishes(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()

    def pieces():
        yield "half"
        shutil.rmtree(folder)
        yield "more"

    with pytest.raises(UsageError, match=r"cannot write .*: No such file or directory"):
        write_files([(folder / "target", pieces())])


def test_a_corpus_that_vanishes(tmp_path, corpus, capsys, monkeypatch):
    opened = Path.open

    def vanish(self, *arguments, **more):
        Path(corpus).unlink(missing_ok=True)
        return opened(self, *arguments, **more)

    monkeypatch.setattr(Path, "open", vanish)
    assert main(["detect", corpus, "-o", str(tmp_path / "out.jsonl")]) == 3
    assert "there is no such file" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()
