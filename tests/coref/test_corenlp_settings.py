"""What can be said of CoreNLP before it is asked anything; needs no Java."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from esascore.coref.chains import ChainResolver
from esascore.coref.corenlp import CoreNLPModel
from esascore.errors import CorefError, UsageError
from esascore.model import Graph


@pytest.fixture(autouse=True)
def no_corenlp(monkeypatch, tmp_path):
    for name in ("CORENLP_HOME", "ESASCORE_COREF_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "corenlp"
    folder.mkdir()
    for name in ("stanford-corenlp-4.5.7.jar", "stanford-corenlp-4.5.7-models.jar", "ejml-core-0.39.jar"):
        (folder / name).touch()
    return folder


def test_version_says_where_the_answers_come_from(home, monkeypatch):
    assert CoreNLPModel("http://a.example:9000/").version() == "corenlp.v1(neural,http://a.example:9000)"
    assert CoreNLPModel(home=home).version() == "corenlp.v1(neural,4.5.7)"
    assert CoreNLPModel(home=home, algorithm="statistical").version() == "corenlp.v1(statistical,4.5.7)"
    monkeypatch.setenv("CORENLP_HOME", str(home))
    assert CoreNLPModel().version() == "corenlp.v1(neural,4.5.7)"


def test_what_does_not_change_an_answer_is_not_in_the_version(home):
    plain = CoreNLPModel(home=home)
    other = CoreNLPModel(home=home, memory="2G", threads=1, timeout=5, start_timeout=7)
    assert plain.version() == other.version()


def test_where_the_server_is_looked_for(home, monkeypatch, tmp_path):
    usual = tmp_path / "nobody" / "stanza_corenlp"
    usual.mkdir(parents=True)
    (usual / "stanford-corenlp-4.4.0.jar").touch()
    assert CoreNLPModel().version() == "corenlp.v1(neural,4.4.0)"
    monkeypatch.setenv("CORENLP_HOME", str(home))
    assert CoreNLPModel().version() == "corenlp.v1(neural,4.5.7)"
    monkeypatch.setenv("ESASCORE_COREF_URL", "http://b.example")
    assert CoreNLPModel().version() == "corenlp.v1(neural,http://b.example)"
    assert CoreNLPModel("http://c.example").version() == "corenlp.v1(neural,http://c.example)"
    assert CoreNLPModel(home=usual).version() == "corenlp.v1(neural,4.4.0)"


def test_neither_server_nor_corenlp():
    with pytest.raises(UsageError, match=r"--coref-url .* or set CORENLP_HOME"):
        CoreNLPModel()


def test_a_folder_that_is_not_corenlp(tmp_path, monkeypatch):
    with pytest.raises(UsageError, match="there is no CoreNLP"):
        CoreNLPModel(home=tmp_path)
    monkeypatch.setenv("CORENLP_HOME", str(tmp_path / "missing"))
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        CoreNLPModel()


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("localhost:9000", "must be like"),
        ("ftp://a.example", "must be like"),
        ("http://", "must be like"),
        ("http://a.example/?key=secret", "must be like"),
        ("http://ada:secret@[::1", "is invalid"),
        ("http://ada:secret", "is invalid"),
        ("http://a.example:99999", "is invalid"),
        ("http://[::1", "is invalid"),
        ("http://ada:secret@a.example", "user name or password"),
    ],
)
def test_urls_that_make_no_sense(url, problem):
    with pytest.raises(UsageError, match=problem) as caught:
        CoreNLPModel(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"algorithm": "magic"},
        {"memory": "lots"},
        {"memory": "5G -jar x"},
        {"threads": 0},
        {"timeout": 0},
        {"timeout": float("nan")},
        {"start_timeout": -1.0},
    ],
)
def test_settings_that_make_no_sense(settings):
    with pytest.raises(UsageError):
        CoreNLPModel("http://a.example", **settings)


def test_another_process_gets_the_settings(home, monkeypatch):
    here = CoreNLPModel(home=home, algorithm="statistical", memory="2G", threads=3, timeout=5)
    there = pickle.loads(pickle.dumps(here))
    assert (there.version(), there.java, there.threads, there.timeout) == (here.version(), here.java, 3, 5)
    monkeypatch.setenv("ESASCORE_COREF_URL", "http://b.example")
    here = CoreNLPModel()
    monkeypatch.delenv("ESASCORE_COREF_URL")
    assert pickle.loads(pickle.dumps(here)).version() == here.version()


def test_nothing_is_sent_where_there_is_nothing_to_ask():
    # Any request to this port would fail.
    model = CoreNLPModel("http://127.0.0.1:9")
    assert model.chains([]) == []
    graph = Graph.from_triples([("Ada", "field", "Logic")])
    assert ChainResolver(model).resolve([(graph, "Ada won.", [], [])]) == [[]]
    model.close()


def test_making_a_model_imports_nothing_large():
    code = (
        "import sys; from esascore.coref.corenlp import CoreNLPModel; "
        "CoreNLPModel('http://a.example').version(); "
        "sys.exit(sorted({'stanza', 'torch', 'requests', 'numba'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_failures_of_a_server_have_the_exit_code_of_machines():
    assert CorefError.exit_code == 6
