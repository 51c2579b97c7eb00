from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from esascore.errors import UsageError
from esascore.reports.writing import atomic_writer, check_writable, write_files


def test_an_error_leaves_nothing_behind_and_the_old_file_as_it_was(tmp_path):
    old = tmp_path / "old.txt"
    old.write_text("before")

    def write_half(path):
        with atomic_writer(path) as file:
            file.write("half")
            raise ZeroDivisionError

    for path in (old, tmp_path / "new.txt"):
        with pytest.raises(ZeroDivisionError):
            write_half(path)
    assert [p.name for p in tmp_path.iterdir()] == ["old.txt"]
    assert old.read_text() == "before"


def test_no_file_is_replaced_before_all_are_written(tmp_path):
    first = tmp_path / "first"
    first.write_text("before")

    def failing():
        yield "half"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_files([(first, ["after"]), (tmp_path / "second", failing())])
    assert [p.name for p in tmp_path.iterdir()] == ["first"]
    assert first.read_text() == "before"


def test_text_is_written_as_it_is(tmp_path):
    write_files([(tmp_path / "a", ["x\r\n", "é\u2028\n"])])
    assert (tmp_path / "a").read_bytes() == "x\r\né\u2028\n".encode()


def test_links_are_followed(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_files([(link, ["new"])])
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_permissions_follow_the_old_file_or_the_umask(tmp_path):
    old = tmp_path / "old"
    old.touch()
    old.chmod(0o640)
    before = os.umask(0o027)
    try:
        write_files([(old, ["x"]), (tmp_path / "new", ["x"])])
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("old", "new")]
    assert modes == [0o640, 0o640]


@pytest.mark.skipif(sys.platform == "win32", reason="needs /dev/null")
def test_a_device_is_written_to(tmp_path):
    write_files([("/dev/null", ["x"])])
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_what_cannot_be_written_is_refused_beforehand(tmp_path):
    with pytest.raises(UsageError, match="it is a folder"):
        check_writable(tmp_path)
    with pytest.raises(UsageError, match="there is no folder"):
        check_writable(tmp_path / "no" / "file")
    source = tmp_path / "corpus.xml"
    source.touch()
    with pytest.raises(UsageError, match="one of the files to be read"):
        check_writable(tmp_path / ".." / tmp_path.name / "corpus.xml", inputs=[source])
    check_writable(tmp_path / "new", inputs=[source, tmp_path / "gone"])


def test_a_failing_write_is_one_line(tmp_path):
    with pytest.raises(UsageError, match=r"^cannot write .*: No such file or directory$"):
        write_files([(tmp_path / "no" / "file", ["x"])])
    with pytest.raises(UsageError, match="cannot write"):
        write_files([("a\0b", ["x"])])


def test_an_error_of_the_content_is_not_blamed_on_the_file(tmp_path):
    with pytest.raises(UnicodeEncodeError):
        write_files([(tmp_path / "a", ["\ud800"])])
    assert not list(tmp_path.iterdir())
