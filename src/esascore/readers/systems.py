"""The systems to be scored: their names and texts, and whether these fit the corpus."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from esascore.errors import DataError, SeveralDataError, UsageError
from esascore.model import Example
from esascore.readers.lines import STANDARD_INPUT
from esascore.readers.outputs import misfits, read_output
from esascore.readers.reread import Reread


@dataclass(frozen=True, slots=True)
class System:
    """A system's name and its texts, in corpus order.

    ``file`` is where they were read, and ``lines`` says where in it each of them begins.
    """

    name: str
    texts: Collection[str]
    file: str | None = None
    lines: Sequence[int] = field(default=(), repr=False, compare=False)


class OwnTexts(Reread[str]):
    """The texts in a corpus itself, one for each example."""

    def __init__(self, examples: Collection[Example]):
        super().__init__(lambda: (example.text or "" for example in examples), len(examples))


def each_reference(examples: Collection[Example]) -> Reread[Example]:
    """Return an example for each reference of a corpus: its text, and an id that ends with its own.

    Examples
    --------
    >>> from esascore.model import Graph, Reference
    >>> [one] = each_reference([Example("Id1", Graph(), (Reference("Id2", "A text."),))])
    >>> one.id, one.text
    ('Id1/Id2', 'A text.')
    """
    return Reread(
        lambda: (
            Example(f"{one.id}/{reference.id}", one.input, one.references, text=reference.text)
            for one in examples
            for reference in one.references
        )
    )


def read_systems(specs: Iterable[str], examples: Collection[Example]) -> list[System]:
    """Read output files, given as ``PATH`` or ``NAME=PATH``, for a corpus.

    What an output file may look like is in `outputs`. A name defaults to the file name without its last
    suffix, that of standard input (``-``) to ``stdin``. What is before the first ``=`` is a name unless it
    holds a path separator, or only the whole is a file; ``./a=b.txt`` is always a path.

    Raises
    ------
    DataError
        A file is missing or does not fit the corpus; two systems share a name. If several outputs cannot
        be used, the error lists them all.
    UsageError
        A name or a path is empty.
    """
    systems: list[System] = []
    files: dict[str, Path] = {}
    errors: list[DataError] = []
    for spec in specs:
        name, path = split_spec(spec)
        try:
            if name in files:
                raise DataError(
                    f"two systems are called {name!r}, this and {files[name]}: "
                    f"rename one on the command line, as in NEW_NAME={path}",
                    file=path,
                )
            files[name] = path
            output = read_output(path, examples)
        except DataError as error:
            errors.append(error)
        else:
            systems.append(System(name, output.texts, str(path), output.lines))
    return _unless(errors, systems)


def make_systems(given: Mapping[str, Any], examples: Sequence[Example]) -> list[System]:
    """Make systems from Python objects: name -> path of an output, texts in corpus order, or id -> text.

    Raises
    ------
    DataError
        As for `read_systems`; a text that is not a string; a wrong number of texts.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> corpus = [Example("a", Graph()), Example("b", Graph())]
    >>> [system.texts for system in make_systems({"x": ["A.", None], "y": {"b": "B.", "a": "A."}}, corpus)]
    [('A.', ''), ('A.', 'B.')]
    """
    systems: list[System] = []
    errors: list[DataError] = []
    for name, output in given.items():
        try:
            systems.append(_made(str(name), output, examples))
        except DataError as error:
            errors.append(error)
    return _unless(errors, systems)


def _made(name: str, output: Any, examples: Sequence[Example]) -> System:
    if isinstance(output, str | os.PathLike):
        if not Path(output).exists():
            told = f"system {name!r}: there is no such file: check the path, or give texts as a list"
            raise DataError(told, file=output)
        read = read_output(Path(output), examples)
        return System(name, read.texts, str(output), read.lines)
    if isinstance(output, Mapping):
        rows = [(number, str(id_).strip(), text) for number, (id_, text) in enumerate(output.items(), 1)]
        if problems := misfits(rows, [example.id.strip() for example in examples]):
            raise DataError(f"system {name!r}: {problems}")
        found = {id_: text for _, id_, text in rows}
        output = [found[example.id.strip()] for example in examples]
    if not isinstance(output, Iterable):
        raise DataError(f"system {name!r}: texts or a path are needed, not {type(output).__name__}")
    texts = tuple("" if text is None else text for text in output)
    for example, text in zip(examples, texts, strict=False):
        if not isinstance(text, str):
            kind = type(text).__name__
            raise DataError(f"system {name!r}: the text of {example.id!r} is a {kind}, not a str")
    if len(texts) != len(examples):
        raise DataError(
            f"system {name!r} has {len(texts):,} texts, the corpus {len(examples):,} examples: "
            "one text for each example is needed"
        )
    return System(name, tuple(text.strip() for text in texts))


def _unless(errors: Sequence[DataError], systems: list[System]) -> list[System]:
    """Return the systems, or raise all errors at once."""
    if errors:
        raise errors[0] if len(errors) == 1 else SeveralDataError(errors)
    return systems


def split_spec(spec: str) -> tuple[str, Path]:
    """Split ``PATH`` or ``NAME=PATH`` into a name and a path.

    Examples
    --------
    >>> split_spec("runs/bt5.en")[0], split_spec("mine=runs/bt5.en")[0], split_spec("runs/lr=0.1/out.txt")[0]
    ('bt5', 'mine', 'out')
    """
    name, equals, rest = spec.partition("=")
    is_path = not equals or not {"/", os.sep, os.altsep or os.sep}.isdisjoint(name)
    is_path = is_path or (not _is_file(rest) and _is_file(spec))
    path = Path(spec if is_path else rest)
    if is_path:
        name = "stdin" if path == STANDARD_INPUT else path.stem
    if not spec or (equals and not is_path and not (name and rest)):
        raise UsageError(f"{spec!r} names no output file: give PATH or NAME=PATH")
    return name, path


def own_outputs(
    examples: Collection[Example], name: str, file: str | None = None, lines: Sequence[int] = ()
) -> System | None:
    """Return the texts in the corpus file itself as a system, or None if there are none.

    ``file`` is the corpus, and ``lines`` says where in it each example begins, if they are known.

    Raises
    ------
    DataError
        Some examples have a text and others do not.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> list(own_outputs([Example("Id1", Graph(), text="A text.")], "mine").texts)
    ['A text.']
    """
    texts, first = 0, None
    for example in examples:
        if example.text is not None:
            texts += 1
        elif first is None:
            first = example.id
    if not texts:
        return None
    if texts != len(examples):
        raise DataError(
            f"{texts} of {len(examples)} examples have a text, {first!r} has none: "
            "give every example a text (an empty one if a system gave none) or none"
        )
    return System(name, OwnTexts(examples), file, lines)


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # a name too long for the system, or with a NUL
        return False
