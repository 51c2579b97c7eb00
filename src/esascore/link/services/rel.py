"""REL, the Radboud Entity Linker, through its web service."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar

from esascore.cache import AnswerCache
from esascore.errors import UsageError
from esascore.link.base import Links
from esascore.link.services.http import HttpPolicy, HttpService
from esascore.link.services.remote import AnswerError, RemoteLinker, chosen, confidence_of, entity_name
from esascore.link.services.spans import Claim, Unit
from esascore.model import Input

DEFAULT_URL = "http://127.0.0.1:5555"
"""Where REL's server, and `esascore linker serve`, listen unless told otherwise."""


@dataclass(frozen=True, slots=True)
class RelProtocol:
    """``POST {"text": ..., "spans": []}``, answered by a list of mentions.

    A mention is ``[start, length, mention, entity, confidence_ed, confidence_md, tag]``; some versions leave
    out the last three. The confidence is that of the entity, not that of the mention.
    """

    name: ClassVar[str] = "rel"
    settings: ClassVar[str] = ""
    units: ClassVar[Sequence[Unit]] = ("code points", "UTF-16")

    def request(self, text: str) -> tuple[bytes, Mapping[str, str]]:
        """Return the body and the headers that ask for the entities of a text."""
        text.encode()  # half a surrogate pair is no text, though JSON could carry it
        body = json.dumps({"text": text, "spans": []}).encode()
        return body, {"Content-Type": "application/json", "Accept": "application/json"}

    def claims(self, answer: Any) -> list[Claim]:
        """Return what an answer says.

        Examples
        --------
        >>> RelProtocol().claims([[0, 4, "Oslo", "Oslo", 0.9, 0.8, "LOC"]])
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


@dataclass(frozen=True, slots=True)
class RelLinker:
    """Links entities through a server that speaks REL's protocol.

    Parameters
    ----------
    url
        Its address.
    min_confidence
        Leave out mentions of which the server is less sure; those without a confidence stay.
    concurrency
        How many texts are sent at the same time.
    cache
        Where answers are kept; None to keep none.
    policy
        How long to wait, how often to try, how much to accept.
    key
        A key for the server; None for that in the environment variable ``ESASCORE_LINKER_KEY``.
    give_up_after
        How many texts in a row have to fail until the server is taken for down.

    Examples
    --------
    >>> RelLinker("http://127.0.0.1:5555", cache=None, key="").version()
    'rel.v1(http://127.0.0.1:5555)'
    """

    url: str = DEFAULT_URL
    _: KW_ONLY
    min_confidence: float = 0.0
    concurrency: int = 4
    cache: AnswerCache | None = field(default_factory=AnswerCache, compare=False)
    policy: HttpPolicy = field(default_factory=HttpPolicy)
    key: str | None = field(default=None, repr=False, compare=False)
    give_up_after: int = 5
    _remote: RemoteLinker = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.min_confidence <= 1:
            raise UsageError("the least confidence of a linker is between 0 and 1")
        remote = RemoteLinker(
            HttpService(self.url, self.policy, key=self.key),
            RelProtocol(),
            cache=self.cache,
            concurrency=self.concurrency,
            give_up_after=self.give_up_after,
        )
        object.__setattr__(self, "_remote", remote)

    def link(self, texts: Sequence[str], inputs: Sequence[Input] | None = None) -> list[Links]:
        """Return the links of each text, in order; the inputs stay here."""
        return [chosen(links, self.min_confidence) for links in self._remote.ask(texts)]

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
