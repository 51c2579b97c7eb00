"""The cheapest explanation of a number: a cell itself, or something that follows from a few of them.

The bits of an explanation are those that name its cells among all that are as near to the words of the
clause, and those of an operator that nothing in the sentence announces.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from math import log2
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from esascore.claims.cells import Amount, Record, converted, in_base
from esascore.claims.derivations import Derived
from esascore.claims.finding import Finding
from esascore.claims.known import Known
from esascore.claims.nearness import BEFORE, NAMED, REST, TOUCHED, Around, Nearness
from esascore.claims.reading import Quantity, Reading, Span
from esascore.claims.rounding import information, nearness, window
from esascore.lazy import lazy
from esascore.literals.units import Unit, may_mean

State = Literal["", "same", "derived", "silent", "part", "flag"]
"""Not explained; a cell itself; derived from cells; not judged; part of a number that is judged; wrong."""

NOT_EXPLAINED = 99.0
"""The cost of what nothing explains."""

SAME = 2.0
"""Bits that naming a cell may take in addition to those of the number."""

_OPERATOR = 3.0  # bits of an operator that nothing announces
_POOL = 60  # values that are tried as operands
_RECENT = 40  # numbers that were explained before
_CONTEXT = 300  # characters in which words announce an operator
_NEAREST = 14  # of them in threes
_ANOTHER_UNIT = 3.0  # bits from which a derivation does not count as a fit
_SMALL = 12
_MOST_APART = 3.0  # bits that putting three values together may take
_MULTIPLES = range(2, 13)
_SCALES = (1e3, 1e6, 1e9, 1e-2, 1e-3, 1e-6, 1e-9)
_TELLING = 7.0  # bits of a number that chance hardly produces
_SCALED = 2.0  # bits of counting in one of them

_CUES = {
    "difference": (
        r"sav\w+|less|more|fewer|higher|lower|by|differ\w*|above|below|ahead|behind|left|remain\w*|to go|ago"
        r"|after|later|earlier|since|rose|rise\w*|risen|fell|fall\w*|drop\w*|gain\w*|gap|margin|older"
        r"|younger|longer|shorter|cheaper|short of|spread|apart|down|up|grew|growth|chang\w*|increas\w*"
        r"|decreas\w*|improv\w*|still|unused|away|than|lost|lose|net|lead\w*|owe\w*|extra|better|worse|off"
        r"|discount\w*|reduc\w*|deficit|surplus|outstanding|over|further|spare|cut|minus|compared|versus|vs"
        r"|short|added|all but|except|slip\w*|dip\w*|climb\w*|jump\w*|farther"
        r"|faster|slower|taller|miss\w*|lowered|beat\w*"
    ),
    "sum": (
        r"total\w*|combin\w*|altogether|together|sum|in all|overall|both|across|add\w*|com(?:e|es|ing) to"
        r"|came to|plus|including|between them|amount\w*|all told"
    ),
    "share": (
        r"percent\w*|share|of|half|third|quarter\w*|out of|proportion|rate|fraction|majority|less|more|off"
        r"|below|above|under|over|ahead|behind|short|left|remain\w*|down|up|rose|fell|by|slip\w*|dip\w*|climb\w*|jump\w*|higher|lower|increas\w*|decreas\w*|grew|growth|full|discount\w*|account\w*"
        r"|contribut\w*|made up"
    ),
    "product": (
        r"times|each|per|at|x|every|double|twice|total\w*|com(?:e|es) to|came to|for|all|annual\w*|year\w*"
        r"|month\w*|week\w*|worth|plus|including|provides?"
    ),
    "mean": (
        r"averag\w*|mean|per|each|an? (?:day|night|week|month|year|person|piece)|typical\w*|every|works out"
    ),
    "time": (
        r"later|after|before|ago|since|until|between|lasts?|lasting|long|over|for|from|to|nights?|days?"
        r"|weeks?|months?|years?|hours?|minutes?|took|takes?|duration|within|in|early|late|delay\w*|stay\w*"
        r"|age\w*|old|run\w*|left|away"
    ),
}
_CUE = {
    name: re.compile(rf"(?<![\w-])(?:{words})(?![\w-])|[%×]", re.IGNORECASE) for name, words in _CUES.items()
}
_MORE = re.compile(
    r"(?<!\w)(?:increas\w*|rose|rise\w*|grew|growth|jump\w*|higher|faster|more than|up|gain\w*|climb\w*|above"
    r"|ahead|over|markup|surcharge)(?!\w)",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"(?<!\w)(?:reduc\w*|decreas\w*|drop\w*|fell|lower|slower|cheaper|less than|fewer|down|declin\w*|cut"
    r"|sav\w+|off|discount\w*|below|short of|shy of|behind|under|loss|los[te]|shr\w+)(?!\w)",
    re.IGNORECASE,
)
_SIGNS = frozenset("+-−–")
_BELOW = re.compile(r"(?<!\w)(?:below|beneath|under|minus|negative)(?!\w)", re.IGNORECASE)
_LEVELS = frozenset({"temperature", "temp", "elevation"})
_THAN_IN = re.compile(r"(?<!\w)(?:than|with|to|versus|from) (?:in )?$")
_CENTURY = re.compile(r"[\s-]centur(?:y|ies)\b")

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Explained:
    """How a number is explained at the lowest cost, in words and cells; or what is wrong with it."""

    claim: Quantity
    state: State = ""
    cost: float = NOT_EXPLAINED
    told: str = ""
    cells: tuple[int, ...] = ()
    finding: Finding | None = None

    def offer(self, cost: float, told: str, cells: tuple[int, ...], state: State = "derived") -> None:
        """Take an explanation if it is cheaper."""
        if cost < self.cost:
            self.cost, self.told, self.cells, self.state = cost, told, cells, state


class _Operand(NamedTuple):  # made by the dozen for every number that is no value of the input
    """A value that may be part of a derivation, with the bits that name it."""

    value: float
    unit: Unit | None
    cost: float
    cell: int | None
    said: bool = False
    counted: bool = False

    @property
    def dimension(self) -> str | None:
        return None if self.unit is None else self.unit.dimension


@dataclass
class Explainer:
    """Explains the numbers of one text.

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.model import Graph
    >>> from esascore.text.document import read
    >>> known = Known.of(record_of(Graph.from_data({"price_eur": 1290, "old_price_eur": 1650})))
    >>> reading = Reading(read("At €1,290 it is now €360 cheaper."))
    >>> explainer = Explainer(known, reading)
    >>> [(own.told, own.cells) for own in map(explainer.explain, reading.quantities)]
    [('same', (0,)), ('a difference', (0, 1))]
    """

    known: Known
    reading: Reading
    done: list[Explained] = field(default_factory=list)
    _near: dict[tuple[int, Span], Nearness] = field(default_factory=dict)
    _around: dict[int, Around] = field(default_factory=dict)
    _given: dict[str, Unit] = field(default_factory=dict)

    @property
    def record(self) -> Record:
        """The cells."""
        return self.known.record

    @lazy
    def _stated(self) -> Mapping[int, Mapping[int, set[Span]]]:
        """The cells that the numbers of a sentence state: they are available for derivations."""
        found: dict[int, dict[int, set[Span]]] = defaultdict(lambda: defaultdict(set))
        for claim in self.reading.quantities:
            if claim.decimals or abs(claim.value) > _SMALL or claim.unit:
                for n in self.known.near(claim):
                    own = self.record.numbers[n]
                    value = self.reckoned(claim, own) if own.whole else None
                    if value is not None and nearness(claim, value) is not None:
                        found[claim.sentence][own.cell].add(claim.outer)
        return found

    def nearness_of(self, claim: Quantity) -> Nearness:
        """Return how near the cells are to the words of a claim."""
        key = claim.sentence, claim.clause
        if key not in self._near:
            if claim.sentence not in self._around:
                self._around[claim.sentence] = Around(self.known.index, self.reading, claim.sentence)
            around = self._around[claim.sentence]
            self._near[key] = Nearness(self.known.index, self.reading, around, claim.clause)
        return self._near[key]

    def fit(self, claim: Quantity, own: Amount | Derived | _Operand) -> tuple[float, float] | None:
        """Return a value of the input in the unit of the text, with the bits that this takes."""
        said, unit = claim.unit, own.unit
        if said is None:
            return own.value, 0.0
        money = said.dimension.startswith("money")
        if unit is None or (isinstance(own, Amount) and own.soft and not money):
            if money:
                return own.value, 0.5 if said.dimension in self.record.dimensions else 0.0
            if said.dimension == "ratio":
                if 0 < abs(own.value) < 1:
                    return own.value * 100, 0.5
                return own.value, 1.0 if own.value == abs(claim.value) else 8.0
            return own.value, 2.5 if said.dimension in self.record.dimensions else 0.5
        if said.dimension == unit.dimension:
            return (own.value if money else converted(own.value, unit, said)), 0.0
        if may_mean(said, unit) or said.dimension.startswith(f"{unit.dimension}/"):
            return own.value, 0.5
        return None

    def reckoned(self, claim: Quantity, own: Amount | _Operand) -> float | None:
        """Return a value in the unit of a claim to reckon with; None if it has another one."""
        fit = self.fit(claim, own)
        return fit[0] if fit is not None and fit[1] < _ANOTHER_UNIT else None

    def explain(self, claim: Quantity) -> Explained:
        """Find the cheapest explanation of a number."""
        made = Explained(claim)
        self.done.append(made)
        if self._is_calendar(claim):
            made.offer(0.0, "as it is written", (), "same")
            return made
        near, bits = self.nearness_of(claim), information(claim)
        self._same(made, near)
        if made.cost > bits + SAME and claim.unit is None and not claim.ordinal:
            self._same_unit(made, near)
        if made.cost <= bits + SAME:
            if claim.unit is not None and not _is_percent(claim):
                paths = (self.record.cells[n].path for n in made.cells)
                self._given.update((path, claim.unit) for path in paths)
            return made
        cue = self.cues(claim)
        self._from_lists(made, cue)
        if made.cost <= 1:
            return made
        pool, budget = self._pool(claim, near), bits + 2
        with np.errstate(all="ignore"):  # results that are too large or undefined cannot be numbers of a text
            self._of_two(made, cue, pool, budget)
        if made.cost > budget and not _is_percent(claim):
            self._of_three(made, cue, pool, budget)
        return made

    def _is_calendar(self, claim: Quantity) -> bool:
        """Return whether a number is the year, the century or the day of a date of the input."""
        if claim.unit is not None:
            return False
        years = self.known.years_of_dates
        if claim.ordinal and _CENTURY.match(self.reading.lowered, claim.end):
            return any(-(-year // 100) == claim.value for year in years)
        if claim.ordinal:
            return claim.value in self.known.days_of_months
        before = claim.value + 1 in years and _THAN_IN.search(
            self.reading.lowered, max(0, claim.start - 16), claim.start
        )
        return claim.value in years or bool(before)  # "14 more than in 2024", of what is of 2025

    def _same(self, made: Explained, near: Nearness) -> None:
        """Try the values themselves, and them in thousands and millions."""
        claim = made.claim
        numbers, kinds = self.record.numbers, self.known.kinds
        for factor in (1.0, 100.0) if _is_percent(claim) else (1.0,):
            bits: dict[int, float] = {}
            some = self.known.near(claim, factor=factor)
            for n, cost in zip(some, near.costs(some).tolist(), strict=True) if some else ():
                own, kind = numbers[n], kinds[n]
                if kind not in bits:
                    bits[kind] = self._bits_of_same(claim, own)
                if bits[kind] < made.cost:
                    made.offer(bits[kind] + min(cost, 4) / 2, "same", (own.cell,), "same")
        for stated in self.done[-_RECENT:]:
            if stated.claim.sentence == claim.sentence and _is_restated(claim, stated):
                made.offer(stated.cost, stated.told, stated.cells, stated.state)
        money = claim.unit is not None and claim.unit.dimension.startswith("money")
        is_large = (claim.value >= 1000 or claim.decimals or money) and not _is_percent(claim)
        if is_large and made.cost > information(claim) + SAME:
            for scale in self._scales[claim.unit is None]:
                for n in self.known.near(claim, factor=scale):
                    cost = (
                        self._bits_of_same(claim, numbers[n], scale) + float(near.costs([n])[0]) / 2 + _SCALED
                    )
                    made.offer(cost, f"in units of {scale:g}", (numbers[n].cell,))

    def _same_unit(self, made: Explained, near: Nearness) -> None:
        """Try the unit of the numbers beside one that has none: "26 minutes, and the fourth just over 44"."""
        beside = self.reading.beside(made.claim)
        units = dict.fromkeys(own.unit for own in beside if own.unit is not None and not _is_percent(own))
        if len(units) == 1:
            alike = Explained(replace(made.claim, unit=units.popitem()[0]))
            self._same(alike, near)
            if alike.state == "same" and alike.cost + 1 <= information(made.claim):
                made.offer(alike.cost + 1, "same", alike.cells, "same")

    @lazy
    def _scales(self) -> Mapping[bool, Sequence[float]]:
        """The powers of ten that a text counts in, with and without units: half as often as plainly."""
        votes = Counter(
            (scale, claim.unit is None)
            for claim in filter(_is_telling, self.reading.quantities)
            for scale in (1.0, *_SCALES)
            for n in self.known.near(claim, factor=scale)[:1]
            if self._bits_of_same(claim, self.record.numbers[n], scale) < NOT_EXPLAINED
        )
        return {
            bare: [
                scale
                for scale in _SCALES
                if votes[scale, bare] > bare and 2 * votes[scale, bare] >= votes[1.0, bare]
            ]
            for bare in (False, True)
        }

    def _bits_of_same(self, claim: Quantity, own: Amount, scale: float = 1.0) -> float:
        """Return the bits that it takes to read a number of the input as one of the text."""
        fit = self.fit(claim, own)
        if fit is None or not self._has_sign(claim, own):
            return NOT_EXPLAINED
        offs = (nearness(claim, fit[0] * scale, said) for said in (claim.value, *claim.others))
        is_year = claim.unit is None and own.cell in self.known.years  # which nobody rounds
        fitting = [off for off in offs if off is not None and (not off or (own.whole and not is_year))]
        return min(fitting) + fit[1] + (0 if own.whole else 0.5) if fitting else NOT_EXPLAINED

    def _has_sign(self, claim: Quantity, own: Amount) -> bool:
        """Return whether a number has the sign of one above or below zero: a temperature, a height."""
        level = own.dimension == "temperature" or not _LEVELS.isdisjoint(
            self.record.cells[own.cell].key.words
        )
        if not level or not own.value or not claim.value or (claim.value > 0) == (own.value > 0):
            return True
        text = self.reading.text
        return text[claim.start] not in _SIGNS and _BELOW.search(text, *claim.clause) is not None

    def cues(self, claim: Quantity) -> dict[str, float]:
        """Return the cost of each operator: nothing if the clause announces it, less if the sentence does."""
        if not self.reading.document.language.english:
            return dict.fromkeys(_CUE, 2.0)  # what announces it is not known
        text = self.reading.text
        (left, right), (start, end) = claim.clause, claim.outer
        clause = f"{text[left:start]} {text[end:right]}"
        first, last = self.reading.sentences[claim.sentence]
        first, last = max(first, start - _CONTEXT), min(last, end + _CONTEXT)
        sentence = f"{text[first:start]} {text[end:last]}"
        return {
            name: 0.0 if cue.search(clause) else 1.0 if cue.search(sentence) else _OPERATOR
            for name, cue in _CUE.items()
        }

    def _from_lists(self, made: Explained, cue: Mapping[str, float]) -> None:
        """Try counts, sums and means of lists, then differences of time."""
        claim = made.claim
        words = self.reading.bases(*claim.clause), self.reading.sentence_bases[claim.sentence]
        operators = {
            "length": 0.0,
            "count": 1.0,
            "sum": cue["sum"],
            "mean": cue["mean"] + 1,
            "time": cue["time"],
        }
        low, high = window(claim, claim.value)
        for times, family in enumerate(self.known.derived):
            if claim.unit is None:
                some = family.within(low, high)
            else:
                some = family.measured if not times or claim.unit.dimension == "time" else ()
            fitting = []
            for own in some:
                fit = self.fit(claim, own)
                off = None if fit is None else nearness(claim, fit[0])
                if fit is not None and off is not None:
                    fitting.append((own, off + (2 * (claim.unit is None) if times else fit[1])))
            if not fitting:
                continue
            sizes: dict[tuple[int, bool], set[float]] = defaultdict(set)
            for (asked, inside), values in family.values.items():
                for level in range(_level(asked, *words), REST + 1):
                    sizes[level, inside] |= values
            for own, off in fitting:
                rank = log2(max(1, len(sizes[_level(own.words, *words), own.inside])))
                made.offer(operators[own.kind] + (0.7 if times else 1) * rank + off, own.told, ())

    def _pool(self, claim: Quantity, near: Nearness) -> list[_Operand]:
        """Return the values that may be operands, the nearest first."""
        stated = [cell for cell, by in self._stated[claim.sentence].items() if by - {claim.outer}]
        amounts, sums, operands = self.record.amounts, self.known.sums, self.known.operands
        costs = near.costs(operands)
        costs[np.isin(self.known.index.of_numbers[1][operands], stated)] = log2(max(1, len(stated)))
        said = [
            own
            for own in self.done[-_RECENT:]
            if own.state == "derived" and (own.claim.decimals or own.claim.value > _SMALL)
        ]
        here = [own.claim.sentence == claim.sentence for own in said]
        of_sum, of_said = log2(len(sums) + 1) + 1, (log2(len(said) + 4), log2(sum(here) + 1))
        ranked = np.concatenate([costs, [of_sum] * len(sums), [of_said[own] for own in here]])
        no_money = claim.unit is not None and not claim.unit.dimension.startswith("money")
        found: list[_Operand] = []
        for n in np.argsort(ranked, kind="stable")[:_POOL].tolist():
            cost, rest = float(ranked[n]), n - len(operands)
            if rest < 0:
                one = amounts[operands[n]]
                # A number without unit has the one that the text gives to its like.
                unit = one.unit or self._given.get(self.record.cells[one.cell].path)
                found.append(_Operand(one.value, None if one.soft and no_money else unit, cost, one.cell))
            elif rest < len(sums):
                found.append(_Operand(sums[rest].value, sums[rest].unit, cost, None))
            else:
                own = said[rest - len(sums)].claim
                found.append(_Operand(own.value, own.unit, cost, None, said=True))
        return found

    def _bits_of_two(self, some: Sequence[_Operand]) -> Floats:
        """Return the bits that name each two of some operands, which are in rising order of their costs."""
        costs = np.array([own.cost for own in some])
        peers = self.known.peers[[-1 if own.cell is None else own.cell for own in some]]
        path, home, of_path, of_home = peers.T[:, :, None]
        second = np.where(path == path.T, of_path, np.where(home == home.T, of_home, np.inf))
        bits = np.maximum(costs[:, None] + np.minimum(costs, second) - 1, 0.0)
        upper: Floats = np.triu(bits, 1)
        found: Floats = upper + upper.T
        np.fill_diagonal(found, np.inf)
        return found

    def _kin(self, one: _Operand, other: _Operand) -> float:
        """Return the bits that putting two operands together takes."""
        if one.cell is None or other.cell is None:
            return 0.0 if one.said or other.said else 1.0
        a, b = self.record.cells[one.cell], self.record.cells[other.cell]
        if (a.home and a.home == b.home) or a.own & b.own:
            return 0.0
        return 1.0 if a.home == b.home else 2.0

    def _of_two(
        self, made: Explained, cue: Mapping[str, float], pool: Sequence[_Operand], budget: float
    ) -> None:
        """Try sums, differences, shares, products, quotients and percentages of two values."""
        claim, counts = made.claim, self.known.counts
        some = [
            *pool,
            *(_Operand(own.value, None, log2(len(counts) + 1) + 3, None, counted=True) for own in counts),
        ]
        some = sorted((own for own in some if own.cost <= budget + 1), key=lambda own: own.cost)[:_POOL]
        if len(some) < 2:
            return
        low, high = window(claim, claim.value)
        bits = self._bits_of_two(some)
        for kind, results, extra in self._tables(claim, some):
            rows, columns = np.nonzero((results >= low) & (results <= high) & (bits <= budget))
            for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
                one, other = some[i], some[j]
                if one.cell is not None and one.cell == other.cell:
                    continue
                operator = self._operator(claim, kind, one, other, cue)
                off = None if operator is None else nearness(claim, float(results[i, j]))
                if operator is not None and off is not None:
                    kin = self._kin(one, other) * (3 if kind == "product" else 1)
                    made.offer(
                        float(bits[i, j]) + kin + operator + extra + off, f"a {kind}", _cells(one, other)
                    )

    def _tables(self, claim: Quantity, some: Sequence[_Operand]) -> Iterator[tuple[str, Floats, float]]:
        """Yield what each operator gives for each two operands, and the bits that it takes besides."""
        fitting = (None if own.counted else self.reckoned(claim, own) for own in some)
        reckoned = np.array(list(fitting), float)  # None is not a number
        yield "difference", np.abs(np.subtract.outer(reckoned, reckoned)), 0.0
        yield "sum", np.abs(np.add.outer(reckoned, reckoned)), 0.0
        sizes = np.abs([_in_unit_of(claim, own) for own in some])
        quotients: Floats = np.divide.outer(sizes, sizes)
        if _is_percent(claim) or (claim.unit is None and claim.value < 1):
            yield from _shares(quotients, 100 if _is_percent(claim) else 1, *self._changes(claim))
            return
        yield "product", np.multiply.outer(sizes, sizes), 0.0
        yield "quotient", quotients, 0.0
        rate = np.where(sizes >= 1, sizes / 100, sizes)
        for factor in (rate, 1 + rate, 1 - rate):
            yield "part", np.multiply.outer(sizes, factor), 0.0

    def _changes(self, claim: Quantity) -> tuple[bool, bool]:
        """Return whether the clause says that something is more, or less, by the percentage in it."""
        text, (left, right), (start, end) = self.reading.text, claim.clause, claim.outer
        if text.startswith(" of ", end):
            return False, False
        before = text[left:start]
        more, less = (words.search(before) or words.search(text, end, right) for words in (_MORE, _LESS))
        return more is not None, less is not None

    def _operator(
        self, claim: Quantity, kind: str, one: _Operand, other: _Operand, cue: Mapping[str, float]
    ) -> float | None:
        """Return the bits of an operator between values of these dimensions; None where it makes no sense."""
        target = None if claim.unit is None else claim.unit.dimension
        a, b = one.dimension, other.dimension
        if kind in ("sum", "difference"):
            if a != b and ((a and b) or target is None):
                return None
            alike = self._are_alike(claim, one, other) and (not _is_percent(claim) or a in (None, "ratio"))
            return cue[kind] if alike and (kind, a) != ("sum", "temperature") else None
        if kind == "share":
            return None if a and b and a != b else cue["share"] + 0.5
        money = target is not None and target.startswith("money")
        more = 2.0 if target is None and (a or b) else 0.0
        fits = target is None or a is b is None or (target == a and (b in (None, "ratio") or money))
        if kind == "part":  # a percentage of an amount
            if not fits or not (b == "ratio" or (b is None and 0 < abs(other.value) < 1)):
                return None
            return more + min(cue["share"], cue["difference"], cue["product"]) + (1.5 if b else 3.5)
        if kind == "quotient":
            if target is not None and (b == f"{a}/{target}" or target == f"{a}/{b}"):
                return 1.0  # how long what is left lasts, how fast something was
            fits = fits or bool(target and a and b and target == a)
            return more + cue["mean"] + (2.0 if cue["mean"] else 0.5) if fits else None
        return more + cue["product"] + 1 + (2.0 if cue["product"] >= _OPERATOR else 0.0) if fits else None

    def _are_alike(self, claim: Quantity, one: _Operand, other: _Operand) -> bool:
        """Return whether the noun after a number names the attribute of both cells, or of neither."""
        if claim.unit is not None or one.cell is None or other.cell is None:
            return True
        last = self.reading.sentences[claim.sentence][1]
        words = self.reading.words_after(claim.end, 2, last)
        named = {own for word in words for own in self.known.index.matches(word)}
        a, b = (self.record.cells[own.cell].own for own in (one, other) if own.cell is not None)
        return named.isdisjoint(a) == named.isdisjoint(b)

    def _of_three(
        self, made: Explained, cue: Mapping[str, float], pool: Sequence[_Operand], budget: float
    ) -> None:
        """Try sums and differences of three values, small multiples of one, and so many at a discount."""
        claim = made.claim
        near = [
            (own, value)
            for own in pool
            if own.cost <= budget / 2 + 1 and (value := self.reckoned(claim, own)) is not None
        ][:_NEAREST]
        low, high = window(claim, claim.value)
        said = {own.value for own in self.reading.beside(claim) if own.value in _MULTIPLES}
        for times, (one, a) in product(said if claim.unit else (), near):
            for other, b in (*near, (None, 0.0)):
                if other is one:
                    continue
                rest = 0.0 if other is None else other.cost
                if nearness(claim, a * times - b) == 0:
                    made.offer(one.cost + rest + 2, "a multiple", _cells(one))
                if other is not None and any(nearness(claim, a * times + b * more) == 0 for more in said):
                    made.offer(one.cost + rest + 3, "a sum of multiples", _cells(one, other))
        money = claim.unit is not None and claim.unit.dimension.startswith("money")
        prices = [own for own in pool if (own.dimension or "").startswith("money")] if money else []
        numbers = [own for own in pool if own.unit is None and own.value > 1]
        rates = [own for own in pool if 0 < _share_of(own) < 1]
        for price, number, rate in product(*(some[:_NEAREST] for some in (prices, numbers, rates))):
            whole, share = price.value * number.value, _share_of(rate)
            if any(nearness(claim, whole * factor) == 0 for factor in (share, 1 - share, 1 + share)):
                told = "a percentage of a product"
                made.offer(price.cost + number.cost + rate.cost + 3, told, _cells(price, number, rate))
        for some in combinations(near, 3):
            operands = [own for own, _ in some]
            total = sum(value for _, value in some)
            for less in (0.0, *(value for _, value in some)):
                value = abs(total - 2 * less)
                if not low <= value <= high or (off := nearness(claim, value)) is None:
                    continue
                dimensions = {own.dimension for own in operands}
                if "temperature" in dimensions or (claim.unit is None and len(dimensions) > 1):
                    continue
                kin = sum(self._kin(*two) for two in combinations(operands, 2))
                cost = max(0.0, sum(own.cost for own in operands) - 2.6) + kin
                if kin <= _MOST_APART and cost <= budget:
                    operator = cue["difference" if less else "sum"]
                    made.offer(cost + operator + off + 2, "three values", _cells(*operands))


def _cells(*some: _Operand) -> tuple[int, ...]:
    return tuple(own.cell for own in some if own.cell is not None)


def _is_restated(claim: Quantity, stated: Explained) -> bool:
    """Return whether a number repeats one that is explained in another unit: "180 cm (5 ft 11 in)"."""
    said, unit = stated.claim.unit, claim.unit
    if stated.state not in ("same", "derived") or said is None or unit is None or said is unit:
        return False
    if said.dimension != unit.dimension or unit.dimension.startswith("money"):
        return False
    return nearness(claim, converted(stated.claim.value, said, unit)) is not None


def _share_of(own: _Operand) -> float:
    """Return what share a percentage is, or a number without unit."""
    return own.value / 100 if own.dimension == "ratio" else own.value if own.unit is None else 0.0


def _is_telling(claim: Quantity) -> bool:
    """Return whether a number is one that chance hardly gives, and no percentage."""
    return information(claim) >= _TELLING and not _is_percent(claim)


def _is_percent(claim: Quantity) -> bool:
    return claim.unit is not None and claim.unit.dimension == "ratio"


def _in_unit_of(claim: Quantity, own: _Operand) -> float:
    """Return an operand in the unit of a claim; for a share any unit will do, but the same."""
    if own.unit is None or claim.unit is None or own.unit.dimension.startswith("money"):
        return own.value
    if own.dimension == claim.unit.dimension:
        return converted(own.value, own.unit, claim.unit)
    return own.value * in_base(own.unit)[0] if _is_percent(claim) else own.value


def _level(words: frozenset[str], clause: frozenset[str], sentence: frozenset[str]) -> int:
    """Return how near what some words ask for is to a clause and its sentence."""
    if words and words <= clause:
        return NAMED
    if words & clause or (words and words <= sentence):
        return TOUCHED
    return BEFORE if words & sentence else REST


def _shares(quotients: Floats, times: int, more: bool, less: bool) -> Iterator[tuple[str, Floats, float]]:
    """Yield what share one value is of another, or of its change, and the bits that each takes besides.

    A value that grew is more than it was, one that fell less; the clause may say which is meant.
    """
    smaller, larger = np.minimum(quotients, quotients.T), np.maximum(quotients, quotients.T)
    if less or not more:
        yield "share", (1 - smaller) * times, 0.0 if less else 3.0
    if more or not less:
        yield "share", (larger - 1) * times, 0.0
    if not (more or less):
        yield "share", smaller * times, 0.0
        yield "share", np.where(quotients < 10, quotients, 0) * times, 0.0
