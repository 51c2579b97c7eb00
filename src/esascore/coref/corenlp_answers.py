"""Reads the coreference chains in the JSON that a CoreNLP server answers with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from esascore.coref.chains import Chain
from esascore.errors import CorefError
from esascore.link.services.spans import places
from esascore.model import Span

_Offsets = Callable[[Any], Span]


def read_chains(answer: object, text: str) -> tuple[Chain, ...]:
    """Return the chains of an answer, with offsets in code points of the text that was sent.

    CoreNLP is written in Java and counts UTF-16 units. Newer versions add offsets that are named for code
    points, and in some versions these are UTF-16 units, too. So no name is trusted: an offset is right if the
    token that it points at stands there.

    Raises
    ------
    CorefError
        If the answer is not of the agreed form, or its offsets do not fit the text.

    Examples
    --------
    >>> words = [("Ada", 0), ("won", 4), (".", 7), ("She", 9), ("left", 13), (".", 17)]
    >>> tokens = [
    ...     {"originalText": word, "characterOffsetBegin": at, "characterOffsetEnd": at + len(word)}
    ...     for word, at in words
    ... ]
    >>> ada = {"sentNum": 1, "startIndex": 1, "endIndex": 2}
    >>> she = {"sentNum": 2, "startIndex": 1, "endIndex": 2}
    >>> sentences = [{"tokens": tokens[:3]}, {"tokens": tokens[3:]}]
    >>> read_chains({"sentences": sentences, "corefs": {"1": [ada, she]}}, "Ada won. She left.")
    (((0, 3), (9, 12)),)
    """
    try:
        sentences: list[Any] = [sentence["tokens"] for sentence in cast(Any, answer)["sentences"]]
        mentions = _mentions(sentences, answer)
        offsets = _reading([token for tokens in sentences for token in tokens], text)
        used = [token for chain in mentions for ends in chain for token in ends]
        misplaced = [str(token["originalText"]) for token in used if not _stands(token, offsets, text)]
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise CorefError(f"CoreNLP's answer does not have the expected form ({problem})") from error
    if misplaced:
        raise CorefError(
            f"CoreNLP's answer does not fit the text {text[:60]!r}: "
            f"{misplaced[0][:40]!r} is not where it should be"
        )
    spans = ({(offsets(first)[0], offsets(last)[1]) for first, last in chain} for chain in mentions)
    return tuple(sorted(tuple(sorted(chain)) for chain in spans if len(chain) > 1))


def _mentions(sentences: list[Any], answer: Any) -> list[list[tuple[Any, Any]]]:
    """Return for each chain its mentions as first and last token."""
    # If there is nothing to read the annotators are not run.
    chains = answer["corefs"].values() if sentences else ()
    return [[_ends(sentences, mention) for mention in chain] for chain in chains]


def _ends(sentences: list[Any], mention: Any) -> tuple[Any, Any]:
    # Sentences and tokens count from 1, and the last index is that of the token after the mention.
    numbers = mention["sentNum"], mention["startIndex"], mention["endIndex"]
    sentence, start, end = numbers
    if not all(type(number) is int for number in numbers) or sentence < 1 or not 1 <= start < end:
        raise IndexError(f"a mention in sentence {sentence} from token {start} to {end}")
    tokens = sentences[sentence - 1]
    return tokens[start - 1], tokens[end - 2]


def _reading(tokens: list[Any], text: str) -> _Offsets:
    """Return the way of reading offsets that puts most tokens where they should be."""
    place = places(text, "UTF-16")

    def in_units(token: Any) -> Span:
        # An offset that is inside a character, or not in the text, is not an offset of this kind.
        return place.get(token["characterOffsetBegin"], -1), place.get(token["characterOffsetEnd"], -1)

    def in_characters(token: Any) -> Span:
        return token["characterOffsetBegin"], token["characterOffsetEnd"]

    def in_code_points(token: Any) -> Span:
        return token.get("codepointOffsetBegin", -1), token.get("codepointOffsetEnd", -1)

    readings = [in_units, in_code_points, in_characters]
    return max(readings, key=lambda offsets: sum(_stands(token, offsets, text) for token in tokens))


def _stands(token: Any, offsets: _Offsets, text: str) -> bool:
    start, end = offsets(token)
    return 0 <= start < end <= len(text) and text[start:end] == token["originalText"]
