"""Run the speed benchmarks, and write their tables and a plot; docs/performance.md quotes them.

python benchmarks/performance.py [--quick] [--against REF] [--output DIR]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from _corpus import load
from _harness import machine, versions

HERE = Path(__file__).parent
NAMES = ("align_distances", "align_algorithm1", "align_scaling", "as_installed", "throughput")

PAGE = """# Performance

Made by `python benchmarks/performance.py`. All figures of a table are from one run, on this machine:
{machine}; {versions}.
Contenders took turns within a run, so ratios are more reliable than times: whatever else the machine does
slows all of them alike. All alignments were checked to be equal.

Corpus: {corpus}.

## Whole commands

`python benchmarks/throughput.py --against {against}`: {scored:,} texts in one process, with everything from
the start of Python to the last line of output, in processor time, which depends less on other programs than
elapsed time does. The earlier commit took turns with this one. Both were compiled to bytecode before, as by
`pip install`.

| | texts per second | s | s before | times as long |
| --- | ---: | ---: | ---: | ---: |
{commands}

Two processes gain {shared:.2f} of what perfectly parallel work gains in the same run.

## As installed

`python benchmarks/as_installed.py`: first calls in new processes, including all that they load after the
imports; the kernels are those that were built with the package. NumPy starts no threads
(`OPENBLAS_NUM_THREADS=1`, as in the command line) because they spin at first. They are compared with one
`cdist` for each text and the selection in Python (`benchmarks/_peers.py`), {texts:,} texts or the 1,779
of one system, and with PARENT in plain Python (`tests/parent_oracle.py`), 1,779 texts.

| | plain Python, s | esascore, s | times as long (least to greatest) |
| --- | ---: | ---: | ---: |
{installed}

## Distances only

All pairs of candidate and n-gram within a normalised distance of 0.4, {pairs:,} comparisons, one thread.
The peers get their n-grams as strings built beforehand; the kernel gets the texts as code points and
tokenises them itself; `hits()` starts from Python strings.

| | ns per pair | times as long as the kernel |
| --- | ---: | ---: |
{distances}

## Algorithm 1 end to end

From a list of (candidates, text) to columns, with everything counted, {texts:,} texts. The peers are in
`benchmarks/_peers.py`: one `cdist` for each text, one sort, bit masks; and one `Levenshtein.distance`
for each pair that the lengths allow. The outputs of all systems are aligned in one call, so the candidates of
each input are prepared only once. For one system alone the ratio is smaller.

| | µs per text | times as long as one thread |
| --- | ---: | ---: |
{algorithm1}

During this measurement, two threads with work that scales perfectly got {cores:.2f} cores of the machine; a
second thread cannot gain more than that.

## Scaling

Invented texts, none repeated. Time grows linearly with the number of texts and of start tokens; memory
beyond the input and the result is one batch for each thread and a few integers for each text.

![Time against texts, tokens and candidates](performance.svg)

| texts | µs per text | with two threads |
| ---: | ---: | ---: |
{by_texts}

| tokens per text | ns per start token |
| ---: | ---: |
{by_tokens}

| candidates | ns per start token and candidate |
| ---: | ---: |
{by_candidates}

## Compiled code

Compiling the kernels takes {compiled:.1f} s of processor time, loading them {load:.0f} ms
({imported:.0f} ms of them to import llvmlite); importing Numba would take {numba:.0f} ms.
"""


def run(name: str, folder: Path, quick: bool, against: str) -> Any:
    target = folder / f"{name}.json"
    if target.exists():
        return json.loads(target.read_text())
    command = [sys.executable, str(HERE / f"{name}.py"), "--json", str(target)]
    command += ["--against", against] if name == "throughput" else []
    subprocess.run(command + (["--quick"] if quick else []), check=True)
    return json.loads(target.read_text())


def compile_seconds(folder: Path) -> dict[str, float]:
    """Return the processor time to compile everything, and the milliseconds of loading, in new processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = "import sys, pathlib; from esascore.align.compiled import build; build(pathlib.Path(sys.argv[1]))"
    environment = {**os.environ, "NUMBA_OPT": "0"}  # as in hatch_build.py
    subprocess.run([sys.executable, "-c", code, str(folder / "kernels")], env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = (
        "import time, numpy; from esascore.align.compiled import MATCHING; a = time.perf_counter();"
        "import llvmlite.binding; b = time.perf_counter(); MATCHING.code; c = time.perf_counter();"
        "import numba; print(c - a, b - a, time.perf_counter() - c + b - a)"
    )
    runs = [subprocess.check_output([sys.executable, "-c", code]) for _ in range(5)]
    load, imported, numba = (
        1000 * min(times) for times in zip(*(map(float, one.split()) for one in runs), strict=True)
    )
    compiled = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"compiled": compiled, "load": load, "imported": imported, "numba": numba}


def table(rows: list[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def plot(scaling: dict[str, list[dict[str, float]]], target: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "esascore"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(11, 3.2), layout="constrained")
    panels = (
        ("texts", "us", "texts", "µs per text"),
        ("tokens", "ns", "tokens per text", "ns per start token"),
        ("candidates", "ns", "candidates", "ns per start token and candidate"),
    )
    for axis, (kind, unit, x, y) in zip(axes, panels, strict=True):
        sizes = [row["size"] for row in scaling[kind]]
        axis.plot(sizes, [row[unit] for row in scaling[kind]], "o-", label="1 thread")
        if kind == "texts":
            axis.plot(sizes, [row["us2"] for row in scaling[kind]], "s--", label="2 threads")
            axis.legend()
        axis.set(xscale="log", xlabel=x, ylabel=y)
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
    figure.savefig(target, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes: a check that everything runs")
    parser.add_argument("--against", default="HEAD", metavar="REF", help="a commit to compare with")
    parser.add_argument("--figures", type=Path, help="folder with NAME.json files of earlier runs to use")
    parser.add_argument("--output", type=Path, default=Path("performance"), help="folder to write to")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = options.figures or Path(name)
        distances, algorithm1, scaling, installed, throughput = (
            run(benchmark, folder, options.quick, options.against) for benchmark in NAMES
        )
        compiled = compile_seconds(Path(name))
    page = PAGE.format(
        machine=machine(),
        versions=versions("esascore", "numpy", "numba", "rapidfuzz"),
        corpus=load()[0],
        pairs=distances["pairs"],
        texts=algorithm1["texts"],
        cores=algorithm1["cores"],
        distances=table(
            [(peer, f"{f['ns']:.1f}", f"{f['ratio']:.1f}") for peer, f in distances["figures"].items()]
        ),
        algorithm1=table(
            [(peer, f"{f['us']:.1f}", f"{f['ratio']:.2f}") for peer, f in algorithm1["figures"].items()]
        ),
        by_texts=table([(f"{r['size']:,}", f"{r['us']:.1f}", f"{r['us2']:.1f}") for r in scaling["texts"]]),
        by_tokens=table([(f"{r['size']:,}", f"{r['ns']:.0f}") for r in scaling["tokens"]]),
        by_candidates=table([(f"{r['size']:,}", f"{r['ns']:.1f}") for r in scaling["candidates"]]),
        installed=table(
            [
                (
                    task,
                    f"{f['plain']:.2f}",
                    f"{f['ours']:.3f}",
                    f"{f['ratio']:.1f} ({f['least']:.1f} to {f['greatest']:.1f})",
                )
                for task, f in installed["figures"].items()
            ]
        ),
        against=throughput["against"],
        scored=throughput["texts"],
        shared=throughput["shared"],
        commands=table(
            [
                (
                    f"`{name}`",
                    f"{f['rate']:,.0f}",
                    f"{f['seconds']:.2f}",
                    f"{f['before']:.2f}",
                    f"{f['ratio']:.2f}",
                )
                for name, f in throughput["figures"].items()
            ]
        ),
        **compiled,
    )
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        plot(scaling, options.output / "performance.svg")
    except ImportError:
        print("no plot, because matplotlib is missing: pip install 'esascore[plots]'")
    target = options.output / "performance.md"
    target.write_text(page, encoding="utf-8")
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
