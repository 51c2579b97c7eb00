"""Hallucinations as JSON lines and as figures of systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from esascore.claims.hallucinations import Hallucination
from esascore.metrics.base import Column
from esascore.metrics.hallucination import Hallucinations
from esascore.reports.jsontext import to_json
from esascore.reports.summary import Summary, summarise_parts
from esascore.run.scored import Scored, SystemScores
from esascore.sample import content_hash
from esascore.text.normalize import folded

COLUMNS = (
    Column("texts", "Texts", kind="count"),
    Column("blank", "Blank", kind="count"),
    Column("hallucinated_texts", ">=1", r"$\geq 1$", "count"),
    Column("distinct", "Distinct", kind="count"),
    *Hallucinations.columns,
)
"""What tables show; the first figures are those of Table 4 of the ESA paper."""


def hallucination_lines(part: Scored, systems: Sequence[SystemScores]) -> Iterator[str]:
    """One line per system and text.

    Where a linker failed, the line says so too: what it would have found is unknown.
    """
    ids = [to_json(example.id) for example in part.examples]
    for system in systems:
        name = to_json(system.name)
        columns = zip(ids, system.texts, _found(system), strict=True)
        for position, (own_id, text, some) in enumerate(columns):
            # Strings are written much faster than objects, and most texts have nothing else.
            found = to_json([one.as_dict() for one in some]) if some else "[]"
            line = f'{{"system": {name}, "id": {own_id}, "text": {to_json(text)}, "hallucinations": {found}'
            if system.languages:
                line += f', "language": "{system.languages[position]}"'
            if position in system.unlinked:
                line += f', "linker_failure": {to_json(system.unlinked[position])}'
            yield line + "}\n"


def summarise_hallucinations(parts: Iterable[Scored]) -> Summary:
    """The figures of each system, with the number of distinct things that it adds."""
    distinct: dict[str, set[int]] = {}

    def counted() -> Iterator[Scored]:
        for part in parts:
            for system in part.systems:
                own = {_identity(one) for some in _found(system) for one in some}
                distinct.setdefault(system.name, set()).update(content_hash(*one) for one in own)
            yield part

    summary = summarise_parts(counted())
    rows = []
    for fields in summary.systems:
        counts = {name: fields[name] for name in ("system", "texts", "blank")}
        rows.append({**counts, "distinct": len(distinct[fields["system"]]), **fields})
    return replace(summary, columns=COLUMNS, systems=tuple(rows))


def _found(system: SystemScores) -> Sequence[Sequence[Hallucination]]:
    """The hallucinations of each text of a system, which must have been kept."""
    return system.details[Hallucinations.name]


def _identity(one: Hallucination) -> tuple[str, str]:
    """What makes two hallucinations the same thing: the known entity, otherwise the words."""
    return one.type, one.entity or " ".join(folded(word) for word in one.text.split())
