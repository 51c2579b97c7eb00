"""Command lines on damaged files and with odd options, in this process and in ones of their own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click

from esascore.cli import main
from esascore.cli.app import esascore
from esascore.errors import EsascoreError
from esascore.metrics import METRICS
from esascore.readers.corpus import read_corpus
from fuzz.mutation import NASTY, mutated
from fuzz.samples import CORPORA, files

OUT = "out"
"""The name of the system whose texts are made to fit a corpus."""

CODES = frozenset({0, 2, 3, 5})
"""Exit codes that files and options can give: done, usage, data, a missing extra."""

_LONGEST_LINE = 2100
_WRITTEN = (
    "folder",
    "segments.jsonl",
    *(f"result.{kind}" for kind in ("json", "jsonl", "csv", "html", "txt")),
)
_FORMATS = ("table", "json", "csv", "markdown", "latex")
_ODD = [
    "", " ", "-", "--", "0", "1", "-1", "2", "100", "0.5", "1.5", "nan", "inf", "1e400", "9" * 30, "é",
    "\u202e", "=", "a=b", "esa", "esa,esa", "parent", "bleu", "rules", "root", "none", "gazetteer",
    "x" * 5000, "../..", "/", "\udcff", "a\0b",
]  # fmt: skip
_NEVER = {"--linker": ("rel", "spotlight")}
"""What would ask a server."""
_LEFT_OUT = {"serve", "train", "demo", "selftest", "completion"}  # endless, hours, seconds, seconds, a script
_SLOW_OPTIONS = {"--compile", "--resamples", "--samples", "--jobs", "--debug"}


@dataclass(frozen=True)
class Ran:
    """What a command line gave."""

    code: int
    out: bytes
    err: str


@dataclass(frozen=True)
class CommandLine:
    """Arguments, to be run in a folder; ``cache`` names the file of answers in it."""

    arguments: tuple[str, ...]
    cache: str = "cache.sqlite"
    texts: int | None = None
    """How many examples the corpus has, where that is known."""


def some_command(chance: Random, folder: Path) -> CommandLine:
    """Write files, some of them damaged, into an empty folder, and make a command line that reads them."""
    if chance.random() < 0.15:
        return _any_options(chance, folder)
    return chance.choice((_of_corpus, _of_corpus, _of_corpus, _with_other, _of_other))(chance, folder)


def _put(folder: Path, name: str, chance: Random, share: float = 0.7) -> str:
    content = files()[name]
    (folder / name).write_bytes(mutated(content, chance) if chance.random() < share else content)
    return name


def _texts(chance: Random, number: int) -> list[str]:
    """Texts on one line each; only a line feed ends a line."""
    pieces = ["Kestrel Arena", "Oslo", "on 12 May 1999", "185", "It", "Hotel Lind", "4፩", "null", ""]
    pieces += ["\u2028", "\x00", "\r", "{", '"']
    pieces += [raw.decode("utf-8", "replace").replace("\n", " ")[:40] for raw in NASTY]
    return [" ".join(chance.choices(pieces, k=chance.randrange(7))) for _ in range(number)]


def _outputs(chance: Random, folder: Path, corpus: str) -> tuple[list[str], int | None]:
    """A file of outputs with one text for each example, if the corpus can be read."""
    try:
        ids = [example.id for example in read_corpus(folder / corpus)]
    except EsascoreError:
        ids = []
    texts = _texts(chance, len(ids) or 2)
    rows = [{"id": id_, "text": text} for id_, text in zip(ids or ["Id1", "Id2"], texts, strict=True)]
    kind = chance.randrange(5)
    if kind == 0:
        name, content = f"{OUT}.jsonl", "".join(json.dumps(row) + "\n" for row in rows)
    elif kind == 1:
        name, content = f"{OUT}.json", json.dumps(rows)
    else:
        # A first line that looks like JSON or a table would be read as such.
        name, content = f"{OUT}.txt", "".join("- " * (n == 0) + f"{text}\n" for n, text in enumerate(texts))
    raw = content.encode("utf-8", "surrogatepass")
    is_damaged = chance.random() < 0.1
    (folder / name).write_bytes(mutated(raw, chance) if is_damaged else raw)
    return [name], len(ids) if ids and not is_damaged else None


def _of_corpus(chance: Random, folder: Path) -> CommandLine:
    corpus = _put(folder, chance.choice(list(CORPORA)), chance)
    outputs, number = _outputs(chance, folder, corpus)
    more = "--profile paper " if chance.random() < 0.2 else ""
    more += f"--jobs {2 if chance.random() < 0.02 else 1}"
    if chance.random() < 0.1:
        more += " --linker gazetteer"
    given = " ".join((corpus, *outputs))
    packed = _put(folder, "dump.nt", chance, 0.1)
    lines = [
        f"score {given} --format json -o result.json --segments segments.jsonl {more}",
        f"score {given} --format {chance.choice(_FORMATS)} --metrics {_metrics(chance)} {more}",
        f"score {given} b={outputs[0]} --significance b --resamples 100 {more}",
        f"score {given} --by {chance.choice(('category', 'size', 'seen'))} {more}",
        f"score {corpus} {more}",
        f"detect {given} -o result.jsonl {more}",
        f"detect {corpus} {more}",
        f"hallucinations {given} -o result.jsonl {more}",
        f"report {given} -o {chance.choice(('result.html', 'folder'))} {more}",
        f"show {given} --worst 2 --color always {more}",
        f"check {given} --min-esa 0.5 --max-hallucinations 1 -o result.json {more}",
        f"check {given} --max-missing-texts 0 --save result.jsonl {more}",
        f"parent cooccurrence {corpus} -o {chance.choice(('result.json', 'result.txt'))}",
        f"lexicon build {packed} --for {corpus} -o result.txt",
    ]
    if corpus == "totto.jsonl" and chance.random() < 0.5:
        lines = [
            f"totto score {given} --format json -o result.json {more}",
            f"totto linearise {corpus} --style {chance.choice(('full', 'subtable'))} -o result.jsonl",
            f"totto view {given} -o result.html",
        ]
    if corpus == "enriched.xml" and chance.random() < 0.6:
        kinds = "replace,delete,number,date,name"
        lines = [
            f"benchmark {corpus} --resamples 10 --format json -o result.json --errors result.jsonl {more}",
            f"benchmark {corpus} --counterfactual --kinds {kinds} --resamples 0 {more}",
            f"benchmark {corpus} --compare paper default --resamples 10 {more}",
            f"lexicon mine {corpus} -o result.txt --min-count 1",
            f"coref evaluate {corpus} --by category --by pronoun",
        ]
    return CommandLine(tuple(chance.choice(lines).split()), texts=number)


def _metrics(chance: Random) -> str:
    known = [name for name in METRICS if name != "parent-c"]
    return ",".join(chance.sample(known, chance.randrange(1, 4)))


def _with_other(chance: Random, folder: Path) -> CommandLine:
    """A sound corpus with something damaged beside it."""
    corpus = _put(folder, "webnlg.xml", chance, 0.05)
    outputs, number = _outputs(chance, folder, corpus)
    scores = chance.choice(("segments.jsonl", "ratings.csv"))
    ratings = chance.choice(("ratings.csv", "ratings_long.csv", "ratings_2017.csv", "ratings_2020.json"))
    beside = [
        "score --profile profile.toml",
        "detect --lexicon lexicon.tsv -o result.jsonl",
        "hallucinations --linker gazetteer --linker-index names.index -o result.jsonl",
        f"score --metrics parent-c --cooccurrence {chance.choice(('counts.txt', 'counts.json'))}",
        f"score --by seen --train {chance.choice(list(CORPORA))}",
        f"correlate --ratings {ratings} --samples 10",
        f"correlate --ratings ratings.csv --segments {scores} --samples 5",
        "report --hallucinations flags.jsonl -o result.html",
        "check --min-esa 0.5 --baseline saved.jsonl",
        "check --max-hallucinations 0 --accept accepted.jsonl --format json",
        f"check --config esascore.toml --format {chance.choice(('junit', 'github', 'text'))}",
    ]
    command, *more = chance.choice(beside).split()
    for name in dict.fromkeys(name for name in more if name in files()):
        _put(folder, name, chance)
    jobs = ["--jobs", "1"]
    return CommandLine((command, corpus, *outputs, *more, *jobs), texts=number)


def _of_other(chance: Random, folder: Path) -> CommandLine:
    """What reads no corpus."""
    packed = chance.choice(("dump.nt", "names.tsv"))
    _put(folder, packed, chance)
    if chance.random() < 0.4:
        _put_packed(folder, packed, chance)
        packed += chance.choice((".gz", ".bz2"))
    lines: list[list[str]] = [
        ["linker", "build", packed, "-o", "result.txt", "--jobs", "1", *(["--strict"] * chance.randrange(2))],
        ["lexicon", "build", packed, "-o", "result.txt"],
        ["lexicon", "check", "lexicon.tsv"],
        ["lexicon", "explain", chance.choice(_ODD[:19]), "--lexicon", "lexicon.tsv"],
        ["parent", "score", "tables", "references", "generations", "--format", chance.choice(_FORMATS)],
        ["parent", "cooccurrence", "tables", "--references", "references", "-o", "result.txt"],
        ["cache", "info"],
        ["cache", "info", "--format", "json"],
        ["cache", "clear"],
        ["cache", "clear", "--kind", "rel"],
    ]
    arguments = chance.choice(lines)
    for name in arguments:
        if name in files() and name != packed:
            _put(folder, name, chance)
    if arguments[0] == "cache":
        return CommandLine(tuple(arguments), cache=_put(folder, "answers.sqlite", chance))
    return CommandLine(tuple(arguments))


def _put_packed(folder: Path, name: str, chance: Random) -> None:
    import bz2
    import gzip

    content = (folder / name).read_bytes()
    for suffix, pack in ((".gz", gzip.compress), (".bz2", bz2.compress)):
        raw = pack(content)
        (folder / f"{name}{suffix}").write_bytes(mutated(raw, chance) if chance.random() < 0.6 else raw)


# --- any command with any options


def _leaves(
    group: click.Group, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if isinstance(command, click.Group):
            yield from _leaves(command, (*path, name))
        elif command is not None and name not in _LEFT_OUT:
            yield (*path, name), command


def _any_options(chance: Random, folder: Path) -> CommandLine:
    names = ["triples.jsonl", "webnlg.xml", "totto.jsonl", "enriched.xml", "lexicon.tsv", "names.index"]
    for name in names:
        _put(folder, name, chance, 0.05)
    (folder / f"{OUT}.txt").write_text("Kestrel Arena.\nOslo.\n", "utf-8")
    path, command = chance.choice(list(_leaves(esascore)))
    arguments = list(path)
    for parameter in command.params:  # get_params would change what --help shows
        if isinstance(parameter, click.Argument):
            if chance.random() < 0.95:
                arguments.append(chance.choice((*names[:4], f"{OUT}.txt", *_ODD[:6])))
        elif chance.random() < 0.2 and not _SLOW_OPTIONS & set(parameter.opts):
            arguments.append(parameter.opts[-1])
            if not getattr(parameter, "is_flag", False):
                arguments += [_option_value(parameter, chance, names) for _ in range(parameter.nargs)]
    return CommandLine(
        (*arguments, *(["--jobs", "1"] if any("--jobs" in p.opts for p in command.params) else []))
    )


def _option_value(parameter: click.Parameter, chance: Random, names: Sequence[str]) -> str:
    pool = [*_ODD, *_WRITTEN, *names, f"{OUT}.txt"]
    if isinstance(parameter.type, click.Choice) and chance.random() < 0.8:
        pool = [str(choice) for choice in parameter.type.choices]
    value = chance.choice(pool)
    return "x" if value in _NEVER.get(parameter.opts[-1], ()) else value


# --- running and judging


@contextmanager
def _inside(folder: Path, cache: str) -> Iterator[None]:
    before, environment = Path.cwd(), os.environ.get("ESASCORE_CACHE")
    os.chdir(folder)
    os.environ["ESASCORE_CACHE"] = str(folder / cache)
    try:
        yield
    finally:
        os.chdir(before)
        del os.environ["ESASCORE_CACHE"]
        if environment is not None:
            os.environ["ESASCORE_CACHE"] = environment


def run_here(line: CommandLine, folder: Path) -> Ran:
    """Run a command line in this process."""
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(b""))
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(raw, encoding="utf-8", write_through=True) for raw in (out, err)
    )
    try:
        with _inside(folder, line.cache):
            code = main(line.arguments)
        return Ran(code, out.getvalue(), err.getvalue().decode("utf-8", "replace"))
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams


def can_be_a_process(line: CommandLine) -> bool:
    """Whether the system can pass the arguments on."""
    return not any("\0" in argument for argument in line.arguments)


def run_as_process(line: CommandLine, folder: Path, seconds: float) -> Ran:
    """Run a command line as users do; raises `subprocess.TimeoutExpired`."""
    environment = {**os.environ, "ESASCORE_CACHE": str(folder / line.cache), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "esascore", *line.arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=seconds,
    )
    return Ran(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def problems(line: CommandLine, folder: Path, ran: Ran) -> Iterator[str]:
    """Yield what is wrong with what a command line did."""
    is_gate = line.arguments[0] == "check" and ran.code == 1
    if ran.code not in CODES and not is_gate:
        yield f"exit code {ran.code}: {ran.err[-500:]}"
    if "Traceback (most recent" in ran.err or b"Traceback (most recent" in ran.out:
        yield f"a traceback: {ran.err[-2000:]}"
    lines = ran.err.split("\n")[:-1]
    if ran.err and not ran.err.endswith("\n"):
        yield f"a message without its end: {ran.err[-200:]}"
    for message in lines:
        if not message.startswith("esascore: ") or len(message) > _LONGEST_LINE:
            yield f"not a message of ours: {message[:300]}"
    if (ran.code != 0 and not is_gate) != any(message.startswith("esascore: error: ") for message in lines):
        yield f"exit code {ran.code} with {ran.err[-300:]!r}"
    if left := [path.name for path in folder.iterdir() if path.name.endswith(".tmp")]:
        yield f"left behind: {left}"
    written = [path for name in _WRITTEN if name not in files() and (path := folder / name).exists()]
    if ran.code and written and not is_gate:
        yield f"exit code {ran.code}, but {[path.name for path in written]} was written"
    if not ran.code:
        yield from _wrong_results(line, folder)


def _wrong_results(line: CommandLine, folder: Path) -> Iterator[str]:
    command, systems = line.arguments[0], 1
    if (path := folder / "result.json").exists() and "cooccurrence" not in line.arguments:
        document = json.loads(path.read_text("utf-8"))
        for system in document.get("systems", ()) if isinstance(document, dict) else ():
            if line.texts is not None and system["texts"] != line.texts:
                yield f"{system['texts']} texts of {line.texts}"
            if not _is_share(system.get("esa_c")):
                yield f"an ESA of {system['esa_c']}"
    if (path := folder / "segments.jsonl").exists() and command == "score" and "--segments" in line.arguments:
        rows = [json.loads(row) for row in path.read_text("utf-8").split("\n")[:-1]]
        if line.texts is not None and len(rows) != systems * line.texts:
            yield f"{len(rows)} segments of {line.texts} texts"
        if not all(_is_share(row["scores"]["esa"]) for row in rows if "esa" in row["scores"]):
            yield "a score that is not between 0 and 1"
    if (path := folder / "result.jsonl").exists() and command in ("detect", "hallucinations"):
        rows = [json.loads(row) for row in path.read_text("utf-8").split("\n")[:-1]]
        if line.texts is not None and len(rows) != line.texts:
            yield f"{len(rows)} lines of {line.texts} texts"
        yield from (
            f"a wrong span: {span}" for row in rows for span in _spans(row) if not _fits(span, row["text"])
        )
        yield from (
            f"not all are entities: {row}"
            for row in rows
            if not set(row.get("undetected", ())) <= set(row.get("entities", ()))
        )


def _spans(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [*row.get("mentions", ()), *row.get("hallucinations", ())]


def _fits(span: dict[str, Any], text: str) -> bool:
    return 0 <= span["start"] < span["end"] <= len(text) and text[span["start"] : span["end"]] == span["text"]


def _is_share(value: Any) -> bool:
    return value is None or 0 <= value <= 1
