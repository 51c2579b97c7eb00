"""Measure contenders in turns, and print what the machine is."""

from __future__ import annotations

import argparse
import gc
import importlib.metadata
import importlib.util
import json
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any


def parser_of(description: str | None, quick: str) -> argparse.ArgumentParser:
    """Return a parser with the options that all benchmarks have."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    return parser


def write_figures(target: Path | None, **figures: Any) -> None:
    """Write the figures to the file of ``--json``, if there is one."""
    if target:
        target.write_text(json.dumps(figures, indent=1) + "\n")


def machine() -> str:
    """Name the processor, number of cores, system and Python, but nothing that identifies the host."""
    import os

    processor = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8", errors="replace").split("\n"):
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def versions(*packages: str) -> str:
    found = []
    for package in packages:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"{package} not installed")
    return ", ".join(found)


def header(title: str, *packages: str) -> None:
    print(title)
    print(machine())
    print(versions("esascore", "numpy", "numba", "rapidfuzz", *packages))


def loaded(path: Path) -> ModuleType:
    """Load a module from its file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return seconds and result of one call, with the garbage collector switched off."""
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        result = function()
        return time.perf_counter() - start, result
    finally:
        gc.enable()


def spent(function: Callable[[], Any]) -> float:
    """Return the processor time of this process for one call."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        function()
        return time.process_time() - start
    finally:
        gc.enable()


def in_turns(
    fast: Mapping[str, Callable[[], Any]],
    slow: Mapping[str, Sequence[Callable[[], Any]]],
    rounds: int,
) -> dict[str, list[float]]:
    """Return the seconds of complete runs, one for each round, of contenders that take turns.

    A slow contender is split into parts, and between two parts every fast one runs completely, so that
    whatever else the machine does slows all of them alike. In each round, the time of a fast contender is
    the median of its runs, that of a slow one the sum of its parts.
    """
    seconds: dict[str, list[float]] = {name: [] for name in (*fast, *slow)}
    for _ in range(rounds):
        runs: dict[str, list[float]] = {name: [] for name in (*fast, *slow)}
        for index in range(max((len(parts) for parts in slow.values()), default=3)):
            for name, parts in slow.items():
                if index < len(parts):
                    runs[name].append(timed(parts[index])[0])
            for name, function in fast.items():
                runs[name].append(timed(function)[0])
        for name in fast:
            seconds[name].append(statistics.median(runs[name]))
        for name in slow:
            seconds[name].append(sum(runs[name]))
    return seconds


def free_cores() -> float:
    """Measure how many cores two threads get at the moment, with work that scales perfectly (hashing)."""
    import hashlib
    from concurrent.futures import ThreadPoolExecutor

    data = bytes(1 << 26)
    with ThreadPoolExecutor(2) as pool:
        runs = []
        for _ in range(9):
            one = timed(lambda: list(pool.map(lambda _: hashlib.sha256(data).digest(), range(1))))[0]
            two = timed(lambda: list(pool.map(lambda _: hashlib.sha256(data).digest(), range(2))))[0]
            runs.append(2 * one / two)
    return statistics.median(runs)


def pieces(sequence: Sequence[Any], number: int) -> list[Sequence[Any]]:
    """Split a sequence into this many parts of nearly equal size."""
    edges = [len(sequence) * k // number for k in range(number + 1)]
    return [sequence[edges[k] : edges[k + 1]] for k in range(number)]


def ratios(seconds: Mapping[str, Sequence[float]], ours: str, other: str) -> tuple[float, float, float]:
    """Return the least, median and greatest ratio other / ours over the rounds."""
    each = sorted(b / a for a, b in zip(seconds[ours], seconds[other], strict=True))
    return each[0], statistics.median(each), each[-1]
