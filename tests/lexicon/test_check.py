from __future__ import annotations

import pytest

from esascore.lexicon.check import Problem, check_folder, check_user_file
from esascore.wordlists import folder

HEADER = "# Things.\n# source: by hand\n# licence: MIT\n# columns: name\tforms\n"
TABLE = "| file | source | licence |\n| --- | --- | --- |\n"


def problems(tmp_path, content: str | bytes, name: str = "things", licences: str | None = None) -> list[str]:
    (tmp_path / f"{name}.tsv").write_bytes(content.encode() if isinstance(content, str) else content)
    (tmp_path / "LICENSES.md").write_text(
        licences if licences is not None else TABLE + f"| {name}.tsv | by hand | MIT |\n", encoding="utf-8"
    )
    found = check_folder(tmp_path)
    assert all(str(tmp_path) in problem.file for problem in found)
    return [problem.text if problem.line is None else f"{problem.line}: {problem.text}" for problem in found]


def test_the_packages_lexicons_are_clean():
    assert check_folder(folder()) == []


def test_a_clean_folder(tmp_path):
    assert problems(tmp_path, HEADER + "a\tb|c\nd\t\n") == []


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("a\tb\na\tc\n", "6: 'a' is already in line 5"),
        ("\tb\n", "5: the cell 'name' is empty"),
        ("a\tb||c\n", "5: forms: an empty value next to '|'"),
        ("a\tb|b\n", "5: forms: a value is repeated in 'b|b'"),
        ("a \tb\n", "5: name: unnecessary white space in 'a '"),
        ("a\tb  c\n", "5: forms: unnecessary white space in 'b  c'"),
        ("a\te\u0301\n", "5: forms: 'e\u0301' is not in Unicode's normal form NFC"),
        ("a\tb\u200bc\n", "5: forms: a control or unassigned character in 'b\\u200bc'"),
        ("a\tb\tc\n", "5: 3 cells, but the header names 2 columns"),
        ("", "there are no rows"),
    ],
)
def test_rows(tmp_path, rows, expected):
    assert problems(tmp_path, HEADER + rows) == [expected]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            HEADER.replace("# Things.\n", ""),
            "the header does not say what the file is: begin with a line '# ...'",
        ),
        (
            HEADER.replace("# source: by hand\n", ""),
            "the header does not name the source: add a line '# source: ...'",
        ),
        (HEADER.replace("MIT", "GPL-3.0"), "the licence is 'GPL-3.0' here and 'MIT' in LICENSES.md"),
    ],
)
def test_headers(tmp_path, content, expected):
    assert problems(tmp_path, content + "a\tb\n") == [expected]


def test_licences(tmp_path):
    content = HEADER + "a\tb\n"
    assert problems(tmp_path, content, licences=TABLE) == ["LICENSES.md has no entry for it"]
    more = TABLE + "| things.tsv | by hand | MIT |\n| `gone.tsv` | by hand | MIT |\n"
    assert problems(tmp_path, content, licences=more) == ["there is an entry for gone.tsv, but no such file"]
    (tmp_path / "LICENSES.md").unlink()
    assert [problem.text for problem in check_folder(tmp_path)] == [
        "there is no such file: check the path",
        "LICENSES.md has no entry for it",
    ]


def test_values_that_rules_depend_on(tmp_path):
    content = (
        "# Types.\n# source: by hand\n# licence: MIT\n# columns: name\trole\tnature\tnouns\nx\tobjekt\ty\t\n"
    )
    assert problems(tmp_path, content, "type_words") == [
        "5: role: 'objekt' is none of class, object, subject"
    ]


def test_encoding(tmp_path):
    assert problems(tmp_path, HEADER.encode() + b"a\t\xff\n") == [
        "5: not UTF-8 (byte 0xff): save the file as UTF-8"
    ]


def test_an_empty_folder(tmp_path):
    assert check_folder(tmp_path) == [Problem(str(tmp_path), None, "the folder contains no lexicon (.tsv)")]


def test_a_users_file(tmp_path):
    path = tmp_path / "my.tsv"
    path.write_text("A\tB\nC\te\u0301\nA\tB\n", encoding="utf-8")
    assert [str(problem) for problem in check_user_file(path)] == [
        f"{path}:2: 'e\u0301' is not in Unicode's normal form NFC",
        f"{path}:3: the same as line 1",
    ]
    path.write_text("# nothing\n", encoding="utf-8")
    assert [problem.text for problem in check_user_file(path)] == ["the lexicon has no entry"]
    path.write_text("A\n", encoding="utf-8")
    assert [problem.line for problem in check_user_file(path)] == [1]
