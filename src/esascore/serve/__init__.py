"""The page and the HTTP API (extra ``serve``): Starlette on uvicorn, with the work in processes of its own.

A request passes `connection` (what may come over a socket), `gate` (who may ask), `app` (the routes), `pool`
(a process that can be stopped) and `work` (what is asked).
"""
