"""The paper's synonym dictionary, from dumps of DBpedia's redirects and aliases.

Dumps are far larger than memory, so SQLite sorts the pairs, on disk.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from os import PathLike
from pathlib import Path
from typing import IO

from esascore.errors import DataError
from esascore.label import label
from esascore.lexicon.ntriples import (
    STATEMENT,
    is_about_other_pages,
    local_name,
    open_dump,
    title_of,
    unescaped,
)
from esascore.temporary_database import temporary_database
from esascore.wordlists import is_comment

PREDICATES_OF_REDIRECTS = frozenset({"wikiPageRedirects"})
PREDICATES_OF_ALIASES = frozenset({"label", "altLabel", "prefLabel", "hiddenLabel", "alias", "name", "nick"})

_MAX_LINE = 1 << 20
_MAX_ALIAS = 100


@dataclass(frozen=True, slots=True)
class Dictionary:
    """The result of a build: how many statements were read, kept as pairs, and written."""

    statements: int
    entities: int
    aliases: int


def build(
    dumps: Iterable[str | PathLike[str]],
    out: IO[str],
    *,
    entities: Collection[str] | None = None,
    lang: str = "en",
) -> Dictionary:
    """Write a user's lexicon of the aliases in DBpedia dumps, sorted by entity.

    Parameters
    ----------
    dumps
        N-Triples or N-Quads (also named ``.ttl``) with redirects or labels, or TSV with an entity and its
        aliases in each line; compressed by gzip or bzip2 or not at all.
    out
        Where to write.
    entities
        Labels of the entities to keep; all if it is None.
    lang
        The language of the labels to keep; labels without a language are kept too.

    Raises
    ------
    DataError
        A dump cannot be read; the message names file and line.
    EsascoreError
        There is no room for temporary files.
    """
    statements = written = aliases = 0

    def pairs() -> Iterator[tuple[str, str]]:
        nonlocal statements
        for dump in dumps:
            for entity, alias in _pairs(Path(dump), lang):
                statements += 1
                if (entities is None or entity in entities) and is_name(alias, entity):
                    yield entity, alias

    out.write("# Surface forms by entity, made by esascore lexicon build.\n")
    for entity, group in groupby(_sorted_on_disk(pairs()), key=itemgetter(0)):
        forms = [alias for alias, _ in groupby(alias for _, alias in group)]
        # A label that would look like a comment keeps its place in the file by its quotes.
        safe = (f'"{cell}"' if is_comment(cell) else cell for cell in (entity, *forms))
        out.write("\t".join(safe) + "\n")
        written += 1
        aliases += len(forms)
    return Dictionary(statements, written, aliases)


def is_name(alias: str, entity: str) -> bool:
    """Return whether a redirect or alias can be a name of the entity, and one that its label does not imply.

    Examples
    --------
    >>> is_name("Big Apple", "New York City"), is_name("History of New York City", "New York City")
    (True, False)
    """
    if len(alias) > _MAX_ALIAS or is_about_other_pages(alias) or not any(map(str.isalpha, alias)):
        return False
    own, other = entity.casefold(), alias.casefold()
    # A longer title around the label is about a part or an aspect of the entity.
    return own != other and not set(own.split()) <= set(other.split())


def _pairs(path: Path, lang: str) -> Iterator[tuple[str, str]]:
    for number, line in _lines(path):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("<"):
            if pair := _of_statement(line, lang, path, number):
                yield pair
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) < 2 or not cells[0]:
            told = "neither a statement in N-Triples nor an entity and its aliases separated by tabs"
            raise DataError(told, file=path, line=number)
        for alias in cells[1:]:
            yield label(cells[0]), label(alias)


def _of_statement(line: str, lang: str, path: Path, number: int) -> tuple[str, str] | None:
    match = STATEMENT.match(line)
    if match is None:
        raise DataError("a statement in N-Triples is broken: is the file truncated?", file=path, line=number)
    predicate = local_name(match["predicate"])
    if match["iri"] is not None:
        if predicate not in PREDICATES_OF_REDIRECTS:
            return None
        return title_of(match["iri"]), title_of(match["subject"])
    if predicate not in PREDICATES_OF_ALIASES or (match["lang"] or lang).split("-")[0] != lang:
        return None
    return title_of(match["subject"]), " ".join(unescaped(match["text"]).split())


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with open_dump(path) as (file, _):
        for number, raw in enumerate(iter(partial(file.readline, _MAX_LINE), b""), 1):
            if len(raw) == _MAX_LINE:
                raise DataError("a line has more than 1 MiB", file=path, line=number)
            try:
                yield number, raw.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise DataError("not UTF-8", file=path, line=number) from None


def _sorted_on_disk(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Sort pairs by code points, in a temporary file and little memory."""
    with temporary_database() as database:
        database.execute("CREATE TABLE pairs (entity TEXT, alias TEXT)")
        database.executemany("INSERT INTO pairs VALUES (?, ?)", pairs)
        yield from database.execute("SELECT entity, alias FROM pairs ORDER BY entity, alias")
