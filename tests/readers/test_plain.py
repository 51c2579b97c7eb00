from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.readers import limits
from esascore.readers.outputs import plain_texts


def read_texts(path: Path | str):
    return list(plain_texts(Path(path)))


ANY_LINE = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n")
    | st.sampled_from("\x00\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\ufeff \t")
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(ANY_LINE), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_as_many_texts_as_lines(write, lines, end, closed):
    content = end.join(lines) + (end if closed and lines else "")
    read = read_texts(write(content))
    # Without a line end of its own a last line that is empty cannot be told from no line.
    expected = lines if closed or not lines or lines[-1] else lines[:-1]
    if content.startswith("\ufeff"):
        expected = [expected[0][1:], *expected[1:]]
        if content == "\ufeff":
            expected = []
    assert read == [line.strip() for line in expected]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"a\r\nb\nc\r\n", ["a", "b", "c"]),
        (b"\xef\xbb\xbfa\nb", ["a", "b"]),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf\n", [""]),
        (b"a\rb\n", ["a\rb"]),
        ("a\u2028b\x85c\x0bd\x0ce\x00f\n".encode(), ["a\u2028b\x85c\x0bd\x0ce\x00f"]),
        ("\u2028 a \u00a0\n".encode(), ["a"]),
        (b"null\n", ["null"]),
    ],
)
def test_lines(write, content, texts):
    assert read_texts(write(content)) == texts


def test_lines_of_a_megabyte(write):
    lines = ["ab " * 350_000 + "c", "", "é" * 1_000_000]
    assert read_texts(write("\n".join([*lines, ""]))) == lines


def test_a_line_beyond_the_limit(write, monkeypatch):
    monkeypatch.setattr("esascore.readers.lines.MAX_LINE_BYTES", 2**20)
    path = write(b"a\n" + b"b" * 2**20 + b"\n")
    with pytest.raises(DataError, match=r":2: a line has more than 1 MiB") as raised:
        read_texts(path)
    assert raised.value.line == 2
    assert limits.MAX_LINE_BYTES > 2**20


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"a\nb\xe9\n", 2, "not UTF-8 (byte 0xe9): save the file as UTF-8"),
        (b"\xed\xa0\x80\n", 1, "not UTF-8"),  # a lone surrogate
        ("a\nb".encode("utf-16"), 1, "the file is in UTF-16: save it as UTF-8"),
        ("a\nb".encode("utf-32"), 1, "the file is in UTF-32: save it as UTF-8"),
    ],
)
def test_other_encodings(write, content, line, message):
    path = write(content)
    with pytest.raises(DataError) as raised:
        read_texts(path)
    assert str(raised.value).startswith(f"{path}:{line}: {message}")


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        read_texts(tmp_path / "none.txt")
    with pytest.raises(DataError, match="this is a directory"):
        read_texts(tmp_path)
    with pytest.raises(DataError, match="cannot be read"):
        read_texts("a\x00b")
