"""JSON lines: the detections of texts, their hallucinations, and the scores of every text of every system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from esascore.data import Value
from esascore.languages import Language
from esascore.model import Detection, Example, LinkedMention, LinkFailure, Mention
from esascore.reports.jsontext import to_json
from esascore.run.scored import Scored, SystemScores
from esascore.text.document import Document

if TYPE_CHECKING:
    from esascore.fact_results import FactVerdict

_MENTION = ("entity", "start", "end", "text", "method", "distance")
_LINK = ("start", "end", "text", "entity", "confidence", "type")


def detection_record(
    example: Example, found: Detection, facts: Sequence[FactVerdict] | None = None
) -> dict[str, Any]:
    """One text with its entities, which of them were found where, which were not, and what it leaves out.

    ``facts`` is what the text says about the facts of its input, if a model was asked.

    Examples
    --------
    >>> from esascore.model import Input
    >>> example = Example("Id1", Input.from_triples([("Bionico", "country", "Mexico")]))
    >>> record = detection_record(example, Detection("Bionico.", ("Bionico", "Mexico"), (), ("Mexico",)))
    >>> record["esa"], record["undetected"], record["missing"]
    (0.5, ['Mexico'], [{'attribute': 'country', 'subject': 'Bionico', 'value': 'Mexico'}])
    """
    from esascore.claims.omissions import missing  # scores of segments need no claims

    document = Document(example.input, found.text)
    document.written_in(language := Language(found.language))
    unsaid = missing(document if language.english else document.as_read, found)
    record: dict[str, Any] = {
        "id": example.id,
        "text": found.text,
        "entities": list(found.entities),
        "esa": found.esa,
        "undetected": list(found.undetected),
        "missing": [one.as_dict() for one in unsaid],
        "mentions": [_fields(mention, _MENTION) for mention in found.mentions],
        "language": found.language,
    }
    if language.checks_off:
        record["checks_off"] = [list(one) for one in language.checks_off]
    if isinstance(found.links, LinkFailure):
        record |= {"links": None, "linker_failure": found.links.reason}
    elif found.links is not None:
        record["links"] = [_fields(link, _LINK) for link in found.links]
    if facts is not None:
        record["facts"] = [verdict.as_dict() for verdict in facts]
    return record


def detection_lines(part: Scored, systems: Sequence[SystemScores]) -> Iterator[str]:
    """Yield one line per system and text, systems in the given order."""
    for system in systems:
        facts = system.details.get("facts") or [None] * len(part.examples)
        for text in zip(part.examples, system.detections or (), facts, strict=True):
            yield to_json(detection_record(*text)) + "\n"


def hallucination_lines(part: Scored, systems: Sequence[SystemScores]) -> Iterator[str]:
    """One line per system and text.

    Where a linker failed, the line says so too: what it would have found is unknown.
    """
    ids = [to_json(example.id) for example in part.examples]
    for system in systems:
        name = to_json(system.name)
        columns = zip(ids, system.texts, system.details["hallucination"], strict=True)
        for position, (own_id, text, some) in enumerate(columns):
            # Strings are written much faster than objects, and most texts have nothing else.
            found = to_json([one.as_dict() for one in some]) if some else "[]"
            line = f'{{"system": {name}, "id": {own_id}, "text": {to_json(text)}, "hallucinations": {found}'
            if system.languages:
                line += f', "language": "{system.languages[position]}"'
            if position in system.unlinked:
                line += f', "linker_failure": {to_json(system.unlinked[position])}'
            yield line + "}\n"


def segment_lines(evaluation: Scored, systems: Sequence[SystemScores] | None = None) -> Iterator[str]:
    """One line per system (of all, or some) and text, systems in their order; undefined scores are null."""
    return (to_json(record) + "\n" for record in segment_records(evaluation, systems))


def segment_records(
    evaluation: Scored, systems: Sequence[SystemScores] | None = None
) -> Iterator[dict[str, Any]]:
    """The scores of each text of each system (of all, or some); undefined ones are None."""
    for system in evaluation.systems if systems is None else systems:
        columns = {m.name: m.segment_scores(system.statistics[m.name]) for m in evaluation.metrics}
        for position, example in enumerate(evaluation.examples):
            scores = {name: column[position] for name, column in columns.items()}
            record: dict[str, Any] = {"system": system.name, "id": example.id, "scores": scores}
            if position in system.unlinked:
                record["linker_failure"] = True
            yield record


def _fields(one: Mention | LinkedMention, names: Sequence[str]) -> dict[str, Any]:
    fields = {name: getattr(one, name) for name in names}
    if isinstance(one.entity, Value):
        fields["attribute"] = one.entity.attribute
    return fields
