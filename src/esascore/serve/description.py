"""The OpenAPI description of the API."""

from __future__ import annotations

from typing import Any

from esascore._version import __version__
from esascore.serve.limits import PROBLEM

Schema = dict[str, Any]

_STRING: Schema = {"type": "string"}
_BOOLEAN: Schema = {"type": "boolean"}
_NUMBER: Schema = {"type": "number"}
_NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}
_STRING_OR_NULL: Schema = {"type": ["string", "null"]}
_SHARE: Schema = {**_NUMBER_OR_NULL, "minimum": 0, "maximum": 1}
_SURE_SHARE: Schema = {**_NUMBER, "minimum": 0, "maximum": 1}
_PLACE: Schema = {"type": "integer", "minimum": 0}


def _list(of: Schema, **limits: int) -> Schema:
    return {"type": "array", "items": of, **limits}


def _object(_optional: dict[str, Schema] | None = None, /, **fields: Schema) -> Schema:
    return {"type": "object", "properties": fields | (_optional or {}), "required": list(fields)}


def _closed(*optional: dict[str, Schema], **fields: Schema) -> Schema:
    return {**_object(*optional, **fields), "additionalProperties": False}


_COMMON: dict[str, Schema] = {
    "id": {"type": ["string", "integer", "null"]},
    "references": {"oneOf": [_STRING, _list(_STRING)]},
}
_TEXT: Schema = {**_STRING, "description": "the text to check"}
_DATA: Schema = {
    "type": ["object", "array", "string", "number", "boolean"],
    "description": "any structured data",
}
_TRIPLES = _list(_list({"type": ["string", "number"]}, minItems=3, maxItems=3))
_ITEM: Schema = {
    "oneOf": [_closed(_COMMON, data=_DATA, text=_TEXT), _closed(_COMMON, triples=_TRIPLES, text=_TEXT)]
}
_ITEMS = _closed(items=_list(_ITEM))
_FILE = _closed(name=_STRING, content=_STRING)
_FILES = _closed(corpus=_FILE, outputs=_list(_FILE))

_SPAN = {"start": _PLACE, "end": _PLACE, "text": _STRING}
_NAMED = {"entity": _STRING_OR_NULL, "nearest": _STRING_OR_NULL, "confidence": _NUMBER}
_PATH = {"attribute": _STRING_OR_NULL}
_MENTION = _object(_PATH, entity=_STRING, **_SPAN, method=_STRING, distance=_NUMBER_OR_NULL)
_FLAG = _object(
    {**_PATH, "fact": _list(_STRING)},
    **{**_SPAN, "type": _STRING, "class": _STRING, **_NAMED},
    expected=_STRING_OR_NULL,
    reason=_STRING,
)
_DETECTED = {"entities": _list(_STRING), "undetected": _list(_STRING), "mentions": _list(_MENTION)}
_MISSING = _list(_object(attribute=_STRING, subject=_STRING, value={"type": ["string", "boolean"]}))
_VERDICT = {"flags": _list(_FLAG), "missing": _MISSING, "coverage": _SHARE}
_CHECKED = _object(_DETECTED, id=_STRING, ok=_BOOLEAN, text=_STRING, **_VERDICT, support=_SURE_SHARE)
_FOUND = _object(**_DETECTED, id=_STRING, text=_STRING, esa=_SHARE, missing=_MISSING)
_SCORED = _object(id=_STRING, scores={"type": "object", "additionalProperties": _NUMBER_OR_NULL})
_RULER = _object(profile=_STRING, signature=_STRING)

_PROFILE = ("profile", {**_STRING, "enum": ["default", "paper"]}, "a name of /v1/rulers")
_MENTIONS = ("mentions", _BOOLEAN, "also give the mentions of /v1/detect")
_METRICS = ("metrics", {**_STRING, "enum": ["esa", "hallucination", "faithfulness"]}, "names, with commas")
_PROBLEM = _object(type=_STRING, title=_STRING, status={"type": "integer"}, detail=_STRING)
_REFUSALS = (400, 401, 408, 411, 413, 415, 421, 422, 429, 500, 503)


def _content(schema: Schema, kind: str = "application/json") -> dict[str, Any]:
    return {"content": {kind: {"schema": schema}}}


def _operation(
    what: str, body: Schema | None, answer: dict[str, Any], *options: tuple[str, Schema, str]
) -> dict[str, Any]:
    """Describe an operation: its request and its answers."""
    refused = {"description": "refused", **_content(_PROBLEM, PROBLEM)}
    return {
        "operationId": what,
        "responses": {
            "200": {"description": "answered", **answer},
            **{str(status): refused for status in _REFUSALS},
        },
        **({} if body is None else {"requestBody": {"required": True, **_content(body)}}),
        "parameters": [
            {"name": name, "in": "query", "required": False, "schema": schema, "description": told}
            for name, schema, told in options
        ],
    }


def _answer(item: Schema) -> dict[str, Any]:
    return _content(_object(signature=_STRING, items=_list(item)))


PATHS = {
    "/v1/check": {"post": _operation("check", _ITEMS, _answer(_CHECKED), _PROFILE, _MENTIONS)},
    "/v1/detect": {"post": _operation("detect", _ITEMS, _answer(_FOUND), _PROFILE)},
    "/v1/score": {"post": _operation("score", _ITEMS, _answer(_SCORED), _PROFILE, _METRICS)},
    "/v1/report": {"post": _operation("report", _FILES, _content(_STRING, "application/x-ndjson"), _PROFILE)},
    "/v1/rulers": {"get": _operation("rulers", None, _content(_object(rulers=_list(_RULER))))},
}
"""Path -> method -> its description."""


def document(paths: dict[str, Any]) -> dict[str, Any]:
    """Describe the API with these paths."""
    return {"openapi": "3.1.0", "info": {"title": "esascore", "version": __version__}, "paths": paths}
