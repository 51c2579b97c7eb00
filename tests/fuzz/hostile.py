"""A linker service that answers with damaged HTTP, and what its client makes of it."""

from __future__ import annotations

import socket
import threading
from random import Random

from esascore.link.services.http import HttpPolicy
from esascore.link.services.rel import RelLinker
from esascore.model import LinkFailure
from fuzz.mutation import mutated
from fuzz.samples import files

TEXT = "Oslo won in Oslo."
_POLICY = HttpPolicy(
    connect_timeout=2, read_timeout=0.1, total_timeout=0.3, attempts=1, max_bytes=1 << 16, max_redirects=1
)
_HEADS = (
    b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n",
    b"HTTP/1.0 200 OK\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n",
    b"HTTP/1.1 503 Busy\r\nRetry-After: 99999999999\r\nContent-Length: %d\r\n\r\n",
    b"HTTP/1.1 307 Elsewhere\r\nLocation: http://[::1\r\nContent-Length: %d\r\n\r\n",
)


class HostileService:
    """Answers each request with other bytes, one after the other, until it is closed."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._linker = RelLinker(
            f"http://127.0.0.1:{self._socket.getsockname()[1]}", cache=None, policy=_POLICY
        )
        threading.Thread(target=self._serve, daemon=True).start()

    def ask(self) -> None:
        """Ask once: there are links in the text, or a failure that says why."""
        (links,) = self._linker.link([TEXT])
        if isinstance(links, LinkFailure):
            assert links.reason.isprintable(), links
            assert len(links.reason) < 1000, links
        else:
            assert all(TEXT[link.start : link.end] == link.text for link in links), links

    def close(self) -> None:
        """Stop."""
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            with client:
                client.settimeout(1)
                try:
                    client.recv(1 << 16)
                    client.sendall(self._answer())
                except OSError:
                    pass

    def _answer(self) -> bytes:
        body = files()["rel.json"]
        if self._chance.random() < 0.7:
            body = mutated(body, self._chance)
        head = self._chance.choice(_HEADS)
        answer = (head % len(body) if b"%" in head else head) + body
        return mutated(answer, self._chance) if self._chance.random() < 0.7 else answer
