"""The dictionary from dumps, on small files of their form."""

from __future__ import annotations

import bz2
import gzip
import io
import subprocess
import sys

import pytest

from esascore.errors import DataError
from esascore.lexicon import read_user_lexicon
from esascore.lexicon.dumps import Dictionary, build

RESOURCE = "http://dbpedia.org/resource/"
REDIRECTS = f"""# started 2016-01-01T00:00:00Z
<{RESOURCE}Key_City> <http://dbpedia.org/ontology/wikiPageRedirects> <{RESOURCE}Abilene,_Texas> .
<{RESOURCE}Abil%C3%A8ne_Tx> <http://dbpedia.org/ontology/wikiPageRedirects> <{RESOURCE}Abilene,_Texas> .
<{RESOURCE}History_of_Zorblax> <http://dbpedia.org/ontology/wikiPageRedirects> <{RESOURCE}Zorblax> .
<{RESOURCE}Zorblax_(band)> <http://dbpedia.org/ontology/wikiPageRedirects> <{RESOURCE}Zorblax> .
<{RESOURCE}ZRB/LX> <http://dbpedia.org/ontology/wikiPageRedirects> <{RESOURCE}Zorblax> .
# completed
"""
LABELS = f"""<{RESOURCE}Zorblax> <http://www.w3.org/2000/01/rdf-schema#label> "Zorblax"@en .
<{RESOURCE}Zorblax> <http://xmlns.com/foaf/0.1/name> "Los \\"Zorbl\\u00E1cs\\""@en .
<{RESOURCE}Zorblax> <http://www.w3.org/2004/02/skos/core#altLabel> "Die Z."@de .
<{RESOURCE}Zorblax> <http://dbpedia.org/ontology/alias> "The  Z\\tBoys" .
<{RESOURCE}Zorblax> <http://dbpedia.org/ontology/abstract> "A band."@en .
<{RESOURCE}Zorblax> <http://dbpedia.org/ontology/hometown> <{RESOURCE}Abilene,_Texas> .
<{RESOURCE}Zorblax> <http://dbpedia.org/ontology/alias> "Z"@en <http://en.wikipedia.org/wiki/Zorblax?l=1> .
"""
FORMS = {
    ("Abilene, Texas", "Key City"),
    ("Abilene, Texas", "Abilène Tx"),
    ("Zorblax", "ZRB/LX"),
    ("Zorblax", 'Los "Zorblács"'),
    ("Zorblax", "The Z Boys"),
    ("Zorblax", "Z"),
}


@pytest.fixture
def dumps(tmp_path):
    redirects, labels = tmp_path / "redirects.ttl.bz2", tmp_path / "labels.nt.gz"
    redirects.write_bytes(bz2.compress(REDIRECTS.encode()))
    labels.write_bytes(gzip.compress(LABELS.encode()))
    return [redirects, labels]


def built(dumps, tmp_path, **options) -> tuple[set[tuple[str, str]], Dictionary]:
    out = io.StringIO()
    made = build(dumps, out, **options)
    path = tmp_path / "built.tsv"
    path.write_text(out.getvalue(), encoding="utf-8")
    return {(entry.entity, entry.form) for entry in read_user_lexicon(path)}, made


def test_redirects_and_labels(dumps, tmp_path):
    forms, made = built(dumps, tmp_path)
    assert forms == FORMS
    assert (made.entities, made.aliases) == (2, 6)


def test_forms_are_sorted_by_code_points_and_written_once(dumps, tmp_path):
    more = tmp_path / "more.tsv"
    more.write_text("Zorblax\t\U0001f600z\tÉz\t\uffdez\tz\tzz\nAb\tÄb\tab c\n", encoding="utf-8")
    out = io.StringIO()
    build([*dumps, more, *dumps], out)
    rows = [line.split("\t") for line in out.getvalue().splitlines()[1:]]
    assert [row[0] for row in rows] == ["Ab", "Abilene, Texas", "Zorblax"]
    assert all(row[1:] == sorted(set(row[1:])) for row in rows)
    assert {form for row in rows for form in row[1:]} == {form for _, form in FORMS} | {
        *("\U0001f600z", "Éz", "\uffdez", "z", "zz", "Äb")
    }


def test_only_wanted_entities_and_languages(dumps, tmp_path):
    assert built(dumps, tmp_path, entities={"Zorblax"})[0] == {f for f in FORMS if f[0] == "Zorblax"}
    german, _ = built(dumps[1:], tmp_path, lang="de")
    assert german == {("Zorblax", "Die Z."), ("Zorblax", "The Z Boys")}


def test_tables_of_entities_and_aliases(tmp_path):
    path = tmp_path / "aliases.tsv"
    path.write_text("Abilene,_Texas\tKey City\tAbilene,_Texas\n#9_Dream\tNumber Nine\n", encoding="utf-8")
    # A line that begins with # is a comment in a dump.
    assert built([path], tmp_path)[0] == {("Abilene, Texas", "Key City")}


def test_nothing_found(tmp_path):
    path = tmp_path / "empty.nt"
    path.write_text("# nothing\n", encoding="utf-8")
    assert built([path], tmp_path) == (set(), Dictionary(0, 0, 0))


PLAIN = REDIRECTS.encode()
DAMAGED = gzip.compress(PLAIN)[:10] + b"\xff" * 20  # a whole head, and data that is none


@pytest.mark.parametrize(
    ("name", "content", "place", "problem"),
    [
        ("a.nt", b"<a> <b> <c>\n", ":1: ", "a statement in N-Triples is broken: is the file truncated?"),
        ("a.nt", b"# x\nnonsense\n", ":2: ", "neither a statement in N-Triples nor an entity"),
        ("a.nt", b"\xff\t\xff\n", ":1: ", "not UTF-8"),
        ("a.nt.gz", b"nonsense", ": ", "the compressed file is broken or truncated"),
        ("a.nt.gz", gzip.compress(PLAIN)[:-20], ": ", "the compressed file is broken or truncated"),
        ("a.nt.bz2", b"nonsense", ": ", "the file cannot be read"),
        ("a.nt.gz", DAMAGED, ": ", "the compressed file is broken or truncated: Error -3"),
        ("a.nt.bz2", bz2.compress(PLAIN)[:-20], ": ", "the compressed file is broken or truncated"),
    ],
)
def test_what_cannot_be_read(tmp_path, name, content, place, problem):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError) as raised:
        build([path], io.StringIO())
    assert str(raised.value).startswith(f"{path}{place}{problem}")


def test_a_missing_dump(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        build([tmp_path / "none.nt"], io.StringIO())


MEASURED = """
import io, resource, signal, sys
from esascore.errors import EsascoreError
from esascore.lexicon.dumps import build
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    print(build([sys.argv[1]], open("/dev/null", "w")).aliases)
except EsascoreError as error:
    print(error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere memory is counted otherwise")
@pytest.mark.parametrize(("room", "told"), [(-1, "400000"), (100_000, "temporary files cannot be written: ")])
def test_memory_is_bounded_and_a_full_disk_told(tmp_path, room, told):
    path = tmp_path / "many.tsv"
    path.write_text("".join(f"Entity {n % 5000}\tThe form {n} of a name\n" for n in range(400_000)), "utf-8")
    command = [sys.executable, "-c", MEASURED, str(path), str(room)]
    said, kilobytes = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert said.startswith(told)
    assert int(kilobytes) < 12_000  # the pairs take 14 MB even as bytes
