from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.errors import DataError, UsageError
from esascore.metrics.cooccurrence import (
    HEADER,
    Cooccurrence,
    count_lines,
    count_rows,
    json_pieces,
    lexical_items,
    read_counts,
)
from esascore.metrics.parent import ParentC

TRAINING = [
    ([("occupation", "rock drummer")], "she plays the the drums"),
    ([("occupation", "Drummer"), ("birth place", "Oslo")], "The drummer is from Oslo"),
    ([("Ann Lee", "wasBorn in", "Oslo")], "Ann is from Oslo"),
]


def probabilities(counts, words) -> dict[tuple[str, str], float]:
    """(item, word) -> the probability that the one entails the other, where it is above 0."""
    names = list(counts.vocabulary)
    owners = np.repeat(np.arange(len(names)), np.diff(counts.rows))
    triples = zip(owners, counts.columns, counts.counts, strict=True)
    found = {(names[v], names[g]): float(number / counts.totals[v]) for v, g, number in triples}
    return {pair: share for pair, share in found.items() if set(pair) <= set(words)}


def test_counts_worked_by_hand():
    # "drummer" is in two tables; one of the two texts plays. A word counts once a text.
    words = ["drummer", "plays", "the", "birth_place", "from", "wasborn_in", "ann"]
    assert probabilities(Cooccurrence.of(count_rows(TRAINING)), words) == {
        ("drummer", "plays"): 1 / 2,
        ("drummer", "the"): 1.0,
        ("drummer", "drummer"): 1 / 2,
        ("drummer", "from"): 1 / 2,
        **dict.fromkeys([("birth_place", word) for word in ("the", "drummer", "from")], 1.0),
        **dict.fromkeys([(item, word) for item in ("wasborn_in", "ann") for word in ("ann", "from")], 1.0),
    }


def test_the_model_worked_by_hand():
    # The table has items occupation and drummer. "ann" was never seen with them: 0. "plays": 1/2 with both.
    # "drummer": 1. Unigrams of the text: (0 + 1/2 + 1) / 3.
    metric = ParentC(Cooccurrence.of(count_rows(TRAINING)), max_order=1)
    found = metric.segments(["Ann plays drummer"], [["z"]], [[("occupation", "drummer")]])
    assert found[0, 0] == pytest.approx(1.5 / 3)
    # Bigrams have the geometric mean: (0 + sqrt(1/2)) / 2, and the whole is the geometric mean of both.
    metric = ParentC(Cooccurrence.of(count_rows(TRAINING)), max_order=2)
    found = metric.segments(["Ann plays drummer"], [["z"]], [[("occupation", "drummer")]])
    assert found[0, 0] == pytest.approx(np.sqrt(0.5 * np.sqrt(0.5) / 2))


def test_attribute_names_are_one_item():
    found = lexical_items([("birth place", "New York"), ("x", " "), ("", "York")])
    assert found == ["birth_place", "new", "york", "x"]
    with pytest.raises(DataError, match="two or three parts"):
        lexical_items([("a",)])


words = st.lists(st.sampled_from(["a", "b", "c", "|", "ä", "\u2028x"]), max_size=6).map(" ".join)
tables = st.lists(st.tuples(words, words), max_size=3)


@given(pairs=st.lists(st.tuples(tables, words), max_size=12), buffer=st.integers(1, 40))
@settings(deadline=None, max_examples=80)
def test_counting_in_pieces_changes_nothing(pairs, buffer):
    expected: dict[str, int] = {}
    for table, text in pairs:
        for item in lexical_items(table):
            expected[item] = expected.get(item, 0) + 1
            for word in set(text.split()):
                expected[f"{item}|||{word}"] = expected.get(f"{item}|||{word}", 0) + 1
    rows = list(count_rows(pairs, buffer=buffer))
    found = {row.item: row.total for row in rows}
    for row in rows:
        found.update({f"{row.item}|||{w}": n for w, n in zip(row.words, row.counts, strict=True)})
    assert found == expected
    assert json.loads("".join(json_pieces(rows))) == expected
    assert len("".join(count_lines(rows)).split("\n")) == len(rows) + 2


@given(pairs=st.lists(st.tuples(tables, words), max_size=8))
@settings(deadline=None, max_examples=30)
def test_both_files_give_the_same_model(tmp_path_factory, pairs):
    folder = tmp_path_factory.mktemp("counts")
    direct = Cooccurrence.of(count_rows(pairs))
    for name, write in (("counts.txt", count_lines), ("counts.json", json_pieces)):
        path = folder / name
        path.write_text("".join(write(count_rows(pairs))), encoding="utf-8", newline="")
        read = read_counts(path)
        if "|" not in direct.vocabulary or name == "counts.txt":  # "|" leaves a joined key two readings
            assert read.digest == direct.digest
        words = direct.vocabulary
        assert probabilities(read, words) == probabilities(direct, words)


def test_rare_pairs_can_be_left_out():
    full, pruned = (list(count_rows(TRAINING, min_count=least)) for least in (1, 2))
    assert [(row.item, row.total) for row in full] == [(row.item, row.total) for row in pruned]
    drummer = next(row for row in pruned if row.item == "drummer")
    assert (drummer.words, drummer.counts) == (["the"], [2])
    with pytest.raises(UsageError, match="at least 1"):
        list(count_rows([], min_count=0))


def test_the_originals_json_is_read(tmp_path):
    path = tmp_path / "counts.json"
    path.write_text('{"drummer": 4, "drummer|||drums": 3, "a|||b": 7, "zero": 0, "zero|||x": 1}')
    counts = read_counts(path)
    # "a" has no count of its own, that of "zero" is 0.
    assert probabilities(counts, counts.vocabulary) == {("drummer", "drums"): 0.75}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("hello\n", "counts.txt:1: these are not co-occurrence counts"),
        (f"{HEADER}\na\n", "counts.txt:2: a line is an item"),
        (f"{HEADER}\na\t1\tb\n", "counts.txt:2: a line is an item"),
        (f"{HEADER}\na\t-1\t\n", "counts.txt:2: a line is an item"),
        (f"{HEADER}\na\t1\tb x\n", "counts.txt:2: a line is an item"),
        (f"{HEADER}\na\t1\t\na\t2\t\n", "counts.txt:3: a line is an item that comes once"),
        ('{"a": ', "not JSON"),
        ('{"a": "b"}', "the count of 'a' is not a number"),
        ('{"a": -1}', "the count of 'a' is not a number"),
        ('{"a": NaN}', "not JSON"),
    ],
)
def test_broken_files_are_refused(tmp_path, content, message):
    path = tmp_path / "counts.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_counts(path)


def test_the_digest_tells_counts_apart_but_not_their_order():
    digests = {
        Cooccurrence.of(count_rows(pairs)).digest
        for pairs in (
            TRAINING,
            TRAINING[::-1],
            TRAINING[:2],
            TRAINING + TRAINING,
            [([("a", "b")], "c")],
            [([("a", "c")], "b")],
            [([("b", "a")], "c")],
            [],
        )
    }
    # The second and seventh are the first and fifth in another order.
    assert len(digests) == 6
