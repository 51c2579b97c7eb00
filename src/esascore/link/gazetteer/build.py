"""Makes an index of names from dumps that are larger than memory.

Three stages leave their files next to the output, so that a build that was stopped continues where it was:

1. blocks of lines become records, spread over buckets by the title that they tell about;
2. each bucket becomes titles (a trie), and names spread over shards by their first word; redirects are
   followed once all titles have numbers;
3. each shard becomes tries of names.

Bytes of the result depend on the content of the dumps and on the options, not on processes or interruptions.
"""

from __future__ import annotations

import codecs
import json
import os
import shutil
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass
from functools import partial
from itertools import accumulate, starmap
from multiprocessing import get_context, parent_process
from os import PathLike
from pathlib import Path
from threading import Thread
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from esascore.errors import DataError, EsascoreError, UsageError
from esascore.lexicon.entity_types import type_words
from esascore.lexicon.ntriples import is_about_other_pages, open_dump
from esascore.link.gazetteer.dump_records import MalformedLineError, Record, records
from esascore.link.gazetteer.index import (
    BARE,
    FORMAT,
    LABEL,
    MOST_TYPES,
    REDIRECT,
    Row,
    SectionFile,
    Sections,
    hashes_of_beginnings,
    pack_beginnings,
    pack_names,
    pack_titles,
    tie,
    word_hash,
    write_sections,
)
from esascore.text.words import folded_key, property_key

Calls = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterator[Any]]
"""Calls a function for each of the arguments, and gives the results in their order."""

BLOCK_BYTES = 8 << 20
"""Bytes (decompressed) that are parsed at once."""

MALFORMED_SHARE = 0.01
"""The share of lines that may be malformed."""

_LINE_BYTES = 1 << 20
_BUCKET_BYTES = 2 << 20  # of compressed input, some 200,000 labels
_MOST_BUCKETS = 1024
_COMPRESSION = 8
_SHARD_NAMES = 250_000
_MOST_SHARDS = 256
_LINES_TOLD = 5
_HOPELESS = 0.5
_BEGINNINGS = "beginnings"
_RULES = 2
"""Changes with every change of what records or rows are made, so that no older part is taken up again."""


@contextmanager
def processes(jobs: int) -> Iterator[Calls]:
    """Yield a function that makes calls in that many processes, with few calls waiting at a time.

    Examples
    --------
    >>> with processes(1) as calls:
    ...     list(calls(pow, [(2, 3), (3, 2)]))
    [8, 9]
    """
    if jobs < 2:
        yield starmap
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_watch_parent)
    try:
        yield partial(_in_order, pool, jobs + 1)
    except BrokenProcessPool as error:
        raise EsascoreError(
            "a process was killed, perhaps out of memory: run it again to continue, or with --jobs 1"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(
    pool: Executor, most: int, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
) -> Iterator[Any]:
    waiting: deque[Future[Any]] = deque()
    for each in arguments:
        waiting.append(pool.submit(function, *each))
        if len(waiting) >= most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _watch_parent() -> None:
    """End this process with its parent, which may be killed without notice."""
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


Progress = Callable[[int, int], None]
Stage = Callable[[str], AbstractContextManager[Progress | None]]
"""Opens a progress display for a stage of the work; None shows nothing."""

Malformed = tuple[str, int, tuple[int, ...]]
"""A file, how many of its lines are malformed, and the numbers of the first ones."""


@dataclass(frozen=True, slots=True)
class Built:
    """What was made of dumps.

    ``resumed`` says whether an interrupted build was taken up.
    """

    lines: int
    names: int
    entries: int
    entities: int
    malformed: tuple[Malformed, ...]
    resumed: bool


def build_index(
    dumps: Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    *,
    language: str | None = "en",
    max_malformed: float = MALFORMED_SHARE,
    jobs: int = 1,
    stage: Stage = lambda _: nullcontext(),
    block_bytes: int = BLOCK_BYTES,
) -> Built:
    """Make an index of names.

    Parameters
    ----------
    dumps
        N-Triples or TSV (name, entity, perhaps type and count), compressed by gzip or bzip2 or not at all.
    output
        Where to write; the file appears when it is complete. While the work continues, a folder
        ``.NAME.building`` next to it holds what is done.
    language
        The language of labels to keep; labels without a language are kept too. None keeps all.
    max_malformed
        The share of the lines of a file that may be malformed; 0 allows none.
    jobs
        Processes to use; never changes the result.
    stage
        Shows progress.
    block_bytes
        How much is parsed at once.

    Raises
    ------
    DataError
        A dump cannot be read, or too much of it is malformed.
    UsageError
        The output cannot be written.
    """
    paths = [_checked(path) for path in dumps]
    target = Path(os.path.realpath(output))
    if target.exists() and not target.is_file():
        raise UsageError(f"cannot write {output}: it is not a regular file")
    folder = target.parent / f".{target.name}.building"
    options = {"language": language, "block_bytes": block_bytes}
    with _written(output, folder):
        try:
            resumed = _prepared(folder, paths, options)
            with processes(jobs) as calls:
                work = _Work(folder, paths, language, block_bytes, calls, stage)
                blocks, malformed = _read_dumps(work, max_malformed)
                shards = min(max(-(-sum(block.names for block in blocks) // _SHARD_NAMES), 1), _MOST_SHARDS)
                nodes, entities = _make_titles(work, blocks, shards)
                work.run("sorting names", _make_shard, [(folder, shard, nodes) for shard in range(shards)])
            sources = [{"name": path.name, "bytes": path.stat().st_size} for path in paths]
            facts = {"language": language, "entities": entities, "sources": sources}
            names, entries = _assemble(work, shards, facts, target)
        except (DataError, UsageError):
            shutil.rmtree(folder, ignore_errors=True)
            raise
        shutil.rmtree(folder, ignore_errors=True)
    return Built(sum(block.lines for block in blocks), names, entries, entities, malformed, resumed)


# --- what is left of an earlier build


def _checked(path: str | PathLike[str]) -> Path:
    try:
        found = Path(path)
        if found.is_file():
            return found
        problem = "this is not a regular file" if found.exists() else "there is no such file: check the path"
    except ValueError as error:  # a path with a NUL
        problem = f"the file cannot be read: {error}"
    raise DataError(problem, file=path)


def _prepared(folder: Path, paths: Sequence[Path], options: dict[str, Any]) -> bool:
    """Keep the parts of an interrupted build of the same dumps, and remove those of another one."""
    manifest = folder / "manifest"
    files = [[os.path.realpath(path), path.stat().st_size, path.stat().st_mtime_ns] for path in paths]
    told = {"format": FORMAT, "rules": _RULES, "files": files, **options}
    with suppress(DataError):
        if SectionFile.open(manifest).facts == {**told, "sections": []}:
            return True
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    _write_part(manifest, told, {})
    return False


def _write_part(path: Path, facts: dict[str, Any], sections: Sections) -> None:
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("wb") as out:
        write_sections(out, facts, sections)
        out.flush()
        os.fsync(out.fileno())  # a part under its name must be whole, even after a power cut
    temporary.replace(path)


def _is_done(path: Path) -> bool:
    try:
        SectionFile.open(path)
    except DataError:
        return False
    return True


@contextmanager
def _written(output: str | PathLike[str], folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        kept = f" (run it again to continue, or delete {folder})" if folder.exists() else ""
        raise UsageError(f"cannot write {output}: {reason}{kept}") from error


# --- first stage: lines to records


@dataclass(frozen=True, slots=True)
class _Work:
    folder: Path
    paths: Sequence[Path]
    language: str | None
    block_bytes: int
    calls: Calls
    stage: Stage

    @property
    def buckets(self) -> int:
        """How many parts titles are divided into: none is too large for memory."""
        sizes = (
            path.stat().st_size // (1 if path.suffix.casefold() in (".gz", ".bz2") else _COMPRESSION)
            for path in self.paths
        )
        return min(max(sum(sizes) // _BUCKET_BYTES, 1), _MOST_BUCKETS)

    def run(self, name: str, function: Callable[..., None], arguments: Sequence[tuple[Any, ...]]) -> None:
        """Call a function for each of the arguments, and show how far that is."""
        with self.stage(name) as progress:
            for number, _ in enumerate(self.calls(function, arguments), 1):
                if progress:
                    progress(number, len(arguments))


@dataclass(frozen=True, slots=True)
class _Block:
    """What the records of a block are: counts, the first malformed lines, its end in the file as it is."""

    lines: int
    names: int
    redirects: int
    malformed: int
    first: Sequence[int]
    place: int


def _read_dumps(work: _Work, max_malformed: float) -> tuple[list[_Block], tuple[Malformed, ...]]:
    total = sum(path.stat().st_size for path in work.paths)
    done = 0
    blocks: list[_Block] = []
    malformed: list[Malformed] = []
    with work.stage("reading dumps") as progress:
        for path in work.paths:
            own: list[_Block] = []
            for block in work.calls(_parse_block, _to_parse(work, path, len(blocks))):
                blocks.append(block)
                own.append(block)
                if block.malformed:
                    _check_malformed(path, own, max(max_malformed, _HOPELESS) if max_malformed else 0)
                if progress:
                    progress(done + block.place, total)
            bad, first = _check_malformed(path, own, max_malformed)
            if bad:
                malformed.append((str(path), bad, first))
            done += path.stat().st_size
    return blocks, tuple(malformed)


def _check_malformed(path: Path, blocks: Sequence[_Block], most: float) -> tuple[int, tuple[int, ...]]:
    """Return how many lines are malformed, and the numbers of the first ones, unless they are too many."""
    bad, seen = sum(block.malformed for block in blocks), sum(block.lines for block in blocks)
    first = tuple(number for block in blocks for number in block.first)[:_LINES_TOLD]
    if bad > seen * most:
        raise DataError(
            f"{bad:,} of the first {seen:,} lines are neither statements in N-Triples nor a name and an "
            f"entity separated by a tab (lines {', '.join(map(str, first))}): correct them, or allow more",
            file=path,
            line=first[0],
        )
    return bad, first


def _to_parse(
    work: _Work, path: Path, first: int
) -> Iterator[tuple[Path, int, str | None, int, int, bytes | None]]:
    for at, (line, data, place) in enumerate(_blocks(path, work.block_bytes), first):
        part = work.folder / f"block-{at:06}"
        # The block of an earlier run is read past, not sent.
        yield part, work.buckets, work.language, line, place, None if _is_done(part) else data


def _blocks(path: Path, size: int) -> Iterator[tuple[int, bytes, int]]:
    """Yield pieces that end at line ends: number of the first line, bytes, position in the file."""
    with open_dump(path) as (file, raw):
        line = 1
        rest = b""
        while data := file.read(size):
            if line == 1 and not rest:
                data = data.removeprefix(codecs.BOM_UTF8)
            cut = data.rfind(b"\n") + 1
            if not cut:
                rest += data
                if len(rest) > _LINE_BYTES + size:  # an endless line: long enough to be rejected
                    rest = rest[: _LINE_BYTES + 1]
                continue
            piece = rest + data[:cut]
            rest = data[cut:]
            yield line, piece, raw.tell()
            line += piece.count(b"\n")
        if rest:
            yield line, rest, raw.tell()


def _parse_block(
    part: Path, buckets: int, language: str | None, line: int, place: int, data: bytes | None
) -> _Block:
    if data is None:
        return _Block(**SectionFile.open(part).facts["block"])
    collected: list[list[Record]] = [[] for _ in range(buckets)]
    names = redirects = malformed = 0
    first: list[int] = []
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    for number, raw in enumerate(lines, line):
        try:
            if len(raw) > _LINE_BYTES:
                raise MalformedLineError
            for record in records(raw.decode().removesuffix("\r"), language, redirects):
                tag, title, *_ = record
                collected[crc32(title.encode()) % buckets].append(record)
                names += tag == "N"
                redirects += tag == "S"
        except (MalformedLineError, UnicodeError):
            malformed += 1
            if len(first) < _LINES_TOLD:
                first.append(number)
    block = _Block(len(lines), names, redirects, malformed, first, place)
    sections = {str(bucket): _rows(some) for bucket, some in enumerate(collected)}
    _write_part(part, {"block": asdict(block)}, sections)
    return block


def _rows(rows: Sequence[Sequence[Any]]) -> bytes:
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()


# --- second stage: titles, redirects


def _make_titles(work: _Work, blocks: Sequence[_Block], shards: int) -> tuple[list[int], int]:
    """Number all titles; returns the first number of each bucket's titles, and how many entities there are.

    Leaves behind, for each number of a title, the number of the entity that it leads to.
    """
    done = work.folder / "entities"
    *first_redirect, redirected = accumulate((block.redirects for block in blocks), initial=0)
    buckets = range(work.buckets)
    work.run("sorting titles", _make_bucket, [(work.folder, b, first_redirect, shards) for b in buckets])
    parts = [SectionFile.open(work.folder / f"titles-{bucket:04}") for bucket in buckets]
    nodes = list(accumulate((part.facts["nodes"] for part in parts), initial=0))
    entities = list(accumulate((part.facts["entities"] for part in parts), initial=0))
    if not _is_done(done):
        leads_to = np.full(nodes[-1], -1, np.int64)
        sources, targets = (np.zeros(redirected, np.int64) for _ in range(2))
        redirects = np.zeros(nodes[-1], bool)
        for bucket, part in enumerate(parts):
            own = np.frombuffer(part["entities"], np.int32).astype(np.int64)
            leads_to[nodes[bucket] : nodes[bucket + 1]] = np.where(own < 0, -1, own + entities[bucket])
            for ends, name in ((sources, "sources"), (targets, "targets")):
                pairs = np.frombuffer(part[name], np.int64).reshape(-1, 2)
                ends[pairs[:, 0]] = pairs[:, 1] + nodes[bucket]
        redirects[sources] = True
        final = follow(nodes[-1], sources, targets)
        resolved = np.where(redirects[final], -1, leads_to[final])
        _write_part(done, {}, {"entities": resolved.tobytes()})
    return nodes, entities[-1]


def follow(titles: int, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each title leads in the end; titles in or before a circle end in the circle.

    Of several redirects of one title the first counts.

    Examples
    --------
    >>> import numpy as np
    >>> follow(5, np.array([0, 1, 3, 4]), np.array([1, 2, 4, 3]))[:3].tolist()
    [2, 2, 2]
    """
    leads_to = np.arange(titles)
    leads_to[sources[::-1]] = targets[::-1]
    for _ in range(max(titles, 2).bit_length()):  # each round doubles the length of the way
        further = leads_to[leads_to]
        if np.array_equal(further, leads_to):
            break
        leads_to = further
    return leads_to


def _make_bucket(folder: Path, bucket: int, first_redirect: Sequence[int], shards: int) -> None:
    part = folder / f"titles-{bucket:04}"
    if _is_done(part):
        return
    names: list[tuple[str, int, str, int]] = []
    ends: dict[str, list[tuple[int, str]]] = {"S": [], "T": []}
    counts: defaultdict[str, int] = defaultdict(int)
    types: defaultdict[str, set[str]] = defaultdict(set)
    divided: set[str] = set()
    for block, first in enumerate(first_redirect):
        file = SectionFile.open(folder / f"block-{block:06}", verify=False)
        for tag, title, *told in json.loads(bytes(file[str(bucket)])):
            if tag == "N":
                names.append((title, *told))
            elif tag in ends:
                ends[tag].append((told[0] + first, title))
            elif tag == "C":
                counts[title] = max(counts[title], told[0])
            elif tag == "Y":
                types[title].add(told[0])
            elif tag == "D":
                divided.add(title)
    redirected = {title for _, title in ends["S"]}
    ordered = sorted(redirected | {title for _, title in ends["T"]} | {title for title, *_ in names})
    titles = {title: node for node, title in enumerate(ordered)}
    kept = [t for t in ordered if t not in redirected and t not in divided and not is_about_other_pages(t)]
    packed, numbers = pack_titles(kept)
    known_types, typed = _types(types, numbers)
    by_shard: list[list[Row]] = [[] for _ in range(shards)]
    for title, how, name, count in names:
        if title in redirected and how in (LABEL, BARE):
            if name == title:
                continue  # the redirect itself decided whether that is a name
            how = REDIRECT  # noqa: PLW2901 - what was a label leads elsewhere
        key = folded_key(name)
        links = count or counts.get(title, 0)
        shard = word_hash(key.partition(" ")[0]) % shards
        by_shard[shard].append((key, how, -links, tie(title), titles[title], name))
    sections = {
        "titles": packed,
        "types": np.array(typed, np.uint16).tobytes(),
        "entities": np.array([numbers.get(t, -1) for t in ordered], np.int32).tobytes(),
        "sources": np.array([(n, titles[t]) for n, t in ends["S"]], np.int64).tobytes(),
        "targets": np.array([(n, titles[t]) for n, t in ends["T"]], np.int64).tobytes(),
        **{f"names/{number}": _rows(rows) for number, rows in enumerate(by_shard)},
    }
    _write_part(part, {"nodes": len(ordered), "entities": len(kept), "types": known_types}, sections)


def _types(types: dict[str, set[str]], numbers: dict[str, int]) -> tuple[list[str], list[int]]:
    """Choose one type for each title: by name the first that the lexicon of types knows, else the first."""
    known: dict[str, int] = {}
    typed = [0] * len(numbers)
    for title in sorted(types.keys() & numbers.keys()):
        some = sorted(types[title])
        best = next((t for t in some if (property_key(t), "class") in type_words()), some[0])
        typed[numbers[title]] = known.setdefault(best, len(known) + 1)
    _check_types(known)
    return list(known), typed


def _check_types(types: dict[str, int]) -> None:
    if len(types) >= MOST_TYPES:
        raise DataError(f"more than {MOST_TYPES - 1:,} different types: is the third column really the type?")


# --- third stage: names


def _make_shard(folder: Path, shard: int, nodes: Sequence[int]) -> None:
    part = folder / f"names-{shard:04}"
    if _is_done(part):
        return
    leads_to = np.frombuffer(SectionFile.open(folder / "entities", verify=False)["entities"], np.int64)
    rows: list[Row] = []
    for bucket, first in enumerate(nodes[:-1]):
        file = SectionFile.open(folder / f"titles-{bucket:04}", verify=False)
        entities = leads_to[first : nodes[bucket + 1]].tolist()
        for key, kind, count, order, node, name in json.loads(bytes(file[f"names/{shard}"])):
            if entities[node] >= 0:
                rows.append((key, kind, count, order, entities[node], name))
    beginnings = np.sort(hashes_of_beginnings(rows)).tobytes()
    packed = pack_names(rows)
    facts = {
        "longest": max((len(row[0]) for row in rows), default=0),
        "names": len({row[0] for row in rows}),
        "entries": len(packed["kinds"]),
    }
    _write_part(part, facts, {**packed, _BEGINNINGS: beginnings})


# --- the file


def _assemble(work: _Work, shards: int, facts: dict[str, Any], target: Path) -> tuple[int, int]:
    """Put the parts together; returns how many names and entries there are."""
    title_parts, name_parts = (
        [SectionFile.open(work.folder / f"{kind}-{number:04}", verify=False) for number in range(many)]
        for kind, many in (("titles", work.buckets), ("names", shards))
    )
    types: dict[str, int] = {}
    sections: dict[str, bytes | memoryview] = {}
    for bucket, part in enumerate(title_parts):
        numbers = [0, *(types.setdefault(name, len(types) + 1) for name in part.facts["types"])]
        _check_types(types)
        own = np.array(numbers, np.uint16)[np.frombuffer(part["types"], np.uint16)]
        sections[f"titles/{bucket}/titles"] = part["titles"]
        sections[f"titles/{bucket}/types"] = own.tobytes()
    for shard, part in enumerate(name_parts):
        for name, *_ in part.facts["sections"]:
            if name != _BEGINNINGS:
                sections[f"names/{shard}/{name}"] = part[name]
    hashes = [np.frombuffer(part[_BEGINNINGS], np.uint32) for part in name_parts]
    sections[_BEGINNINGS] = pack_beginnings(hashes)
    names, entries = (sum(part.facts[what] for part in name_parts) for what in ("names", "entries"))
    told = {
        **facts,
        "names": names,
        "entries": entries,
        "shards": shards,
        "title_shards": work.buckets,
        "types": list(types),
        "longest": max(part.facts["longest"] for part in name_parts),
    }
    whole = work.folder / "index"
    _write_part(whole, told, sections)
    if target.exists():
        whole.chmod(target.stat().st_mode & 0o777)
    whole.replace(target)
    return names, entries
