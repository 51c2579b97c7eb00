"""The compiled part of the Numba backend: from characters to selected matches, for many texts at once.

Work comes in units: one group of candidates and some of the texts that are to be compared with it.

1. The group's characters get small codes, and every other character of a text one code for all of them:
   none can match anything. Texts become codes and tokens (`_read_texts`).
2. A token ends n-grams that start at it and at tokens before it. All of them take the same step for each of
   its characters, from the columns of the edit distance that they had before it: those of several starts go
   side by side. Short candidates share vectors, one in a lane; long ones use several words each
   (`_fill_blocks`, `_walk`). Candidates whose tables would be too large are taken in several passes: memory
   stays bounded.
3. The hits of a text are sorted by two words that hold the order exactly, and selected greedily
   (`_finish`). Of texts with the same words only the first is looked at.

Numba compiles this module when the package is built (`esascore.align.compiled`).
"""

# Numba infers its own types, for which int and the scalars of NumPy are one.
# mypy: disable-error-code="assignment,no-any-return"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from esascore.align import _pointers as types
from esascore.align import _steps
from esascore.align._compiler import Kernels
from esascore.align._pointers import fill, inlined, int32_at, int64_at, moved, words_at
from esascore.align._simd import (
    VECTOR_WORDS,
    advance_four_32,
    advance_four_64,
    advance_two_32,
    advance_two_64,
)

_advance_block = inlined(_steps.advance_block)
_count_ones = inlined(_steps.count_ones)
_equal = inlined(_steps.equal)
_lower_bound = inlined(_steps.lower_bound)

ONE, ZERO, ALL = _steps.ONE, _steps.ZERO, _steps.ALL

_BLOCK_WORDS = 2 * VECTOR_WORDS
"""Words of the columns (vp, vn) of a block of lanes, and of its constants."""

_MASK_WORDS = 1 << 17
"""Words of tables from which on a pass is closed."""

_COLUMN_WORDS = 512
"""Words of columns of an n-gram from which on a pass is closed."""

_SIDE_BY_SIDE = 4
"""N-grams that take their steps at the same time, at most."""

_SHORT = 24
"""Words that are sorted fastest by plain insertion."""

_LOOK_BACK = 64
"""How many earlier texts of the unit are looked at for one with the same words."""

_LANES_32, _LANES_64, _LONG = 0, 1, 2

_KIND, _SIZE, _SHORTEST, _LONGEST, _MASK_AT, _COLUMN_AT, _LIVE, _RECORD = range(8)
"""What the record of a block says: its kind, its lanes (or words of a long candidate), lengths of the
shortest and the longest n-gram that can be a hit, where its masks are, and where its part of the columns of
an n-gram is; and how many n-grams that end at the last token can still become longer."""

_SPACE = 32
_UNDERSCORE = 95
_OTHER_CODE, _SPACE_CODE, _FIRST_CODE = 0, 1, 2
"""Codes of characters that no candidate has, of the space, and of the first other one."""


class _Candidates(NamedTuple):
    """The candidates of a unit: those that are not empty are listed from the shortest to the longest."""

    count: int
    characters: Any
    at: Any  # first character of each, and the end
    sizes: Any  # length of each
    lengths: Any  # of the listed ones
    indices: Any


class _Texts(NamedTuple):
    """The texts of a unit."""

    count: int
    codes: Any  # of all characters, tokens separated by one space
    begin: Any  # of each token, in codes
    end: Any
    taken: Any  # whether the token has been selected
    at: Any  # first token of each text, and the end
    same_as: Any  # for each text the first with the same words, or -1 if it is that itself
    hit_at: Any  # first hit of each text, and the end
    row_at: Any


class _Fields(NamedTuple):
    """Where the parts of a hit's low word are.

    From the most significant: how much shorter the n-gram is than the longest text, its first token, the
    candidate, and its number of tokens. The high word is the distance.
    """

    longest_text: int
    length_bits: int
    token_bits: int
    candidate_bits: int
    ngram_bits: int


class _Unit(NamedTuple):
    """Texts, candidates (of which so many are listed), and the threshold."""

    texts: _Texts
    candidates: _Candidates
    listed: int
    most_tokens: int
    numerator: int
    denominator: int
    fields: _Fields


class _Blocks(NamedTuple):
    """The candidates of a pass, in blocks that are computed together."""

    records: Any  # see _KIND
    candidate: Any  # of each lane, eight for each block
    constants: Any
    masks: Any


class _Pass(NamedTuple):
    """How many blocks there are, words of an n-gram's columns, longest that matters, candidates done."""

    blocks: int
    column_words: int
    highest: int
    done: int


class _Hits(NamedTuple):
    """Hits as pairs of words that sort in the order of selection."""

    high: Any
    low: Any
    text: Any


@inlined
def _bits(value: int) -> int:
    """Bits that numbers up to ``value`` need."""
    bits = 1
    while value >> bits:
        bits += 1
    return bits


@inlined
def _sort(high: Any, low: Any, begin: int, end: int) -> None:
    """Sort pairs of words from ``begin`` to ``end`` by insertion, if there are many over wide gaps first."""
    gap = end - begin if end - begin > _SHORT else 2
    while gap > 1:
        gap = max(1, gap * 5 // 11)
        for i in range(begin + gap, end):
            h, w = high[i], low[i]
            j = i
            while j - gap >= begin and (high[j - gap] > h or (high[j - gap] == h and low[j - gap] > w)):
                high[j], low[j] = high[j - gap], low[j - gap]
                j -= gap
            high[j], low[j] = h, w


@inlined
def _fraction(edits: int, length: int, bits: int) -> Any:
    """First ``2 * bits`` binary digits of edits / length; length < 2**bits and edits <= length.

    Two different fractions with such denominators differ by more than 2**(-2 * bits): these digits
    order them, and only equal fractions have equal digits.
    """
    head = edits << bits
    quotient = head // length
    tail = (head - quotient * length) << bits
    return np.uint64((quotient << bits) + tail // length)


@inlined
def _edits(fraction: Any, length: int, bits: int) -> Any:
    """The edits that `_fraction` was given: the digits times the length, rounded up."""
    digits = np.int64(fraction)
    low = (1 << bits) - 1
    return ((digits >> bits) * length + (((digits & low) * length + low) >> bits) + low) >> bits


@inlined
def _read_candidates(candidates: _Candidates, numbers: Any) -> Any:
    """Number the group's characters, and measure and list its candidates.

    Returns the number of codes, the most words and how many are listed.
    """
    count, characters, at, sizes, lengths, indices = candidates
    numbers[_SPACE] = _SPACE_CODE
    codes = _FIRST_CODE
    most_words = 0
    listed = 0
    for candidate in range(count):
        within = False
        words = 0
        begin, end = at[candidate], at[candidate + 1]
        for position in range(begin, end):
            character = characters[position]
            if numbers[character] == 0:
                numbers[character] = codes
                codes += 1
            if character in (_SPACE, _UNDERSCORE):
                within = False
            elif not within:
                within = True
                words += 1
        most_words = max(most_words, words)
        sizes[candidate] = end - begin
        if end > begin:
            lengths[listed] = np.uint64(end - begin)
            indices[listed] = np.uint64(candidate)
            listed += 1
    return codes, most_words, listed


@inlined
def _forget(candidates: _Candidates, numbers: Any) -> None:
    """Take the numbers of the group's characters back."""
    numbers[_SPACE] = _OTHER_CODE
    for position in range(candidates.at[0], candidates.at[candidates.count]):
        numbers[candidates.characters[position]] = 0


@inlined
def _read_texts(characters: Any, text_at: Any, numbers: Any, texts: _Texts) -> int:
    """Tokenise the unit's texts and find equal ones; returns the number of characters of the longest."""
    count, codes, token_begin, token_end, _, token_at, same_as, _, _ = texts
    written = tokens = longest = 0
    for text in range(count):
        token_at[text] = tokens
        begin_of_text = written
        position, end = text_at[text], text_at[text + 1]
        while True:
            while position < end and characters[position] == _SPACE:
                position += 1
            if position >= end:
                break
            if written > begin_of_text:
                codes[written] = _SPACE_CODE
                written += 1
            token_begin[tokens] = written
            while position < end and characters[position] != _SPACE:
                codes[written] = numbers[characters[position]]
                written += 1
                position += 1
            token_end[tokens] = written
            tokens += 1
        token_at[text + 1] = tokens
        size = written - begin_of_text
        longest = max(longest, size)
        same_as[text] = -1
        for earlier in range(text - 1, max(-1, text - 1 - _LOOK_BACK), -1):
            first = token_at[earlier]
            if (
                token_at[earlier + 1] - first == tokens - token_at[text]
                and tokens > token_at[text]
                and token_end[token_at[earlier + 1] - 1] - token_begin[first] == size
                and _equal(codes, token_begin[first], begin_of_text, size)
            ):
                same_as[text] = earlier if same_as[earlier] < 0 else same_as[earlier]
                break
    return longest


@inlined
def _kind_of(length: int, alone: bool) -> int:
    """How a candidate is computed; ``alone``: too few to fill a vector of short lanes by themselves."""
    if length > 64:
        return _LONG
    return _LANES_64 if length > 32 or alone else _LANES_32


@inlined
def _fill_blocks(unit: _Unit, numbers: Any, codes: int, begin: int, joining: int, blocks: _Blocks) -> _Pass:
    """Put candidates, listed by length, into blocks until the tables are large.

    Candidates from ``joining`` on take no 32-bit lanes.
    """
    _, characters, first_character, _, lengths, indices = unit.candidates
    listed, numerator, denominator = unit.listed, unit.numerator, unit.denominator
    records, lane_candidate, constants, masks = blocks
    done = begin
    count = mask_words = column_words = 0
    highest = 0
    while done < listed and mask_words < _MASK_WORDS and column_words < _COLUMN_WORDS:
        length = np.int64(lengths[done])
        kind = _kind_of(length, done >= joining)
        words = VECTOR_WORDS if kind != _LONG else (length + 63) >> 6
        lanes = 8 if kind == _LANES_32 else 4 if kind == _LANES_64 else 1
        fill(moved(masks, mask_words), codes * words, ZERO)
        at = count * _BLOCK_WORDS
        fill(moved(constants, at), _BLOCK_WORDS, ZERO)
        record = moved(records, count * _RECORD)
        record[_SHORTEST] = length - length * numerator // denominator
        lane = 0
        while lane < lanes and done < listed:
            length = np.int64(lengths[done])
            if _kind_of(length, done >= joining) != kind:
                break
            index = np.int64(indices[done])
            lane_candidate[8 * count + lane] = index
            allowed = np.uint64(length * numerator // denominator)
            word, shift = lane, ZERO
            if kind == _LANES_32:
                word, shift = lane >> 1, np.uint64(32 * (lane & 1))
            for position in range(length):
                row = mask_words + numbers[characters[first_character[index] + position]] * words
                if kind == _LONG:
                    masks[row + (position >> 6)] |= ONE << np.uint64(position & 63)
                else:
                    masks[row + word] |= ONE << (np.uint64(position) + shift)
            if kind == _LONG:
                length = ((length - 1) & 63) + 1
            constants[at + word] |= (ALL >> np.uint64(64 - length)) << shift
            constants[at + VECTOR_WORDS + word] |= allowed << shift
            lane += 1
            done += 1
        reach = np.int64(1) << 62
        if numerator < denominator:
            reach = np.int64(lengths[done - 1]) * denominator // (denominator - numerator)
        record[_KIND] = kind
        record[_SIZE] = words if kind == _LONG else lane
        record[_LONGEST] = reach
        record[_MASK_AT] = mask_words
        record[_COLUMN_AT] = column_words
        highest = max(highest, reach)
        mask_words += codes * words
        column_words += 2 * words
        count += 1
    return _Pass(count, column_words, highest, done)


@inlined
def _advance_long(mask: Any, columns: Any, words: int) -> None:
    """Move one candidate of several words over the character that has this mask."""
    hp, hn = ONE, ZERO
    for k in range(words):
        columns[k], columns[words + k], hp, hn = _advance_block(
            mask[k], columns[k], columns[words + k], hp, hn
        )


@inlined
def _long_edits(columns: Any, words: int, last_used: Any, length: int) -> int:
    edits = length
    for k in range(words):
        used = last_used if k == words - 1 else ALL
        edits += np.int64(_count_ones(columns[k] & used))
        edits -= np.int64(_count_ones(columns[words + k] & used))
    return edits


@inlined
def _walk(
    unit: _Unit, blocks: _Blocks, tables: _Pass, columns: Any, memory: Any, found: _Hits, hits: int, room: int
) -> int:
    """Compare the n-grams that end at every token of every text and write down the hits.

    ``hits`` are there already, and room for so many. Returns how many there are then, or where there may not
    be enough room for them minus the room to come back with.
    """
    count, codes, token_begin, token_end, _, token_at, same_as, hit_at, _ = unit.texts
    records, lane_candidate, constants, masks = blocks
    longest_text, length_bits, token_bits, candidate_bits, ngram_bits = unit.fields
    candidate_shift = np.uint64(ngram_bits)
    start_shift = np.uint64(candidate_bits + ngram_bits)
    shorter_shift = np.uint64(token_bits + candidate_bits + ngram_bits)
    places = unit.most_tokens + _SIDE_BY_SIDE
    # For n-grams from the latest start on: characters, and edits that so many allow; the latter for any.
    lengths, limits, allowed = int64_at(memory, 0), int64_at(memory, places), int64_at(memory, 2 * places)
    edits = int64_at(memory, 2 * places + longest_text + 1)
    edits_32 = int32_at(memory, 2 * places + longest_text + 1)
    rest = np.int64(0)
    allowed[0] = 0
    for length in range(1, min(longest_text, tables.highest) + 1):
        rest += unit.numerator
        more = 1 if rest >= unit.denominator else 0
        rest -= more * unit.denominator
        allowed[length] = allowed[length - 1] + more

    for text in range(count):
        hit_at[text] = hits
        text_begin, text_end = token_at[text], token_at[text + 1]
        if same_as[text] >= 0:
            continue
        for block in range(tables.blocks):
            records[block * _RECORD + _LIVE] = 0
        oldest = text_begin
        for token in range(text_begin, text_end):
            begin, end = token_begin[token], token_end[token]
            oldest = max(oldest, token + 1 - unit.most_tokens)
            while oldest <= token and end - token_begin[oldest] > tables.highest:
                oldest += 1
            starts = token + 1 - oldest
            for number in range(starts):
                lengths[number] = end - token_begin[token - number]
                limits[number] = allowed[lengths[number]]
            for block in range(tables.blocks):
                record = moved(records, block * _RECORD)
                kind, size, least = record[_KIND], record[_SIZE], record[_SHORTEST]
                live = min(record[_LIVE] + 1, starts)
                while live > 0 and lengths[live - 1] > record[_LONGEST]:
                    live -= 1
                record[_LIVE] = live
                if hits + 8 * live > room:
                    return -2 * (hits + 8 * live)
                mask = moved(masks, record[_MASK_AT])
                own = moved(constants, block * _BLOCK_WORDS)
                each = 2 * (size if kind == _LONG else VECTOR_WORDS)  # words of columns
                first_column = record[_COLUMN_AT] * (places + 1)
                # From the longest n-gram on: what is written is one place further on than what is read.
                while live > 0:
                    here = 1 if kind == _LONG else ((live - 1) & (_SIDE_BY_SIDE - 1)) + 1
                    live -= here
                    at = moved(columns, first_column + live * each)
                    length, limit = moved(lengths, live), moved(limits, live)
                    scored = 1 if length[here - 1] >= least else 0
                    lanes = 4
                    found_lanes = 0
                    if kind == _LANES_32:
                        lanes = 8
                        if here > 2:
                            found_lanes = advance_four_32(
                                mask, codes, begin, end, _SPACE_CODE, at, own, length, limit, scored, edits
                            )
                        else:
                            found_lanes = advance_two_32(
                                mask, codes, begin, end, _SPACE_CODE, at, own, length, limit, scored, edits
                            )
                    elif kind == _LANES_64:
                        if here > 2:
                            found_lanes = advance_four_64(
                                mask, codes, begin, end, _SPACE_CODE, at, own, length, limit, scored, edits
                            )
                        else:
                            found_lanes = advance_two_64(
                                mask, codes, begin, end, _SPACE_CODE, at, own, length, limit, scored, edits
                            )
                    else:
                        after = moved(at, each)
                        for k in range(each):
                            after[k] = at[k]
                        for position in range(begin, end):
                            _advance_long(moved(mask, codes[position] * size), after, size)
                        if scored:
                            edits[0] = _long_edits(after, size, own[0], length[0])
                            found_lanes = 1 if edits[0] <= max(np.int64(own[VECTOR_WORDS]), limit[0]) else 0
                        _advance_long(moved(mask, _SPACE_CODE * size), after, size)
                    if found_lanes == 0:
                        continue
                    for number in range(here):
                        for lane in range(1 if kind == _LONG else size):
                            place = number * lanes + lane
                            if (found_lanes >> place) & 1:
                                candidate = lane_candidate[8 * block + lane]
                                longer = max(length[number], unit.candidates.sizes[candidate])
                                distance = np.int64(edits_32[place]) if kind == _LANES_32 else edits[place]
                                found.high[hits] = _fraction(distance, longer, length_bits)
                                found.low[hits] = (
                                    np.uint64(longest_text - length[number]) << shorter_shift
                                    | np.uint64(token - text_begin - live - number) << start_shift
                                    | np.uint64(candidate) << candidate_shift
                                    | np.uint64(live + number + 1)
                                )
                                found.text[hits] = text
                                hits += 1
    hit_at[count] = hits
    return hits


@inlined
def _group_by_text(found: _Hits, hits: int, texts: _Texts, grouped: _Hits) -> None:
    """Bring the hits of each text together."""
    at = texts.hit_at
    fill(at, texts.count + 2, 0)
    for hit in range(hits):
        at[found.text[hit] + 2] += 1
    for text in range(texts.count):
        at[text + 2] += at[text + 1]
    for hit in range(hits):
        place = at[found.text[hit] + 1]
        grouped.high[place] = found.high[hit]
        grouped.low[place] = found.low[hit]
        at[found.text[hit] + 1] = place + 1


@inlined
def _finish(unit: _Unit, hits: _Hits, select: int, rows: Any, row: int, counts: Any) -> int:
    """Sort the hits of each text, select greedily if asked, and write the rows; returns their number."""
    count, _, _, _, taken, token_at, same_as, hit_at, row_at = unit.texts
    longest_text, length_bits, token_bits, candidate_bits, ngram_bits = unit.fields
    start_shift = np.uint64(candidate_bits + ngram_bits)
    shorter_shift = np.uint64(token_bits + candidate_bits + ngram_bits)
    for text in range(count):
        row_at[text] = row
        if same_as[text] >= 0:
            source, end = row_at[same_as[text]], row_at[same_as[text] + 1]
            for k in range(5 * (end - source)):
                rows[5 * row + k] = rows[5 * source + k]
            row += end - source
        _sort(hits.high, hits.low, hit_at[text], hit_at[text + 1])
        fill(taken, token_at[text + 1] - token_at[text], 0)
        for k in range(hit_at[text], hit_at[text + 1]):
            word = hits.low[k]
            start = np.int64(word >> start_shift) & ((1 << token_bits) - 1)
            end = start + (np.int64(word) & ((1 << ngram_bits) - 1))
            if select:
                token = start
                while token < end and taken[token] == 0:
                    token += 1
                if token < end:
                    continue
                for token in range(start, end):
                    taken[token] = 1
            candidate = np.int64(word >> np.uint64(ngram_bits)) & ((1 << candidate_bits) - 1)
            longer = max(longest_text - np.int64(word >> shorter_shift), unit.candidates.sizes[candidate])
            rows[5 * row] = candidate
            rows[5 * row + 1] = start
            rows[5 * row + 2] = end
            rows[5 * row + 3] = _edits(hits.high[k], longer, length_bits)
            rows[5 * row + 4] = longer
            row += 1
        row_at[text + 1] = row
        counts[text] = row - row_at[text]
    return row


def align_units(
    characters: Any, candidate_at: Any, group_at: Any, text_at: Any, unit_group: Any, unit_at: Any,
    units: int, numerator: int, denominator: int, select: int, numbers: Any, counts: Any, progress: Any,
    rows: Any, most_rows: int, memory: Any, room: int,
) -> int:  # fmt: skip
    """Write rows (candidate, start, end, edits, length) of all texts in order, and how many each text has.

    ``numbers`` has a zero for each code point, before and after. Texts of unit ``u`` are those from
    ``unit_at[u]`` to ``unit_at[u + 1]``; candidates of group ``g`` those from ``group_at[g]``. ``progress``
    says how many units and rows are done. Returns 0 at the end. If the ``room`` words of ``memory`` do not
    suffice it returns how many it wants, if ``most_rows`` do not suffice minus how many rows it wants; called
    again with more it goes on.
    """
    while progress[0] < units:
        unit, row = progress[0], progress[1]
        first, text_count = unit_at[unit], unit_at[unit + 1] - unit_at[unit]
        first_candidate = group_at[unit_group[unit]]
        count = group_at[unit_group[unit] + 1] - first_candidate
        at = moved(text_at, first)
        size = at[text_count] - at[0]

        # Columns of tokens and texts, then of candidates, then of blocks.
        most = size // 2 + text_count + 2
        texts = _Texts(
            text_count,
            int32_at(memory, 0),
            int64_at(memory, most),
            int64_at(memory, 2 * most),
            int64_at(memory, 3 * most),
            int64_at(memory, 4 * most),
            int64_at(memory, 5 * most),
            int64_at(memory, 6 * most),
            int64_at(memory, 7 * most),
        )
        used = 8 * most
        candidates = _Candidates(
            count,
            characters,
            moved(candidate_at, first_candidate),
            int64_at(memory, used),
            words_at(memory, used + count),
            words_at(memory, used + 2 * count),
        )
        used += 3 * count
        records, constants = int64_at(memory, used), words_at(memory, used + (_RECORD + 8) * count)
        used += (_RECORD + 8 + _BLOCK_WORDS) * count
        if used > room:
            return used

        _forget(candidates, numbers)  # those of an earlier call that ended before its time
        codes, most_words, listed = _read_candidates(candidates, numbers)
        _sort(candidates.lengths, candidates.indices, np.int64(0), listed)
        longest_text = _read_texts(characters, at, numbers, texts)
        most_tokens = max(1, min(most_words + 1, (longest_text + 1) // 2))
        longest = np.int64(candidates.lengths[listed - 1]) if listed else 0
        bits = _bits(max(longest, longest_text)), _bits(longest_text), _bits(count), _bits(most_tokens)
        fields = _Fields(longest_text, bits[0], bits[1], bits[2], bits[3])
        this = _Unit(texts, candidates, listed, most_tokens, numerator, denominator, fields)

        # Short candidates that would start another vector join the longer ones where lanes are free.
        short = _lower_bound(candidates.lengths, np.int64(0), listed, np.uint64(33))
        wide = _lower_bound(candidates.lengths, short, listed, np.uint64(65)) - short
        joining = short - short % 8 if short % 8 <= -wide % 4 else listed

        # The tables of a pass, each as large as that of any pass can become; what is left is for hits.
        widest = max(VECTOR_WORDS, (longest + 63) >> 6)
        most_columns = min(_COLUMN_WORDS, 2 * widest * listed) + 2 * widest
        masks = moved(memory, used)
        used += min(_MASK_WORDS, codes * widest * listed) + codes * widest
        columns = moved(memory, used)
        used += most_columns * (most_tokens + _SIDE_BY_SIDE + 1)
        at_token = moved(memory, used)
        used += 2 * (most_tokens + _SIDE_BY_SIDE) + longest_text + 1 + _SIDE_BY_SIDE * VECTOR_WORDS
        if used > room:
            return used
        most_hits = (room - used) // 5
        hit_texts = int64_at(memory, used + 4 * most_hits)
        found = _Hits(moved(memory, used), moved(memory, used + most_hits), hit_texts)
        grouped = _Hits(moved(memory, used + 2 * most_hits), moved(memory, used + 3 * most_hits), hit_texts)
        blocks = _Blocks(records, moved(records, _RECORD * count), constants, masks)

        done = hits = passes = np.int64(0)
        fill(texts.hit_at, text_count + 1, 0)
        while done < listed:
            tables = _fill_blocks(this, numbers, codes, done, joining, blocks)
            for block in range(tables.blocks):
                record = moved(records, block * _RECORD)
                half = VECTOR_WORDS if record[_KIND] != _LONG else record[_SIZE]
                first_column = moved(columns, record[_COLUMN_AT] * (most_tokens + _SIDE_BY_SIDE + 1))
                fill(first_column, half, ALL)
                fill(moved(first_column, half), half, ZERO)
            hits = _walk(this, blocks, tables, columns, at_token, found, hits, most_hits)
            if hits < 0:
                return used - 5 * hits
            done = tables.done
            passes += 1

        by_text = found  # as one pass leaves them
        if passes > 1:
            _group_by_text(found, hits, texts, grouped)
            by_text = grouped
        total = hits
        for text in range(text_count):
            if texts.same_as[text] >= 0:
                total += texts.hit_at[texts.same_as[text] + 1] - texts.hit_at[texts.same_as[text]]
        if row + total > most_rows:
            return -(row + total)
        progress[1] = _finish(this, by_text, select, rows, row, moved(counts, first))
        progress[0] += 1
        _forget(candidates, numbers)
    return 0


_STRINGS, _NUMBERS = (types.U32, *[types.I64] * 5), [types.INT] * 4
_OUTPUT = types.I64, types.I64, types.I32, types.INT, types.U64, types.INT

KERNELS: Kernels = {"align_units": (align_units, (*_STRINGS, *_NUMBERS, types.I32, *_OUTPUT))}
