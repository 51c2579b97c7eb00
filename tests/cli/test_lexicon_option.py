"""``--lexicon`` in the commands that detect entities."""

from __future__ import annotations

import json

import pytest

TEXTS = ("Pudding of Guadalajara, a dish from Mexico.", "Kestrel Arena is in Trondheim, Norway.")


@pytest.fixture(params=["score", "detect"])
def command(request, run, xml, outputs):
    """Run a command with a lexicon and -o."""

    def call(*lexicons):
        options = [option for lexicon in lexicons for option in ("--lexicon", lexicon)]
        return run(request.param, xml, outputs("good.txt", *TEXTS), "-o", "out.txt", *options)

    return call


@pytest.fixture
def lexicon(tmp_path):
    def write(content: bytes, name: str = "my.tsv"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def refused(result, tmp_path, *mentioned: str) -> None:
    assert result.code == 3
    assert result.out == ""
    assert result.err.startswith("esascore: ")
    assert result.err.count("\n") == 1
    assert result.err.endswith("\n")
    assert "Traceback" not in result.err
    assert all(word in result.err for word in mentioned), result.err
    assert not (tmp_path / "out.txt").exists()


def test_a_missing_file(command, tmp_path):
    refused(command("nothing.tsv"), tmp_path, "nothing.tsv")


def test_a_folder(command, tmp_path):
    (tmp_path / "folder.tsv").mkdir()
    refused(command("folder.tsv"), tmp_path, "folder.tsv")


@pytest.mark.parametrize(
    ("content", "mentioned"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe", ()),
        (b"Bionico\tpudding\nno tab in this line\n", (":2:", "tab")),
        (b"\tpudding\n", (":1:", "empty")),
        (b"# columns: entity\tform\tcost\nBionico\tpudding\tcheap\n", (":2:", "'cheap'")),
        (b"# columns: entity\tform\tkind\nBionico\tpudding\tfriend\n", (":2:", "'friend'")),
        (b"# columns: entity\nBionico\n", (":1:", "'form'")),
    ],
)
def test_garbage(command, lexicon, tmp_path, content, mentioned):
    refused(command(lexicon(content)), tmp_path, "my.tsv", *mentioned)


def test_a_good_file_beside_a_bad_one(command, lexicon, tmp_path):
    good, bad = lexicon(b"Bionico\tPudding of Guadalajara\n"), lexicon(b"x\n", "bad.tsv")
    refused(command(good, bad), tmp_path, "bad.tsv:1:")


def test_an_alias_is_found(run, xml, outputs, lexicon, tmp_path):
    system = outputs("good.txt", *TEXTS)
    path = lexicon(b"Bionico\tPudding of Guadalajara\n")
    found = {}
    for name, options in (("without", ()), ("with", ("--lexicon", path))):
        assert run("detect", xml, system, "-o", f"{name}.jsonl", *options).code == 0
        first, _, _ = (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8").partition("\n")
        found[name] = json.loads(first)
    assert found["without"]["undetected"] == ["Bionico"]
    assert found["with"]["undetected"] == []
    assert found["with"]["mentions"][0]["text"] == "Pudding of Guadalajara"


def test_lexicons_add_up_and_change_the_signature(run, xml, outputs, lexicon):
    system = outputs("good.txt", *TEXTS)
    one = lexicon(b"Bionico\tPudding of Guadalajara\n")
    other = lexicon(b"Norway\tthe North\n", "other.tsv")
    results = [
        json.loads(run("score", xml, system, "--format", "json", *options).out)
        for options in ((), ("--lexicon", one), ("--lexicon", one, "--lexicon", other))
    ]
    assert [r["systems"][0]["esa_c"] for r in results] == [0.75, 1.0, 1.0]
    assert len({r["signature"] for r in results}) == 3
