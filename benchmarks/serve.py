"""How many requests per second `esascore serve` answers: single items, and batches. Needs wrk.

Items are those of the example corpus, of WebNLG's size. The load generator runs on the same cores as the
server.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from _harness import header, parser_of, write_figures
from esascore.examples import example_corpus_path, example_output_paths

BATCH = 200
SCRIPT = """local bodies = {%s}
local n = 0
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
function request()
  n = n %% #bodies + 1
  return wrk.format(nil, nil, nil, bodies[n])
end
"""


def items() -> list[dict[str, object]]:
    """Return the texts of each example system with their inputs."""
    lines = [json.loads(line) for line in example_corpus_path().read_text("utf-8").splitlines()]
    texts = [path.read_text("utf-8").split("\n") for path in example_output_paths().values()]
    return [
        {"triples": row["triples"], "text": own[place]} for own in texts for place, row in enumerate(lines)
    ]


def load(
    url: str, bodies: Sequence[str], connections: int, seconds: int, folder: Path
) -> tuple[float, float, int]:
    """Return requests per second, the 99th percentile in milliseconds, and answers that were not 2xx."""
    script = folder / "load.lua"
    script.write_text(SCRIPT % ", ".join(f"[==[{body}]==]" for body in bodies), "utf-8")
    command = [
        "wrk",
        "-t1",
        f"-c{connections}",
        f"-d{seconds}s",
        "--timeout",
        "30s",
        "--latency",
        "-s",
        script,
        url,
    ]
    shown = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout
    value, unit = re.findall(r"99%\s+([\d.]+)(us|ms|s)", shown)[0]
    failed = sum(map(int, re.findall(r"Non-2xx or 3xx responses: (\d+)", shown)))
    rate = float(re.findall(r"Requests/sec:\s+([\d.]+)", shown)[0])
    return rate, float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit], failed


def by_command(some: Sequence[dict[str, object]], folder: Path) -> float:
    """Return the texts per second of `esascore detect`, from a run with many texts minus one with few."""
    seconds = []
    for repeats in (1, 40):
        corpus = folder / "corpus.jsonl"
        rows = [json.dumps({"id": str(n), **some[n % len(some)]}) for n in range(repeats * len(some))]
        corpus.write_text("\n".join(rows) + "\n", "utf-8")
        command = ["detect", str(corpus), "--own", "--learned", "none", "-q", "-o", str(folder / "out.jsonl")]
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "esascore", *command], check=True)
        seconds.append(time.perf_counter() - started)
    return 39 * len(some) / (seconds[1] - seconds[0])


def main() -> None:
    options = parser_of(__doc__, "shorter loads").parse_args()
    if shutil.which("wrk") is None:
        sys.exit("this benchmark needs wrk (Debian: apt-get install wrk)")
    header("The server: requests and texts per second", "starlette", "uvicorn")
    some, seconds = items(), 4 if options.quick else 20
    single = [json.dumps({"items": [item]}) for item in some]
    batch = [
        json.dumps({"items": [some[(n + shift) % len(some)] for n in range(BATCH)]}) for shift in range(4)
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-m", "esascore", "serve", "--port", "0", "-q"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            load(f"{url}/v1/check", single, 16, 2, folder)
            rate, p99, failed = load(f"{url}/v1/check", single, 16, seconds, folder)
            print(f"/v1/check, one item, 16 connections: {rate:.0f}/s, p99 {p99:.0f} ms, {failed} failed")
            batches, _, lost = load(f"{url}/v1/detect", batch, 4, seconds, folder)
        finally:
            process.terminate()
            process.wait()
        known = by_command(some, folder)
    texts = batches * BATCH
    print(f"/v1/detect, {BATCH} items, 4 connections: {texts:.0f} texts/s, {lost} failed")
    print(f"esascore detect: {known:.0f} texts/s; the server reaches {texts / known:.2f} of that")
    write_figures(options.json, requests=rate, p99=p99, texts=texts, command=known)


if __name__ == "__main__":
    main()
