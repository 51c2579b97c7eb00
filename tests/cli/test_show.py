from __future__ import annotations


def test_one_text_of_a_system(run, xml, outputs):
    outputs("mine.txt", "Bionico.", "Kestrel Arena is in Trondheim.")
    result = run("show", xml, "mine.txt", "--id", "Id2")
    assert result.code == 0
    assert result.out.split("\n") == [
        "Id2  mine",
        "[Kestrel Arena]#1 is in [Trondheim]#2.",
        "  #1 Kestrel_Arena: found",
        "  #2 Trondheim: found",
        "  #3 Norway: not found, nothing like it in the text",
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
    assert (
        "\x1b[1;4;34mBionico\x1b[0m\x1b[2m#1\x1b[0m"
        in run("show", xml, "--id", "Id1", "--color", "always").out
    )


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
    assert "there is no id 'Id7': did you mean 'Id2'?" in result.err
    assert "there is no id 'nothing'; known: Id1, Id2" in run("show", xml, "--id", "nothing").err
    (tmp_path / "c.jsonl").write_text('{"triples": [["A", "p", "B"]]}\n', "utf-8")
    assert "give an OUTPUT file" in run("show", "c.jsonl", "--id", "Id1").err


def test_the_worst_of_each_system(run, xml, outputs):
    outputs("mine.txt", "Bionico is a dish from Peru.", "Kestrel Arena is in Trondheim.")
    outputs("other.txt", "Bionico is a dish from Mexico.", "")
    result = run("show", xml, "mine.txt", "other.txt", "--worst", "1", "--color", "never")
    assert result.code == 0
    assert [line for line in result.out.split("\n") if line.startswith("Id")] == ["Id1  mine", "Id2  other"]
    assert "{Peru}!" in result.out
    assert '  ! "Peru": replacement, ' in result.out
    # A text without any fault is none of the worst.
    shown = run("show", xml, "mine.txt", "other.txt", "--worst", "9").out
    assert [line for line in shown.split("\n") if line.startswith("Id")] == [
        "Id1  mine",
        "Id2  mine",
        "Id2  other",
    ]


def test_several_ids_and_systems(run, xml, outputs):
    outputs("mine.jsonl", '{"id": "Id2", "text": "Norway."}', '{"id": "Id1", "text": "Mexico."}')
    outputs("other.txt", "Bionico.", "Trondheim.")
    result = run("show", xml, "mine.jsonl", "other.txt", "--id", "Id2", "--id", "Id1")
    assert [line for line in result.out.split("\n") if line.startswith("Id")] == [
        "Id2  mine",
        "Id2  other",
        "Id1  mine",
        "Id1  other",
    ]


def test_ids_or_the_worst(run, xml):
    for more in (["--id", "Id1", "--worst", "2"], ["--first", "1", "--worst", "2"]):
        result = run("show", xml, *more)
        assert (result.code, "choose the texts: --id ID" in result.err) == (2, True)
    assert run("show", xml, "--worst", "0").code == 2
    assert "contains no texts of a system" in run("show", xml, "--worst", "2").err


def test_lines_of_a_text_are_lines_and_numbers_stand_apart(run, outputs):
    outputs(
        "c.jsonl",
        '{"id": "a", "data": {"name": "Blue Inn", "price_eur": 141421}, "text": "Blue Inn\\n- €141421"}',
    )
    lines = run("show", "c.jsonl", "--id", "a").out.split("\n")
    assert lines[1:3] == ["[Blue Inn]#1", "- €[141421]#2"]
    assert "  #2 141421 (price_eur): found" in lines


def test_the_first_texts_if_nothing_is_said(run, outputs):
    lines = [f'{{"id": "e{n}", "name": "Inn {n}", "text": "Inn {n} and Rome."}}' for n in range(7)]
    outputs("c.jsonl", *lines)
    shown = run("show", "c.jsonl").out
    assert [line for line in shown.split("\n") if line.startswith("e")] == [
        f"e{n}  own text" for n in range(5)
    ]
    assert shown.endswith("\n5 of 7 inputs: --first N, --worst N or --id ID shows others\n")
    outputs("o.txt", *("Inn" for _ in lines))
    shown = run("show", "c.jsonl", "o.txt", "--first", "2").out
    assert [line for line in shown.split("\n") if line.startswith("e")] == ["e0  o", "e1  o"]
    assert "--first" not in shown


def test_optional_values_are_said_to_be_optional(run, outputs):
    outputs(
        "c.jsonl", '{"id": "a", "data": {"name": "Blue Inn", "wifi": true}, "text": "Blue Inn has wifi."}'
    )
    shown = run("show", "c.jsonl", "--optional", "wifi").out
    assert "  #2 yes (wifi): found, optional\n" in shown
