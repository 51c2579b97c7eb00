"""The client of REL, and what all remote linkers have in common, against real servers."""

from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.cache import AnswerCache
from esascore.errors import UsageError
from esascore.link.base import LinkedMention, LinkFailure
from esascore.link.services.http import HttpPolicy
from esascore.link.services.rel import DEFAULT_URL, RelLinker, rel_linker
from esascore.link.services.remote import Claim, PlainText, located, without_overlaps

QUICK = HttpPolicy(attempts=2, backoff=0.001)
TEXT = "Oslo is larger than New York, said Ann."
SECRET = "s3cret-key"


def linker(url, **more):
    return RelLinker(url, **{"cache": None, "policy": QUICK, **more})


def answering(*answers):
    """A behaviour that gives an answer for each text in turn, and the last one for all that follow."""
    return lambda exchange: exchange.reply(answers[min(exchange.answered_before, len(answers) - 1)])


def finding(names):
    """A behaviour that finds names in the text as REL does, after ``&amp;`` has become ``&``."""

    def find(exchange):
        text = exchange.seen.json["text"].replace("&amp;", "&")
        exchange.reply(
            [
                [text.index(name), len(name), name, name.replace(" ", "_"), 0.5, 0.9, "LOC"]
                for name in names
                if name in text
            ]
        )

    return find


def spans(links):
    assert not isinstance(links, LinkFailure), links.reason
    return [(mention.start, mention.end, mention.text, mention.entity) for mention in links]


def reason(links):
    assert isinstance(links, LinkFailure), links
    return links.reason


def test_what_is_asked_and_answered(serve):
    rows = [[0, 4, "Oslo", "Oslo", 0.75, 0.9, "LOC"], [20, 8, "New York", "New_York_City", 0.5, 0.8, "NULL"]]
    server = serve(answering(rows))
    (links,) = linker(server.url).link([TEXT])
    assert links == (
        LinkedMention(0, 4, "Oslo", "Oslo", 0.75, "LOC"),
        LinkedMention(20, 28, "New York", "New_York_City", 0.5, None),
    )
    (seen,) = server.seen
    assert seen.json == {"text": TEXT, "spans": []}
    assert seen.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("row", "confidence", "kind"),
    [
        ([0, 4, "Oslo", "Oslo"], None, None),
        ([0, 4, "Oslo", "Oslo", 0], 0.0, None),
        ([0, 4, "Oslo", "Oslo", 1, 0.0], 1.0, None),
        ([0, 4, "Oslo", "Oslo", 1.0000001, 0.0, "NULL"], 1.0, None),
        ([0, 4, "Oslo", "Oslo", None, None, "LOC"], None, "LOC"),
        ([0, 4, "Oslo", "Oslo", float("nan"), 0.0, 3], None, None),
    ],
)
def test_fields_that_versions_of_rel_leave_out(serve, row, confidence, kind):
    ((mention,),) = linker(serve(answering([row])).url).link([TEXT])
    assert (mention.entity, mention.confidence, mention.type) == ("Oslo", confidence, kind)


@pytest.mark.parametrize(
    ("raw", "entity"),
    [
        ("New York", "New_York"),
        ("New%20York", "New_York"),
        ("_New__York ", "New_York"),
        ("Bell_&amp;_Howell", "Bell_&_Howell"),
        ("Bell_%26_Howell", "Bell_&_Howell"),
        ("Caf%C3%A9", "Café"),
        ("Caf%E9", "Caf%E9"),
        ("100%", "100%"),
        ("L&#39;Aquila", "L'Aquila"),
        ("Search&copy", "Search&copy"),
    ],
)
def test_names_of_entities(serve, raw, entity):
    ((mention,),) = linker(serve(answering([[0, 4, "Oslo", raw, 0.5, 0.5, "LOC"]])).url).link([TEXT])
    assert mention.entity == entity


@pytest.mark.parametrize("nothing", ["NIL", "", None, "  "])
def test_mentions_without_an_entity_are_left_out(serve, nothing):
    rows = [[0, 4, "Oslo", nothing, 0.1, 0.9, "LOC"], [35, 3, "Ann", "Ann", 0.2, 0.9, "PER"]]
    (links,) = linker(serve(answering(rows)).url).link([TEXT])
    assert spans(links) == [(35, 38, "Ann", "Ann")]


def test_mentions_are_put_in_order_and_the_longer_of_two_wins(serve):
    rows = [
        [35, 3, "Ann", "Ann", 0.2, 0, "PER"],
        [24, 4, "York", "York", 0.9, 0, "LOC"],
        [20, 8, "New York", "New_York_City", 0.1, 0, "LOC"],
        [0, 4, "Oslo", "Oslo_Airport", 0.3, 0, "LOC"],
        [0, 4, "Oslo", "Oslo", 0.4, 0, "LOC"],
        [0, 4, "Oslo", "Oslo", 0.4, 0, "LOC"],
    ]
    server = serve(answering(rows))
    (links,) = linker(server.url).link([TEXT])
    assert [mention.entity for mention in links] == ["Oslo", "New_York_City", "Ann"]
    (links,) = linker(server.url, min_confidence=0.2).link([TEXT])
    assert [mention.entity for mention in links] == ["Oslo", "York", "Ann"]


def test_texts_come_back_in_order_blank_ones_are_not_sent_and_equal_ones_once(serve):
    server = serve(finding(["Oslo", "Bergen"]))
    texts = ["Oslo", "", "in Bergen", " \n", "Oslo", "nowhere", "in Bergen"]
    found = linker(server.url).link(texts)
    assert [spans(links) for links in found] == [
        [(0, 4, "Oslo", "Oslo")],
        [],
        [(3, 9, "Bergen", "Bergen")],
        [],
        [(0, 4, "Oslo", "Oslo")],
        [],
        [(3, 9, "Bergen", "Bergen")],
    ]
    assert sorted(seen.json["text"] for seen in server.seen) == ["Oslo", "in Bergen", "nowhere"]
    assert linker(server.url).link([]) == []


@pytest.mark.parametrize(
    ("text", "name", "span", "mention"),
    [
        ("a &amp; b in Oslo", "Oslo", (13, 17), "Oslo"),
        ("Bell &amp; Howell", "Bell & Howell", (0, 17), "Bell &amp; Howell"),
        ("x &amp;amp; Oslo &amp; y", "Oslo", (12, 16), "Oslo"),
        ("&amp;&amp;Oslo", "Oslo", (10, 14), "Oslo"),
        ("AT&amp;", "AT&", (0, 7), "AT&amp;"),
    ],
)
def test_offsets_after_ampersands_are_mapped_back(serve, text, name, span, mention):
    (links,) = linker(serve(finding([name])).url).link([text])
    assert [((m.start, m.end), m.text) for m in links] == [(span, mention)]
    assert text[slice(*span)] == mention


def test_offsets_in_utf16_are_understood(serve):
    text = "😀😀 Oslo and 𝔅ergen"
    rows = [[5, 4, "Oslo", "Oslo", 0.5, 0, "LOC"], [14, 7, "𝔅ergen", "Bergen", 0.5, 0, "LOC"]]
    (links,) = linker(serve(answering(rows)).url).link([text])
    assert spans(links) == [(3, 7, "Oslo", "Oslo"), (12, 18, "𝔅ergen", "Bergen")]


def test_offsets_are_never_shifted_in_silence(serve):
    """Each row fits one way of counting, but no way fits both."""
    text = "😀 Oslo, Oslo"
    rows = [[2, 4, "Oslo", "Oslo", 0.5, 0, "LOC"], [9, 4, "Oslo", "Oslo", 0.5, 0, "LOC"]]
    server = serve(answering(rows))
    assert "is at offset" in reason(linker(server.url).link([text])[0])


@pytest.mark.parametrize(
    "row",
    [
        [1, 4, "Oslo", "Oslo"],
        [0, 3, "Oslo", "Oslo"],
        [0, 4, "oslo", "Oslo"],
        [-39, 4, "Oslo", "Oslo"],
        [0, 0, "", "Oslo"],
        [38, 4, ".", "Oslo"],
        [10**30, 4, "Oslo", "Oslo"],
    ],
)
def test_wrong_offsets_are_a_failure(serve, row):
    server = serve(answering([[35, 3, "Ann", "Ann", 0.2, 0.9, "PER"], row]))
    failed = reason(linker(server.url).link([TEXT])[0])
    assert failed.startswith(f"{server.url} says that ")
    assert f"{row[2]!r} is at offset {row[0]}" in failed


def test_white_space_that_a_tokeniser_changed_is_no_reason_to_fail(serve):
    rows = [[3, 9, "New York", "New_York_City", 0.5, 0.9, "LOC"]]
    (links,) = linker(serve(answering(rows)).url).link(["in New  York"])
    assert spans(links) == [(3, 12, "New  York", "New_York_City")]


SECOND_HEADER = "HTTP/1.0 400 Bad Request\r\nServer: BaseHTTP/0.6 Python/3.8\r\n\r\n[]"


@pytest.mark.parametrize(
    "body",
    [
        SECOND_HEADER,
        "",
        "<html><body>Bad gateway</body></html>",
        "[[0, 4, ",
        b"\xff\xfe\x00",
        "[]]",
        "null",
        "{}",
        '"[]"',
        '{"error": "out of memory"}',
        "[[]]",
        "[1]",
        '[{"start": 0}]',
        '[[0, 4, "Oslo"]]',
        '[[0, 4, "Oslo", "Oslo", 0, 0, "LOC", 8]]',
        '[["0", 4, "Oslo", "Oslo"]]',
        '[[0.0, 4, "Oslo", "Oslo"]]',
        '[[true, 4, "Oslo", "Oslo"]]',
        '[[0, 4, 7, "Oslo"]]',
        '[[0, 4, "Oslo", 7]]',
        '[[0, 4, "Oslo", "Oslo", 7.5]]',
        '[[0, 4, "Oslo", "Oslo", -1]]',
        f'[[0, 4, "Oslo", "Oslo", 1{"0" * 400}]]',
        f'[[1{"0" * 400}, 4, "Oslo", "Oslo", 1]]',
        '[[0, 4, "Oslo", "\\ud800"]]',
        '[[0, 4, "\\ud800", "Oslo"]]',
        "[" * 100_000,
        "9" * 10_000,
    ],
)
def test_garbage_with_status_200_is_a_failure(serve, body):
    server = serve(answering(body))
    failed = reason(linker(server.url).link([TEXT])[0])
    assert failed.startswith(server.url)
    assert "gave an invalid answer" in failed or "is at offset" in failed
    assert failed.isprintable()
    assert len(failed) < 400
    assert len(server.seen) == 1


def test_garbage_is_shown(serve):
    failed = reason(linker(serve(answering(SECOND_HEADER)).url).link([TEXT])[0])
    assert "(not JSON): HTTP/1.0 400 Bad Request\\x0d\\x0aServer: BaseHTTP/0.6" in failed


def test_what_rel_really_sends_when_it_fails(serve):
    """Two headers, no length, the connection closed."""
    server = serve(lambda e: e.raw(b"HTTP/1.0 200 OK\r\nServer: x\r\n\r\n", SECOND_HEADER.encode()))
    assert "not JSON" in reason(linker(server.url).link([TEXT])[0])


def test_half_a_surrogate_pair_is_not_sent(serve):
    server = serve(answering([]))
    found = linker(server.url).link(["a \ud83d b", "Oslo"])
    assert "surrogate" in reason(found[0])
    assert found[1] == ()
    assert len(server.seen) == 1


def test_one_failure_does_not_touch_other_texts(serve):
    def behave(exchange):
        text = exchange.seen.json["text"]
        exchange.reply("no", 400) if "bad" in text else finding(["Oslo"])(exchange)

    texts = [f"Oslo {n}" if n % 2 else f"bad {n}" for n in range(20)]
    found = linker(serve(behave).url, give_up_after=1).link(texts)
    assert [isinstance(links, LinkFailure) for links in found] == [n % 2 == 0 for n in range(20)]


def test_a_server_that_is_down_is_given_up(closed_port):
    found = linker(closed_port, concurrency=2).link([f"text {n}" for n in range(5000)])
    assert {reason(links) for links in found} == {
        f"{closed_port} cannot be reached: Connection refused (2 attempts)"
    }


@pytest.mark.parametrize("status", [500, 404])
def test_giving_up_after_some_texts_in_a_row(serve, status):
    server = serve(lambda exchange: exchange.reply("no", status))
    found = linker(server.url, concurrency=1, give_up_after=3, policy=HttpPolicy(attempts=1)).link(
        list("abcdefgh")
    )
    assert [seen.json["text"] for seen in server.seen] == ["a", "b", "c"]
    assert all(f"status {status}" in reason(links) for links in found)


def test_answers_in_between_start_the_count_anew(serve):
    server = serve(lambda e: e.reply("no", 500) if e.seen.json["text"].startswith("bad") else e.reply([]))
    texts = ["bad 1", "bad 2", "good", "bad 3", "bad 4", "good again", "bad 5"]
    found = linker(server.url, concurrency=1, give_up_after=3, policy=HttpPolicy(attempts=1)).link(texts)
    assert [isinstance(links, LinkFailure) for links in found] == [text.startswith("bad") for text in texts]


def test_garbage_for_single_texts_is_no_reason_to_give_up(serve):
    server = serve(lambda e: e.reply("no" if e.answered_before < 10 else []))
    found = linker(server.url, concurrency=1).link([f"text {n}" for n in range(12)])
    assert [isinstance(links, LinkFailure) for links in found] == [True] * 10 + [False] * 2


def test_after_giving_up_one_text_finds_out_whether_it_is_back(serve):
    server = serve(lambda exchange: exchange.reply("no", 503))
    made = linker(server.url, concurrency=1, give_up_after=2)
    made.link(list("abc"))
    assert len(server.seen) == 4  # two texts, two attempts each
    assert all("status 503" in reason(links) for links in made.link(list("def")))
    assert len(server.seen) == 5
    server.behaviour = answering([])
    assert made.link(list("defg")) == [(), (), (), ()]
    assert len(server.seen) == 9


def test_no_more_requests_at_a_time_than_allowed(serve):
    lock, now, most = threading.Lock(), 0, 0

    def behave(exchange):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.02)
        with lock:
            now -= 1
        exchange.reply([])

    found = linker(serve(behave).url, concurrency=3).link([f"text {n}" for n in range(12)])
    assert found == [()] * 12
    assert most == 3


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="there are no such signals there")
def test_ctrl_c_ends_all_waiting_and_keeps_what_came(serve, tmp_path):
    def behave(exchange):
        if exchange.seen.json["text"] == "quick":
            exchange.reply([])
        elif exchange.seen.json["text"] == "slow 5":
            time.sleep(0.2)  # for the quick answer to arrive
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        else:
            exchange.hang()

    server = serve(behave)
    cache = AnswerCache(tmp_path / "c.sqlite")
    made = linker(
        server.url, cache=cache, policy=HttpPolicy(read_timeout=60, total_timeout=60), concurrency=6
    )
    with pytest.raises(KeyboardInterrupt):
        made.link(["quick", *(f"slow {n}" for n in range(50))])
    assert cache.info().entries == {"rel": 1}
    assert len(server.seen) <= 7


def test_answers_are_kept(serve, tmp_path):
    server = serve(finding(["Oslo"]))
    cache = AnswerCache(tmp_path / "c.sqlite")
    texts = ["Oslo 😀", "in &amp; Oslo", "nothing", ""]
    first = linker(server.url, cache=cache).link(texts)
    assert len(server.seen) == 3
    assert linker(server.url, cache=AnswerCache(tmp_path / "c.sqlite")).link(texts) == first
    assert [len(links) for links in linker(server.url, cache=cache, min_confidence=0.6).link(texts)] == [
        0
    ] * 4
    assert len(server.seen) == 3
    linker(server.url + "/other", cache=cache).link(texts)
    assert len(server.seen) == 6


def test_the_key_is_not_part_of_what_is_kept(serve, tmp_path):
    server = serve(answering([]))
    cache = AnswerCache(tmp_path / "c.sqlite")
    linker(server.url, cache=cache, key=SECRET).link([TEXT])
    linker(server.url, cache=cache, key="").link([TEXT])
    assert len(server.seen) == 1
    assert SECRET.encode() not in (tmp_path / "c.sqlite").read_bytes()


def test_failures_are_not_kept(serve, tmp_path):
    server = serve(lambda e: e.reply("garbage") if e.answered_before == 0 else e.reply([]))
    cache = AnswerCache(tmp_path / "c.sqlite")
    made = linker(server.url, cache=cache)
    assert "not JSON" in reason(made.link([TEXT])[0])
    assert cache.info().entries == {}
    assert made.link([TEXT]) == [()]
    assert cache.info().entries == {"rel": 1}


@pytest.mark.parametrize("kept", ["not JSON", "[1]", "[[0]]", "null", '[["a", "b", "c", "d", "e"]]'])
def test_what_is_not_an_answer_in_the_cache_is_asked_again(serve, tmp_path, kept):
    server = serve(finding(["Oslo"]))
    cache = AnswerCache(tmp_path / "c.sqlite")
    made = linker(server.url, cache=cache)
    first = made.link([TEXT])
    import sqlite3

    with sqlite3.connect(tmp_path / "c.sqlite") as database:
        ((key,),) = database.execute("SELECT key FROM answers").fetchall()
    database.close()
    cache.put("rel", {key: kept})
    assert made.link([TEXT]) == first
    assert len(server.seen) == 2


def test_a_linker_can_be_pickled(serve, tmp_path):
    server = serve(finding(["Oslo"]))
    made = linker(server.url, cache=AnswerCache(tmp_path / "c.sqlite"), key=SECRET)
    made.link([TEXT])
    copy = pickle.loads(pickle.dumps(made))
    assert copy == made
    assert copy.link([TEXT, "to Oslo"])[1] == made.link(["to Oslo"])[0]
    assert server.seen[-1].headers["Authorization"] == f"Bearer {SECRET}"
    assert len(server.seen) == 2


def test_the_key_is_not_shown(monkeypatch):
    monkeypatch.setenv("ESASCORE_LINKER_KEY", SECRET)
    made = RelLinker("https://example.org", key=SECRET)
    assert SECRET not in repr(made) + str(made) + made.version()


def test_versions():
    assert rel_linker().url == DEFAULT_URL == "http://127.0.0.1:5555"
    assert rel_linker("https://example.org/api").version() == "rel.v1(https://example.org/api)"
    assert linker("https://example.org", min_confidence=0.25).version() == (
        "rel.v1(https://example.org,confidence>=0.25)"
    )


@pytest.mark.parametrize(
    "wrong", [{"min_confidence": 1.5}, {"min_confidence": -0.1}, {"concurrency": 0}, {"give_up_after": 0}]
)
def test_settings_that_make_no_sense(wrong):
    with pytest.raises(UsageError):
        linker("http://127.0.0.1:1", **wrong)
    with pytest.raises(UsageError, match="ESASCORE_LINKER_KEY"):
        rel_linker("http://me:secret@127.0.0.1")


def test_making_a_linker_loads_and_opens_nothing(tmp_path):
    code = (
        "import sys; from esascore.link.services.rel import rel_linker; rel_linker();"
        "print([m for m in ('requests', 'numpy', 'urllib3') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
    assert list(tmp_path.iterdir()) == []


PROCESS = """
import json, sys
from esascore.link.services.rel import RelLinker
texts = [f"Oslo {n}" for n in range(60)]
texts = texts if sys.argv[2] == "up" else texts[::-1]
found = RelLinker(sys.argv[1]).link(texts)
print(json.dumps([[[m.start, m.end, m.entity] for m in links] for links in found]))
"""


def test_processes_share_a_cache(serve, tmp_path):
    server = serve(finding(["Oslo"]))
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", PROCESS, server.url, way], stdout=subprocess.PIPE, text=True
        )
        for way in ("up", "down", "up")
    ]
    answers = [process.communicate(timeout=60)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert [json.loads(answer) for answer in answers] == [[[[0, 4, "Oslo"]]] * 60] * 3
    cache = AnswerCache()  # where the processes had it, too
    assert cache.info().entries == {"rel": 60}
    asked = len(server.seen)
    assert [len(links) for links in RelLinker(server.url).link([f"Oslo {n}" for n in range(60)])] == [1] * 60
    assert len(server.seen) == asked


@pytest.fixture
def own_server():
    """The URL of our own server of REL's protocol, in a process of its own."""
    pytest.importorskip("uvicorn", reason="our own server needs esascore[serve]")
    script = Path(__file__).parents[2] / "serve" / "serve_words.py"
    process = subprocess.Popen(
        [sys.executable, script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    yield f"http://127.0.0.1:{process.stdout.readline().split()[0]}"
    process.communicate(timeout=30)


def test_our_own_server_and_client_understand_each_other(own_server):
    texts = ["to Oslo", "😀 &amp; &amp;amp; Oslo", "nowhere", "", "it is DOWN", "it will BREAK", "Oslo"]
    texts.append("x" * 3000)
    found = linker(own_server).link(texts)
    assert [spans(links) for links in found[1:4]] == [[(18, 22, "Oslo", "Oslo")], [], []]
    assert spans(found[0]) == [(3, 7, "Oslo", "Oslo")]
    assert (found[0][0].confidence, found[0][0].type) == (0.9, "Place")
    assert "status 502" in reason(found[4])
    assert "status 500" in reason(found[5])
    assert spans(found[6]) == [(0, 4, "Oslo", "Oslo")]
    assert "status 413" in reason(found[7])


# --- offsets of linkers, brought back to code points of the original text

PIECES = st.lists(
    st.sampled_from(["&amp;", "&", "amp;", "&amp;amp;", "a", "b ", "😀", "𝔅", "é", "\u2028", "\n"])
)
TEXTS = PIECES.map("".join)


def replaced_until_nothing_changes(text):
    while "&amp;" in text:
        text = text.replace("&amp;", "&")
    return text


@given(TEXTS)
def test_plain_text_is_what_every_server_understands(text):
    assert PlainText.of(text).text == replaced_until_nothing_changes(text)


@given(TEXTS, st.data())
def test_spans_of_the_plain_text_are_those_of_the_original(text, data):
    plain = PlainText.of(text)
    if not plain.text:
        return
    start = data.draw(st.integers(0, len(plain.text) - 1))
    end = data.draw(st.integers(start + 1, len(plain.text)))
    first, last = plain.original(start, end)
    assert replaced_until_nothing_changes(text[first:last]) == plain.text[start:end]
    assert replaced_until_nothing_changes(text[:first]) == plain.text[:start]
    assert replaced_until_nothing_changes(text[last:]) == plain.text[end:]


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


@given(TEXTS, st.data())
def test_offsets_in_utf16_round_trip(text, data):
    if not text:
        return
    pairs = data.draw(st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(1, 5)), max_size=5))
    spans = [(start, min(start + length, len(text))) for start, length in pairs]
    for given_length in (True, False):
        claims = [
            Claim(utf16(text[:a]), utf16(text[a:b]) if given_length else None, text[a:b], "E")
            for a, b in spans
        ]
        assert located(text, claims, ["UTF-16"]) == spans
    plain = [Claim(a, b - a, text[a:b], "E") for a, b in spans]
    assert located(text, plain, ["code points", "UTF-16"]) == spans


@given(TEXTS, st.integers(-3, 40), st.integers(-3, 40), st.sampled_from(["code points", "UTF-16"]))
def test_what_is_located_says_what_it_should(text, start, length, unit):
    claim = Claim(start, length, "a", "E")
    found = located(text, [claim], [unit])
    if found is not None:
        ((first, last),) = found
        assert 0 <= first < last <= len(text)
        assert text[first:last].split() == ["a"]


def test_half_of_a_pair_is_no_place():
    assert located("😀b", [Claim(1, 1, "b", "B")], ["UTF-16"]) is None


MENTIONS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 8), st.one_of(st.none(), st.floats(0, 1))), max_size=12
).map(lambda rows: [LinkedMention(a, a + n, "x" * n, f"E{i}", c) for i, (a, n, c) in enumerate(rows)])


@given(MENTIONS)
def test_overlaps_are_settled(mentions):
    kept = without_overlaps(mentions)
    assert all(one.end <= other.start for one, other in pairwise(kept))
    for mention in mentions:  # whatever is left out overlaps something at least as long
        rivals = [k for k in kept if k.start < mention.end and mention.start < k.end]
        assert mention in kept or any(k.end - k.start >= mention.end - mention.start for k in rivals)
    assert without_overlaps(kept) == kept
