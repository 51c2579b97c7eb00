"""The page and the HTTP API (extra ``serve``): Starlette on uvicorn, with the work in processes of its own.

A request passes through `connection` (limits of the socket), `gate` (permissions), `app` (the routes), `pool`
(processes that can be stopped) and `work` (the answer).
"""
