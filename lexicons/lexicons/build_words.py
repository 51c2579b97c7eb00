"""Makes the lexicon of English words from the Hunspell dictionaries that are derived from SCOWL.

Needs their folder, with ``en_US``, ``en_CA`` and ``en_AU`` as ``.dic`` and ``.aff``::

    python lexicons/build_words.py FOLDER

The file is overwritten.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
DICTIONARIES = ("en_US", "en_CA", "en_AU")
WORD = re.compile(r"[^\W\d_]+")
POSSESSIVE = "M"
MISSING = ("led",)  # common words that the dictionaries have as abbreviations only
HEADER = """\
# English words: common ones in lower case, proper ones capitalised, each with its inflected forms.
# Whether an unexplained word of a text is a name is judged by it.
# source: SCOWL through the Hunspell dictionaries {names}, by lexicons/build_words.py
# licence: SCOWL
# columns: word\tforms
"""


def affixes(path: Path) -> dict[str, list[tuple[str, str, str, re.Pattern[str]]]]:
    """Return (kind, what is taken off, what is put on, condition) by flag."""
    rules: dict[str, list[tuple[str, str, str, re.Pattern[str]]]] = {}
    for line in path.read_text("utf-8").split("\n"):
        parts = line.split()
        if len(parts) < 5 or parts[0] not in ("SFX", "PFX") or parts[1] == POSSESSIVE:
            continue
        kind, flag, off, on, condition = parts[:5]
        pattern = re.compile(f"{condition}$" if kind == "SFX" else f"^{condition}")
        rules.setdefault(flag, []).append((kind, "" if off == "0" else off, on, pattern))
    return rules


def forms(word: str, flags: str, rules: dict[str, list[tuple[str, str, str, re.Pattern[str]]]]) -> set[str]:
    """Return what a word becomes with each suffix, each prefix, and one of both."""
    made = {word}
    for kind in ("SFX", "PFX"):
        for flag in flags:
            for own, off, on, condition in rules.get(flag, ()):
                if own != kind:
                    continue
                for base in list(made) if kind == "PFX" else [word]:
                    if condition.search(base):
                        made.add(base.removesuffix(off) + on if kind == "SFX" else on + base)
    return made - {word}


def entries(folder: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield the words of all dictionaries with their forms."""
    for name in DICTIONARIES:
        rules = affixes(folder / f"{name}.aff")
        lines = (folder / f"{name}.dic").read_text("utf-8").split("\n")[1:]
        for line in lines:
            word, _, flags = line.strip().partition("/")
            word = unicodedata.normalize("NFC", word)
            if WORD.fullmatch(word):
                yield word, {form for form in forms(word, flags, rules) if WORD.fullmatch(form)}


def main(folder: Path) -> None:
    """Write the lexicon."""
    found: dict[str, set[str]] = {word: set() for word in MISSING}
    for word, made in entries(folder):
        found.setdefault(word, set()).update(made)
    # A form of another word needs no row of its own, unless it has forms that the other lacks.
    covered = {form for made in found.values() for form in made}
    rows = [
        f"{word}\t{'|'.join(sorted(made))}" if made else word
        for word, made in sorted(found.items())
        if made or word not in covered
    ]
    text = HEADER.format(names=", ".join(DICTIONARIES)) + "".join(f"{row}\n" for row in rows)
    (HERE / "english_words.tsv").write_text(text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
