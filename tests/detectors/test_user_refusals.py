"""Forms that a user's lexicon refuses."""

from __future__ import annotations

import pytest

from esascore.lexicon import UserEntry
from esascore.model import Graph
from esascore.pipeline import build_pipeline

GRAPH = Graph.from_triples([("Ada", "country", "Turkey"), ("Ada", "team", "Harrow_Gulls")])
DROPS = [
    UserEntry("Turkey", "Turkey", "drop"),
    UserEntry("Turkey", "Turkay", "alias"),
    UserEntry("Harrow Gulls", "Gulls", "drop"),
]


@pytest.mark.parametrize("profile", ["default", "paper"])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ada saw Turkey.", False),
        ("Ada saw Turkeys.", False),  # nearer to what is refused than to the alias
        ("Ada saw Turkayi.", True),
        ("Ada saw Turkay.", True),
    ],
)
def test_what_resembles_a_refused_form_is_refused_too(profile, text, found):
    [seen] = build_pipeline(profile, lexicon=DROPS).detect([(GRAPH, text)])
    assert ("Turkey" not in seen.undetected) is found


def test_without_the_line_it_is_found():
    [seen] = build_pipeline(lexicon=DROPS[1:]).detect([(GRAPH, "Ada saw Turkeys.")])
    assert "Turkey" not in seen.undetected


def test_other_forms_of_the_entity_stand():
    [seen] = build_pipeline(lexicon=DROPS).detect([(GRAPH, "The Harrow Gulls have a Turkish Ada.")])
    assert seen.undetected == ()
