"""What the checks say of texts in other languages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from esascore import Parent
from esascore.errors import DataError, UsageError
from esascore.guard import Guard
from esascore.languages import ENGLISH, Language, Languages, detection
from esascore.languages.figures import english_figures
from esascore.languages.names import Names, is_inflected
from esascore.metrics.faithfulness import Faithfulness
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example, Graph
from esascore.pipeline import build_pipeline
from esascore.readers.corpus import iter_corpus
from esascore.readers.fields import make_example
from esascore.readers.located import Place
from esascore.reports.lines import detection_record
from esascore.text.document import Document
from esascore.text.markdown import unmarked
from esascore.text.respelling import respelled

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import languages as benchmark

with_extra = pytest.mark.skipif(not detection.has_detector(), reason="esascore[languages] is not installed")
LEAST = 0.85
EIGHT = ("de", "fr", "es", "pt", "it", "nl", "ru", "cs")


@pytest.fixture(scope="module")
def judged():
    return benchmark.rows()


@with_extra
@pytest.mark.parametrize("language", EIGHT)
def test_faithful_texts_pass_and_mistakes_are_stopped(judged, language):
    own = benchmark.figures(judged)[language]
    assert own["balanced"] >= LEAST
    assert own["esa"] >= LEAST
    assert own["detected"] == 1


@with_extra
def test_nothing_is_flagged_because_a_dictionary_does_not_know_it(judged):
    evidence = {flag.rpartition(", ")[2].rstrip(")") for row in judged for flag in row.flags}
    assert evidence.isdisjoint({"unknown", "proper"})


@with_extra
@pytest.mark.parametrize(
    ("code", "text", "figures"),
    [
        ("de", "Es kostet 1.299,50 Euro.", ["1299.50 euro"]),
        ("fr", "Elle a 18 450 places et 2,5 km.", ["18450", "2.5 kilometers"]),
        ("ru", "в апреле 2015 года, 4 мая 1998 г., в 2014 году", ["April 2015", "4 May 1998"]),
        ("ru", "340 миллионов евро", ["340 million euro"]),
        ("cs", "v květnu 2015", ["May 2015"]),
        ("nl", "om 14.35 uur", ["14:35"]),
        ("ar", "٧٦٫٤٪ في ٢٠١٤", ["76.4%", "2014"]),
        ("hi", "७६ प्रतिशत", ["76 percent"]),
        ("ja", "2024年3月15日", ["2024-03-15"]),
        ("pt", "em 15/03/2024", ["2024-03-15"]),
        ("it", "nel 1987 in Portogallo", []),
    ],
)  # fmt: skip
def test_figures_are_read_as_the_locale_writes_them(code, text, figures):
    assert [piece.text for piece in english_figures(text, Language(code))] == figures


@pytest.mark.parametrize(
    ("word", "name", "same"),
    [
        ("moskve", "moskva", True), ("berlins", "berlin", True), ("abilina", "abilin", True),
        ("austria", "australia", False), ("iran", "irak", False), ("hamburg", "berlin", False),
    ],
)  # fmt: skip
def test_inflected_names(word, name, same):
    assert is_inflected(word, name) is same


@with_extra
def test_names_in_other_scripts():
    names = Names(["Wheeler", "Jan", "Texas", "Абилин"], "ru")
    found = [names.of(word) for word in ("Уилер", "Яна", "Техаса", "Абилина", "Гамбург")]
    assert [one and one[0] for one in found] == ["Wheeler", "Jan", "Texas", "Абилин", None]
    assert found[0][1] > found[3][1]  # another script costs more than another ending
    assert Names(["Berlin"], "ru").of("Гамбург") is None


def test_a_language_is_a_code():
    assert Languages("sw").of("It is old.") == Language("sw")
    with pytest.raises(UsageError, match="a language is auto or a code such as de, not 'German'"):
        Languages("German")


@with_extra
def test_what_is_unsure_counts_as_english():
    languages = Languages()
    assert languages.of("Olympique Lyonnais", lambda: frozenset({"olympique", "lyonnais"})) == ENGLISH
    assert languages.of("42") == ENGLISH
    assert languages.of("Le stade compte 8 500 places et se trouve à Lyon.").code == "fr"


def test_without_the_extra_only_scripts_are_told_apart(monkeypatch):
    monkeypatch.setattr(detection, "has_detector", lambda: False)
    languages = Languages()
    assert languages.of("Le stade compte 8 500 places et se trouve à Lyon.") == ENGLISH
    assert languages.of("Мост открыт в 1998 году.").code == "und"
    assert languages.version == "auto-by-script"


def test_spans_lead_back_to_the_text_with_marks():
    graph = Graph.from_triples([("Berlin", "population", "3500000")])
    source = "**Berlins** Einwohner: 3.500.000."
    own = unmarked(source)
    reading = respelled(own.text, graph, Language("de")).after(own)
    at = reading.text.index("Berlin")
    assert source[slice(*reading.to_source(at, at + 6))] == "Berlins"


@with_extra
def test_a_mention_is_the_text_itself():
    graph = Graph.from_triples([("Vienna", "country", "Austria"), ("Vienna", "founded", "1998-05-04")])
    text = "Вена, столица Австрии, основана 4 мая 1998 года."
    [found] = build_pipeline().detect([(graph, text)])
    assert not found.undetected
    assert [m.text for m in found.mentions] == ["Вена", "Австрии", "4 мая 1998"]
    assert all(text[m.start : m.end] == m.text for m in found.mentions)


@with_extra
def test_german_nouns_are_no_names():
    graph = Graph.from_triples([("Kestrel_Arena", "country", "Germany")])
    example = Example("Id1", graph)
    judge = Hallucinations(build_pipeline())
    [clean] = judge.find([example], ["Die Kestrel Arena ist eine große Halle für Konzerte in Deutschland."])
    [wrong] = judge.find([example], ["Die Kestrel Arena ist eine große Halle für Konzerte in Frankreich."])
    assert not clean
    assert [flag.text for flag in wrong] == ["Frankreich"]


def test_links_of_json_are_names_in_other_languages():
    fields = {
        "triples": [["Abilene,_Texas", "leader", "Norm_Archibald"]],
        "links": [["Abilene,_Texas", "sameAs", "Абилин"]],
    }
    example = make_example(fields, 1, Place("corpus.jsonl", 1))
    assert example.input.links == (("Abilene,_Texas", "Абилин"),)
    document = Document(example.input, "В Абилине живут люди.")
    document.written_in(Language("ru"))
    [found] = build_pipeline(language="ru").detect([document])
    assert [(m.entity, m.text) for m in found.mentions] == [("Abilene,_Texas", "Абилине")]
    with pytest.raises(DataError, match="links must be a list"):
        make_example({**fields, "links": "x"}, 1, Place("corpus.jsonl", 1))


def test_the_signature_names_the_language():
    assert build_pipeline(language="de").signature_parts()["language"] == "de"


@pytest.mark.parametrize("code", ["de", "ar"])
def test_what_is_off_is_said_with_its_reason(code):
    off = dict(Language(code).checks_off)
    assert off["names by dictionary"] == "it needs English"
    assert off["names by capitals"] == {"de": "all nouns have them", "ar": "the script has none"}[code]
    assert not ENGLISH.checks_off


XML = """<benchmark><entries><entry category="Food" eid="Id1" size="1">
<modifiedtripleset><mtriple>Bakewell_pudding | region | Derbyshire_Dales</mtriple></modifiedtripleset>
<lex lid="Id1">Бейквеллский пудинг родом из Дербишир-Дейлс.</lex>
<dbpedialinks><dbpedialink direction="en2ru">Bakewell_pudding | sameAs | Бейквеллский_пудинг</dbpedialink>
</dbpedialinks><links><link direction="en2ru">Derbyshire_Dales | includes | "Дербишир-Дейлс"</link></links>
</entry></entries></benchmark>"""
TURTLE = """@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:Abilene rdfs:label "Abilene"@en, "Абилин"@ru ; owl:sameAs <http://ru.example.org/Абилен> ; :leader :Nobody .
"""


def test_links_of_xml_are_names_in_other_languages(tmp_path):
    (tmp_path / "ru.xml").write_text(XML, encoding="utf-8")
    [example] = iter_corpus(tmp_path / "ru.xml")
    assert example.input.links == (
        ("Bakewell_pudding", "Бейквеллский пудинг"),
        ("Derbyshire_Dales", "Дербишир-Дейлс"),
    )
    [found] = build_pipeline(language="ru").detect([(example.input, example.references[0].text)])
    assert found.undetected == ()


def test_labels_of_rdf_are_names_in_other_languages(tmp_path):
    pytest.importorskip("rdflib")
    (tmp_path / "one.ttl").write_text(TURTLE, encoding="utf-8")
    [example] = iter_corpus(tmp_path / "one.ttl")
    assert [entity.term for entity in example.input.entities] == ["Abilene", "Nobody"]
    assert example.input.links == (("Abilene", "Абилин"), ("Abilene", "Абилен"))


def test_parent_separates_the_letters_of_scripts_without_spaces():
    table = [[("首都", "東京")]]
    score = Parent(tokenizer="characters").segments(["首都は東京。"], [["東京が首都。"]], table)
    assert score[0, 2] > Parent(tokenizer="words").segments(["首都は東京。"], [["東京が首都。"]], table)[0, 2]


@with_extra
def test_every_way_in_says_the_language():
    verdict = Guard().check(
        [("Vienna", "country", "Austria")], "Wien liegt in Österreich und ist eine Stadt."
    )
    assert verdict.ok
    assert verdict.to_dict()["language"] == "de"
    found = verdict.detection
    record = detection_record(Example("Id1", Graph.from_triples([("Vienna", "country", "Austria")])), found)
    assert (record["language"], record["missing"]) == ("de", [])
    assert ["truth values", "it needs English"] in record["checks_off"]


@with_extra
def test_faithfulness_in_another_language():
    graph = Graph.from_triples([("Vienna", "country", "Austria"), ("Vienna", "population", "1900000")])
    told = Faithfulness().explain(graph, "Vienne, en Autriche, compte 1 900 000 habitants et aime Zurich.")
    assert told.missing == ()
    assert [one.text for one in told.unsupported] == ["Zurich"]
    assert told.wording == 1
