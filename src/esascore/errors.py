"""Errors that esascore raises on purpose, written for the person who runs it.

::

    EsascoreError              the machine failed                               exit code 6
    ├── UsageError             a wrong option, name or argument                 exit code 2
    ├── DataError              a file or value that cannot be scored            exit code 3
    │   └── SeveralDataError   several of them, found at once
    ├── LinkerError            an entity linker that does not answer as agreed  exit code 4
    ├── MissingExtraError      an optional package that is not installed        exit code 5
    └── MissingModelError      a model of such a package that is not there      exit code 5

Only the command line turns them into exit codes; the library never exits or prints.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from importlib import import_module
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

_KNOWN = 12
P = ParamSpec("P")
R = TypeVar("R")


class EsascoreError(Exception):
    """Base class of every error that esascore raises on purpose."""

    exit_code = 6

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders; the default would call __init__ without its keyword arguments.
        return _restored, (type(self), self.args, self.__dict__)


class UsageError(EsascoreError):
    """An option, name or argument that makes no sense."""

    exit_code = 2


class DataError(EsascoreError):
    """A file or value that cannot be scored.

    Parameters
    ----------
    problem
        What is wrong and what to do, in one line.
    file, line
        Where, if known; lines count from 1.

    Examples
    --------
    >>> print(DataError("a triple needs three parts, found 2", file="a.xml", line=7))
    a.xml:7: a triple needs three parts, found 2
    """

    exit_code = 3

    def __init__(self, problem: str, *, file: str | PathLike[str] | None = None, line: int | None = None):
        self.problem = problem
        self.file = None if file is None else str(file)
        self.line = line
        name = "standard input" if self.file == "-" else file
        place = "" if file is None else f"{name}: " if line is None else f"{name}:{line}: "
        super().__init__(place + problem)


class SeveralDataError(DataError):
    """Several errors that were found at once, one per line.

    Examples
    --------
    >>> errors = [DataError("it is empty", file="a.txt"), DataError("it is missing", file="b.txt")]
    >>> print(SeveralDataError(errors))
    a.txt: it is empty
    b.txt: it is missing
    """

    def __init__(self, errors: Sequence[DataError]):
        super().__init__("\n".join(map(str, errors)))
        self.errors = tuple(errors)


class LinkerError(EsascoreError):
    """An entity linker that is down or does not answer as its protocol says."""

    exit_code = 4


class MissingExtraError(EsascoreError):
    """An optional package that is not installed.

    Examples
    --------
    >>> print(MissingExtraError("Reading RDF files", package="rdflib", extra="rdf"))
    Reading RDF files needs the package rdflib, which is not installed: pip install 'esascore[rdf]'
    """

    exit_code = 5

    def __init__(self, purpose: str, *, package: str, extra: str):
        super().__init__(
            f"{purpose} needs the package {package}, which is not installed: pip install 'esascore[{extra}]'"
        )


def import_extra(purpose: str, module: str, *, extra: str, package: str | None = None) -> Any:
    """Import a module of an optional package, which has its name unless ``package`` says otherwise.

    Raises
    ------
    MissingExtraError
        The package is not installed.
    """
    root = module.partition(".")[0]
    try:
        import_module(root)
        return import_module(module)
    except ImportError:
        raise MissingExtraError(purpose, package=package or root, extra=extra) from None


class MissingModelError(EsascoreError):
    """A trained model that is missing from this machine, or incomplete."""

    exit_code = 5


OLD_ARGUMENTS = {"lexicons": "lexicon", "target": "output"}
"""Earlier name of an argument -> the present one."""


def known_arguments(*more: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function raise a `UsageError` for unknown arguments, and accept old names.

    ``more`` are the names that its ``**settings`` may have.

    Examples
    --------
    >>> @known_arguments()
    ... def greet(*, name: str = "you") -> str:
    ...     return f"Hello {name}"
    >>> greet(nmae="me")
    Traceback (most recent call last):
        ...
    esascore.errors.UsageError: greet() has no argument 'nmae': did you mean 'name'?
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        own = signature(function).parameters.values()
        known = [*(one.name for one in own if one.kind is not one.VAR_KEYWORD and one.name != "self"), *more]
        called = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def call(*args: P.args, **given: P.kwargs) -> R:
            for name in [name for name in given if name not in known]:
                new = OLD_ARGUMENTS.get(name)
                if new is None or new not in known or new in given:
                    raise UsageError(f"{called}() has no argument {name!r}{did_you_mean(name, known)}")
                warnings.warn(f"the argument {name} is now {new}", FutureWarning, stacklevel=2)
                given[new] = given.pop(name)
            return function(*args, **given)

        return call

    return decorate


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the nearest known name, or all of them.

    Examples
    --------
    >>> did_you_mean("faithfullness", ["esa", "faithfulness"])
    ": did you mean 'faithfulness'?"
    >>> did_you_mean("x", ["esa", "faithfulness"])
    '; known: esa, faithfulness'
    >>> did_you_mean("x", ["a", "b", "c", "d"] * 10)
    '; known: a, b, c, d, a, b, c, d, a, b, c, d and 28 more'
    """
    from difflib import get_close_matches

    listed = list(known)
    folded = {one.casefold(): one for one in reversed(listed)}
    near = get_close_matches(name.casefold(), folded, n=1)
    if near:
        return f": did you mean {folded[near[0]]!r}?"
    more = f" and {len(listed) - _KNOWN} more" if len(listed) > _KNOWN else ""
    return f"; known: {', '.join(listed[:_KNOWN])}{more}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    Examples
    --------
    >>> counted(1, "text"), counted(2000, "text"), counted(0, "alias", "aliases")
    ('1 text', '2,000 texts', '0 aliases')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def misspelt(wanted: Iterable[str], given: Iterable[str], least: float = 0.6) -> str:
    """Suggest a name for the first one that was not found; return nothing if none is similar.

    ``least`` is the least similarity, up to 1.

    Examples
    --------
    >>> misspelt(["triples", "records"], ["id", "tripels"])
    " (is 'tripels' meant to be 'triples'?)"
    >>> misspelt(["text"], ["id", "output"])
    ''
    """
    from difflib import get_close_matches

    names = list(given)
    for name in wanted:
        if near := get_close_matches(name, names, n=1, cutoff=least):
            return f" (is {near[0]!r} meant to be {name!r}?)"
    return ""


def _restored(kind: type[EsascoreError], args: tuple[object, ...], state: dict[str, object]) -> EsascoreError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


def place_of(error: BaseException) -> str:
    """Return the file and the line that raised an error; its message may hold anything.

    Examples
    --------
    >>> place_of(ValueError("never raised"))
    ''
    """
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return "" if place is None else f" at {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"


def unreadable(error: Exception, path: str | PathLike[str], line: int = 1) -> DataError:
    r"""Return the error for a file that the system refuses, or that is not UTF-8 from a line on.

    Examples
    --------
    >>> unreadable(FileNotFoundError(), "a.txt").problem
    'there is no such file: check the path'
    >>> try:
    ...     _ = b"a\n\xff".decode("utf-8")
    ... except UnicodeDecodeError as error:
    ...     print(unreadable(error, "a.txt"))
    a.txt:2: not UTF-8 (byte 0xff): save the file as UTF-8
    """
    if isinstance(error, UnicodeDecodeError):
        raw, start = error.object, error.start
        told = f"not UTF-8 (byte 0x{raw[start]:02x}): save the file as UTF-8"
        return DataError(told, file=path, line=line + raw.count(b"\n", 0, start))
    if isinstance(error, FileNotFoundError):
        return DataError("there is no such file: check the path", file=path)
    if isinstance(error, IsADirectoryError):
        return DataError("this is a directory, but a file is needed", file=path)
    reason = getattr(error, "strerror", None) or error  # a path with a NUL is a ValueError
    return DataError(f"the file cannot be read: {reason}", file=path)


class BackendWarning(UserWarning):
    """A backend failed and another one did its work: slower, with the same result."""


class CacheWarning(UserWarning):
    """The answers on disk cannot be used: slower, with the same result."""
