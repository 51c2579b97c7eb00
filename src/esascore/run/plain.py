"""Our objects as plain JSON values and back, field by field; fields with their default are left out."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from esascore import data, fact_results, model, tables, triples
from esascore.claims import hallucinations
from esascore.data import Value
from esascore.errors import UsageError

_MODULES = (data, fact_results, hallucinations, model, tables, triples)
_CLASSES: dict[str, Any] = {
    name: kind
    for module in _MODULES
    for name, kind in vars(module).items()
    if isinstance(kind, type) and kind.__module__ == module.__name__
}
_COLLECTIONS: dict[str, Any] = {"set": frozenset, "dict": dict}
_KIND = "$"


def encoded(value: Any) -> Any:
    """Write objects as plain JSON values.

    Raises
    ------
    UsageError
        One is of a kind that no file can hold.

    Examples
    --------
    >>> graph = model.Input.from_triples([("Bionico", "country", "Mexico")])
    >>> decoded(encoded(graph)) == graph
    True
    """
    if isinstance(value, Value):
        return {_KIND: "Value", "text": str(value), "attribute": value.attribute}
    if value is None or isinstance(value, str | int | float):
        return value
    kind = type(value)
    if kind.__name__ in _CLASSES:
        own = {name: (getattr(value, name), usual) for name, usual in _defaults(kind).items()}
        kept = {
            name: one for name, (one, usual) in own.items() if type(one) is not type(usual) or one != usual
        }
        return {_KIND: kind.__name__, **{name: encoded(one) for name, one in kept.items()}}
    if isinstance(value, list | tuple):
        return [encoded(item) for item in value]
    for name, collection in _COLLECTIONS.items():
        if isinstance(value, collection):
            items = value.items() if collection is dict else value
            return {_KIND: name, "items": sorted(map(encoded, items), key=repr)}
    raise UsageError(f"an evaluation with a {kind.__name__} in its details cannot be saved")


def _defaults(kind: type) -> dict[str, Any]:
    """The defaults of the fields of a class, `MISSING` if there is none."""
    if is_dataclass(kind):
        return {field.name: field.default for field in fields(kind) if field.init}
    named: Any = kind
    return {name: named._field_defaults.get(name, MISSING) for name in getattr(kind, "_fields", ())}


def decoded(value: Any) -> Any:
    """Rebuild the objects from what `encoded` returned."""
    if isinstance(value, list):
        return tuple(map(decoded, value))
    if not isinstance(value, dict):
        return value
    own = {name: decoded(one) for name, one in value.items() if name != _KIND}
    if value[_KIND] == "Value":
        return Value(own["text"], own["attribute"])
    if value[_KIND] in _COLLECTIONS:
        return _COLLECTIONS[value[_KIND]](own["items"])
    return _CLASSES[value[_KIND]](**own)
