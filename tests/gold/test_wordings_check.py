"""The check of learned wordings notices what is spoilt, and nothing else."""

from __future__ import annotations

import random

from esascore.gold.wordings_check import KINDS, check_wordings
from esascore.model import Example, Graph, Reference

NAMES = [
    f"{colour} {thing}"
    for colour in ("Grey", "Old", "Red", "Silver", "White", "Blue")
    for thing in ("Heron", "Mill", "Lantern", "Bridge", "Birch", "Hart", "Boar")
]
SAID = {"cheap": "easy on the purse", "dear": "for deep pockets"}


def test_spoilt_inputs_are_noticed():
    chance = random.Random(1)
    examples = []
    for n in range(420):
        price = chance.choice((*sorted(SAID), None))
        text = f"{NAMES[n % len(NAMES)]} is {SAID[price]}." if price else f"{NAMES[n % len(NAMES)]} is old."
        data = {"name": NAMES[n % len(NAMES)], "age": chance.choice(("old", "older")), "price": price}
        examples.append(Example(str(n), Graph.from_data(data), (Reference("1", text),)))
    found = check_wordings(examples)
    assert tuple(found) == KINDS
    right, all_ = found["removed: added"]
    assert all_ > 100
    for kind in ("changed: missing", "changed: added"):
        right, all_ = found[kind]
        assert right / all_ > 0.25  # mostly the age is changed, of which few texts say anything
