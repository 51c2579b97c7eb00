"""The client of DBpedia Spotlight, against real servers."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from esascore.cache import AnswerCache
from esascore.errors import UsageError
from esascore.link.base import LinkedMention, LinkFailure
from esascore.link.services.http import HttpPolicy
from esascore.link.services.spotlight import SpotlightLinker, spotlight_linker

QUICK = HttpPolicy(attempts=2, backoff=0.001)
TEXT = "AC/DC played in Oslo."


def linker(url, **more):
    return SpotlightLinker(url, **{"cache": None, "policy": QUICK, **more})


def resource(form, offset, uri="http://dbpedia.org/resource/Oslo", **more):
    row = {"@URI": uri, "@support": "10", "@types": "", "@surfaceForm": form, "@offset": str(offset)}
    return row | {"@similarityScore": "0.75", "@percentageOfSecondRank": "0.1"} | more


def answer(*resources):
    told = {"@text": "...", "@confidence": "0.5", "@support": "0"}
    return told | ({"Resources": list(resources)} if resources else {})


def link(serve, text, *resources, **more):
    return linker(serve(lambda exchange: exchange.reply(answer(*resources))).url, **more).link([text])[0]


def test_what_is_asked_and_answered(serve):
    types = "Wikidata:Q515,DBpedia:Settlement,DBpedia:Place"
    server = serve(
        lambda e: e.reply(
            answer(
                resource("Oslo", 16, **{"@types": types}),
                resource("AC/DC", 0, "http://dbpedia.org/resource/AC/DC", **{"@similarityScore": "1.0"}),
            )
        )
    )
    (links,) = linker(server.url + "/rest/annotate", confidence=0.35).link([TEXT])
    assert links == (
        LinkedMention(0, 5, "AC/DC", "AC/DC", 1.0, None),
        LinkedMention(16, 20, "Oslo", "Oslo", 0.75, "Place"),
    )
    (seen,) = server.seen
    assert seen.path == "/rest/annotate"
    assert parse_qs(seen.body.decode()) == {"text": [TEXT], "confidence": ["0.35"]}
    assert seen.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert seen.headers["Accept"] == "application/json"


def test_characters_arrive_as_they_are(serve):
    text = "100% of A+B & Ørsted=😀;\n\u2028Oslo"
    server = serve(lambda exchange: exchange.reply(answer()))
    assert linker(server.url).link([text]) == [()]
    assert parse_qs(server.seen[0].body.decode())["text"] == [text]


@pytest.mark.parametrize("told", [answer(), {"Resources": []}, {"@text": "x", "Resources": None}])
def test_no_entity_is_an_answer(serve, told):
    assert linker(serve(lambda exchange: exchange.reply(told)).url).link([TEXT]) == [()]


def test_java_counts_in_utf16(serve):
    links = link(
        serve, "😀 aa Oslo", resource("aa", 3, "http://dbpedia.org/resource/Aa"), resource("Oslo", 6)
    )
    assert [(m.start, m.text) for m in links] == [(2, "aa"), (5, "Oslo")]


def test_what_fits_both_ways_of_counting_is_read_as_java_would(serve):
    links = link(serve, "😀 aaa", resource("a", 4, "http://dbpedia.org/resource/A"))
    assert [(m.start, m.end) for m in links] == [(3, 4)]


def test_code_points_are_understood_where_utf16_does_not_fit(serve):
    links = link(serve, "😀 Oslo", resource("Oslo", 2))
    assert [(m.start, m.text) for m in links] == [(2, "Oslo")]


@pytest.mark.parametrize(
    ("uri", "entity"),
    [
        ("http://dbpedia.org/resource/S%C3%A3o_Paulo", "São_Paulo"),
        ("http://dbpedia.org/resource/São_Paulo", "São_Paulo"),
        ("http://de.dbpedia.org/resource/AC/DC", "AC/DC"),
        ("http://www.wikidata.org/entity/Q585", "Q585"),
        ("https://en.wikipedia.org/wiki/Oslo", "Oslo"),
    ],
)
def test_names_of_entities(serve, uri, entity):
    assert [m.entity for m in link(serve, TEXT, resource("Oslo", 16, uri))] == [entity]


def test_an_entity_without_a_name_is_left_out(serve):
    assert link(serve, TEXT, resource("Oslo", 16, "http://dbpedia.org/resource/")) == ()


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        ("", None),
        (
            "Schema:MusicGroup,DBpedia:Agent,Schema:Organization,DBpedia:Organisation,DBpedia:Band",
            "Organisation",
        ),
        ("Http://xmlns.com/foaf/0.1/Person,Wikidata:Q5,DBpedia:Person,DBpedia:Agent", "Person"),
        ("DBpedia:Award", "Award"),
        ("Schema:Thing", "Thing"),
    ],
)
def test_types(serve, types, kind):
    assert [m.type for m in link(serve, TEXT, resource("Oslo", 16, **{"@types": types}))] == [kind]


@pytest.mark.parametrize(
    ("score", "confidence"), [("0.5", 0.5), (1, 1.0), ("NaN", None), (None, None), ("x", None)]
)
def test_confidence(serve, score, confidence):
    ((mention),) = link(serve, TEXT, resource("Oslo", 16, **{"@similarityScore": score}))
    assert mention.confidence == confidence


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<html>ERROR</html>",
        "[]",
        "{}",
        '{"error": "x"}',
        '{"Resources": {}}',
        '{"Resources": [1]}',
        '{"Resources": [{}]}',
        '{"Resources": [{"@URI": "u", "@surfaceForm": "Oslo"}]}',
        '{"Resources": [{"@URI": "u", "@surfaceForm": "Oslo", "@offset": "x"}]}',
        '{"Resources": [{"@URI": "http://[", "@surfaceForm": "Oslo", "@offset": "16"}]}',
        '{"Resources": [{"@URI": "u", "@surfaceForm": "Oslo", "@offset": "16", "@similarityScore": "7"}]}',
        '{"Resources": [{"@URI": "u", "@surfaceForm": "Oslo", "@offset": "15"}]}',
        '{"Resources": [{"@URI": "u", "@surfaceForm": "", "@offset": "15"}]}',
    ],
)
def test_garbage_is_a_failure(serve, body):
    server = serve(lambda exchange: exchange.reply(body))
    (links,) = linker(server.url).link([TEXT])
    assert isinstance(links, LinkFailure)
    assert links.reason.startswith(server.url)
    assert links.reason.isprintable()


def test_answers_are_kept_for_each_confidence(serve, tmp_path):
    server = serve(lambda exchange: exchange.reply(answer(resource("Oslo", 16))))
    cache = AnswerCache(tmp_path / "c.sqlite")
    first = linker(server.url, cache=cache).link([TEXT])
    assert linker(server.url, cache=cache).link([TEXT]) == first
    assert len(server.seen) == 1
    linker(server.url, cache=cache, confidence=0.9).link([TEXT])
    assert len(server.seen) == 2
    assert cache.info().entries == {"spotlight": 2}


def test_no_text_goes_anywhere_unasked():
    with pytest.raises(UsageError, match="--linker-url"):
        spotlight_linker()
    with pytest.raises(UsageError, match="between 0 and 1"):
        spotlight_linker("http://127.0.0.1:1", confidence=2)


def test_version():
    made = spotlight_linker("https://example.org/en/annotate", confidence=0.35)
    assert made.version() == "spotlight.v1(https://example.org/en/annotate,confidence>=0.35)"
