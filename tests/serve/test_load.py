"""What the description allows and forbids, floods, and sudden deaths: ``make test-serve``."""

from __future__ import annotations

import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

import pytest

from fakes import serving

REQUESTS = int(os.environ.get("ESASCORE_SERVE_REQUESTS", "0"))
pytestmark = pytest.mark.skipif(not REQUESTS, reason="make test-serve runs this")
ITEM = {"data": {"name": "Casa do Rio", "rooms": 27}, "text": "Casa do Rio has 32 rooms."}
BODY = json.dumps({"items": [ITEM]}).encode()
WAIT = 60


def one_process(*arguments, port=0):
    """Run the server with one process that works."""
    return serving("serve", "--port", port, "--jobs", "1", *arguments)


def check(address, timeout=WAIT):
    """Ask once; gives the status and the answer."""
    client = http.client.HTTPConnection(urlsplit(address).netloc, timeout=timeout)
    try:
        client.request("POST", "/v1/check", BODY, {"Content-Type": "application/json"})
        reply = client.getresponse()
        return reply.status, json.loads(reply.read())
    finally:
        client.close()


def test_answers_fit_the_description():
    pytest.importorskip("schemathesis", reason="make test-serve installs it")
    with one_process("--max-bytes", "100000") as (process, address):
        done = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "run", f"{address}/openapi.json"),
                *("--max-examples", str(REQUESTS), "--phases", "examples,coverage,fuzzing", "--seed", "1"),
                *("--checks", "not_a_server_error,status_code_conformance,content_type_conformance"),
                *("--checks", "response_schema_conformance,negative_data_rejection"),
                *("--suppress-health-check", "all", "--generation-with-security-parameters", "false"),
            ],
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        assert check(address)[0] == 200
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=WAIT) == ("", "")


def test_a_flood_of_connections_does_not_lock_out_others():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    many = min(10_000, hard - 200)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, many + 200), hard))
    opened: list[socket.socket] = []
    times = []
    with one_process() as (_, address):
        place = urlsplit(address)
        try:
            for number in range(many):
                one = socket.socket()
                one.setblocking(False)
                one.connect_ex((place.hostname, place.port))
                opened.append(one)
                if number % 500 == 499:
                    started = time.monotonic()
                    status, _ = check(address)
                    times.append((time.monotonic() - started, status))
        finally:
            for one in opened:
                one.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert {status for _, status in times} <= {200, 503}
        assert max(seconds for seconds, _ in times) < 1, times
        deadline = time.monotonic() + WAIT
        while check(address)[0] != 200:
            assert time.monotonic() < deadline


def test_a_server_that_is_killed_under_load_starts_again_and_says_the_same():
    with one_process() as (process, address):
        expected = check(address)
        answers, port = [], urlsplit(address).port

        def ask():
            while True:
                try:
                    answers.append(check(address))
                except (OSError, http.client.HTTPException):
                    return

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        process.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join(WAIT)
    assert answers
    assert all(answer == expected for answer in answers)
    with one_process(port=port) as (_, address):
        assert check(address) == expected
