"""Entity linkers that are web services: requests, retries and failures.

Their ways of counting characters are converted to ours and checked.
"""

from __future__ import annotations

import html
import json
import math
import re
import threading
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from itertools import accumulate
from queue import SimpleQueue
from typing import Any, ClassVar, Literal, TypeVar

from esascore.cache import AnswerCache
from esascore.errors import UsageError
from esascore.link.base import LinkedMention, LinkFailure, Links
from esascore.link.equality import percent_decoded
from esascore.link.services.http import HttpPolicy, HttpService, ServiceFailure, shown_text
from esascore.model import Span
from esascore.text.document import Document

Unit = Literal["code points", "UTF-16"]

_CHARACTER = re.compile("&(?:amp;)*|.", re.DOTALL)

_ANSWERS_IN_A_TRANSACTION = 200
_FORMAT = "1"
_TOLERANCE = 1e-6
_CHARACTER_REFERENCE = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")
Q = TypeVar("Q")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Claim:
    """A mention according to a linker, in its own way of counting.

    Attributes
    ----------
    start, length
        Where it is in the text that was sent; ``length`` None for that of the mention.
    mention
        Its words, by which offsets are checked.
    entity, confidence, type
        As in `LinkedMention`.
    """

    start: int
    length: int | None
    mention: str
    entity: str
    confidence: float | None = None
    type: str | None = None


@dataclass(frozen=True, slots=True)
class PlainText:
    """A text with ``&`` instead of ``&amp;``, and where each of its characters comes from.

    REL's server makes this replacement before it counts. A text without ``&amp;`` (and ``&amp;amp;``) is
    understood in the same way by every server.

    Examples
    --------
    >>> plain = PlainText.of("Bell &amp; Howell in Ohio")
    >>> plain.text, plain.original(0, 13), plain.original(17, 21)
    ('Bell & Howell in Ohio', (0, 17), (21, 25))
    """

    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> PlainText:
        """Replace ``&amp;``, also where it was written several times over."""
        starts = (*(match.start() for match in _CHARACTER.finditer(text)), len(text))
        return cls("".join(text[start] for start in starts[:-1]), starts)

    def original(self, start: int, end: int) -> Span:
        """Return where a span stands in the text with ``&amp;``."""
        return self.starts[start], self.starts[end]


def located(text: str, claims: Sequence[Claim], units: Sequence[Unit]) -> list[Span] | None:
    """Return the spans of claims in code points, or None if their mentions do not stand where they say.

    Ways of counting are tried in the given order, each for all claims together: what fits some of them by
    chance is not believed. White space in mentions may differ, as tokenisers change it.

    Examples
    --------
    >>> claims = [Claim(3, 4, "Oslo", "Oslo")]
    >>> located("😀 Oslo", claims, ["code points"]), located("😀 Oslo", claims, ["code points", "UTF-16"])
    (None, [(2, 6)])
    """
    for unit in units:
        found = places(text, unit)
        spans = [_span(claim, found, unit) for claim in claims]
        pairs = zip(spans, claims, strict=True)
        if all(0 <= a < b and _same_words(text[a:b], claim.mention) for (a, b), claim in pairs):
            return spans
    return None


def places(text: str, unit: Unit) -> dict[int, int]:
    """Return for each offset, counted in a unit, where in the text that is, in code points.

    Examples
    --------
    >>> places("😀 a", "UTF-16")
    {0: 0, 2: 1, 3: 2, 4: 3}
    """
    return {offset: place for place, offset in enumerate(accumulate(_sizes(text, unit), initial=0))}


def without_overlaps(mentions: Iterable[LinkedMention]) -> tuple[LinkedMention, ...]:
    """Return mentions in text order, the longer of two that overlap; of equals the surer, then the first.

    Examples
    --------
    >>> some = [LinkedMention(4, 8, "York", "York"), LinkedMention(0, 8, "New York", "New_York_City")]
    >>> [mention.entity for mention in without_overlaps(some)]
    ['New_York_City']
    """
    ordered = sorted(mentions, key=lambda m: (m.start - m.end, m.start, -(m.confidence or 0.0)))
    kept: list[LinkedMention] = []
    for mention in ordered:
        place = bisect_left(kept, mention.start, key=lambda m: m.start)
        is_after = place == 0 or kept[place - 1].end <= mention.start
        if is_after and (place == len(kept) or mention.end <= kept[place].start):
            kept.insert(place, mention)
    return tuple(kept)


def _same_words(one: str, other: str) -> bool:
    return one == other or (bool(words := one.split()) and words == other.split())


def _span(claim: Claim, found: Mapping[int, int], unit: Unit) -> Span:
    length = sum(_sizes(claim.mention, unit)) if claim.length is None else claim.length
    return found.get(claim.start, -1), found.get(claim.start + length, -1)


def _sizes(text: str, unit: Unit) -> Iterator[int]:
    return (2 if unit == "UTF-16" and character > "\uffff" else 1 for character in text)


@dataclass
class RemoteLinker(ABC):
    """Sends texts to a service: each distinct text once, several at a time, and cached ones not at all.

    Parameters
    ----------
    url
        Its address.
    concurrency
        How many texts are sent at the same time.
    cache
        Where answers are kept; None to keep none. Failures are never kept.
    policy
        How long to wait, how often to try, how much to accept.
    key
        A key for the service; None for that in the environment variable ``ESASCORE_LINKER_KEY``.
    give_up_after
        How many texts in a row must fail by the fault of the service until it counts as down. The other texts
        of the batch then fail with the same reason; the next batch tries one text, once, before all others.
    """

    name: ClassVar[str]
    """The kind of its answers in the cache."""
    units: ClassVar[Sequence[Unit]]
    """How it counts characters, the likeliest first."""

    url: str
    _: KW_ONLY
    concurrency: int = 4
    cache: AnswerCache | None = field(default_factory=AnswerCache, compare=False)
    policy: HttpPolicy = field(default_factory=HttpPolicy)
    key: str | None = field(default=None, repr=False, compare=False)
    give_up_after: int = 5
    _service: HttpService = field(init=False, repr=False, compare=False)
    _down: bool = field(default=False, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.concurrency < 1 or self.give_up_after < 1:
            raise UsageError("the numbers of requests and of failures must be at least 1")
        self._service = HttpService(self.url, self.policy, key=self.key)

    def check_confidence(self, least: float) -> None:
        """Reject a minimum confidence that is not between 0 and 1."""
        if not 0 <= least <= 1:
            raise UsageError("the minimum confidence of a linker must be between 0 and 1")

    @property
    def settings(self) -> str:
        """What is sent with every text, because it changes the answers."""
        return ""

    def is_sure(self, mention: LinkedMention) -> bool:
        """Return whether a mention that the service found is to be kept."""
        return True

    @abstractmethod
    def request(self, text: str) -> tuple[bytes, Mapping[str, str]]:
        """Return the body and the headers that ask for the entities of a text."""

    @abstractmethod
    def claims(self, answer: Any) -> list[Claim]:
        """Return what an answer says; raises `AnswerError` where it is not of the agreed form."""

    def link(self, texts: Sequence[str], documents: Sequence[Document] | None = None) -> list[Links]:
        """Return the links of each text, in order; only the text itself is sent."""
        known: dict[str, Links] = {text: () for text in texts if not text.strip()}
        asked = [text for text in dict.fromkeys(texts) if text not in known]
        known |= self._kept(asked)
        missing = [text for text in asked if text not in known]
        if missing and self._down:
            probe, *missing = missing
            known |= self._fetch([probe], once=True)
            if self._down:
                known |= dict.fromkeys(missing, known[probe])
                missing = []
        if missing:
            known |= self._fetch(missing)
        found = map(known.__getitem__, texts)
        return [
            links if isinstance(links, LinkFailure) else without_overlaps(filter(self.is_sure, links))
            for links in found
        ]

    def _fetch(self, texts: Sequence[str], *, once: bool = False) -> dict[str, Links]:
        give_up_after = 1 if once else self.give_up_after
        lock, stopped = threading.Lock(), threading.Event()
        in_a_row = 0
        given_up: LinkFailure | None = None

        def one(text: str) -> Links:
            nonlocal in_a_row, given_up
            if given_up is not None:
                return given_up
            try:
                links, fault = self._one(text, once, stopped), False
            except ServiceFailure as failure:
                links, fault = LinkFailure(str(failure)), failure.everywhere
            with lock:
                in_a_row = in_a_row + 1 if fault else 0
                if in_a_row >= give_up_after and isinstance(links, LinkFailure):
                    given_up = given_up or links
            return links

        found: dict[str, Links] = {}
        fresh: dict[str, str] = {}
        try:
            for place, links in answers(one, texts, self.concurrency):
                found[texts[place]] = links
                if not isinstance(links, LinkFailure):
                    rows = [(one.start, one.end, one.entity, one.confidence, one.type) for one in links]
                    fresh[texts[place]] = json.dumps(rows, ensure_ascii=False)
                if len(fresh) >= _ANSWERS_IN_A_TRANSACTION:
                    self._keep(fresh)
        finally:
            stopped.set()
            self._keep(fresh)  # answers that arrived are kept, also after Ctrl-C
        self._down = given_up is not None
        return found

    def _one(self, text: str, once: bool, stopped: threading.Event) -> Links:
        plain = PlainText.of(text)
        try:
            body, headers = self.request(plain.text)
        except UnicodeEncodeError:
            raise ServiceFailure(
                "the text contains half of a surrogate pair and cannot be sent", everywhere=False
            ) from None
        answer = self._service.post(body, headers, once=once, stopped=stopped)
        try:
            claims = self.claims(json.loads(answer.decode("utf-8")))
        except Exception as error:  # none of what others answer may break more than this answer
            no_json = isinstance(error, ValueError | RecursionError) and not isinstance(error, AnswerError)
            reason = "not JSON" if no_json else str(error) or type(error).__name__
            raise self._failure(f"gave an invalid answer ({reason}): {shown_text(answer)}") from None
        spans = located(plain.text, claims, self.units)
        if spans is None:
            # Some claim fits in no way of counting, or each way has another that does not fit.
            fits = (located(plain.text, [claim], self.units) is not None for claim in claims)
            wrong = next((claim for claim, fit in zip(claims, fits, strict=True) if not fit), claims[0])
            what, where = shown_text(wrong.mention), shown_text(str(wrong.start))
            raise self._failure(f"says that {what!r} is at offset {where}, where it does not")
        return tuple(
            LinkedMention(start, end, text[start:end], claim.entity, claim.confidence, claim.type)
            for claim, (start, end) in zip(claims, (plain.original(*span) for span in spans), strict=True)
        )

    def _failure(self, reason: str) -> ServiceFailure:
        return ServiceFailure(self._service.safe(reason), everywhere=False)

    @property
    def _asked(self) -> str:
        """What answers depend on besides the text."""
        return json.dumps([_FORMAT, self.url, self.settings])

    def _kept(self, texts: Sequence[str]) -> dict[str, Links]:
        kept = {} if self.cache is None else self.cache.known(self.name, self._asked, texts)
        read = {text: _unpacked(answer, text) for text, answer in kept.items()}
        return {text: links for text, links in read.items() if links is not None}

    def _keep(self, fresh: dict[str, str]) -> None:
        if self.cache is not None:
            self.cache.keep(self.name, self._asked, fresh)
        fresh.clear()


class AnswerError(ValueError):
    """An answer that is JSON, but not of the agreed form."""


def entity_name(raw: str) -> str | None:
    """Return the name of an entity with underscores, without what protocols add; None if there is none.

    Examples
    --------
    >>> entity_name("Bell_%26_Howell"), entity_name("Bell &amp; Howell"), entity_name("NIL")
    ('Bell_&_Howell', 'Bell_&_Howell', None)
    """
    # Not all at once: html.unescape would also change what lacks the semicolon, as in "Search&copy".
    name = _CHARACTER_REFERENCE.sub(lambda match: html.unescape(match[0]), raw)
    name = "_".join(percent_decoded(name).replace("_", " ").split())
    try:
        name.encode()
    except UnicodeEncodeError:
        raise AnswerError("half of a surrogate pair in the name of an entity") from None
    return name if name and name != "NIL" else None


def confidence_of(value: Any) -> float | None:
    """Return a confidence, None for what is not a number; raises `AnswerError` if not between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    except OverflowError:  # from an integer of many digits
        number = -1.0
    if not math.isfinite(number):
        return None
    if not -_TOLERANCE <= number <= 1 + _TOLERANCE:
        raise AnswerError("a confidence that is not between 0 and 1")
    return min(max(number, 0.0), 1.0)


def _unpacked(answer: str, text: str) -> tuple[LinkedMention, ...] | None:
    try:
        rows = json.loads(answer)
        return tuple(LinkedMention(start, end, text[start:end], *more) for start, end, *more in rows)
    except (ValueError, TypeError):
        return None


def answers(ask: Callable[[Q], A], questions: Sequence[Q], threads: int) -> Iterator[tuple[int, A]]:
    """Yield the place of a question and its answer, as they come; the first error is raised and ends it.

    Whatever ends it, no further question is asked. Those under way are not waited for, as pools of threads
    do: a service that hangs would hold up Ctrl-C.

    Examples
    --------
    >>> sorted(answers(str.upper, ["a", "b", "c"], threads=2))
    [(0, 'A'), (1, 'B'), (2, 'C')]
    """
    waiting = deque(enumerate(questions))
    done: SimpleQueue[tuple[int, A] | BaseException] = SimpleQueue()

    def work() -> None:
        while True:
            try:
                place, question = waiting.popleft()
            except IndexError:
                return
            try:
                done.put((place, ask(question)))
            except BaseException as error:
                done.put(error)
                return

    for _ in range(min(threads, len(questions))):
        threading.Thread(target=work, daemon=True).start()
    try:
        for _ in questions:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        waiting.clear()
