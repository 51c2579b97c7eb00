"""Wordings are learned from inputs and references, and accidents are not."""

from __future__ import annotations

import random

import pytest

from esascore.learned import learn as learn_all
from esascore.learned.wordings.cover import tail
from esascore.learned.wordings.forms import entry_of, learn, lexicon_lines
from esascore.learned.wordings.material import Settings
from esascore.lexicon.user import read_user_lexicon
from esascore.model import Example, Graph, Reference

NAMES = ("Grey Heron", "Old Mill", "Red Lantern", "Stone Bridge", "Silver Birch", "White Hart", "Blue Boar")
LOW, HIGH = "easy on the purse", "for deep pockets"
PRICES = {
    "cheap": LOW,
    "under 10": LOW,
    "high": HIGH,
    "over 30": HIGH,
    "middling": "fair",
    "10 to 30": "fair",
}
DOGS = {"yes": "Dogs may come along.", "no": "Leave the dog at home."}


def inns(number=210, seed=1):
    """Inns whose price and dogs are always put in other words, each with a word of its own subject."""
    chance = random.Random(seed)
    for n in range(number):
        name, price, dogs = NAMES[n % len(NAMES)], chance.choice(sorted(PRICES)), chance.choice(("yes", "no"))
        garden = "roses" if name == "Grey Heron" else "tulips"
        data = {"name": name, "price": price, "dogs": dogs, "garden": garden, "rooms": n}
        text = f"{name} is {PRICES[price]}. {DOGS[dogs]} It has a fine {garden[:-1]} bed."
        yield Example(str(n), Graph.from_data(data), (Reference("1", text),))


@pytest.fixture(scope="module")
def learned():
    return learn(list(inns()))


def test_a_form_has_all_its_values_and_speaks_against_the_others(learned):
    purse = next(form for form in learned if "purse" in form.text)
    assert purse.attribute == "price"
    assert purse.values == ("cheap", "under 10")
    # Every input has a price: nothing is known of those without.
    assert purse.against == ("10 to 30", "high", "middling", "over 30")
    assert purse.precision == 1.0
    assert purse.folds == Settings().folds


def test_both_truth_values_are_learned(learned):
    found = {form.values for form in learned if form.attribute == "dogs"}
    assert found == {("yes",), ("no",)}


def test_what_one_subject_alone_has_is_not_learned(learned):
    assert not any("roses" in form.values for form in learned)


def test_numbers_and_small_words_are_not_learned():
    examples = [
        Example(
            str(n),
            Graph.from_data({"name": NAMES[n % 7], "rank": rank}),
            (Reference("1", f"It has {said}."),),
        )
        for n in range(140)
        for rank, said in [(("first class", "7") if n % 2 else ("second class", "9 of those"))]
    ]
    assert learn(examples) == ()


def test_the_order_of_the_corpus_does_not_count(learned):
    assert learn(list(reversed(list(inns())))) == learned


def test_the_lines_are_a_lexicon_with_reasons(learned, tmp_path):
    path = tmp_path / "learned.tsv"
    path.write_text("".join(lexicon_lines(learned, "inns")), "utf-8")
    read = [(entry.entity, entry.form, entry.kind, entry.against) for entry in read_user_lexicon(path)]
    assert read == [(entry.entity, entry.form, entry.kind, entry.against) for entry in map(entry_of, learned)]
    rows = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert all("learned from the others in" in row or "too often" in row for row in rows)


def test_triples_and_data_teach_the_same(learned):
    triples = [
        Example(
            one.id,
            Graph.from_triples([(f.subject, f.attribute, f.value) for f in one.input.facts]),
            one.references,
        )
        for one in inns()
    ]
    assert {form.text for form in learn(triples)} == {form.text for form in learned}


def test_own_words_that_mean_something_else_as_often_are_refused():
    examples = []
    chance = random.Random(3)
    for n in range(280):
        price, rating = chance.choice(("high", "low")), chance.choice(("high", "low"))
        dear = "costly" if price == "high" else "a bargain"
        text = f"{NAMES[n % 7]} is {dear}, with {rating} marks."
        data = {"name": NAMES[n % 7], "price": price, "rating": rating}
        examples.append(Example(str(n), Graph.from_data(data), (Reference("1", text),)))
    found = learn(examples)
    assert {(form.attribute, form.text) for form in found if form.refused} == {
        ("price", "high"),
        ("price", "low"),
    }


def test_a_corpus_of_data_teaches_by_references_or_by_outputs_that_may():
    def forms(*corpus):
        return {form.text for lesson in learn_all(*corpus).lessons for form in lesson.forms}

    examples = list(inns())
    found = forms(examples)
    assert any("purse" in form for form in found)
    bare = [Example(one.id, one.input) for one in examples]
    texts = [one.references[0].text for one in examples]
    assert forms(bare, [texts]) == found
    assert forms(bare) == forms(examples[:50]) == set()


@pytest.mark.parametrize(("hits", "trials", "rate"), [(1, 4, 0.25), (3, 5, 0.6), (5, 5, 0.1), (0, 3, 0.2)])
def test_the_binomial_tail(hits, trials, rate):
    from math import comb

    exact = sum(comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(hits, trials + 1))
    assert tail(hits, trials, rate) == pytest.approx(exact)


def test_a_denied_value_that_no_input_has_teaches_nothing():
    def halls():
        for n in range(120):
            data = (
                {"name": NAMES[n % len(NAMES)], "organ": True} if n % 3 else {"name": NAMES[n % len(NAMES)]}
            )
            text = f"{data['name']} has {'a loud' if n % 4 else 'no'} pipe organ upstairs."
            yield Example(str(n), Graph.from_data(data), (Reference("1", text),))

    assert {form.values for form in learn(list(halls()))} <= {("yes",)}
