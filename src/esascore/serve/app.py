"""The routes of the server: the API, the page, its health and metrics, and REL's protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from importlib import resources
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from esascore._version import __version__
from esascore.reports.html.site import asset
from esascore.reports.jsontext import to_json
from esascore.serve.description import PATHS, document
from esascore.serve.gate import refusal
from esascore.serve.limits import PROBLEM, Limits, Problem
from esascore.serve.pool import Asked, Pool, Progress, Reply, Tell
from esascore.serve.telemetry import Telemetry

STATUS: Final = {"schemaVersion": 1, "label": "status", "message": "up", "color": "green"}
"""The answer to GET where REL's protocol is served: the badge that REL's server shows."""

NDJSON = "application/x-ndjson"
ITEMS = ("check", "detect", "score")
"""What can be done with the items of a request."""

PAGE: Final = {
    "/": ("page", "index.html", "text/html; charset=utf-8"),
    "/page/page.css": ("page", "page.css", "text/css; charset=utf-8"),
    "/page/page.js": ("page", "page.js", "text/javascript; charset=utf-8"),
    "/page/icon.svg": ("page", "icon.svg", "image/svg+xml"),
    "/page/examples.json": ("page", "examples.json", "application/json"),
    # A text is drawn as in the report.
    **{f"/page/{name}": ("report", name, "text/javascript; charset=utf-8") for name in ("dom.js", "card.js")},
    "/page/shared.css": ("report", "shared.css", "text/css; charset=utf-8"),
}
"""Path -> where the file is, its name and its type."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)

Told = Callable[[str], None]
Note = Callable[[str, int, float], None]
"""Called with the path, the status and the seconds of a request."""

Endpoint = Callable[[Request], Awaitable[Response]]


class _Routes:
    """What the routes share."""

    def __init__(self, pool: Pool, limits: Limits, report: Told):
        self._pool, self._limits, self._report = pool, limits, report
        self.telemetry = Telemetry()

    async def _work(
        self, request: Request, what: str, seconds: float, lines: bool = False, tell: Tell = lambda _: None
    ) -> Reply:
        asked = Asked(what, dict(request.query_params), await request.body(), lines)
        reply = await self._pool.answer(asked, request.scope["state"]["left"], seconds, tell)
        self.telemetry.add(reply.counts)
        if reply.line:
            self._report(reply.line)
        return reply

    async def answer(self, what: str, request: Request, lines: bool = False) -> Response:
        reply = await self._work(request, what, self._limits.work_seconds, lines)
        kind = PROBLEM if reply.status >= 400 else NDJSON if lines else "application/json"
        return Response(reply.body, reply.status, reply.headers, kind)

    async def items(self, what: str, request: Request) -> Response:
        lines = request.headers["content-type"].lower().startswith(NDJSON)
        return await self.answer(what, request, lines)

    async def rel(self, request: Request) -> Response:
        return JSONResponse(STATUS) if request.method != "POST" else await self.answer("rel", request)

    async def files(self, request: Request) -> Response:
        steps: asyncio.Queue[Progress | None] = asyncio.Queue()
        seconds = self._limits.report_seconds
        work = asyncio.ensure_future(self._work(request, "report", seconds, tell=steps.put_nowait))
        work.add_done_callback(lambda _: steps.put_nowait(None))
        try:
            first = await steps.get()
            if first is None:  # refused, or done at once
                work.result()
        except BaseException:
            work.cancel()
            raise
        return StreamingResponse(_progress(first, steps, work), media_type=NDJSON)

    async def metrics(self, _: Request) -> Response:
        pool = self._pool
        gauges = {"workers": pool.ready, "waiting_requests": pool.waiting, "workers_stopped": pool.stopped}
        return Response(self.telemetry.text(gauges), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def ready(self, _: Request) -> Response:
        if not self._pool.ready:
            raise Problem(503, "no process is ready to work", {"Retry-After": "1"})
        return JSONResponse({"status": "ready", "workers": self._pool.ready})


async def _progress(
    step: Progress | None, steps: asyncio.Queue[Progress | None], work: asyncio.Future[Reply]
) -> AsyncIterator[str]:
    """Yield one line for each step, then the result or the problem."""
    try:
        while step is not None:
            yield to_json({"done": step.done, "all": step.all}) + "\n"
            step = await steps.get()
        reply = work.result()
        yield _line("problem" if reply.status >= 400 else "result", reply.body)
    except Problem as problem:
        yield _line("problem", problem.body)
    finally:
        work.cancel()


def _line(name: str, body: bytes) -> str:
    return f'{{"{name}": {body.decode()}}}\n'


def make_app(
    pool: Pool,
    limits: Limits,
    *,
    api: bool = True,
    rel: Sequence[str] = (),
    origins: Sequence[str] = (),
    report: Told = lambda _: None,
) -> tuple[Starlette, Note]:
    """Make the application, and the object that counts the requests that were answered.

    Parameters
    ----------
    pool, limits
        The processes that do the work, and their limits.
    api
        Whether there are the API and the page.
    rel
        Paths at which REL's protocol is served.
    origins
        Origins of web pages that may send requests (CORS); by default none.
    report
        Called with one line if something breaks; the line never holds any part of a text.
    """
    routes = _Routes(pool, limits, report)
    endpoints: dict[str, tuple[str, Endpoint]] = {}
    if api:
        endpoints |= {path: ("GET", _file(path)) for path in PAGE}
        endpoints |= {f"/v1/{what}": ("POST", partial(routes.items, what)) for what in ITEMS}
        endpoints["/v1/report"] = "POST", routes.files
        endpoints["/v1/rulers"] = "GET", partial(routes.answer, "rulers")
    endpoints |= {
        "/openapi.json": ("GET", _json(document(PATHS if api else {}))),
        "/healthz": ("GET", _json({"status": "alive", "version": __version__})),
        "/readyz": ("GET", routes.ready),
        "/metrics": ("GET", routes.metrics),
    }
    own = [Route(path, routes.rel, methods=["GET", "POST"]) for path in rel]
    own += [Route(path, made, methods=[method]) for path, (method, made) in endpoints.items()]
    cors = Middleware(
        CORSMiddleware, allow_origins=list(origins), allow_methods=["GET", "POST"], allow_headers=["*"]
    )
    app = Starlette(
        routes=own, middleware=[cors] if origins else [], exception_handlers=_exception_handlers(report)
    )
    known = {*endpoints, *rel}

    def note(path: str, status: int, seconds: float) -> None:
        routes.telemetry.request(path if path in known else "other", status, seconds)

    return app, note


def _file(path: str) -> Endpoint:
    home, name, kind = PAGE[path]
    folder = resources.files(__package__).joinpath(home, name)
    content = asset(name) if home == "report" else folder.read_text(encoding="utf-8")
    return _given(content, kind, {"content-security-policy": _POLICY})


def _json(document: dict[str, Any]) -> Endpoint:
    return _given(bytes(JSONResponse(document).body), "application/json")


def _given(
    content: str | bytes | memoryview, kind: str | None, headers: Mapping[str, str] | None = None
) -> Endpoint:
    """Return a route that always gives the same answer."""

    async def given(_: Request) -> Response:
        return Response(content, headers=headers, media_type=kind)

    return given


def _exception_handlers(report: Told) -> dict[Any, Any]:
    async def refused(_: Request, problem: Problem) -> Response:
        return refusal(problem)

    async def unknown(_: Request, error: HTTPException) -> Response:
        if error.status_code == 405 and error.headers is not None:
            allowed = ", ".join(sorted(error.headers["Allow"].split(", ")))
            return refusal(Problem(405, f"use one of {allowed}", {"Allow": allowed}))
        return refusal(Problem(error.status_code, "there is nothing here"))

    async def broken(_: Request, error: Exception) -> Response:
        report(f"a request failed: {type(error).__name__}")
        return refusal(Problem(500, "the request failed"))

    async def gone(_: Request, _error: ClientDisconnect) -> Response:
        return refusal(Problem(400, "the client left before the end of its request"))

    return {ClientDisconnect: gone, Problem: refused, HTTPException: unknown, Exception: broken}
