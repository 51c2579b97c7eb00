"""Starts CoreNLP servers; none outlives the process that wanted it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from esascore.errors import CorefError, UsageError
from esascore.link.services.loopback import is_loopback

_JAR = re.compile(r"stanford-corenlp-(\d[\w.]*)\.jar")
_TELLING = re.compile(r"\w*(?:Error|Exception)\b")
_PROGRAM = "edu.stanford.nlp.pipeline.StanfordCoreNLPServer"
_LOG = "log"
_LONGEST_TEXT = 10_000_000
_PAUSE = 0.1
_PING_TIMEOUT = 5.0
_LAST_MOMENT = 1.0
_SECONDS_TO_STOP = 5.0
# Reads until the other end of the pipe is closed, which happens however the process at that end dies.
_WATCH = """
import os, shutil, signal, sys
sys.stdin.read()
try:
    os.kill(int(sys.argv[1]), signal.SIGTERM)
finally:
    shutil.rmtree(sys.argv[2], ignore_errors=True)
"""


@dataclass(frozen=True, slots=True)
class Java:
    """How a server is run: the folder of CoreNLP, memory, threads, and seconds to get ready in."""

    home: Path
    memory: str
    threads: int
    start_timeout: float


class Server:
    """A running server that this process started; it ends with this object or this process, if not before."""

    def __init__(self, url: str, process: subprocess.Popen[bytes], log: Path, stop: Callable[[], None]):
        self.url = url
        self._process = process
        self._log = log
        self._finalizer = weakref.finalize(self, _stop_from, os.getpid(), stop)

    def failure(self) -> str | None:
        """Return how the server ended; None if it runs on."""
        # Its connections break a moment before it has ended.
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_MOMENT)
        return _failure(self._process, self._log)

    def stop(self) -> None:
        """Stop the server and wait for its end; does nothing the second time."""
        self._finalizer()


def corenlp_version(home: Path) -> str:
    """Return the version of the CoreNLP in a folder, by the name of its program.

    Raises
    ------
    UsageError
        If there is no CoreNLP in the folder.
    """
    try:
        found = [match[1] for path in home.iterdir() if (match := _JAR.fullmatch(path.name))]
    except OSError as error:
        problem = error.strerror or type(error).__name__
        raise UsageError(f"CORENLP_HOME is {home}, which cannot be read: {problem}") from None
    if not found:
        raise UsageError(
            f"CORENLP_HOME is {home}, where there is no CoreNLP (no file stanford-corenlp-VERSION.jar): "
            "set it to the folder that CoreNLP's download unpacks to"
        )
    return max(found)


def start_server(java: Java, properties: Mapping[str, str], *, timeout: float) -> Server:
    """Start a server and wait until it answers.

    Parameters
    ----------
    java
        How it is run.
    properties
        What it has to load; the same have to go with every request.
    timeout
        Seconds that it may spend on a text.

    Raises
    ------
    UsageError
        If there is no Java.
    CorefError
        If the server breaks down, or does not get ready in time.
    """
    if shutil.which("java") is None:
        raise UsageError(
            "CoreNLP needs Java 8 or newer, and there is no java on the PATH: "
            "install a Java runtime, or give the address of a running server with --coref-url"
        )
    port = _free_port()
    url = f"http://localhost:{port}"
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="esascore-corenlp-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        process = _launched(java, properties, round(timeout * 1000), port, folder)
        stack.callback(_end, process)
        stack.callback(_end, _watcher(process.pid, folder))
        log = folder / _LOG
        _wait(process, log, url, java.start_timeout)
        return Server(url, process, log, stack.pop_all().close)


def answers_ping(url: str) -> bool:
    """Say whether a CoreNLP server answers at a URL."""
    import requests

    try:
        answer = requests.get(f"{url}/ping", timeout=_PING_TIMEOUT, proxies=no_proxy(url))
    except Exception:  # also of the parsers of what answers there
        return False
    return answer.ok and answer.text.strip() == "pong"


def no_proxy(url: str) -> dict[str, str]:
    """Return what keeps requests to this machine from the proxy that the environment names for others.

    Examples
    --------
    >>> no_proxy("http://localhost:9000"), no_proxy("http://example.org")
    ({'http': '', 'https': ''}, {})
    """
    return {"http": "", "https": ""} if is_loopback(urlsplit(url).hostname or "") else {}


def _stop_from(owner: int, stop: Callable[[], None]) -> None:
    if os.getpid() == owner:  # a forked child inherits this, but not the server
        stop()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=_SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _launched(
    java: Java, properties: Mapping[str, str], milliseconds: int, port: int, folder: Path
) -> subprocess.Popen[bytes]:
    settings = folder / "server.properties"
    settings.write_text("".join(f"{name} = {value}\n" for name, value in properties.items()), "utf-8")
    options = {
        "port": port,
        "timeout": milliseconds,
        "threads": java.threads,
        "maxCharLength": _LONGEST_TEXT,
        "quiet": True,  # else the server would log every text
        "serverProperties": settings,
        "annotators": properties["annotators"],
        "preload": properties["annotators"],
        "outputFormat": "json",
        "server_id": f"esascore-{port}",
    }
    command = ["java", f"-Xmx{java.memory}", "-cp", str(java.home / "*"), _PROGRAM]
    for name, value in options.items():
        command += [f"-{name}", str(value)]
    try:
        with (folder / _LOG).open("wb") as log:
            return subprocess.Popen(command, stdout=log, stderr=log)
    except OSError as error:
        raise CorefError(f"the CoreNLP server cannot be started: {error.strerror or error}") from error


def _watcher(server: int, folder: Path) -> subprocess.Popen[bytes]:
    """Start a process that ends the server should this process be killed, when it cannot do so itself."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WATCH, str(server), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # What is sent to all processes of a terminal must not reach it.
        start_new_session=True,
    )


def _wait(process: subprocess.Popen[bytes], log: Path, url: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not (_listens(url) and answers_ping(url)):
        if (failure := _failure(process, log)) is not None:
            raise CorefError(f"the CoreNLP server could not be started: {failure}")
        if time.monotonic() > end:
            raise CorefError(
                f"the CoreNLP server was not ready after {seconds:g} s: "
                "give it more time, or start one yourself and give its address with --coref-url"
            )
        time.sleep(_PAUSE)


def _listens(url: str) -> bool:
    # Asked first since the errors of requests hold on to all that waits here, the model included.
    with socket.socket() as probe:
        return probe.connect_ex(("localhost", urlsplit(url).port)) == 0


def _failure(process: subprocess.Popen[bytes], log: Path) -> str | None:
    code = process.poll()
    if code is None:
        return None
    end = f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}"
    try:
        lines = log.read_text("utf-8", "replace").split("\n")
    except OSError:
        lines = []
    said = [line.strip() for line in lines if line.strip()]
    telling = next(filter(_TELLING.search, said), said[-1] if said else None)
    return end if telling is None else f"{end}: {telling[:200]}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port: int = probe.getsockname()[1]
        return port
