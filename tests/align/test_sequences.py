"""Interned sequences: the kernels against the plain-Python oracle, both against textbook definitions."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.align import sequences as seq
from esascore.errors import UsageError

BACKENDS = ["python", "numba"]
untimed = settings(deadline=None, max_examples=60)  # the first call of a kernel compiles it
WORD_BORDERS = [0, 1, 2, 63, 64, 65, 127, 128, 129, 1000]

# Few letters make many repetitions, which is where n-grams and subsequences are hard.
tokens = st.sampled_from(["a", "b", "c", "ab", "ba", "é", "e\u0301", "𝄞", "aa"])
sequence = st.lists(tokens, max_size=12)


@st.composite
def grouped(draw):
    """Lists of tokens, group offsets, and pairs within groups."""
    sizes = draw(st.lists(st.integers(0, 4), max_size=4))
    lists = [draw(sequence) for _ in range(sum(sizes))]
    groups = [0, *np.cumsum(sizes, dtype=int).tolist()]
    pairs = []
    for low, high in pairwise(groups):
        if high > low:
            inside = st.integers(low, high - 1)
            pairs += draw(st.lists(st.tuples(inside, inside), max_size=4))
    return lists, groups, [a for a, _ in pairs], [b for _, b in pairs]


def interned(lists, groups=None, **options):
    return seq.intern_texts([" ".join(words) for words in lists], groups, **options)


def ngrams(words, order):
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def lcs(a, b):
    """Recursive definition."""

    @cache
    def length(i, j):
        if not i or not j:
            return 0
        if a[i - 1] == b[j - 1]:
            return length(i - 1, j - 1) + 1
        return max(length(i - 1, j), length(i, j - 1))

    return length(len(a), len(b))


def same(first, second):
    assert first.dtype == second.dtype
    np.testing.assert_array_equal(first, second)


class TestIntern:
    @untimed
    @given(st.lists(st.text(st.sampled_from(" ab\t\n\u00a0\u2028\u3000\u200b\U0001d11e\x1cé"), max_size=20)))
    def test_texts_are_split_as_str_split_does(self, texts):
        known: dict[str, int] = {}
        expected = [[known.setdefault(token, len(known)) for token in text.split()] for text in texts]
        for backend in BACKENDS:
            for threads in (1, 2):
                found = seq.intern_texts(texts, backend=backend, threads=threads)
                assert [found.ids[a:b].tolist() for a, b in pairwise(found.offsets)] == expected
                assert found.sizes.tolist() == [len(known)]

    def test_every_code_point_that_is_white_space_separates_and_no_other(self):
        texts = [f"x{chr(code)}x" for code in range(sys.maxunicode + 1)]
        found = seq.intern_texts(texts, backend="numba")
        same(found.lengths, np.array([len(text.split()) for text in texts]))

    @untimed
    @given(grouped())
    def test_equal_tokens_of_a_group_and_only_they_have_equal_ids(self, case):
        lists, groups, _, _ = case
        oracle = interned(lists, groups, backend="python")
        kernel = interned(lists, groups, backend="numba", threads=2)
        for column in ("ids", "offsets", "groups", "sizes"):
            same(getattr(kernel, column), getattr(oracle, column))
        for g, (low, high) in enumerate(pairwise(groups)):
            words = [word for tokens in lists[low:high] for word in tokens]
            ids = kernel.ids[kernel.offsets[low] : kernel.offsets[high]].tolist()
            assert [list(dict.fromkeys(words))[i] for i in ids] == words
            assert kernel.sizes[g] == len(set(words))

    def test_tokens_with_equal_hashes_stay_apart(self):
        # Leading zeros leave the hash what it is, so all of these have the hash of an empty string or of "a".
        found = seq.intern_texts(["\0\0 \0 \0a a \0\0\0a \0 \0\0"], backend="numba")
        assert found.ids.tolist() == [0, 1, 2, 3, 4, 1, 0]

    def test_lone_surrogates_are_tokens_like_others(self):
        assert seq.intern_texts(["\ud800 a \ud800"], backend="numba").ids.tolist() == [0, 1, 0]

    def test_many_distinct_tokens(self):
        words = [format(i * 7919 % 100_003, "x") for i in range(100_003)]
        found = seq.intern_texts([" ".join(words), " ".join(words)], backend="numba")
        same(found.ids[: len(words)], np.arange(len(words), dtype=np.int32))
        same(found.ids[len(words) :], found.ids[: len(words)])

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: seq.intern_texts(["a"], backend="cuda"), "backend must be 'auto', 'numba' or 'python'"),
            (lambda: seq.intern_texts(["a"], backend="numba", threads=0), "threads must be at least 1"),
        ],
    )
    def test_bad_arguments(self, call, message):
        with pytest.raises(UsageError, match=message):
            call()


class TestLcs:
    @untimed
    @given(grouped())
    def test_kernel_oracle_and_definition_agree(self, case):
        lists, groups, first, second = case
        found = interned(lists, groups)
        oracle = seq.lcs_lengths(found, first, second, backend="python")
        same(seq.lcs_lengths(found, first, second, backend="numba", threads=2), oracle)
        assert oracle.tolist() == [
            lcs(tuple(lists[a]), tuple(lists[b])) for a, b in zip(first, second, strict=True)
        ]

    @settings(max_examples=25, deadline=None)
    @given(
        st.sampled_from(WORD_BORDERS),
        st.sampled_from(WORD_BORDERS),
        st.integers(1, 40),
        st.integers(0, 2**32),
    )
    def test_word_borders(self, n, m, letters, seed):
        random = np.random.default_rng(seed)
        lists = [[str(x) for x in random.integers(0, letters, size)] for size in (n, m, n)]
        found = interned(lists)
        # Neighbouring pairs that share their first sequence, then one that does not, then the first again.
        pairs = [0, 0, 1, 0], [1, 2, 2, 0]
        same(
            seq.lcs_lengths(found, *pairs, backend="numba"), seq.lcs_lengths(found, *pairs, backend="python")
        )


class TestOccursIn:
    @untimed
    @given(grouped(), st.data())
    def test_the_definition(self, case, data):
        lists, groups, _, _ = case
        source = data.draw(st.lists(st.booleans(), min_size=len(lists), max_size=len(lists)))
        found = interned(lists, groups)
        occurs = seq.occurs_in(found, source)
        expected = []
        for low, high in pairwise(groups):
            known = {word for i in range(low, high) if source[i] for word in lists[i]}
            expected += [word in known for i in range(low, high) for word in lists[i]]
        assert occurs.tolist() == expected


class TestOverlap:
    @untimed
    @given(grouped(), st.integers(1, 5), st.sampled_from(["arithmetic", "geometric"]), st.data())
    def test_kernel_and_oracle_are_equal_and_near_the_definition(self, case, order, mean, data):
        lists, groups, first, second = case
        found = interned(lists, groups)
        count = len(found.ids)
        weights = data.draw(st.lists(st.floats(0, 1), min_size=count, max_size=count))
        kernel = seq.ngram_overlap(
            found, first, second, weights, order, mean=mean, backend="numba", threads=2
        )
        same(kernel, seq.ngram_overlap(found, first, second, weights, order, mean=mean, backend="python"))
        values = [weights[a:b] for a, b in pairwise(found.offsets)]
        for sums, a, b in zip(kernel, first, second, strict=True):
            for n in range(1, order + 1):
                expected = textbook(lists[a], values[a], lists[b], values[b], n, mean)
                np.testing.assert_allclose(sums[n - 1], expected, rtol=1e-12, atol=1e-12)

    @pytest.mark.parametrize("size", WORD_BORDERS)
    def test_sizes(self, size):
        random = np.random.default_rng(size)
        lists = [[str(x) for x in random.integers(0, 9, n)] for n in (size, 65, size)]
        found = interned(lists)
        weights = random.random(len(found.ids))
        asked = [0, 0, 1], [1, 2, 0]
        kernel = seq.ngram_overlap(found, *asked, weights, backend="numba")
        same(kernel, seq.ngram_overlap(found, *asked, weights, backend="python"))

    @pytest.mark.parametrize("backend", BACKENDS)
    def test_parent_by_hand(self, backend):
        # Table: "paris", "france". Text "paris is in france france", reference "france is big is paris".
        found = seq.intern_texts(["paris is in france france", "france is big is paris", "paris", "france"])
        table = seq.occurs_in(found, [False, False, True, True])
        sums = seq.ngram_overlap(found, [0], [1], table, max_order=2, backend=backend)[0]
        # Unigrams of the text: paris 1 matched; is 1 matched; in 0; france 2, 1 matched, the other entailed.
        # The reference: france and paris matched and entailed, is matched but not entailed, big neither.
        assert sums[0].tolist() == [4.0, 5.0, 2.0, 2.0]
        # Bigrams of the text: paris is .5, is in 0, in france .5, france france 1; none is in the reference.
        # The reference's: france is .5, is big 0, big is 0, is paris .5.
        assert sums[1].tolist() == [2.0, 4.0, 0.0, 1.0]

    @pytest.mark.parametrize("backend", BACKENDS)
    def test_geometric_mean_by_hand(self, backend):
        found = seq.intern_texts(["a b", "b a b"])
        sums = seq.ngram_overlap(
            found, [0], [1], [0.25, 1, 1, 0.25, 1], max_order=2, mean="geometric", backend=backend
        )
        assert sums[0].tolist() == [[2.0, 2.0, 1.25, 2.25], [1.0, 1.0, 0.5, 1.0]]

    @pytest.mark.parametrize("backend", BACKENDS)
    def test_weights_of_occurrences_are_averaged(self, backend):
        # "a" has weights 1 and 0 in the first text, so one unmatched "a" is worth a half.
        found = seq.intern_texts(["a a", "a"])
        sums = seq.ngram_overlap(found, [0], [1], [1, 0, 0.25], max_order=1, backend=backend)
        assert sums[0].tolist() == [[1.5, 2.0, 0.25, 0.25]]


def textbook(a, weights_a, b, weights_b, order, mean):
    """The sums as the docstring defines them."""

    def weight(values):
        return math.prod(values) ** (1 / len(values)) if mean == "geometric" else sum(values) / len(values)

    def table(words, weights):
        found: dict[tuple[str, ...], list[float]] = {}
        for i, gram in enumerate(ngrams(words, order)):
            found.setdefault(gram, []).append(weight(weights[i : i + order]))
        return {gram: (len(ws), sum(ws) / len(ws)) for gram, ws in found.items()}

    one, two = table(a, weights_a), table(b, weights_b)
    matched = {gram: min(c, two.get(gram, (0, 0))[0]) for gram, (c, _) in one.items()}
    return [
        sum(matched[gram] + (c - matched[gram]) * w for gram, (c, w) in one.items()),
        sum(c for c, _ in one.values()),
        sum(matched.get(gram, 0) * w for gram, (_, w) in two.items()),
        sum(c * w for c, w in two.values()),
    ]


class TestBackends:
    @pytest.mark.parametrize(
        ("environment", "texts", "loaded"),
        [
            ("", 3, False),
            ("", 100_000, True),
            ("numba", 3, True),
            ("python", 100_000, False),
            ("cuda", 3, False),
        ],
    )
    def test_compiled_code_is_loaded_where_it_pays_or_is_asked_for(self, environment, texts, loaded):
        seq.intern_texts(["a"], backend="numba")  # compiles it
        code = (
            "import sys; from esascore.align import compiled, sequences as s;"
            f"x = s.intern_texts(['a b c d'] * {texts}); s.lcs_lengths(x, [0], [1]);"
            "print(compiled.SEQUENCES.is_loaded(), 'numba' in sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"ESASCORE_BACKEND": environment},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == f"{loaded} False\n"

    @pytest.mark.parametrize("backend", BACKENDS)
    def test_nothing_in_nothing_out(self, backend):
        found = seq.intern_texts([], backend=backend)
        assert len(found) == 0
        assert found.ids.dtype == np.int32
        assert seq.intern_texts([], [0], backend=backend).sizes.shape == (0,)
        assert seq.lcs_lengths(found, [], [], backend=backend).shape == (0,)
        assert seq.ngram_overlap(found, [], [], [], backend=backend).shape == (0, 4, 4)
        assert seq.occurs_in(found, []).shape == (0,)
