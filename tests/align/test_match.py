"""The alignment through its public functions: every implementation against the oracle."""

from __future__ import annotations

import os
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.align import Matches, hits, match
from esascore.align._problem import floor_fraction, threshold
from esascore.align._py import levenshtein
from esascore.errors import UsageError

COLUMNS = ("item", "candidate", "start", "end", "edits", "length", "distance")
BACKENDS = ("python", "rapidfuzz", "numba")
FAST = ("rapidfuzz", "numba")
untimed = settings(deadline=None, max_examples=150)

WORD_BORDERS = (1, 31, 32, 33, 63, 64, 65, 127, 128, 129)


def rows(found: Matches) -> list[tuple[float, ...]]:
    return list(zip(*(getattr(found, name).tolist() for name in COLUMNS), strict=True))


def same_everywhere(items, max_distance=0.4, backends=BACKENDS, **options):
    """The rows that all backends agree on, from both functions."""
    results = []
    for function in (match, hits):
        first, *others = (
            rows(function(items, max_distance=max_distance, backend=backend, **options))
            for backend in backends
        )
        for other in others:
            assert other == first
        results.append(first)
    return results


def spelled(items, found):
    """Matches as (candidate, n-gram, edits, length)."""
    result = []
    for item, candidate, start, end, edits, length, _ in rows(found):
        candidates, text = items[item]
        tokens = [token for token in text.split(" ") if token]
        result.append((candidates[candidate], " ".join(tokens[start:end]), edits, length))
    return result


@pytest.mark.parametrize("backend", BACKENDS)
class TestByHand:
    def test_nearest_first_then_the_rest(self, backend):
        items = [
            (["abilene regional airport", "abilene texas"], "the abilene airport serves abilene , texas")
        ]
        found = match(items, backend=backend)
        assert spelled(items, found) == [
            ("abilene texas", "abilene , texas", 2, 15),
            ("abilene regional airport", "abilene airport", 9, 24),
        ]
        assert found.distance.tolist() == [2 / 15, 9 / 24]

    def test_of_equal_distances_the_longer_then_the_earlier_then_the_first_candidate(self, backend):
        # All four pairs of names and words have distance 0; "ccc ccc" is the longest.
        items = [(["b", "ccc ccc", "b", "a"], "a b ccc ccc b")]
        found = match(items, max_distance=0, backend=backend)
        assert list(zip(found.start.tolist(), found.end.tolist(), found.candidate.tolist(), strict=True)) == [
            (2, 4, 1),
            (0, 1, 3),
            (1, 2, 0),
            (4, 5, 0),
        ]

    def test_equal_fractions_with_different_lengths_tie(self, backend):
        # 1/3 against 2/6: equal, hence the n-gram with more characters wins although it comes later.
        items = [(["abc", "uvwxyz"], "abX uvwxYZ")]
        assert spelled(items, match(items, backend=backend)) == [
            ("uvwxyz", "uvwxYZ", 2, 6),
            ("abc", "abX", 1, 3),
        ]

    def test_the_threshold_is_two_fifths_exactly(self, backend):
        items = [(["abcde"], "abcYY"), (["abcdefg"], "abcdYYY"), (["abcdefghijklmno"], "abcdefghiYYYYYY")]
        assert match(items, backend=backend).item.tolist() == [0, 2]  # 2/5, not 3/7, 6/15

    def test_ngrams_have_one_token_more_than_the_longest_candidate(self, backend):
        items = [(["ab_cd"], "ab c d")]  # two words, so three tokens; "ab c" would be 2/5
        assert spelled(items, match(items, backend=backend)) == [("ab_cd", "ab c d", 2, 6)]
        assert {(s, e) for _, _, s, e, *_ in rows(hits(items, max_distance=1, backend=backend))} == {
            (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3),
        }  # fmt: skip
        found = hits([(["abcd"], "a b c d")], max_distance=1, backend=backend)
        assert (found.end - found.start).max() == 2

    def test_only_u0020_separates_tokens(self, backend):
        items = [(["a\u00a0b", "c\td"], "  a\u00a0b   c\td\n ")]
        found = match(items, backend=backend)
        assert found.start.tolist() == [0, 1]
        assert found.edits.tolist() == [0, 1]

    def test_spaces_within_a_candidate_count_as_they_stand(self, backend):
        items = [(["a  b "], "a b")]
        assert spelled(items, match(items, backend=backend)) == [("a  b ", "a b", 2, 5)]

    def test_a_candidate_matches_many_times(self, backend):
        assert match([(["rome"], "rome , rome and rom")], backend=backend).start.tolist() == [0, 2, 4]

    def test_nothing_to_match(self, backend):
        items = [
            ([], "some text"),
            (["", ""], "some text"),
            (["a"], ""),
            (["a"], "   "),
            (["zzz"], "some text"),
        ]
        assert len(match(items, max_distance=0.4, backend=backend)) == 0
        assert len(match([], backend=backend)) == 0
        assert len(hits(items[:4], max_distance=1, backend=backend)) == 0

    def test_columns_are_integers_and_distances_floats(self, backend):
        for items in ([], [(["a"], "a b")]):
            found = match(items, backend=backend)
            assert all(getattr(found, name).dtype == np.int64 for name in COLUMNS[:-1])
            assert found.distance.dtype == np.float64

    def test_any_code_point(self, backend):
        items = [
            (
                ["\ud800x\udfff", "a\0b", "𝄞𝄞𝄞", "e\u0301e", "\U0010ffff"],
                "\U0010ffff \ud800x\udfff a\0b 𝄞𝄢𝄞 ée",
            )
        ]
        assert spelled(items, match(items, backend=backend)) == [
            ("\ud800x\udfff", "\ud800x\udfff", 0, 3),
            ("a\0b", "a\0b", 0, 3),
            ("\U0010ffff", "\U0010ffff", 0, 1),
            ("𝄞𝄞𝄞", "𝄞𝄢𝄞", 1, 3),
        ]


LETTERS = "aab_ éé\u0301𝄞\ud800\0"
short = st.text(LETTERS, max_size=12)
limits = st.sampled_from([0, 0.1, 0.25, 1 / 3, 0.4, 0.5, 0.77, 0.999, 1])


@untimed
@given(st.lists(st.tuples(st.lists(short, max_size=5), st.text(LETTERS, max_size=30)), max_size=4), limits)
def test_backends_agree_on_small_strings(items, limit):
    same_everywhere(items, limit)


@st.composite
def near(draw):
    """Candidates with sizes around the borders of words, and a text made of damaged copies of them."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    sizes = draw(st.lists(st.sampled_from(WORD_BORDERS), min_size=1, max_size=6))
    letters = draw(st.sampled_from(["ab ", "abcdefghij ", "aé𝄞 \u0301_"]))
    candidates = ["".join(rng.choices(letters, k=size)) for size in sizes]

    def damaged(string):
        characters = list(string)
        for _ in range(rng.randrange(1 + len(string) // 4)):
            position = rng.randrange(len(characters) + 1)
            if rng.random() < 0.5 and position < len(characters):
                characters[position] = rng.choice(letters + "xyz")
            elif rng.random() < 0.5:
                characters.insert(position, rng.choice(letters))
            else:
                del characters[position : position + 1]
        return "".join(characters)

    return candidates, " x ".join(damaged(candidate) for candidate in candidates)


@settings(deadline=None, max_examples=25)
@given(st.lists(near(), min_size=1, max_size=2), limits)
def test_compiled_code_agrees_around_the_borders_of_words(items, limit):
    same_everywhere(items, limit, FAST)


@settings(deadline=None, max_examples=5)
@given(near())
def test_all_backends_agree_around_the_borders_of_words(item):
    candidates, text = item
    same_everywhere([(candidates[:2], text[:70])], 0.4)


@pytest.mark.parametrize("size", [1, 63, 64, 65, 127, 128, 129, 1000])
def test_distances_are_the_textbook_ones(size):
    rng = random.Random(size)
    a = "".join(rng.choices("abcd", k=size))
    b = "".join(rng.choices("abcd", k=max(1, size - 3)))
    found = hits([([a], b)], max_distance=1, backend="numba")
    assert found.edits.tolist() == [levenshtein(a, b)]
    assert found.length.tolist() == [size]


def test_very_long_strings():
    rng = random.Random(3)
    a = "".join(rng.choices("abcdefgh", k=10_000))
    b = a[:3000] + "x" * 50 + a[3100:]
    ((row,), (same,)) = same_everywhere([([a], b)], 0.4, FAST)
    assert row == same
    assert row[4:6] == (100, 10_000)


def test_a_long_text():
    rng = random.Random(4)
    words = ["".join(rng.choices("abcde", k=rng.randint(1, 6))) for _ in range(300)]
    text = " ".join(rng.choices(words, k=10_000))
    names = [" ".join(rng.choices(words, k=rng.randint(1, 3))) for _ in range(3)]
    same_everywhere([(names, text)], 0.3, FAST)


def test_a_thousand_candidates():
    rng = random.Random(5)
    names = ["".join(rng.choices("abcdefgh ", k=rng.choice((3, 10, 30, 50, 70, 200)))) for _ in range(1000)]
    text = " ".join(name.replace("a", "e", 1) for name in rng.sample(names, 6))
    same_everywhere([(names, text), (names[:700], text)], 0.35, FAST)


def test_many_ngrams_of_one_group_exceed_the_trie():
    rng = random.Random(6)
    names = ["abc def ghi jkl", "mno pqr"]
    texts = [" ".join("".join(rng.choices("abcdefghijkl", k=3)) for _ in range(400)) for _ in range(20)]
    same_everywhere([(names, text) for text in texts], 0.5, FAST)


def test_repeated_texts_and_candidate_lists_give_repeated_rows():
    names = ["new york", "yorkshire"]
    texts = ["in new york", "yorkshire and new yrok", "in  new york", "in new york", "at new york"]
    items = [(names if index % 2 else list(names), texts[index % 5]) for index in range(300)]
    selected, _ = same_everywhere(items, 0.4)
    alone = [rows(match([item])) for item in items]
    assert selected == [(index, *row[1:]) for index, found in enumerate(alone) for row in found]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_batches_and_threads_change_nothing(threads, monkeypatch):
    from esascore.align import _numba

    rng = random.Random(7)
    groups = [["".join(rng.choices("abc ", k=8)) for _ in range(3)] for _ in range(9)]
    items = [(rng.choice(groups), "".join(rng.choices("abc ", k=40))) for _ in range(200)]
    expected = rows(match(items, backend="rapidfuzz"))
    monkeypatch.setattr(_numba, "BATCH_CHARACTERS", 500)
    monkeypatch.setattr(_numba, "UNIT_CHARACTERS", 90)
    assert rows(match(items, backend="numba", threads=threads)) == expected
    assert rows(match(items, backend="rapidfuzz", threads=threads)) == expected


def test_work_that_does_not_fit_the_words_of_the_kernel_is_done_all_the_same(monkeypatch):
    from esascore.align import _numba

    monkeypatch.setattr(_numba, "KEY_BITS", 8)
    monkeypatch.setattr(_numba, "aligned", None)
    assert rows(match([(["abc"], "abd abc")], backend="numba")) == rows(match([(["abc"], "abd abc")]))


WRONG = {
    "no pairs": [["a"]],
    "three values": [(["a"], "b", "c")],
    "candidates are one string": [(["a"], "a"), ("abc", "abc")],
    "candidate is no string": [(["a", 3], "abc")],
    "candidate is None": [([None], "abc")],
    "text is no string": [(["a"], None)],
    "text is bytes": [(["a"], b"abc")],
    "item is a string": ["ab"],
    "item is a number": [5],
}


@pytest.mark.parametrize("backend", ["auto", *BACKENDS])
@pytest.mark.parametrize("items", WRONG.values(), ids=WRONG.keys())
def test_wrong_items_raise_the_same_error(items, backend):
    with pytest.raises(UsageError, match=rf"item {len(items) - 1}: .*give \(candidates, text\) pairs"):
        match(items, backend=backend)


@pytest.mark.parametrize("limit", [-0.1, 1.1, float("nan"), float("inf"), "0.4x", None, Fraction(-1, 3)])
def test_wrong_thresholds(limit):
    with pytest.raises(UsageError, match="max_distance must be a number from 0 to 1"):
        match([], max_distance=limit)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, None])
def test_wrong_thread_counts(threads):
    with pytest.raises(UsageError, match="threads must be a positive whole number"):
        match([], threads=threads)


def test_any_iterable_of_pairs_will_do():
    items = [(["ab"], "ab cd"), (["cd"], "ab cd")]
    expected = rows(match(items))
    assert rows(match(tuple(items))) == rows(match(iter(items))) == expected
    assert rows(match([((c for c in names), text) for names, text in items])) == expected
    assert rows(match([[names, text] for names, text in items])) == expected


@given(st.fractions(0, 1, max_denominator=10**6), st.integers(1, 40))
def test_floor_fraction_is_the_largest_below(exact, largest):
    best = max(Fraction(exact.numerator * q // exact.denominator, q) for q in range(1, largest + 1))
    assert floor_fraction(exact, largest) == best


def test_thresholds_mean_the_decimal_number_that_is_written():
    assert threshold(0.1) == Fraction(1, 10)
    assert threshold(np.float64(0.3)) == Fraction(3, 10)
    assert threshold(1) == 1
    assert threshold(1e-300) == 0
    assert threshold(Fraction(1, 3)) == Fraction(1, 3)


@pytest.mark.corpora
@pytest.mark.parametrize("year", [2017, 2020])
def test_backends_agree_on_every_output_of_webnlg(year):
    folder = os.environ.get("ESASCORE_DATA")
    if not folder:
        pytest.skip("set ESASCORE_DATA to the folder of the corpora")
    from esascore.readers.corpus import read_corpus
    from esascore.readers.outputs import read_outputs

    (corpus,) = (Path(folder) / f"webnlg-{year}").glob("*.xml")
    names = [
        [entity.term.strip('"').replace("_", " ").lower() for entity in example.input.entities]
        for example in read_corpus(corpus)
    ]
    items = []
    for path in sorted((Path(folder) / f"webnlg-{year}" / "submissions").iterdir()):
        items += [
            (candidates, " ".join(text.lower().split()))
            for candidates, text in zip(names, read_outputs(path), strict=True)
        ]
    assert len(items) == {2017: 16_758, 2020: 28_464}[year]
    fast = match(items, backend="numba", threads=2)
    other = match(items, backend="rapidfuzz")
    for name in COLUMNS:
        assert np.array_equal(getattr(fast, name), getattr(other, name))
    sample = random.Random(year).sample(items, 25)
    same_everywhere(sample, 0.4, ("python", "numba"))
