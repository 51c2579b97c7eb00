"""The README and every page of docs/, as something that can be run.

The info string of a block says what is done with it. All blocks of a page share one folder, which holds the
files of ``docs/data`` and, if the page names ``esascore-demo/``, those of ``esascore demo``.

======================  ======================================================================================
```` ```console ````    lines ``$ COMMAND``, each followed by what it prints (both streams): run and compared
```` ```sh ````         one command per line: run; it has to succeed, what it prints is not on the page
```` ```python ````     run; the blocks of a page share their names, functions ``test_*`` are called
```` ```output ````     what the Python block before it prints: compared
```` ```walk ````       ``$ COMMAND`` and the modules that it passes, in order: traced and compared
```` ```usage ````      a synopsis with placeholders: commands and options have to exist
``title="NAME"``        behind any language: a file for later blocks; those of docs/data are compared
anything else           data, output of something that the text names, other code: must hold no command
======================  ======================================================================================

A comment on the line above a block limits it; its commands and options are still checked, as in a synopsis:

``<!-- needs: corpora -->``     run where ESASCORE_DATA is set; commands can use ``$ESASCORE_DATA``
``<!-- not run: REASON -->``    never run here: it needs a server, a GPU, a large extra, minutes of time

Commands are ``esascore ...`` (in this process) and ``cat FILE``, both also with ``| head -N``. ``make``,
``pip``, ``python FILE``, ``source``, ``docker``, ``git`` and ``curl`` are not run; targets, extras and files
have to exist. Code spans that begin with ``esascore COMMAND`` are checked as synopses are.

Between ``<!-- options -->`` and ``<!-- end -->`` stands the reference of all commands, made of their help.

``make pages`` writes what is printed now into the pages.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tomllib
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path

import click

from esascore.cli import main
from esascore.cli.app import esascore
from traced_walk import walk

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = ("README.md", *sorted(path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md")))

BLOCK = re.compile(
    r"^(?P<indent>[ ]*)(?:<!-- (?P<limit>needs|not run): (?P<reason>[^\n]*?) -->\n[ ]*)?"
    r"```(?P<info>[^\n`]*)\n(?P<body>.*?)^[ ]*```$",
    re.DOTALL | re.MULTILINE,
)
SPAN = re.compile(r"(?<!`)`(esascore [a-z][^`]*)`(?!`)")
TITLE = re.compile(r'title="([^"]+)"')
CALLS = re.compile(
    r"^(?:\$ )?(?:[A-Z_]+=\S+ )*(esascore|make|pip|python3?|docker|git|curl) (?!=)", re.MULTILINE
)
OPTIONS = re.compile(r"(?<=^<!-- options -->\n).*?(?=^<!-- end -->$)", re.DOTALL | re.MULTILINE)
RANGES = re.compile(r"; [^][;]*\bx[<>][^][]*(?=\])| *\[[^][:]*\bx[<>][^][:]*\]")
"""What click says of the numbers that an option takes, behind a default or alone: `[default: 1; x>=1]`."""
SHARED = 2
"""Options that so many commands have stand once, in the tables at the beginning."""
NOT_RUN = frozenset(("make", "pip", "python", "python3", "source", "docker", "git", "curl", "cd", "npm"))


class PageError(AssertionError):
    """Something on a page that does not hold."""


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    title: str | None
    body: str
    limit: str | None
    reason: str
    start: int
    end: int
    line: int

    @property
    def commands(self) -> Iterator[str]:
        """Its commands, without comments."""
        for line in self.body.split("\n"):
            with_output = self.language in ("console", "walk")
            command = line.removeprefix("$ ") if with_output else line
            if line.strip() and (not with_output or line.startswith("$ ")):
                yield re.sub(r"(^|\s)# .*$", "", command).strip()


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for found in BLOCK.finditer(page):
        language, _, rest = found["info"].strip().partition(" ")
        title = TITLE.search(rest)
        yield Block(
            language,
            title[1] if title else None,
            found["body"],
            found["limit"],
            found["reason"] or "",
            found.start("body"),
            found.end("body"),
            page.count("\n", 0, found.start("body")),
        )


def written(name: str, folder: Path, demo: Callable[[], Path]) -> str:
    """Return a page with every output as it is now; run it in an empty folder."""
    page = OPTIONS.sub(lambda _: command_reference(), (ROOT / name).read_text("utf-8"))
    for path in (DOCS / "data").iterdir():
        shutil.copy(path, folder)
    if "esascore-demo/" in page and "$ esascore demo" not in page:
        shutil.copytree(demo(), folder / "esascore-demo")
    for found in SPAN.finditer(page):
        known_command(found[1].replace("\n", " "))
    names: dict[str, object] = {"__name__": "__page__"}
    new, at, printed = [], 0, ""
    with contextlib.chdir(folder):
        for block in blocks(page):
            body = block.body
            try:
                if block.title:
                    if (DOCS / "data" / block.title).is_file():
                        body = (DOCS / "data" / block.title).read_text("utf-8")
                    Path(block.title).parent.mkdir(parents=True, exist_ok=True)
                    Path(block.title).write_text(body, "utf-8")
                elif block.language == "python" and runs(block):
                    printed = python(body, names)
                elif block.language == "output":
                    body = printed
                elif block.language in {"console", "sh", "usage", "walk"}:
                    for command in block.commands:
                        known_command(command)
                    if block.language == "walk":
                        [command] = block.commands
                        body = "\n".join([f"$ {command}", *walk(shlex.split(command)[1:]), ""])
                    elif block.language != "usage" and runs(block):
                        body = commands(block)
                elif CALLS.search(body) and not block.limit:
                    raise PageError(
                        "a block with commands: make it console, sh or usage (tests/doc_pages.py)"
                    )
            except PageError as error:
                raise PageError(f"{name}, block at line {block.line}: {error}") from error
            new += [page[at : block.start], body]
            at = block.end
    return "".join(new) + page[at:]


def command_reference() -> str:
    """Every command with its synopsis and options, as its help describes them."""
    commands = list(leaves(esascore, click.Context(esascore, info_name="esascore")))
    users: dict[tuple[str, str], list[str]] = defaultdict(list)
    for context in commands:
        for row in option_rows(context):
            users[row].append(context.command_path)
    groups: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for row, paths in users.items():
        if len(paths) >= SHARED:
            groups[tuple(paths)].append(row)
    parts = ["\n## Shared options\n"]
    for paths, rows in sorted(groups.items(), key=lambda group: -len(group[0])):
        names = ", ".join(f"`{path.removeprefix('esascore ')}`" for path in paths)
        parts += [f"For {names}:\n", table(rows)]
    group = ""
    for context in commands:
        first, _, rest = context.command_path.removeprefix("esascore ").partition(" ")
        if rest and first != group:
            group = first
            within = context.parent.command if context.parent else esascore
            parts += [f"## esascore {group}\n", f"{summary(within)}\n"]
        parts += [f"{'###' if rest else '##'} {context.command_path}\n", f"{summary(context.command)}\n"]
        pieces = [piece for piece in context.command.collect_usage_pieces(context) if piece != "[OPTIONS]"]
        if pieces:
            parts.append(f"```usage\n{' '.join([context.command_path, *pieces])}\n```\n")
        own = [row for row in option_rows(context) if len(users[row]) < SHARED]
        if own:
            parts.append(table(own))
    return "\n".join(parts) + "\n"


def leaves(command: click.Command, context: click.Context) -> Iterator[click.Context]:
    """The commands that do something, in the order of the help."""
    for name in command.list_commands(context) if isinstance(command, click.Group) else ():
        inner = command.get_command(context, name)  # type: ignore[attr-defined]
        own = click.Context(inner, info_name=name, parent=context)
        yield from leaves(inner, own) if isinstance(inner, click.Group) else [own]


def option_rows(context: click.Context) -> list[tuple[str, str]]:
    """The options of a command: names with what they take, and what they mean."""
    rows = []
    for parameter in context.command.params:
        if isinstance(parameter, click.Option):
            option = copy(parameter)
            option.hidden = False
            record = option.get_help_record(context)
            assert record is not None, parameter.name
            name, told = record
            name = re.sub(r"(INTEGER|FLOAT)( RANGE)?$", "N", name)
            rows.append((name, RANGES.sub("", told)))
    return rows


def summary(command: click.Command) -> str:
    """The first paragraph of a help text."""
    return " ".join((command.help or "").partition("\n\n")[0].split())


def table(rows: list[tuple[str, str]]) -> str:
    """Options as a table."""
    cells = ((f"`{name}`".replace("|", "\\|"), told.replace("|", "\\|")) for name, told in rows)
    return "\n".join(["|option|meaning|", "|---|---|", *(f"|{name}|{told}|" for name, told in cells), ""])


def runs(block: Block) -> bool:
    """Whether a block is run here."""
    return block.limit is None or (block.limit == "needs" and bool(os.environ.get("ESASCORE_DATA")))


def python(code: str, names: dict[str, object]) -> str:
    """Run a block of Python; return what it prints."""
    from esascore.testing import assert_faithful

    known = set(names)
    with captured() as stream:
        try:
            exec(compile(code, "<page>", "exec"), names)
            for name in sorted(names.keys() - known):
                if name.startswith("test_"):
                    function = names[name]
                    assert callable(function)
                    wanted = function.__code__.co_varnames[: function.__code__.co_argcount]
                    function(**dict.fromkeys(wanted, assert_faithful))
        except Exception as error:
            raise PageError(f"the Python block fails:\n{traceback.format_exc()}") from error
    return stream()


def commands(block: Block) -> str:
    """Run the commands of a block; return what it should look like."""
    lines = []
    for command in block.commands:
        code, printed = run(command)
        gate = code == 1 and command.startswith("esascore check ")
        shown = block.language == "console" and "esascore: error: " in block.body and code not in {0, 70}
        if code and not gate and not shown:
            raise PageError(f"{command}: exit code {code}\n{printed}")
        lines.append(f"$ {command}\n{printed}")
    return "".join(lines) if block.language == "console" else block.body


def run(command: str) -> tuple[int, str]:
    """Run one command in this process; its exit code and what it prints."""
    line, _, pipe = command.partition(" | ")
    line = line.replace("$ESASCORE_DATA", os.environ.get("ESASCORE_DATA", ""))
    words = shlex.split(line)
    if words[0] == "cat":
        code, printed = 0, "".join(Path(word).read_text("utf-8") for word in words[1:])
    elif words[0] == "esascore":
        with captured() as stream:
            code = main(words[1:])
        printed = stream()
    elif words[0] in NOT_RUN:
        code, printed = 0, ""
    else:
        raise PageError(f"{command}: this harness does not know {words[0]}")
    if pipe:
        head = re.fullmatch(r"head -n? ?(\d+)", pipe)
        if not head:
            raise PageError(f"{command}: of pipes, this harness knows only head -N")
        printed = "".join(printed.splitlines(keepends=True)[: int(head[1])])
    return code, printed


@contextlib.contextmanager
def captured() -> Iterator[Callable[[], str]]:
    """Both streams in the order in which they are written, as a file would get them."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield lambda: stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def known_command(line: str) -> None:
    """Raise where a command names a subcommand, option, target, extra or file that does not exist."""
    for part in re.split(r" (?:\||&&|;) ", line):
        words = part.replace("[", " ").replace("]", " ").split()
        while words and re.match(r"[A-Z_]+=", words[0]):
            del words[0]
        if not words or words[0].startswith("-"):  # "|" in a synopsis is a choice
            continue
        if words[0].endswith("esascore"):
            known_esascore(words[1:], part)
        elif words[0] == "make":
            makefile = (ROOT / "Makefile").read_text("utf-8")
            for target in words[1:]:
                if "=" not in target and not re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE):
                    raise PageError(f"{part}: the Makefile has no target {target}")
        elif words[0] == "pip":
            project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
            for extras in re.findall(r"(?:esascore|\.)\[([\w,]+)\]", part):
                for extra in extras.split(","):
                    if extra not in project["optional-dependencies"]:
                        raise PageError(f"{part}: there is no extra {extra}")
        elif words[0].startswith("python") and len(words) > 1 and words[1].endswith(".py"):
            if not (ROOT / words[1]).is_file():
                raise PageError(f"{part}: there is no file {words[1]}")
        elif words[0] not in NOT_RUN | {"cat", "head"}:
            raise PageError(f"{part}: this harness does not know {words[0]}")


def known_esascore(words: list[str], part: str) -> None:
    """Raise where a subcommand or an option does not exist."""
    command: click.Command = esascore
    context = click.Context(esascore)
    while words and isinstance(command, click.Group) and re.fullmatch(r"[a-z]+", words[0]):
        inner = command.get_command(context, words[0])
        if inner is None:
            raise PageError(f"{part}: there is no command {words[0]}")
        command, words = inner, words[1:]
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"--help", "-h", "--debug", "--help-all", "--quiet", "-q", "--version"}
    for word in words:
        option = word.partition("=")[0].rstrip(",.")
        if re.match(r"--?[a-z]", option) and option not in known:
            raise PageError(f"{part}: {command.name} has no option {option}")


def rewrite(names: list[str]) -> None:
    """Write what is printed now into pages."""
    import tempfile

    with tempfile.TemporaryDirectory() as first:

        def demo() -> Path:
            with contextlib.chdir(first):
                run("esascore demo -q")
            return Path(first, "esascore-demo")

        for name in names:
            with tempfile.TemporaryDirectory() as folder:
                old, new = (ROOT / name).read_text("utf-8"), written(name, Path(folder), demo)
            if new != old:
                (ROOT / name).write_text(new, "utf-8")
                sys.stdout.write(f"{name}: rewritten\n")


if __name__ == "__main__":
    rewrite(sys.argv[1:] or list(PAGES))
