"""The greedy cover: phrases that explain most values of the texts at the least cost in wrong ones.

The phrase that explains the most values not yet explained comes first, a value's own words before all others.
An accepted phrase claims its words: uses of shorter phrases inside it no longer count, so "not family
friendly" cleans the record of "family friendly". A record that chance explains makes no phrase for a value.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from types import MappingProxyType

from esascore.learned.wordings.material import Material, Settings, grams
from esascore.lexicon.phrasings import NEGATION_REACH, NO, YES
from esascore.lexicon.truths import truth
from esascore.text.clauses import NOT, Bases, Clauses, phrase
from esascore.text.vocabulary import function_words

Place = tuple[int, int]
"""The number of a text, and where in its bases a phrase begins."""
_SEED = 1e9
_OPPOSITE = MappingProxyType({YES: NO, NO: YES})


def tail(hits: int, trials: int, rate: float) -> float:
    """Return the probability of at least this many hits in independent trials.

    Examples
    --------
    >>> round(tail(2, 2, 0.5), 6), round(tail(0, 5, 0.1), 6), tail(3, 3, 1.0)
    (0.25, 1.0, 1.0)
    """
    if rate >= 1 or hits <= 0:
        return 1.0
    logs = math.log(max(rate, 1e-9)), math.log1p(-rate)
    whole = math.lgamma(trials + 1)
    return sum(
        math.exp(
            whole - math.lgamma(k + 1) - math.lgamma(trials - k + 1) + k * logs[0] + (trials - k) * logs[1]
        )
        for k in range(hits, trials + 1)
    )


def literal(attribute: str, value: str) -> Bases:
    """Return the words that need no learning: the value's own, for a truth value the attribute's.

    Examples
    --------
    >>> literal("family friendly", "no"), literal("price", "less than £20")
    (('not', 'famil', 'friend'), ('less', 'than', '20'))
    """
    if value not in (YES, NO):
        return phrase(value)
    own = truth(attribute)
    if own is None:
        return ()
    return own.yes.bases if value in own.yes.values else (NOT, *own.yes.bases)


class Cover:
    """Chooses phrases on some material; `forms` has, by attribute and phrase, the values of each."""

    def __init__(self, material: Material, settings: Settings):
        self.forms: dict[tuple[str, Bases], frozenset[str]] = {}
        self._material, self._settings = material, settings
        self._values = {
            a: [
                None if a in material.unclear[text.input] else material.value(text, a)
                for text in material.texts
            ]
            for a in material.attributes
        }
        self._prior = {
            a: {value: count / max(1, len(material.texts)) for value, count in Counter(own).items()}
            for a, own in self._values.items()
        }
        self._truths = {a for a, prior in self._prior.items() if {YES, NO} & prior.keys()}
        self._negated = [
            {n for n in range(len(text.bases)) if Clauses(text.bases, ()).negated(n, NEGATION_REACH)}
            for text in material.texts
        ]
        self._cost = settings.precision / (1 - settings.precision)
        self._inputs = {text.input for text in material.texts}
        self._where = self._places()
        self._inside: list[dict[int, list[Bases]]] = [{} for _ in material.texts]
        for own, places in self._where.items():
            for text, start in places:
                self._inside[text].setdefault(start, []).append(own)
        self._uses: dict[tuple[str, Bases], Counter[str | None]] = {}
        self._fresh: dict[tuple[str, Bases], Counter[str | None]] = {}
        self._explained: dict[str, set[int]] = {a: set() for a in material.attributes}
        self._gone: dict[str, set[tuple[int, int, Bases]]] = {a: set() for a in material.attributes}

    def choose(self, progress: Callable[[], None] = lambda: None) -> None:
        """Choose phrases until none explains anything more."""
        least = self._settings.support
        self._count()
        seeds = {
            (a, literal(a, value)) for a, prior in self._prior.items() for value in prior if value is not None
        }
        heap = [
            (-gain - (_SEED if key in seeds else 0), -len(key[1]), key)
            for key in self._uses
            if (gain := self._gain(key)[0]) >= least
        ]
        heapq.heapify(heap)
        while heap:
            worth, _, key = heapq.heappop(heap)
            gain, values = self._gain(key)
            if gain < least or key in self.forms:
                continue
            is_seed = -worth >= _SEED / 2
            if not is_seed and gain < -worth - 1e-9:
                heapq.heappush(heap, (-gain, -len(key[1]), key))
                continue
            if key in self.forms or not self._is_sound(key, values):
                continue
            self.forms[key] = values
            progress()
            for other in self._accept(key, values):
                if other not in self.forms and (gain := self._gain(other)[0]) >= least:
                    heapq.heappush(heap, (-gain, -len(other[1]), other))

    def _places(self) -> dict[Bases, list[Place]]:
        """Return where the phrases are that enough inputs about enough subjects show."""
        where: dict[Bases, list[Place]] = defaultdict(list)
        for number, text in enumerate(self._material.texts):
            for start, own in grams(text.bases, self._settings.longest):
                where[own].append((number, start))
        texts, subjects = self._material.texts, self._material.subjects
        kept: dict[Bases, list[Place]] = {}
        for own, places in where.items():
            if len(places) < self._settings.support:
                continue
            inputs = {texts[text].input for text, _ in places}
            about = {subjects[number] for number in inputs}
            if len(inputs) >= self._settings.support and len(about) >= self._settings.subjects:
                kept[own] = places
        return kept

    def _count(self) -> None:
        """Count the values beside each phrase, for the attributes that it may have to do with."""
        grammar = _grammar()
        limit = self._settings.support
        for own, places in self._where.items():
            empty = all(base in grammar or base.isdigit() or base == NOT for base in own)
            texts = [text for text, _ in places]
            for attribute, values in self._values.items():
                if attribute in self._truths:
                    counts = Counter(self._value(attribute, text, start, own) for text, start in places)
                else:
                    counts = Counter(map(values.__getitem__, texts))
                known = [count for value, count in counts.items() if value is not None]
                if known and max(known) >= limit:
                    if empty and not self._is_literal(attribute, own):
                        continue
                    self._uses[attribute, own] = counts
                    self._fresh[attribute, own] = Counter(counts)

    def _value(self, attribute: str, text: int, start: int, own: Bases) -> str | None:
        """Return the value that a phrase is beside; a negation before it reverses a truth value."""
        value = self._values[attribute][text]
        if attribute in self._truths and value is not None and start in self._negated[text]:
            return value if NOT in own else _OPPOSITE.get(value)
        return value

    def _is_literal(self, attribute: str, own: Bases) -> bool:
        return any(value is not None and literal(attribute, value) == own for value in self._prior[attribute])

    def _gain(self, key: tuple[str, Bases]) -> tuple[float, frozenset[str]]:
        """Return what a phrase newly explains, less the cost of its wrong uses; and its values."""
        values = self._speaks_for(key)
        if not values:
            return 0.0, values
        uses = self._uses[key]
        wrong = sum(uses.values()) - sum(uses[value] for value in values)
        return sum(self._fresh[key][value] for value in values) - self._cost * wrong, values

    def _speaks_for(self, key: tuple[str, Bases]) -> frozenset[str]:
        """Return the likeliest value of a phrase, and any other that stands out among the rest."""
        settings, prior = self._settings, self._prior[key[0]]
        # A negated phrase counts for the opposite value, which no input need have, so it teaches nothing.
        left = {value: count for value, count in self._uses[key].items() if count > 0}
        weight = dict(prior)
        total, good = sum(left.values()), []
        while left:
            size, mass = sum(left.values()), sum(weight.values())
            best = max(
                (value for value in left if value in weight and value is not None),
                key=lambda value: (left[value] / weight[value], value),
                default=None,
            )
            if best is None or left[best] < max(2, settings.share * total):
                break
            usual = _odds(weight[best] / mass, len(self._material.texts))
            if _odds(left[best] / size, size) < settings.lift * usual:
                break
            good.append(best)
            del left[best], weight[best]
        most = max(1, sum(value is not None for value in prior) // settings.most)
        return frozenset(good) if len(good) <= most else frozenset()

    def _is_sound(self, key: tuple[str, Bases], values: frozenset[str]) -> bool:
        """Return whether enough inputs and subjects show a phrase that chance does not explain."""
        attribute, own = key
        material, gone = self._material, self._gone[attribute]
        inputs: set[int] = set()
        hits: set[int] = set()
        for text, start in self._where[own]:
            right = self._value(attribute, text, start, own) in values
            if (text, start, own) not in gone and not (right and text in self._explained[attribute]):
                inputs.add(material.texts[text].input)
                hits.update([material.texts[text].input] if right else ())
        if len(hits) < self._settings.support:
            return False
        if len({material.subjects[number] for number in hits}) < self._settings.subjects:
            return False
        usual = sum(material.values[number].get(attribute) in values for number in self._inputs)
        return tail(len(hits), len(inputs), usual / len(self._inputs)) <= self._settings.chance

    def _accept(self, key: tuple[str, Bases], values: frozenset[str]) -> set[tuple[str, Bases]]:
        """Claim the words of a phrase, and return the phrases whose counts change."""
        attribute, own = key
        touched: set[tuple[str, Bases]] = set()
        for text, start in self._where[own]:
            if (text, start, own) in self._gone[attribute]:
                continue
            value, end = self._value(attribute, text, start, own), start + len(own)
            if value in values and text not in self._explained[attribute]:
                self._explain(attribute, text)
            for begin in range(max(0, start - len(own) + 1), end):
                for other in self._inside[text].get(begin, ()):
                    if len(other) > len(own) or other == own or begin + len(other) <= start:
                        continue
                    nested = start <= begin and begin + len(other) <= end and len(other) < len(own)
                    for affected in self._material.attributes if nested else (attribute,):
                        if (affected, other) in self._uses:
                            self._take(affected, text, begin, other)
                            touched.add((affected, other))
        return touched

    def _explain(self, attribute: str, text: int) -> None:
        """Note that a text says its value: no other phrase in it explains anything new."""
        self._explained[attribute].add(text)
        gone, turns, value = self._gone[attribute], attribute in self._truths, self._values[attribute][text]
        for begin, some in self._inside[text].items():
            for other in some:
                fresh = self._fresh.get((attribute, other))
                if fresh is not None and (text, begin, other) not in gone:
                    fresh[self._value(attribute, text, begin, other) if turns else value] -= 1

    def _take(self, attribute: str, text: int, start: int, own: Bases) -> None:
        if (text, start, own) not in self._gone[attribute]:
            self._gone[attribute].add((text, start, own))
            value = self._value(attribute, text, start, own)
            self._uses[attribute, own][value] -= 1
            if text not in self._explained[attribute]:
                self._fresh[attribute, own][value] -= 1


@cache
def _grammar() -> frozenset[str]:
    """Return the bases of words without content."""
    return frozenset(base for word in function_words() for base in phrase(word))


def _odds(share: float, size: int) -> float:
    return (share * size + 0.5) / ((1 - share) * size + 0.5)
