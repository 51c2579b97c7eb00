from __future__ import annotations


def test_one_text_of_a_system(run, xml, outputs):
    outputs("mine.txt", "Bionico.", "Kestrel Arena is in Trondheim.")
    result = run("show", xml, "mine.txt", "--id", "Id2")
    assert result.code == 0
    assert result.out.split("\n") == [
        "Id2  mine",
        "[Kestrel Arena]1 is in [Trondheim]2.",
        "  1 Kestrel_Arena: found",
        "  2 Trondheim: found",
        "  3 Norway: not found, nothing like it in the text",
        "ESA 0.67",
        "",
    ]


def test_without_a_system_the_references(run, xml):
    result = run("show", xml, "--id", "Id1")
    assert [line for line in result.out.split("\n") if line.startswith("Id1")] == [
        "Id1  reference Id1",
        "Id1  reference Id2",
    ]


def test_colours_when_asked_for_only(run, xml):
    assert "\x1b" not in run("show", xml, "--id", "Id1").out
    assert "\x1b[1;4;34mBionico\x1b[0m1" in run("show", xml, "--id", "Id1", "--color", "always").out


def test_control_characters_are_neutralised(run, tmp_path, outputs):
    (tmp_path / "c.jsonl").write_text(
        '{"id": "\\u001b[2J", "triples": [["A\\u001b[31m", "p", "B"]]}\n', "utf-8"
    )
    outputs("o.txt", "B \x1b]0;title\x07 \u202e")
    result = run("show", "c.jsonl", "o.txt", "--id", "\x1b[2J")
    assert result.code == 0
    assert not set(result.out) & {"\x1b", "\x07", "\u202e"}
    assert "\\x1b]0;title\\x07" in result.out


def test_what_is_not_there(run, xml, tmp_path):
    result = run("show", xml, "--id", "Id7")
    assert (result.code, result.err.count("\n")) == (3, 1)
    assert "there is no id 'Id7'; the first ids are Id1, Id2" in result.err
    (tmp_path / "c.jsonl").write_text('{"triples": [["A", "p", "B"]]}\n', "utf-8")
    assert "give an OUTPUT file" in run("show", "c.jsonl", "--id", "Id1").err
