"""Which implementation of the alignment does the work. All give identical results."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from operator import mul
from types import MappingProxyType
from typing import Protocol, cast

from esascore.align._problem import Problem
from esascore.align.matches import Matches
from esascore.align.ready import is_compiled
from esascore.errors import EsascoreError, UsageError

ENVIRONMENT = "ESASCORE_BACKEND"
"""Environment variable that replaces ``auto``."""


class Implementation(Protocol):
    """What a module of the table provides."""

    def available(self) -> tuple[bool, str]:
        """Whether it can run on this machine, and what it found or why it cannot."""

    def solve(self, problem: Problem, *, select: bool, threads: int) -> Matches:
        """All hits best first, or with ``select`` only those of the greedy assignment."""


MODULES: Mapping[str, str] = MappingProxyType(
    {
        "cuda": "esascore.align._cuda",
        "numba": "esascore.align._numba",
        "rapidfuzz": "esascore.align._rapidfuzz",
        "python": "esascore.align._py",
    }
)
"""Name of a backend -> module with its `Implementation`, imported when first used."""


@dataclass(frozen=True, slots=True)
class Backend:
    """A backend as found on this machine."""

    name: str
    available: bool
    detail: str


def describe() -> list[Backend]:
    """Every backend, the fastest first, with what it found on this machine.

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
    """Name of the backend to use for this problem."""
    wanted = backend if backend != "auto" else os.environ.get(ENVIRONMENT) or "auto"
    if wanted == "auto":
        return _automatic(problem)
    if wanted not in MODULES:
        known = ", ".join(("auto", *MODULES))
        source = "" if wanted == backend else f" in {ENVIRONMENT}"
        raise UsageError(f"unknown backend {wanted!r}{source}; known: {known}")
    available, detail = _availability(wanted)
    if not available:
        raise UsageError(f"backend {wanted} cannot run here: {detail}")
    return wanted


SMALL_WORK = 2_500_000
"""Comparisons up to which `auto` takes rapidfuzz: measured, it needs the 0.7 s for them that importing
Numba and loading its code takes."""

SMALL_WORK_LOADED = 1_500
"""The same once Numba is loaded in this process: then only the arrays of a call cost time."""

SMALL_WORK_UNCOMPILED = 80_000_000
"""The same where Numba would have to compile first, which takes a processor about 20 s, once."""

LARGE_WORK = 2_000_000_000
"""Comparisons from which `auto` asks for a CUDA device."""

_CHARACTERS_A_TOKEN = 6


def small_work() -> int:
    """Comparisons up to which `auto` takes rapidfuzz, here and now."""
    if MODULES["numba"] in sys.modules:
        return SMALL_WORK_LOADED
    return SMALL_WORK if is_compiled() else SMALL_WORK_UNCOMPILED


def work(problem: Problem) -> int:
    """Estimate of the number of (candidate, n-gram) comparisons, from lengths alone."""
    sizes = [
        len(candidates) * (2 + max((c.count(" ") + c.count("_") for c in candidates), default=0))
        for candidates in problem.groups
    ]
    characters = sum(map(mul, map(len, problem.texts), map(sizes.__getitem__, problem.group)))
    return int(characters) // _CHARACTERS_A_TOKEN


def _automatic(problem: Problem) -> str:
    comparisons = work(problem)
    if comparisons <= small_work() and _availability("rapidfuzz")[0]:
        return "rapidfuzz"
    if comparisons >= LARGE_WORK and _availability("cuda")[0]:
        return "cuda"
    return next(name for name in ("numba", "rapidfuzz", "python") if _availability(name)[0])


def _availability(name: str) -> tuple[bool, str]:
    try:
        return _load(name).available()
    except (ImportError, EsascoreError) as error:
        return False, str(error)


def _load(name: str) -> Implementation:
    return cast(Implementation, importlib.import_module(MODULES[name]))
