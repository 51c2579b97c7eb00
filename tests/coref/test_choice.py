"""Resolvers by name, with their settings."""

from __future__ import annotations

import subprocess
import sys

import pytest

from esascore.coref.chains import ChainResolver
from esascore.coref.choice import RESOLVERS, CorefChoice, make_resolver
from esascore.coref.rules import RootResolver, RuleResolver
from esascore.coref.stanza import StanzaModel
from esascore.errors import UsageError


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / "answers.sqlite"))


def test_names():
    assert list(RESOLVERS) == ["root", "rules", "stanza", "stanza+rules"]
    assert isinstance(make_resolver(CorefChoice("root")), RootResolver)
    assert isinstance(make_resolver(CorefChoice("rules")), RuleResolver)


def test_stanza_is_made_without_being_loaded(tmp_path):
    """Stanza is asked for when there is something to ask it: a corpus without pronouns needs none."""
    resolver = make_resolver(CorefChoice("stanza", directory=tmp_path))
    assert isinstance(resolver, ChainResolver)
    assert isinstance(resolver.model, StanzaModel)
    assert resolver.cache is not None
    assert resolver.resolve([]) == []


def test_nothing_heavy_is_imported():
    code = (
        "import sys; from esascore.coref.choice import *; make_resolver(CorefChoice('stanza')).resolve([]);"
        "print({'stanza', 'torch', 'transformers', 'huggingface_hub'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("name", ["", "Stanza", "neural", "rules "])
def test_unknown_names(name):
    with pytest.raises(
        UsageError,
        match=r"unknown coreference resolver .*(known: root, rules, stanza, stanza\+rules|did you mean)",
    ):
        CorefChoice(name)


@pytest.mark.parametrize("name", ["root", "rules"])
@pytest.mark.parametrize("setting", ["model", "directory"])
def test_models_are_stanzas(name, setting):
    with pytest.raises(UsageError, match=f"{name!r} has no models: choose stanza"):
        CorefChoice(name, **{setting: "some"})


@pytest.mark.parametrize("model", ["absent/model", "absent.pt", "."])
def test_a_model_that_is_not_there_is_a_usage_error_at_once(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"not a coreference model: .*esascore coref train.*\.pt.*package"):
        make_resolver(CorefChoice("stanza", model=model))
