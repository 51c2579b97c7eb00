from __future__ import annotations

import pickle
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.link.gazetteer.build import build_index
from esascore.link.gazetteer.index import ALIAS, BARE, PAGE, REDIRECT, NameIndex, NameRecord
from esascore.link.gazetteer.linker import CONFIDENCE, Gazetteer, gazetteer_linker
from esascore.model import Cell, Example, Graph, Input, Reference
from esascore.text.document import Document
from esascore.text.words import folded_key
from fakes import graph_of


def linker(*records: NameRecord) -> Gazetteer:
    return Gazetteer([NameIndex.of(records)])


def named(*names: str) -> Gazetteer:
    return linker(*(NameRecord(name, name.replace(" ", "_")) for name in names))


def entities(gazetteer: Gazetteer, text: str, *triples: tuple[str, str, str]) -> list[str]:
    [links] = gazetteer.link([text], [Document(Graph.from_triples(triples), text)] if triples else None)
    assert all(text[link.start : link.end] == link.text for link in links)
    assert all(0 < (link.confidence or 0) < 1 for link in links)
    return [link.entity for link in links]


def mentions(gazetteer: Gazetteer, text: str) -> list[str]:
    [links] = gazetteer.link([text])
    return [link.text for link in links]


# --- which words are a name


def test_names_end_where_words_do():
    assert mentions(named("Zorb"), "Zorbing in Zorb-town near Zorb's, not inzorb") == ["Zorb", "Zorb"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We ate an apple at Quendish.", []),
        ("We asked Apple about Quendish.", ["Apple"]),
        ("Apple is a word for Quendish.", []),
        ("we asked apple about quendish.", []),
        ("WE ASKED APPLE ABOUT QUENDISH.", []),
    ],
)
def test_a_common_word_is_a_name_only_with_a_capital_inside_a_sentence(text, found):
    assert mentions(named("Apple"), text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("They like Zorbian quiltrock in Oslo.", ["Zorbian quiltrock"]),
        ("They like zorbian quiltrock in Oslo.", ["zorbian quiltrock"]),
        ("They like the kraum of Oslo.", []),
        ("They like the Kraum of Oslo.", ["Kraum"]),
        ("they like the kraum of oslo.", ["kraum"]),
        ("They like the kraum of oslo.", ["kraum"]),
        ("THEY LIKE THE KRAUM OF OSLO.", ["KRAUM"]),
    ],
)
def test_case_counts_where_a_text_is_cased(text, found):
    assert mentions(named("Zorbian quiltrock", "Kraum"), text) == found


def test_the_case_of_the_name_decides_what_is_meant():
    gazetteer = linker(NameRecord("Kraum", "Kraum_Inc."), NameRecord("kraum", "Kraum_(dish)"))
    assert entities(gazetteer, "In Oslo they eat kraum.") == ["Kraum_(dish)"]
    assert entities(gazetteer, "In Oslo they know Kraum.") in (["Kraum_Inc."], ["Kraum_(dish)"])


def test_accents_may_be_missing():
    assert entities(named("Łódźyn"), "We saw Lodzyn.") == ["Łódźyn"]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Of Montreal", "He is mayor of Montreal.", False),
        ("Of Montreal", "He is mayor of montreal.", False),
        ("Of Montreal", "We heard Of Montreal.", True),
        ("Of Montreal", "he is mayor of montreal", False),
        ("In Quendish", "In Quendish they sing.", False),
        ("The Quends", "We heard the Quends.", True),
        ("The Quends", "we heard the quends", True),
        ("The Band", "we heard the band", False),
        ("Is It", "Oslo is it.", False),
        ("Born in", "Ada was born in Oslo.", False),
        ("IT", "It is in Oslo.", False),
        ("IT", "We like IT in Oslo.", True),
        ("US", "They told us in Oslo.", False),
        ("May", "In May he left Oslo.", False),
        ("Monday", "On Monday he left Oslo.", False),
        ("1999", "In 1999 he left Oslo.", False),
        ("4 May 1999", "On 4 May 1999 he left Oslo.", False),
        ("May Quend", "He saw May Quend.", True),
    ],
)
def test_names_that_are_small_or_common_words(name, text, found):
    assert [folded_key(mention) for mention in mentions(named(name), text)] == (
        [folded_key(name)] if found else []
    )


def test_multi_word_names_of_common_words_are_found_with_little_confidence():
    [links] = named("Rock music").link(["In Oslo they play rock music."])
    assert [(link.text, link.confidence) for link in links] == [("rock music", CONFIDENCE["common"])]


def test_names_do_not_cross_sentences():
    gazetteer = named("York New", "St Ives", "Zorb Vale")
    assert mentions(gazetteer, "He saw York. New people saw St. Ives.") == ["St. Ives"]
    assert mentions(gazetteer, "He saw Zorb! Vale of tears.") == []


def test_separators_are_part_of_a_name_or_end_it():
    gazetteer = named("Zorb, Ohio", "Zorb Quend", "Mission: Zorb")
    assert mentions(gazetteer, "In Zorb, Ohio") == ["Zorb, Ohio"]
    assert mentions(gazetteer, "In Zorb Ohio") == ["Zorb Ohio"]
    assert mentions(gazetteer, "In Zorb, Quend") == []
    assert mentions(gazetteer, "See Mission: Zorb") == ["Mission: Zorb"]


def test_pages_that_are_no_names_are_not_found():
    assert mentions(linker(NameRecord("Zorb quakes", "Zorb", PAGE)), "After Zorb quakes came") == []


# --- which entity is meant


AMBIGUOUS = (
    NameRecord("Quend", "Quend_(river)", BARE, 0, "River"),
    NameRecord("Quend", "Ada_Quend", ALIAS, 0, "Person"),
    NameRecord("Quend", "Quend_(band)", BARE, 7, "Band"),
    NameRecord("Kestrel Arena", "Kestrel_Arena"),
)


def test_the_first_in_rank_without_an_input():
    assert entities(linker(*AMBIGUOUS), "We saw Quend there.") == ["Ada_Quend"]


def test_an_entity_of_the_input_is_preferred():
    found = entities(linker(*AMBIGUOUS), "Quend is long.", ("Quend_(river)", "length", "12"))
    assert found == ["Quend_(river)"]


def test_a_redirect_of_the_input_is_followed():
    gazetteer = linker(*AMBIGUOUS, NameRecord("River Quend", "Quend_(river)", REDIRECT))
    assert entities(gazetteer, "Quend is long.", ("River_Quend", "length", "12")) == ["Quend_(river)"]


def test_the_type_that_a_missing_entity_has_is_preferred():
    gazetteer, arena = linker(*AMBIGUOUS), "Kestrel_Arena"
    person, river = (arena, "architect", "Bo_Aas"), (arena, "river", "Glomma")
    assert entities(gazetteer, "Kestrel Arena is by Quend.", person) == [arena, "Ada_Quend"]
    assert entities(gazetteer, "Kestrel Arena is at Quend.", river) == [arena, "Quend_(river)"]


def test_a_word_for_a_people_may_mean_their_language():
    gazetteer, text = gazetteer_linker(), "They speak Spanish there."
    assert entities(gazetteer, text) == ["Spain"]
    assert entities(gazetteer, text, ("X", "language", "Spanish_language")) == ["Spanish_language"]


def test_the_input_never_invents_a_mention():
    gazetteer = named("Kestrel Arena")
    text = "The bird flew over an arena in Oslo."
    assert entities(gazetteer, text, ("Kestrel_Arena", "location", "Oslo")) == []


def test_confidence_is_an_order():
    def confidence(text: str, *triples: tuple[str, str, str]) -> float:
        [[link]] = linker(*AMBIGUOUS).link([text], [Document(Graph.from_triples(triples), text)])
        assert link.confidence is not None
        return link.confidence

    sure = confidence("We like Quend.", ("Ada_Quend", "age", "7"))
    typed = confidence("We like Quend.", ("X", "architect", "Bo_Aas"))
    ranked = confidence("We like Quend.")
    assert sure > typed > ranked
    assert confidence("we like quend.", ("Ada_Quend", "age", "7")) < sure


# --- what hides hallucinations


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("London", "The Zorb"), "The Zorb stands in London."),
        # An alias for an entity with its place is not taken up.
        (("Zorblax House in London", "Zorblax House"), "I saw Zorblax House in London."),
    ],
)
def test_an_alias_does_not_hide_a_place(tmp_path, names, text):
    path = tmp_path / "names.tsv"
    path.write_text("".join(f"{name}\tZorblax_House\n" for name in names), encoding="utf-8")
    build_index([path], tmp_path / "index")
    house = ("Zorblax_House", "owner", "Nobody")
    assert entities(gazetteer_linker([tmp_path / "index"]), text, house) == ["Zorblax_House", "London"]


# --- what is known


def corpus() -> list[Example]:
    return [
        Example("1", Graph.from_triples([("Kestrel_Arena_(Oslo)", "architect", "Bo_Aas")]), size=1),
        Example("2", Graph.from_triples([("Bionico", "course", "Dessert"), ("Bionico", "servings", "1999")])),
        Example("3", Input.from_table((Cell("Glimmer Tarn", "lake"),))),
    ]


def test_the_names_of_a_corpus_and_of_places():
    gazetteer = gazetteer_linker(examples=corpus())
    text = "Bo Aas built Kestrel Arena and saw Glimmer Tarn in 1999; the Norwegian left New Zealand."
    [links] = gazetteer.link([text])
    assert [(link.text, link.entity, link.type) for link in links] == [
        ("Bo Aas", "Bo_Aas", "person"),
        ("Kestrel Arena", "Kestrel_Arena_(Oslo)", links[1].type),
        ("Glimmer Tarn", "Glimmer_Tarn", links[2].type),
        ("Norwegian", "Norway", "place"),
        ("New Zealand", "New_Zealand", "place"),
    ]


def test_names_that_references_use_as_common_words_are_left_out():
    graphs = map(graph_of, ("Bionico | course | Cold_soup", "A | b | C", "D | b | E"))
    plain = [Example(str(n), graph) for n, graph in enumerate(graphs)]
    used = (Reference("1", "they eat cold soup"),)
    using = [Example(e.id, e.input, used if n else ()) for n, e in enumerate(plain)]
    assert mentions(gazetteer_linker(examples=plain), "they like cold soup") == ["cold soup"]
    assert mentions(gazetteer_linker(examples=using), "they like cold soup") == []


def test_the_version_tells_names_and_files(tmp_path):
    (tmp_path / "a.tsv").write_text("A b\tX\n", encoding="utf-8")
    build_index([tmp_path / "a.tsv"], tmp_path / "a")
    versions = [gazetteer_linker().version(), gazetteer_linker(examples=corpus()).version()]
    versions.append(gazetteer_linker([tmp_path / "a"]).version())
    assert len(set(versions)) == 3
    assert all(version.startswith("gazetteer.v1(") for version in versions)
    assert gazetteer_linker([tmp_path / "a"]).version() == versions[-1]


def test_files_and_corpus_work_together_also_in_another_process(tmp_path):
    (tmp_path / "a.tsv").write_text("Zorb Vale\tZorb\tPlace\n", encoding="utf-8")
    build_index([tmp_path / "a.tsv"], tmp_path / "a")
    gazetteer = gazetteer_linker([tmp_path / "a"], corpus())
    copy = pickle.loads(pickle.dumps(gazetteer))
    texts = ["Bo Aas in Zorb Vale", "", "   ", "?", "bo aas"]
    assert copy.link(texts) == gazetteer.link(texts)
    assert [len(links) for links in gazetteer.link(texts)] == [2, 0, 0, 0, 1]
    assert copy.version() == gazetteer.version()


def test_unequal_numbers_and_missing_files_are_errors(tmp_path):
    with pytest.raises(DataError, match="2 texts, but 1 documents"):
        gazetteer_linker().link(["a", "b"], [Document(Graph(), "a")])
    with pytest.raises(DataError, match="no such file"):
        gazetteer_linker([tmp_path / "missing"])


# --- properties


WORDS = st.sampled_from(
    ["Zorb", "zorb", "Vale", "Quend", "of", "The", "é", "St", "X", ",", ".", "(", "北京", "9"]
)
TEXTS = st.lists(WORDS, max_size=14).map(" ".join)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=3).map(" ".join), max_size=8), TEXTS)
def test_links_are_known_names_in_order_without_overlaps(names, text):
    [links] = named(*names).link([text])
    known = {folded_key(name) for name in names}
    assert all(text[link.start : link.end] == link.text for link in links)
    assert all(folded_key(link.text) in known for link in links)
    assert all(a.end <= b.start for a, b in pairwise(links))


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from(["zorb", "quend", "blarn"]), min_size=1, max_size=3), max_size=6),
    st.lists(st.sampled_from(["zorb", "quend", "blarn", "trell"]), max_size=12),
)
def test_in_lower_cased_text_the_longest_match_is_that_of_a_dictionary(names, text):
    known = {tuple(name) for name in names}
    expected, at = [], 0
    while at < len(text):
        size = next((n for n in (3, 2, 1) if tuple(text[at : at + n]) in known and at + n <= len(text)), 0)
        if size:
            expected.append(" ".join(text[at : at + size]))
        at += size or 1
    assert mentions(named(*(" ".join(name) for name in known)), " ".join(text)) == expected


@given(st.text(max_size=60))
def test_any_text_can_be_linked(text):
    links = gazetteer_linker().link([text])[0]
    assert all(text[link.start : link.end] == link.text for link in links)


# --- capitals


# --- files that change while they are open

CUT_OFF = """
import os, sys
from esascore.errors import DataError
from esascore.link.gazetteer.index import NameIndex
from esascore.link.gazetteer.linker import gazetteer_linker
gazetteer = gazetteer_linker([sys.argv[1]])
index = NameIndex.open(sys.argv[1])
os.truncate(sys.argv[1], 4096)
for ask in (lambda: gazetteer.link(["Zorb Vale is here."]), lambda: index.redirect("Zorb_Vale")):
    try:
        ask()
    except DataError as error:
        print(error)
"""


def index_file(folder) -> str:
    (folder / "names.tsv").write_text("".join(f"Zorb Vale {n}\tE{n}\n" for n in range(2000)), "utf-8")
    build_index([folder / "names.tsv"], folder / "index", jobs=1)
    return str(folder / "index")


@pytest.mark.skipif(sys.platform == "win32", reason="a file that is mapped cannot be cut off there")
def test_an_index_that_is_cut_off_while_it_is_open_is_an_error(tmp_path):
    path = index_file(tmp_path)
    # In a process of its own: without the check the system would end it (SIGBUS).
    done = subprocess.run([sys.executable, "-c", CUT_OFF, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{path}: the index is truncated or damaged: build or copy it again\n" * 2


@pytest.mark.skipif(sys.platform == "win32", reason="a file that is mapped cannot be replaced there")
def test_an_index_that_is_replaced_while_it_is_open_is_read_on(tmp_path):
    gazetteer = gazetteer_linker([index_file(tmp_path)])
    (tmp_path / "new").write_bytes(b"something else")
    (tmp_path / "new").replace(tmp_path / "index")
    assert entities(gazetteer, "We saw Zorb Vale 7.") == ["E7"]
