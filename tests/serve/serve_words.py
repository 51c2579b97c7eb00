"""A process that serves a toy linker, with limits for every test, until its standard input ends."""

from __future__ import annotations

import sys
import time

from esascore.link.base import LinkedMention, LinkFailure
from esascore.serve.limits import Limits
from esascore.serve.server import Server


class Toy:
    def link(self, texts, documents=None):
        return [self._links(text) for text in texts]

    def _links(self, text):
        if "BREAK" in text:
            raise ValueError(text)
        if "DOWN" in text:
            return LinkFailure(text)
        if "SLOW" in text:
            time.sleep(0.6)
        if "ENDLESS" in text:
            while True:
                pass
        at = text.find("Oslo")
        return () if at < 0 else (LinkedMention(at, at + 4, "Oslo", "Oslo", 0.9, "Place"),)

    def version(self):
        return "toy"


class Nothing(Toy):
    def _links(self, text):
        return ()


class Silent(Toy):
    def link(self, texts, documents=None):
        return []


SERVERS = {
    "plain": Limits(max_bytes=2_000, max_head_bytes=4_000),
    "hasty": Limits(read_seconds=0.3, idle_seconds=0.3, workers=1, work_seconds=0.5),
    "narrow": Limits(workers=1, wait_seconds=0.05, read_seconds=5),
    "full": Limits(connections=1, workers=1),
}


def tell(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main():
    servers = [
        Server(port=0, limits=limits, linker=Toy, rel=True, report=lambda line: sys.stderr.write(line + "\n"))
        for limits in SERVERS.values()
    ]
    for server in servers:
        server.start()
    tell(" ".join(server.url.rpartition(":")[2] for server in servers))
    sys.stdin.read()
    for server in servers:
        server.close()
    tell("closed")


if __name__ == "__main__":
    main()
