"""The command line as a whole: help, errors, exit codes, what it imports."""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from esascore._version import __version__
from esascore.cli import app
from esascore.cli.options import Settings
from esascore.errors import DataError, EsascoreError, LinkerError, MissingExtraError, UsageError
from esascore.run import blocks, workers
from esascore.run.workers import Workers

DOCS = Path(__file__).parents[2] / "docs" / "cli.md"
HEAVY = {"marisa_trie", "numba", "dateparser", "requests", "rapidfuzz", "rdflib"}
HEAVY |= {"rich", "stanza", "cupy", "matplotlib", "scipy"}
COMMANDS = [app.esascore.get_command(click.Context(app.esascore), name) for name in app.COMMANDS]


def examples(command: click.Command) -> list[str]:
    """The commands in the epilog of a help text."""
    lines = [line.strip() for line in (command.epilog or "").split("\n")]
    return [re.split(r"  +then: | > ", line)[0] for line in lines if line.startswith("esascore ")]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help_an_example_and_documentation(run, command):
    shown = run(command.name, "--help")
    assert shown.code == 0
    assert shown.out.startswith("Usage: esascore " + command.name)
    assert command.help
    assert command.get_short_help_str()
    documented = DOCS.read_text("utf-8").partition(f"\n## esascore {command.name}\n")[2].partition("\n## ")[0]
    assert documented, f"docs/cli.md has no section on {command.name}"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.name} has no help"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_examples_in_the_help_run(run, tmp_path, command):
    assert examples(command), "no example in the help"
    assert run("demo").code == 0
    for line in examples(command):
        if re.search(r"\b[A-Z]{3}[A-Z_]*\b", line):
            continue  # a placeholder: needs a corpus that is not bundled
        arguments = shlex.split(line)[1:]
        expanded = [
            str(path) for word in arguments for path in (sorted(Path().glob(word)) if "*" in word else [word])
        ]
        result = run(*expanded)
        assert result.code == 0, (line, result.err)


@pytest.mark.parametrize("command", [[], ["score"]])
def test_the_help_fits_on_a_screen(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    assert 20 < run(*command, "--help").out.count("\n") <= 50


def test_all_options_are_shown_if_asked(run):
    few, every = run("score", "--help").out, run("score", "--help-all").out
    assert "--linker-url" not in few
    for option in ("--linker-url", "--coref-model", "--backend", "--lambda", "--timings"):
        assert f"\n  {option}" in every
    assert "--linker-url" not in run("score", "--help").out  # it was for once


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["totto", "score", "a.xml"], "score --input-format totto --metrics totto"),
        (["parent", "score", "a", "b", "c"], "score --parent-files"),
        (["cache", "info"], "doctor cache"),
        (["cache", "clear"], "doctor cache --clear"),
        (["cache"], "doctor cache"),
        (["backends"], "doctor backends"),
        (["-q", "selftest", "--help"], None),
    ],
)
def test_old_names_work_and_say_so(run, old, new):
    result = run(*old)
    words = [word for word in old if not word.startswith("-")]
    if new is None:
        assert result.out.startswith("Usage: esascore doctor selftest")
        return
    name = next(" ".join(words[:n]) for n in (2, 1) if tuple(words[:n]) in app.OLD_NAMES)
    assert result.err.startswith(f"esascore: warning: esascore {name} is now esascore {new}\n")
    today = run(*new.split(), *old[len(name.split()) :])
    assert (result.code, result.out) == (today.code, today.out)
    assert result.err.endswith(today.err)


def test_version(run):
    assert run("--version").out == f"esascore {__version__}\n"


def test_without_a_command_the_help_is_shown(run):
    bare, asked = run(), run("--help")
    assert (bare.code, bare.out) == (0, asked.out)
    for name in app.COMMANDS:
        assert f"\n  {name} " in asked.out


def python_m(*arguments, **more):
    """Run the command in a process of its own."""
    command = [sys.executable, "-m", "esascore", *map(str, arguments)]
    return subprocess.run(
        command, check=False, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    )


def test_python_m_works():
    assert python_m("--version").stdout.decode() == f"esascore {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["completion"], "Choose from: bash, zsh, fish"),
        (["scoer"], "error: there is no command 'scoer': did you mean 'score'?"),
        (["score"], "error: Missing argument 'CORPUS' (see esascore score --help)"),
        (["score", "a", "--format", "pdf"], "'pdf' is not one of 'table', 'json'"),
        (["score", "a", "--jobs", "0"], "0 is not in the range x>=1"),
        (["score", "--no-such-option"], "No such option"),
        (["score", "a\x1b[31m", "--metrics", "x"], "a\\x1b[31m: there is no such file"),
        (["completion", "tcsh"], "'tcsh' is not one of"),
    ],
)
def test_wrong_usage_is_one_line(refused, arguments, message):
    refused(3 if "no such file" in message else 2, message, *arguments)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("no such thing"), 2),
        (DataError("broken\nover lines", file="f", line=3), 3),
        (LinkerError("down"), 4),
        (MissingExtraError("X", package="y", extra="z"), 5),
    ],
)
def test_errors_become_one_line_and_an_exit_code(run, xml, outputs, monkeypatch, error, code):
    def broken(*_):
        raise error

    monkeypatch.setattr(Settings, "ruler", broken)
    result = run("score", xml, outputs("a.txt", "x", "y"))
    assert result.code == code
    assert result.err == f"esascore: error: {error}".replace("\n", "\\x0a") + "\n"
    assert result.out == ""


def test_what_the_machine_or_nobody_foresaw(run, xml, outputs, monkeypatch):
    for error, code, message in [
        (MemoryError(), 6, "out of memory"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (EsascoreError("a worker process died"), 6, "a worker process died"),
        (
            OSError(errno.ENOSPC, "No space left on device", "/tmp/x"),
            6,
            "No space left on device (/tmp/x): free",
        ),
        (OSError(errno.EMFILE, "Too many open files"), 6, "Too many open files: free"),
        (KeyError("a secret"), 70, "unexpected KeyError at test_app.py:"),
        (EOFError(), 70, "unexpected EOFError at test_app.py:"),
        (RecursionError("too deep"), 70, "unexpected RecursionError"),
    ]:

        def broken(*_, error=error):
            raise error

        monkeypatch.setattr(Settings, "ruler", broken)
        result = run("score", xml, outputs("a.txt", "x", "y"))
        assert result.code == code
        assert message in result.err
        assert result.err.strip().count("\n") == 0
        assert "secret" not in result.err


@pytest.mark.parametrize("place", ["before", "after"])
def test_debug_shows_the_traceback_but_no_key(run, xml, outputs, monkeypatch, place):
    monkeypatch.setenv("ESASCORE_LINKER_KEY", "X-Key: s3cret")

    def broken(*_):
        raise KeyError("s3cret of the user")

    monkeypatch.setattr(Settings, "ruler", broken)
    command = ["score", xml, outputs("a.txt", "x", "y")]
    result = run(*(["--debug", *command] if place == "before" else [*command, "--debug"]))
    assert result.code == 70
    assert result.err.startswith("Traceback (most recent call last):\n")
    assert "KeyError: '*** of the user'\nesascore: error: unexpected KeyError" in result.err


def test_warnings_of_libraries_are_one_line(run, xml, outputs, monkeypatch):
    import warnings

    from esascore.pipeline import build_pipeline

    def noisy(*_):
        warnings.warn("no device\nfound", UserWarning, stacklevel=1)
        return lambda: build_pipeline("paper")

    monkeypatch.setattr(Settings, "ruler", noisy)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        result = run("score", xml, outputs("a.txt", "x", "y"))
    assert result.code == 0
    assert result.err == "esascore: warning: no device\\x0afound\n"


def loaded_after(code: str) -> set[str]:
    """Top-level packages that a fresh interpreter has loaded after running some code."""
    script = (
        f"{code}\nimport sys; print(*{{name.partition('.')[0] for name in sys.modules}}, file=sys.__stderr__)"
    )
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return set(run.stderr.split())


def test_importing_the_package_loads_nothing_heavy():
    loaded = loaded_after("import esascore; assert 'ESA' in dir(esascore)")
    assert "esascore" in loaded
    assert not loaded & (HEAVY | {"numpy", "click"})
    assert not loaded_after("from esascore import ESA, Graph, Table, Triple") & HEAVY


def test_help_loads_nothing_heavy():
    loaded = loaded_after("from esascore.cli import main; main(['--help']); main(['score', '--help'])")
    assert "click" in loaded
    assert not loaded & (HEAVY | {"numpy"})


def test_what_worker_processes_import_of_the_command_line_is_little():
    assert not loaded_after("import esascore.__main__, esascore.run.workers") & (HEAVY | {"numpy", "click"})


@pytest.mark.parametrize("command", ["score", "hallucinations"])
def test_processes_are_started_before_anything_heavy_is_loaded(command, xml, outputs):
    heavy = HEAVY | {"numpy"}
    script = f"""
import sys
from esascore.cli import main
from esascore.run.workers import Workers
Workers.start_ahead = lambda *_: print(sorted(set(sys.modules) & {heavy!r}))
main([{command!r}, {str(xml)!r}, {str(outputs("a.txt", "x", "y"))!r}, "-q", "--jobs", "2"])
"""
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert run.stdout.startswith("[]\n")


@pytest.fixture
def started(monkeypatch):
    """The numbers of processes that commands started; they do so for few texts."""
    numbers = []
    start_ahead = Workers.start_ahead

    def counted(self, number, *more):
        if more:  # what is known of the work: by the command, before it reads anything
            numbers.append(number)
        start_ahead(self, number, *more)

    monkeypatch.setattr(workers, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr(Workers, "start_ahead", counted)
    return numbers


def test_a_command_that_fails_leaves_no_process(run, started, xml, outputs):
    assert run("score", xml, outputs("a.txt", "x " * 200), "--jobs", "2").code == 3
    assert started == [1]
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("profile", ["default", "paper", "own.toml"])
def test_a_process_that_got_ready_gives_the_same_results(
    run, started, xml, outputs, tmp_path, monkeypatch, profile
):
    monkeypatch.setattr(blocks, "BATCH", 1)  # one text for each process
    (tmp_path / "own.toml").write_text('base = "default"\n[numbers]\non = false\n')
    texts = outputs("a.txt", "Bionico was made in 1881 in Peru. " * 8, "Kestrel Arena is 5.5 km long. " * 8)
    asked = ["--metrics", "esa,hallucination", "--format", "json", "--profile", profile]
    alone, together = (run("score", xml, texts, *asked, "--jobs", jobs) for jobs in ("1", "2"))
    assert started == [0, 1]
    assert together == alone
    assert alone.code == 0


def test_the_demo_compiles_nothing(tmp_path):
    loaded = loaded_after(f"from esascore.cli import main; main(['demo', '-q', '-o', {str(tmp_path)!r}])")
    assert not loaded & {"numba", "llvmlite"}


@pytest.mark.skipif(sys.platform == "win32", reason="closed pipes behave differently")
@pytest.mark.parametrize("asked", [["--help"], ["score", "corpus.xml", "a.txt", "--format", "json"]])
def test_a_reader_that_goes_away_is_no_error(xml, outputs, tmp_path, asked):
    outputs("a.txt", "x", "y")
    read, write = os.pipe()
    os.close(read)
    run = python_m(*asked, stdout=write, cwd=tmp_path)
    os.close(write)
    assert (run.returncode, run.stderr) == (128 + signal.SIGPIPE, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full and a shell")
@pytest.mark.parametrize(
    ("more", "closed", "code"),
    [
        ("", ">&-", 2),
        ("-o scores.txt", ">&-", 0),
        ("-o scores.txt", "<&- >&- 2>&-", 0),
        ("--no-such-option", "2>&-", 2),
        ("--linker x", ">/dev/full 2>/dev/full", 2),
    ],
)
def test_standard_streams_that_are_closed(xml, outputs, tmp_path, more, closed, code):
    outputs("a.txt", "Bionico is from Mexico.", "y")
    command = f"{shlex.quote(sys.executable)} -m esascore score corpus.xml a.txt {more} {closed}"
    run = subprocess.run(["sh", "-c", command], check=False, capture_output=True, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (code, b"")
    assert run.stderr.count(b"\n") <= 1
    assert b"Traceback" not in run.stderr
    if not more:
        assert b"cannot write to standard output: it is closed" in run.stderr
    elif code == 0:
        assert (tmp_path / "scores.txt").read_text("utf-8").startswith("System")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line(xml, outputs):
    with Path("/dev/full").open("w") as full:
        run = python_m("score", xml, outputs("a.txt", "x", "y"), stdout=full)
    assert run.returncode == 6
    assert run.stderr == (
        b"esascore: error: cannot write to standard output: No space left on device: free some space, "
        b"and run the same command again\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("quiet", [False, True])
def test_progress_is_shown_on_a_terminal_unless_quiet(xml, outputs, quiet):
    import pty

    ours, theirs = pty.openpty()
    arguments = ["score", str(xml), str(outputs("a.txt", "x", "y")), *(["--quiet"] if quiet else [])]
    with subprocess.Popen(
        [sys.executable, "-m", "esascore", *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    ) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # what reading says at the end of a pseudo-terminal
            while piece := os.read(ours, 4096):
                shown += piece
        assert process.stdout is not None
        assert process.stdout.read().startswith(b"System")
    os.close(ours)
    assert process.returncode == 0
    assert (b"Detecting entities" in shown) != quiet


def test_a_narrow_encoding_gets_escapes_in_tables_and_utf8_in_data(xml, outputs):
    command = ("score", xml, outputs("東京.txt", "x", "y"))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert b"\\u6771\\u4eac" in python_m(*command, env=environment).stdout
    assert "東京" in python_m(*command, "--format", "json", env=environment).stdout.decode()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run, shell):
    result = run("completion", shell)
    assert result.code == 0
    assert f"_ESASCORE_COMPLETE={shell}_complete" in result.out


def test_completion_of_commands_and_options():
    environment = {**os.environ, "_ESASCORE_COMPLETE": "bash_complete"}
    for words, expected in [
        ("esascore de", {"detect", "demo"}),
        ("esascore score --form", {"--format"}),
        ("esascore score c o --metrics esa,parent-", {f"esa,parent-{one}" for one in "cet"}),
        ("esascore score c o --profile p", {"paper"}),
        ("esascore score c o --profile own.t", {"own.t"}),
        ("esascore score c o --linker g", {"gazetteer"}),
        ("esascore score c o --coref r", {"root", "rules"}),
        ("esascore score c a.txt b=x.txt --significance a", {"a", "all"}),
        ("esascore score c o --input-format rdf", {"rdf", "rdf-subjects"}),
        ("esascore show gone.jsonl --id I", set()),
        ("esascore score corp", {"corp"}),
    ]:
        environment |= {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
        shown = python_m(env=environment).stdout.decode()
        assert {line.partition(",")[2] for line in shown.split()} == expected


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs a system that lists threads")
def test_no_threads_are_started_that_nothing_needs():
    """NumPy has one for each core, and they are busy waiting at first."""
    code = (
        "import os, sys; from esascore.cli import main; sys.argv[1:] = ['doctor', 'backends']; main(); "
        "print('numpy' in sys.modules, len(os.listdir('/proc/self/task')), file=sys.stderr)"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS")}
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=environment)
    assert run.stderr == b"True 1\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["report", "c.xml", "a.txt", "--html", "r.html"], "--output"),
        (["correlate", "c.xml", "a.txt", "--figure=r.doc"], "--plot"),
        (["lexicon", "build", "none.nt", "--lang", "de", "-o", "x"], "--language"),
        (["linker", "serve", "none", "--workers", "0"], "--jobs"),
        (["facts", "train", "none", "--threads", "0", "-o", "x"], "--jobs"),
    ],
)
def test_old_options_work_and_say_so(run, xml, outputs, old, new):
    outputs("a.txt", "Bionico.", "")
    option = next(word for word in old if word.startswith("--")).partition("=")[0]
    result = run(*(word.replace("c.xml", str(xml)) for word in old))
    assert result.err.startswith(f"esascore: warning: {option} is now {new}\n")
    assert "No such option" not in result.err


def test_options_are_set_once_in_a_file(run, xml, outputs, tmp_path):
    outputs("a.txt", "Bionico.", "")
    file = tmp_path / "esascore.toml"
    file.write_text(
        'profile = "paper"\nlearned = "none"\ndigits = 2\n[check]\nmin-esa = 0.1\nprofile = "default"\n'
    )
    assert "profile:paper" in run("score", xml, "a.txt").out
    assert "0.2500 " not in run("score", xml, "a.txt").out
    assert "profile:default" in run("score", xml, "a.txt", "--profile", "default").out
    assert "profile:default" in run("check", xml, "a.txt", "--format", "json").out
    assert run("learn", xml, "-o", "l.gz").code == 0  # it has no profile, which is for others
    file.write_text('porfile = "paper"\n')
    assert "there is no option 'porfile': did you mean 'profile'?" in run("score", xml, "a.txt").err
    file.rename(tmp_path / "pyproject.toml")
    assert run("score", xml, "a.txt").code == 0
    (tmp_path / "pyproject.toml").write_text('[tool.esascore]\nprofile = "paper"\n[tool.other]\nx = 1\n')
    assert "profile:paper" in run("score", xml, "a.txt").out
