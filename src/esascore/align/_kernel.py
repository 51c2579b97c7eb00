"""The compiled part of the Numba backend: from characters to selected matches, for many texts at once.

Work comes in units: one group of candidates and some of the texts that are to be compared with it.

1. The group's characters get small codes, and every other character of a text one code for all of them:
   none can match anything. Texts become codes, tokens, and numbers of equal words.
2. The n-grams of the unit's texts form a trie of words, since all that start at one token share a prefix
   and texts about the same candidates share many n-grams. A node holds the columns of the edit distance
   of every candidate after its n-gram, hence each distinct n-gram costs one step per character of its
   last token, whatever number of times and texts it occurs in. Short candidates share vectors, one in a
   lane; long ones use several words each. A trie that has grown to its limit starts anew, and candidates
   whose tables would be too large are taken in several passes: memory stays bounded.
3. The hits of a text are sorted by two words that hold the order exactly, and selected greedily.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from esascore.align import _steps
from esascore.align._simd import VECTOR_WORDS, advance_lanes_32, advance_lanes_64

_advance_block = njit(_steps.advance_block)
_count_ones = njit(_steps.count_ones)

ONE, ZERO, ALL = _steps.ONE, _steps.ZERO, _steps.ALL

_BLOCK_WORDS = 2 * VECTOR_WORDS
"""Words of a column pair (vp, vn) of a block of lanes, and of its constants."""

_MASK_WORDS = 1 << 17
"""Words of tables that a pass may need before it is closed (one candidate may need more)."""

_STATE_WORDS = 1 << 17
"""Words of columns that a trie may hold."""

_PASS_STATE_WORDS = 512
"""Words of columns a node may need before the pass is closed."""

_MOST_NODES = 1 << 14
_LOOK_BACK = 64
"""How many earlier texts of the unit are looked at for one with the same words."""

_LANES_32, _LANES_64, _LONG = 0, 1, 2

_SPACE = 32
_UNDERSCORE = 95
_MULTIPLIER = np.uint64(0x9E37_79B9_7F4A_7C15)


@njit
def _bits(value: int) -> int:
    """Bits that numbers up to ``value`` need."""
    bits = 1
    while value >> bits:
        bits += 1
    return bits


@njit
def _power_of_two(value: int) -> int:
    power = 16
    while power < value:
        power *= 2
    return power


@njit
def _comes_before(high: Any, low: Any, i: int, j: int) -> Any:
    return high[i] < high[j] or (high[i] == high[j] and low[i] < low[j])


@njit
def _sort(high: Any, low: Any, count: int, high_copy: Any, low_copy: Any) -> None:
    """Sort pairs of words: runs by insertion, then merged through the copies."""
    run = 16
    for begin in range(0, count, run):
        for i in range(begin + 1, min(begin + run, count)):
            h, w = high[i], low[i]
            j = i - 1
            while j >= begin and (high[j] > h or (high[j] == h and low[j] > w)):
                high[j + 1], low[j + 1] = high[j], low[j]
                j -= 1
            high[j + 1], low[j + 1] = h, w
    while run < count:
        for begin in range(0, count, 2 * run):
            middle, end = min(begin + run, count), min(begin + 2 * run, count)
            i, j = begin, middle
            for k in range(begin, end):
                if j >= end or (i < middle and not _comes_before(high, low, j, i)):
                    high_copy[k], low_copy[k] = high[i], low[i]
                    i += 1
                else:
                    high_copy[k], low_copy[k] = high[j], low[j]
                    j += 1
        for k in range(count):
            high[k], low[k] = high_copy[k], low_copy[k]
        run *= 2


@njit
def _more(array: Any, needed: int) -> Any:
    """The array, or a larger copy where it has no room for ``needed``."""
    if needed <= array.size:
        return array
    larger = np.empty(max(needed, 2 * array.size), array.dtype)
    larger[: array.size] = array
    return larger


@njit
def _fraction(edits: int, length: int, bits: int) -> Any:
    """First ``2 * bits`` binary digits of edits / length; length < 2**bits and edits <= length.

    Two different fractions with such denominators differ by more than 2**(-2 * bits): these digits
    order them, and only equal fractions have equal digits.
    """
    head = edits << bits
    tail = (head % length) << bits
    return np.uint64(((head // length) << bits) + tail // length)


@njit
def _edits(fraction: Any, length: int, bits: int) -> Any:
    """The edits that `_fraction` was given: the digits times the length, rounded up."""
    high, low = np.int64(fraction >> np.uint64(bits)), np.int64(fraction) & ((1 << bits) - 1)
    return (high * length + ((low * length + (1 << bits) - 1) >> bits) + (1 << bits) - 1) >> bits


@njit
def _read_texts(
    characters: Any,
    text_at: Any,
    first: int,
    last: int,
    numbers: Any,
    codes: Any,
    token_begin: Any,
    token_end: Any,
    words: Any,
    token_at: Any,
    slots: Any,
    word_begin: Any,
    word_end: Any,
    text_hash: Any,
    same_as: Any,
) -> int:
    """Tokenise the unit's texts and number equal words; returns the number of characters of the longest."""
    slots[:] = -1
    mask = slots.size - 1
    space = numbers[_SPACE]
    written = tokens = known = longest = 0
    for text in range(first, last):
        local = text - first
        token_at[local] = tokens
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
            while position < end:
                character = characters[position]
                if character == _SPACE:
                    break
                code = numbers[character]
                codes[written] = code
                key = (key ^ np.uint64(code)) * _MULTIPLIER
                written += 1
                position += 1
            key ^= key >> np.uint64(32)
            slot = np.int64(key) & mask
            while True:
                word = slots[slot]
                if word < 0:
                    word = known
                    slots[slot] = word
                    word_begin[word] = begin
                    word_end[word] = written
                    known += 1
                    break
                if word_end[word] - word_begin[word] == written - begin:
                    i, j = word_begin[word], begin
                    while j < written and codes[i] == codes[j]:
                        i += 1
                        j += 1
                    if j == written:
                        break
                slot = (slot + 1) & mask
            token_begin[tokens] = begin
            token_end[tokens] = written
            words[tokens] = word
            tokens += 1
            total = (total ^ np.uint64(word)) * _MULTIPLIER
        longest = max(longest, written - begin_of_text)
        token_at[local + 1] = tokens
        text_hash[local] = total
        same_as[local] = -1
        count = tokens - token_at[local]
        for other in range(local - 1, max(-1, local - 1 - _LOOK_BACK), -1):
            if text_hash[other] == total and token_at[other + 1] - token_at[other] == count:
                i, j = token_at[other], token_at[local]
                while j < tokens and words[i] == words[j]:
                    i += 1
                    j += 1
                if j == tokens:
                    same_as[local] = other
                    break
    return longest


@njit
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
    """Rows candidate, start, end, edits, length of all texts in order; ``counts`` gets the rows of each.

    ``numbers`` has a zero for each code point, before and after. Texts of unit ``u`` are those from
    ``unit_at[u]`` to ``unit_at[u + 1]``; candidates of group ``g`` those from ``group_at[g]``.
    """
    rows = np.empty((max(64, 4 * counts.size), 5), np.int32)
    row_count = 0
    row_at = np.empty(16, np.int64)

    codes = np.empty(16, np.int32)
    token_begin, token_end, words = np.empty(16, np.int64), np.empty(16, np.int64), np.empty(16, np.int32)
    word_begin, word_end = np.empty(16, np.int64), np.empty(16, np.int64)
    word_slots = np.empty(16, np.int32)
    token_at, same_as, text_hash = np.empty(16, np.int64), np.empty(16, np.int64), np.empty(16, np.uint64)
    taken = np.zeros(16, np.uint8)

    order, order_low = np.empty(16, np.uint64), np.empty(16, np.uint64)
    order_copy, order_low_copy = np.empty(16, np.uint64), np.empty(16, np.uint64)
    block_kind, block_size = np.empty(16, np.int64), np.empty(16, np.int64)
    block_shortest, block_longest = np.empty(16, np.int64), np.empty(16, np.int64)
    block_mask, block_state = np.empty(16, np.int64), np.empty(16, np.int64)
    lane_candidate = np.empty(64, np.int64)
    constants = np.empty(16 * _BLOCK_WORDS, np.uint64)
    masks, states = np.empty(16, np.uint64), np.empty(_STATE_WORDS, np.uint64)
    lane_edits = np.empty(VECTOR_WORDS, np.uint64)
    lane_edits_32 = lane_edits.view(np.uint32)

    node_parent, node_word = np.empty(_MOST_NODES, np.int32), np.empty(_MOST_NODES, np.int32)
    node_slot, node_hits = np.empty(_MOST_NODES, np.int32), np.empty(_MOST_NODES + 1, np.int64)
    node_slots = np.full(2 * _MOST_NODES, -1, np.int32)
    kept_high, kept_low = np.empty(64, np.uint64), np.empty(64, np.uint64)

    hit_high, hit_low = np.empty(256, np.uint64), np.empty(256, np.uint64)
    hit_at = np.empty(64, np.int64)
    high, low = np.empty(64, np.uint64), np.empty(64, np.uint64)
    high_copy, low_copy = np.empty(64, np.uint64), np.empty(64, np.uint64)

    for unit in range(unit_group.size):
        group = unit_group[unit]
        first, last = unit_at[unit], unit_at[unit + 1]
        first_candidate, last_candidate = group_at[group], group_at[group + 1]
        candidates = last_candidate - first_candidate

        # Codes of the group's characters; 0 is any other.
        alphabet = 1
        most_words = 0
        order = _more(order, candidates)
        order_low = _more(order_low, candidates)
        order_copy = _more(order_copy, candidates)
        order_low_copy = _more(order_low_copy, candidates)
        filled = 0
        for candidate in range(first_candidate, last_candidate):
            within = False
            count = 0
            for position in range(candidate_at[candidate], candidate_at[candidate + 1]):
                character = characters[position]
                if numbers[character] == 0:
                    numbers[character] = alphabet
                    alphabet += 1
                separator = character in (_SPACE, _UNDERSCORE)
                count += not (separator or within)
                within = not separator
            most_words = max(most_words, count)
            length = candidate_at[candidate + 1] - candidate_at[candidate]
            if length > 0:
                order[filled] = length
                order_low[filled] = candidate - first_candidate
                filled += 1
        _sort(order, order_low, filled, order_copy, order_low_copy)
        most_tokens = most_words + 1

        size = text_at[last] - text_at[first]
        texts = last - first
        codes = _more(codes, size + 1)
        most = size // 2 + texts + 1
        token_begin, token_end, words = _more(token_begin, most), _more(token_end, most), _more(words, most)
        word_begin, word_end = _more(word_begin, most), _more(word_end, most)
        token_at, same_as = _more(token_at, texts + 1), _more(same_as, texts)
        text_hash = _more(text_hash, texts)
        slot_count = _power_of_two(2 * most)
        word_slots = _more(word_slots, slot_count)
        longest_text = _read_texts(
            characters, text_at, first, last, numbers, codes, token_begin, token_end, words, token_at,
            word_slots[:slot_count], word_begin, word_end, text_hash, same_as,
        )  # fmt: skip

        # Fields of the low word of a hit, from the most significant: how much shorter the n-gram is than
        # the longest text, its start, the candidate, and its number of tokens.
        longest_candidate = np.int64(order[filled - 1]) if filled else 0
        length_bits = _bits(max(longest_candidate, longest_text))
        token_bits = _bits(longest_text)
        candidate_bits = _bits(candidates)
        ngram_bits = _bits(min(most_tokens, longest_text))
        start_shift = np.uint64(candidate_bits + ngram_bits)
        shorter_shift = np.uint64(token_bits + candidate_bits + ngram_bits)

        hit_count = 0
        passes = 0
        done = 0
        while done < filled:
            # A pass: blocks of candidates, the shortest first, until their tables are large enough.
            blocks = mask_words = state_words = 0
            highest = np.int64(0)
            while done < filled and mask_words < _MASK_WORDS and state_words < _PASS_STATE_WORDS:
                length = np.int64(order[done])
                kind = _LANES_32 if length <= 32 else _LANES_64 if length <= 64 else _LONG
                block_words: Any = VECTOR_WORDS if kind != _LONG else (length + 63) >> 6
                lanes = 8 if kind == _LANES_32 else 4 if kind == _LANES_64 else 1
                block_kind, block_size = _more(block_kind, blocks + 1), _more(block_size, blocks + 1)
                block_shortest = _more(block_shortest, blocks + 1)
                block_longest = _more(block_longest, blocks + 1)
                block_mask, block_state = _more(block_mask, blocks + 1), _more(block_state, blocks + 1)
                lane_candidate = _more(lane_candidate, 8 * blocks + 8)
                constants = _more(constants, (blocks + 1) * _BLOCK_WORDS)
                masks = _more(masks, mask_words + alphabet * block_words)
                masks[mask_words : mask_words + alphabet * block_words] = ZERO
                constants[blocks * _BLOCK_WORDS : (blocks + 1) * _BLOCK_WORDS] = ZERO
                block_shortest[blocks] = length - length * numerator // denominator
                lane = 0
                while lane < lanes and done < filled:
                    length = np.int64(order[done])
                    if kind != _LONG and length > (32 if kind == _LANES_32 else 64):
                        break
                    index = np.int64(order_low[done])
                    lane_candidate[8 * blocks + lane] = index
                    begin = candidate_at[first_candidate + index]
                    allowed = np.uint64(length * numerator // denominator)
                    for position in range(length):
                        row = mask_words + numbers[characters[begin + position]] * block_words
                        if kind == _LANES_32:
                            masks[row + (lane >> 1)] |= ONE << np.uint64(position + 32 * (lane & 1))
                        elif kind == _LANES_64:
                            masks[row + lane] |= ONE << np.uint64(position)
                        else:
                            masks[row + (position >> 6)] |= ONE << np.uint64(position & 63)
                    at = blocks * _BLOCK_WORDS
                    if kind == _LANES_32:
                        shift = np.uint64(32 * (lane & 1))
                        constants[at + (lane >> 1)] |= ((ONE << np.uint64(length)) - ONE) << shift
                        constants[at + VECTOR_WORDS + (lane >> 1)] |= allowed << shift
                    elif kind == _LANES_64:
                        constants[at + lane] = ALL >> np.uint64(64 - length)
                        constants[at + VECTOR_WORDS + lane] = allowed
                    else:
                        constants[at] = ALL >> np.uint64((64 - (length & 63)) & 63)
                        constants[at + 1] = allowed
                    lane += 1
                    done += 1
                reach = np.int64(1) << 62
                if numerator < denominator:
                    reach = length * denominator // (denominator - numerator)
                block_kind[blocks] = kind
                block_size[blocks] = lane if kind != _LONG else block_words
                block_longest[blocks] = reach
                block_mask[blocks] = mask_words
                block_state[blocks] = state_words
                highest = max(highest, reach)
                mask_words += alphabet * block_words
                state_words += _BLOCK_WORDS if kind != _LONG else 2 * block_words
                blocks += 1

            capacity = min(_MOST_NODES, max(_STATE_WORDS // state_words, most_tokens + 2))
            if most_tokens + 2 > capacity:
                capacity = most_tokens + 2
                node_parent, node_word = _more(node_parent, capacity), _more(node_word, capacity)
                node_slot, node_hits = _more(node_slot, capacity), _more(node_hits, capacity + 1)
                if node_slots.size < 2 * capacity:
                    node_slots = np.full(_power_of_two(2 * capacity), -1, np.int32)
            states = _more(states, capacity * state_words)
            slot_mask = node_slots.size - 1
            for block in range(blocks):
                at = block_state[block]
                half = VECTOR_WORDS if block_kind[block] != _LONG else block_size[block]
                states[at : at + half] = ALL
                states[at + half : at + 2 * half] = ZERO
            nodes = 1
            kept = 0

            hit_at = _more(hit_at, (passes + 1) * (texts + 1))
            for text in range(texts):
                hit_at[passes * (texts + 1) + text] = hit_count
                if same_as[text] >= 0:
                    continue
                text_begin, text_end = token_at[text], token_at[text + 1]
                for start in range(text_begin, text_end):
                    if nodes + most_tokens > capacity:
                        for node in range(1, nodes):
                            node_slots[node_slot[node]] = -1
                        nodes = 1
                        kept = 0
                    start_field = np.uint64(start - text_begin) << start_shift
                    origin = token_begin[start]
                    previous = origin
                    parent = 0
                    for token in range(start, min(start + most_tokens, text_end)):
                        end = token_end[token]
                        length = end - origin
                        if length > highest:
                            break
                        word = words[token]
                        key = (np.uint64(parent) << np.uint64(32) | np.uint64(word)) * _MULTIPLIER
                        slot = np.int64(key >> np.uint64(32)) & slot_mask
                        node = node_slots[slot]
                        while node >= 0 and (node_parent[node] != parent or node_word[node] != word):
                            slot = (slot + 1) & slot_mask
                            node = node_slots[slot]
                        if node < 0:
                            node = nodes
                            nodes += 1
                            node_slots[slot] = node
                            node_parent[node] = parent
                            node_word[node] = word
                            node_slot[node] = slot
                            node_hits[node] = kept
                            allowed_here = length * numerator // denominator
                            for block in range(blocks):
                                if length > block_longest[block]:
                                    continue
                                kind = block_kind[block]
                                before = parent * state_words + block_state[block]
                                after = node * state_words + block_state[block]
                                found = 0
                                if kind == _LANES_32:
                                    found = advance_lanes_32(
                                        masks, block_mask[block], codes, previous, end, states, before, after,
                                        constants, block * _BLOCK_WORDS, length, allowed_here, lane_edits,
                                    )  # fmt: skip
                                    found &= (1 << block_size[block]) - 1
                                elif kind == _LANES_64:
                                    found = advance_lanes_64(
                                        masks, block_mask[block], codes, previous, end, states, before, after,
                                        constants, block * _BLOCK_WORDS, length, allowed_here, lane_edits,
                                    )  # fmt: skip
                                    found &= (1 << block_size[block]) - 1
                                else:
                                    width = block_size[block]
                                    for k in range(2 * width):
                                        states[after + k] = states[before + k]
                                    for position in range(previous, end):
                                        row = block_mask[block] + codes[position] * width
                                        hp, hn = ONE, ZERO
                                        for k in range(width):
                                            vp, vn, hp, hn = _advance_block(
                                                masks[row + k],
                                                states[after + k],
                                                states[after + width + k],
                                                hp,
                                                hn,
                                            )
                                            states[after + k] = vp
                                            states[after + width + k] = vn
                                    if length >= block_shortest[block]:
                                        edits = length
                                        for k in range(width):
                                            used = ALL if k < width - 1 else constants[block * _BLOCK_WORDS]
                                            edits += np.int64(_count_ones(states[after + k] & used))
                                            edits -= np.int64(_count_ones(states[after + width + k] & used))
                                        own = np.int64(constants[block * _BLOCK_WORDS + 1])
                                        lane_edits[0] = np.uint64(edits)
                                        found = 1 if edits <= max(own, allowed_here) else 0
                                lane = 0
                                while found:
                                    while not found & 1:
                                        found >>= 1
                                        lane += 1
                                    edits = np.int64(
                                        lane_edits_32[lane] if kind == _LANES_32 else lane_edits[lane]
                                    )
                                    index = lane_candidate[8 * block + lane]
                                    begin = first_candidate + index
                                    longer = max(length, candidate_at[begin + 1] - candidate_at[begin])
                                    kept_high, kept_low = (
                                        _more(kept_high, kept + 1),
                                        _more(kept_low, kept + 1),
                                    )
                                    kept_high[kept] = _fraction(edits, longer, length_bits)
                                    kept_low[kept] = (
                                        np.uint64(longest_text - length) << shorter_shift
                                        | np.uint64(index) << np.uint64(ngram_bits)
                                        | np.uint64(token - start + 1)
                                    )
                                    kept += 1
                                    found >>= 1
                                    lane += 1
                            node_hits[node + 1] = kept
                        count = node_hits[node + 1] - node_hits[node]
                        if count:
                            hit_high = _more(hit_high, hit_count + count)
                            hit_low = _more(hit_low, hit_count + count)
                            for k in range(node_hits[node], node_hits[node + 1]):
                                hit_high[hit_count] = kept_high[k]
                                hit_low[hit_count] = kept_low[k] | start_field
                                hit_count += 1
                        parent = node
                        previous = end
            hit_at[passes * (texts + 1) + texts] = hit_count
            passes += 1
            for node in range(1, nodes):
                node_slots[node_slot[node]] = -1

        row_at = _more(row_at, texts + 1)
        taken = _more(taken, longest_text + 1)
        for text in range(texts):
            row_at[text] = row_count
            if same_as[text] >= 0:
                other = same_as[text]
                count = row_at[other + 1] - row_at[other]
                if row_count + count > rows.shape[0]:
                    larger = np.empty((2 * (row_count + count), 5), np.int32)
                    larger[:row_count] = rows[:row_count]
                    rows = larger
                rows[row_count : row_count + count] = rows[row_at[other] : row_at[other] + count]
                row_count += count
            else:
                count = 0
                for number in range(passes):
                    at = number * (texts + 1) + text
                    more = hit_at[at + 1] - hit_at[at]
                    high, low = _more(high, count + more), _more(low, count + more)
                    for k in range(hit_at[at], hit_at[at + 1]):
                        high[count] = hit_high[k]
                        low[count] = hit_low[k]
                        count += 1
                high_copy, low_copy = _more(high_copy, count), _more(low_copy, count)
                _sort(high, low, count, high_copy, low_copy)
                if row_count + count > rows.shape[0]:
                    larger = np.empty((2 * (row_count + count), 5), np.int32)
                    larger[:row_count] = rows[:row_count]
                    rows = larger
                if select:
                    taken[: token_at[text + 1] - token_at[text]] = 0
                for k in range(count):
                    word = low[k]
                    start = np.int64(word >> start_shift) & ((1 << token_bits) - 1)
                    end = start + (np.int64(word) & ((1 << ngram_bits) - 1))
                    if select:
                        free = True
                        for token in range(start, end):
                            if taken[token]:
                                free = False
                                break
                        if not free:
                            continue
                        taken[start:end] = 1
                    index = np.int64(word >> np.uint64(ngram_bits)) & ((1 << candidate_bits) - 1)
                    begin = first_candidate + index
                    length = longest_text - np.int64(word >> shorter_shift)
                    longer = max(length, candidate_at[begin + 1] - candidate_at[begin])
                    rows[row_count, 0] = index
                    rows[row_count, 1] = start
                    rows[row_count, 2] = end
                    rows[row_count, 3] = _edits(high[k], longer, length_bits)
                    rows[row_count, 4] = longer
                    row_count += 1
            counts[first + text] = row_count - row_at[text]
        row_at[texts] = row_count

        for position in range(candidate_at[first_candidate], candidate_at[last_candidate]):
            numbers[characters[position]] = 0
    return rows[:row_count]


_INT64 = types.int64[::1]
_SIGNATURE = types.Array(types.int32, 2, "C")(
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

    Numba keys its cache by processor, its own version, and the code and free variables of this function.
    It does not see what the function calls: ``stamp`` has to change with that, and being a free variable
    it is part of the key.
    """

    @njit(_SIGNATURE, cache=True, nogil=True)
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
            characters, candidate_at, group_at, text_at, unit_group, unit_at, numerator, denominator, select,
            numbers, counts,
        )  # fmt: skip

    return align_units
