"""How well are mentions detected? Precision, recall and F1 against mentions that people annotated.

The unit is a text with annotations. Its gold is the multiset of (entity, mention string); strings are
compared without white space and with quotes and dashes unified, case kept. Detected mentions are *exactly*
right where entity and string agree, *approximately* where the strings have a normalised edit distance of at
most 0.2, each time one to one. On the level of *entities* the pairs (text, entity) are compared: annotated at
least once, against detected. ``docs/benchmark.md`` describes the full protocol.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.errors import DataError
from esascore.gold.intervals import figures
from esascore.gold.mentions.forms import untokenised
from esascore.gold.mentions.locate import locate
from esascore.metrics.base import plain
from esascore.model import Detection, Example, Input, Reference, Span
from esascore.readers.corpus import read_corpus

Detect = Callable[[Sequence[tuple[Input, str]]], Sequence[Detection]]
"""Any detector, such as ``build_pipeline().detect``: inputs with their texts in, one detection for each."""

# d <= 0.2 decided on integers: 5 * edits <= 1 * longest.
_EDITS, _LONGEST = 5, 1

LEVELS = ("exact", "approximate", "entity")


@dataclass(frozen=True)
class AnnotatedText:
    """A text with its annotations and the example that it verbalises.

    ``cluster`` numbers the inputs: texts of one input are not independent, so they are resampled together.
    """

    example: Example
    reference: Reference
    cluster: int

    @property
    def id(self) -> str:
        """The example's id and the reference's."""
        return f"{self.example.id}/{self.reference.id}"

    @property
    def item(self) -> tuple[Input, str]:
        """The part that a detector sees: the input and the text."""
        return self.example.input, self.reference.text

    @cached_property
    def spans(self) -> list[Span | None]:
        """Where each annotated mention is; None if it could not be located."""
        return locate(self.reference)


@dataclass(frozen=True, slots=True)
class Matched:
    """A text, what was detected in it, and what is right.

    ``exact`` and ``approximate`` map positions among the detected mentions to positions among the annotated
    ones.
    """

    text: AnnotatedText
    detection: Detection
    exact: Mapping[int, int]
    approximate: Mapping[int, int]
    gold_entities: frozenset[str]
    found_entities: frozenset[str]


def annotated_texts(examples: Iterable[Example]) -> list[AnnotatedText]:
    """Return the texts of a corpus that have both words and annotations.

    Examples
    --------
    >>> from esascore.model import GoldMention, Graph
    >>> gold = (GoldMention("Rome", "Rome"),)
    >>> references = (Reference("Id1", "Rome.", mentions=gold), Reference("Id2", "Rome."))
    >>> [text.id for text in annotated_texts([Example("A", Graph(), references)])]
    ['A/Id1']
    """
    return [
        AnnotatedText(example, reference, cluster)
        for cluster, example in enumerate(examples)
        for reference in example.references
        if reference.text.strip() and reference.mentions
    ]


def read_annotated(path: str | PathLike[str]) -> list[AnnotatedText]:
    """Read the annotated texts of a file or directory.

    Raises
    ------
    DataError
        If it cannot be read or holds no annotated text.
    """
    texts = annotated_texts(read_corpus(path))
    if not texts:
        raise DataError(
            "no text here has annotated mentions: give enriched WebNLG XML, with <references> in its <lex>",
            file=path,
        )
    return texts


def match_all(texts: Sequence[AnnotatedText], detect: Detect) -> list[Matched]:
    """Detect mentions in annotated texts and match them with the annotations."""
    return [match(*pair) for pair in zip(texts, detect([text.item for text in texts]), strict=True)]


def match(text: AnnotatedText, detection: Detection) -> Matched:
    """Match the detected mentions of a text with the annotated ones."""
    gold = text.reference.mentions
    of_entity: defaultdict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for position, annotated in enumerate(gold):
        of_entity[annotated.entity][0].append(position)
    for position, mention in enumerate(detection.mentions):
        of_entity[mention.entity][1].append(position)
    exact: dict[int, int] = {}
    approximate: dict[int, int] = {}
    for annotated_at, detected_at in of_entity.values():
        ours = [untokenised(detection.mentions[n].text) for n in detected_at]
        theirs = [untokenised(gold[n].text) for n in annotated_at]
        for pairs, matcher in ((exact, match_exact), (approximate, match_approximate)):
            pairs.update((detected_at[i], annotated_at[j]) for i, j in matcher(theirs, ours).items())
    undetected = set(detection.undetected)
    return Matched(
        text,
        detection,
        exact,
        approximate,
        frozenset(annotated.entity for annotated in gold),
        frozenset(entity for entity in detection.entities if entity not in undetected),
    )


def match_exact(gold: Sequence[str], found: Sequence[str]) -> dict[int, int]:
    """Pair equal strings, first with first; the result maps positions in ``found`` to those in ``gold``.

    Examples
    --------
    >>> match_exact(["Rome", "it", "Rome"], ["Rome", "Roma", "Rome", "Rome"])
    {0: 0, 2: 2}
    """
    waiting: defaultdict[str, deque[int]] = defaultdict(deque)
    for position, string in enumerate(gold):
        waiting[string].append(position)
    return {position: waiting[string].popleft() for position, string in enumerate(found) if waiting[string]}


def match_approximate(gold: Sequence[str], found: Sequence[str]) -> dict[int, int]:
    """Pair strings with a normalised edit distance of at most 0.2: as many as can be, one to one.

    What the exact matching pairs stays matched: a maximum bipartite matching by augmenting paths.

    Examples
    --------
    >>> match_approximate(["theRomanForum", "Rome"], ["Romes", "RomanForum", "theRomanForums"])
    {0: 1, 2: 0}
    """
    pairs = match_exact(gold, found)
    if len(pairs) == min(len(gold), len(found)):
        return pairs
    near = [[n for n, string in enumerate(gold) if is_near(string, other)] for other in found]
    owners = {n: position for position, n in pairs.items()}
    for position in range(len(found)):
        if position not in pairs:
            _augment(position, near, owners, set())
    return dict(sorted((position, n) for n, position in owners.items()))


def is_near(one: str, other: str) -> bool:
    """Return whether two comparable strings have a normalised edit distance of at most 0.2.

    Examples
    --------
    >>> is_near("abcde", "abcdf"), is_near("abcd", "abce"), is_near("", "")
    (True, False, False)
    """
    longest = max(len(one), len(other))
    if not longest or _EDITS * abs(len(one) - len(other)) > _LONGEST * longest:
        return False
    from rapidfuzz.distance import Levenshtein

    return _EDITS * Levenshtein.distance(one, other) <= _LONGEST * longest


def _augment(position: int, near: Sequence[Sequence[int]], owners: dict[int, int], tried: set[int]) -> bool:
    """Match one more position, moving the partners of others where that is needed; return whether it can be.

    What is free comes first.
    """
    for n in sorted(near[position], key=owners.__contains__):
        if n not in tried:
            tried.add(n)
            if n not in owners or _augment(owners[n], near, owners, tried):
                owners[n] = position
                return True
    return False


def statistics(matched: Sequence[Matched], keep: Callable[[str], bool] | None = None) -> NDArray[np.int64]:
    """Return per text and level how many are annotated, detected and right, (n, 3, 3); levels as in `LEVELS`.

    Everything that is reported is a sum of such rows. ``keep`` restricts them to some entities.
    """
    rows = []
    for one in matched:
        gold = [annotated.entity for annotated in one.text.reference.mentions]
        found = [mention.entity for mention in one.detection.mentions]
        entities = (one.gold_entities, one.found_entities, one.gold_entities & one.found_entities)
        exact, approximate = (found[n] for n in one.exact), (found[n] for n in one.approximate)
        cells = [gold, found, exact, gold, found, approximate, *entities]
        rows.append([sum(1 for entity in cell if keep is None or keep(entity)) for cell in cells])
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(LEVELS), 3)


def figures_by_level(sums: NDArray[Any]) -> dict[str, dict[str, float | None]]:
    """Precision, recall and F1 at each level of sums of `statistics`, (levels, 3); undefined ones are None.

    Examples
    --------
    >>> import numpy as np
    >>> figures_by_level(np.array([[4, 2, 2]]))
    {'exact': {'precision': 1.0, 'recall': 0.5, 'f1': 0.6666666666666666}}
    """
    return {level: plain(figures(counts)) for level, counts in zip(LEVELS, sums, strict=False)}


def score(texts: Sequence[AnnotatedText], detect: Detect) -> dict[str, dict[str, float | None]]:
    """Score a detector in short: precision, recall and F1 at each of `LEVELS`.

    Examples
    --------
    >>> from esascore.model import GoldMention, Graph, Mention
    >>> graph = Graph.from_triples([("Bionico", "country", "Mexico")])
    >>> gold = (GoldMention("Bionico", "Bionico"), GoldMention("Mexico", "Mexico"))
    >>> reference = Reference("Id1", "Bionico is Mexico 's.", mentions=gold)
    >>> def detect(items):
    ...     mentions = (Mention("Bionico", 0, 7, "Bionico", "string"),)
    ...     return [Detection(text, ("Bionico", "Mexico"), mentions, ("Mexico",)) for _, text in items]
    >>> score(annotated_texts([Example("A", graph, (reference,))]), detect)["exact"]
    {'precision': 1.0, 'recall': 0.5, 'f1': 0.6666666666666666}
    """
    return figures_by_level(statistics(match_all(texts, detect)).sum(axis=0))
