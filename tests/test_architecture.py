"""``docs/architecture.md`` names what is there, in the order of the contract."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PAGE = (PROJECT / "docs" / "architecture.md").read_text("utf-8")


def test_every_module_is_there():
    for name in set(re.findall(r"`(esascore(?:\.\w+)+)`", PAGE)):
        assert find_spec(name) is not None, name


def test_the_rooms_are_the_layers():
    rooms = re.findall(r"^\| `(esascore\.\w+)` \|", PAGE, re.MULTILINE)
    [contract] = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    assert rooms == contract["layers"][::-1]


_CHECK = """
import sys
from esascore.cli import main
from esascore.examples import example_corpus_path
corpus = example_corpus_path()
main(["check", str(corpus), str(corpus.with_name("copycat.txt")), "--min-esa", "0.5", "--quiet"])
print([name for name in sys.modules if name.startswith(("esascore.facts", "esascore.trained"))])
"""


def test_a_check_without_a_model_loads_nothing_of_the_models():
    run = subprocess.run([sys.executable, "-c", _CHECK], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"
