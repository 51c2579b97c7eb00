"""Strings as they are compared: tokens, labels, folded words, numbers in words, and what is no text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.label import label
from esascore.text.blank import is_blank
from esascore.text.normalize import comparable, folded, lowered_in_place, without_punctuation
from esascore.text.numerals import find_numerals, find_parts
from esascore.text.tokenize import Tokens, split_white_space, split_words
from esascore.text.vocabulary import english_words, is_misspelt


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\t\u00a0\u2028",
        "\x00",
        "\u200b\ufeff",
        "null",
        "NULL",
        "None",
        "NaN",
        " null ",
        '"null"',
        "'None'",
        '""',
    ],
)
def test_nothing_was_said(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize(
    "text",
    [".", "-", "0", "null.", "null null", "'", '"', "Null Island", "nanny", "\"null'", "é", "中", "\ufffd"],
)
def test_something_was_said(text: str) -> None:
    assert not is_blank(text)


LABELS = {
    "Abilene,_Texas": "Abilene, Texas",
    '"Abilene,_Texas"': "Abilene, Texas",
    '"Kestrel Row, Birmingham"@en': "Kestrel Row, Birmingham",
    '"Kestrel Row"@en-GB': "Kestrel Row",
    '"185.0"^^xsd:double': "185.0",
    '"185.0"^^<http://www.w3.org/2001/XMLSchema#double>': "185.0",
    "185.0^^xsd:double": "185.0",
    '"8820.0"(minutes)': "8820.0 (minutes)",
    "&minus;7": "−7",
    "R&D;": "R&D;",
    "AT&T": "AT&T",
    "“Zorblax”": "Zorblax",
    '"Squeezed" or "smashed"': '"Squeezed" or "smashed"',
    '"': '"',
    '""': '""',
    "someone@en": "someone@en",
    "  Two\u00a0 words \n": "Two words",
    "": "",
}


@pytest.mark.parametrize(("term", "words"), LABELS.items())
def test_the_words_of_a_term(term, words):
    assert label(term) == words


def test_underscores_can_be_kept():
    assert label('"Abilene,_Texas"@en', keep_underscores=True) == "Abilene,_Texas"


@given(st.text())
def test_a_label_is_a_fixed_point_of_white_space_and_never_fails(term):
    assert label(term) == " ".join(label(term).split())


@given(st.from_regex(r"[A-Za-z]{1,8}( [A-Za-z]{1,8}){0,3}", fullmatch=True))
def test_all_ways_to_write_a_plain_name_agree(name):
    ways = (name, name.replace(" ", "_"), f'"{name}"', f'"{name}"@en', f'"{name}"^^xsd:string', f"“{name}”")
    assert {label(way) for way in ways} == {name}


ANY_TEXT = st.text(alphabet=st.one_of(st.characters(), st.sampled_from(" \n\0\u2028_.,&;#e+-12aé")))


@pytest.mark.parametrize(
    ("token", "normal"),
    [
        ("Oslo.", "oslo"),
        ("(Oslo)", "oslo"),
        ("O'Neil", "oneil"),
        ("1,299.5", "12995"),
        ("Lake_Town,", "lake_town"),  # underscores are characters of a label
        ("\u22127", "7"),  # the minus sign is no punctuation for Unicode
        ("“Åsa”", "åsa"),  # diacritics stay
        ("R&amp;B", "rb"),
        ("a&#32;b", "ab"),  # a reference to a space must not make two tokens of one
        ("2.5e+3", "2500"),
        ("(2.5E3)", "2500"),
        ("1e-3", "0001"),
        ("1e-3x", "1e3x"),  # no number
        ("1e999", "1e999"),  # an exponent of three digits is not written out
        ("...", ""),
        ("€5", "€5"),  # a currency sign is a symbol
    ],
)
def test_without_punctuation(token, normal):
    assert without_punctuation(token) == normal


@pytest.mark.parametrize(
    ("word", "normal"),
    [
        ("OSLO", "oslo"),
        ("ÅSA", "asa"),
        ("A\u030asa", "asa"),  # composed and decomposed are one
        ("Ærø", "aero"),
        ("œuvre", "oeuvre"),
        ("Þór", "thor"),
        ("m²", "m2"),
        ("１２", "12"),
        ("東京", "東京"),
        ("_", ""),
        ("a.b", ""),  # ASCII that is not a word; words have no stops
        ("\ud800", ""),
        ("", ""),
    ],
)
def test_folded(word, normal):
    assert folded(word) == normal


@settings(deadline=None)
@given(ANY_TEXT)
def test_folded_words_are_letters_and_digits(text):
    for word in split_words(text).texts:
        assert folded(word) == "" or folded(word).isalnum()


@pytest.mark.parametrize(("split", "rule"), [(split_white_space, without_punctuation), (split_words, folded)])
@settings(deadline=None)
@given(text=ANY_TEXT)
def test_each_token_of_the_comparable_text_knows_where_it_is_from(split, rule, text):
    tokens = split(text)
    made = comparable(tokens, rule)
    words = made.text.split(" ") if made.text else []
    assert words == [rule(tokens.texts[n]) for n in made.tokens]
    kept = set(made.tokens)
    assert list(made.tokens) == sorted(kept)
    assert all(rule(token) == "" for n, token in enumerate(tokens.texts) if n not in kept)


def test_tokens_of_which_nothing_is_left_are_dropped():
    made = comparable(split_white_space("— Oslo , Norway !"))
    assert (made.text, made.tokens) == ("oslo norway", (1, 3))


@given(st.text(max_size=30))
def test_lower_case_keeps_offsets(text):
    low = lowered_in_place(text)
    assert len(low) == len(text)
    assert all(a in (b, b.lower()) for a, b in zip(low, text, strict=True)) or low == text.lower()


TEXT = st.text(alphabet=st.one_of(st.characters(), st.sampled_from(" \t\n\r\0\u2028\u0301_.,'’-1aé\ud800")))
SPLITTERS = pytest.mark.parametrize("split", [split_white_space, split_words])


@SPLITTERS
@settings(deadline=None)
@given(text=TEXT)
def test_tokens_are_the_text_without_its_white_space(split, text):
    tokens = split(text)
    assert len(tokens) == len(tokens.texts) == len(tokens.starts) == len(tokens.ends)
    covered = 0
    for token, start, end in zip(tokens.texts, tokens.starts, tokens.ends, strict=True):
        assert token == text[start:end] != ""
        assert text[covered:start].strip() == ""
        covered = end
    assert text[covered:].strip() == ""


@settings(deadline=None)
@given(TEXT)
def test_white_space_splits_as_python_does(text):
    # Python counts the separators U+001C to U+001F as white space, and so does the pattern.
    assert list(split_white_space(text).texts) == text.split()


@SPLITTERS
def test_nothing_gives_nothing(split):
    assert split("") == split(" \t\n\u2028 ") == Tokens((), (), ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ada's dog", ("Ada", "'", "s", "dog")),
        ("1,299.5 m²", ("1", ",", "299", ".", "5", "m²")),
        ("A_B", ("A", "_", "B")),
        ("x--y", ("x", "-", "-", "y")),
        ("cafe\u0301s", ("cafe\u0301s",)),  # marks that combine stay with their letter
        ("\u0301a", ("\u0301", "a")),  # a mark without a letter stands alone
        ("東京タワー", ("東京タワー",)),
        ("a\0b", ("a", "\0", "b")),
        ("𝔏ake🙂", ("𝔏ake", "🙂")),
        ("\ud800x", ("\ud800", "x")),
    ],
)
def test_words(text, words):
    assert split_words(text).texts == words


def test_offsets_count_code_points():
    tokens = split_words("🙂 Åsa")
    assert (tokens.starts, tokens.ends) == ((0, 2), (1, 5))


@pytest.mark.parametrize("word", ["is", "as", "her", "per", "led", "colour", "color", "cities", "happily"])
def test_common_words(word):
    assert word in english_words().common


@pytest.mark.parametrize("word", ["london", "texas", "parkersburg"])
def test_proper_words_are_not_common(word):
    assert word in english_words().proper
    assert word not in english_words().common


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("goverment", True),  # left out
        ("locatted", True),  # put in
        ("univeristy", True),  # swapped
        ("buildong", True),  # changed
        ("zanzibor", False),
        ("oslow", False),  # short words are like too many others
        ("ocated", False),  # people get the first letter right
    ],
)
def test_misspellings(word, is_one):
    assert is_misspelt(word) is is_one


# text, (words, value, is ordinal)
WRITTEN = [
    ("three floors", [("three", 3, False)]),
    ("it has twenty-one legs", [("twenty-one", 21, False)]),
    ("a hundred and five", [("a hundred and five", 105, False)]),
    ("one hundred twenty thousand", [("one hundred twenty thousand", 120_000, False)]),
    ("two million, six and ten", [("two million", 2_000_000, False), ("six", 6, False), ("ten", 10, False)]),
    ("half a million people", [("half a million", 500_000, False)]),
    ("two dozen eggs", [("two dozen", 24, False)]),
    ("the eleventh eye", [("eleventh", 11, True)]),
    ("its one hundred and twenty-first day", [("one hundred and twenty-first", 121, True)]),
    ("nineteen ninety", [("nineteen", 19, False), ("ninety", 90, False)]),
    ("three and four", [("three", 3, False), ("four", 4, False)]),
    ("a dog, often someone's", []),
    ("stone tents, bone", []),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), WRITTEN)
def test_finds_numbers_in_words(text: str, expected: list[tuple[str, int, bool]]) -> None:
    assert [(text[n.start : n.end], n.value, n.ordinal) for n in find_numerals(text)] == expected


ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = [
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
]  # fmt: skip
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelled(number: int, joint: str, hyphen: str) -> str:
    for scale, word in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if number >= scale:
            rest = number % scale
            return f"{spelled(number // scale, joint, hyphen)} {word}" + (
                f" {spelled(rest, joint, hyphen)}" if rest else ""
            )
    if number >= 100:
        rest = number % 100
        return f"{ONES[number // 100]} hundred" + (f"{joint}{spelled(rest, joint, hyphen)}" if rest else "")
    if number >= 20:
        return TENS[number // 10] + (f"{hyphen}{ONES[number % 10]}" if number % 10 else "")
    return TEENS[number - 10] if number >= 10 else ONES[number]


@given(st.integers(0, 10**15 - 1), st.sampled_from([" ", " and "]), st.sampled_from(["-", " "]))
def test_round_trip(number: int, joint: str, hyphen: str) -> None:
    words = spelled(number, joint, hyphen)
    text = f"there were {words} of them"
    assert [(text[n.start : n.end], n.value) for n in find_numerals(text)] == [(words, number)]


WORDS = [*ONES, *TENS[2:], "hundred", "thousand", "million", "and", "a", "half", "dozen", "-", "of"]


@given(st.lists(st.sampled_from(WORDS)))
def test_any_row_of_number_words_gives_sound_spans(words: list[str]) -> None:
    text = " ".join(words)
    found = find_numerals(text)
    assert all(0 <= n.start < n.end <= len(text) and n.value >= 0 for n in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("half a litre", ["0.5"]),
        ("half of it", ["0.5"]),
        ("a quarter of it", ["0.25"]),
        ("two thirds of it", ["0.67"]),
        ("three-quarters of it", ["0.75"]),
        ("one and a half hours", ["1.5"]),
        ("12 and a half", ["12.5"]),
        ("three point one four", ["3.14"]),
        ("a pair and a couple, twice", ["2", "2", "2"]),
        ("the second half of the third quarter", []),
        ("a third time", []),
        ("one point", []),
    ],
)
def test_parts(text: str, values: list[str]) -> None:
    assert [str(found.value) for found in find_parts(text)] == values
