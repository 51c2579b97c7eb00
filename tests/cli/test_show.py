from __future__ import annotations


def heads(shown) -> list[str]:
    """Of which texts something is shown: the id and the system."""
    return [line for line in shown.out.split("\n") if line.startswith(("Id", "e"))]


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
    assert heads(result) == ["Id1  reference Id1", "Id1  reference Id2"]


def test_colours_when_asked_for_only(run, xml):
    assert "\x1b" not in run("show", xml, "--id", "Id1").out
    coloured = run("show", xml, "--id", "Id1", "--color", "always").out
    assert "\x1b[1;4;34mBionico\x1b[0m\x1b[2m#1\x1b[0m" in coloured


def test_control_characters_are_neutralised(run, outputs):
    outputs("c.jsonl", '{"id": "\\u001b[2J", "triples": [["A\\u001b[31m", "p", "B"]]}')
    outputs("o.txt", "B \x1b]0;title\x07 \u202e")
    result = run("show", "c.jsonl", "o.txt", "--id", "\x1b[2J")
    assert result.code == 0
    assert not set(result.out) & {"\x1b", "\x07", "\u202e"}
    assert "\\x1b]0;title\\x07" in result.out


def test_what_is_not_there(refused, xml, outputs):
    outputs("c.jsonl", '{"triples": [["A", "p", "B"]]}')
    refused(3, "there is no id 'Id7': did you mean 'Id2'?", "show", xml, "--id", "Id7")
    refused(3, "there is no id 'nothing'; known: Id1, Id2", "show", xml, "--id", "nothing")
    refused(3, "give an OUTPUT file", "show", "c.jsonl", "--id", "Id1")
    for more in (["--id", "Id1", "--worst", "2"], ["--first", "1", "--worst", "2"]):
        refused(2, "choose the texts: --id ID", "show", xml, *more)
    refused(2, "0 is not in the range", "show", xml, "--worst", "0")
    refused(2, "contains no texts of a system", "show", xml, "--worst", "2")


def test_the_worst_of_each_system(run, xml, outputs):
    outputs("mine.txt", "Bionico is a dish from Peru.", "Kestrel Arena is in Trondheim.")
    outputs("other.txt", "Bionico is a dish from Mexico.", "")
    result = run("show", xml, "mine.txt", "other.txt", "--worst", "1", "--color", "never")
    assert result.code == 0
    assert heads(result) == ["Id1  mine", "Id2  other"]
    assert "{Peru}!" in result.out
    assert '  ! "Peru": replacement, ' in result.out
    # A text without any fault is none of the worst.
    shown = run("show", xml, "mine.txt", "other.txt", "--worst", "9")
    assert heads(shown) == ["Id1  mine", "Id2  mine", "Id2  other"]


def test_several_ids_and_systems(run, xml, outputs):
    outputs("mine.jsonl", '{"id": "Id2", "text": "Norway."}', '{"id": "Id1", "text": "Mexico."}')
    outputs("other.txt", "Bionico.", "Trondheim.")
    result = run("show", xml, "mine.jsonl", "other.txt", "--id", "Id2", "--id", "Id1")
    assert heads(result) == ["Id2  mine", "Id2  other", "Id1  mine", "Id1  other"]


def test_lines_of_a_text_are_lines_and_numbers_stand_apart(run, outputs):
    data = '{"name": "Blue Inn", "price_eur": 141421}'
    outputs("c.jsonl", f'{{"id": "a", "data": {data}, "text": "Blue Inn\\n- €141421"}}')
    lines = run("show", "c.jsonl", "--id", "a").out.split("\n")
    assert lines[1:3] == ["[Blue Inn]#1", "- €[141421]#2"]
    assert "  #2 141421 (price_eur): found" in lines


def test_the_first_texts_if_nothing_is_said(run, outputs):
    lines = [f'{{"id": "e{n}", "name": "Inn {n}", "text": "Inn {n} and Rome."}}' for n in range(7)]
    outputs("c.jsonl", *lines)
    shown = run("show", "c.jsonl")
    assert heads(shown) == [f"e{n}  own text" for n in range(5)]
    assert shown.out.endswith("\n5 of 7 inputs: --first N, --worst N or --id ID shows others\n")
    outputs("o.txt", *("Inn" for _ in lines))
    shown = run("show", "c.jsonl", "o.txt", "--first", "2")
    assert heads(shown) == ["e0  o", "e1  o"]
    assert "--first" not in shown.out


def test_optional_values_are_said_to_be_optional(run, outputs):
    outputs(
        "c.jsonl", '{"id": "a", "data": {"name": "Blue Inn", "wifi": true}, "text": "Blue Inn has wifi."}'
    )
    shown = run("show", "c.jsonl", "--optional", "wifi").out
    assert "  #2 yes (wifi): found, optional\n" in shown
