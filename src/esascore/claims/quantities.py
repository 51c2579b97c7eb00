"""Judges the numbers of a text: is there a derivation from the cells that is shorter than the number?

The words around a number say which cells it is about. If they name an attribute in full, right beside the
number, and none of its cells gives it, it is contradicted. Otherwise the cheapest explanation counts.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from math import log2

from esascore.claims.cells import Amount, Cell
from esascore.claims.explanations import NOT_EXPLAINED, SAME, Explained, Explainer
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.known import Known
from esascore.claims.nearness import NAMED, REST, TOUCHED
from esascore.claims.reading import Quantity, Reading, Span
from esascore.claims.rounding import information, is_slip, nearness
from esascore.claims.scope import Scopes
from esascore.data import EVERY
from esascore.literals.keys import GENERIC, read_key
from esascore.text.vocabulary import function_words

MARGIN = 1.0
"""Bits that a derivation must be shorter than the number that it explains."""

_LEAST = 4.0  # bits of a number without unit and attribute that is judged
_LEAST_WITH_UNIT = 3.5
_NEIGHBOURS = 4
_LONGEST_LINK = 8  # words
_LONGEST_NOUN = 4
_SCALES = (5, 6, 10, 20, 50, 100)
_SMALL = 12
_LARGEST_RANK = 100
_COLUMN_SCALES = (1e3, 1e6, 1e9)

_OUT_OF = re.compile(r"(?:/|out of|on a scale (?:of|to)|of a possible)\s?(?:the\s)?$", re.IGNORECASE)
_ONE_IN = re.compile(
    r"\s(?:[^\W\d]+\s){0,2}(?:in|out of)\s(?:every\s)?(?:\d+|two|three|four|five|six|seven|eight|nine|ten)\b"
)
_OF_LINK = re.compile(
    r"\s*(?:score |rating |index |total )?"
    r"(?:of|is|:|at|was|were|stands at|stood at|\(|=|are|totals?|–|-|reach(?:es|ed)?)?"
    r"\s*(?:an? |just |only |about |around |now |over |nearly )?[$€£]?\s*"
)
_LIMIT = re.compile(
    r"(?<![\w-])(?:just under|just over|nearly|almost|at least|at most|up to|no more than|no less than"
    r"|min(?:imum)?(?: of)?|max(?:imum)?(?: of)?|until)\s+[$€£]?$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?<![\w-])(an?)(?=\s[^\W\d_]+\s?(?:[,.;]|and\b|in\b|to\b))")
_LISTED = re.compile(r"\s[^\W\d_]+:")
_RANGE = re.compile(r"\s?(?:to|-|–|and)\s?")
_HYPHEN = re.compile(r"\s?-")
_POSSESSIVE = re.compile(r"['’]s? \w")
_AMONG = re.compile(r"\s?(?:in|of)\b")
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
_PLAIN_BEFORE = frozenset({
    "averag", "total", "overall", "current", "maximum", "minimum", "max", "min", "high", "low", "highest",
    "lowest", "expect", "estimat",
})  # fmt: skip


class QuantityJudge:
    """Judges the numbers of one text."""

    def __init__(self, known: Known, reading: Reading):
        self._known = known
        self._record = known.record
        self._reading = reading
        self._explainer = Explainer(known, reading)
        self.scopes = Scopes(known.handles, reading)
        self._findings: dict[int, Finding] = {}
        self._addresses: dict[Span, list[Cell]] = {}

    @property
    def judged(self) -> Sequence[Explained]:
        """How each number is explained."""
        return self._explainer.done

    def judge(self) -> list[Finding]:
        """Return the numbers that the input does not bear out."""
        for claim in self._reading.quantities:
            if not self._is_scale(claim):
                self._judge(self._explainer.explain(claim))
        for n, own in enumerate(self.judged):
            if own.state == "flag":
                self._whole_or_parts(own, self.judged[max(0, n - _NEIGHBOURS) : n + _NEIGHBOURS])
        self._ranges()
        self._misquoted()
        for claim in self._single():
            self._judge(self._explainer.explain(claim))
        return [self._findings[id(own)] for own in self.judged if own.state == "flag"]

    def _ranges(self) -> None:
        """Flag the ends of ranges that nothing gives where the input has ranges, too: "3 to 6 hours"."""
        if not self._known.has_ranges:
            return
        for one, other in pairwise(self.judged):
            joined = _RANGE.fullmatch(self._reading.lowered, one.claim.outer[1], other.claim.outer[0])
            if joined is None or one.claim.unit is not other.claim.unit or one.claim.unit is None:
                continue
            for own in (one, other):
                if own.state == "silent" and own.cost >= NOT_EXPLAINED:
                    self._flag(own, None)

    def _misquoted(self) -> None:
        """Flag numbers that a value becomes by a slip of the pen, if the text gives that value nowhere.

        They may follow from other values by chance; that one was meant is the shorter explanation.
        """
        given = {n for own in self.judged if own.state == "same" for n in own.cells}
        for own in self.judged:
            if own.state not in ("derived", "silent") or own.claim.spoken or own.claim.mode:
                continue
            levels = self._explainer.nearness_of(own.claim).levels
            farthest = REST if self._explainer.cues(own.claim)["sum"] else TOUCHED
            for n in self._known.index.whole:
                amount = self._record.amounts[n]
                if (
                    amount.cell not in given
                    and levels[amount.cell] <= farthest
                    and (
                        self._explainer.fits_unit(own.claim, amount)
                        if is_slip(own.claim, amount.value)
                        else _is_in_wrong_unit(own.claim, amount)
                    )
                ):
                    cell = self._record.cells[amount.cell]
                    own.state, own.cells = "flag", ()
                    self._findings[id(own)] = contradicted_by(cell, *own.claim.outer, "number", "address")
                    break

    def _single(self) -> Iterator[Quantity]:
        """Yield articles that count: the one of "10 points, two steals and a block"."""
        by_sentence: dict[int, list[Quantity]] = defaultdict(list)
        for one in self.judged:
            by_sentence[one.claim.sentence].append(one.claim)
        for sentence, claims in by_sentence.items():
            model = next((own for own in reversed(claims) if own.unit is None), None)
            found = list(_ARTICLE.finditer(self._reading.lowered, *self._reading.sentences[sentence]))
            if model is None or not found or not any(map(self._is_pinned, claims)):
                continue
            for own in found:
                claim = replace(
                    model,
                    start=own.start(1),
                    end=own.end(1),
                    outer=own.span(1),
                    value=1.0,
                    others=(),
                    decimals=0,
                    mode="",
                    ordinal=False,
                    spoken=True,
                    clause=self._reading.clause_at(*own.span(1)),
                )
                if self._is_pinned(claim):
                    yield claim

    def _is_pinned(self, claim: Quantity) -> bool:
        """Return whether the text says which item's attribute it is that the words beside a number name."""
        return self._selected(self._addressed(claim), claim)[1]

    def _whole_or_parts(self, own: Explained, beside: Sequence[Explained]) -> None:
        """Of a compound the whole or all its parts must be wrong."""
        claim = own.claim
        over = [
            other
            for other in beside
            if other is not own and other.claim.start < claim.end and other.claim.end > claim.start
        ]
        if not over:
            return
        whole = max([own, *over], key=lambda one: one.claim.end - one.claim.start)
        rest = [one for one in (own, *over) if one is not whole]
        if whole.state != "flag" or (rest and all(one.state in ("same", "derived") for one in rest)):
            own.state = "part"

    def _judge(self, made: Explained) -> None:
        claim = made.claim
        if made.told == "as it is written":
            return
        addressed = self._addressed(claim)
        bits = information(claim)
        pinned = self._contradiction(claim, addressed, made)
        if pinned is not None:
            self._flag(made, pinned)
        elif (made.state == "same" and made.cost <= bits + SAME) or (
            made.state == "derived" and made.cost + MARGIN <= bits
        ):
            return
        elif made.cost < NOT_EXPLAINED and made.cost <= bits + (
            2 if bits < _LEAST else 0.5
        ) + made.told.startswith("from "):
            made.state = "silent"
        elif self._is_baseless(claim, bits, bool(addressed)) or self._exceeds_list(claim):
            self._flag(made, None)
        else:
            made.state = "silent"

    def _is_scale(self, claim: Quantity) -> bool:
        """Return whether a number states no fact: the 5 of "4.3 out of 5", 100%, "one week's notice"."""
        text = self._reading.text
        if claim.spoken and claim.value == 1 and _ONE_IN.match(self._reading.lowered, claim.end):
            return True
        if claim.value in _SCALES and _OUT_OF.search(text, max(0, claim.start - 24), claim.start):
            return True
        if claim.unit is None:
            return False
        if claim.unit.dimension == "ratio":
            return claim.value == 100
        possessive = claim.unit.dimension == "time" and _POSSESSIVE.match(
            self._reading.lowered, claim.outer[1]
        )
        return claim.spoken and bool(possessive)

    def _is_baseless(self, claim: Quantity, bits: float, addressed: bool) -> bool:
        """Return whether a number that nothing explains is one that the input would have to explain."""
        if claim.ordinal and _AMONG.match(self._reading.lowered, claim.end):
            return False
        money = claim.cents or (claim.unit is not None and claim.unit.dimension.startswith("money"))
        size = log2(abs(claim.value) * 10**claim.decimals + 1)
        if claim.mode in ("under", "over") and bits < _LEAST and not money and not self._is_limit(claim):
            return False
        if money or (claim.unit is not None and claim.unit.dimension in self._record.dimensions):
            return bits >= 1.5 or addressed
        if claim.unit is not None:
            return size >= _LEAST_WITH_UNIT
        if claim.spoken and bits < _LEAST + 1:
            return False
        return size >= _LEAST - (1 if claim.ordinal and not claim.spoken else 0)

    def _exceeds_list(self, claim: Quantity) -> bool:
        """Return whether a text says that there are more of something than the input lists."""
        if claim.unit is not None or claim.ordinal or claim.decimals:
            return False
        listed = _LISTED.match(self._reading.lowered, claim.end)
        if listed is None:
            return False
        noun = self._reading.words_after(claim.end, 1, listed.end())
        sizes = self._known.lengths.get(noun[0], ()) if noun else ()
        return bool(sizes) and claim.value > max(sizes)

    def _is_limit(self, claim: Quantity) -> bool:
        """Return whether a number is said to be a limit, or next to one: "at least 30"."""
        return _LIMIT.search(self._reading.text, max(0, claim.outer[0] - 24), claim.outer[0]) is not None

    def _addressed(self, claim: Quantity) -> list[Cell]:
        """Return the cells that the words beside a number name in full: "27 rooms", "a CRI of 95"."""
        if claim.outer not in self._addresses:
            self._addresses[claim.outer] = self._address(claim)
        return self._addresses[claim.outer]

    def _address(self, claim: Quantity) -> list[Cell]:
        reading = self._reading
        first, last = reading.sentences[claim.sentence]
        found: list[Cell] = []
        if claim.ordinal:
            return self._of_that_rank(claim, last)
        if column := reading.head_at(claim.start):
            listed = [
                cell
                for cell in self._named_by(sorted(column), anywhere=True)
                if EVERY in cell.path
                and any(self._explainer.fit(claim, own) for own in self._known.by_cell[cell.number])
            ]
            if listed:
                return listed
        if claim.unit is None or claim.outer[1] > claim.end:
            tail = reading.words_after(claim.end, _LONGEST_NOUN + 1, last)
            if tail[:1] == ["of"] and claim.spoken:
                tail = tail[1:] if claim.value >= 1 else []  # a pair of; but half of is a share
            noun = list(takewhile(lambda word: word not in function_words(), tail))[:_LONGEST_NOUN]
            found = self._named_by(max(noun, tail[:2], key=len) if claim.unit is None else tail[:1])
            size = max((len(cell.own) for cell in found), default=0)
            if size == 1 and not self._ends_phrase(claim, size):
                found = []
            if not found and claim.unit is None and self._ends_phrase(claim, 1):
                found = self._named_around(noun[:1], claim)
        if not found:
            place = claim.outer[0]
            head = reading.words_before(place - reading.text.endswith("(", first, place), 5, first)
            content = [word for word in head if word not in function_words()]
            if content and self._is_linked(claim, content[0]):
                found = self._named_by([word for word in content[:4] if word not in GENERIC])
                whole = {
                    attribute: self._is_whole_noun(*attribute, head)
                    for attribute in {(cell.own, cell.wide) for cell in found}
                }
                found = [cell for cell in found if whole[cell.own, cell.wide]]
        if not found:
            return found
        named = self._known.measured_in(_dimension(claim)).named
        return [cell for cell in found if cell.number in named and self._is_meant(claim, cell)]

    def _of_that_rank(self, claim: Quantity, last: int) -> list[Cell]:
        """Return the cells that have the noun after an ordinal as their key: "the third floor"."""
        at = bisect_left(self._reading.document.words.starts, claim.end)
        word = self._reading.document.words.texts[at : at + 1]
        found = self._named_by(self._reading.words_after(claim.end, 1, last))
        if not found or not self._ends_phrase(claim, 1):
            return []
        numbers = self._known.by_cell
        return [
            cell
            for cell in found
            if cell.key.words == word and any(0 < own.value < _LARGEST_RANK for own in numbers[cell.number])
        ]

    def _by_unit(self, claim: Quantity, path: str | None = None) -> list[Cell]:
        """Return the cells of the same dimension whose attribute or item the clause touches.

        With ``path`` only those of this attribute.
        """
        if claim.unit is None and information(claim) < _LEAST:
            return []
        levels = self._explainer.nearness_of(claim).levels
        paths = self._known.measured_in(_dimension(claim)).by_path
        some = [own for key, own in paths.items() if path in (None, key)]
        return [self._record.cells[n] for own in some for n in own[levels[own] <= TOUCHED].tolist()]

    def _is_whole_noun(self, named: frozenset[str], wide: frozenset[str], head: Sequence[str]) -> bool:
        """Return whether no word before those of an attribute makes it another: "feels-like temperature"."""
        own = {word for word in head if not named.isdisjoint(self._known.index.matches(word))}
        last = max((n for n, word in enumerate(head) if word in own), default=-1)
        before = head[last + 1] if last + 1 < len(head) else ""
        if not before or before in function_words() or before.isdigit():
            return True
        return not wide.isdisjoint(self._known.index.matches(before)) or before in _PLAIN_BEFORE

    def _ends_phrase(self, claim: Quantity, words: int) -> bool:
        """Return whether the noun after a number is not part of a longer one: "18 goal involvements"."""
        own = self._reading.document.words
        at = bisect_left(own.starts, claim.end) + words
        if at >= len(own.texts) or _HYPHEN.match(self._reading.text, claim.end):
            return True
        between = self._reading.text[own.ends[at - 1] : own.starts[at]]
        return bool(between.strip()) or own.texts[at] in function_words() or own.texts[at].isdigit()

    def _named_by(self, words: Sequence[str], *, anywhere: bool = False) -> list[Cell]:
        """Return the cells whose attributes some words name in full, the first of them among others."""
        index = self._known.index
        nearest = frozenset(own for word in words[: None if anywhere else 1] for own in index.matches(word))
        kept = [
            own
            for own, hits in index.named(words).items()
            if hits == index.sizes[own] and not nearest.isdisjoint(index.words[own])
        ]
        most = max((index.sizes[own] for own in kept), default=0)
        numbers = sorted(n for own in kept if index.sizes[own] == most for n in index.cells_of[own])
        return [self._record.cells[n] for n in numbers]

    def _named_around(self, noun: Sequence[str], claim: Quantity) -> list[Cell]:
        """Return the cells that a noun and the rest of its clause name: "she released five episodes"."""
        index = self._known.index
        nearest = frozenset(index.matches(noun[0])) if noun else frozenset[str]()
        if not nearest:
            return []
        hits = index.named(self._reading.bases(*claim.clause))
        like = [n for n, words in enumerate(index.words) if not nearest.isdisjoint(words)]
        # Whatever else the noun names may be meant, too.
        like.sort(key=lambda n: hits.get(n, 0) < index.sizes[n])
        if not like or not hits.get(like[0], 0) == index.sizes[like[0]] > 1:
            return []
        return [self._record.cells[cell] for n in like for cell in index.cells_of[n]]

    def _is_linked(self, claim: Quantity, word: str) -> bool:
        """Return whether the word before a number is joined to it: "of", "is", a colon."""
        place = claim.outer[0]
        last = bisect_right(self._reading.document.words.ends, place)
        for base, _, end in reversed(self._reading.words[max(0, last - _LONGEST_LINK) : last]):
            if base not in function_words():
                return base == word and _OF_LINK.fullmatch(self._reading.lowered, end, place) is not None
        return False

    def _is_meant(self, claim: Quantity, cell: Cell) -> bool:
        """Return whether the objects that hold a cell are named, too: the parcels of the top destination."""
        above = cell.wide - cell.own - self._known.containers
        if not above or not self._known.is_ambiguous(cell):
            return True
        words = set(self._reading.sentence_bases[claim.sentence])
        if claim.sentence:
            words |= self._reading.sentence_bases[claim.sentence - 1]
        named = {own for word in words for own in self._known.index.matches(word)} | words
        return above <= named

    def _contradiction(self, claim: Quantity, addressed: Sequence[Cell], judged: Explained) -> Cell | None:
        """Return a cell that the context pins a number down to, if it and its like say otherwise."""
        if not addressed and judged.state == "same" and judged.cells:
            # Nothing but the unit names the attribute: it must be this one's value of another item.
            path = self._record.cells[judged.cells[0]].path
            touched, sure = self._selected(self._by_unit(claim, path), claim)
            addressed = touched if sure else []
        addressed = addressed or self._named_with_unit(claim, judged)
        vague = claim.mode in ("over", "under") and not claim.decimals and claim.value <= _SMALL
        if not addressed or (vague and not self._is_limit(claim)):
            return None
        chosen, sure = self._selected(addressed, claim)
        pinned = chosen if sure else addressed
        if not chosen or any(self._gives(claim, cell) for cell in pinned):
            return None
        if self._reading.head_at(claim.start) and any(self._gives_scaled(claim, cell) for cell in pinned):
            return None  # the head of a column says in what its numbers are
        if self._announced(claim) or self._counts(claim, chosen[0]) or self._calls_item(claim):
            return None
        if not sure and judged.state in ("same", "derived") and EVERY in chosen[0].path:
            return None  # it may be said of all items
        if judged.state == "same" and judged.cells:
            given = self._record.cells[judged.cells[0]]
            named = self._explainer.nearness_of(claim).levels[given.number] == NAMED
            other = named and given.path != chosen[0].path
            if claim.mode or other or _is_as_near(given, chosen[0]):
                return None  # a bound that is another value of the input: below the limit of 60
        return chosen[0]

    def _named_with_unit(self, claim: Quantity, judged: Explained) -> list[Cell]:
        """Return the one attribute in the unit of a number that its clause names but does not give."""
        if claim.unit is None or judged.state == "derived":
            return []
        index = self._known.index
        hits = index.named(self._reading.bases(*claim.clause))
        attributes = index.attribute_of
        given = [n for n in judged.cells if self._known.is_comparable(n, _dimension(claim))]
        if any(attributes[number] in hits for number in judged.cells):
            return []
        named = [
            cell
            for cell in self._by_unit(claim)
            if hits.get(attributes[cell.number], 0) >= (len(cell.own) if given else 1)
            and not cell.key.is_unit
        ]
        if len({cell.path for cell in named}) != 1:
            return []
        beside = [
            own for own in self._reading.beside(claim) if own.end <= claim.start or own.start >= claim.end
        ]
        # What has no unit has that of the number beside it: "16 of your 20 GB".
        beside += [replace(own, unit=claim.unit) for own in beside if own.unit is None]
        return [] if any(self._gives(own, cell) for own in beside for cell in named) else named

    def _counts(self, claim: Quantity, chosen: Cell) -> bool:
        """Return whether a number says how many items there are of what the words name: "six goals"."""
        return any(claim.value in self._known.lengths.get(word, ()) for word in chosen.own)

    def _calls_item(self, claim: Quantity) -> bool:
        """Return whether a number calls an item of a list: the second of its seasons in "season 2"."""
        word = self._reading.words_before(claim.start, 1, 0)
        arrays = [array for array in self._record.items if word and word[0] in _stems_of(array)]
        items = {item for array in arrays for item in self._record.items[array]}
        return any(
            self._record.numbers[n].value == claim.value
            and self._record.cells[self._record.numbers[n].cell].home in items
            for n in self._known.near(claim)
        )

    def _gives(self, claim: Quantity, cell: Cell) -> bool:
        for own in self._known.by_cell.get(cell.number, ()):
            fit = self._explainer.fit(claim, own)
            if fit is not None and any(
                nearness(claim, fit[0], said) is not None for said in (claim.value, *claim.others)
            ):
                return True
        return False

    def _gives_scaled(self, claim: Quantity, cell: Cell) -> bool:
        return any(
            nearness(claim, own.value / scale) is not None
            for own in self._known.by_cell[cell.number]
            for scale in _COLUMN_SCALES
        )

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

    def _flag(self, made: Explained, cell: Cell | None) -> None:
        claim = made.claim
        if cell is None:
            reason = f"nothing in the input gives {self._reading.text[slice(*claim.outer)]}"
            finding = Finding(*claim.outer, "number", "number", "baseless", reason=reason)
        else:
            elsewhere = made.state == "same"
            finding = contradicted_by(cell, *claim.outer, "number", "address", elsewhere=elsewhere)
        made.state, made.cells = "flag", ()
        self._findings[id(made)] = finding


def _is_in_wrong_unit(claim: Quantity, own: Amount) -> bool:
    """Return whether a number is one of the input, with another unit of the same dimension: miles for km."""
    alike = claim.unit is not None and own.unit is not None and claim.unit.dimension == own.unit.dimension
    return alike and claim.unit is not own.unit and own.value == claim.value > 2


def _stems_of(array: str) -> tuple[str, ...]:
    return read_key(array.rpartition("/")[2]).stems


def _dimension(claim: Quantity) -> str | None:
    return None if claim.unit is None else claim.unit.dimension


def _is_as_near(given: Cell, chosen: Cell) -> bool:
    """Return whether the cell that gives a number has the words of the attribute that the text names, too."""
    if not chosen.own <= given.wide:
        return False
    beside = not given.home or given.home.startswith(chosen.home)
    return beside or (given.path != chosen.path and (chosen.own <= given.own or not given.own))
