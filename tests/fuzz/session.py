"""Some minutes of fuzzing in one process: calls, readers, a hostile service, command lines, in turns."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, Phase, given, seed, settings

from fuzz.commandlines import can_be_a_process, problems, run_as_process, run_here, some_command
from fuzz.hostile import HostileService
from fuzz.invariants import Invariants
from fuzz.mutation import mutated
from fuzz.plants import planted
from fuzz.readers import READERS, read_all_of
from fuzz.samples import files
from fuzz.strategies import corpora

_TURN = 50  # examples of Hypothesis, which remembers all that it has tried until its turn is over
_SLACK = 64 << 20  # bytes by which memory may grow between the middle and the end, beside a tenth


class HangError(BaseException):
    """Raised by the alarm; no handler of ours takes it for something else."""


@dataclass(frozen=True)
class Plan:
    """What one process has to do."""

    seconds: float
    seed: int
    failures: Path
    plant: str | None = None
    guided: bool = False
    limit: float = 20.0
    """Seconds after which a call or a command line hangs."""


@dataclass
class Report:
    """What was done; reports of several processes add up."""

    calls: Counter[str] = field(default_factory=Counter)
    command_lines: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    guided: int = 0
    cpu: float = 0.0
    started: float = field(default_factory=time.monotonic)

    def __add__(self, other: Report) -> Report:
        return Report(
            self.calls + other.calls,
            self.command_lines + other.command_lines,
            self.failures + other.failures,
            self.notes + other.notes,
            self.guided + other.guided,
            self.cpu + other.cpu,
        )

    def lines(self) -> Iterator[str]:
        """What to print."""
        yield from (f"failure: {failure}" for failure in self.failures[:20])
        yield from self.notes
        for title, counts in (("calls", self.calls), ("command lines", self.command_lines)):
            yield f"{title}: {', '.join(f'{number:,} {what}' for what, number in counts.most_common())}"
        yield f"by atheris: {self.guided:,} inputs of readers, not counted as calls"
        yield f"CPU time: {self.cpu:.0f} s"
        calls, command_lines = self.calls.total(), self.command_lines.total()
        yield f"fuzz: {calls} calls, {command_lines} command lines, {len(self.failures)} failures"


def run(plan: Plan) -> Report:
    """Fuzz as planned; equal plans begin in the same way."""
    report = Report()
    if plan.guided:
        _guided(plan, report, 0.1 * plan.seconds)
    before = signal.signal(signal.SIGALRM, _alarm)
    service = HostileService(Random(plan.seed))
    try:
        with planted(plan.plant):
            middle = _turns(plan, report, service)
    finally:
        service.close()
        signal.signal(signal.SIGALRM, before)
    used = _memory()
    megabytes = f"{middle >> 20} MB in the middle, {used >> 20} MB at the end"
    report.notes.append(f"memory of process {plan.seed}: {megabytes}")
    if used > 1.1 * middle + _SLACK:
        report.failures.append(f"memory grows: {megabytes}")
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    report.cpu = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    return report


def _turns(plan: Plan, report: Report, service: HostileService) -> int:
    """Take turns with all parts until time is up, or what was planted is found.

    Returns the memory that was used in the middle.
    """
    end = report.started + plan.seconds
    invariants, chance = Invariants(), Random(plan.seed)
    turn = middle = 0
    while (now := time.monotonic()) < end and not (plan.plant and report.failures):
        turn += 1
        share = max(0.5, 0.02 * plan.seconds)
        _call(plan, report, invariants, turn, min(end, now + share))
        _read(plan, report, chance, turn, min(end, time.monotonic() + 0.2 * share))
        _ask(plan, report, service, turn, 5)
        _command(plan, report, turn, min(end, time.monotonic() + 0.5 * share))
        _command(plan, report, turn, min(end, time.monotonic() + share), as_process=True)
        if not middle and time.monotonic() > end - plan.seconds / 2:
            middle = _memory()
    return middle or _memory()


# --- the parts


def _call(plan: Plan, report: Report, invariants: Invariants, turn: int, end: float) -> None:
    """Call the functions of the package on generated corpora; Hypothesis makes a failing one small."""
    last: list[object] = []

    @seed(plan.seed * 10_000_000 + turn)
    @settings(
        max_examples=_TURN, deadline=None, database=None, derandomize=False, print_blob=False,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink],
    )  # fmt: skip
    @given(corpora())
    def corpus(drawn: object) -> None:
        if time.monotonic() < end:
            last[:] = [drawn]
            with _limited(plan):
                invariants.corpus(*drawn)  # type: ignore[misc]

    before = invariants.call.number
    with _recorded(plan, report, f"calls-{plan.seed}-{turn}", lambda: repr(last)):
        corpus()
        if turn % 10 == 1 and last:
            examples, texts = last[0]  # type: ignore[misc]
            number = max(1, 70 // len(texts))
            many = [replace(e, id=f"{e.id}/{n}") for n in range(number) for e in examples]
            with _limited(plan):
                invariants.processes(many, list(texts) * number)
    report.calls["of functions"] += invariants.call.number - before


def _read(plan: Plan, report: Report, chance: Random, turn: int, end: float) -> None:
    """Read damaged files with every reader."""
    names, readers = list(files()), list(READERS)
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            name = chance.choice(names)
            content = mutated(files()[name], chance)
            path = Path(folder, name)
            path.write_bytes(content)
            for reader in chance.sample(readers, 3):
                report.calls["of readers"] += 1
                shown = partial("{}: {!r}".format, reader, content)
                with _recorded(plan, report, f"reader-{plan.seed}-{turn}", shown), _limited(plan):
                    read_all_of(reader, path)


def _ask(plan: Plan, report: Report, service: HostileService, turn: int, number: int) -> None:
    for _ in range(number):
        report.calls["of a hostile service"] += 1
        with _recorded(plan, report, f"service-{plan.seed}-{turn}", lambda: ""), _limited(plan):
            service.ask()


def _command(plan: Plan, report: Report, turn: int, end: float, *, as_process: bool = False) -> None:
    """Run command lines; those that are also run as real processes have to do the same there."""
    number = 0
    while time.monotonic() < end:
        number += 1
        name = f"{'process' if as_process else 'command'}-{plan.seed}-{turn}-{number}"
        with tempfile.TemporaryDirectory() as raw:
            folder, twin = Path(raw, "here"), Path(raw, "there")
            folder.mkdir()
            arguments: list[str] = []
            with _recorded(plan, report, name, partial(repr, arguments), folder):
                with _limited(plan):
                    line = some_command(Random(name), folder)  # which reads the corpus for its outputs
                    arguments += line.arguments
                shutil.copytree(folder, twin)
                report.command_lines["in process"] += 1
                with _limited(plan):
                    ran = run_here(line, folder)
                _judge(problems(line, folder, ran))
                if as_process and can_be_a_process(line):
                    report.command_lines["as processes"] += 1
                    again = run_as_process(line, twin, 3 * plan.limit)
                    _judge(f"as a process: {problem}" for problem in problems(line, twin, again))
                    assert again.code == ran.code, f"exit code {again.code} as a process, {ran.code} here"
                    here, there = _text(ran.out, folder), _text(again.out, twin)
                    assert here == there, f"another output as a process: {there[:500]!r}, not {here[:500]!r}"


def _judge(found: Iterator[str]) -> None:
    for problem in found:
        raise AssertionError(problem)


def _text(raw: bytes, folder: Path) -> str:
    return raw.decode("utf-8", "replace").replace(str(folder), "")


def _guided(plan: Plan, report: Report, seconds: float) -> None:
    """Let atheris look for inputs of readers that reach code nothing else has reached."""
    plan.failures.mkdir(exist_ok=True, parents=True)
    options = [
        f"-max_total_time={max(1, int(seconds))}",
        f"-seed={plan.seed + 1}",
        f"-timeout={plan.limit:.0f}",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        f"-artifact_prefix={plan.failures.resolve()}/atheris-",
    ]
    command = [sys.executable, "-m", "fuzz.guided", *options]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if "No module named 'atheris'" in done.stderr:
        report.notes.append("atheris is not installed: nothing was guided by coverage")
        return
    executed = re.search(r"number_of_executed_units:\s*(\d+)", done.stderr)
    report.guided += int(executed[1]) if executed else 0
    if done.returncode:
        report.failures.append(f"atheris: {done.stderr[-1500:]}")


# --- what they share


@contextmanager
def _limited(plan: Plan) -> Iterator[None]:
    """Raise an error in what takes too long."""
    signal.setitimer(signal.ITIMER_REAL, plan.limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _alarm(*_: object) -> None:
    raise HangError("took too long")


@contextmanager
def _recorded(
    plan: Plan, report: Report, name: str, shown: Callable[[], str], folder: Path | None = None
) -> Iterator[None]:
    """Keep what failed, and go on."""
    try:
        yield
    except (Exception, HangError) as error:
        kept = plan.failures / name
        kept.mkdir(parents=True, exist_ok=True)
        (kept / "error.txt").write_text(
            "".join(traceback.format_exception(error)), "utf-8", "backslashreplace"
        )
        (kept / "input.txt").write_text(shown(), "utf-8", "backslashreplace")
        if folder is not None:
            shutil.copytree(folder, kept / "files", dirs_exist_ok=True)
        report.failures.append(f"{kept}: {type(error).__name__}: {str(error)[:300]}")


def _memory() -> int:
    """Bytes that this process has in memory now."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
