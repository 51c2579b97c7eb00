"""The routes of the server: the API, the page, what machines ask about it, and REL's protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from importlib import resources
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect

from esascore._version import __version__
from esascore.reports.html.site import asset
from esascore.reports.jsontext import to_json
from esascore.serve.description import FILES, ITEMS, operation
from esascore.serve.limits import PROBLEM, Limits, Problem
from esascore.serve.pool import Asked, Pool, Progress, Reply
from esascore.serve.telemetry import Telemetry

STATUS: Final = {"schemaVersion": 1, "label": "status", "message": "up", "color": "green"}
"""What GET answers where REL's protocol is spoken: the badge that REL's server shows."""

NDJSON = "application/x-ndjson"

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
        self.pool, self.limits, self.told = pool, limits, report
        self.telemetry = Telemetry()

    async def work(self, request: Request, asked: Asked) -> Reply:
        reply = await self.pool.answer(asked, request.scope["state"]["left"], self.limits.work_seconds)
        self.telemetry.add(reply.counts)
        if reply.line:
            self.told(reply.line)
        return reply

    def api(self, what: str) -> Endpoint:
        async def answered(request: Request) -> Response:
            lines = request.headers["content-type"].lower().startswith(NDJSON)
            asked = Asked(what, dict(request.query_params), await request.body(), lines)
            reply = await self.work(request, asked)
            kind = PROBLEM if reply.status >= 400 else NDJSON if lines else "application/json"
            return Response(reply.body, reply.status, reply.headers, kind)

        return answered

    async def rulers(self, request: Request) -> Response:
        reply = await self.work(request, Asked("rulers"))
        return Response(reply.body, media_type="application/json")

    async def rel(self, request: Request) -> Response:
        if request.method != "POST":
            return JSONResponse(STATUS)
        reply = await self.work(request, Asked("rel", {}, await request.body()))
        kind = PROBLEM if reply.status >= 400 else "application/json"
        return Response(reply.body, reply.status, media_type=kind)

    async def files(self, request: Request) -> Response:
        asked = Asked("report", dict(request.query_params), await request.body())
        steps: asyncio.Queue[Progress | None] = asyncio.Queue()
        left, seconds = request.scope["state"]["left"], self.limits.report_seconds
        work = asyncio.ensure_future(self.pool.answer(asked, left, seconds, steps.put_nowait))
        work.add_done_callback(lambda _: steps.put_nowait(None))
        try:
            first = await steps.get()
            if first is None:  # refused, or done at once
                work.result()
        except BaseException:
            work.cancel()
            raise
        return StreamingResponse(self._progress(first, steps, work), media_type=NDJSON)

    async def _progress(
        self, step: Progress | None, steps: asyncio.Queue[Progress | None], work: asyncio.Future[Reply]
    ) -> AsyncIterator[str]:
        """One line for each step, then the result or what is wrong."""
        try:
            while step is not None:
                yield to_json({"done": step.done, "all": step.all}) + "\n"
                step = await steps.get()
            reply = work.result()
            self.telemetry.add(reply.counts)
            if reply.line:
                self.told(reply.line)
            yield ('{"problem": ' if reply.status >= 400 else '{"result": ') + reply.body.decode() + "}\n"
        except Problem as problem:
            yield to_json({"problem": problem.document()}) + "\n"
        finally:
            work.cancel()

    async def metrics(self, _: Request) -> Response:
        gauges = {
            "workers": self.pool.ready,
            "waiting_requests": self.pool.waiting,
            "workers_stopped": self.pool.stopped,
        }
        return Response(self.telemetry.text(gauges), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def ready(self, _: Request) -> Response:
        if not self.pool.ready:
            raise Problem(503, "no process is ready to work", {"Retry-After": "1"})
        return JSONResponse({"status": "ready", "workers": self.pool.ready})


async def _alive(_: Request) -> Response:
    return JSONResponse({"status": "alive", "version": __version__})


def make_app(
    pool: Pool,
    limits: Limits,
    *,
    api: bool = True,
    rel: Sequence[str] = (),
    origins: Sequence[str] = (),
    report: Told = lambda _: None,
) -> tuple[FastAPI, Note]:
    """Make the application, and what wants to know of each request that was answered.

    Parameters
    ----------
    pool, limits
        Who works, and for how long.
    api
        Whether there are the API and the page.
    rel
        Paths at which REL's protocol is spoken.
    origins
        Origins of web pages that may ask (CORS); by default none.
    report
        Called with one line where something breaks; it never holds anything of a text.
    """
    app = FastAPI(title="esascore", version=__version__, docs_url=None, redoc_url=None)
    routes = _Routes(pool, limits, report)
    for path in rel:
        app.add_api_route(path, routes.rel, methods=["GET", "HEAD", "POST"], include_in_schema=False)
    if api:
        _add_api(app, routes)
        for path in PAGE:
            if path not in rel:
                _add_get(app, path, _file(path), include_in_schema=False)
    _add_get(app, "/healthz", _alive, include_in_schema=False)
    _add_get(app, "/readyz", routes.ready, include_in_schema=False)
    _add_get(app, "/metrics", routes.metrics, include_in_schema=False)
    _add_problems(app, report)
    if origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=list(origins), allow_methods=["GET", "POST"], allow_headers=["*"]
        )
    known = {getattr(route, "path", "") for route in app.routes}

    def note(path: str, status: int, seconds: float) -> None:
        routes.telemetry.request(path if path in known else "other", status, seconds)

    return app, note


def _add_api(app: FastAPI, routes: _Routes) -> None:
    for what, option in (("check", "mentions"), ("detect", ""), ("score", "metrics")):
        options = ["profile", *([option] if option else [])]
        app.add_api_route(
            f"/v1/{what}",
            routes.api(what),
            methods=["POST"],
            response_class=Response,
            openapi_extra=operation(what, ITEMS, *options),
        )
    app.add_api_route(
        "/v1/report",
        routes.files,
        methods=["POST"],
        response_class=Response,
        openapi_extra=operation("report", FILES, "profile"),
    )
    _add_get(app, "/v1/rulers", routes.rulers, openapi_extra=operation("rulers"), response_class=Response)


def _add_get(app: FastAPI, path: str, endpoint: Endpoint, **more: Any) -> None:
    app.add_api_route(path, endpoint, methods=["GET"], **more)
    app.add_api_route(path, endpoint, methods=["HEAD"], **{**more, "include_in_schema": False})


def _file(path: str) -> Endpoint:
    home, name, kind = PAGE[path]
    folder = resources.files(__package__).joinpath(home, name)
    content = asset(name) if home == "report" else folder.read_text(encoding="utf-8")

    async def given(_: Request) -> Response:
        return Response(content, headers={"content-security-policy": _POLICY}, media_type=kind)

    return given


def _add_problems(app: FastAPI, report: Told) -> None:
    async def refused(_: Request, problem: Problem) -> Response:
        return Response(to_json(problem.document()), problem.status, problem.headers, PROBLEM)

    async def unknown(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            names = {name for route in app.routes for name in _methods(route, request.url.path)}
            allowed = ", ".join(sorted(names))
            return await refused(request, Problem(405, f"use one of {allowed}", {"Allow": allowed}))
        return await refused(request, Problem(error.status_code, "there is nothing here"))

    async def broken(_: Request, error: Exception) -> Response:
        report(f"a request failed: {type(error).__name__}")
        return Response(to_json(Problem(500, "the request failed").document()), 500, media_type=PROBLEM)

    async def gone(request: Request, _: ClientDisconnect) -> Response:
        return await refused(request, Problem(400, "the client left before the end of its request"))

    app.add_exception_handler(ClientDisconnect, gone)
    app.add_exception_handler(Problem, refused)
    app.add_exception_handler(HTTPException, unknown)
    app.add_exception_handler(Exception, broken)


def _methods(route: Any, path: str) -> set[str]:
    return set(route.methods or ()) if getattr(route, "path", None) == path else set()
