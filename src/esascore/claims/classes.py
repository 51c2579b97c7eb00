"""Which class of Figure 4 of the ESA paper an unexplained span belongs to.

``inaccurate``
    it resembles an entity of the input: at most 0.6 from one of its forms, or a date with most parts right
``replacement``
    otherwise, if the text lacks an entity of the same type: a date for a date, a number for a number, for a
    name one that is not known to be of another kind (a person does not replace a place)
``addition``
    else

Two classes are not in the paper:

``misattributed``
    the input has this value, but of another subject or attribute

``contradicted``
    the text asserts or denies something against the input; with a fact model also: the text states about one
    entity a fact that the input has about another
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from types import MappingProxyType

from esascore.claims.explainer import Explainer
from esascore.claims.finding import Finding
from esascore.lexicon.entity_types import nature, type_words
from esascore.lexicon.places import by_name
from esascore.literals.dates import DateValue, PartialDate, entity_date, find_dates
from esascore.literals.quantities import entity_quantity
from esascore.model import Detection, Entity, Input, once_per_input
from esascore.text.words import folded_key, name_words

CONTRADICTED = "contradicted"
MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "addition": "the data have nothing like it",
        "replacement": "it stands in place of a value of the data that the text lacks",
        "inaccurate": "it is like a value of the data, but not the same",
        "misattributed": "the data have it, but of another subject or attribute",
        CONTRADICTED: "the text asserts or denies something against the data",
    }
)
"""What each class means, in a few words."""

CLASSES = tuple(MEANINGS)

_INACCURATE = 0.6
_OTHER_DATE = 1.0


class Classifier:
    """Classifies the spans of one text, and remembers the answers for repeated spans.

    Examples
    --------
    >>> from esascore.lexicon import Lexicon
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Bionico", "country", "Mexico")])
    >>> detection = Detection("Bionico is from Peru.", ("Bionico", "Mexico"), (), ("Mexico",))
    >>> classifier = Classifier(graph, detection, Explainer(Lexicon()))
    >>> classifier.classify(Finding(16, 20, "name", "capital", "baseless"))
    ('replacement', 'Mexico')
    """

    def __init__(self, input_: Input, detection: Detection, explainer: Explainer):
        self._by_type = _by_type(input_, explainer.languages)
        self._text, self._undetected = detection.text, frozenset(detection.undetected)
        self._explainer = explainer
        self._class_of = cache(self._classified)

    def classify(self, span: Finding) -> tuple[str, str | None]:
        """Return the class of a span, and the entity of the input that is most like it.

        For a replacement, it is the most similar one among those that the text lacks.
        """
        if span.verdict == "contradicted":
            if span.evidence == "polarity":
                return CONTRADICTED, span.expected
            return "misattributed" if span.elsewhere else "replacement", span.expected
        text, kinds = self._text[span.start : span.end], frozenset[str]()
        if span.type == "name":
            kinds = _kinds(text)
        return self._class_of(span.type, text, kinds)

    def _classified(self, type_: str, text: str, kinds: frozenset[str]) -> tuple[str, str | None]:
        same_type = self._by_type.get(type_, ())
        fitting = [one for one in same_type if type_ != "name" or _may_be(one, kinds)]
        distance, nearest = _nearest(type_, text, fitting, self._explainer)
        if nearest is not None and distance <= _INACCURATE:
            return "inaccurate", nearest
        missing = [entity for entity in fitting if entity.term in self._undetected]
        if missing:
            return "replacement", _nearest(type_, text, missing, self._explainer)[1]
        return "addition", nearest or _nearest(type_, text, same_type, self._explainer)[1]


@once_per_input
def _by_type(input_: Input, languages: tuple[str, ...]) -> Mapping[str, Sequence[Entity]]:
    """Return the entities of an input by what type of thing they are."""
    found: dict[str, list[Entity]] = {}
    for entity in input_.entities:
        found.setdefault(type_of(entity, languages), []).append(entity)
    return found


def _may_be(entity: Entity, kinds: frozenset[str]) -> bool:
    """Return whether an entity may be of one of these kinds; a value in small letters is not a name."""
    own = nature(entity)
    if own is None:
        return entity.type != "text"
    return not kinds or own in kinds


def _kinds(name: str) -> frozenset[str]:
    """Return the kinds of things that a name can stand for, by its words; empty: any."""
    words = name_words(name)
    return (
        _PLACES
        if " ".join(words) in by_name()
        else _noun_kinds().get(words[-1] if words else "", frozenset())
    )


@cache
def _noun_kinds() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for kind, nouns in type_words().values():
        for noun in nouns:
            found.setdefault(noun, set()).add(kind)
    return {noun: frozenset(kinds | _PLACES if kinds & _PLACES else kinds) for noun, kinds in found.items()}


_PLACES = frozenset({"place", "building"})


def type_of(entity: Entity, languages: tuple[str, ...]) -> str:
    """Return what type of thing an entity is: ``name``, ``date``, ``number``, ``boolean`` or ``time``."""
    if entity.type in ("boolean", "time"):
        return entity.type
    if entity_date(entity, languages) is not None:
        return "date"
    return "number" if entity_quantity(entity) is not None else "name"


def _nearest(
    type_: str, text: str, entities: Sequence[Entity], explainer: Explainer
) -> tuple[float, str | None]:
    """Return the distance of the entity that is most similar to a text, and its term."""
    from rapidfuzz.distance.Levenshtein import normalized_distance

    if type_ == "date":
        said = [value for date in find_dates(text, explainer.languages) for value in date.values]
        distances = [_date_distance(said, entity, explainer.languages) for entity in entities]
    else:
        own = folded_key(text)
        distances = [
            min([normalized_distance(own, form) for form in explainer.forms(entity)], default=1.0)
            for entity in entities
        ]
    return min(
        zip(distances, [entity.term for entity in entities], strict=True),
        key=itemgetter(0),
        default=(1.0, None),
    )


def _date_distance(said: Iterable[DateValue], entity: Entity, languages: tuple[str, ...]) -> float:
    """Return how many of the stated parts of a date differ from those of an entity, as a share."""
    meant = entity_date(entity, languages)
    if not isinstance(meant, PartialDate):
        return _OTHER_DATE
    differing = (_parts_that_differ(date, meant) for date in said if isinstance(date, PartialDate))
    return min(differing, default=_OTHER_DATE)


def _parts_that_differ(said: PartialDate, meant: PartialDate) -> float:
    from rapidfuzz.distance.Levenshtein import normalized_distance

    pairs = [(said.year, meant.year), (said.month, meant.month), (said.day, meant.day)]
    stated = [(a, b) for a, b in pairs if a is not None and b is not None]
    if len(stated) == 1:
        return normalized_distance(*map(str, stated[0]))
    return sum(a != b for a, b in stated) / len(stated) if stated else _OTHER_DATE
