"""REL's protocol: the requests of clients and the answers of a linker; HTTP is handled elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from esascore.link.base import EntityLinker, LinkedMention, LinkFailure

Answer = tuple[int, int, str, str, float, float, str]
"""Start, length, mention, entity, confidence of the entity and of the mention, type."""

_NO_TYPE = "NULL"  # REL's word where it knows no tag
_LEAST_CHARACTERS = 10_000
_SPANS = '"spans" must be a list of [start, length]'


class BadQuestion(ValueError):  # noqa: N818 - named for what it is to the one who asked
    """A request that cannot be understood; the message says why without repeating any part of it."""


class NoAnswer(Exception):  # noqa: N818
    """The linker failed, which is not the same as finding nothing."""


@dataclass(frozen=True, slots=True)
class Question:
    """A text, and the spans (start, end) to link if only those are wanted.

    Offsets count code points of ``text``, in which every ``&amp;`` of the request has become ``&``.
    """

    text: str
    spans: tuple[tuple[int, int], ...] = ()


def read_question(body: bytes, max_spans: int) -> Question:
    """Read the body of a request.

    Keys other than ``text`` and ``spans`` are left alone, since versions of REL have others.

    Raises
    ------
    BadQuestion
        If it is not JSON in UTF-8, or not such a request.

    Examples
    --------
    >>> read_question(b'{"text": "AT&amp;T in Oslo", "spans": [[0, 4]]}', max_spans=10)
    Question(text='AT&T in Oslo', spans=((0, 4),))
    """
    try:
        data = json.loads(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadQuestion("the body is not UTF-8") from None
    except (ValueError, RecursionError):
        raise BadQuestion("the body is not JSON") from None
    if not isinstance(data, dict):
        raise BadQuestion('the body must be an object: {"text": "...", "spans": []}')
    if not isinstance(text := data.get("text"), str):
        raise BadQuestion('"text" must be given, as a string')
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise BadQuestion('"text" holds half of a surrogate pair')
    text = text.replace("&amp;", "&")
    spans = data.get("spans", [])
    if not isinstance(spans, list):
        raise BadQuestion(_SPANS)
    if len(spans) > max_spans:
        raise BadQuestion(f'"spans" may hold {max_spans} at most')
    asked = tuple(_span(span, len(text)) for span in spans)
    # Each span is linked as a text of its own: together they may be no more work than the text itself.
    if sum(end - start for start, end in asked) > max(len(text), _LEAST_CHARACTERS):
        raise BadQuestion('the spans of "spans" have more characters together than the text')
    return Question(text, asked)


def _span(span: object, size: int) -> tuple[int, int]:
    # GERBIL, through which REL is often asked, sends objects instead of pairs.
    pair = [span.get("start"), span.get("length")] if isinstance(span, dict) else span
    if not isinstance(pair, list) or len(pair) != 2 or any(type(number) is not int for number in pair):
        raise BadQuestion(_SPANS)
    start, length = pair
    if not (0 <= start < size and 0 < length <= size - start):
        raise BadQuestion('a span of "spans" is empty or does not lie in the text')
    return start, start + length


def answer(linker: EntityLinker, asked: Question) -> list[Answer]:
    """Return the entities of a text in text order; where spans were asked for, those of the spans, in order.

    A span is linked as the text around it suggests, and by itself if the linker sees no mention of exactly
    this extent in the text. Spans that name no known entity are left out, as REL does.

    Raises
    ------
    NoAnswer
        If the linker fails.
    """
    if not asked.text.strip():
        return []
    (found,) = _linked(linker, [asked.text])
    if not asked.spans:
        return [_item(mention, mention.start, mention.confidence) for mention in found]
    known = {(mention.start, mention.end): mention for mention in found}
    missed = list(dict.fromkeys(span for span in asked.spans if span not in known))
    alone = _linked(linker, [asked.text[start:end] for start, end in missed]) if missed else []
    for (start, end), mentions in zip(missed, alone, strict=True):
        for mention in mentions:
            if (mention.start, mention.end) == (0, end - start):
                known[start, end] = mention
    # These mentions were given, so there is no confidence of having found them.
    return [_item(known[span], span[0], None) for span in asked.spans if span in known]


def _linked(linker: EntityLinker, texts: Sequence[str]) -> list[tuple[LinkedMention, ...]]:
    found = []
    for links in linker.link(texts):
        if isinstance(links, LinkFailure):
            raise NoAnswer("the linker behind this server has no answer")
        found.append(links)
    return found


def _item(mention: LinkedMention, start: int, as_mention: float | None) -> Answer:
    return (
        start,
        mention.end - mention.start,
        mention.text,
        mention.entity,
        mention.confidence or 0.0,
        as_mention or 0.0,
        mention.type or _NO_TYPE,
    )
