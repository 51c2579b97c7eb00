from __future__ import annotations

from esascore.model import Detection, Mention
from esascore.reports.nearest import Nearest
from esascore.reports.spans import as_lines

TEXT = "Oslo is big. It rains."
FOUND = Detection(
    TEXT,
    ("Oslo", "Bergen"),
    (Mention("Oslo", 0, 4, "Oslo", "string", 0.0, "Oslo"), Mention("Oslo", 13, 15, "It", "pronoun")),
    ("Bergen",),
)


def test_brackets_for_names_and_parentheses_for_anaphora():
    assert as_lines(FOUND) == [
        "[Oslo]#1 is big. (It)#1 rains.",
        "  #1 Oslo: found",
        "  #2 Bergen: not found",
        "ESA 0.50",
    ]


def test_the_nearest_span_says_why():
    near = [Nearest("Bergen", 8, 12, 0.5, "Bergen", "Oslo")]
    assert (
        as_lines(FOUND, near)[2]
        == '  #2 Bergen: not found, nearest is "big." at distance 0.50, which stands for Oslo'
    )


def test_colours():
    lines = as_lines(FOUND, coloured=True)
    assert (
        lines[0]
        == "\x1b[1;4;34mOslo\x1b[0m\x1b[2m#1\x1b[0m is big. \x1b[3;4;34mIt\x1b[0m\x1b[2m#1\x1b[0m rains."
    )
    assert lines[2].startswith("\x1b[31m")


def test_control_characters_of_texts_and_names_do_nothing():
    text = "\x1b[2JOslo\u202e"
    mention = Mention("\x1b]0;x\x07", 4, 8, "Oslo", "string", 0.0, "Oslo")
    lines = as_lines(Detection(text, (mention.entity, "\x9b1m"), (mention,), ("\x9b1m",)))
    assert lines[0] == "\\x1b[2J[Oslo]#1\\u202e"
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c == "\u202e" for line in lines for c in line)


def test_mentions_that_overlap_are_shown_once():
    mentions = (Mention("a", 0, 6, "abcdef", "string"), Mention("b", 2, 4, "cd", "string"))
    assert as_lines(Detection("abcdef.", ("a", "b"), mentions, ()))[0] == "[abcdef]#1."


def test_blank_and_undefined():
    assert as_lines(Detection("", (), (), ())) == ["(blank)", "ESA undefined"]
