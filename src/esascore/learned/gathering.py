"""Observations of a corpus, gathered input by input: they can be merged, and their order does not matter.

Everything is bounded: of too many entries, those with the smallest content hashes are kept
(`esascore.sample`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from esascore.learned.lesson import Lesson
from esascore.learned.shapes import Shape, grouped
from esascore.learned.wordings.forms import Form, Progress, learn
from esascore.learned.wordings.material import DEFAULTS, Settings
from esascore.lexicon.closed import ClosedAttributes
from esascore.lexicon.known_names import NamesSeen
from esascore.model import Example, Input, Reference
from esascore.sample import Sample, content_hash
from esascore.triples import SHAPE

LEAST_INPUTS = 20
"""Distinct inputs of one shape below which nothing is learned."""

MOST_SHAPES = 200
"""The most shapes of a corpus that are kept."""

LEAST_TEXTS, MOST_TEXTS = 100, 5000
"""How many texts of a shape are needed to learn wordings, and how many are read at most."""

_T = TypeVar("_T")


@dataclass(slots=True)
class ShapeSeen:
    """Observations of the inputs of one shape.

    ``inputs`` are content hashes, until there are enough; ``texts`` are those that teach wordings, each with
    its input.
    """

    inputs: set[int] = field(default_factory=set)
    names: NamesSeen = field(default_factory=NamesSeen)
    closed: ClosedAttributes = field(default_factory=ClosedAttributes)
    texts: Sample[tuple[Input, str]] = field(default_factory=lambda: Sample(MOST_TEXTS))

    def merge(self, other: ShapeSeen) -> ShapeSeen:
        """Add observations of inputs of this shape from elsewhere; returns itself."""
        self.inputs |= other.inputs
        self.names.merge(other.names)
        self.closed.merge(other.closed)
        self.texts.merge(other.texts)
        return self


class Gathered:
    """Observations of a corpus.

    Parameters
    ----------
    names
        Whether to gather everything that claims are judged by.
    wordings
        Whether to gather texts that teach how values are expressed.
    """

    def __init__(self, *, names: bool = True, wordings: bool = True):
        self.names = names
        self.wordings = wordings
        self.shapes: Sample[tuple[Shape, ShapeSeen]] = Sample(MOST_SHAPES)

    def add(self, example: Example, outputs: Iterable[str] = ()) -> None:
        """Note what an example shows, by its input, its references, and any outputs that also teach."""
        teaches = teaches_wordings(example.input)
        if not (teaches or self.names):
            return
        seen = self._seen(example.input.shape)
        if seen is None:
            return
        if len(seen.inputs) < LEAST_INPUTS:
            seen.inputs.add(content_hash(example.input))
        if self.names:
            seen.names.add(example)
            seen.closed.add(example)
        if teaches:
            for text in (*(reference.text for reference in example.references), *outputs):
                if text:
                    _note(seen.texts, content_hash(example.input, text), (example.input, text))

    def merge(self, other: Gathered) -> None:
        """Add the observations of another part of the corpus."""
        self.shapes.merge(other.shapes, _merged)

    def lessons(self, settings: Settings = DEFAULTS, progress: Progress | None = None) -> Iterator[Lesson]:
        """Learn from all observations; groups of shapes with too few inputs teach nothing."""
        seen = dict(self.shapes)
        for group in grouped(seen.keys()):
            joined = ShapeSeen()
            for shape in group:
                joined.merge(seen[shape])
            if len(joined.inputs) >= LEAST_INPUTS:
                lesson = Lesson(
                    tuple(group),
                    _forms(list(joined.texts), settings, progress) if self.wordings else (),
                    joined.names.found(),
                    joined.closed.found(),
                )
                if lesson != Lesson(lesson.shapes):
                    yield lesson

    def _seen(self, shape: Shape) -> ShapeSeen | None:
        key = content_hash(tuple(sorted(shape)))
        _note(self.shapes, key, (shape, ShapeSeen()))
        known = self.shapes.get(key)
        return None if known is None else known[1]


def _forms(
    texts: Sequence[tuple[Input, str]], settings: Settings, progress: Progress | None
) -> tuple[Form, ...]:
    if len(texts) < LEAST_TEXTS:
        return ()
    by_input: dict[Input, Example] = {}
    for input_, text in texts:
        known = by_input.setdefault(input_, Example("", input_))
        by_input[input_] = replace(known, references=(*known.references, Reference("", text)))
    return learn(list(by_input.values()), settings, progress)


def _merged(one: tuple[Shape, ShapeSeen], other: tuple[Shape, ShapeSeen]) -> tuple[Shape, ShapeSeen]:
    return one[0], one[1].merge(other[1])


def _note(sample: Sample[_T], key: int, entry: _T) -> None:
    if sample.lacks(key):
        sample.add(key, entry)


def teaches_wordings(input_: Input) -> bool:
    """Return whether texts about an input teach wordings: an ontology has too many properties."""
    return input_.shape != SHAPE and any(entity.object_of for entity in input_.worded)
