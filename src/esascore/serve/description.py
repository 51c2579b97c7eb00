"""What the API takes and gives, as OpenAPI describes it."""

from __future__ import annotations

from typing import Any

from esascore.serve.limits import PROBLEM

Schema = dict[str, Any]

_STRING: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_OR_NULL: Schema = {"type": ["string", "null"]}
_SHARE: Schema = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_PLACE: Schema = {"type": "integer", "minimum": 0}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _object(_optional: dict[str, Schema] | None = None, **fields: Schema) -> Schema:
    own = {name.rstrip("_"): schema for name, schema in fields.items()}
    return {"type": "object", "properties": own | (_optional or {}), "required": list(own)}


_TRIPLE: Schema = {"type": "array", "items": {"type": ["string", "number"]}, "minItems": 3, "maxItems": 3}
_COMMON = {
    "id": {"type": ["string", "integer", "null"]},
    "text": {"type": "string", "description": "the text to check"},
    "references": {"oneOf": [_STRING, _list(_STRING)]},
}
_DATA: Schema = {
    "type": ["object", "array", "string", "number", "boolean"],
    "description": "any structured data",
}


def _item(name: str, schema: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {**_COMMON, name: schema},
        "required": [name, "text"],
        "additionalProperties": False,
    }


ITEMS: Schema = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "items": {"oneOf": [_item("data", _DATA), _item("triples", _list(_TRIPLE))]},
            "maxItems": 100,
        }
    },
    "required": ["items"],
    "additionalProperties": False,
}
_FILE = {**_object(name=_STRING, content=_STRING), "additionalProperties": False}
FILES: Schema = {**_object(corpus=_FILE, outputs=_list(_FILE)), "additionalProperties": False}

_MENTION = _object(
    {"attribute": _OR_NULL},
    entity=_STRING,
    start=_PLACE,
    end=_PLACE,
    text=_STRING,
    method=_STRING,
    distance={"type": ["number", "null"]},
)
_FLAG = _object(
    {"attribute": _OR_NULL, "fact": _list(_STRING)},
    start=_PLACE,
    end=_PLACE,
    text=_STRING,
    type=_STRING,
    class_=_STRING,
    entity=_OR_NULL,
    nearest=_OR_NULL,
    confidence=_NUMBER,
    expected=_OR_NULL,
    reason=_STRING,
)
_DETECTED = {"entities": _list(_STRING), "undetected": _list(_STRING), "mentions": _list(_MENTION)}
_MISSING = _object(attribute=_STRING, subject=_STRING, value={"type": ["string", "boolean"]})
_CHECKED = _object(
    _DETECTED,
    id=_STRING,
    ok={"type": "boolean"},
    text=_STRING,
    flags=_list(_FLAG),
    missing=_list(_MISSING),
    coverage=_SHARE,
    support={"type": "number", "minimum": 0, "maximum": 1},
)
ANSWERS: dict[str, Schema] = {
    "check": _object(signature=_STRING, items=_list(_CHECKED)),
    "detect": _object(
        signature=_STRING,
        items=_list(_object(**_DETECTED, id=_STRING, text=_STRING, esa=_SHARE, missing=_list(_MISSING))),
    ),
    "score": _object(
        signature=_STRING,
        items=_list(
            _object(
                id=_STRING, scores={"type": "object", "additionalProperties": {"type": ["number", "null"]}}
            )
        ),
    ),
    "rulers": _object(rulers=_list(_object(profile=_STRING, signature=_STRING))),
}
_PROBLEM = _object(type=_STRING, title=_STRING, status={"type": "integer"}, detail=_STRING)
_REFUSALS = (400, 401, 408, 411, 413, 415, 421, 422, 429, 500, 503)


def operation(what: str, body: Schema | None = None, *options: str) -> dict[str, Any]:
    """Describe an operation: what it takes and gives."""
    answer = ANSWERS.get(what, {})
    given = (
        {"application/json": {"schema": answer}} if answer else {"application/x-ndjson": {"schema": _STRING}}
    )
    refusals = {
        str(status): {"description": "refused", "content": {PROBLEM: {"schema": _PROBLEM}}}
        for status in _REFUSALS
    }
    described: dict[str, Any] = {
        "operationId": what,
        "responses": {"200": {"description": "answered", "content": given}, **refusals},
    }
    if body is not None:
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    described["parameters"] = [_OPTIONS[name] for name in options]
    return described


def _option(name: str, schema: Schema, description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": description}


_OPTIONS = {
    "profile": _option("profile", {"type": "string", "enum": ["default", "paper"]}, "a name of /v1/rulers"),
    "mentions": _option("mentions", {"type": "boolean"}, "also give the mentions of /v1/detect"),
    "metrics": _option(
        "metrics", {"type": "string", "enum": ["esa", "hallucination", "faithfulness"]}, "names, with commas"
    ),
}
