"""What a text mentions and nothing in its input explains: names, dates and numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter

from esascore.claims.finding import Finding
from esascore.claims.judge import NOTHING, Judgement
from esascore.claims.knowledge import Knowledge
from esascore.claims.names import unexplained_names
from esascore.claims.phrases import Said
from esascore.claims.reading import Spans
from esascore.claims.view import View
from esascore.claims.vocabulary import Explained
from esascore.detectors.linked import METHOD as LINKED
from esascore.label import label
from esascore.languages.scripts import plain
from esascore.model import LinkFailure, Links, Mention
from esascore.text.document import Document
from esascore.text.vocabulary import english_words, function_words
from esascore.text.words import name_words

_start = attrgetter("start")
_A_LITERAL = re.compile(r"(?<!\S)(?=\S*\d)\S+")
_MISSPELT, _MISSPELT_CODE = 0.25, 0.5
_SOMEWHAT_LIKE = 0.6


def find_unexplained(
    document: Document,
    explained: Explained,
    knowledge: Knowledge | None = None,
    mentions: Sequence[Mention] | None = None,
    links: Links | None = None,
    claims: Judgement = NOTHING,
    said: Said | None = None,
) -> list[Finding]:
    """Find what a text mentions and the input does not explain, in text order.

    Parameters
    ----------
    document
        The text with its input.
    explained
        What the input explains.
    knowledge
        Names of other entities.
    mentions
        What was accepted as mentions of the input's entities. What an entity linker took for one of them is
        explained.
    links
        What an entity linker found in the text, also of entities that are not in the input.
    claims
        What is wrong with its numbers, dates and other claims.
    said
        What is known of phrases for values.

    Examples
    --------
    >>> from esascore.claims.judge import judge
    >>> from esascore.claims.explainer import Explainer
    >>> from esascore.lexicon import Lexicon
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Kestrel_Arena", "openingDate", "1998-05-04")])
    >>> text = "Kestrel Arena in Oslo, opened on 4 May 1999, has 800 seats."
    >>> document, explained = Document(graph, text), Explainer(Lexicon()).explain(graph)
    >>> found = find_unexplained(document, explained, claims=judge(document))
    >>> [(text[u.start:u.end], u.type) for u in found]
    [('Oslo', 'name'), ('4 May 1999', 'date'), ('800', 'number')]
    """
    view = View(document, explained)
    # Mentions are found when first asked for, which most texts need not.
    linked = [one for one in mentions or () if one.method == LINKED] if links is not None else []
    literals = (found.span() for found in _A_LITERAL.finditer(document.text))
    flagged = [(one.start, one.end) for one in claims.findings]
    for start, end in (*((one.start, one.end) for one in linked), *claims.moments, *literals, *flagged):
        view.take(start, end)
    values = [] if said is None else said.contradicted(document, view)
    linked_names = () if links is None or isinstance(links, LinkFailure) else links
    others = unexplained_names(view, knowledge, linked_names)
    if not document.language.english:
        others = _sure(others, document, mentions or ())
    found = [
        *claims.findings,
        *(one for one in others if not _is_misspelt(one, view, mentions or ())),
    ]
    spans = Spans((one.start, one.end) for one in values)
    kept = [one for one in found if not (values and spans.overlap(one.start, one.end))]
    return sorted([*kept, *values], key=_start)


def mention_around(mentions: Sequence[Mention], start: int, end: int) -> Mention | None:
    """Return the mention that holds a span; mentions are in text order and do not overlap."""
    at = bisect_right(mentions, start, key=_start)
    return mentions[at - 1] if at and end <= mentions[at - 1].end else None


def _sure(names: list[Finding], document: Document, mentions: Sequence[Mention]) -> list[Finding]:
    """Return the names that can be no translation of what a text in another language does not mention.

    What is somewhat like a name that was not found may be that name. What has words of English in its label
    may have any name, unless its name in the language of the text is known.
    """
    found = {entity for mention in mentions for entity in (mention.entity, *mention.also)}
    missing = [entity for entity in document.input.entities if entity.term not in found and not entity.names]
    labels = [label(entity.term) for entity in missing]
    words = {plain(word) for text in labels for word in text.split() if word[:1].isupper()}
    kept = [
        one
        for one in names
        if not any(
            said[0] == own[0] and _distance(said, own) <= _SOMEWHAT_LIKE
            for said in map(plain, document.text[one.start : one.end].split())
            for own in words
        )
    ]
    common = english_words().common - function_words()
    translated = [text for text in labels if not common.isdisjoint(name_words(text))]
    return kept if len(kept) > len(translated) else []


def _is_misspelt(span: Finding, view: View, mentions: Sequence[Mention]) -> bool:
    """Return whether words are spelt nearly as in the name that they were accepted as a part of."""
    whole = mention_around(mentions, span.start, span.end)
    if whole is None or not whole.distance or whole.variant is None:
        return False
    said, own = name_words(whole.text), name_words(whole.variant)
    words = [view.words[index] for index in view.inside(span.start, span.end)]
    pairs = [pair for pair in zip(said, own, strict=False) if pair[0] in words]
    if any(a[0] != b[0] and {a, b} <= english_words().common for a, b in pairs):
        return False  # another word: Vine for Pine
    if all(map(view.explained.word, words)):
        return True
    limit = _MISSPELT if span.evidence != "code" else _MISSPELT_CODE
    return len(said) == len(own) > 1 and all(_distance(*pair) <= limit for pair in pairs)


@lru_cache(maxsize=1 << 12)
def _distance(one: str, other: str) -> float:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_distance(one, other)
