from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from esascore.model import Detection, Graph, Mention
from esascore.reports.nearest import FARTHEST, nearest_spans


def asked(text, *terms, mentions=(), missing=None):
    graph = Graph.from_triples([(term, "is", term) for term in terms])
    return graph, Detection(text, terms, tuple(mentions), terms if missing is None else missing)


def near(*pair):
    graph, found = pair
    (result,) = nearest_spans([graph], [found])
    return {one.entity: (found.text[one.start : one.end], round(one.distance, 3)) for one in result}


def test_the_nearest_run_of_words_and_its_distance():
    # "kestral arena" is one edit from "kestrel arena", 13 characters.
    found = near(*asked("We saw the Kestral Arena, yes.", "Kestrel_Arena", "Quux"))
    assert found == {"Kestrel_Arena": ("Kestral Arena,", 0.077)}


def test_parentheses_and_what_follows_a_comma_are_tried_without():
    found = near(*asked("Phobbos is near Abilen.", "Phobos_(moon)", "Abilene,_Texas"))
    assert found == {"Phobos_(moon)": ("Phobbos", 0.143), "Abilene,_Texas": ("Abilen.", 0.143)}


def test_it_tells_what_the_span_was_taken_for():
    mention = Mention("Trondheim", 0, 9, "Trondheim", "string", 0.0, "Trondheim")
    pair = asked(
        "Trondheim is large.", "Trondheim", "Trondheims", mentions=[mention], missing=("Trondheims",)
    )
    ((one,),) = nearest_spans([pair[0]], [pair[1]])
    assert (one.entity, one.taken, one.variant) == ("Trondheims", "Trondheim", "Trondheims")


def test_found_entities_and_texts_without_words_have_none():
    found = asked("Mexico", "Mexico", missing=())
    graphs, detections = zip(
        found, asked("", "Mexico"), asked("  ", "Mexico"), asked("!?", "Oslo"), strict=True
    )
    assert nearest_spans(graphs, detections) == [(), (), (), ()]


words = st.lists(st.sampled_from(["oslo", "arena", "kestrel", "of", "norway", "arenas", "x"]), max_size=7)


@settings(deadline=None, max_examples=60)
@given(words, st.lists(words.filter(bool), min_size=1, max_size=3, unique_by=tuple))
def test_it_agrees_with_comparing_every_run(text, names):
    terms = tuple("_".join(name) for name in names)
    found = near(*asked(" ".join(text), *terms))
    longest = max(len(name) for name in names) + 1
    runs = {
        " ".join(text[a:b]) for a in range(len(text)) for b in range(a + 1, min(a + longest, len(text)) + 1)
    }
    for term in terms:
        name = re.sub("_", " ", term)
        best = min((Levenshtein.normalized_distance(name, run) for run in runs), default=1.0)
        if best <= FARTHEST:
            assert found[term][1] == round(best, 3)
            assert found[term][0] in runs
        else:
            assert term not in found
