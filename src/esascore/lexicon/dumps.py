"""The paper's synonym dictionary, from dumps of DBpedia's redirects and aliases.

Dumps are far larger than memory, so pairs are sorted in runs on disk and merged.
"""

from __future__ import annotations

import gzip
import heapq
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO

from esascore.errors import DataError
from esascore.lexicon.label import label
from esascore.lexicon.ntriples import STATEMENT, is_about_other_pages, local_name, opened, title_of, unescaped

PREDICATES_OF_REDIRECTS = frozenset({"wikiPageRedirects"})
PREDICATES_OF_ALIASES = frozenset({"label", "altLabel", "prefLabel", "hiddenLabel", "alias", "name", "nick"})
PAIRS_IN_MEMORY = 400_000
"""How many pairs are held at once; the rest waits on disk."""

_MAX_LINE = 1 << 20
_MAX_ALIAS = 100


@dataclass(frozen=True, slots=True)
class Dictionary:
    """What was made of dumps: how many statements were read, kept as pairs, and written."""

    statements: int
    entities: int
    aliases: int


def build(
    dumps: Iterable[str | PathLike[str]],
    out: IO[str],
    *,
    entities: Collection[str] | None = None,
    lang: str = "en",
    pairs_in_memory: int = PAIRS_IN_MEMORY,
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
        Labels of the entities to keep; all where it is None.
    lang
        The language of the labels to keep; labels without a language are kept too.

    Raises
    ------
    DataError
        A dump cannot be read; the message names file and line.
    """
    statements = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="esascore-")))
        runs: list[Path] = []
        pairs: set[tuple[str, str]] = set()
        for dump in dumps:
            for entity, alias in _pairs(Path(dump), lang):
                statements += 1
                if (entities is None or entity in entities) and is_name(alias, entity):
                    pairs.add((entity, alias))
                    if len(pairs) >= pairs_in_memory:
                        runs.append(_write_run(folder / f"{len(runs)}", pairs))
                        pairs.clear()
        sorted_runs: list[Iterable[tuple[str, str]]] = [_read_run(stack, run) for run in runs]
        sorted_runs.append(sorted(pairs))
        out.write("# Surface forms by entity, made by esascore lexicon build.\n")
        return Dictionary(statements, *_write_entities(out, heapq.merge(*sorted_runs)))


def is_name(alias: str, entity: str) -> bool:
    """Tell whether a redirect or alias can be a name of the entity, and one that its label does not imply.

    Examples
    --------
    >>> is_name("Big Apple", "New York City"), is_name("History of New York City", "New York City")
    (True, False)
    """
    if (
        not alias
        or len(alias) > _MAX_ALIAS
        or is_about_other_pages(alias)
        or not any(map(str.isalpha, alias))
    ):
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
            raise DataError(
                "neither a statement in N-Triples nor an entity and its aliases separated by tabs",
                file=path,
                line=number,
            )
        for alias in cells[1:]:
            yield label(cells[0]), label(alias)


def _of_statement(line: str, lang: str, path: Path, number: int) -> tuple[str, str] | None:
    match = STATEMENT.match(line)
    if match is None:
        raise DataError("a statement in N-Triples is broken: is the file cut off?", file=path, line=number)
    predicate = local_name(match["predicate"])
    if match["iri"] is not None:
        if predicate not in PREDICATES_OF_REDIRECTS:
            return None
        return title_of(match["iri"]), title_of(match["subject"])
    if predicate not in PREDICATES_OF_ALIASES or (match["lang"] or lang).split("-")[0] != lang:
        return None
    return title_of(match["subject"]), " ".join(unescaped(match["text"]).split())


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with opened(path) as file:
            number = 0
            while raw := file.readline(_MAX_LINE):
                number += 1
                if len(raw) == _MAX_LINE:
                    raise DataError("a line has more than 1 MiB", file=path, line=number)
                try:
                    yield number, raw.decode("utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    raise DataError("not UTF-8", file=path, line=number) from None
    except FileNotFoundError:
        raise DataError("there is no such file: check the path", file=path) from None
    except (EOFError, gzip.BadGzipFile) as error:
        raise DataError(f"the compressed file is broken or cut off: {error}", file=path) from None
    except (
        OSError,
        ValueError,
    ) as error:  # bz2 reports broken data as OSError; ValueError: a path with a NUL
        raise DataError(f"the file cannot be read: {error}", file=path) from None


def _write_run(path: Path, pairs: set[tuple[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{entity}\t{alias}\n" for entity, alias in sorted(pairs))
    return path


def _read_run(stack: ExitStack, path: Path) -> Iterator[tuple[str, str]]:
    file = stack.enter_context(path.open(encoding="utf-8", newline="\n"))
    for line in file:
        entity, _, alias = line.removesuffix("\n").partition("\t")
        yield entity, alias


def _write_entities(out: IO[str], pairs: Iterable[tuple[str, str]]) -> tuple[int, int]:
    entities = aliases = 0
    entity: str | None = None
    last: tuple[str, str] | None = None
    for pair in pairs:
        if pair == last:
            continue
        last = pair
        if pair[0] != entity:
            if entity is not None:
                out.write("\n")
            entity = pair[0]
            entities += 1
            out.write(_safe(entity))
        aliases += 1
        out.write("\t" + _safe(pair[1]))
    if entity is not None:
        out.write("\n")
    return entities, aliases


def _safe(text: str) -> str:
    """A label that would look like a comment keeps its place in the file by its quotes."""
    return f'"{text}"' if text.startswith("# ") or text == "#" else text
