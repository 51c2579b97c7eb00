"""REL, the Radboud Entity Linker, through its web service."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from esascore.link.base import LinkedMention
from esascore.link.services.remote import AnswerError, Claim, RemoteLinker, Unit, confidence_of, entity_name

DEFAULT_URL = "http://127.0.0.1:5555"
"""Where REL's server, and `esascore linker serve`, listen unless told otherwise."""


@dataclass
class RelLinker(RemoteLinker):
    """Links entities through a server that speaks REL's protocol.

    ``POST {"text": ..., "spans": []}`` is answered by a list of mentions, each
    ``[start, length, mention, entity, confidence_ed, confidence_md, tag]``; some versions leave out the last
    three. The confidence is that of the entity, not that of the mention.

    Parameters
    ----------
    url
        Its address.
    min_confidence
        Leave out mentions of which the server is less sure; those without a confidence stay.
    concurrency, cache, policy, key, give_up_after
        As for `RemoteLinker`.

    Examples
    --------
    >>> RelLinker("http://127.0.0.1:5555", cache=None, key="").version()
    'rel.v1(http://127.0.0.1:5555)'
    """

    name: ClassVar[str] = "rel"
    units: ClassVar[Sequence[Unit]] = ("code points", "UTF-16")

    url: str = DEFAULT_URL
    _: KW_ONLY
    min_confidence: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_confidence(self.min_confidence)

    def is_sure(self, mention: LinkedMention) -> bool:
        """Return whether a mention that the service found is to be kept."""
        return mention.confidence is None or mention.confidence >= self.min_confidence

    def request(self, text: str) -> tuple[bytes, Mapping[str, str]]:
        """Return the body and the headers that ask for the entities of a text."""
        text.encode()  # half a surrogate pair is not text, though JSON could carry it
        body = json.dumps({"text": text, "spans": []}).encode()
        return body, {"Content-Type": "application/json", "Accept": "application/json"}

    def claims(self, answer: Any) -> list[Claim]:
        """Return what an answer says.

        Examples
        --------
        >>> RelLinker(cache=None).claims([[0, 4, "Oslo", "Oslo", 0.9, 0.8, "LOC"]])
        [Claim(start=0, length=4, mention='Oslo', entity='Oslo', confidence=0.9, type='LOC')]
        """
        if not isinstance(answer, list):
            raise AnswerError("not a list")
        return [claim for row in answer if (claim := self._claim(row)) is not None]

    def _claim(self, row: Any) -> Claim | None:
        if not isinstance(row, list) or not 4 <= len(row) <= 7:
            raise AnswerError("not a list of mentions")
        start, length, mention, entity, *more = row
        if type(start) is not int or type(length) is not int or not isinstance(mention, str):
            raise AnswerError("a mention without start, length or words")
        if entity is not None and not isinstance(entity, str):
            raise AnswerError("an entity without a name")
        if entity is None or (name := entity_name(entity)) is None:
            return None
        tag = more[2] if len(more) > 2 else None
        kind = tag if isinstance(tag, str) and tag not in ("", "NULL") and tag.isprintable() else None
        return Claim(start, length, mention, name, confidence_of(more[0]) if more else None, kind)

    def version(self) -> str:
        """Return what the signature says about this linker."""
        least = f",confidence>={self.min_confidence:g}" if self.min_confidence else ""
        return f"rel.v1({self.url}{least})"


def rel_linker(url: str | None = None, **options: Any) -> RelLinker:
    """Return a linker that asks REL's server, on this machine unless another URL is given.

    ``options`` are those of `RelLinker`.

    Examples
    --------
    >>> rel_linker(cache=None).url
    'http://127.0.0.1:5555'
    """
    return RelLinker(DEFAULT_URL if url is None else url, **options)
