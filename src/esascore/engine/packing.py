"""What processes send each other: plain tuples, which pickle many times faster than our dataclasses."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from esascore.model import (
    Cell,
    Detection,
    Graph,
    Input,
    LinkedMention,
    LinkFailure,
    Links,
    Mention,
    Table,
    Triple,
)

Item = tuple[Input, str]

_triple = attrgetter("subject", "predicate", "object")
_cell = attrgetter(*Cell.__slots__)
_link = attrgetter("start", "end", "entity", "confidence", "type")
_mention = attrgetter("entity", "start", "end", "method", "distance", "variant", "cost", "also")


def pack_items(items: Sequence[Item]) -> tuple[list[Any], list[tuple[int, str]]]:
    """Each input once, and per item the number of its input and its text."""
    numbers: dict[int, int] = {}
    inputs: list[Any] = []
    pairs = []
    for input_, text in items:
        if id(input_) not in numbers:
            numbers[id(input_)] = len(inputs)
            inputs.append(_packed_input(input_))
        pairs.append((numbers[id(input_)], text))
    return inputs, pairs


def unpack_items(packed: tuple[list[Any], list[tuple[int, str]]]) -> list[Item]:
    """Rebuild inputs and texts."""
    inputs: list[Input] = []
    for kind, parts, *rest in packed[0]:
        if kind == "graph":
            inputs.append(Graph(tuple(Triple(*part) for part in parts), *rest))
        else:
            inputs.append(Table(tuple(Cell(*part) for part in parts), *rest))
    return [(inputs[number], text) for number, text in packed[1]]


def pack_detections(detections: Sequence[Detection]) -> list[tuple[Any, ...]]:
    """Detections without their texts."""
    return [
        (found.entities, found.undetected, tuple(map(_mention, found.mentions)), _packed_links(found.links))
        for found in detections
    ]


def unpack_detections(items: Sequence[Item], packed: Sequence[tuple[Any, ...]]) -> list[Detection]:
    """Rebuild detections; the texts did not travel back, mentions are cut out of ours."""
    return [
        Detection(
            text,
            entities,
            tuple(
                Mention(entity, start, end, text[start:end], *rest) for entity, start, end, *rest in mentions
            ),
            undetected,
            _unpacked_links(text, links),
        )
        for (_, text), (entities, undetected, mentions, links) in zip(items, packed, strict=True)
    ]


def _packed_input(input_: Input) -> tuple[Any, ...]:
    if isinstance(input_, Graph):
        return ("graph", tuple(map(_triple, input_.triples)), input_.category)
    texts = (input_.title, input_.section_title, input_.section_text)
    return ("table", tuple(map(_cell, input_.cells)), *texts, input_.category)


def _packed_links(links: Links | None) -> Any:
    """Links as plain tuples, a failure as its reason."""
    if links is None:
        return None
    return links.reason if isinstance(links, LinkFailure) else tuple(map(_link, links))


def _unpacked_links(text: str, packed: Any) -> Links | None:
    if packed is None:
        return None
    if isinstance(packed, str):
        return LinkFailure(packed)
    return tuple(LinkedMention(start, end, text[start:end], *rest) for start, end, *rest in packed)
