"""``esascore selftest``: does this installation give the expected numbers?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from esascore.cli.documented import Documented
from esascore.cli.terminal import quiet_option, say
from esascore.reports.visible import visible


@click.command(cls=Documented)
@quiet_option
@click.pass_context
def selftest(ctx: click.Context) -> None:
    """Check the installation against known numbers.

    Prints one line per check; the exit code is 1 if one fails.

    Examples
    --------
    esascore selftest
    """
    failed = 0
    for name, check in _checks():
        try:
            problem = check()
        except Exception as error:  # whatever is broken is what this command reports
            problem = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
        failed += problem is not None
        line = f"ok      {name}" if problem is None else f"FAILED  {name}: {problem}"
        say(visible(line))
    if failed:
        ctx.exit(1)


def _checks() -> Iterator[tuple[str, Callable[[], str | None]]]:
    """The name of each check, and a function that returns the problem or None."""
    from esascore.cli.golden import recorded

    yield "a text worked out by hand", _hand_worked
    yield "lexicons are found and in order", _lexicons
    for profile in recorded():
        yield f"example corpus, profile {profile}", lambda profile=profile: _golden(profile)  # type: ignore[misc]
    yield from _backends()


def _hand_worked() -> str | None:
    from esascore import ESA, Graph

    graph = Graph.from_triples([("Bionico", "country", "Mexico"), ("Bionico", "course", "Dessert")])
    found = ESA("paper").score(graph, "Bionico is a dish from Mexico.")
    expected = ("Dessert",)
    return None if found.undetected == expected else f"undetected {found.undetected}, expected {expected}"


def _lexicons() -> str | None:
    from esascore.lexicon.check import check_folder
    from esascore.wordlists import folder

    problems = check_folder(folder())
    return str(problems[0]) if problems else None


def _golden(profile: str) -> str | None:
    from esascore.cli.golden import measured_with, recorded

    expected, found = recorded()[profile], measured_with(profile)
    for system, figures in expected.items():
        for name, value in figures.items():
            actual = found.get(system, {}).get(name)
            if actual != value:
                return f"{system}: {name} is {actual}, expected {value}"
    return None


def _backends() -> Iterator[tuple[str, Callable[[], str | None]]]:
    from esascore.align.backends import describe

    for backend in describe():
        if backend.available and backend.name != "python":
            name = backend.name
            yield f"backend {name} agrees with the plain one", lambda name=name: _agrees(name)  # type: ignore[misc]


def _agrees(backend: str) -> str | None:
    from esascore.align import match
    from esascore.examples import example_corpus_path, example_output_paths
    from esascore.readers.corpus import read_corpus
    from esascore.readers.systems import read_systems

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
