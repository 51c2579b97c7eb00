from __future__ import annotations

import bz2
import gzip
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import DataError, UsageError
from esascore.link.equality import EntityNames
from esascore.link.gazetteer.build import build_index, follow
from esascore.link.gazetteer.index import ALIAS, BARE, LABEL, PAGE, REDIRECT, NameIndex

POSIX = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
RESOURCE = "http://dbpedia.org/resource/"
ONTOLOGY = "http://dbpedia.org/ontology/"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"


def label(title: str, name: str, tag: str = "@en", predicate: str = RDFS + "label") -> str:
    return f'<{RESOURCE}{title}> <{predicate}> "{name}"{tag} .\n'


def relation(source: str, predicate: str, target: str) -> str:
    return f"<{RESOURCE}{source}> <{predicate}> <{target}> .\n"


def redirect(source: str, target: str) -> str:
    return relation(source, ONTOLOGY + "wikiPageRedirects", RESOURCE + target)


@pytest.fixture
def built(tmp_path):
    """Build an index of some lines."""

    def build(*lines: str, name: str = "dump.nt", **options: object) -> NameIndex:
        (tmp_path / name).write_bytes("".join(lines).encode())
        build_index([tmp_path / name], tmp_path / "index", **options)
        return NameIndex.open(tmp_path / "index")

    return build


def names(index: NameIndex) -> set[tuple[str, str, int]]:
    return {(record.name, record.entity, record.kind) for record in index.records()}


# --- what is read


def test_labels_aliases_redirects_types_and_counts(built):
    index = built(
        label("Zorb_(river)", "Zorb (river)"),
        label("Zorb_(river)", "Zorbwater", predicate=SKOS + "altLabel"),
        label("Quend", "Quend", predicate="http://schema.org/name"),
        label("Quend", "The Quend", predicate="http://xmlns.com/foaf/0.1/name"),
        redirect("Zorba_River", "Zorb_(river)"),
        relation("Quend", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", ONTOLOGY + "Town"),
        label("Quend", "17", "^^<http://www.w3.org/2001/XMLSchema#integer>", ONTOLOGY + "wikiPageInDegree"),
        label("Quend", "ignored", predicate="http://example.org/comment"),
    )
    assert names(index) == {
        ("Zorb (river)", "Zorb_(river)", LABEL),
        ("Zorb", "Zorb_(river)", BARE),
        ("Zorbwater", "Zorb_(river)", ALIAS),
        ("Zorba River", "Zorb_(river)", REDIRECT),
        ("Quend", "Quend", LABEL),
        ("The Quend", "Quend", ALIAS),
    }
    [quend] = index.find("quend")
    assert (quend.type, quend.count) == ("Town", 17)


def test_wikidata(built):
    entity = '<http://www.wikidata.org/entity/Q{}> <{}> "{}"@{} .\n'
    index = built(
        entity.format(90, RDFS + "label", "Paris", "en"),
        entity.format(167646, RDFS + "label", "Paris", "en"),
        entity.format(90, RDFS + "label", "Parigi", "it"),
        entity.format(90, SKOS + "altLabel", "City of Light", "en"),
        entity.format(89, RDFS + "label", "apple", "en"),
    )
    assert [c.entity for c in index.find("Paris")] == ["Q90", "Q167646"]
    assert index.find("Parigi") == ()
    assert index.find("Apple")[0].name == "apple"
    assert index.find("City of Light")[0].kind == ALIAS


def test_tsv_with_type_and_count(built):
    index = built(
        "# a comment\n\nBig Zorb\tZorb\tTown\t12\nZorb\tZorb\r\nQuend\thttp://dbpedia.org/resource/Qu%C3%ABnd\n",
        "Trell\tTrell\t7\nBig Zorb\tOther\t\t13\n",
        name="names.tsv",
    )
    found = [(c.entity, c.count, c.type) for c in index.find("Big Zorb")]
    assert found == [("Other", 13, None), ("Zorb", 12, "Town")]
    assert index.find("Quend")[0].entity == "Quënd"
    assert (index.find("Trell")[0].count, index.find("Trell")[0].type) == (7, None)


@pytest.mark.parametrize(
    ("language", "found"), [("en", "One Bare British"), ("de", "Bare Eins"), (None, "One Bare British Eins")]
)
def test_languages(built, language, found):
    lines = [label("A", "One"), label("B", "Bare", ""), label("C", "British", "@en-GB")]
    index = built(*lines, label("D", "Eins", "@de"), language=language)
    assert {name for name, _, _ in names(index)} == set(found.split())


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_compressed(tmp_path, suffix, compress):
    dump = tmp_path / f"dump.nt{suffix}"
    dump.write_bytes(compress(label("Caf%C3%A9_Zorb", "Caf\\u00E9 Zorb").encode()))
    build_index([dump], tmp_path / "index")
    assert names(NameIndex.open(tmp_path / "index")) == {("Café Zorb", "Café_Zorb", LABEL)}


def test_pages_about_other_pages_are_left_out(built):
    index = built(
        label("Quend_(disambiguation)", "Quend (disambiguation)"),
        label("List_of_quends", "List of quends"),
        label("Category:Quends", "Category:Quends"),
        label("Mercer", "Mercer"),
        relation("Mercer", ONTOLOGY + "wikiPageDisambiguates", RESOURCE + "Mercer_(band)"),
        label("Mercer_(band)", "Mercer (band)"),
        redirect("Mercers", "Mercer"),
        label("1999", "1999"),
        label("Q", "Q"),
    )
    assert names(index) == {("Mercer (band)", "Mercer_(band)", LABEL), ("Mercer", "Mercer_(band)", BARE)}


# --- redirects


def test_chains_and_circles(built):
    index = built(
        redirect("A1", "B1"),
        redirect("B1", "C1"),
        redirect("C1", "Zorb"),
        label("Zorb", "Zorb"),
        label("A1", "A1"),
        redirect("X1", "Y1"),
        redirect("Y1", "X1"),
        redirect("Self", "Self"),
        label("Self", "Self"),
    )
    assert {c.entity for name in ("A1", "B1", "C1", "Zorb") for c in index.find(name)} == {"Zorb"}
    assert index.find("X1") == index.find("Y1") == ()
    assert index.find("Self")[0].kind == LABEL
    names = EntityNames([index])
    assert names.same("A1", "Zorb")
    assert names.same("B1", "C1")
    assert not names.same("X1", "Zorb")


def test_redirects_that_are_no_names_still_lead_to_their_entity(built):
    index = built(
        label("Zorb", "Zorb"), redirect("History_of_Zorb", "Zorb"), redirect("Zorb_discography", "Zorb")
    )
    assert {c.kind for name in ("History of Zorb", "Zorb discography") for c in index.find(name)} == {PAGE}
    assert EntityNames([index]).same("History_of_Zorb", "Zorb")


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))
    )
)
def test_following_is_that_of_a_walk(drawn):
    titles, edges = drawn
    pairs = [(a, b) for a, b in edges if a != b]
    first = {}
    for a, b in pairs:
        first.setdefault(a, b)
    sources, targets = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    final = follow(titles, sources, targets)
    for title in range(titles):
        at, steps = title, 0
        while at in first and steps <= titles:
            at, steps = first[at], steps + 1
        if at in first:
            assert int(final[title]) in first
        else:
            assert int(final[title]) == at


# --- what is wrong with dumps


def test_malformed_lines_are_counted_and_named(tmp_path):
    lines = [label(f"T{n}x", f"T{n}x") for n in range(300)]
    lines[4] = "<broken\n"
    lines[9] = "no tab\n"
    (tmp_path / "dump.nt").write_bytes("".join(lines).encode() + b"caf\xe9\tX\n")
    made = build_index([tmp_path / "dump.nt"], tmp_path / "index", max_malformed=0.02)
    assert made.malformed == ((str(tmp_path / "dump.nt"), 3, (5, 10, 301)),)
    assert (made.lines, made.entities) == (301, 298)


@pytest.mark.parametrize(("share", "line"), [(0.0, 2), (0.3, 2)])
def test_too_many_malformed_lines_are_an_error(tmp_path, share, line):
    (tmp_path / "dump.tsv").write_text("A b\tX\nbroken\nbroken\nC d\tY\n", encoding="utf-8")
    with pytest.raises(
        DataError, match=rf"dump.tsv:{line}: 2 of the first 4 lines are neither .* \(lines 2, 3\)"
    ):
        build_index([tmp_path / "dump.tsv"], tmp_path / "index", max_malformed=share)
    assert [path.name for path in tmp_path.iterdir()] == ["dump.tsv"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.bz2", bz2.compress(b"A\tB\n" * 10_000)[:-20], "broken or truncated"),
        ("a.gz", gzip.compress(b"A\tB\n" * 10_000)[:-20], "broken or truncated"),
        ("a.gz", b"no gzip", "broken or truncated"),
        ("a.gz", gzip.compress(b"A\tB\n")[:10] + b"\xff" * 20, "broken or truncated"),
        ("a.bz2", b"no bzip2", "cannot be read"),
        ("a.tsv", b"\xff\xfeA\x00", "neither statements"),
    ],
)
def test_broken_files(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        build_index([tmp_path / name], tmp_path / "index")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_missing_files_and_bad_outputs(tmp_path):
    (tmp_path / "a.tsv").write_text("A b\tX\n", encoding="utf-8")
    with pytest.raises(DataError, match="no such file"):
        build_index([tmp_path / "missing"], tmp_path / "index")
    with pytest.raises(DataError, match="not a regular file"):
        build_index([tmp_path], tmp_path / "index")
    with pytest.raises(UsageError, match="not a regular file"):
        build_index([tmp_path / "a.tsv"], os.devnull)
    assert Path(os.devnull).is_char_device()


def test_an_endless_line_is_malformed(tmp_path):
    (tmp_path / "a.tsv").write_bytes(b"A b\tX\n" + b"y" * 3_000_000 + b"\nC d\tY\n")
    made = build_index([tmp_path / "a.tsv"], tmp_path / "index", max_malformed=0.5, block_bytes=1000)
    assert (made.malformed[0][2], made.names) == ((2,), 2)


# --- the same bytes, however they are made


def many(path: Path, number: int = 4000) -> Path:
    lines = []
    for n in range(number):
        lines.append(label(f"Zorb_{n}x", f"Zorb {n}x"))
        if n % 3 == 0:
            lines.append(redirect(f"Quend_{n}y", f"Zorb_{n // 2}x"))
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_blocks_and_processes_make_no_difference(tmp_path):
    dump = many(tmp_path / "dump.nt", 600)
    for name, options in {
        "one": {"jobs": 1},
        "blocks": {"jobs": 1, "block_bytes": 5000},
        "processes": {"jobs": 2, "block_bytes": 20_000},
    }.items():
        build_index([dump], tmp_path / name, **options)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "blocks").read_bytes()
    assert (tmp_path / "one").read_bytes() == (tmp_path / "processes").read_bytes()


KILLED = """
import os, signal, sys
from contextlib import nullcontext
from pathlib import Path
from esascore.link.gazetteer.build import build_index
dump, output, wanted, steps = sys.argv[1:]
left = int(steps)
def stage(name):
    def progress(done, total):
        global left
        left -= 1
        if left < 0:
            Path(output).with_name(".index.building").joinpath("torn.tmp").write_bytes(b"half")
            os.kill(os.getpid(), signal.SIGKILL)
    if name != wanted:
        return nullcontext()
    progress(0, 1)
    return nullcontext(progress)
build_index([dump], output, block_bytes=50_000, stage=stage)
"""


def killed(dump: Path, output: Path, stage: str, steps: int) -> None:
    """Kill a build when a stage begins, or after so many steps of it."""
    command = [sys.executable, "-c", KILLED, str(dump), str(output), stage, str(steps)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL


@POSIX
@pytest.mark.parametrize(
    ("stage", "steps"),
    [
        ("reading dumps", 4),
        ("sorting titles", 0),
        ("sorting titles", 1),
        ("sorting names", 0),
        ("sorting names", 1),
    ],
)
def test_a_killed_build_goes_on_and_gives_the_same_bytes(tmp_path, stage, steps):
    dump = many(tmp_path / "dump.nt")
    build_index([dump], tmp_path / "whole", block_bytes=50_000)
    killed(dump, tmp_path / "index", stage, steps)
    assert not (tmp_path / "index").exists()
    left = {p.name: p.stat().st_mtime_ns for p in (tmp_path / ".index.building").iterdir() if "-" in p.name}
    assert left
    touched = []

    def stages(name):
        kept = {p: left.get(p.name) for p in (tmp_path / ".index.building").iterdir()}
        touched.extend(p.name for p, then in kept.items() if then not in (None, p.stat().st_mtime_ns))
        return nullcontext()

    made = build_index([dump], tmp_path / "index", block_bytes=50_000, stage=stages)
    assert made.resumed
    assert touched == []
    assert (tmp_path / "index").read_bytes() == (tmp_path / "whole").read_bytes()
    assert not (tmp_path / ".index.building").exists()


FULL = """
import resource, signal, sys
from esascore.errors import UsageError
from esascore.link.gazetteer.build import build_index
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    build_index([sys.argv[1]], sys.argv[2], block_bytes=50_000)
except UsageError as error:
    print(error)
"""


@POSIX
def test_a_full_disk_is_told_and_the_build_goes_on_later(tmp_path):
    dump = many(tmp_path / "dump.nt")
    build_index([dump], tmp_path / "whole", block_bytes=50_000)
    command = [sys.executable, "-c", FULL, str(dump), str(tmp_path / "index")]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert said.startswith(
        f"cannot write {tmp_path / 'index'}: File too large (run it again to continue, or "
    )
    assert build_index([dump], tmp_path / "index", block_bytes=50_000).resumed
    assert (tmp_path / "index").read_bytes() == (tmp_path / "whole").read_bytes()


@POSIX
def test_torn_parts_are_made_again(tmp_path):
    dump = many(tmp_path / "dump.nt")
    build_index([dump], tmp_path / "whole", block_bytes=50_000)
    killed(dump, tmp_path / "index", "sorting names", 1)
    for name in ("block-000001", "titles-0000", "entities"):
        part = tmp_path / ".index.building" / name
        part.write_bytes(part.read_bytes()[:-100])
    build_index([dump], tmp_path / "index", block_bytes=50_000)
    assert (tmp_path / "index").read_bytes() == (tmp_path / "whole").read_bytes()


@POSIX
def test_what_another_dump_left_is_not_taken_up(tmp_path):
    dump = many(tmp_path / "dump.nt")
    killed(dump, tmp_path / "index", "sorting titles", 1)
    dump.write_text(label("Zorb", "Zorb"), encoding="utf-8")
    assert not build_index([dump], tmp_path / "index", block_bytes=50_000).resumed
    assert names(NameIndex.open(tmp_path / "index")) == {("Zorb", "Zorb", LABEL)}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_other_processes_end_with_a_killed_build(tmp_path):
    program = (
        "import sys, os\n"
        "from esascore.link.gazetteer.build import processes\n"
        "if __name__ == '__main__':\n"
        "    with processes(2) as calls:\n"
        "        print(*set(calls(os.getpid, [()] * 4)), flush=True)\n"
        "        sys.stdin.read()\n"
    )
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, tmp_path / "program.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        children = [int(number) for number in process.stdout.readline().split()]
        process.kill()
    assert children
    for _ in range(200):
        if not any(is_alive(child) for child in children):
            break
        time.sleep(0.05)
    assert not any(is_alive(child) for child in children)


def is_alive(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"
