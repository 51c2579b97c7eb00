"""Which implementation of the alignment does the work. All give identical results."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from operator import mul
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from esascore.align._problem import Problem
from esascore.align.compiled import MATCHING, Library
from esascore.align.matches import Matches
from esascore.errors import EsascoreError, UsageError, did_you_mean

ENVIRONMENT = "ESASCORE_BACKEND"
"""Environment variable that replaces ``auto``."""


LOADING = 60_000.0
"""Microseconds to load compiled code: for less work than plain code does in that time it does not pay."""

CALLING = 100.0
"""Microseconds to call it once it is loaded."""

COMPILING = 3_000_000.0
"""Microseconds to compile it, where the package has no code for this machine."""

COMPARISON = 0.09
"""Microseconds that rapidfuzz takes in all per comparison that `work` counts."""

TEXT = 60.0
"""Microseconds of rapidfuzz for a text of one or two sentences with the names of its input."""

CHARACTER = 1.0
"""Microseconds that plain Python takes in all per character of the texts and tables that PARENT compares."""

LARGE_WORK = 2_000_000_000
"""Comparisons from which `auto` asks for a CUDA device."""

_TOKEN = 7
"""Characters of a token and its separator."""

_LEAST = 150
"""Comparisons that take as long as a text that needs none."""


_SAMPLE = 100
"""Texts from whose lengths the work of all is estimated."""


class Implementation(Protocol):
    """What a module of the table provides."""

    def available(self) -> tuple[bool, str]:
        """Return whether it can run on this machine, and what it found or why it cannot.

        Raises
        ------
        MissingExtraError
            An optional package is not installed.
        """

    def solve(self, problem: Problem, *, select: bool, threads: int) -> Matches:
        """Return all hits best first, or with ``select`` only those of the greedy assignment."""


MODULES: Mapping[str, str] = {
    "cuda": "esascore.align._cuda",
    "numba": "esascore.align._numba",
    "rapidfuzz": "esascore.align._rapidfuzz",
    "python": "esascore.align._py",
}
"""Name of a backend -> module with its `Implementation`, imported when first used."""

CHOICES = ("auto", *MODULES)
"""What ``--backend`` takes."""


@dataclass(frozen=True, slots=True)
class Backend:
    """A backend as found on this machine."""

    name: str
    available: bool
    detail: str


def describe() -> list[Backend]:
    """Return every backend, the fastest first, with what it found on this machine.

    Examples
    --------
    >>> [row.name for row in describe() if row.name != "cuda"]
    ['numba', 'rapidfuzz', 'python']
    """
    return [Backend(name, *_availability(name)) for name in MODULES]


def solve(problem: Problem, *, select: bool, backend: str, threads: int) -> Matches:
    """Let the chosen backend solve the problem."""
    return _load(choose(backend, problem)).solve(problem, select=select, threads=threads)


def choose(backend: str, problem: Problem) -> str:
    """Return name of the backend to use for this problem."""
    name = check(backend)
    if name == "auto":
        step = 1 + len(problem.texts) // _SAMPLE
        return _automatic(int(work(problem, step).sum()) * step)
    return name


def check(backend: str) -> str:
    """Return the name of a backend that can run here, or ``auto``.

    Raises
    ------
    UsageError
        There is no such backend, or it cannot run on this machine.
    MissingExtraError
        It needs a package that is not installed.
    """
    name = wanted(backend)
    if name == "auto":
        return name
    if name not in MODULES:
        source = "" if name == backend else f" in {ENVIRONMENT}"
        raise UsageError(f"unknown backend {name!r}{source}{did_you_mean(name, CHOICES)}")
    try:
        available, detail = _load(name).available()
    except ImportError as error:
        available, detail = False, str(error)
    if not available:
        raise UsageError(f"backend {name} cannot run here: {detail}")
    return name


def prepare(texts: int) -> None:
    """Load compiled code now if that pays for so many texts, which will come in small batches."""
    if wanted("auto") == "auto":
        pays(MATCHING, texts * TEXT)


def pays(library: Library, plain: float) -> bool:
    """Load compiled code for work that takes plain code so many microseconds, and return whether to use it.

    Where no stored code fits it is compiled, but only for work that takes longer than that. Where it cannot
    be compiled, plain code does the work.
    """
    if library.is_loaded():
        return plain > CALLING
    with suppress(EsascoreError, ImportError):
        return plain > LOADING and (plain > COMPILING or any(library.stored())) and bool(library.code)
    return False


def work(problem: Problem, step: int = 1) -> NDArray[np.int64]:
    """Estimate how many (candidate, n-gram) comparisons every ``step``-th text needs, from lengths alone."""
    numbers, texts = problem.group[::step], problem.texts[::step]
    groups = {number: problem.groups[number] for number in numbers}
    orders = {n: len(group) * (2 + max(map(len, group), default=0) // _TOKEN) for n, group in groups.items()}
    needed = map(mul, map(len, texts), map(orders.__getitem__, numbers))
    return np.fromiter(needed, np.int64, len(texts)) // _TOKEN + _LEAST


def wanted(backend: str) -> str:
    """Return name of a backend, or ``auto`` where neither the caller nor the environment names one."""
    return backend if backend != "auto" else os.environ.get(ENVIRONMENT) or "auto"


def _automatic(comparisons: int) -> str:
    if comparisons >= LARGE_WORK and _availability("cuda")[0]:
        return "cuda"
    if pays(MATCHING, comparisons * COMPARISON):
        return "numba"
    return next(name for name in ("rapidfuzz", "numba", "python") if _availability(name)[0])


def _availability(name: str) -> tuple[bool, str]:
    try:
        return _load(name).available()
    except (ImportError, EsascoreError) as error:
        return False, str(error)


def _load(name: str) -> Implementation:
    return cast(Implementation, importlib.import_module(MODULES[name]))
