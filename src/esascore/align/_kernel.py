"""The compiled part of the Numba backend: from characters to selected matches, for many texts at once.

Work comes in units: one group of candidates and some of the texts that are to be compared with it.

1. The group's characters get small codes, and every other character of a text one code for all of them:
   none can match anything. Texts become codes, tokens, and numbers of equal words (`_read_texts`).
2. The n-grams of the unit's texts form a trie of words, since all that start at one token share a prefix
   and texts about the same candidates share many n-grams. A node holds the columns of the edit distance
   of every candidate after its n-gram, hence each distinct n-gram costs one step per character of its
   last token, whatever number of times and texts it occurs in. Short candidates share vectors, one in a
   lane; long ones use several words each (`_fill_blocks`, `_walk`). A trie that has grown to its limit
   starts anew, and candidates whose tables would be too large are taken in several passes: memory stays
   bounded.
3. The hits of a text are sorted by two words that hold the order exactly, and selected greedily
   (`_finish`).

Numba compiles this module once on a machine, in a process of its own (`esascore.align.compiled`).
"""

# Numba infers its own types, for which int and the scalars of NumPy are one.
# mypy: disable-error-code="assignment,no-any-return"

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from esascore.align import _pointers as types
from esascore.align import _steps
from esascore.align._pointers import fill, inlined, int32_at, int64_at, moved, words_at
from esascore.align._simd import VECTOR_WORDS, advance_lanes_32, advance_lanes_64

_advance_block = inlined(_steps.advance_block)
_count_ones = inlined(_steps.count_ones)
_equal = inlined(_steps.equal)
_lower_bound = inlined(_steps.lower_bound)

ONE, ZERO, ALL = _steps.ONE, _steps.ZERO, _steps.ALL

_BLOCK_WORDS = 2 * VECTOR_WORDS
"""Words of the columns (vp, vn) of a block of lanes, and of its constants."""

_MASK_WORDS = 1 << 17
"""Words of tables from which on a pass is closed."""

_STATE_WORDS = 1 << 17
"""Words of columns that a trie may hold, if that is enough for one start."""

_NODE_STATE_WORDS = 512
"""Words of columns of a node from which on a pass is closed."""

_MOST_NODES = 1 << 13
_STARTS = 32
"""Start tokens that are followed side by side: their chains of operations are independent."""

_KEPT_HITS = 1 << 13
"""Hits of nodes that a trie may keep, if that is enough for the starts followed side by side."""

_SHORT = 24
"""Words that are sorted fastest by plain insertion."""

_LOOK_BACK = 64
"""How many earlier texts of the unit are looked at for one with the same words."""

_LANES_32, _LANES_64, _LONG = 0, 1, 2

_KIND, _SIZE, _SHORTEST, _LONGEST, _MASK_AT, _STATE_AT, _RECORD = range(7)
"""What the record of a block says: its kind, its lanes (or words of a long candidate), lengths of the
shortest and the longest n-gram that can be a hit, where its masks are, and its part of a node's columns."""

_SPACE = 32
_UNDERSCORE = 95
_MULTIPLIER = np.uint64(0x9E37_79B9_7F4A_7C15)
_HALF = np.uint64(32)


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
    word: Any  # number of the token's word
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
    """How many blocks there are, words of a node's columns, longest n-gram that matters, candidates done."""

    blocks: int
    state_words: int
    highest: int
    done: int


class _Trie(NamedTuple):
    """Nodes, found by parent and word; node 0 is the root."""

    capacity: int
    slots: int
    most_kept: int
    hits: Any  # first kept hit of each node
    nodes: Any  # of each slot
    keys: Any  # of each slot: parent and word, or 0 where it is free
    states: Any
    kept_high: Any
    kept_low: Any


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
def _power_of_two(value: int) -> int:
    power = 16
    while power < value:
        power *= 2
    return power


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

    Returns the number of codes (0 is any other character), the most words and how many are listed.
    """
    count, characters, at, sizes, lengths, indices = candidates
    codes = 1
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
    for position in range(candidates.at[0], candidates.at[candidates.count]):
        numbers[candidates.characters[position]] = 0


@inlined
def _read_texts(
    characters: Any, text_at: Any, numbers: Any, texts: _Texts, memory: Any, room: int, slot_count: int
) -> int:
    """Tokenise the unit's texts and number equal words; returns the number of characters of the longest.

    ``memory`` has ``room`` words for each of three columns, and a word for each slot.
    """
    count, codes, token_begin, token_end, token_word, _, token_at, same_as, _, _ = texts
    word_begin, word_end, hashes = int64_at(memory, 0), int64_at(memory, room), words_at(memory, 2 * room)
    slots = int64_at(memory, 3 * room)
    fill(slots, slot_count, -1)
    space = numbers[_SPACE]
    written = tokens = known = longest = 0
    for text in range(count):
        token_at[text] = tokens
        begin_of_text = written
        total = ZERO
        position, end = text_at[text], text_at[text + 1]
        while True:
            while position < end and characters[position] == _SPACE:
                position += 1
            if position >= end:
                break
            if written > begin_of_text:
                codes[written] = space
                written += 1
            begin = written
            key = ONE
            while position < end and characters[position] != _SPACE:
                code = numbers[characters[position]]
                codes[written] = code
                key = (key ^ np.uint64(code)) * _MULTIPLIER
                written += 1
                position += 1
            size = written - begin
            slot = np.int64(key >> _HALF) & (slot_count - 1)
            word = slots[slot]
            while word >= 0 and not (
                word_end[word] - word_begin[word] == size and _equal(codes, word_begin[word], begin, size)
            ):
                slot = (slot + 1) & (slot_count - 1)
                word = slots[slot]
            if word < 0:
                word = known
                slots[slot] = word
                word_begin[word] = begin
                word_end[word] = written
                known += 1
            token_begin[tokens] = begin
            token_end[tokens] = written
            token_word[tokens] = word
            tokens += 1
            total = (total ^ np.uint64(word)) * _MULTIPLIER
        longest = max(longest, written - begin_of_text)
        token_at[text + 1] = tokens
        hashes[text] = total
        same_as[text] = -1
        own = token_at[text]
        for earlier in range(text - 1, max(-1, text - 1 - _LOOK_BACK), -1):
            if (
                hashes[earlier] == total
                and token_at[earlier + 1] - token_at[earlier] == tokens - own
                and _equal(token_word, token_at[earlier], own, tokens - own)
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
    count = mask_words = state_words = 0
    highest = 0
    while done < listed and mask_words < _MASK_WORDS and state_words < _NODE_STATE_WORDS:
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
        record[_STATE_AT] = state_words
        highest = max(highest, reach)
        mask_words += codes * words
        state_words += 2 * words
        count += 1
    return _Pass(count, state_words, highest, done)


@inlined
def _advance_long(mask: Any, codes: Any, begin: int, end: int, before: Any, after: Any, words: int) -> None:
    """Move one candidate of several words over part of a text."""
    for k in range(2 * words):
        after[k] = before[k]
    for position in range(begin, end):
        row = codes[position] * words
        hp, hn = ONE, ZERO
        for k in range(words):
            after[k], after[words + k], hp, hn = _advance_block(
                mask[row + k], after[k], after[words + k], hp, hn
            )


@inlined
def _long_edits(state: Any, words: int, last_used: Any, length: int) -> int:
    edits = length
    for k in range(words):
        used = last_used if k == words - 1 else ALL
        edits += np.int64(_count_ones(state[k] & used))
        edits -= np.int64(_count_ones(state[words + k] & used))
    return edits


@inlined
def _walk(
    unit: _Unit,
    blocks: _Blocks,
    tables: _Pass,
    trie: _Trie,
    most_hits: int,
    memory: Any,
    found_hits: _Hits,
    hits: int,
    room: int,
) -> int:
    """Follow the n-grams from every start token of every text through the trie and write down the hits.

    ``most_hits`` bounds the hits of one start, ``hits`` are there already. Returns how many there are then,
    or where there may not be enough room for them minus the room to come back with.
    """
    count, codes, token_begin, token_end, token_word, _, token_at, same_as, _, _ = unit.texts
    records, lane_candidate, constants, masks = blocks
    capacity, slots, most_kept, node_hits, slot_nodes, slot_keys, states, kept_high, kept_low = trie
    hit_high, hit_low, hit_text = found_hits
    longest_text, length_bits, token_bits, candidate_bits, ngram_bits = unit.fields
    candidate_shift = np.uint64(ngram_bits)
    start_shift = np.uint64(candidate_bits + ngram_bits)
    shorter_shift = np.uint64(token_bits + candidate_bits + ngram_bits)
    starts = max(1, min(_STARTS, (capacity - 1) // unit.most_tokens, most_kept // most_hits))
    # For each start that is still followed: itself and its node; for each new node: parent and token.
    active, place = int64_at(memory, 0), int64_at(memory, _STARTS)
    new_parent, new_token = int64_at(memory, 2 * _STARTS), int64_at(memory, 3 * _STARTS)
    lane_edits, lane_edits_32 = int64_at(memory, 4 * _STARTS), int32_at(memory, 4 * _STARTS)
    nodes, kept = 1, 0
    fill(slot_keys, slots, ZERO)

    for text in range(count):
        text_begin, text_end = token_at[text], token_at[text + 1]
        if same_as[text] >= 0:
            continue
        for next_start in range(text_begin, text_end, starts):
            live = min(starts, text_end - next_start)
            if hits + live * most_hits > room:
                return -2 * (hits + starts * most_hits)
            if nodes + live * unit.most_tokens > capacity or kept + live * most_hits > most_kept:
                fill(slot_keys, slots, ZERO)
                nodes, kept = 1, 0
            for start in range(live):
                active[start] = next_start + start
                place[start] = 0
            for step in range(unit.most_tokens):
                # Which nodes the starts move to; unknown ones get their number now and their columns next.
                still = 0
                first_node = nodes
                for number in range(live):
                    start = active[number]
                    token = start + step
                    if token >= text_end or token_end[token] - token_begin[start] > tables.highest:
                        continue
                    parent = place[number]
                    key = (np.uint64(parent) << _HALF) + np.uint64(token_word[token]) + ONE
                    slot = np.int64((key * _MULTIPLIER) >> _HALF) & (slots - 1)
                    while slot_keys[slot] != key and slot_keys[slot] != ZERO:
                        slot = (slot + 1) & (slots - 1)
                    if slot_keys[slot] != key:
                        slot_keys[slot] = key
                        slot_nodes[slot] = nodes
                        new_parent[nodes - first_node] = parent
                        new_token[nodes - first_node] = token
                        nodes += 1
                    active[still] = start
                    place[still] = slot_nodes[slot]
                    still += 1
                if still == 0:
                    break
                live = still
                # New nodes do not depend on each other: the processor works on several at a time.
                for node in range(first_node, nodes):
                    node_hits[node] = kept
                    parent = new_parent[node - first_node]
                    token = new_token[node - first_node]
                    begin, end = token_begin[token], token_end[token]
                    length = end - token_begin[token - step]
                    if step > 0:
                        begin -= 1  # with the space before the token
                    limit = length * unit.numerator // unit.denominator
                    for block in range(tables.blocks):
                        record = moved(records, block * _RECORD)
                        if length > record[_LONGEST]:
                            continue
                        kind, least = record[_KIND], record[_SHORTEST]
                        mask = moved(masks, record[_MASK_AT])
                        before = moved(states, parent * tables.state_words + record[_STATE_AT])
                        after = moved(states, node * tables.state_words + record[_STATE_AT])
                        own = moved(constants, block * _BLOCK_WORDS)
                        found = 0
                        if kind == _LANES_32:
                            found = advance_lanes_32(
                                mask, codes, begin, end, before, after, own, least, length, limit, lane_edits
                            )
                        elif kind == _LANES_64:
                            found = advance_lanes_64(
                                mask, codes, begin, end, before, after, own, least, length, limit, lane_edits
                            )
                        else:
                            words = record[_SIZE]
                            _advance_long(mask, codes, begin, end, before, after, words)
                            if length >= least:
                                edits = _long_edits(after, words, own[0], length)
                                lane_edits[0] = edits
                                found = 1 if edits <= max(np.int64(own[VECTOR_WORDS]), limit) else 0
                        if found:
                            for lane in range(record[_SIZE] if kind != _LONG else 1):
                                if found >> lane & 1:
                                    edits = lane_edits[lane]
                                    if kind == _LANES_32:
                                        edits = np.int64(lane_edits_32[lane])
                                    candidate = lane_candidate[8 * block + lane]
                                    longer = max(length, unit.candidates.sizes[candidate])
                                    kept_high[kept] = _fraction(edits, longer, length_bits)
                                    kept_low[kept] = (
                                        np.uint64(longest_text - length) << shorter_shift
                                        | np.uint64(candidate) << candidate_shift
                                        | np.uint64(step + 1)
                                    )
                                    kept += 1
                    node_hits[node + 1] = kept
                for number in range(live):
                    node = place[number]
                    for hit in range(node_hits[node], node_hits[node + 1]):
                        hit_high[hits] = kept_high[hit]
                        hit_low[hits] = kept_low[hit] | np.uint64(active[number] - text_begin) << start_shift
                        hit_text[hits] = text
                        hits += 1
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
    count, _, _, _, _, taken, token_at, same_as, hit_at, row_at = unit.texts
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
    characters: Any,
    candidate_at: Any,
    group_at: Any,
    text_at: Any,
    unit_group: Any,
    unit_at: Any,
    units: int,
    numerator: int,
    denominator: int,
    select: int,
    numbers: Any,
    counts: Any,
    progress: Any,
    rows: Any,
    most_rows: int,
    memory: Any,
    room: int,
) -> int:
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
            int32_at(memory, 3 * most),
            int64_at(memory, 4 * most),
            int64_at(memory, 5 * most),
            int64_at(memory, 6 * most),
            int64_at(memory, 7 * most),
            int64_at(memory, 8 * most),
        )
        free = moved(memory, 9 * most)
        used = 12 * most + _power_of_two(size + 2 * text_count)
        candidates = _Candidates(
            count,
            characters,
            moved(candidate_at, first_candidate),
            int64_at(memory, used),
            words_at(memory, used + count),
            words_at(memory, used + 2 * count),
        )
        used += 3 * count
        records, constants = int64_at(memory, used), words_at(memory, used + 14 * count)
        used += (14 + _BLOCK_WORDS) * count
        side_by_side = moved(memory, used)
        used += 4 * _STARTS + VECTOR_WORDS
        if used > room:
            return used

        _forget(candidates, numbers)  # those of an earlier call that ended before its time
        codes, most_words, listed = _read_candidates(candidates, numbers)
        _sort(candidates.lengths, candidates.indices, np.int64(0), listed)
        longest_text = _read_texts(
            characters, at, numbers, texts, free, most, _power_of_two(size + 2 * text_count)
        )
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
        most_nodes = max(min(_MOST_NODES, 1 + texts.at[text_count] * most_tokens), most_tokens + 2)
        most_state = min(_NODE_STATE_WORDS, 2 * widest * listed) + 2 * widest
        most_states = max(min(_STATE_WORDS, most_nodes * most_state), (most_tokens + 2) * most_state)
        most_slots = _power_of_two(most_nodes + most_nodes // 4)  # most nodes occur more than once
        most_kept = max(_KEPT_HITS, most_tokens * listed)
        masks = moved(memory, used)
        used += min(_MASK_WORDS, codes * widest * listed) + codes * widest
        node_hits, slot_nodes = int64_at(memory, used), int64_at(memory, used + most_nodes + 1)
        used += most_nodes + 1 + most_slots
        slot_keys, states = moved(memory, used), moved(memory, used + most_slots)
        used += most_slots + most_states
        kept_high, kept_low = moved(memory, used), moved(memory, used + most_kept)
        used += 2 * most_kept
        if used > room:
            return used
        most_hits = (room - used) // 5
        hit_texts = int64_at(memory, used + 4 * most_hits)
        found = _Hits(moved(memory, used), moved(memory, used + most_hits), hit_texts)
        grouped = _Hits(moved(memory, used + 2 * most_hits), moved(memory, used + 3 * most_hits), hit_texts)
        blocks = _Blocks(records, moved(records, _RECORD * count), constants, masks)

        done = hits = np.int64(0)
        while done < listed:
            tables = _fill_blocks(this, numbers, codes, done, joining, blocks)
            for block in range(tables.blocks):
                record = moved(records, block * _RECORD)
                half = VECTOR_WORDS if record[_KIND] != _LONG else record[_SIZE]
                fill(moved(states, record[_STATE_AT]), half, ALL)
                fill(moved(states, record[_STATE_AT] + half), half, ZERO)
            capacity = max(min(most_nodes, _STATE_WORDS // tables.state_words), most_tokens + 2)
            slots = _power_of_two(capacity + capacity // 4)
            trie = _Trie(
                capacity, slots, most_kept, node_hits, slot_nodes, slot_keys, states, kept_high, kept_low
            )
            most_of_start = most_tokens * (tables.done - done)
            hits = _walk(this, blocks, tables, trie, most_of_start, side_by_side, found, hits, most_hits)
            if hits < 0:
                return used - 5 * hits
            done = tables.done

        _group_by_text(found, hits, texts, grouped)
        total = hits
        for text in range(text_count):
            if texts.same_as[text] >= 0:
                total += texts.hit_at[texts.same_as[text] + 1] - texts.hit_at[texts.same_as[text]]
        if row + total > most_rows:
            return -(row + total)
        progress[1] = _finish(this, grouped, select, rows, row, moved(counts, first))
        progress[0] += 1
        _forget(candidates, numbers)
    return 0


KERNELS: Mapping[str, tuple[Callable[..., int], tuple[Any, ...]]] = MappingProxyType(
    {
        "align_units": (
            align_units,
            (
                types.U32,
                *[types.I64] * 5,
                *[types.INT] * 4,
                types.I32,
                types.I64,
                types.I64,
                types.I32,
                types.INT,
                types.U64,
                types.INT,
            ),
        )
    }
)
"""Name of a kernel -> its function and the types of its arguments."""
