"""The toy package of ``docs/plugins.md``, installed as other packages are."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

import esascore
from esascore import plugins
from esascore.cli import main
from esascore.coref.choice import CorefChoice, make_resolver, resolver_names
from esascore.errors import EsascoreError, UsageError
from esascore.link.choice import LinkerChoice, linker_names, make_linker
from esascore.metrics import create_metrics, metric_names

PAGE = (Path(__file__).parents[1] / "docs" / "plugins.md").read_text("utf-8")
CORPUS = [["Kestrel_Arena | country | Norway"]]


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a package with its entry points where Python finds it."""

    def package(name: str, code: str, points: dict[str, dict[str, str]]) -> None:
        folder = tmp_path / "site"
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (folder / f"{name}.py").write_text(code, "utf-8")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
        listed = [
            f"[{group}]\n" + "\n".join(f"{k} = {v}" for k, v in own.items()) for group, own in points.items()
        ]
        (info / "entry_points.txt").write_text("\n".join(listed), "utf-8")
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.delitem(sys.modules, name, raising=False)

    return package


@pytest.fixture
def toy(install):
    code = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
    toml = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
    install("toy_esascore", code, tomllib.loads(toml)["project"]["entry-points"])


def test_the_toy_package_of_the_page(toy, tmp_path, capfd):
    assert metric_names()[-1] == "length"
    assert linker_names()[-1] == "toy"
    assert resolver_names()[-1] == "toy"
    found = esascore.evaluate(
        CORPUS, {"x": ["It is in Norway."]}, metrics="esa,length", linker="toy", coref="toy"
    )
    figures = found.to_dict()["systems"][0]
    assert figures["length"] == 4
    assert "linker:toy.v1" in found.signature
    assert "coref:toy.v1" in found.signature
    assert "|length:1" in found.signature
    assert {mention.method for mention in found.detections("x")[0].mentions} >= {"pronoun"}
    found.save(tmp_path / "x.jsonl")
    assert esascore.Evaluation.load(tmp_path / "x.jsonl").to_dict() == found.to_dict()
    corpus = tmp_path / "c.jsonl"
    corpus.write_text(json.dumps({"triples": CORPUS[0], "text": "It is in Norway."}), "utf-8")
    assert (
        main(["score", str(corpus), "--metrics", "length", "--linker", "toy", "--linker-url", "http://x"])
        == 0
    )
    assert "4.0000" in capfd.readouterr().out
    assert main(["score", str(corpus), "--metrics", "lenght"]) == 2
    assert "did you mean 'length'?" in capfd.readouterr().err


def test_the_names_of_our_own_parts_cannot_be_taken(install):
    install("thief", "def make(*_): return None", {"esascore.metrics": {"esa": "thief:make"}})
    assert metric_names().count("esa") == 1
    assert create_metrics(["esa"], detector=None)[0].name == "esa"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "import nothing_like_it",
            "'part' of the package broken cannot be loaded (ModuleNotFoundError: No module",
        ),
        ("raise RuntimeError('boom')", "cannot be loaded (RuntimeError: boom)"),
        ("other = 1", "cannot be loaded (AttributeError"),
        ("make = 3", "must be a function or a class"),
        ("def make(*_): return object()", "'part' of the package broken has no method"),
    ],
)
def test_parts_that_do_not_work_are_named(install, code, message):
    install(
        "broken",
        code,
        {group: {"part": "broken:make"} for group in (plugins.METRICS, plugins.LINKERS, plugins.COREF)},
    )
    for use in (
        lambda: create_metrics(["part"], detector=None),
        lambda: make_linker(LinkerChoice("part")),
        lambda: make_resolver(CorefChoice("part")),
    ):
        with pytest.raises(EsascoreError) as raised:
            use()
        assert message in str(raised.value)


def test_what_nobody_offers():
    with pytest.raises(UsageError, match=r"no installed package offers 'x' in esascore\.metrics"):
        plugins.load(plugins.METRICS, "x")
    with pytest.raises(UsageError, match=r"unknown linker 'gazeter': did you mean 'gazetteer'\?"):
        LinkerChoice("gazeter")
    with pytest.raises(UsageError, match=r"unknown coreference resolver 'rulez': did you mean 'rules'\?"):
        CorefChoice("rulez")


@pytest.mark.parametrize(
    ("statement", "message"),
    [("sys.exit(0)", "SystemExit: 0"), ("raise RuntimeError('boom')", "RuntimeError: boom")],
)
@pytest.mark.parametrize("where", ["loading", "making", "asking"])
@pytest.mark.parametrize("option", ["--linker", "--coref", "--metrics"])
def test_a_part_that_exits_or_raises_fails_the_command(
    install, tmp_path, capfd, statement, message, where, option
):
    code = f"""
import sys
def fail(*_arguments, **_more):
    {statement}
class Part:
    __init__ = fail if {where == "making"} else lambda *_: None
    name, needs, with_references, learns = "part", "nothing", False, False
    def version(self): return "part.v1"
    link = resolve = statistics = summands = figures = total = sums = signature = fail
    segment_scores = fields = score_total = fail
if {where == "loading"}:
    fail()
"""
    groups = (plugins.METRICS, plugins.LINKERS, plugins.COREF)
    install("broken", code, {group: {"part": "broken:Part"} for group in groups})
    corpus = tmp_path / "c.jsonl"
    corpus.write_text(json.dumps({"triples": CORPUS[0], "text": "It is there."}), "utf-8")
    command = ["score"] if option == "--metrics" else ["check", "--min-esa", "0.9"]
    assert main([*command, str(corpus), option, "part"]) == 6
    told = capfd.readouterr().err
    assert "'part' of the package broken" in told
    assert message in told


def test_what_ends_the_process_is_no_success(monkeypatch, capsys):
    monkeypatch.setattr("esascore.cli.app.import_module", lambda _name: sys.exit(0))
    assert main(["doctor"]) == 70
    assert "unexpected SystemExit" in capsys.readouterr().err
