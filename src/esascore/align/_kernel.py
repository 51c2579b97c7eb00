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

Arrays are never replaced inside hot loops: counting references to them would cost more than the work.
"""

# Numba infers its own types, for which int and the scalars of NumPy are one.
# mypy: disable-error-code="assignment"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, types

from esascore.align import _steps
from esascore.align._simd import VECTOR_WORDS, advance_lanes_32, advance_lanes_64

_compiled = njit(error_model="numpy")  # no denominator is zero: no code for exceptions

_advance_block = _compiled(_steps.advance_block)
_count_ones = _compiled(_steps.count_ones)

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

_LOOK_BACK = 64
"""How many earlier texts of the unit are looked at for one with the same words."""

_LANES_32, _LANES_64, _LONG = 0, 1, 2

_SPACE = 32
_UNDERSCORE = 95
_MULTIPLIER = np.uint64(0x9E37_79B9_7F4A_7C15)
_HALF = np.uint64(32)


class _Texts(NamedTuple):
    """The texts of a unit."""

    codes: Any  # of all characters, tokens separated by one space
    begin: Any  # of each token, in codes
    end: Any
    word: Any  # number of the token's word
    at: Any  # first token of each text, and the end
    same_as: Any  # for each text the first with the same words, or -1 if it is that itself


class _Blocks(NamedTuple):
    """The candidates of a pass, in blocks that are computed together."""

    kind: Any
    size: Any  # number of lanes; words of a long candidate
    shortest: Any  # n-gram that can be a hit, in characters
    longest: Any
    mask_at: Any
    state_at: Any  # within the columns of a node
    candidate: Any  # of each lane, eight for each block
    constants: Any
    masks: Any


class _Trie(NamedTuple):
    """Nodes, found by parent and word; node 0 is the root."""

    slot: Any  # of each node
    hits: Any  # first kept hit of each node
    keys: Any  # of each slot: parent and word, or 0 where it is free
    nodes: Any  # of each slot
    states: Any
    kept_high: Any
    kept_low: Any


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


@_compiled
def _bits(value: int) -> int:
    """Bits that numbers up to ``value`` need."""
    bits = 1
    while value >> bits:
        bits += 1
    return bits


@_compiled
def _power_of_two(value: int) -> int:
    power = 16
    while power < value:
        power *= 2
    return power


@_compiled
def _sort(high: Any, low: Any, count: int, high_copy: Any, low_copy: Any) -> None:
    """Sort pairs of words: runs by insertion, then merged through the copies."""
    run = 24
    for begin in range(0, count, run):
        for i in range(begin + 1, min(begin + run, count)):
            h, w = high[i], low[i]
            j = i - 1
            while j >= begin:
                before, after = np.uint64(j), np.uint64(j + 1)
                if high[before] < h or (high[before] == h and low[before] <= w):
                    break
                high[after], low[after] = high[before], low[before]
                j -= 1
            after = np.uint64(j + 1)
            high[after], low[after] = h, w
    while run < count:
        for begin in range(0, count, 2 * run):
            middle, end = min(begin + run, count), min(begin + 2 * run, count)
            i, j = begin, middle
            for k in range(begin, end):
                if j >= end or (
                    i < middle and (high[i] < high[j] or (high[i] == high[j] and low[i] <= low[j]))
                ):
                    high_copy[k], low_copy[k] = high[i], low[i]
                    i += 1
                else:
                    high_copy[k], low_copy[k] = high[j], low[j]
                    j += 1
        for k in range(count):
            high[k], low[k] = high_copy[k], low_copy[k]
        run *= 2


@_compiled
def _fraction(edits: int, length: int, bits: int) -> Any:
    """First ``2 * bits`` binary digits of edits / length; length < 2**bits and edits <= length.

    Two different fractions with such denominators differ by more than 2**(-2 * bits): these digits
    order them, and only equal fractions have equal digits.
    """
    head = edits << bits
    quotient = head // length
    tail = (head - quotient * length) << bits
    return np.uint64((quotient << bits) + tail // length)


@_compiled
def _edits(fraction: Any, length: int, bits: int) -> Any:
    """The edits that `_fraction` was given: the digits times the length, rounded up."""
    digits = np.int64(fraction)
    low = (1 << bits) - 1
    return ((digits >> bits) * length + (((digits & low) * length + low) >> bits) + low) >> bits


@_compiled
def _read_candidates(
    characters: Any, candidate_at: Any, first: int, last: int, numbers: Any, lengths: Any, indices: Any
) -> Any:
    """Number the group's characters and list its candidates that are not empty, as lengths and indices.

    Returns the number of codes (0 is any other character), the most words and how many are listed.
    """
    codes = 1
    most_words = 0
    listed = 0
    for candidate in range(first, last):
        within = False
        words = 0
        begin, end = candidate_at[candidate], candidate_at[candidate + 1]
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
        if end > begin:
            lengths[listed] = end - begin
            indices[listed] = candidate - first
            listed += 1
    return codes, most_words, listed


@_compiled
def _read_texts(
    characters: Any,
    text_at: Any,
    first: int,
    last: int,
    numbers: Any,
    texts: _Texts,
    slots: Any,
    word_begin: Any,
    word_end: Any,
    text_hash: Any,
) -> int:
    """Tokenise the unit's texts and number equal words; returns the number of characters of the longest."""
    codes, token_begin, token_end, token_word, token_at, same_as = texts
    mask = np.uint64(slots.size - 1)
    for slot in range(slots.size):
        slots[slot] = -1
    space = numbers[_SPACE]
    written = tokens = known = longest = 0
    for text in range(first, last):
        local = text - first
        token_at[local] = tokens
        begin_of_text = written
        total = ZERO
        position, end = text_at[text], text_at[text + 1]
        while True:
            while position < end and characters[np.uint64(position)] == _SPACE:
                position += 1
            if position >= end:
                break
            if written > begin_of_text:
                codes[np.uint64(written)] = space
                written += 1
            begin = written
            key = ONE
            while position < end:
                character = characters[np.uint64(position)]
                if character == _SPACE:
                    break
                code = numbers[character]
                codes[np.uint64(written)] = code
                key = (key ^ np.uint64(code)) * _MULTIPLIER
                written += 1
                position += 1
            size = written - begin
            slot = (key >> _HALF) & mask
            while True:
                word = np.int64(slots[slot])
                if word < 0:
                    word = known
                    slots[slot] = word
                    word_begin[word] = begin
                    word_end[word] = written
                    known += 1
                    break
                other = word_begin[word]
                if word_end[word] - other == size:
                    same = 0
                    while same < size and codes[np.uint64(other + same)] == codes[np.uint64(begin + same)]:
                        same += 1
                    if same == size:
                        break
                slot = (slot + ONE) & mask
            token_begin[tokens] = begin
            token_end[tokens] = written
            token_word[tokens] = word
            tokens += 1
            total = (total ^ np.uint64(word)) * _MULTIPLIER
        longest = max(longest, written - begin_of_text)
        token_at[local + 1] = tokens
        text_hash[local] = total
        same_as[local] = -1
        own = token_at[local]
        for earlier in range(local - 1, max(-1, local - 1 - _LOOK_BACK), -1):
            other = token_at[earlier]
            if text_hash[earlier] == total and token_at[earlier + 1] - other == tokens - own:
                same = 0
                while own + same < tokens and token_word[other + same] == token_word[own + same]:
                    same += 1
                if own + same == tokens:
                    same_as[local] = earlier if same_as[earlier] < 0 else same_as[earlier]
                    break
    return longest


@_compiled
def _kind_of(length: int, alone: bool) -> int:
    """How a candidate is computed; ``alone``: too few to fill a vector of short lanes by themselves."""
    if length > 64:
        return _LONG
    return _LANES_64 if length > 32 or alone else _LANES_32


@_compiled
def _fill_blocks(
    characters: Any,
    first_character: Any,
    numbers: Any,
    codes: int,
    lengths: Any,
    indices: Any,
    begin: int,
    listed: int,
    joining: int,
    numerator: int,
    denominator: int,
    blocks: _Blocks,
) -> Any:
    """Put candidates, listed by length, into blocks until the tables are large.

    Candidates from ``joining`` on take no 32-bit lanes. Returns the number of blocks, the words of a
    node's columns, the number of characters of the longest n-gram that matters, and how many candidates
    are now done.
    """
    kinds, sizes, shortest, longest, mask_at, state_at, lane_candidate, constants, masks = blocks
    done = begin
    count = mask_words = state_words = 0
    highest = 0
    while done < listed and mask_words < _MASK_WORDS and state_words < _NODE_STATE_WORDS:
        length = np.int64(lengths[done])
        kind = _kind_of(length, done >= joining)
        words = VECTOR_WORDS if kind != _LONG else (length + 63) >> 6
        lanes = 8 if kind == _LANES_32 else 4 if kind == _LANES_64 else 1
        for word in range(mask_words, mask_words + codes * words):
            masks[word] = ZERO
        at = count * _BLOCK_WORDS
        for word in range(at, at + _BLOCK_WORDS):
            constants[word] = ZERO
        shortest[count] = length - length * numerator // denominator
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
        kinds[count] = kind
        sizes[count] = words if kind == _LONG else lane
        longest[count] = reach
        mask_at[count] = mask_words
        state_at[count] = state_words
        highest = max(highest, reach)
        mask_words += codes * words
        state_words += 2 * words
        count += 1
    return count, state_words, highest, done


@_compiled
def _advance_long(
    masks: Any,
    mask_at: int,
    codes: Any,
    begin: int,
    end: int,
    states: Any,
    before: int,
    after: int,
    words: int,
) -> None:
    """Move one candidate of several words over part of a text."""
    for k in range(2 * words):
        states[np.uint64(after + k)] = states[np.uint64(before + k)]
    for position in range(begin, end):
        row = mask_at + codes[np.uint64(position)] * words
        hp, hn = ONE, ZERO
        for k in range(words):
            match, at_vp, at_vn = np.uint64(row + k), np.uint64(after + k), np.uint64(after + words + k)
            states[at_vp], states[at_vn], hp, hn = _advance_block(
                masks[match], states[at_vp], states[at_vn], hp, hn
            )


@_compiled
def _long_edits(states: Any, at: int, words: int, last_used: Any, length: int) -> int:
    edits = length
    for k in range(words):
        used = last_used if k == words - 1 else ALL
        edits += np.int64(_count_ones(states[at + k] & used))
        edits -= np.int64(_count_ones(states[at + words + k] & used))
    return edits


@_compiled
def _walk(
    texts: _Texts,
    text_count: int,
    blocks: _Blocks,
    block_count: int,
    trie: _Trie,
    state_words: int,
    capacity: int,
    highest: int,
    most_tokens: int,
    most_hits: int,
    candidate_lengths: Any,
    allowed: Any,
    numerator: int,
    denominator: int,
    fields: _Fields,
    hit_high: Any,
    hit_low: Any,
    hit_at: Any,
    progress: Any,
) -> bool:
    """Follow the n-grams from every start token of every text through the trie and write down the hits.

    ``most_hits`` bounds the hits of one start. Returns False when there may be no room for the next hits;
    called again with more, it goes on from ``progress`` (text, start, nodes, hits kept, hits written).
    """
    codes, token_begin, token_end, token_word, token_at, same_as = texts
    kinds, sizes, shortest, longest, mask_at, state_at, lane_candidate, constants, masks = blocks
    node_slot, node_hits, slot_keys, slot_nodes, states, kept_high, kept_low = trie
    longest_text, length_bits, token_bits, candidate_bits, ngram_bits = fields
    candidate_shift = np.uint64(ngram_bits)
    start_shift = np.uint64(candidate_bits + ngram_bits)
    shorter_shift = np.uint64(token_bits + candidate_bits + ngram_bits)
    slot_mask = np.uint64(slot_keys.size - 1)
    starts = max(1, min(_STARTS, (capacity - 1) // most_tokens, kept_high.size // most_hits))
    # For each start that is still followed: itself and its node; for each new node: parent and token.
    active, place = np.empty(_STARTS, np.uint64), np.empty(_STARTS, np.uint64)
    new_parent, new_token = np.empty(_STARTS, np.uint64), np.empty(_STARTS, np.uint64)
    lane_edits = np.empty(VECTOR_WORDS, np.uint64)
    lane_edits_32 = lane_edits.view(np.uint32)
    first_text, next_start, nodes, kept, hits = (
        progress[0],
        progress[1],
        progress[2],
        progress[3],
        progress[4],
    )

    for text in range(first_text, text_count):
        text_begin, text_end = token_at[text], token_at[text + 1]
        if next_start < 0:
            hit_at[text] = hits
            next_start = text_begin if same_as[text] < 0 else text_end
        while next_start < text_end:
            live = min(starts, text_end - next_start)
            if hits + live * most_hits > hit_high.size:
                progress[0], progress[1], progress[2], progress[3] = text, next_start, nodes, kept
                progress[4] = hits
                return False
            if nodes + live * most_tokens > capacity or kept + live * most_hits > kept_high.size:
                for node in range(1, nodes):
                    slot_keys[node_slot[node]] = ZERO
                nodes = 1
                kept = 0
            for start in range(live):
                active[start] = np.uint64(next_start + start)
                place[start] = ZERO
            last_token = np.uint64(text_end)
            for step in range(most_tokens):
                # Which nodes the starts move to; unknown ones get their number now and their columns next.
                still = 0
                first_node = nodes
                for number in range(live):
                    start = active[number]
                    token = start + np.uint64(step)
                    if token >= last_token or token_end[token] - token_begin[start] > highest:
                        continue
                    parent = place[number]
                    key = (parent << _HALF) + np.uint64(token_word[token]) + ONE
                    slot = ((key * _MULTIPLIER) >> _HALF) & slot_mask
                    while slot_keys[slot] != key and slot_keys[slot] != ZERO:
                        slot = (slot + ONE) & slot_mask
                    if slot_keys[slot] != key:
                        slot_keys[slot] = key
                        slot_nodes[slot] = nodes
                        node_slot[np.uint64(nodes)] = slot
                        new_parent[nodes - first_node] = parent
                        new_token[nodes - first_node] = token
                        nodes += 1
                    active[still] = start
                    place[still] = np.uint64(slot_nodes[slot])
                    still += 1
                if still == 0:
                    break
                live = still
                # New nodes do not depend on each other: the processor works on several at a time.
                for node in range(first_node, nodes):
                    node_hits[np.uint64(node)] = kept
                    parent = np.int64(new_parent[node - first_node])
                    token = new_token[node - first_node]
                    begin, end = token_begin[token], token_end[token]
                    length = end - token_begin[token - np.uint64(step)]
                    if step > 0:
                        begin -= 1  # with the space before the token
                    limit = (
                        allowed[np.uint64(length)]
                        if length < allowed.size
                        else length * numerator // denominator
                    )
                    for block in range(block_count):
                        if length > longest[block]:
                            continue
                        kind = kinds[block]
                        before = parent * state_words + state_at[block]
                        after = node * state_words + state_at[block]
                        constant_at = block * _BLOCK_WORDS
                        found = 0
                        if kind == _LANES_32:
                            found = advance_lanes_32(
                                masks,
                                mask_at[block],
                                codes,
                                begin,
                                end,
                                states,
                                before,
                                after,
                                constants,
                                constant_at,
                                shortest[block],
                                length,
                                limit,
                                lane_edits,
                            )
                        elif kind == _LANES_64:
                            found = advance_lanes_64(
                                masks,
                                mask_at[block],
                                codes,
                                begin,
                                end,
                                states,
                                before,
                                after,
                                constants,
                                constant_at,
                                shortest[block],
                                length,
                                limit,
                                lane_edits,
                            )
                        else:
                            words = sizes[block]
                            _advance_long(
                                masks, mask_at[block], codes, begin, end, states, before, after, words
                            )
                            if length >= shortest[block]:
                                edits = _long_edits(states, after, words, constants[constant_at], length)
                                lane_edits[0] = np.uint64(edits)
                                own = np.int64(constants[constant_at + VECTOR_WORDS])
                                found = 1 if edits <= max(own, limit) else 0
                        if found:
                            for lane in range(sizes[block] if kind != _LONG else 1):
                                if found >> lane & 1:
                                    edits = np.int64(
                                        lane_edits_32[lane] if kind == _LANES_32 else lane_edits[lane]
                                    )
                                    candidate = lane_candidate[8 * block + lane]
                                    longer = max(length, candidate_lengths[candidate])
                                    kept_high[kept] = _fraction(edits, longer, length_bits)
                                    kept_low[kept] = (
                                        np.uint64(longest_text - length) << shorter_shift
                                        | np.uint64(candidate) << candidate_shift
                                        | np.uint64(step + 1)
                                    )
                                    kept += 1
                    node_hits[np.uint64(node) + ONE] = kept
                for number in range(live):
                    node = place[number]
                    first_hit, last_hit = node_hits[node], node_hits[node + ONE]
                    if first_hit < last_hit:
                        field = (active[number] - np.uint64(text_begin)) << start_shift
                        for hit in range(first_hit, last_hit):
                            hit_high[np.uint64(hits)] = kept_high[np.uint64(hit)]
                            hit_low[np.uint64(hits)] = kept_low[np.uint64(hit)] | field
                            hits += 1
            next_start = min(next_start + starts, text_end)
        next_start = -1
    hit_at[text_count] = hits
    for node in range(1, nodes):
        slot_keys[node_slot[node]] = ZERO
    progress[4] = hits
    return True


@_compiled
def _finish(
    texts: _Texts,
    text_count: int,
    hit_high: Any,
    hit_low: Any,
    hit_at: Any,
    passes: int,
    candidate_lengths: Any,
    fields: _Fields,
    select: bool,
    scratch: Any,
    taken: Any,
    rows: Any,
    row_at: Any,
) -> None:
    """Sort the hits of each text, select greedily if asked, and write the rows."""
    token_at, same_as = texts.at, texts.same_as
    longest_text, length_bits, token_bits, candidate_bits, ngram_bits = fields
    high, low, high_copy, low_copy = scratch[0], scratch[1], scratch[2], scratch[3]
    start_shift = np.uint64(candidate_bits + ngram_bits)
    shorter_shift = np.uint64(token_bits + candidate_bits + ngram_bits)
    row = row_at[0]
    for text in range(text_count):
        row_at[text] = row
        if same_as[text] >= 0:
            earlier = same_as[text]
            for source in range(5 * row_at[earlier], 5 * row_at[earlier + 1]):
                rows[5 * row + source - 5 * row_at[earlier]] = rows[source]
            row += row_at[earlier + 1] - row_at[earlier]
            continue
        count = 0
        for number in range(passes):
            at = number * (text_count + 1) + text
            for hit in range(hit_at[at], hit_at[at + 1]):
                high[count] = hit_high[hit]
                low[count] = hit_low[hit]
                count += 1
        _sort(high, low, count, high_copy, low_copy)
        for token in range(token_at[text + 1] - token_at[text]):
            taken[token] = 0
        for k in range(count):
            word = low[k]
            start = np.int64(word >> start_shift) & ((1 << token_bits) - 1)
            end = start + (np.int64(word) & ((1 << ngram_bits) - 1))
            if select:
                token = start
                while token < end and not taken[token]:
                    token += 1
                if token < end:
                    continue
                for token in range(start, end):
                    taken[token] = 1
            candidate = np.int64(word >> np.uint64(ngram_bits)) & ((1 << candidate_bits) - 1)
            length = longest_text - np.int64(word >> shorter_shift)
            longer = max(length, candidate_lengths[candidate])
            rows[5 * row] = candidate
            rows[5 * row + 1] = start
            rows[5 * row + 2] = end
            rows[5 * row + 3] = _edits(high[k], longer, length_bits)
            rows[5 * row + 4] = longer
            row += 1
    row_at[text_count] = row


@_compiled
def _longer(array: Any, needed: int) -> Any:
    """A copy of the array with room for ``needed`` and more."""
    larger = np.empty(2 * needed, array.dtype)
    for index in range(array.size):
        larger[index] = array[index]
    return larger


@_compiled
def _align_units(
    characters: Any,
    candidate_at: Any,
    group_at: Any,
    text_at: Any,
    unit_group: Any,
    unit_at: Any,
    numerator: int,
    denominator: int,
    select: bool,
    numbers: Any,
    counts: Any,
) -> Any:
    """Rows (candidate, start, end, edits, length) of all texts in order; ``counts`` gets the rows of each.

    ``numbers`` has a zero for each code point, before and after. Texts of unit ``u`` are those from
    ``unit_at[u]`` to ``unit_at[u + 1]``; candidates of group ``g`` those from ``group_at[g]``.
    """
    units = unit_group.size
    most_texts = most_characters = most_candidates = most_codes = longest_candidate = 0
    for unit in range(units):
        group = unit_group[unit]
        most_texts = max(most_texts, unit_at[unit + 1] - unit_at[unit])
        most_characters = max(most_characters, text_at[unit_at[unit + 1]] - text_at[unit_at[unit]])
        first, last = group_at[group], group_at[group + 1]
        most_candidates = max(most_candidates, last - first)
        most_codes = max(most_codes, candidate_at[last] - candidate_at[first])
        for candidate in range(first, last):
            longest_candidate = max(longest_candidate, candidate_at[candidate + 1] - candidate_at[candidate])

    most = most_characters // 2 + most_texts + 1
    texts = _Texts(
        np.empty(most_characters + 1, np.int32),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int32),
        np.empty(most_texts + 1, np.int64),
        np.empty(most_texts, np.int64),
    )
    word_begin, word_end = np.empty(most, np.int64), np.empty(most, np.int64)
    word_slots = np.empty(_power_of_two(2 * most), np.int32)
    text_hash = np.empty(most_texts, np.uint64)
    taken = np.empty(most, np.uint8)
    row_at = np.zeros(most_texts + 1, np.int64)
    rows = np.empty(5 * max(64, 4 * counts.size), np.int32)

    listing = np.empty((4, most_candidates + 1), np.uint64)
    candidate_lengths = np.empty(most_candidates, np.int64)
    blocks = np.empty((6, most_candidates + 1), np.int64)
    lane_candidate = np.empty(8 * most_candidates, np.int64)
    constants = np.empty(_BLOCK_WORDS * most_candidates, np.uint64)
    masks = np.empty(1024, np.uint64)
    allowed = np.empty(1024, np.int64)
    for length in range(allowed.size):
        allowed[length] = length * numerator // denominator

    node_capacity = _MOST_NODES
    node_slot, node_hits = np.empty(node_capacity, np.int64), np.empty(node_capacity + 1, np.int64)
    slot_keys = np.zeros(2 * node_capacity, np.uint64)
    slot_nodes = np.empty(2 * node_capacity, np.int32)
    states = np.empty(_STATE_WORDS, np.uint64)
    kept_high, kept_low = np.empty(_KEPT_HITS, np.uint64), np.empty(_KEPT_HITS, np.uint64)
    hit_high, hit_low = np.empty(4096, np.uint64), np.empty(4096, np.uint64)
    hit_at = np.empty(most_texts + 1, np.int64)
    scratch = np.empty((4, 256), np.uint64)
    progress = np.zeros(5, np.int64)

    for unit in range(units):
        group = unit_group[unit]
        first, last = unit_at[unit], unit_at[unit + 1]
        text_count = last - first
        first_candidate, last_candidate = group_at[group], group_at[group + 1]
        lengths, indices = listing[0], listing[1]
        codes, most_words, listed = _read_candidates(
            characters, candidate_at, first_candidate, last_candidate, numbers, lengths, indices
        )
        for candidate in range(first_candidate, last_candidate):
            length = candidate_at[candidate + 1] - candidate_at[candidate]
            candidate_lengths[candidate - first_candidate] = length
        _sort(lengths, indices, listed, listing[2], listing[3])
        size = text_at[last] - text_at[first]
        free = word_slots[: _power_of_two(size + 2 * text_count)]
        longest_text = _read_texts(
            characters, text_at, first, last, numbers, texts, free, word_begin, word_end, text_hash
        )
        most_tokens = max(1, min(most_words + 1, (longest_text + 1) // 2))
        longest = np.int64(lengths[listed - 1]) if listed else 0
        fields = _Fields(
            longest_text,
            _bits(max(longest, longest_text)),
            _bits(longest_text),
            _bits(last_candidate - first_candidate),
            _bits(most_tokens),
        )

        # Short candidates that would start another vector join the longer ones where lanes are free.
        short = wide = 0
        for k in range(listed):
            short += lengths[k] <= 32
            wide += 32 < lengths[k] <= 64
        joining = short - short % 8 if short % 8 <= -wide % 4 else listed

        passes = 0
        done = np.int64(0)
        progress[4] = 0
        while done < listed:
            largest = codes * max(VECTOR_WORDS, (longest + 63) >> 6)
            needed = min(_MASK_WORDS, largest * (listed - done)) + largest
            if masks.size < needed:
                masks = np.empty(2 * needed, np.uint64)
            begin = done
            pass_blocks = _Blocks(
                blocks[0],
                blocks[1],
                blocks[2],
                blocks[3],
                blocks[4],
                blocks[5],
                lane_candidate,
                constants,
                masks,
            )
            block_count, state_words, highest, done = _fill_blocks(
                characters,
                candidate_at[first_candidate:],
                numbers,
                codes,
                lengths,
                indices,
                begin,
                listed,
                joining,
                numerator,
                denominator,
                pass_blocks,
            )

            if node_capacity < most_tokens + 2:
                node_capacity = most_tokens + 2
                node_slot, node_hits = (
                    np.empty(node_capacity, np.int64),
                    np.empty(node_capacity + 1, np.int64),
                )
                slot_keys = np.zeros(_power_of_two(2 * node_capacity), np.uint64)
                slot_nodes = np.empty(slot_keys.size, np.int32)
            ngrams = 1 + texts.at[text_count] * most_tokens
            capacity = min(node_capacity, ngrams, _STATE_WORDS // state_words)
            capacity = max(capacity, most_tokens + 2)
            if states.size < capacity * state_words:
                states = np.empty(capacity * state_words, np.uint64)
            most_hits = most_tokens * (done - begin)
            if kept_high.size < most_hits:
                kept_high, kept_low = np.empty(most_hits, np.uint64), np.empty(most_hits, np.uint64)
            if hit_at.size < (passes + 1) * (text_count + 1):
                hit_at = _longer(hit_at, (passes + 1) * (text_count + 1))
            slots = _power_of_two(capacity + capacity // 4)  # most nodes occur more than once
            trie = _Trie(
                node_slot, node_hits, slot_keys[:slots], slot_nodes[:slots], states, kept_high, kept_low
            )
            for block in range(block_count):
                half = VECTOR_WORDS if blocks[0, block] != _LONG else blocks[1, block]
                for k in range(half):
                    states[blocks[5, block] + k] = ALL
                    states[blocks[5, block] + half + k] = ZERO
            progress[0], progress[1], progress[2], progress[3] = 0, -1, 1, 0
            while not _walk(
                texts,
                text_count,
                pass_blocks,
                block_count,
                trie,
                state_words,
                capacity,
                highest,
                most_tokens,
                most_hits,
                candidate_lengths,
                allowed,
                numerator,
                denominator,
                fields,
                hit_high,
                hit_low,
                hit_at[passes * (text_count + 1) :],
                progress,
            ):
                needed = progress[4] + _STARTS * most_hits
                hit_high, hit_low = _longer(hit_high, needed), _longer(hit_low, needed)
            passes += 1

        largest = total = 0
        for text in range(text_count):
            source = texts.same_as[text] if texts.same_as[text] >= 0 else text
            count = 0
            for number in range(passes):
                at = number * (text_count + 1) + source
                count += hit_at[at + 1] - hit_at[at]
            largest = max(largest, count)
            total += count
        if scratch.shape[1] < largest:
            scratch = np.empty((4, 2 * largest), np.uint64)
        if rows.size < 5 * (row_at[0] + total):
            rows = _longer(rows, 5 * (row_at[0] + total))
        _finish(
            texts,
            text_count,
            hit_high,
            hit_low,
            hit_at,
            passes,
            candidate_lengths,
            fields,
            select,
            scratch,
            taken,
            rows,
            row_at,
        )
        for text in range(text_count):
            counts[first + text] = row_at[text + 1] - row_at[text]
        row_at[0] = row_at[text_count]
        for position in range(candidate_at[first_candidate], candidate_at[last_candidate]):
            numbers[characters[position]] = 0
    return rows[: 5 * row_at[0]]


_INT64 = types.int64[::1]
_SIGNATURE = types.int32[::1](
    types.Array(types.uint32, 1, "C", readonly=True),
    _INT64,
    _INT64,
    _INT64,
    _INT64,
    _INT64,
    types.int64,
    types.int64,
    types.boolean,
    types.int32[::1],
    _INT64,
)


def compile_align_units(stamp: str) -> Any:
    """Compile the kernel, or load it from the disk where it was compiled before.

    Numba keys its cache by processor, its own version, and the code and free variables of this function;
    it keeps it beside this file or, where it may not write there, in the user's cache directory. It does
    not see what the function calls: ``stamp`` has to change with that, and being a free variable it is
    part of the key. Processes may do this at the same time, for files are written under another name and
    renamed.
    """

    def align_units(
        characters: Any,
        candidate_at: Any,
        group_at: Any,
        text_at: Any,
        unit_group: Any,
        unit_at: Any,
        numerator: int,
        denominator: int,
        select: bool,
        numbers: Any,
        counts: Any,
    ) -> Any:
        if len(stamp) == 0:
            counts[:] = 0
        return _align_units(
            characters,
            candidate_at,
            group_at,
            text_at,
            unit_group,
            unit_at,
            numerator,
            denominator,
            select,
            numbers,
            counts,
        )

    try:
        return njit(_SIGNATURE, cache=True, nogil=True)(align_units)
    except RuntimeError:  # no directory to write to: compile for this process only
        return njit(_SIGNATURE, nogil=True)(align_units)
