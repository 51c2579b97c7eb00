"""The cheapest explanation of a number: a cell itself, or something that follows from a few of them.

The bits of an explanation are those that name its cells among all that are as near to the words of the
clause, and those of an operator that nothing in the sentence announces.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise, product
from math import log2
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from esascore.claims.cells import Amount, Record, converted, in_base
from esascore.claims.derivations import Derived
from esascore.claims.known import Known
from esascore.claims.nearness import BEFORE, NAMED, REST, TOUCHED, Around, Nearness
from esascore.claims.reading import Quantity, Reading, Span
from esascore.claims.rounding import information, nearness, window
from esascore.lazy import lazy
from esascore.literals.units import Unit, may_mean, unit_named

State = Literal["", "same", "derived", "silent", "part", "flag"]
"""Not explained; a cell itself; derived from cells; not judged; part of a number that is judged; wrong."""

NOT_EXPLAINED = 99.0
"""The cost of what nothing explains."""

SAME = 2.0
"""Bits that naming a cell may take beyond those of the number."""

_OPERATOR = 3.0  # bits of an operator that nothing announces
_POOL = 60  # values that are tried as operands
_RECENT = 40  # numbers that were explained before
_CONTEXT = 300  # characters in which words announce an operator
_NEAREST = 14  # of them in threes
_ANOTHER_UNIT = 3.0  # bits from which a fit is none for reckoning
_SMALL = 12
_FEW = 4
_TELLING = 7.0  # bits of a number that chance hardly gives
_MOST_APART = 3.0  # bits that putting three values together may take
_MULTIPLES = range(2, 13)
_SCALES = (1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9)

_CUES = {
    "difference": (
        r"sav\w+|less|more|fewer|higher|lower|by|differ\w*|above|below|ahead|behind|left|remain\w*|to go|ago"
        r"|after|later|earlier|since|rose|rise\w*|risen|fell|fall\w*|drop\w*|gain\w*|gap|margin|older"
        r"|younger|longer|shorter|cheaper|short of|spread|apart|down|up|grew|growth|chang\w*|increas\w*"
        r"|decreas\w*|improv\w*|still|unused|away|than|lost|lose|net|lead\w*|owe\w*|extra|better|worse|off"
        r"|discount\w*|reduc\w*|deficit|surplus|outstanding|over|further|spare|cut|minus|compared|versus|vs"
        r"|short|added|farther|faster|slower|taller|miss\w*|lowered|beat\w*"
    ),
    "sum": (
        r"total\w*|combin\w*|altogether|together|sum|in all|overall|both|across|add\w*|com(?:e|es|ing) to"
        r"|came to|plus|including|between them|amount\w*|all told"
    ),
    "share": (
        r"percent\w*|share|of|half|third|quarter\w*|out of|proportion|rate|fraction|majority|less|more|off"
        r"|below|above|under|over|ahead|behind|short|left|remain\w*|down|up|rose|fell|by|higher|lower|increas\w*|decreas\w*|grew|growth|full|discount\w*|account\w*"
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
_CENTURY = re.compile(r"[\s-]centur(?:y|ies)\b")
_COMPLEMENT = re.compile(
    r"(?<!\w)(?:remain\w*|rest|other\w*|not|left|off|without|balance|un\w+|fail\w*|less|short"
    r"|discount)(?!\w)|n['’]t\b",
    re.IGNORECASE,
)

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Explained:
    """How a number is explained at the lowest cost: ``told`` in words, from which ``cells``."""

    claim: Quantity
    state: State = ""
    cost: float = NOT_EXPLAINED
    told: str = ""
    cells: tuple[int, ...] = ()

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

    @property
    def dimension(self) -> str | None:
        return None if self.unit is None else self.unit.dimension

    def is_same_cell(self, other: _Operand) -> bool:
        return self.cell is not None and self.cell == other.cell


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
        """Which cells the numbers of a sentence state: they are at hand for what follows from them."""
        found: dict[int, dict[int, set[Span]]] = defaultdict(lambda: defaultdict(set))
        for claim in self.reading.quantities:
            if claim.decimals or abs(claim.value) > _SMALL or claim.unit:
                for n in self.known.near(claim):
                    own = self.record.numbers[n]
                    fit = self._fit_to_reckon(claim, own)
                    if own.whole and fit is not None and nearness(claim, fit[0]) is not None:
                        found[claim.sentence][own.cell].add(claim.outer)
        return found

    def nearness_of(self, claim: Quantity) -> Nearness:
        """Return how near the cells are to the words of a claim."""
        key = claim.sentence, claim.clause
        if key not in self._near:
            if claim.sentence not in self._around:
                self._around[claim.sentence] = Around(self.known.index, self.reading, claim.sentence)
            self._near[key] = Nearness(
                self.known.index, self.reading, self._around[claim.sentence], claim.clause
            )
        return self._near[key]

    def fit(self, claim: Quantity, own: Amount | Derived | _Operand) -> tuple[float, float] | None:
        """Return a value of the input in the unit of the text, with the bits that this takes."""
        said, unit = claim.unit, own.unit
        soft = isinstance(own, Amount) and own.soft
        if claim.cents:
            return (own.value, 0.0) if unit is None or unit.dimension.startswith("money") else None
        if said is None:
            return own.value, 0.0
        money = said.dimension.startswith("money")
        if unit is None or (soft and not money):
            if money:
                return own.value, 0.5 if said.dimension in self.record.dimensions else 0.0
            if said.dimension == "ratio":
                if 0 < own.value < 1 or (isinstance(own, Derived) and own.value == 1):
                    return own.value * 100, 0.5
                rounded = not self.reading.document.language.english and abs(own.value - abs(claim.value)) < 1
                return own.value, 1.0 if own.value == abs(claim.value) or rounded else 8.0
            whole = not isinstance(own, Amount) or own.whole
            return own.value, (2.5 if whole else 3.0) if said.dimension in self.record.dimensions else 0.5
        if said.dimension == unit.dimension:
            return (own.value if money else converted(own.value, unit, said)), 0.0
        if may_mean(said, unit) or said.dimension.startswith(f"{unit.dimension}/"):
            return own.value, 0.5
        return None

    def _fit_to_reckon(self, claim: Quantity, own: Amount | _Operand) -> tuple[float, float] | None:
        fit = self.fit(claim, own)
        return fit if fit is not None and fit[1] < _ANOTHER_UNIT else None

    def fits_unit(self, claim: Quantity, own: Amount) -> bool:
        """Return whether a number of the input is in the unit of one of the text, without conversion."""
        fit = self._fit_to_reckon(claim, own)
        return fit is not None and fit[0] == own.value

    def explain(self, claim: Quantity) -> Explained:
        """Find the cheapest explanation of a number."""
        made = Explained(claim)
        self.done.append(made)
        if self._is_calendar(claim) or self._is_verbatim(claim):
            made.offer(0.0, "as it is written", (), "same")
            return made
        near = self.nearness_of(claim)
        self._same(made, near)
        bits = information(claim)
        if made.cost > bits + SAME and claim.unit is None and not claim.ordinal:
            self._same_unit(made, near, bits)
        if made.cost <= bits + SAME:
            self._note_unit(made)
            return made
        cue = self.cues(claim)
        self._scaled(made, near)
        self._from_lists(made, cue)
        if made.cost <= 1:
            return made
        pool, budget = self._pool(claim, near), bits + 2
        with np.errstate(all="ignore"):  # what is too large or undefined is no number of a text
            self._pairs(made, cue, pool, budget)
            self._ratios(made, cue, pool, budget)
        if made.cost > budget and not _is_percent(claim):
            self._triples(made, cue, pool, budget)
            if claim.unit is not None and claim.unit.dimension.startswith("money") and bits > _TELLING:
                self._discounted(made, pool)
        return made

    def _note_unit(self, made: Explained) -> None:
        """Note the unit that the text gives to a number of the input that has none, and so to its like."""
        unit = made.claim.unit
        if unit is None or _is_percent(made.claim):
            return
        for number in made.cells:
            if all(own.unit is None for own in self.known.by_cell[number]):
                self._given[self.record.cells[number].column] = unit

    def _is_calendar(self, claim: Quantity) -> bool:
        """Return whether a number is the year, the century or the day of a date of the input."""
        if claim.unit is not None or claim.decimals:
            return False
        if claim.ordinal and _CENTURY.match(self.reading.lowered, claim.end):
            return any(-(-year // 100) == claim.value for year in self.known.years_of_dates)
        if claim.ordinal:
            return claim.value in self.known.days_of_months
        return 1000 <= claim.value <= 2100 and claim.value in self.known.years_of_dates

    def _is_verbatim(self, claim: Quantity) -> bool:
        """Return whether a value of the input has the number beside the same word."""
        if not self.known.verbatim:
            return False
        words = self.reading.document.words
        at = bisect_left(words.starts, claim.start)
        near = words.texts[max(0, at - 1) : at + 2]
        return any(pair in self.known.verbatim for pair in pairwise(near))

    def _same(self, made: Explained, near: Nearness) -> None:
        claim = made.claim
        numbers, kinds, costs = self.record.numbers, self.known.kinds, near.costs
        bits: dict[int, float] = {}
        for n in self.known.near(claim):
            kind = kinds[n]
            if kind not in bits:
                bits[kind] = self._bits_of_same(claim, numbers[n])
            if bits[kind] < made.cost and (cost := min(costs[n], 4) / 2 + bits[kind]) < made.cost:
                made.offer(cost, "same", (numbers[n].cell,), "same")
        for stated in self.done[-_RECENT:]:
            if stated.claim.sentence == claim.sentence and _is_restated(claim, stated):
                made.offer(stated.cost, stated.told, stated.cells, stated.state)
        if _is_percent(claim):
            for n in self.known.near(claim, factor=100.0):
                own = numbers[n]
                if (
                    (own.unit is None or own.soft)
                    and abs(own.value) <= 2
                    and nearness(claim, own.value * 100) is not None
                ):
                    made.offer(costs[n] / 2, "a share", (own.cell,), "same")

    def _same_unit(self, made: Explained, near: Nearness, bits: float) -> None:
        """Try the unit of the numbers beside one that has none: "26 minutes, and the fourth just over 44"."""
        beside = self.reading.beside(made.claim)
        units = dict.fromkeys(own.unit for own in beside if own.unit is not None and not _is_percent(own))
        for unit in units if len(units) == 1 else ():
            alike = Explained(replace(made.claim, unit=unit))
            self._same(alike, near)
            if alike.state == "same" and alike.cost + 1 <= bits:
                made.offer(alike.cost + 1, "same", alike.cells, "same")

    def _bits_of_same(self, claim: Quantity, own: Amount) -> float:
        """Return the bits that it takes to read a number of the input as one of the text."""
        fit = self.fit(claim, own)
        if fit is None:
            return NOT_EXPLAINED
        values = (claim.value, *claim.others)
        if own.cell in self.known.signed:
            values = tuple(value for value in values if self._agrees(claim, value, own))
        offs = (nearness(claim, fit[0], said) for said in values)
        fitting = [off for off in offs if off is not None and (own.whole or not off)]
        if own.cell in self.known.years and self.reading.text[claim.start : claim.end].isdigit():
            fitting = [off for off in fitting if not off]  # nobody rounds a year
        return min(fitting) + fit[1] + (0 if own.whole else 0.5) if fitting else NOT_EXPLAINED

    def _agrees(self, claim: Quantity, said: float, own: Amount) -> bool:
        """Return whether the signs of a number and of one whose sign tells something are the same.

        What is written without a sign may be a fall or an expense, but no temperature below zero.
        """
        if not said or not own.value or (said > 0) == (own.value > 0):
            return True
        if self.reading.text[claim.start : claim.start + 1] in _SIGNS:
            return False
        below = own.dimension == "temperature" or self.known.is_level(own.cell)
        return not below or _BELOW.search(self.reading.text, *claim.clause) is not None

    def cues(self, claim: Quantity) -> dict[str, float]:
        """Return what each operator costs: nothing if the clause announces it, less if the sentence does."""
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

    def _scaled(self, made: Explained, near: Nearness) -> None:
        """Try thousands and millions, and what is left of a percentage."""
        claim = made.claim
        if _is_percent(claim):
            first, last = self.reading.sentences[claim.sentence]
            cost = 1 if _COMPLEMENT.search(self.reading.text, first, last) else 4
            for n, rest in self.known.rests:
                if nearness(claim, rest) is not None:
                    made.offer(cost + near.costs[n] / 2, "the rest", (self.record.amounts[n].cell,))
        elif claim.value >= 1000 or claim.decimals:
            for scale in _SCALES:
                scaled = self._scaled_by(claim, scale)
                if scaled and self._counts_in(scale, bare=claim.unit is None):
                    for n, extra in scaled:
                        told = f"in units of {scale:g}"
                        made.offer(2 + near.costs[n] / 2 + extra, told, (self.record.numbers[n].cell,))

    def _scaled_by(self, claim: Quantity, scale: float) -> Sequence[tuple[int, float]]:
        """Return the numbers of the input that a number is in units of a power of ten, each with its bits."""
        return [
            (n, fit[1])
            for n in self.known.near(claim, factor=scale)
            if (own := self.record.numbers[n]).whole
            and (fit := self.fit(claim, own)) is not None
            and any(
                nearness(claim, fit[0] * scale, said) is not None for said in (claim.value, *claim.others)
            )
        ]

    def _counts_in(self, scale: float, *, bare: bool) -> bool:
        """Return whether the text counts in a power of ten, with units or without them."""
        told = [
            claim
            for claim in self.reading.quantities
            if (claim.unit is None) == bare and information(claim) >= _TELLING
        ]
        votes, plain = (sum(bool(self._scaled_by(claim, one)) for claim in told) for one in (scale, 1.0))
        return votes > bare and 2 * votes >= plain

    def _from_lists(self, made: Explained, cue: Mapping[str, float]) -> None:
        """Try counts, sums and means of lists, then differences of time."""
        claim = made.claim
        words = self.reading.bases(*claim.clause), self.reading.sentence_bases[claim.sentence]
        operators = {"length": 0.0, "count": 1.0, "sum": cue["sum"], "mean": cue["mean"] + 1}
        low, high = window(claim, claim.value)
        for times, family in enumerate(self.known.derived):
            if claim.unit is None:
                some = family.within(low, high)
            else:
                some = family.measured if not times or claim.unit.dimension == "time" else ()
            fitting = [(own, fit) for own in some if (fit := self._fit_derived(claim, own)) is not None]
            if not fitting:
                continue
            sizes: dict[tuple[int, bool], set[float]] = defaultdict(set)
            for (asked, inside), values in family.values.items():
                for level in range(_level(asked, *words), REST + 1):
                    sizes[level, inside] |= values
            for own, (extra, off) in fitting:
                rank = log2(max(1, len(sizes[_level(own.words, *words), own.inside])))
                if times:
                    cost = cue["time"] + 0.7 * rank + off + (2 if claim.unit is None else 0)
                else:
                    cost = operators[own.kind] + rank + off + extra
                made.offer(cost, own.told, ())

    def _fit_derived(self, claim: Quantity, own: Derived) -> tuple[float, float] | None:
        """Return the bits that the unit of a derived value and its rounding take; None if it is not meant."""
        fit = self.fit(claim, own)
        if fit is None:
            return None
        off = self._off_by_time(claim, own, fit[0]) if own.kind == "time" else nearness(claim, fit[0])
        return None if off is None else (fit[1], off)

    def _off_by_time(self, claim: Quantity, own: Derived, value: float) -> float | None:
        if claim.unit is None:
            return nearness(claim, value) if own.unit in (unit_named("days"), unit_named("years")) else None
        if claim.unit is not own.unit and own.unit in (unit_named("days"), unit_named("minutes")):
            return 1.0 if abs(value - claim.value) <= max(0.5, claim.value / 12) else None
        return nearness(claim, value)

    def _pool(self, claim: Quantity, near: Nearness) -> list[_Operand]:
        """Return the values that may be operands, the nearest first."""
        stated = [cell for cell, by in self._stated[claim.sentence].items() if by - {claim.outer}]
        amounts, sums, operands = self.record.amounts, self.known.sums, self.known.operands
        costs = np.array(near.costs)[operands]
        costs[np.isin(self.known.index.of_numbers[1][operands], stated)] = log2(max(1, len(stated)))
        said = [
            own
            for own in self.done[-_RECENT:]
            if own.state == "derived" and (own.claim.decimals or own.claim.unit or own.claim.value > _SMALL)
        ]
        here = [own.claim.sentence == claim.sentence for own in said]
        of_sum, of_said = log2(len(sums) + 1) + 1, (log2(len(said) + 4), log2(sum(here) + 1))
        ranked = np.concatenate([costs, [of_sum] * len(sums), [of_said[own] for own in here]])
        no_money = claim.unit is not None and not claim.unit.dimension.startswith("money")
        found: list[_Operand] = []
        for n in np.argsort(ranked, kind="stable")[:_POOL].tolist():
            cost, rest = float(ranked[n]), n - len(operands)
            if rest < 0:
                found.append(self._operand(amounts[operands[n]], cost, no_money))
            elif rest < len(sums):
                found.append(_Operand(sums[rest].value, sums[rest].unit, cost, None))
            else:
                own = said[rest - len(sums)].claim
                found.append(_Operand(own.value, own.unit, cost, None, said=True))
        return found

    def _operand(self, own: Amount, cost: float, no_money: bool) -> _Operand:
        unit = own.unit
        if unit is None:
            unit = self._given.get(self.record.cells[own.cell].column) if self._given else None
        elif own.soft and no_money:
            unit = None
        return _Operand(own.value, unit, cost, own.cell)

    def _bits_of_two(self, some: Sequence[_Operand]) -> Floats:
        """Return the bits that name each two of some operands, which are in rising order of their costs."""
        costs = np.array([own.cost for own in some])
        peers = self.known.peers[[-1 if own.cell is None else own.cell for own in some]]
        path, home, of_path, of_home = peers.T[:, :, None]
        second = np.where(path == path.T, of_path, np.where(home == home.T, of_home, np.inf))
        bits = np.maximum(costs[:, None] + np.minimum(costs, second) - 1, 0.0)
        upper: Floats = np.triu(bits, 1)
        return upper + upper.T

    def _kin(self, one: _Operand, other: _Operand) -> float:
        """Return the bits that putting two operands together takes."""
        if one.cell is None or other.cell is None:
            return 0.0 if one.said or other.said else 1.0
        a, b = self.record.cells[one.cell], self.record.cells[other.cell]
        if a.path == b.path or (a.home and a.home == b.home) or a.own & b.own:
            return 0.0
        return 1.0 if a.home == b.home else 2.0

    def _pairs(
        self, made: Explained, cue: Mapping[str, float], pool: Sequence[_Operand], budget: float
    ) -> None:
        """Try sums, differences and means of two values."""
        claim = made.claim
        fitted = [
            (own, fit)
            for own in pool
            if own.cost <= budget + 1 and (fit := self._fit_to_reckon(claim, own)) is not None
        ]
        if len(fitted) < 2:
            return
        values = np.array([fit[0] for _, fit in fitted])
        low, high = window(claim, claim.value)
        operations = {
            "difference": np.abs(np.subtract.outer(values, values)),
            "sum": np.abs(np.add.outer(values, values)),
        }
        if cue["mean"] <= 1:
            operations["mean"] = operations["sum"] / 2
        bits = self._bits_of_two([own for own, _ in fitted])
        near = np.triu(bits <= budget, 1)
        for name, results in operations.items():
            for i, j in _within(results, low, high, near):
                (one, fit), (other, second) = fitted[i], fitted[j]
                if not self._may_add(claim, one, other, name):
                    continue
                off = nearness(claim, float(results[i, j]))
                if off is None:
                    continue
                cost = float(bits[i, j]) + self._kin(one, other) + fit[1] + second[1] + off + cue[name]
                if claim.unit is None and one.unit is not None:
                    cost += 0.5 if self._has_dimension(claim, one.dimension) else 2.0
                if name == "mean":
                    cost += 1
                elif cue[name] >= _OPERATOR:
                    cost += 2.0 if name == "difference" else 0.5
                made.offer(cost, f"a {name}", _cells(one, other))

    def _may_add(self, claim: Quantity, one: _Operand, other: _Operand, name: str) -> bool:
        """Return whether the sum, difference or mean of two values makes sense, as the number of a claim."""
        if one.is_same_cell(other) or not self._are_alike(claim, one, other):
            return False
        if one.unit and other.unit and one.dimension != other.dimension:
            return False
        if (
            claim.unit is None
            and (one.unit is None) != (other.unit is None)
            and not self._is_beside(one, other)
        ):
            return False
        if name == "sum" and "temperature" in (one.dimension, other.dimension):
            return False
        return not _is_percent(claim) or one.dimension == "ratio" or one.unit is None

    def _is_beside(self, one: _Operand, other: _Operand) -> bool:
        """Return whether two values stand in one small object: what one is measured in, the other is, too."""
        if one.cell is None or other.cell is None:
            return False
        home = self.record.cells[one.cell].home
        return home == self.record.cells[other.cell].home and len(self.record.by_home[home]) <= _FEW

    def _are_alike(self, claim: Quantity, one: _Operand, other: _Operand) -> bool:
        """Return whether the noun after a number names both of two cells, or none of them."""
        if one.cell is None or other.cell is None or claim.unit is not None:
            return True
        last = self.reading.sentences[claim.sentence][1]
        words = self.reading.words_after(claim.end, 2, last)
        named = {own for word in words for own in self.known.index.matches(word)}
        a, b = self.record.cells[one.cell], self.record.cells[other.cell]
        return named.isdisjoint(a.own) == named.isdisjoint(b.own)

    def _has_dimension(self, claim: Quantity, dimension: str | None) -> bool:
        return any(
            own.unit is not None and own.unit.dimension == dimension for own in self.reading.beside(claim)
        )

    def _ratios(
        self, made: Explained, cue: Mapping[str, float], pool: Sequence[_Operand], budget: float
    ) -> None:
        """Try shares, products, quotients and percentages of two values."""
        claim = made.claim
        counts = self.known.counts
        some = [*pool, *(_Operand(own.value, own.unit, log2(len(counts) + 1) + 3, None) for own in counts)]
        some = sorted((own for own in some if own.cost <= budget + 1), key=lambda own: own.cost)[:_POOL]
        if len(some) < 2:
            return
        values = np.array([_in_unit_of(claim, own) for own in some])
        low, high = window(claim, claim.value)
        bits = self._bits_of_two(some)
        near = bits <= budget
        np.fill_diagonal(near, val=False)
        percent = _is_percent(claim)
        more, less = self._changes(claim)
        shares = percent or (claim.unit is None and claim.value < 1)
        tables = _shares(values, 100 if percent else 1, more, less) if shares else _products(values)
        for kind, results, extra in tables:
            for i, j in _within(results, low, high, near):
                one, other = some[i], some[j]
                if one.is_same_cell(other):
                    continue
                operator = self._ratio_cost(claim, kind, one, other, cue)
                off = None if operator is None else nearness(claim, float(results[i, j]))
                if operator is None or off is None:
                    continue
                kin = self._kin(one, other) * (3 if kind == "product" else 1)
                cost = float(bits[i, j]) + kin + operator + extra + off
                made.offer(cost, f"a {kind}", _cells(one, other))

    def _changes(self, claim: Quantity) -> tuple[bool, bool]:
        """Return whether the clause says that something is more, or less, by the percentage in it."""
        text, (left, right), (start, end) = self.reading.text, claim.clause, claim.outer
        if text.startswith(" of ", end):
            return False, False
        before = text[left:start]
        if claim.mode:
            before = " ".join(before.split()[:-2])  # more than a quarter
        more, less = (words.search(before) or words.search(text, end, right) for words in (_MORE, _LESS))
        return more is not None, less is not None

    def _ratio_cost(
        self, claim: Quantity, kind: str, one: _Operand, other: _Operand, cue: Mapping[str, float]
    ) -> float | None:
        """Return the bits of an operator between values of these dimensions; None where it makes no sense."""
        target = None if claim.unit is None else claim.unit.dimension
        a, b = one.dimension, other.dimension
        if kind == "share":
            return None if one.unit and other.unit and a != b else cue["share"] + 0.5
        money = target is not None and target.startswith("money")
        more = 2.0 if target is None and (a or b) else 0.0
        if target is None and a and b and a != b and "ratio" not in (a, b):
            return None
        plain = a is None and b is None and (target not in self.record.dimensions or money)
        fits = target is None or plain or (target == a and (b in (None, "ratio") or money))
        if kind == "part":  # a percentage of an amount
            if not (fits or target == a) or not (b == "ratio" or (b is None and 0 < abs(other.value) < 1)):
                return None
            return more + min(cue["share"], cue["difference"], cue["product"]) + (1.5 if b else 3.5)
        if 1 in (abs(one.value), abs(other.value)):
            return None
        if kind == "quotient":
            if target is not None and (b == f"{a}/{target}" or target == f"{a}/{b}"):
                return 1.0  # how long what is left lasts, how fast something was
            if target is not None and a and b and a != b and target == a:
                return cue["mean"] + 0.5
            return more + cue["mean"] + (2.0 if cue["mean"] else 0.5) if fits else None
        if target is not None and _times(a, b) == target:
            return min(cue["product"], cue["sum"])
        fits = fits or (target == b and (a in (None, "ratio") or money))
        return more + cue["product"] + 1 + (2.0 if cue["product"] >= _OPERATOR else 0.0) if fits else None

    def _triples(
        self, made: Explained, cue: Mapping[str, float], pool: Sequence[_Operand], budget: float
    ) -> None:
        """Try sums and differences of the three nearest values, and small multiples of one."""
        claim = made.claim
        near = [
            (own, fit[0])
            for own in pool
            if own.cost <= budget / 2 + 1 and (fit := self._fit_to_reckon(claim, own)) is not None
        ][:_NEAREST]
        low, high = window(claim, claim.value)
        for (one, a), (other, b), (third, c) in combinations(near, 3):
            for value, operator in (
                (a + b + c, "sum"),
                (a + b - c, "difference"),
                (a - b + c, "difference"),
                (b + c - a, "difference"),
            ):
                if low <= abs(value) <= high and (off := nearness(claim, value)) is not None:
                    self._offer_triple(made, (one, other, third), cue[operator] + off, budget)
        small = {own.value for own in self.reading.beside(claim) if own.value in _MULTIPLES}
        for times in small if claim.value > _SMALL or claim.decimals or claim.unit else ():
            for one, a in near:
                if nearness(claim, a * times) == 0:
                    made.offer(one.cost + 2, "a multiple", _cells(one))
                for other, b in near if claim.unit is not None else ():
                    if other is not one and nearness(claim, a * times - b) == 0:
                        made.offer(one.cost + other.cost + 2, "a multiple less another", ())

    def _discounted(self, made: Explained, pool: Sequence[_Operand]) -> None:
        """Try a price for so many, with a percentage taken off or added."""
        prices = [own for own in pool if (own.dimension or "").startswith("money")][:_NEAREST]
        plain = [own for own in pool if own.unit is None and own.value > 1][:_NEAREST]
        rates = [
            (own, abs(own.value) / (100 if own.unit else 1))
            for own in pool
            if own.dimension == "ratio" or (own.unit is None and 0 < own.value < 1)
        ]
        for price, number, (rate, share) in product(prices, plain, rates[:_NEAREST]):
            whole = price.value * number.value
            if any(nearness(made.claim, whole * factor) == 0 for factor in (share, 1 - share, 1 + share)):
                told = "a percentage of a product"
                made.offer(price.cost + number.cost + rate.cost + 3, told, _cells(price, number, rate))

    def _offer_triple(
        self, made: Explained, some: tuple[_Operand, _Operand, _Operand], more: float, budget: float
    ) -> None:
        dimensions = {own.dimension for own in some}
        if "temperature" in dimensions or (made.claim.unit is None and len(dimensions) > 1):
            return
        one, other, third = some
        kin = self._kin(one, other) + self._kin(other, third) + self._kin(one, third)
        cost = max(0.0, one.cost + other.cost + third.cost - 2.6) + kin
        if kin <= _MOST_APART and cost <= budget:
            made.offer(cost + more + 2, "three values", _cells(*some))


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


def _is_percent(claim: Quantity) -> bool:
    return claim.unit is not None and claim.unit.dimension == "ratio"


def _times(one: str | None, other: str | None) -> str | None:
    """Return the dimension of a rate times that of what it is by: tonnes by hectare, hectares."""
    for a, b in ((one, other), (other, one)):
        if a and b and a.endswith(f"/{b}"):
            return a.removesuffix(f"/{b}")
    return None


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


def _within(results: Floats, low: float, high: float, among: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of operands, among those that may be meant, whose result is within bounds."""
    rows, columns = np.nonzero((results >= low) & (results <= high) & among)
    return zip(rows.tolist(), columns.tolist(), strict=True)


def _shares(values: Floats, times: int, more: bool, less: bool) -> Iterator[tuple[str, Floats, float]]:
    """Yield what share one value is of another, or of its change, and the bits that each takes besides.

    What grew is more than it was, what fell less: where the clause says which, the other is not meant.
    """
    sizes = np.abs(values)
    quotients = np.divide.outer(sizes, sizes)
    smaller, larger = np.minimum(quotients, quotients.T), np.maximum(quotients, quotients.T)
    if less or not more:
        yield "share", (1 - smaller) * times, 0.0 if less else 3.0
    if more or not less:
        yield "share", (larger - 1) * times, 0.0
    if not (more or less):
        yield "share", smaller * times, 0.0
        yield "share", np.where(quotients < 10, quotients, 0) * times, 0.0


def _products(values: Floats) -> Iterator[tuple[str, Floats, float]]:
    """Yield the products and quotients of two values, and a percentage of one, added or taken off."""
    sizes = np.abs(values)
    yield "product", np.multiply.outer(sizes, sizes), 0.0
    yield "quotient", np.divide.outer(sizes, sizes), 0.0
    rate = np.where(sizes >= 1, sizes / 100, sizes)
    for sign in (0, 1, -1):
        factor = rate if not sign else 1 + sign * rate
        yield "part", np.multiply.outer(sizes, factor), 0.0
