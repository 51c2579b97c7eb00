"""DBpedia Spotlight, through its web service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar
from urllib.parse import urlencode, urlsplit

from esascore.errors import UsageError
from esascore.link.services.remote import AnswerError, Claim, RemoteLinker, Unit, confidence_of, entity_name

_BROAD_TYPES = ("Person", "Place", "Organisation", "Work", "Event", "Species")
_RESOURCE = "/resource/"


@dataclass
class SpotlightLinker(RemoteLinker):
    """Links entities through the ``annotate`` endpoint of a DBpedia Spotlight server.

    The form fields ``text`` and ``confidence`` are answered by an object with a list of ``Resources``.

    Parameters
    ----------
    url
        Address of the endpoint, like ``http://127.0.0.1:2222/rest/annotate``.
    confidence
        The minimum confidence that the server is asked for.
    concurrency, cache, policy, key, give_up_after
        As for `RemoteLinker`.

    Examples
    --------
    >>> SpotlightLinker("http://127.0.0.1:2222/rest/annotate", cache=None, key="").version()
    'spotlight.v1(http://127.0.0.1:2222/rest/annotate,confidence>=0.5)'
    """

    name: ClassVar[str] = "spotlight"
    # The service is written in Java, where a string is a sequence of UTF-16 units.
    units: ClassVar[Sequence[Unit]] = ("UTF-16", "code points")

    _: KW_ONLY
    confidence: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_confidence(self.confidence)

    @property
    def settings(self) -> str:
        """What is sent with every text, because it changes the answers."""
        return f"confidence={float(self.confidence)!r}"

    def request(self, text: str) -> tuple[bytes, Mapping[str, str]]:
        """Return the body and the headers that ask for the entities of a text."""
        body = urlencode({"text": text, "confidence": repr(float(self.confidence))}).encode()
        return body, {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}

    def claims(self, answer: Any) -> list[Claim]:
        """Return what an answer says.

        Examples
        --------
        >>> spotlight = SpotlightLinker("http://127.0.0.1:2222/rest/annotate", cache=None)
        >>> row = {"@URI": "http://dbpedia.org/resource/Oslo", "@surfaceForm": "Oslo", "@offset": "3"}
        >>> [claim.entity for claim in spotlight.claims({"Resources": [row]})]
        ['Oslo']
        """
        if not isinstance(answer, dict) or not ("Resources" in answer or "@text" in answer):
            raise AnswerError("not an object with @text or Resources")
        resources = answer.get("Resources")
        if resources is None:
            return []
        if not isinstance(resources, list):
            raise AnswerError("Resources that are not a list")
        return [claim for row in resources if (claim := _claim(row)) is not None]

    def version(self) -> str:
        """Return what the signature says about this linker."""
        return f"spotlight.v1({self.url},confidence>={self.confidence:g})"


def spotlight_linker(url: str | None = None, **options: Any) -> SpotlightLinker:
    """Return a linker that asks a DBpedia Spotlight server, whose URL has to be given.

    ``options`` are those of `SpotlightLinker`. There is no default, so that no text goes to a public service
    that nobody chose.
    """
    if url is None:
        raise UsageError(
            "the linker spotlight needs a URL to send the texts to: --linker-url "
            "http://127.0.0.1:2222/rest/annotate for a server on this machine"
        )
    return SpotlightLinker(url, **options)


def _claim(row: Any) -> Claim | None:
    if not isinstance(row, dict):
        raise AnswerError("a resource that is not an object")
    uri, form, offset = row.get("@URI"), row.get("@surfaceForm"), row.get("@offset")
    if not isinstance(uri, str) or not isinstance(form, str) or not isinstance(offset, str | int):
        raise AnswerError("a resource without @URI, @surfaceForm or @offset")
    try:
        start = int(offset)
    except ValueError:
        raise AnswerError("an @offset that is not a number") from None
    entity = _entity(uri)
    if entity is None:
        return None
    return Claim(start, None, form, entity, confidence_of(row.get("@similarityScore")), _type(row))


def _entity(uri: str) -> str | None:
    """Return the name in the URI of an entity, which may itself have slashes: ``resource/AC/DC``."""
    try:
        path = urlsplit(uri).path
    except ValueError:
        raise AnswerError("an invalid @URI") from None
    return entity_name(path.partition(_RESOURCE)[2] or path.rpartition("/")[2])


def _type(row: Mapping[str, Any]) -> str | None:
    """Return the broad type among those of DBpedia, otherwise the first one, without its prefix."""
    told = row.get("@types")
    types = [one.strip() for one in told.split(",") if one.strip()] if isinstance(told, str) else []
    own = [one.partition(":")[2] for one in types if one.startswith("DBpedia:")]
    broad = next((one for one in _BROAD_TYPES if one in own), None)
    return broad or next(iter(own), None) or next((one.rpartition(":")[2] for one in types), None) or None
