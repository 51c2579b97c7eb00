"""Finds errors in lexicon files before a score depends on them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from esascore.errors import DataError
from esascore.lexicon.user import read_user_lexicon
from esascore.wordlists import SEVERAL, Rows, is_comment, read, text_lines, values

LICENCES = "LICENSES.md"

# The columns that tell rows of a file apart, where the first one alone does not.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "confidence": ("evidence", "type"),
    "opposites": ("members",),
    "pronouns": ("lang", "pronoun"),
    "states": ("country", "name"),
    "suffixes": ("kind", "forms"),
    "titles": ("position", "words"),
    "synonyms": ("form", "others"),
    "type_words": ("name", "role"),
}
# The values allowed in a cell; an empty string allows an empty cell.
_ALLOWED: Mapping[tuple[str, str], frozenset[str]] = {
    ("opposites", "kind"): frozenset({"what", "how"}),
    ("pronouns", "number"): frozenset({"singular", "plural", ""}),
    ("pronouns", "gender"): frozenset({"masculine", "feminine", "neuter", ""}),
    ("pronouns", "person"): frozenset({"1", "2", "3"}),
    ("pronouns", "possessive"): frozenset({"yes", "no"}),
    ("suffixes", "position"): frozenset({"before", "after", "either"}),
    ("suffixes", "kind"): frozenset({"club", "company"}),
    ("territories", "kind"): frozenset({"region", "country"}),
    ("titles", "position"): frozenset({"before", "after"}),
    ("type_words", "role"): frozenset({"subject", "object", "class"}),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file; ``line`` is None if it concerns the whole."""

    file: str
    line: int | None
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.text}" if self.line is None else f"{self.file}:{self.line}: {self.text}"


def check_folder(folder: str | PathLike[str]) -> list[Problem]:
    """Check a folder of lexicons in the package's format: content, encoding, and an entry for each licence.

    Examples
    --------
    >>> from esascore.wordlists import folder
    >>> check_folder(folder())
    []
    """
    place = Path(folder)
    files = sorted(place.glob("*.tsv"))
    if not files:
        return [Problem(str(place), None, "the folder contains no lexicon (.tsv)")]
    table = str(place / LICENCES)
    try:
        licences = _licences(place / LICENCES)
        problems = []
    except DataError as error:
        licences, problems = {}, [Problem(table, error.line, error.problem)]
    for path in files:
        problems += _in_file(path, licences.pop(path.name, None))
    missing = (f"there is an entry for {name}, but no such file" for name in licences)
    return [*problems, *(Problem(table, None, text) for text in missing)]


def check_user_file(path: str | PathLike[str]) -> list[Problem]:
    """Check a user's lexicon: that it can be read, and that no line repeats another."""
    try:
        entries = read_user_lexicon(path)
    except DataError as error:
        return [Problem(str(path), error.line, error.problem)]
    problems = [Problem(str(path), entry.line, text) for entry in entries for text in _spelling(entry.form)]
    if not entries:
        problems.append(Problem(str(path), None, "the lexicon has no entry"))
    seen: dict[str, int] = {}
    for number, line in text_lines(path):
        if line and not is_comment(line) and seen.setdefault(line, number) != number:
            problems.append(Problem(str(path), number, f"the same as line {seen[line]}"))
    return sorted(problems, key=lambda problem: problem.line or 0)


def _licences(path: Path) -> dict[str, str]:
    """Return the licence by file name, as the table of ``LICENSES.md`` has it."""
    lines = (line.strip("|") for _, line in text_lines(path) if line.startswith("|"))
    rows = ([cell.strip(" `") for cell in line.split("|")] for line in lines)
    return {row[0]: row[2] for row in rows if len(row) == 3 and row[0].endswith(".tsv")}


def _in_file(path: Path, licence: str | None) -> Iterator[Problem]:
    try:
        rows = read(path)
    except DataError as error:
        yield Problem(str(path), error.line, error.problem)
        return
    yield from (Problem(str(path), None, text) for text in _in_header(rows, licence))
    yield from (Problem(str(path), line, text) for line, text in _in_rows(path.stem, rows))


def _in_header(rows: Rows, licence: str | None) -> Iterator[str]:
    told = {key: value for key, value in rows.header if key}
    if not any(text for key, text in rows.header if not key):
        yield "the header does not say what the file is: begin with a line '# ...'"
    for key in ("source", "licence"):
        if not told.get(key):
            yield f"the header does not name the {key}: add a line '# {key}: ...'"
    if licence is None:
        yield f"{LICENCES} has no entry for it"
    elif not licence.startswith(told.get("licence", "")):
        yield f"the licence is {told['licence']!r} here and {licence!r} in {LICENCES}"


def _in_rows(name: str, rows: Rows) -> Iterator[tuple[int | None, str]]:
    if not rows.rows:
        yield None, "there are no rows"
    keys = [rows.columns.index(key) for key in _KEYS.get(name, rows.columns[:1]) if key in rows.columns]
    seen: dict[tuple[str, ...], int] = {}
    for line, row in zip(rows.lines, rows.rows, strict=True):
        for column, cell in zip(rows.columns, row, strict=True):
            yield from ((line, f"{column}: {text}") for text in _in_cell(name, column, cell))
        key = tuple(row[at] for at in keys)
        if not row[0]:
            yield line, f"the cell {rows.columns[0]!r} is empty"
        elif seen.setdefault(key, line) != line:
            yield line, f"{' '.join(key)!r} is already in line {seen[key]}"


def _in_cell(name: str, column: str, cell: str) -> Iterator[str]:
    allowed = _ALLOWED.get((name, column))
    if allowed is not None and cell not in allowed:
        yield f"{cell!r} is none of {', '.join(sorted(filter(None, allowed)))}"
    parts = values(cell)
    for part in parts:
        if not part.strip():
            yield f"an empty value next to {SEVERAL!r}"
        yield from _spelling(part)
    if len(set(parts)) < len(parts):
        yield f"a value is repeated in {cell!r}"


def _spelling(text: str) -> Iterator[str]:
    if text != text.strip() or "  " in text:
        yield f"unnecessary white space in {text!r}"
    if unicodedata.normalize("NFC", text) != text:
        yield f"{text!r} is not in Unicode's normal form NFC"
    if any(unicodedata.category(character) in ("Cc", "Cf", "Co", "Cn") for character in text):
        yield f"a control or unassigned character in {text!r}"
