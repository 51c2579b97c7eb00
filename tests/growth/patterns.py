"""Texts and inputs that cost too much where a rule looks at everything again for everything it sees.

Most are generated: each unit of text that is repeated, with each kind of input; and values of each kind, many
of them in each kind of input and all of them in the text. Each pattern is of any size. ``small`` is the size
at which the tests count operations (then twice and four times as much), ``full`` the one that
``benchmarks/growth_limits.py`` runs under limits of memory and time, where patterns of letters count, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from esascore.model import Cell, Graph, Input

USUAL = Input.from_triples(
    [
        ("Ada_Marlowe", "birthPlace", "Trondheim,_Norway"),
        ("Ada_Marlowe", "birthDate", '"1898-05-04"'),
        ("Ada_Marlowe", "almaMater", "Kestrel_University_(1899)"),
        ("Kestrel_University_(1899)", "numberOfStudents", "16000"),
        ("Trondheim,_Norway", "areaTotal", "342.27 (square kilometres)"),
    ]
)
_PLAYERS = (("Ada Marlowe", "12", "4.5"), ("Trondheim", "9", "3.25"), ("Kestrel", "17", "1898"))
KINDS = {
    "triples": USUAL,
    "data": Input.from_data(
        {
            "name": "Ada Marlowe",
            "born": "1898-05-04",
            "licence": True,
            "open": {"monday": "9:00-17:00"},
            "rooms": [{"name": "Trondheim", "beds": 5, "size": "12 km"}, {"name": "Kestrel", "beds": 17}],
        }
    ),
    "table": Input.from_table(
        Cell(value, header, row=row, column=column)
        for row, values in enumerate(_PLAYERS)
        for column, (header, value) in enumerate(zip(("player", "points", "assists"), values, strict=True))
    ),
}
"""An input of each kind, about which repeated units of text say something or nothing."""


@dataclass(frozen=True)
class Pattern:
    """A way to make an input and a text of a size.

    A ``steady`` one says the same again and again, so that twice as much costs twice as much to a hair: no
    cache knows more of a larger one.
    """

    name: str
    make: Callable[[int], tuple[Input, str]]
    small: int
    full: int
    profile: str = "default"
    steady: bool = False


def repeated(
    name: str, piece: str, *, small: int = 120, full: int | None = None, profile: str = "default"
) -> list[Pattern]:
    """A text that says one thing again and again with each kind of input, 100,000 characters in full."""

    def of(kind: str, input_: Input) -> Pattern:
        def make(n: int) -> tuple[Input, str]:
            return input_, f"Ada Marlowe was born. {piece * n}"

        own, size = (name, small) if kind == "triples" else (f"{name}, {kind}", small // 2)
        # What lists of data and tables tell apart is looked up more often in a longer text: not to a hair.
        return Pattern(own, make, size, full or 100_000 // len(piece), profile, steady=kind == "triples")

    return [of(*pair) for pair in KINDS.items() if profile == "default" or pair[0] == "triples"]


def numbered(name: str, write: Callable[[int], str], *, small: int = 50, full: int = 10_000):
    """A text that says something else each time, and in every size, so that no cache knows it."""

    def make(n: int) -> tuple[Input, str]:
        return USUAL, "Ada Marlowe. " + "".join(write(k + n * _FRESH) for k in range(n))

    return Pattern(name, make, small, full)


def about(
    name: str,
    make: Callable[[int], tuple[Input, str]],
    *,
    small: int = 50,
    full: int = 3000,
    steady: bool = False,
):
    """An input of a size, and a text about it."""
    return Pattern(name, make, small, full, steady=steady)


def letters(number: int) -> str:
    """A made-up word for each number, like no other."""
    return "".join(Random(number).choices(_SYLLABLES, k=4))


_SYLLABLES = tuple(
    f"{first}{vowel}{last}" for first in "bdfgklmnprstvz" for vowel in "aeiou" for last in "nrsx"
)


def like_others(number: int) -> str:
    """A made-up word for each number: short, and like many others."""
    word = ""
    while True:
        word += "bdfgklmnprstvz"[number % 14] + "aeiou"[number % 5]
        number //= 14
        if not number:
            return word + "x"


def name(size: int, number: int) -> str:
    """A made-up name for each number, others in every size."""
    return letters(number + size * _FRESH).capitalize()


_FRESH = 1_000_003


def triples(number: int, write: Callable[[int], tuple[str, str, str]]) -> Graph:
    return Graph.from_triples([write(n) for n in range(number)])


TEXTS = [
    *repeated("one word", "a", small=1000),
    *repeated("one word in capitals", "A", small=1000),
    *repeated("one unknown word", "zq", small=1000),
    *repeated("one number", "1", small=1000),
    *repeated("one number with commas", "1,", small=200),
    *repeated("one number with points", "1.", small=200),
    *repeated("one code", "a1", small=200),
    *repeated("one code with hyphens", "A1-", small=150),
    *repeated("digits with hyphens", "1-", small=200),
    *repeated("digits with spaces", "1 ", small=200),
    *repeated("titles", "Dr. "),
    *repeated("initials", "A. "),
    *repeated("unknown words", "zorp "),
    *repeated("unknown names", "Zorp "),
    *repeated("names and joints", "Zorp of the "),
    *repeated("small words", "the "),
    *repeated("pronouns", "It was. "),
    *repeated("mentions", "Ada Marlowe "),
    *repeated("mentions in a list", "Trondheim, "),
    *repeated("mentions joined", "Trondheim and "),
    *repeated("likenesses", "Marlawe "),
    *repeated("dates", "4 May 1898, "),
    *repeated("months", "May "),
    *repeated("mentions and unknown names", "Ada Marlowe met Zorp. "),
    *repeated("right and wrong numbers", "5 or 17 students, "),
    *repeated("years", "1898-"),
    *repeated("numbers in words", "twenty "),
    *repeated("big numbers in words", "hundred thousand "),
    *repeated("measures", "12 km "),
    *repeated("feet and inches", "5 ft 11 in "),
    *repeated("fractions", "1/2 "),
    *repeated("prices", "$1,000 "),
    *repeated("opening brackets", "(", small=200),
    *repeated("quotes", '" ', small=200),
    *repeated("apostrophes", "'s ", small=200),
    *repeated("character references", "&amp;", small=200),
    *repeated("placeholders", "__a__ "),
    *repeated("hyphens", "a-", small=200),
    *repeated("underscores", "_a", small=200),
    *repeated("punctuation", ".,;:!?", small=200),
    *repeated("white space", " \n", small=1000),
    *repeated("combining marks", "e\u0301", small=1000),
    *repeated("capitals with dots", "\u0130", small=1000),
    *repeated("characters without words", "\u6f22", small=1000),
    *repeated("pictures", "\U0001f600", small=1000),
    about("a long name", lambda n: (USUAL, f"Z{'orp' * n} was born."), full=13_333, steady=True),
    numbered("other names", lambda n: f"{letters(n).capitalize()} "),
    numbered("other words", lambda n: f"{letters(n)} "),
    numbered("other numbers", lambda n: f"{n} "),
    numbered("other dates", lambda n: f"on {n % 28 + 1} May {1500 + n % 500}, "),
    numbered("other sentences", lambda n: f"{letters(n).capitalize()} met {letters(n + 7).capitalize()}. "),
    *repeated("a line of 10 MB", "Ada Marlowe of Trondheim. ", full=403_847),
    *repeated("a long text, paper", "Ada Marlowe of Trondheim. ", profile="paper", full=60_000),
    *repeated("one long word, paper", "a", small=1000, full=1_600_000, profile="paper"),
]

INPUTS = [
    about(
        "a cycle", lambda n: (triples(n, lambda k: (name(n, k), "next", name(n, (k + 1) % n))), "It is next.")
    ),
    about(
        "a cycle of names like each other",
        lambda n: (triples(n, lambda k: (f"A{k}", "next", f"A{(k + 1) % n}")), "A1 is next."),
    ),
    about(
        "names like each other",
        lambda n: (
            triples(n, lambda k: ("Ada", "knows", like_others(k).capitalize())),
            " ".join(f"Ada knows {like_others(k).capitalize()}." for k in range(100)),
        ),
        small=150,
        full=10_000,
    ),
    about(
        "subjects like each other",
        lambda n: (
            triples(n, lambda k: (like_others(k).capitalize(), "age", str(k))),
            " ".join(f"{like_others(k).capitalize()} is {k}." for k in range(100)),
        ),
        small=150,
        full=5000,
    ),
    about(
        "data like each other",
        lambda n: (
            Graph.from_data(
                {"name": "Ada", "games": [{"name": like_others(k), "points": k} for k in range(n)]}
            ),
            " ".join(f"{like_others(k)} has {k} points." for k in range(60)),
        ),
        full=2500,
    ),
    about(
        "sources of one chain",
        lambda n: (
            Graph.from_triples(
                [(f"S{k}", "to", "C0") for k in range(n)] + [(f"C{k}", "to", f"C{k + 1}") for k in range(n)]
            ),
            "S1 goes to C0.",
        ),
    ),
    about(
        "a star",
        lambda n: (
            triples(n, lambda k: ("Ada", "knows", name(n, k))),
            " ".join(f"Ada knows {name(n, k)}." for k in range(100)),
        ),
        small=150,
        full=10_000,
    ),
    about(
        "many subjects",
        lambda n: (
            triples(n, lambda k: (name(n, k), "age", str(k))),
            " ".join(f"{name(n, k)} is {k}." for k in range(100)),
        ),
        small=150,
        full=5000,
    ),
    about(
        "many names with one word",
        lambda n: (
            triples(n, lambda k: ("Ada", "crossed", f"River {name(n, k)}")),
            "Ada crossed the River. " * 20,
        ),
        full=5000,
    ),
    about(
        "many numbers",
        lambda n: (
            triples(n, lambda k: ("Ada", f"score{k % 9}", str(k))),
            "Ada scored " + ", ".join(map(str, range(0, 300, 3))) + ".",
        ),
        full=5000,
    ),
    about(
        "many dates",
        lambda n: (
            triples(n, lambda k: ("Ada", "visit", f"{1000 + k // 365}-{k % 12 + 1:02}-{k % 28 + 1:02}")),
            "Ada came on 3 May 1010. " * 20,
        ),
        full=5000,
    ),
    about(
        "data and names that they deny",
        lambda n: (
            Graph.from_data({"name": "Ada", "games": [{"name": name(1, k), "points": k} for k in range(9)]}),
            f"{name(1, 2)} has no Zorp and 3 points. " * n,
        ),
        steady=True,
    ),
    about("a long label", lambda n: (triples(1, lambda k: ("Ada", "is", "word " * n)), "Ada is word. " * 20)),
    about("a long label without spaces", lambda n: (triples(1, lambda k: ("Ada", "is", "w" * n)), "Ada is.")),
    about(
        "a list in a label",
        lambda n: (
            triples(1, lambda k: ("Ada", "likes", ", ".join(name(n, k) for k in range(n)))),
            "Ada likes bax.",
        ),
    ),
    about(
        "brackets in a label",
        lambda n: (triples(1, lambda k: ("Ada", "is", "a (" * n + "b" + ")" * n)), "Ada is b."),
    ),
    about(
        "a table",
        lambda n: (
            Input.from_table(
                tuple(Cell(name(n, k), f"c{k % 7}", row=k // 7, column=k % 7) for k in range(n))
            ),
            " ".join(name(n, k) for k in range(100)),
        ),
        small=150,
        full=5000,
    ),
    about(
        "data",
        lambda n: (
            Graph.from_data({"name": "Ada", "games": [{"name": name(n, k), "points": k} for k in range(n)]}),
            " ".join(f"{name(n, k)} has {k} points." for k in range(60)),
        ),
        full=2500,
    ),
]

VALUES: dict[str, Callable[[int], object]] = {
    "names": lambda k: letters(k).capitalize(),
    "names like each other": lambda k: like_others(k).capitalize(),
    "whole numbers": lambda k: 1000 + 7 * k,
    "numbers with decimals": lambda k: k + 0.25,
    "measures": lambda k: f"{k} km",
    "codes": lambda k: f"A{k}-{k % 7}",
}
WITH_VALUES: dict[str, Callable[[list[object]], Input]] = {
    "triples": lambda own: Input.from_triples(("Ada", f"p{k % 9}", str(one)) for k, one in enumerate(own)),
    "data": lambda own: Input.from_data({"name": "Ada", **{letters(-k - 1): v for k, v in enumerate(own)}}),
    "table": lambda own: Input.from_table(
        Cell(str(one), f"c{k % 7}", row=k // 7, column=k % 7) for k, one in enumerate(own)
    ),
}


def said(values: str, kind: str) -> Pattern:
    """An input of a kind with many values, and a text that says them all."""

    def make(n: int) -> tuple[Input, str]:
        own = [VALUES[values](k + 1000) for k in range(n)]
        return WITH_VALUES[kind](own), " ".join(f"Ada has {one}." for one in own)

    return Pattern(f"{values} in {kind}, all said", make, 40, 2000)


SAID = [said(values, kind) for values in VALUES for kind in WITH_VALUES]

PATTERNS = [*TEXTS, *INPUTS, *SAID]
