"""The gazetteer: how long building its index takes, how much memory that needs, and how fast look-up is.

    python benchmarks/gazetteer.py build --labels 10000000
    python benchmarks/gazetteer.py look-up --labels 1000000

``build`` writes that many synthetic labels and redirects (two to one, N-Triples, bzip2), then runs
``esascore linker build`` on them and watches the memory of the command and its children. ``look-up`` links
synthetic texts of WebNLG's size and, if ESASCORE_DATA is set, the outputs of WebNLG's systems.
"""

from __future__ import annotations

import argparse
import bz2
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from _corpus import submissions, webnlg_corpus
from _harness import free_cores, header, timed
from esascore.link.gazetteer.linker import Gazetteer, gazetteer_linker
from esascore.model import Input
from esascore.readers.corpus import read_corpus
from esascore.readers.outputs import read_outputs
from esascore.text.vocabulary import english_words

RESOURCE = "http://dbpedia.org/resource/"
LABEL = '<{r}{title}> <http://www.w3.org/2000/01/rdf-schema#label> "{name}"@en .\n'
REDIRECT = "<{r}{source}> <http://dbpedia.org/ontology/wikiPageRedirects> <{r}{title}> .\n"
SYLLABLES = [
    "ka", "lo", "mi", "ra", "ten", "bur", "sho", "vel", "dor", "ny", "an", "al", "ber", "gus", "tav", "ol",
    "mor", "fin", "dal", "wick", "ton", "ham", "by", "ner",
]  # fmt: skip
FILLERS = [
    "is", "a", "the", "of", "in", "and", "was", "by", "from", "which", "has", "with", "located", "born",
    "are", "an", "part", "one", "it", "its",
]  # fmt: skip
FEWEST_CHARACTERS = 110
BATCH = 100


def names(number: int, seed: int = 7) -> Iterator[str]:
    """Make names of one to four words, a third of them English, so that most words begin some name."""
    chance = random.Random(seed)
    english = sorted(word.capitalize() for word in english_words().common if word.isascii())
    invented = [
        "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))).capitalize() for _ in range(200_000)
    ]
    for _ in range(number):
        size = chance.choices((1, 2, 3, 4), (15, 50, 25, 10))[0]
        yield " ".join(chance.choice(english if chance.random() < 1 / 3 else invented) for _ in range(size))


def write_dump(path: Path, number: int) -> None:
    title = ""
    with bz2.open(path, "wt", compresslevel=1, encoding="utf-8") as out:
        for position, name in enumerate(names(number)):
            if position % 3 == 2:
                out.write(REDIRECT.format(r=RESOURCE, source=name.replace(" ", "_"), title=title))
            else:
                title = name.replace(" ", "_")
                out.write(LABEL.format(r=RESOURCE, title=title, name=name))


def synthetic_texts(number: int, labels: int) -> list[str]:
    """Make texts of WebNLG's size: three or four names between small words."""
    chance = random.Random(11)
    known = list(names(min(labels, 20_000)))
    ordinary = sorted(word for word in english_words().common if word.isascii() and word.isalpha())
    texts = []
    for _ in range(number):
        words: list[str] = []
        while sum(map(len, words)) + len(words) < FEWEST_CHARACTERS:
            words += [chance.choice(known), *chance.choices(FILLERS, k=3), chance.choice(ordinary)]
        texts.append(" ".join(words) + ".")
    return texts


def webnlg() -> tuple[list[str], list[Input]]:
    """Return the texts of WebNLG 2020's systems with their inputs."""
    if not os.environ.get("ESASCORE_DATA"):
        return [], []
    inputs = [example.input for example in read_corpus(webnlg_corpus(2020))]
    systems = [read_outputs(file) for file in submissions(2020)]
    # Input by input, as the engine asks.
    texts = [text for some in zip(*systems, strict=True) for text in some]
    return texts, [input_ for input_ in inputs for _ in systems]


def children(process: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in task.read_text().split():
            found += [int(child), *children(int(child))]
    return found


def resident(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text().split("\n")
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS")), 0)


def watched(command: Sequence[str]) -> tuple[float, int]:
    """Return the seconds of a command, and its peak resident memory together with its children."""
    start = time.perf_counter()
    peak = 0
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            with suppress(OSError):  # one of them may just have ended
                peak = max(peak, sum(map(resident, [process.pid, *children(process.pid)])))
            time.sleep(0.05)
    if process.returncode:
        raise SystemExit(process.returncode)
    return time.perf_counter() - start, peak


def build(folder: Path, labels: int, jobs: int) -> Path:
    dump, index = folder / "labels.nt.bz2", folder / "benchmark.names"
    seconds, _ = timed(lambda: write_dump(dump, labels))
    print(
        f"{labels:,} labels and redirects, {dump.stat().st_size / 2**20:.0f} MiB (written in {seconds:.0f} s)"
    )
    command = [sys.executable, "-m", "esascore", "linker", "build", str(dump), "-o", str(index)]
    seconds, peak = watched([*command, "--jobs", str(jobs)])
    print(
        f"build: {seconds:.0f} s with {jobs} processes, {labels / seconds:,.0f} lines/s, "
        f"peak resident memory {peak / 2**20:,.0f} MiB, index {index.stat().st_size / 2**20:,.0f} MiB"
    )
    return index


def look_up(index: Path, labels: int, rounds: int) -> None:
    seconds, linker = timed(lambda: gazetteer_linker([index]))
    print(f"opened in {seconds:.2f} s: {sum(map(len, linker.indexes)):,} names")
    invented = synthetic_texts(5_000, labels)
    lowered = [text.lower() for text in invented]
    texts, inputs = webnlg()
    look_up_all(linker, "synthetic", invented, None, rounds)
    look_up_all(linker, "synthetic, lower-cased", lowered, None, rounds)
    if texts:
        look_up_all(linker, "WebNLG 2020's systems", texts, inputs, rounds)


def look_up_all(
    linker: Gazetteer, name: str, texts: list[str], inputs: list[Input] | None, rounds: int
) -> None:
    """Print how fast batches are linked, in processor time; the fastest round is the least disturbed one."""
    size = sum(len(text.encode()) for text in texts) / len(texts)
    start = time.process_time()
    links = sum(map(len, linker.link(texts, inputs))) / len(texts)
    first = time.process_time() - start
    seconds = []
    for _ in range(rounds):
        for at in range(0, len(texts), BATCH):
            some = texts[at : at + BATCH]
            begin = time.process_time()
            linker.link(some, None if inputs is None else inputs[at : at + BATCH])
            seconds.append((time.process_time() - begin) / len(some))
    seconds.sort()
    print(f"{name}: {len(texts):,} texts of {size:.0f} bytes, {links:.1f} links each; texts/s and MB/s")
    told = {
        "first time": first / len(texts),
        "median of batches": statistics.median(seconds),
        "fastest twentieth": seconds[len(seconds) // 20],
    }
    for what, each in told.items():
        print(f"    {what:20} {1 / each:8,.0f} {size / each / 1e6:6.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["build", "look-up"])
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--index", type=Path, help="look-up: an existing index")
    asked = parser.parse_args()
    header("gazetteer", "marisa-trie")
    print(f"{free_cores():.1f} cores free")
    with tempfile.TemporaryDirectory() as folder:
        index = asked.index or build(Path(folder), asked.labels, asked.jobs)
        if asked.what == "look-up":
            look_up(index, asked.labels, asked.rounds)


if __name__ == "__main__":
    main()
