from __future__ import annotations

import pytest

from esascore.errors import DataError
from esascore.readers.parent_files import in_step, read_generations, read_references, read_tables


def test_lines_of_the_public_script(tmp_path):
    path = tmp_path / "file"
    path.write_text("name|||Ann Lee\tage|||\n\nAnn|||is|||12\tBob|||is||| \n", encoding="utf-8")
    assert list(read_tables(path)) == [
        [("name", "Ann Lee"), ("age", "")],
        [],
        [("Ann", "is", "12"), ("Bob", "is", " ")],
    ]
    path.write_text("one\ttwo\u2028three\n\n four \n", encoding="utf-8")
    assert list(read_references(path)) == [["one", "two\u2028three"], [""], ["four"]]
    assert list(read_generations(path)) == ["one\ttwo\u2028three", "", "four"]


@pytest.mark.parametrize("line", ["name", "a|||b|||c|||d", "a|||b\tc"])
def test_items_have_two_or_three_parts(tmp_path, line):
    path = tmp_path / "tables.txt"
    path.write_text(f"a|||b\n{line}\n")
    with pytest.raises(DataError, match=r"tables\.txt:2: an item is attribute"):
        list(read_tables(path))


def test_files_must_have_as_many_lines():
    assert list(in_step(["a", "b"], [iter([1, None]), iter([3, 4])])) == [(1, 3), (None, 4)]
    with pytest.raises(DataError, match="b: it has 1 lines, but a has more"):
        list(in_step(["a", "b"], [iter([1, 2]), iter([3])]))
