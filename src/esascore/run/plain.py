"""Our objects as plain JSON values and back, field by field; fields with their default are left out."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from esascore import data, fact_results, model, tables, triples
from esascore.claims import hallucinations
from esascore.data import Value
from esascore.errors import UsageError
from esascore.learned import gathering
from esascore.lexicon import closed, known_names
from esascore.sample import Sample

_MODULES = (
    closed, data, fact_results, gathering, hallucinations, known_names, model, tables, triples,
)  # fmt: skip
_CLASSES: dict[str, Any] = {
    name: kind
    for module in _MODULES
    for name, kind in vars(module).items()
    if isinstance(kind, type) and kind.__module__ == module.__name__
}
_COLLECTIONS: dict[str, Any] = {"set": frozenset, "changing": set, "dict": dict}
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
    if isinstance(value, Sample):
        entries = [encoded(one) for one in value.weighed()]
        return {_KIND: "Sample", "bound": value.bound, "limit": value.limit, "entries": entries}
    kind = type(value)
    if kind.__name__ in _CLASSES:
        defaults = _defaults(kind)
        own = {name: getattr(value, name) for name in defaults} if defaults else vars(value)
        kept = {
            name: encoded(one)
            for name, one in own.items()
            if (usual := defaults.get(name, MISSING)) is MISSING
            or type(one) is not type(usual)
            or one != usual
        }
        return {_KIND: kind.__name__, **kept}
    if isinstance(value, list | tuple):
        return [encoded(item) for item in value]
    for name, collection in _COLLECTIONS.items():
        if isinstance(value, collection):
            items = value.items() if collection is dict else value
            return {_KIND: name, "items": sorted(map(encoded, items), key=repr)}
    raise UsageError(f"an evaluation with a {kind.__name__} in its details cannot be saved")


def _defaults(kind: type) -> dict[str, Any]:
    """What the fields of a class are unless they are given, `MISSING` if they must be; {} if it has none."""
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
    if value[_KIND] == "Sample":
        sample: Sample[Any] = Sample(own["bound"])
        sample.merge(own["limit"], own["entries"])
        return sample
    if value[_KIND] in _COLLECTIONS:
        return _COLLECTIONS[value[_KIND]](own["items"])
    kind = _CLASSES[value[_KIND]]
    if _defaults(kind):
        return kind(**own)
    made = object.__new__(kind)
    made.__dict__.update(own)
    return made
