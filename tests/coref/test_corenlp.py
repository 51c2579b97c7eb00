"""CoreNLP: a local process that speaks its protocol, and the real thing where it is.

The fake is started as ``java`` wherever a server is started here, so that it is real processes that start,
stop and break down.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest

from esascore.cache import AnswerCache
from esascore.coref.base import Pronoun
from esascore.coref.chains import ChainResolver
from esascore.coref.corenlp import CoreNLPModel
from esascore.errors import CorefError, UsageError
from esascore.model import Graph, Mention

FAKE = Path(__file__).with_name("fake_corenlp.py")
ADA = "Ada won. She left."
ADA_CHAINS = (((0, 3), (9, 12)),)
REAL_HOME = os.environ.get("CORENLP_HOME")


@pytest.fixture(autouse=True)
def surroundings(monkeypatch, tmp_path):
    """No CoreNLP of the machine, and a proxy that must never be asked for what is on this machine."""
    for name in ("CORENLP_HOME", "ESASCORE_COREF_URL", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.chdir(tmp_path)


class Running:
    """A fake server that somebody else started."""

    def __init__(self, process: subprocess.Popen[str]):
        self.process = process
        assert process.stdout is not None
        self.url = f"http://127.0.0.1:{process.stdout.readline().split()[-1]}"

    def told(self) -> dict:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.url}/requests") as answer:
            return json.load(answer)


@pytest.fixture
def run_fake():
    processes = []

    def run(**environment: str) -> Running:
        process = subprocess.Popen(
            [sys.executable, str(FAKE), "-port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )
        processes.append(process)
        return Running(process)

    yield run
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def server(run_fake):
    return run_fake()


class Home:
    """A folder of CoreNLP, and what was started from it."""

    def __init__(self, path: Path, note: Path, temporary: Path):
        self.path = path
        self.note = note
        self.temporary = temporary

    def started(self) -> list[dict]:
        return (
            [json.loads(line) for line in self.note.read_text().split("\n")[:-1]]
            if self.note.exists()
            else []
        )

    def running(self) -> list[int]:
        return [each["pid"] for each in self.started() if is_running(each["pid"])]

    def is_left(self) -> bool:
        """Whether anything of a server is still there."""
        return bool(self.running()) or any(self.temporary.iterdir())


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    # A process that is dead but not yet collected by its parent does nothing any more.
    return status.rpartition(")")[2].split()[0] != "Z"


def until(condition):
    for _ in range(500):
        if condition():
            return
        time.sleep(0.02)
    pytest.fail("it did not come to that")


@pytest.fixture
def home(monkeypatch, tmp_path):
    if not Path("/proc/self/stat").exists():
        pytest.skip("finds processes in /proc")
    binaries, folder, note = tmp_path / "bin", tmp_path / "core nlp's", tmp_path / "started"
    binaries.mkdir()
    folder.mkdir()
    (folder / "stanford-corenlp-9.8.7.jar").touch()
    java = binaries / "java"
    java.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(FAKE))} "$@"\n')
    java.chmod(0o755)
    monkeypatch.setenv("PATH", f"{binaries}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CORENLP_HOME", str(folder))
    monkeypatch.setenv("FAKE_CORENLP_NOTE", str(note))
    # The server's own folder for what it needs while it runs has to be gone afterwards.
    temporary = tmp_path / "temporary files"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    found = Home(folder, note, temporary)
    yield found
    for pid in found.running():
        os.kill(pid, signal.SIGKILL)


# --- a server that is already running


def test_chains_of_texts(server):
    texts = [ADA, "Nothing here.", "😀 Ada won. 🎈 She left, and her cat."]
    assert CoreNLPModel(server.url).chains(texts) == [
        ADA_CHAINS,
        (),
        (((2, 5), (13, 16), (27, 30)),),
    ]


@pytest.mark.parametrize(("algorithm", "parser"), [("neural", "parse"), ("statistical", "depparse")])
def test_every_request_says_what_it_wants(server, algorithm, parser):
    CoreNLPModel(server.url, algorithm=algorithm, timeout=7).chains([ADA])
    [request] = server.told()["requests"]
    assert request == {
        "text": ADA,
        "reset": "true",
        "properties": {
            "annotators": f"tokenize,ssplit,pos,lemma,ner,{parser},coref",
            "coref.algorithm": algorithm,
            "tokenize.codepoint": "true",
            "outputFormat": "json",
            "timeout": "7000",
        },
    }


def test_the_url_may_come_from_the_environment(server, monkeypatch):
    monkeypatch.setenv("ESASCORE_COREF_URL", server.url + "/")
    assert CoreNLPModel().chains([ADA]) == [ADA_CHAINS]


def test_several_texts_at_a_time_in_their_order(server):
    names = ["Ada", "Bea", "Cecilia", "Di", "Eva", "Fay", "Georgina", "Hanna"]
    # The first ones are the slowest.
    texts = [f"{name} won. She left{' PAUSE' if at < 4 else ''}." for at, name in enumerate(names)]
    chains = CoreNLPModel(server.url, threads=3).chains(texts)
    assert [[text[slice(*span)] for span in chain] for text, [chain] in zip(texts, chains, strict=True)] == [
        [name, "She"] for name in names
    ]
    assert 2 <= server.told()["most_busy"] <= 3


def test_one_text_at_a_time_gives_the_same(server):
    texts = [ADA, "Nothing.", "Bea sat. It won."] * 3
    together = CoreNLPModel(server.url).chains(texts)
    assert together == [CoreNLPModel(server.url, threads=1).chains([text])[0] for text in texts]


def test_characters_that_cannot_be_sent(server):
    text = "Ada\x00won.\nShe\ud800left\x1b."
    assert CoreNLPModel(server.url).chains([text]) == [(((0, 3), (9, 12)),)]
    assert server.told()["requests"][0]["text"] == "Ada won. She left ."


def test_pronouns_are_placed_and_chains_kept(server, tmp_path):
    graph = Graph.from_triples([("Logic", "inventor", "Ada_L")])
    question = (graph, ADA, [Mention("Ada_L", 0, 3, "Ada", "string")], [Pronoun("She", 9, 12)])
    for _ in range(2):
        cache = AnswerCache(tmp_path / "answers.sqlite")
        assert ChainResolver(CoreNLPModel(server.url), cache).resolve([question, question]) == [["Ada_L"]] * 2
    assert len(server.told()["requests"]) == 1


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (
            "ERROR",
            r"CoreNLP failed \(HTTP 500\) for 'Ada ERROR. She left.': java.lang.Runtime.*: no model at some",
        ),
        ("LATE", r"did not answer in 9 s for the text 'Ada LATE. She left.'"),
        ("LONG", r"CoreNLP failed \(HTTP 400\) .* Max length is 6 characters"),
        ("GARBAGE", r"answer is not JSON: '<html> sorry</html>'"),
        ("LIST", r"answer does not have the expected form"),
        ("NOCHAINS", r"answer does not have the expected form .*corefs"),
        ("SHIFT", r"does not fit the text 'Ada SHIFT. She left.': 'Ada' is not where"),
        ("CUT", r"the connection to the CoreNLP server at http://127.0.0.1:\d+ broke"),
        ("CRASH", r"the connection to the CoreNLP server at http://127.0.0.1:\d+ broke"),
    ],
)
def test_a_server_that_fails(server, word, message):
    texts = [ADA, f"Ada {word}. She left.", ADA]
    with pytest.raises(CorefError, match=message) as caught:
        CoreNLPModel(server.url, timeout=9).chains(texts)
    assert "\n" not in str(caught.value)


def test_a_failure_is_not_kept(server, tmp_path):
    question = (Graph.from_triples([]), "Ada ERROR. She left.", [], [Pronoun("She", 11, 14)])
    cache = AnswerCache(tmp_path / "answers.sqlite")
    for _ in range(2):
        with pytest.raises(CorefError):
            ChainResolver(CoreNLPModel(server.url), cache).resolve([question])
    assert not cache.info().entries
    assert len(server.told()["requests"]) == 2


def test_a_server_that_hangs(server):
    with pytest.raises(CorefError, match=r"did not answer in 0.15 s"):
        CoreNLPModel(server.url, timeout=0.15).chains([f"{ADA} HANG"])


def test_no_server():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(CorefError, match=f"no CoreNLP server answers at {url}: start one"):
            CoreNLPModel(url).chains([ADA])


def test_a_server_of_another_kind(run_fake):
    other = run_fake(FAKE_CORENLP="stranger")
    with pytest.raises(CorefError, match="no CoreNLP server answers"):
        CoreNLPModel(other.url).chains([ADA])
    assert not other.told()["requests"]


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabc",
        b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:99999\r\nContent-Length: 0\r\n\r\n",
    ],
    ids=["chunk", "address", "port"],
)
def test_a_server_that_sends_what_no_client_expects(answer):
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve():
            for reply in (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\npong", answer):
                connection, _ = listening.accept()
                with connection:
                    connection.recv(1 << 16)
                    connection.sendall(reply)

        threading.Thread(target=serve, daemon=True).start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(CorefError, match=f"the connection to the CoreNLP server at {url} broke"):
            CoreNLPModel(url).chains([ADA])


def test_a_running_server_is_left_running(server):
    with CoreNLPModel(server.url) as model:
        model.chains([ADA])
        with pytest.raises(CorefError):
            model.chains(["ERROR"])
    assert server.process.poll() is None
    assert model.chains([ADA]) == [ADA_CHAINS]


# --- a server that is started


def test_one_server_for_all_texts_stopped_at_the_end(home, tmp_path):
    with CoreNLPModel(threads=2, memory="300M", timeout=20) as model:
        assert not home.started()
        assert model.chains([ADA]) == [ADA_CHAINS]
        assert model.chains([ADA, "Nothing."]) == [ADA_CHAINS, ()]
        [started] = home.started()
        assert home.running() == [started["pid"]]
    assert not home.running()
    arguments = started["arguments"]
    assert arguments[:3] == ["-Xmx300M", "-cp", f"{home.path}/*"]
    given = dict(zip(arguments[4::2], arguments[5::2], strict=True))
    assert given["-preload"] == given["-annotators"] == "tokenize,ssplit,pos,lemma,ner,parse,coref"
    assert (given["-threads"], given["-timeout"], given["-quiet"]) == ("2", "20000", "True")
    assert not home.is_left()
    # Left to itself, Stanza's client writes into the working directory.
    assert not list(tmp_path.glob("*.props"))


def test_the_server_is_told_what_to_load(home):
    with CoreNLPModel(algorithm="statistical") as model:
        model.chains([ADA])
        [started] = home.started()
        settings = Path(started["arguments"][started["arguments"].index("-serverProperties") + 1])
        assert "coref.algorithm = statistical\n" in settings.read_text()
        assert "depparse" in settings.read_text()


def test_after_close_another_server_is_started(home):
    model = CoreNLPModel()
    for number in (1, 2):
        assert model.chains([ADA]) == [ADA_CHAINS]
        assert len(home.started()) == number
        model.close()
        model.close()
        assert not home.running()


def test_two_models_have_two_servers(home):
    with CoreNLPModel() as one, CoreNLPModel() as other:
        assert one.chains([ADA]) == other.chains([ADA])
        assert len(home.running()) == 2
    assert not home.running()


def test_the_server_goes_with_its_model(home):
    model = CoreNLPModel()
    model.chains([ADA])
    del model
    until(lambda: not home.is_left())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ERROR", "HTTP 500"),
        ("GARBAGE", "not JSON"),
        (
            "CRASH",
            r"failed: it ended with exit code 3: Exception in thread main java.lang.OutOfMemoryError",
        ),
        ("HANG", "did not answer in 0.5 s"),
    ],
)
def test_after_a_failure_no_server_is_left(home, text, message):
    model = CoreNLPModel(timeout=0.5)
    with pytest.raises(CorefError, match=message) as caught:
        model.chains([ADA, text])
    assert "\n" not in str(caught.value)
    assert not home.is_left()
    assert model.chains([ADA]) == [ADA_CHAINS]
    model.close()


def test_a_killed_server(home):
    model = CoreNLPModel()
    model.chains([ADA])
    [pid] = home.running()
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(CorefError, match="failed: it was killed by signal 9: listening"):
        model.chains([ADA])
    model.close()


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        (
            "broken",
            "could not be started: it ended with exit code 1: Error: Could not find or load main class",
        ),
        ("silent", "could not be started: it ended with exit code 4$"),
        ("idle", "was not ready after 0.5 s"),
    ],
)
def test_a_server_that_does_not_start(home, monkeypatch, mode, message):
    monkeypatch.setenv("FAKE_CORENLP", mode)
    with pytest.raises(CorefError, match=message):
        CoreNLPModel(start_timeout=0.5 if mode == "idle" else 60).chains([ADA])
    assert not home.is_left()


def test_no_java(home, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="needs Java 8 or newer, and there is no java"):
        CoreNLPModel().chains([ADA])


def test_a_java_that_cannot_be_run(home, monkeypatch, tmp_path):
    (tmp_path / "bin" / "java").write_text("#!/no/such/interpreter\n")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(CorefError, match="cannot be started"):
        CoreNLPModel().chains([ADA])


SCRIPT = """
import sys, time
from esascore.coref.corenlp import CoreNLPModel
model = CoreNLPModel()
print(len(model.chains(["Ada won. She left."])), flush=True)
{then}
"""


def script(then: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(then=then)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("then", ["", "raise ValueError"])
def test_no_server_outlives_the_interpreter(home, then):
    process = script(then)
    said, _ = process.communicate(timeout=60)
    assert said == "1\n"
    until(lambda: not home.is_left())


@pytest.mark.parametrize(
    ("kind", "waiting"), [(signal.SIGTERM, 'model.chains(["HANG"])'), (signal.SIGKILL, "time.sleep(60)")]
)
def test_no_server_outlives_a_process_that_is_killed(home, kind, waiting):
    process = script(waiting)
    assert process.stdout is not None
    assert process.stdout.readline() == "1\n"
    assert home.running()
    os.kill(process.pid, kind)
    process.communicate(timeout=30)
    until(lambda: not home.is_left())


@pytest.mark.parametrize("to_all", [True, False])
def test_ctrl_c_leaves_nothing(home, to_all):
    process = script('model.chains(["HANG"])')
    assert process.stdout is not None
    assert process.stdout.readline() == "1\n"
    # A terminal sends it to the server, too.
    (os.killpg if to_all else os.kill)(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
    until(lambda: not home.is_left())


def test_a_forked_child_leaves_the_server_alone(home):
    process = script(
        "import os, gc\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    model.close()\n"
        "    sys.exit(0)\n"
        "os.waitpid(child, 0)\n"
        "print(len(model.chains(['Ada won. She left.'])), flush=True)"
    )
    said, errors = process.communicate(timeout=60)
    assert said == "1\n1\n", errors
    assert len(home.started()) == 1
    until(lambda: not home.is_left())


# --- the real thing


@pytest.mark.skipif(not REAL_HOME, reason="CORENLP_HOME names no CoreNLP")
@pytest.mark.parametrize("algorithm", ["neural", "statistical"])
def test_the_real_thing(algorithm):
    text = "😀 Marie Curie was born in Warsaw. She won two Nobel Prizes."
    named = [
        Mention("Marie_Curie", 2, 13, "Marie Curie", "string"),
        Mention("Warsaw", 26, 32, "Warsaw", "string"),
    ]
    graph = Graph.from_triples([("Marie_Curie", "birthPlace", "Warsaw")])
    with CoreNLPModel(home=REAL_HOME, algorithm=algorithm, timeout=120, start_timeout=300) as model:
        resolver = ChainResolver(model)
        assert resolver.resolve([(graph, text, named, [Pronoun("She", 34, 37)])] * 2) == [["Marie_Curie"]] * 2
