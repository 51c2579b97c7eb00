"""Judges the numbers of a text: is there a derivation from the cells that is shorter than the number?

The words around a number show which cells it is about. If they name an attribute in full, right beside the
number, and none of its cells gives the number, it is contradicted. Otherwise the cheapest explanation counts.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set
from itertools import pairwise, takewhile
from math import log2

from esascore.claims.cells import Amount, Cell
from esascore.claims.explanations import NOT_EXPLAINED, SAME, Explained, Explainer
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.known import Known
from esascore.claims.nearness import NAMED, REST, TOUCHED
from esascore.claims.reading import Quantity, Reading
from esascore.claims.rounding import information, nearness, slips
from esascore.claims.scope import Scopes
from esascore.data import EVERY
from esascore.literals.keys import read_key, word_base
from esascore.text.vocabulary import function_words

MARGIN = 1.0
"""Bits that a derivation must be shorter than the number that it explains."""

_LEAST = 4.0  # bits of a number without unit and attribute that is judged
_LEAST_WITH_UNIT = 3.5
_LEAST_OF_KNOWN_UNIT = 1.5
_NEIGHBOURS = 4
_BESIDE = 16
_LONGEST_LINK = 8  # words
_LONGEST_NOUN = 4
_LONGEST_RANK = 3  # figures
_SCALES = (5, 6, 10, 20, 50, 100)

_OUT_OF = re.compile(r"(?:/|out of|on a scale (?:of|to)|of a possible)\s?(?:the\s)?$", re.IGNORECASE)
_OF_LINK = re.compile(
    r"\s*(?:score |rating |index |total )?"
    r"(?:of|is|:|at|was|were|stands at|stood at|\(|=|are|totals?|–|-|reach(?:es|ed)?)?"
    r"\s*(?:an? |just |only |about |around |now |over |nearly )?[$€£]?\s*"
)
_LIMIT = re.compile(
    r"(?<![\w-])(?:just (?:under|over)|nearly|almost|at (?:least|most)|up to|no (?:more|less) than"
    r"|m(?:in|ax)(?:imum)?(?: of)?|until)\s+[$€£]?$",
    re.IGNORECASE,
)
_ONE_IN = re.compile(r"\s(?:[^\W\d]+\s){0,2}(?:in|out of)\s(?:every\s)?(?:\d+|ten|five|four|three)\b")
_PART_OF = re.compile(r"\d\s(?:out\s)?of\s(?:the\s)?$")
_LISTED = re.compile(r"\s[^\W\d_]+:")
_RANGE = re.compile(r"\s?(?:to|-|–|and)\s?")
_HYPHEN = re.compile(r"\s?-")
_POSSESSIVE = re.compile(r"['’]s? \w")
# What announces something else than the value of an attribute: a sum, a difference, a mean, a part.
_ELSE_BEFORE = re.compile(
    r"(?<![\w-])(?:combin\w*|total\w*|averag\w*|altogether|together|com(?:e|es|ing) to|came to"
    r"|by|another|additional|more than|less than|over|first|last|past|previous|next|margin of|within|every"
    r"|each of|only other|than|remaining|extra|per)(?![\w-])(?:\s+\w+){0,2}\s*[$€£]?$",
    re.IGNORECASE,
)
_ELSE_AFTER = re.compile(
    r"(?:[\s-]+\w+){0,2}[\s-]+(?:more|fewer|less|higher|lower|each|combined|ahead|behind|clear|apart|a piece"
    r"|apiece|per|lead|margin|deficit|advantage|win|loss|streak|in a row|straight|consecutive|or more|or less"
    r"|older|younger|later|earlier|away|left|remaining|short|over|under|above|below|too"
    r"|in total|altogether|overall|all told)\b",
    re.IGNORECASE,
)


class QuantityJudge:
    """Judges the numbers of one text."""

    def __init__(self, known: Known, reading: Reading):
        self._known = known
        self._record = known.record
        self._reading = reading
        self._explainer = Explainer(known, reading)
        self.scopes = Scopes(known.handles, reading)

    @property
    def judged(self) -> Sequence[Explained]:
        """How each number is explained."""
        return self._explainer.done

    def judge(self) -> list[Finding]:
        """Return the numbers that the input does not support."""
        for claim in self._reading.quantities:
            if not self._is_scale(claim):
                self._judge(self._explainer.explain(claim))
        for n, own in enumerate(self.judged):
            if own.finding is not None:
                self._whole_or_parts(own, self.judged[max(0, n - _NEIGHBOURS) : n + _NEIGHBOURS])
        self._ranges()
        self._misquoted()
        self._say_expected()
        return [own.finding for own in self.judged if own.finding is not None]

    def _ranges(self) -> None:
        """Flag the ends of a range in a known unit that nothing gives: "3 to 6 hours"."""
        for one, other in pairwise(self.judged):
            joined = _RANGE.fullmatch(self._reading.lowered, one.claim.outer[1], other.claim.outer[0])
            if joined is None or one.claim.unit is not other.claim.unit or one.claim.unit is None:
                continue
            for own in (one, other):
                if own.state == "silent" and own.cost >= NOT_EXPLAINED:
                    self._flag(own)

    def _misquoted(self) -> None:
        """Flag numbers that a value becomes by a slip of the pen, if the text gives that value nowhere.

        They may follow from other values by chance, but a slip is the shorter explanation.
        """
        given = {n for own in self.judged if own.state == "same" for n in own.cells}
        for made in self.judged:
            claim, size = made.claim, abs(made.claim.value)
            is_open = made.state in ("derived", "silent") or (
                made.finding is not None and made.finding.evidence == "number"
            )
            if not is_open or claim.spoken or claim.mode:
                continue
            like = [
                own
                for value in (size, *slips(claim))
                for own in self._known.by_size.get(value, ())
                if own.cell not in given and self._is_mistaken(claim, own)
            ]
            levels = self._explainer.nearness_of(claim).levels if like else ()
            farthest = REST if like and self._explainer.cues(claim)["sum"] else TOUCHED
            near = [own.cell for own in like if levels[own.cell] <= farthest]
            if near:
                self._contradict(made, self._record.cells[min(near)])

    def _is_mistaken(self, claim: Quantity, own: Amount) -> bool:
        """Return whether a number may be meant by one of other digits, or in another unit."""
        if own.value == claim.value:
            return claim.value > 2 and own.dimension == _dimension(claim) and claim.unit is not own.unit
        return self._explainer.reckoned(claim, own) == own.value

    def _whole_or_parts(self, own: Explained, beside: Sequence[Explained]) -> None:
        """Decide about a compound: the whole or all its parts must be wrong."""
        claim = own.claim
        over = [one for one in beside if one.claim.start < claim.end and one.claim.end > claim.start]
        whole = max(over, key=lambda one: one.claim.end - one.claim.start)
        rest = [one for one in over if one is not whole]
        borne = bool(rest) and all(one.state in ("same", "derived") for one in rest)
        if borne or (whole is not own and whole.state != "flag"):
            own.state, own.finding = "part", None

    def _judge(self, made: Explained) -> None:
        claim = made.claim
        if made.told == "as it is written":
            return
        addressed = self._addressed(claim)
        bits = information(claim)
        silent = bits + (2 if bits < _LEAST else 0.5) + made.told.startswith("from ")
        if (pinned := self._contradiction(claim, addressed, made)) is not None:
            self._contradict(made, pinned)
        elif made.cost <= bits + (SAME if made.state == "same" else -MARGIN):
            return
        elif made.cost > silent and (self._is_baseless(claim, bits) or self._exceeds_list(claim)):
            self._flag(made)
        else:
            made.state = "silent"

    def _say_expected(self) -> None:
        """Say of numbers that nothing gives what the input has instead, where that is sure."""
        given = {n for own in self.judged if own.state == "same" for n in own.cells}
        for own in self.judged:
            is_open = own.finding is not None and own.finding.evidence == "number"
            if is_open and (cell := self._expected(own.claim, given)) is not None:
                self._contradict(own, cell)

    def _expected(self, claim: Quantity, given: Set[int]) -> Cell | None:
        """Return the only value in the unit of a number that the clause names: "a 4,500 mAh battery"."""
        if claim.unit is None:
            return None
        index = self._known.index
        hits = index.named(self._reading.bases(*claim.clause))
        named = [n for n in self._known.measured_in(_dimension(claim)) if index.attribute_of[n] in hits]
        cell = self._record.cells[named[0]] if len(named) == 1 else None
        return None if cell is None or cell.key.is_unit or cell.number in given else cell

    def _flag(self, made: Explained) -> None:
        outer = made.claim.outer
        reason = f"nothing in the input gives {self._reading.text[slice(*outer)]}"
        made.finding = Finding(*outer, "number", "number", "baseless", reason=reason)
        made.state, made.cells = "flag", ()

    def _contradict(self, made: Explained, cell: Cell) -> None:
        elsewhere = made.state == "same"
        made.finding = contradicted_by(cell, *made.claim.outer, "number", "address", elsewhere=elsewhere)
        made.state, made.cells = "flag", ()

    def _is_scale(self, claim: Quantity) -> bool:
        """Return whether a number states no fact: the 5 of "4.3 out of 5", 100%, "one week's notice"."""
        text = self._reading.text
        if claim.value in _SCALES and _OUT_OF.search(text, max(0, claim.start - 24), claim.start):
            return True
        if claim.unit is None:
            return claim.spoken and claim.value == 1 and _ONE_IN.match(text, claim.end) is not None
        if claim.unit.dimension == "ratio":
            return claim.value == 100
        return claim.unit.dimension == "time" and _POSSESSIVE.match(text, claim.outer[1]) is not None

    def _is_baseless(self, claim: Quantity, bits: float) -> bool:
        """Return whether a number that nothing explains is one that the input would have to explain."""
        money = claim.unit is not None and claim.unit.dimension.startswith("money")
        if claim.mode in ("under", "over") and bits < _LEAST and not money:
            before = self._reading.text[max(0, claim.outer[0] - 24) : claim.outer[0]]
            if _LIMIT.search(before) is None:
                return False
        if claim.unit is not None and (money or claim.unit.dimension in self._record.dimensions):
            return bits >= _LEAST_OF_KNOWN_UNIT
        size = log2(abs(claim.value) * 10**claim.decimals + 1)
        if claim.unit is not None:
            return size >= _LEAST_WITH_UNIT
        return size >= _LEAST - (1 if claim.ordinal and not claim.spoken else 0)

    def _addressed(self, claim: Quantity) -> list[Cell]:
        """Return the cells that the words beside a number name in full: "27 rooms", "a CRI of 95"."""
        reading = self._reading
        first, last = reading.sentences[claim.sentence]
        found: list[Cell] = []
        if _PART_OF.search(reading.text, first, claim.outer[0]):
            return found  # what is said of the 31 of "31 of 38 open"
        if claim.ordinal:
            at = bisect_left(reading.document.words.starts, claim.end)
            called = reading.document.words.texts[at : at + 1]
            if self._ends_phrase(claim):
                found = self._named_by(reading.words_after(claim.end, 1, last))
            return [own for own in found if own.key.words == called and len(own.value) < _LONGEST_RANK]
        if claim.unit is None or claim.outer[1] > claim.end:
            tail = reading.words_after(claim.end, _LONGEST_NOUN + 1, last)
            noun = list(takewhile(lambda word: word not in function_words(), tail))[:_LONGEST_NOUN]
            found = self._named_by(max(noun, tail[:2], key=len) if claim.unit is None else tail[:1])
            if found and len(found[0].own) == 1 and not self._ends_phrase(claim):
                found = []
        if not found:
            place = claim.outer[0]
            head = reading.words_before(place - reading.text.endswith("(", first, place), 5, first)
            content = [word for word in head if word not in function_words()]
            if content and self._is_linked(claim, content[0]):
                whole = {
                    attribute: self._is_whole_noun(*attribute, head)
                    for attribute in {(cell.own, cell.wide) for cell in self._named_by(content[:4])}
                }
                found = [cell for cell in self._named_by(content[:4]) if whole[cell.own, cell.wide]]
        measured = self._known.measured_in(_dimension(claim)) if found else frozenset[int]()
        return [cell for cell in found if cell.number in measured and not cell.key.is_unit]

    def _is_whole_noun(self, own: frozenset[str], wide: frozenset[str], head: Sequence[str]) -> bool:
        """Return whether no word before those of an attribute makes it another: "feels-like temperature"."""
        matches = self._known.index.matches
        last = max((n for n, word in enumerate(head) if not own.isdisjoint(matches(word))), default=-1)
        before = "".join(head[last + 1 : last + 2])
        return not before or before in function_words() or not wide.isdisjoint(matches(before))

    def _ends_phrase(self, claim: Quantity) -> bool:
        """Return whether the word after a number is not part of a longer noun: "18 goal involvements"."""
        own = self._reading.document.words
        at = bisect_left(own.starts, claim.end) + 1
        if at >= len(own.texts) or _HYPHEN.match(self._reading.text, claim.end):
            return True
        between = self._reading.text[own.ends[at - 1] : own.starts[at]]
        return bool(between.strip()) or own.texts[at] in function_words()

    def _named_by(self, words: Sequence[str]) -> list[Cell]:
        """Return the cells whose attributes some words name in full, the first of them among others."""
        index = self._known.index
        nearest = frozenset(own for word in words[:1] for own in index.matches(word))
        kept = [
            own
            for own, hits in (index.named(words) if nearest else {}).items()
            if hits == index.sizes[own] and not nearest.isdisjoint(index.words[own])
        ]
        most = max((index.sizes[own] for own in kept), default=0)
        numbers = sorted(n for own in kept if index.sizes[own] == most for n in index.cells_of[own])
        return [self._record.cells[n] for n in numbers]

    def _is_linked(self, claim: Quantity, word: str) -> bool:
        """Return whether the word before a number is joined to it: "of", "is", a colon."""
        place = claim.outer[0]
        last = bisect_right(self._reading.document.words.ends, place)
        for base, _, end in reversed(self._reading.words[max(0, last - _LONGEST_LINK) : last]):
            if base not in function_words():
                return base == word and _OF_LINK.fullmatch(self._reading.lowered, end, place) is not None
        return False

    def _contradiction(self, claim: Quantity, addressed: Sequence[Cell], judged: Explained) -> Cell | None:
        """Return the cell that the context identifies, if it and similar cells have other values."""
        given = self._record.cells[judged.cells[0]] if judged.state == "same" and judged.cells else None
        if not addressed and given is not None:
            # Nothing but the unit names the attribute: it must be this one's value of another item.
            touched, sure = self._selected(self._like(claim, given), claim)
            addressed = touched if sure else []
        if not addressed:
            return None
        chosen, sure = self._selected(addressed, claim)
        pinned = chosen if sure else addressed
        if not chosen or any(self._gives(claim, cell) for cell in pinned) or self._announced(claim):
            return None
        if claim.value in self._lengths_after(claim, 2):
            return None
        if given is not None and given.path == chosen[0].path and self._is_called(given, claim):
            return None  # "salinity (35.1 ppt), pH (8.15)"
        if not self._known.lists.isdisjoint(self._reading.words_before(claim.start, 1, 0)):
            return None  # the name of an item: "season 2"
        if not sure and judged.state in ("same", "derived") and EVERY in chosen[0].path:
            return None  # it may be said of all items
        if given is not None:
            names = self._record.subjects.get(given.home, frozenset())
            if given.home and not names.isdisjoint(self._reading.bases(*claim.clause)):
                return None  # the object that has it is named in part
            named = self._explainer.nearness_of(claim).levels[given.number] == NAMED
            other = named and given.path != chosen[0].path
            if claim.mode or other or _is_as_near(given, chosen[0]):
                return None  # a bound that is another value of the input: below the limit of 60
        return chosen[0]

    def _is_called(self, given: Cell, claim: Quantity) -> bool:
        """Return whether a text of its item stands in the clause of a number or just before it."""
        clause = self._reading.text[max(0, min(claim.clause[0], claim.start - _BESIDE)) : claim.clause[1]]
        beside = (
            cell.value for cell in self._record.cells if cell.home == given.home and cell.type != "number"
        )
        return any(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", clause) for value in beside)

    def _exceeds_list(self, claim: Quantity) -> bool:
        """Return whether a text announces more items than the input lists: "4 players: Ada and Bo"."""
        listed = None if claim.unit else _LISTED.match(self._reading.lowered, claim.end)
        return listed is not None and 0 < max(self._lengths_after(claim, 1), default=0) < claim.value

    def _lengths_after(self, claim: Quantity, most: int) -> set[int]:
        """Return how many items the lists have that the words after a number name: "six goals"."""
        after = self._reading.words_after(claim.end, most, len(self._reading.text))
        words = set(map(word_base, after))
        return {
            len(items)
            for home, items in self._record.items.items()
            if not words.isdisjoint(read_key(home.rpartition("/")[2]).stems)
        }

    def _like(self, claim: Quantity, given: Cell) -> list[Cell]:
        """Return the cells of one attribute that the clause of a number touches."""
        measured = self._known.measured_in(_dimension(claim))
        soft = any(own.soft for own in self._known.by_cell[given.number])
        if soft or given.number not in measured or (claim.unit is None and information(claim) < _LEAST):
            return []
        levels, index = self._explainer.nearness_of(claim).levels, self._known.index
        like = index.cells_of[index.attribute_of[given.number]]
        cells = (self._record.cells[n] for n in like if n in measured and levels[n] <= TOUCHED)
        return [cell for cell in cells if cell.path == given.path]

    def _gives(self, claim: Quantity, cell: Cell) -> bool:
        fits = (self._explainer.fit(claim, own) for own in self._known.by_cell.get(cell.number, ()))
        said = claim.value, *claim.others
        return any(nearness(claim, fit[0], one) is not None for fit in fits if fit for one in said)

    def _selected(self, cells: Sequence[Cell], claim: Quantity) -> tuple[list[Cell], bool]:
        """Return the cells that the subjects and times of the sentence leave, and whether that is sure.

        It is if the sentence names the very item that holds a cell: then nothing else is meant.
        """
        kept: list[Cell] = []
        pinned: list[Cell] = []
        about: dict[tuple[str, ...], tuple[int, frozenset[str], bool] | None] = {}
        for cell in cells:
            lists, items = self._known.lists_above[cell.home]
            if lists not in about:
                about[lists] = self._about(lists, claim.start)
            if (one := about[lists]) is None:
                kept.append(cell)
            elif (items[one[0]] or cell.spot) in one[1]:
                kept.append(cell)
                if one[2]:
                    pinned.append(cell)
        return (pinned, True) if pinned else (kept, False)

    def _about(self, lists: Sequence[str], place: int) -> tuple[int, frozenset[str], bool] | None:
        """Return which is the innermost of some lists that a place names items of, and those.

        The last says whether that is sure, and it is the innermost of all.
        """
        for n, kind in enumerate(lists):
            if (about := self.scopes.of(kind, place)) is not None:
                return n, about[0], about[1] and not n
        return None

    def _announced(self, claim: Quantity) -> bool:
        """Return whether the clause announces something else than the value itself."""
        text = self._reading.text
        left, right = claim.clause
        before, after = text[left : claim.outer[0]], text[claim.outer[1] : right]
        return _ELSE_BEFORE.search(before) is not None or _ELSE_AFTER.match(after) is not None


def _dimension(claim: Quantity) -> str | None:
    return None if claim.unit is None else claim.unit.dimension


def _is_as_near(given: Cell, chosen: Cell) -> bool:
    """Return whether the cell that gives a number has the words of the attribute that the text names, too."""
    if not chosen.own <= given.wide:
        return False
    return given.path != chosen.path or not given.home or given.home.startswith(chosen.home)
