"""Learns surface forms from annotated data: which strings people annotated as an entity, and how reliably.

The result is a lexicon that a person can read and correct. It must not learn what hides mistakes: an
annotation that swallowed a neighbour ("in London" as part of a building) would explain every text that puts
the building in London. So a form that names a place or another entity of the corpus is not learned, nor one
that surrounds a known form with anything but common words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from esascore.gold.mentions.benchmark import AnnotatedText
from esascore.gold.mentions.locate import located
from esascore.lexicon import Lexicon, label
from esascore.lexicon.entity_types import type_words
from esascore.lexicon.places import by_name
from esascore.model import Entity
from esascore.text.document import Document
from esascore.text.normalize import folded
from esascore.text.tokenize import split_words
from esascore.text.vocabulary import month_numbers
from esascore.text.words import Phrase, name_words
from esascore.wordlists import load

WordRange = tuple[int, int]
"""First word and the word after the last one."""

COLUMNS = ("kind", "entity", "form", "cost", "annotated", "occurs")
_DETERMINERS = frozenset({"the", "a", "an", "this", "that", "these", "those"})
_SURE = 0.8
_UNSURE_COST = 0.05
_SAME_THING = 0.02
"""The cost up to which a variant names the entity and nothing near it."""
_MIN_DROP_COUNT = 5
_MAX_DROP_PRECISION = 0.1
"""A variant is excluded if it occurs at least this often and is annotated in at most this share."""
_PARTICLES = frozenset({"and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "s", "to", "with"})


@dataclass(frozen=True, slots=True)
class Mined:
    """A form learned for an entity.

    Of ``occurs`` occurrences of the form in texts whose input has the entity, ``annotated`` are annotated as
    it. Occurrences inside a longer mention of the same entity are not counted, as they tell nothing.
    """

    kind: str
    entity: str
    form: str
    cost: float
    annotated: int
    occurs: int


def mine(
    texts: Sequence[AnnotatedText],
    *,
    lexicon: Lexicon | None = None,
    min_count: int = 2,
    min_precision: float = 0.5,
) -> list[Mined]:
    """Learn aliases, and forms to exclude, from annotated texts.

    Parameters
    ----------
    texts
        What to learn from.
    lexicon
        Knows the variants that need not be learned; by default the package's own rules.
    min_count, min_precision
        An alias was annotated at least that often, and in at least that share of its occurrences.

    Returns
    -------
    list
        Aliases and refused forms by entity, the most frequent first.
    """
    rules = lexicon or Lexicon()
    seen = _observed(texts)
    foreign = _foreign_names((own.entity for own in seen.values()), rules)
    found: list[Mined] = []
    for term, own in sorted(seen.items()):
        if _is_quantity(label(term)):
            continue
        known: dict[Phrase, str] = {}
        for variant in rules.variants(own.entity):
            if form := name_words(variant.text):
                known.setdefault(form, variant.text)
        aliases = []
        for form, spellings in own.annotated(known).items():
            count = spellings.total()
            written = min(spellings.items(), key=lambda item: (-item[1], item[0]))[0]
            if count >= min_count and _may_be_learned(form, written, known, foreign):
                where = own.occurrences(form)
                occurs = count + where["elsewhere"] + where["in others"]
                if count >= min_precision * occurs:
                    cost = 0.0 if count >= _SURE * occurs else _UNSURE_COST
                    aliases.append(Mined("alias", term, written, cost, count, occurs))
        drops = []
        for form, text in known.items():
            where = own.occurrences(form)
            occurs = where["own"] + where["elsewhere"]
            is_rare = occurs >= _MIN_DROP_COUNT and where["own"] <= _MAX_DROP_PRECISION * occurs
            # Another entity of the same label is annotated where the label is.
            if is_rare and where["elsewhere"] and text != label(term):
                drops.append(Mined("drop", term, text, 0.0, where["own"], occurs))
        found += sorted(aliases, key=lambda m: (-m.annotated, m.form))
        found += sorted(drops, key=lambda m: (-m.occurs, m.form))
    return found


def lexicon_lines(found: Iterable[Mined], *, source: str) -> Iterator[str]:
    """The lines of a user's lexicon that holds what was learned.

    Examples
    --------
    >>> learned = [Mined("alias", "Zorblax", "Zorb", 0.0, 4, 5)]
    >>> print("".join(lexicon_lines(learned, source="a corpus")))  # doctest: +NORMALIZE_WHITESPACE
    # Surface forms learned from annotations by esascore lexicon mine: correct what is wrong.
    # source: a corpus
    # annotated: how often the form was annotated as the entity, of the times that it occurs
    # columns: kind	entity	form	cost	annotated	occurs
    alias	Zorblax	Zorb	0	4	5
    """
    yield "# Surface forms learned from annotations by esascore lexicon mine: correct what is wrong.\n"
    yield f"# source: {' '.join(source.split())}\n"
    yield "# annotated: how often the form was annotated as the entity, of the times that it occurs\n"
    yield "# columns: " + "\t".join(COLUMNS) + "\n"
    for m in found:
        cells = (m.kind, " ".join(m.entity.split()), m.form, f"{m.cost:g}", str(m.annotated), str(m.occurs))
        yield "\t".join(cells) + "\n"


class _Annotated(NamedTuple):
    """A located mention; ``name`` is its range without determiner and possessive, None for a pronoun."""

    entity: str
    range: WordRange
    name: WordRange | None

    def holds(self, found: WordRange) -> bool:
        """Return whether an occurrence lies in the mention."""
        return self.range[0] <= found[0] and found[1] <= self.range[1]


class _Text:
    """A text, where each of its folded words occurs, and what is annotated."""

    def __init__(self, source: AnnotatedText):
        self._document = Document(*source.item)
        self._words = words = self._document.words
        self._positions: defaultdict[str, list[int]] = defaultdict(list)
        for position, word in enumerate(words.texts):
            self._positions[word].append(position)
        self.annotated: list[_Annotated] = []
        for mention, (start, end) in located(source.reference):
            inside = [n for n in range(len(words)) if start <= words.starts[n] and words.ends[n] <= end]
            if inside:
                whole = (inside[0], inside[-1] + 1)
                name = None if mention.kind == "pronoun" else self._name(*whole)
                self.annotated.append(_Annotated(mention.entity, whole, name))

    def at(self, range_: WordRange) -> Phrase:
        """Return the folded words of a range."""
        return self._words.texts[slice(*range_)]

    def find(self, form: Phrase) -> Iterator[WordRange]:
        """Yield the occurrences of a form."""
        for start in self._positions.get(form[0], ()):
            if self.at((start, start + len(form))) == form:
                yield start, start + len(form)

    def written(self, range_: WordRange) -> str:
        """Return words as the text writes them."""
        start, end = self._words.starts[range_[0]], self._words.ends[range_[1] - 1]
        return " ".join(self._document.text[start:end].split())

    def _name(self, start: int, end: int) -> WordRange | None:
        """Return the range of a mention without determiner and possessive, None if nothing is left."""
        text, words = self._document.text, self._words
        # "A.E" begins with a letter, not with an article.
        while start < end and words.texts[start] in _DETERMINERS and text[words.ends[start] :][:1].isspace():
            start += 1
        if end - start > 1 and words.texts[end - 1] == "s" and text[words.starts[end - 1] - 1] in "'’":
            end -= 1
        return (start, end) if start < end else None


@dataclass(frozen=True, slots=True)
class _Seen:
    """Observations of one entity in the texts of its inputs."""

    entity: Entity
    texts: list[_Text] = field(default_factory=list)

    def annotated(self, known: Collection[Phrase]) -> dict[Phrase, Counter[str]]:
        """Count the annotated forms that are not known, by how they are written.

        A mention inside a known form was cut short ("F.C" of "F.C. Bari") and teaches nothing.
        """
        found: dict[Phrase, Counter[str]] = {}
        for text in self.texts:
            names = [m.name for m in text.annotated if m.entity == self.entity.term and m.name]
            unknown = [name for name in names if text.at(name) not in known]
            if unknown:
                whole = [place for form in known for place in text.find(form)]
                for name in unknown:
                    if not any(start <= name[0] and name[1] <= end for start, end in whole):
                        found.setdefault(text.at(name), Counter())[text.written(name)] += 1
        return found

    def occurrences(self, form: Phrase) -> Counter[str]:
        """Count a form in mentions of the entity (``own``), in those of others only, and elsewhere."""
        counts: Counter[str] = Counter()
        for text in self.texts:
            for found in text.find(form):
                holders = {m.entity for m in text.annotated if m.holds(found)}
                is_own = self.entity.term in holders
                counts["own" if is_own else "in others" if holders else "elsewhere"] += 1
        return counts


def _observed(texts: Iterable[AnnotatedText]) -> dict[str, _Seen]:
    seen: dict[str, _Seen] = {}
    for annotated in texts:
        text = _Text(annotated)
        for entity in annotated.example.input.entities:
            seen.setdefault(entity.term, _Seen(entity)).texts.append(text)
    return seen


def _may_be_learned(
    form: Phrase, written: str, known: Collection[Phrase], foreign: Collection[Phrase]
) -> bool:
    own_words = {word for variant in known for word in variant}
    if any(word.isdigit() and word not in own_words for word in form):
        return False  # dates and numbers
    if sum(map(len, form)) < 2 or not _pronouns().isdisjoint(form):
        return False
    if all(word in _DETERMINERS or word in _PARTICLES or word in _nouns() for word in form):
        return False  # "the airport": a description, not a name
    if written.islower() and any(variant[-len(form) :] == form for variant in known):
        return False  # "the pudding" for Bakewell pudding: a description too
    parts = {form[start:end] for start in range(len(form)) for end in range(start + 1, len(form) + 1)}
    if any(variant in parts for variant in known) and not _adds_common_words(written, own_words):
        return False  # a known form with a neighbour that may be a name
    return form not in foreign and not any(part in foreign and not _within(part, known) for part in parts)


def _adds_common_words(written: str, own_words: Collection[str]) -> bool:
    """Return whether what a form has beyond the entity's own words is in lower case or a noun for a type."""
    added = [word for word in split_words(written).texts if folded(word) and folded(word) not in own_words]
    return bool(added) and all(
        folded(word) in _nouns() or (word.islower() and word.isalpha()) for word in added
    )


def _is_quantity(text: str) -> bool:
    """Return whether a label is a number or a date, which have detectors of their own."""
    words = name_words(text.partition("(")[0])
    digits = [word for word in words if word[0].isdigit()]
    others = [word for word in words if not word[0].isdigit()]
    return not others or (bool(digits) and all(word in _quantity_words() or len(word) < 3 for word in others))


def _foreign_names(entities: Iterable[Entity], rules: Lexicon) -> frozenset[Phrase]:
    """Return the names of places and of entities, and the parts that commas and parentheses mark in them."""
    names = {name_words(name) for name in by_name()}
    for entity in entities:
        text = label(entity.term)
        names.update(name_words(part) for part in text.replace("(", ",").replace(")", ",").split(","))
        names.update(name_words(v.text) for v in rules.variants(entity) if v.cost <= _SAME_THING)
    return frozenset(name for name in names if any(len(word) > 1 and not word.isdigit() for word in name))


def _within(part: Phrase, known: Collection[Phrase]) -> bool:
    """Return whether a part of a form belongs to what the entity is called anyway."""
    return any(
        variant[start : start + len(part)] == part for variant in known for start in range(len(variant))
    )


@cache
def _nouns() -> frozenset[str]:
    return frozenset(word for _, nouns in type_words().values() for noun in nouns for word in noun.split())


@cache
def _pronouns() -> frozenset[str]:
    relative = {"relative", "demonstrative", "relative|demonstrative"}
    rows = load("pronouns")
    word, case = rows.columns.index("pronoun"), rows.columns.index("case")
    # Relatives and "us", which is also a country, occur in names.
    return frozenset(row[word].casefold() for row in rows.rows if row[case] not in relative) - {"us"}


@cache
def _quantity_words() -> frozenset[str]:
    units = (word for row in load("units").rows for cell in row for word in name_words(cell))
    return frozenset({*month_numbers(), *units, "thousand", "million", "billion", "trillion"})
