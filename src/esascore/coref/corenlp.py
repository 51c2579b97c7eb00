"""Coreference chains from a CoreNLP server.

A server that is already running is used as it is; else one is started from the folder ``CORENLP_HOME``, used
for all that follows, and stopped.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any
from urllib.parse import urlsplit

from esascore.coref.chains import Chain
from esascore.coref.corenlp_answers import read_chains
from esascore.coref.corenlp_server import (
    Java,
    Server,
    answers_ping,
    corenlp_version,
    no_proxy,
    start_server,
)
from esascore.errors import CorefError, UsageError
from esascore.link.services.asking import answers

URL_VARIABLE = "ESASCORE_COREF_URL"
"""Environment variable with the URL of a running server."""

_HOME_VARIABLE = "CORENLP_HOME"
# Where Stanza's own installer puts CoreNLP.
_USUAL_HOME = "stanza_corenlp"
_ANNOTATORS = MappingProxyType(
    {
        "neural": "tokenize,ssplit,pos,lemma,ner,parse,coref",
        "statistical": "tokenize,ssplit,pos,lemma,ner,depparse,coref",
    }
)
_MEMORY = re.compile(r"[1-9]\d*[kKmMgG]")
# Java writes some of these into JSON as they are, and surrogates on their own are not text.
_UNSENDABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_SHOWN = 100


class CoreNLPModel:
    """The coreference of Stanford CoreNLP; a `ChainModel`.

    Nothing is imported, started or sent before the first texts come. A server that was started is stopped by
    `close`, at the end of a ``with`` block, after any failure, with this object, and at the latest when the
    process ends, however it ends.

    Parameters
    ----------
    url
        A running server (``http://host:9000``), to which the texts are sent; by default that of the variable
        ``ESASCORE_COREF_URL``. Without either a server is started.
    algorithm
        ``neural`` (the more accurate) or ``statistical`` (the faster).
    home
        The folder of the CoreNLP to start; by default that of the variable ``CORENLP_HOME``, otherwise where
        Stanza's installer puts it.
    memory
        What a started server may use.
    threads
        How many texts are sent at the same time.
    timeout, start_timeout
        Seconds that a text may take, and that a server may take to get ready.

    Raises
    ------
    UsageError
        If an argument is invalid, or there is neither a server nor a CoreNLP to start.

    Examples
    --------
    >>> CoreNLPModel("http://localhost:9000", algorithm="statistical").version()
    'corenlp.v1(statistical,http://localhost:9000)'
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        algorithm: str = "neural",
        home: str | os.PathLike[str] | None = None,
        memory: str = "5G",
        threads: int = 4,
        timeout: float = 60.0,
        start_timeout: float = 180.0,
    ):
        if algorithm not in _ANNOTATORS:
            known = ", ".join(_ANNOTATORS)
            raise UsageError(f"unknown CoreNLP coreference algorithm {algorithm!r}; known: {known}")
        if not _MEMORY.fullmatch(memory):
            raise UsageError(f"the memory of a CoreNLP server must be like 5G or 800M, not {memory!r}")
        if threads < 1 or not timeout > 0 or not start_timeout > 0:
            raise UsageError("CoreNLP's threads and timeouts must be positive numbers")
        self.algorithm, self.threads, self.timeout = algorithm, threads, timeout
        named = url or (None if home else os.environ.get(URL_VARIABLE))
        self.url = None if named is None else _checked(named)
        self.java = None
        if self.url is None:
            folder = _home(home)
            self._release = corenlp_version(folder)
            self.java = Java(folder, memory, threads, start_timeout)
        self._server: Server | None = None

    def version(self) -> str:
        """Return what identifies the answers: the algorithm, and the release or the server."""
        where = self.url or self._release
        return f"corenlp.v1({self.algorithm},{where})"

    def chains(self, texts: Sequence[str]) -> list[tuple[Chain, ...]]:
        """Return the chains of each text.

        Raises
        ------
        UsageError
            If a server cannot be started because there is no Java.
        CorefError
            If the server cannot be reached, breaks down, takes too long or answers with anything but chains.
        """
        if not texts:
            return []
        try:
            found = dict(answers(partial(self._ask, self._ready()), texts, self.threads))
            return [found[place] for place in range(len(texts))]
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Stop the server if it was started here; the next texts start another."""
        server, self._server = self._server, None
        if server is not None:
            server.stop()

    def __enter__(self) -> CoreNLPModel:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        # Another process gets the settings, and a server of its own.
        return {**self.__dict__, "_server": None}

    def _properties(self) -> dict[str, str]:
        return {
            "annotators": _ANNOTATORS[self.algorithm],
            "coref.algorithm": self.algorithm,
            "tokenize.codepoint": "true",
            "outputFormat": "json",
            "timeout": str(round(self.timeout * 1000)),
        }

    def _ready(self) -> str:
        """Return the URL of a server that answers."""
        if self.java is not None:
            if self._server is None:
                self._server = start_server(self.java, self._properties(), timeout=self.timeout)
            return self._server.url
        url = self.url or ""
        if not answers_ping(url):
            raise CorefError(
                f"no CoreNLP server answers at {url}: start one there, "
                f"or set {_HOME_VARIABLE} and give no address"
            )
        return url

    def _ask(self, url: str, text: str) -> tuple[Chain, ...]:
        import requests

        sent = _UNSENDABLE.sub(" ", text)
        # A server that was not started here has other defaults, which do not count.
        query = {"properties": json.dumps(self._properties()), "resetDefault": "true"}
        try:
            response = requests.post(  # nosec B113 - it has one, below
                url,
                params=query,
                data=sent.encode(),
                headers={"Content-Type": "text/plain; charset=utf-8"},
                timeout=2 * self.timeout,  # the server itself ends what takes longer than once that
                proxies=no_proxy(url),
            )
        except requests.Timeout as error:
            raise self._too_slow(text) from error
        except Exception as error:  # what a server sends can break any of the parsers below us
            raise self._broken(url) from error
        response.encoding = "utf-8"
        said = _one_line(response.text)
        if not response.ok and "timed out" in said:
            raise self._too_slow(text)
        if not response.ok:
            raise CorefError(f"CoreNLP failed (HTTP {response.status_code}) for {_one_line(text)!r}: {said}")
        try:
            answer = response.json()
        except (ValueError, RecursionError) as error:
            raise CorefError(f"CoreNLP's answer is not JSON: {said!r}") from error
        return read_chains(answer, sent)

    def _too_slow(self, text: str) -> CorefError:
        return CorefError(
            f"CoreNLP did not answer in {self.timeout:g} s for the text {_one_line(text)!r}: "
            "check whether the server is overloaded or short of memory"
        )

    def _broken(self, url: str) -> CorefError:
        failure = self._server.failure() if self._server is not None else None
        if failure is not None:
            return CorefError(f"the CoreNLP server failed: {failure}")
        return CorefError(f"the connection to the CoreNLP server at {url} broke")


def _home(given: str | os.PathLike[str] | None) -> Path:
    if named := given or os.environ.get(_HOME_VARIABLE):
        return Path(named).expanduser()
    try:
        usual = Path.home() / _USUAL_HOME
    except RuntimeError:
        usual = Path(_USUAL_HOME)
    if usual.is_dir():
        return usual
    raise UsageError(
        "there is no CoreNLP: give the address of a running server with --coref-url (http://host:9000), "
        f"or set {_HOME_VARIABLE} to the folder of a CoreNLP download, from which one is started"
    )


def _checked(url: str) -> str:
    """Return a URL without its last slash; never shows what may be a secret."""
    try:
        parts = urlsplit(url)
        # Read for the error that a port out of range gives.
        _ = parts.port
    except ValueError:  # whose message may hold a password
        raise UsageError("the URL of the CoreNLP server is invalid: it is like http://host:9000") from None
    if parts.username is not None or parts.password is not None:
        raise UsageError("the URL of the CoreNLP server must not contain a user name or password")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        shown = f"{parts.scheme}://{parts.hostname or ''}"
        raise UsageError(f"the URL of the CoreNLP server must be like http://host:9000, not {shown}...")
    return url.rstrip("/")


def _one_line(said: str) -> str:
    line = " ".join(said[: 4 * _SHOWN].split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
