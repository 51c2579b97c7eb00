"""A server that speaks CoreNLP's HTTP protocol and takes Java's command line; run as a process of its own.

It knows one kind of chain: the first capitalised name of a text and all its pronouns. Words in capitals make
it fail in the ways that real servers do. ``FAKE_CORENLP`` in the environment makes it fail at the start.
Under ``/requests`` it tells what it was asked, which no real server does.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

PRONOUNS = ("he", "she", "it", "his", "her", "its")


def say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def annotation(text: str) -> dict:
    sentences, mentions, tokens = [], [], []
    for match in re.finditer(r"\w+|[^\w\s]", text):
        begin, word = units(text[: match.start()]), match.group()
        token = {
            "index": len(tokens) + 1,
            "word": word,
            "originalText": word,
            "characterOffsetBegin": begin,
            "characterOffsetEnd": begin + units(word),
        }
        tokens.append(token)
        if word.lower() in PRONOUNS or (word.istitle() and not mentions):
            mentions.append((len(sentences) + 1, len(tokens)))
        if word in ".!?":
            sentences.append({"index": len(sentences), "tokens": tokens})
            tokens = []
    if tokens:
        sentences.append({"index": len(sentences), "tokens": tokens})
    chain = [{"sentNum": number, "startIndex": at, "endIndex": at + 1} for number, at in mentions]
    return {"sentences": sentences, "corefs": {"7": chain} if len(chain) > 1 else {}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests: ClassVar[list[dict]] = []
    busy = most_busy = 0
    lock = threading.Lock()

    def log_message(self, *args: object) -> None:
        pass

    def send(self, status: int, body: str, kind: str = "text/plain") -> None:
        raw = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def do_GET(self) -> None:
        if self.path == "/ping":
            self.send(200, "hello" if os.environ.get("FAKE_CORENLP") == "stranger" else "pong\n")
        elif self.path == "/requests":
            self.send(200, json.dumps({"requests": self.requests, "most_busy": Handler.most_busy}))
        else:
            self.send(404, f"URI {self.path} not handled")

    def do_POST(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        properties = json.loads(query["properties"][0])
        text = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
        with Handler.lock:
            self.requests.append({"text": text, "properties": properties, "reset": query["resetDefault"][0]})
            Handler.busy += 1
            Handler.most_busy = max(Handler.most_busy, Handler.busy)
        try:
            self.answer(text, properties)
        finally:
            with Handler.lock:
                Handler.busy -= 1

    def answer(self, text: str, properties: dict) -> None:
        if "PAUSE" in text:
            time.sleep(0.2)
        if "HANG" in text:
            time.sleep(60)
        if "CRASH" in text:
            say("Exception in thread main java.lang.OutOfMemoryError: Java heap space\n\tat edu.stanford.X")
            os._exit(3)
        if "CUT" in text:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"sentences": [')
            self.close_connection = True
        elif "ERROR" in text:
            self.send(500, "java.lang.RuntimeException: no\nmodel\n\tat somewhere")
        elif "LATE" in text:
            self.send(500, "CoreNLP request timed out. Your document may be too long.")
        elif "LONG" in text:
            self.send(
                400, "Request is too long to be handled by server: 7 characters. Max length is 6 characters."
            )
        elif "GARBAGE" in text or properties.get("outputFormat") != "json":
            self.send(200, "<html>\nsorry</html>")
        elif "LIST" in text:
            self.send(200, "[1, 2]")
        else:
            answer = annotation(text)
            if "coref" not in properties["annotators"].split(",") or "NOCHAINS" in text:
                del answer["corefs"]
            if "SHIFT" in text:
                for token in (token for sentence in answer["sentences"] for token in sentence["tokens"]):
                    token["characterOffsetBegin"] += 1
                    token["characterOffsetEnd"] += 1
            self.send(200, json.dumps(answer), "application/json;charset=UTF-8")


def main() -> None:
    mode = os.environ.get("FAKE_CORENLP", "")
    if note := os.environ.get("FAKE_CORENLP_NOTE"):
        with Path(note).open("a") as file:
            file.write(json.dumps({"pid": os.getpid(), "arguments": sys.argv[1:]}) + "\n")
    if mode == "broken":
        say("loading\nError: Could not find or load main class edu.stanford.nlp.X\nCaused by: things")
        sys.exit(1)
    if mode == "silent":
        sys.exit(4)
    if mode == "idle":
        time.sleep(60)
    port = int(sys.argv[sys.argv.index("-port") + 1])
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    say(f"listening on {server.server_address[1]}")
    server.serve_forever()


if __name__ == "__main__":
    main()
