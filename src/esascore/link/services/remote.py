"""Entity linkers that are web services: what is asked, how often, and what is done when they fail."""

from __future__ import annotations

import html
import json
import math
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from contextlib import suppress
from typing import Any, Protocol
from urllib.parse import unquote

from esascore.cache import AnswerCache, answer_key
from esascore.errors import UsageError
from esascore.link.base import LinkedMention, LinkFailure, Links
from esascore.link.services.http import HttpService, ServiceFailure, shown_text
from esascore.link.services.spans import Claim, PlainText, Unit, located, without_overlaps

_ANSWERS_IN_A_TRANSACTION = 200
_FORMAT = "1"
_TOLERANCE = 1e-6
_CHARACTER_REFERENCE = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")


class LinkProtocol(Protocol):
    """What two sides of a service agree on."""

    @property
    def name(self) -> str:
        """The kind of its answers in the cache."""
        ...

    @property
    def settings(self) -> str:
        """What is sent with every text, for it changes the answers."""
        ...

    @property
    def units(self) -> Sequence[Unit]:
        """How it counts characters, the likeliest first."""
        ...

    def request(self, text: str) -> tuple[bytes, Mapping[str, str]]:
        """Return the body and the headers that ask for the entities of a text."""
        ...

    def claims(self, answer: Any) -> list[Claim]:
        """Return what an answer says; raises `ValueError` where it is not of the agreed form."""
        ...


class RemoteLinker:
    """Asks a service about texts: each distinct text once, several at a time, those on disk not at all.

    Parameters
    ----------
    service
        Where to ask.
    protocol
        What to ask.
    cache
        Where answers are kept; None to keep none. Failures are never kept.
    concurrency
        How many texts are asked about at the same time.
    give_up_after
        How many texts in a row have to fail by the fault of the service until it is taken for down. The other
        texts of the batch fail with the same reason; the next batch tries one text, once, before all others.
    """

    def __init__(
        self,
        service: HttpService,
        protocol: LinkProtocol,
        *,
        cache: AnswerCache | None,
        concurrency: int,
        give_up_after: int,
    ):
        if concurrency < 1 or give_up_after < 1:
            raise UsageError("a linker needs at least one request at a time, and one failure to give up")
        self._service = service
        self._protocol = protocol
        self._cache = cache
        self._concurrency = concurrency
        self._give_up_after = give_up_after
        self._down = False

    def ask(self, texts: Sequence[str]) -> list[Links]:
        """Return the mentions of each text as the service has them, in any order, or why they are unknown."""
        known: dict[str, Links] = {text: () for text in texts if not text.strip()}
        asked = [text for text in dict.fromkeys(texts) if text not in known]
        known |= self._kept(asked)
        missing = [text for text in asked if text not in known]
        if missing and self._down:
            probe, *missing = missing
            known |= self._fetch([probe], attempts=1, give_up_after=1)
            if self._down:
                known |= dict.fromkeys(missing, known[probe])
                missing = []
        if missing:
            known |= self._fetch(missing, attempts=None, give_up_after=self._give_up_after)
        return [known[text] for text in texts]

    def _fetch(self, texts: Sequence[str], *, attempts: int | None, give_up_after: int) -> dict[str, Links]:
        run = _Run(give_up_after)
        found: dict[str, Links] = {}
        fresh: dict[str, str] = {}

        def one(text: str) -> Links:
            return run.guarded(lambda: self._one(text, attempts))

        try:
            with ThreadPoolExecutor(min(self._concurrency, len(texts)), "esascore-linker") as threads:
                futures: dict[Future[Links], str] = {threads.submit(one, text): text for text in texts}
                try:
                    for future in as_completed(futures):
                        text, links = futures[future], future.result()
                        found[text] = links
                        if not isinstance(links, LinkFailure):
                            fresh[self._key(text)] = _packed(links)
                        if len(fresh) >= _ANSWERS_IN_A_TRANSACTION:
                            self._keep(fresh)
                except BaseException:
                    run.stop()
                    while wait(futures, timeout=0.05).not_done:
                        self._service.close()  # not once, for a request may begin just after that
                    raise
        finally:
            self._keep(fresh)  # what was paid for is kept, also after Ctrl-C
        self._down = run.gave_up
        return found

    def _one(self, text: str, attempts: int | None) -> tuple[LinkedMention, ...]:
        plain = PlainText.of(text)
        try:
            body, headers = self._protocol.request(plain.text)
        except UnicodeEncodeError:
            raise ServiceFailure(
                "the text holds half of a surrogate pair and cannot be sent", everywhere=False
            ) from None
        answer = self._service.post(body, headers, attempts=attempts)
        try:
            claims = self._protocol.claims(json.loads(answer.decode("utf-8")))
        except (ValueError, RecursionError) as error:
            reason = str(error) if isinstance(error, AnswerError) else "not JSON"
            raise self._failure(
                f"answered with something else than agreed ({reason}): {shown_text(answer)}"
            ) from None
        spans = located(plain.text, claims, self._protocol.units)
        if spans is None:
            wrong = _first_wrong(plain.text, claims, self._protocol.units)
            raise self._failure(
                f"says that {shown_text(wrong.mention)!r} stands at offset {wrong.start}, where it does not"
            )
        return tuple(
            LinkedMention(start, end, text[start:end], claim.entity, claim.confidence, claim.type)
            for claim, (start, end) in zip(claims, (plain.original(*span) for span in spans), strict=True)
        )

    def _failure(self, reason: str) -> ServiceFailure:
        return ServiceFailure(self._service.safe(reason), everywhere=False)

    def _key(self, text: str) -> str:
        about = json.dumps([_FORMAT, self._service.url, self._protocol.settings])
        return answer_key(self._protocol.name, about, text)

    def _kept(self, texts: Sequence[str]) -> dict[str, Links]:
        if self._cache is None:
            return {}
        keys = {text: self._key(text) for text in texts}
        answers = self._cache.get(self._protocol.name, list(keys.values()))
        read = {text: _unpacked(answers[key], text) for text, key in keys.items() if key in answers}
        return {text: links for text, links in read.items() if links is not None}

    def _keep(self, fresh: dict[str, str]) -> None:
        if self._cache is not None and fresh:
            self._cache.put(self._protocol.name, fresh)
        fresh.clear()


class AnswerError(ValueError):
    """An answer that is JSON, but not of the agreed form."""


def entity_name(raw: str) -> str | None:
    """Return the name of an entity with underscores, without what protocols add; None where there is none.

    Examples
    --------
    >>> entity_name("Bell_%26_Howell"), entity_name("Bell &amp; Howell"), entity_name("NIL")
    ('Bell_&_Howell', 'Bell_&_Howell', None)
    """
    # Not all at once: html.unescape would also change what lacks the semicolon, as in "Search&copy".
    name = _CHARACTER_REFERENCE.sub(lambda match: html.unescape(match[0]), raw)
    with suppress(UnicodeDecodeError):
        name = unquote(name, errors="strict")
    name = "_".join(name.replace("_", " ").split())
    if not _is_text(name):
        raise AnswerError("half of a surrogate pair in the name of an entity")
    return name if name and name != "NIL" else None


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def confidence_of(value: Any) -> float | None:
    """Return a confidence, None for what is no number; raises `AnswerError` if not between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    if not -_TOLERANCE <= value <= 1 + _TOLERANCE:
        raise AnswerError("a confidence that is not between 0 and 1")
    return min(max(float(value), 0.0), 1.0)


def chosen(links: Links, min_confidence: float = 0.0) -> Links:
    """Return the mentions that are sure enough, in text order and without overlaps."""
    if isinstance(links, LinkFailure):
        return links
    return without_overlaps(m for m in links if m.confidence is None or m.confidence >= min_confidence)


class _Run:
    """Counts the failures of a service over the threads that ask it, and ends the asking."""

    def __init__(self, limit: int):
        self._limit = limit
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._reason: str | None = None
        self.gave_up = False

    def guarded(self, work: Callable[[], tuple[LinkedMention, ...]]) -> Links:
        if self._reason is not None:
            return LinkFailure(self._reason)
        try:
            links = work()
        except ServiceFailure as failure:
            with self._lock:
                self._in_a_row = self._in_a_row + 1 if failure.everywhere else 0
                if self._in_a_row >= self._limit and self._reason is None:
                    self._reason, self.gave_up = str(failure), True
            return LinkFailure(str(failure))
        with self._lock:
            self._in_a_row = 0
        return links

    def stop(self) -> None:
        self._reason = "was interrupted"


def _first_wrong(text: str, claims: Sequence[Claim], units: Sequence[Unit]) -> Claim:
    # Some claim fits in no way of counting, or each way has another that does not fit.
    return next((c for c in claims if located(text, [c], units) is None), claims[0])


def _packed(mentions: Sequence[LinkedMention]) -> str:
    return json.dumps(
        [[m.start, m.end, m.entity, m.confidence, m.type] for m in mentions], ensure_ascii=False
    )


def _unpacked(answer: str, text: str) -> tuple[LinkedMention, ...] | None:
    try:
        rows = json.loads(answer)
        return tuple(
            LinkedMention(start, end, text[start:end], entity, confidence, type_)
            for start, end, entity, confidence, type_ in rows
        )
    except (ValueError, TypeError):
        return None
