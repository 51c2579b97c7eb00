"""Lexicons of a user: surface forms for an own domain, or mined from annotated data.

The plain format has one entity per line with one or more surface forms, separated by tabs::

    Abilene,_Texas<TAB>the Friendly Frontier<TAB>Key City

With a header line ``# columns: ...`` the cells mean what it says. ``entity`` and ``form`` are needed;
``kind`` is ``alias`` (the default), ``drop`` (this form is *not* to be taken as the entity), or tells of
words right ``before`` or ``after`` a mention that belong to it (``not-before``, ``not-after``: that do not),
for one entity or, with ``*``, for any; ``cost`` is a number from 0 (as good as the label, the default) to 1.
An entity ``attribute=value`` is a value of the data, several with ``|`` between them; ``against`` says which
other values its form speaks against (`esascore.lexicon.phrasings`). All other columns are for the reader.
Empty lines and lines that begin with ``#`` and a space are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from esascore.errors import DataError, UsageError
from esascore.label import label
from esascore.wordlists import COLUMNS, is_comment, text_lines

# What an entry is about; two entries about the same must not contradict each other.
_ABOUT = {
    **dict.fromkeys(("alias", "drop"), "form"),
    **dict.fromkeys(("before", "not-before"), "left"),
    **dict.fromkeys(("after", "not-after"), "right"),
}
KINDS = tuple(_ABOUT)
_USER = "user:"


@dataclass(frozen=True, slots=True)
class UserEntry:
    """One surface form of one entity, ``entity`` being its label, and where it was read."""

    entity: str
    form: str
    kind: str = "alias"
    cost: float = 0.0
    file: str = ""
    line: int = 0
    against: str = ""


UserLexicon = (
    str | PathLike[str] | Iterable[str | PathLike[str] | UserEntry] | Mapping[str, str | Iterable[str]]
)
"""A file or several, entries, or the forms of entities: ``{"Abilene, Texas": ["Key City"]}``."""


def user_source(entry: UserEntry) -> str:
    """Return the source to give for a variant from a user lexicon.

    Examples
    --------
    >>> user_source(UserEntry("Abilene, Texas", "Key City", file="my.tsv", line=2))
    'user:my.tsv:2'
    """
    return f"{_USER}{entry.file}:{entry.line}"


def is_user_source(source: str) -> bool:
    """Return whether a variant with this source comes from a user's lexicon."""
    return source.startswith(_USER)


def read_user_lexicon(path: str | PathLike[str]) -> tuple[UserEntry, ...]:
    r"""Read a user's lexicon; entries that repeat an earlier one are left out.

    Raises
    ------
    DataError
        The file cannot be read, or a line is not as the format says.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "my.tsv"
    >>> _ = path.write_text("# nicknames\nAbilene,_Texas\tKey City\n")
    >>> read_user_lexicon(path)[0].form, read_user_lexicon(path)[0].line
    ('Key City', 2)
    """
    found: dict[tuple[str, str, str], UserEntry] = {}
    columns: tuple[str, ...] | None = None
    for line, text in text_lines(path):
        try:
            if text.startswith(COLUMNS):
                columns = _columns(text)
            elif text.strip() and not is_comment(text):
                cells = [cell.strip() for cell in text.split("\t")]
                rows = _plain(cells) if columns is None else [_named(cells, columns)]
                for entry in (_entry(row, Path(path).name, line) for row in rows):
                    known = found.setdefault((entry.entity, entry.form, _ABOUT[entry.kind]), entry)
                    if known.kind != entry.kind:
                        raise ValueError(
                            f"{entry.form!r} is {known.kind} of {entry.entity!r} in line {known.line} "
                            f"and {entry.kind} here: keep one"
                        )
        except ValueError as error:
            raise DataError(str(error), file=path, line=line) from None
    return tuple(found.values())


def read_user_lexicons(given: UserLexicon) -> tuple[UserEntry, ...]:
    """Return the entries of a user's lexicons, one after the other.

    Examples
    --------
    >>> [(entry.entity, entry.form) for entry in read_user_lexicons({"Abilene,_Texas": "Key City"})]
    [('Abilene, Texas', 'Key City')]
    """
    if isinstance(given, str | PathLike):
        return read_user_lexicon(given)
    if isinstance(given, Mapping):
        forms = {entity: [some] if isinstance(some, str) else some for entity, some in given.items()}
        return tuple(UserEntry(label(entity), form) for entity, some in forms.items() for form in some)
    if not isinstance(given, Iterable):
        raise UsageError(f"a lexicon is a path, a list of paths, or a dict, not {type(given).__name__}")
    some = [(one,) if isinstance(one, UserEntry) else read_user_lexicon(one) for one in given]
    return tuple(entry for entries in some for entry in entries)


def _columns(text: str) -> tuple[str, ...]:
    columns = tuple(cell.strip() for cell in text.removeprefix(COLUMNS).split("\t"))
    for needed in ("entity", "form"):
        if columns.count(needed) != 1:
            raise ValueError(
                f"the header must name the column {needed!r} once: "
                "separate the names of columns by tabs, as in '# columns: entity<TAB>form'"
            )
    return columns


def _plain(cells: list[str]) -> list[dict[str, str]]:
    while cells and not cells[-1]:
        cells.pop()
    if len(cells) < 2:
        raise ValueError("an entity and a surface form are needed, separated by a tab")
    return [{"entity": cells[0], "form": form} for form in cells[1:]]


def _named(cells: list[str], columns: tuple[str, ...]) -> dict[str, str]:
    if len(cells) > len(columns):
        raise ValueError(f"{len(cells)} cells, but the header names {len(columns)} columns")
    return dict(zip(columns, cells, strict=False))  # trailing empty cells may be left out


def _entry(row: Mapping[str, str], file: str, line: int) -> UserEntry:
    kind = row.get("kind") or "alias"
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: known are {', '.join(KINDS)}")
    cost = _cost(row.get("cost"))
    name, form = label(row.get("entity", "")), row.get("form", "")
    if not name or not form:
        raise ValueError(f"the {'surface form' if name else 'entity'} is empty")
    return UserEntry(name, form, kind, cost, file, line, row.get("against", ""))


def _cost(cell: str | None) -> float:
    try:
        cost = float(cell or 0)
    except ValueError:
        cost = -1.0
    if not 0 <= cost <= 1:  # also refuses nan
        raise ValueError(f"the cost {cell!r} is not a number from 0 to 1")
    return cost
