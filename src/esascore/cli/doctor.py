"""``esascore doctor``: does this installation work, with which backends, and what does it keep on disk?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import resources
from time import perf_counter
from typing import Any, Literal

import click

from esascore.cli.commands import DocumentedGroup, command
from esascore.cli.terminal import print_pieces, say, warn
from esascore.errors import UsageError, counted
from esascore.readers.corpus import read_corpus
from esascore.readers.systems import read_systems
from esascore.reports.escaping import visible
from esascore.reports.jsontext import to_json

Golden = dict[str, dict[str, dict[str, Any]]]
"""Profile -> system -> figures."""


@click.group(cls=DocumentedGroup, invoke_without_command=True)
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Check the installation: known numbers, backends, answers on disk.

    Without a command all three are shown; the exit code is 1 if a number is wrong.

    Examples
    --------
    esascore doctor backends
    esascore doctor cache
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(backends, compile_=False)
        ctx.invoke(cache, clear=False, kind=None, format_="table")
        ctx.invoke(selftest)


@command(doctor)
def selftest() -> None:
    """Check the installation against known numbers.

    Prints one line per check; the exit code is 1 if one fails.

    Examples
    --------
    esascore doctor selftest
    """
    failed = False
    for name, check in _checks():
        try:
            problem = check()
        except Exception as error:  # this command reports whatever is broken
            problem = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
        failed = failed or problem is not None
        say(visible(f"ok      {name}" if problem is None else f"FAILED  {name}: {problem}"))
    if failed:
        raise click.exceptions.Exit(1)


@command(doctor)
def backends(compile_: bool = False) -> None:
    """List the implementations of the alignment.

    All give identical results. By default the amount of work decides; --backend or the environment variable
    ESASCORE_BACKEND chooses one. The Numba kernels come compiled with the package. If they do not fit this
    machine, --compile makes them and keeps them in the user's cache folder; so does the first long task.

    Options
    -------
    --compile
        Compile kernels that are missing, and say where they are.

    Examples
    --------
    esascore doctor backends
    esascore doctor backends --compile
    """
    from esascore.align.backends import describe

    if compile_:
        say(*_compiled())
        return
    rows = [(row.name, "yes" if row.available else "no", visible(row.detail)) for row in describe()]
    rows.insert(0, ("backend", "runs", ""))
    say(*(f"{name:<10}  {runs:<4}  {detail}".rstrip() for name, runs, detail in rows))


@command(doctor)
def cache(clear: bool = False, kind: str | None = None, format_: Literal["table", "json"] = "table") -> None:
    """Show or remove the answers of linkers and coreference models that are kept on disk.

    They are in the file named by the environment variable ESASCORE_CACHE, otherwise in your cache folder.
    Removing them, or a damaged file, changes no result, only the time needed.

    Options
    -------
    --clear
        Remove the answers, or a damaged cache file.
    --kind NAME
        Remove only the answers of one linker or model, by the name that is shown.
    --format
        Format of the result.

    Examples
    --------
    esascore doctor cache
    esascore doctor cache --clear --kind rel
    """
    from rich.filesize import decimal

    from esascore.cache import AnswerCache

    if clear:
        say(f"{counted(AnswerCache().clear(kind), 'answer')} removed")
        return
    if kind is not None:
        raise UsageError("--kind needs --clear")
    found = AnswerCache().info()
    if format_ == "json":
        record = {name: getattr(found, name) for name in ("bytes", "problem")}
        record |= {"path": str(found.path), "entries": dict(found.entries)}
        print_pieces([to_json(record, indent=2) + "\n"])
    else:
        rows = [("path", visible(str(found.path))), ("size", decimal(found.bytes))]
        rows += [(visible(kind), f"{number:,}") for kind, number in found.entries.items()]
        width = max(len(name) for name, _ in rows)
        say(*(f"{name:<{width}}  {value}" for name, value in rows))
    if found.problem is not None:
        warn(f"the cache cannot be used: {found.problem} (esascore doctor cache --clear removes the file)")


def _compiled() -> Iterator[str]:
    """Compile missing kernels, and report on each library."""
    from esascore.align.compiled import LIBRARIES

    for library in LIBRARIES:
        ready, began = any(library.stored()), perf_counter()
        library.code  # noqa: B018 - compiles it
        taken = "compiled before" if ready else f"compiled in {perf_counter() - began:.0f} s"
        path, _ = next(library.stored(), ("it cannot be kept, the user's cache folder is read-only", None))
        yield f"{library.name:<10}  {taken}: {visible(str(path))}"


def _checks() -> Iterator[tuple[str, Callable[[], str | None]]]:
    """Yield the name of each check, and a function that returns the problem or None."""
    from esascore.align.backends import describe

    yield "a text worked out by hand", _hand_worked
    yield "lexicons are found and in order", _lexicons
    for profile, expected in recorded().items():
        yield f"example corpus, profile {profile}", partial(_golden, profile, expected)
    for backend in describe():
        if backend.available and backend.name != "python":
            yield f"backend {backend.name} agrees with the plain one", partial(_agrees, backend.name)


def _hand_worked() -> str | None:
    from esascore import ESA, Graph

    graph = Graph.from_triples([("Bionico", "country", "Mexico"), ("Bionico", "course", "Dessert")])
    found = ESA("paper").score(graph, "Bionico is a dish from Mexico.").undetected
    return None if found == ("Dessert",) else f"undetected {found}, expected {('Dessert',)}"


def _lexicons() -> str | None:
    from esascore.lexicon.check import check_folder
    from esascore.wordlists import folder

    problems = check_folder(folder())
    return str(problems[0]) if problems else None


def _golden(profile: str, expected: Mapping[str, Mapping[str, Any]]) -> str | None:
    found = measured_with(profile)
    for system, figures in expected.items():
        for name, value in figures.items():
            actual = found.get(system, {}).get(name)
            if actual != value:
                return f"{system}: {name} is {actual}, expected {value}"
    return None


def _agrees(backend: str) -> str | None:
    from esascore.align import match
    from esascore.examples import example_corpus_path, example_output_paths

    examples = read_corpus(example_corpus_path())
    (system,) = read_systems([str(example_output_paths()["fluent"])], examples)
    items = [
        ([entity.term.lower() for entity in example.input.entities], text.lower())
        for example, text in zip(examples, system.texts, strict=True)
    ]
    plain, other = (match(items, backend=name) for name in ("python", backend))
    for column in ("item", "candidate", "start", "end", "distance"):
        if getattr(plain, column).tolist() != getattr(other, column).tolist():
            return f"the column {column} differs"
    return None


def recorded() -> Golden:
    """Return the figures of the example corpus that an installation must reproduce, by profile and system.

    ``make golden`` writes them again after a change that is meant to change them.
    """
    text = resources.files("esascore.cli").joinpath("golden.json").read_text("utf-8")
    golden: Golden = json.loads(text)
    return golden


def measured() -> Golden:
    """Return the same figures as this installation computes them."""
    from esascore.profiles import names

    return {profile: measured_with(profile) for profile in names()}


def measured_with(profile: str) -> dict[str, dict[str, Any]]:
    """Return the figures of each example system under one profile."""
    from esascore.examples import example_corpus_path, example_output_paths
    from esascore.metrics import create_metrics
    from esascore.pipeline import build_pipeline
    from esascore.reports.summary import summarise
    from esascore.run.evaluation import evaluate

    examples = read_corpus(example_corpus_path())
    systems = read_systems([f"{name}={path}" for name, path in example_output_paths().items()], examples)
    factory = partial(build_pipeline, profile)
    evaluation = evaluate(factory, examples, systems, partial(create_metrics, ["esa"]))
    return {fields.pop("system"): fields for fields in map(dict, summarise(evaluation).systems)}


if __name__ == "__main__":
    print_pieces([json.dumps(measured(), indent=1) + "\n"])
