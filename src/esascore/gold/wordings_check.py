"""A check of learned wordings without annotations: change inputs, and see what is noticed.

Wordings are learned from the texts about one half of the subjects. Then each text about the other half is
checked against its own input, where nothing should be found, and against inputs in which one value was
changed, removed or inserted.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from esascore.data import Data
from esascore.learned import learn
from esascore.learned.wordings.material import DEFAULTS, Material, Settings, prepare
from esascore.lexicon.phrasings import attribute_key
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example, Fact, Input
from esascore.pipeline import build_pipeline

KINDS = ("clean", "changed: missing", "changed: added", "removed: added", "put in: missing")
"""What is checked: that nothing is found, or that what was changed is."""

_TEXTS_PER_INPUT = 2
_HALVES = 2


class _Case(NamedTuple):
    """A text with an input, and the attribute whose change should be noticed."""

    kind: str
    input: Input
    text: str
    attribute: str = ""


def check_wordings(
    examples: Sequence[Example],
    settings: Settings = DEFAULTS,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, tuple[int, int]]:
    """Return for each kind how many texts were judged rightly, and how many there are."""
    material = prepare(examples, settings)
    subjects = sorted(set(material.subjects))
    random.Random(1).shuffle(subjects)
    half = {subject: number % _HALVES for number, subject in enumerate(subjects)}
    noticed: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for part in range(_HALVES):
        ours = [half[subject] == part for subject in material.subjects]
        rest = [example for example, own in zip(examples, ours, strict=True) if not own]
        pipeline = build_pipeline(learned=learn(rest, settings=settings))
        tested = [number for number, own in enumerate(ours) if own]
        cases = list(_cases(examples, material, tested))
        found = pipeline.detect([(case.input, case.text) for case in cases])
        inputs = [Example(str(number), case.input) for number, case in enumerate(cases)]
        flags = Hallucinations(pipeline).find(inputs, [case.text for case in cases], found)
        for case, detection, some in zip(cases, found, flags, strict=True):
            lost = [one for one in case.input.entities if one.term in detection.undetected]
            missing = {attribute_key(name) for one in lost for name in one.object_of}
            if case.kind == "clean":
                good = not missing and not some
            elif case.kind.endswith("missing"):
                good = case.attribute in missing
            else:
                good = any(one.type in ("value", "name") for one in some)
            noticed[case.kind].append(good)
        if progress is not None:
            progress(part + 1, _HALVES)
    return {kind: (sum(some), len(some)) for kind, some in noticed.items()}


def _cases(examples: Sequence[Example], material: Material, tested: Sequence[int]) -> Iterator[_Case]:
    chance = random.Random(1)
    seen: dict[str, dict[str, None]] = defaultdict(dict)
    for own in material.values:
        for attribute, value in own.items():
            seen[attribute][value] = None
    for number in tested:
        example, own = examples[number], material.values[number]
        for reference in example.references[:_TEXTS_PER_INPUT]:
            text = reference.text
            yield _Case("clean", example.input, text)
            if own:
                attribute = chance.choice(sorted(own))
                others = sorted(seen[attribute].keys() - {own[attribute]})
                if others:
                    other = material.spelling[chance.choice(others)]
                    changed = _changed(example.input, attribute, other)
                    yield _Case("changed: missing", changed, text, attribute)
                    yield _Case("changed: added", changed, text, attribute)
                yield _Case("removed: added", _changed(example.input, attribute, None), text, attribute)
            absent = sorted(seen.keys() - own.keys() - material.unclear[number])
            if absent and own:
                attribute = chance.choice(absent)
                value = material.spelling[chance.choice(sorted(seen[attribute]))]
                more = _with(example.input, sorted(own)[0], material.spelling[attribute], value)
                yield _Case("put in: missing", more, text, attribute)


def _changed(input_: Input, attribute: str, value: str | None) -> Input:
    """Return an input with another value of an attribute, or without it."""
    facts = (
        fact if attribute_key(fact.attribute) != attribute else fact._replace(value=value or "")
        for fact in input_.facts
    )
    return _of_facts(input_, [fact for fact in facts if fact.value])


def _with(input_: Input, beside: str, attribute: str, value: str) -> Input:
    """Return an input with one more value, about the subject that has another attribute."""
    fact = next(fact for fact in input_.facts if attribute_key(fact.attribute) == beside)
    path = fact.path.removesuffix(fact.attribute) + attribute
    return _of_facts(input_, [*input_.facts, fact._replace(path=path, value=value, optional=False)])


def _of_facts(input_: Input, facts: Sequence[Fact]) -> Input:
    return Input.from_data(Data(tuple(facts), input_.subjects), input_.category)
