"""Parts of a text that can be left out without breaking the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from esascore.model import Span
from esascore.text.document import read

_CLAUSE_START = re.compile(
    r"[,;]?\s(?=(?:which|who|whose|where|while|whereas|but)\s|and\s(?:is|was|are|were|has|have|had|it|its|he|"
    r"his|she|her|they|their|also)\s)"
)


def droppable(text: str, mentions: Iterable[Span]) -> list[Span]:
    """Spans that can be deleted: later clauses of a sentence, the shortest first, then whole sentences.

    No border lies within a mention. A text of one sentence has no sentence to spare.

    Examples
    --------
    >>> text = "Rome is a city, which is in Italy. It is old."
    >>> [text[slice(*span)] for span in droppable(text, [])]
    [', which is in Italy', 'Rome is a city, which is in Italy. ', ' It is old.']
    """
    spans = list(mentions)

    def is_free(position: int) -> bool:
        return not any(start < position < end for start, end in spans)

    document = read(text)
    firsts = (document.tokens.starts[first] for first in document.sentences[1:])
    ends = [first for first in firsts if is_free(first)]
    sentences = list(zip([0, *ends], [*ends, len(text)], strict=True))
    clauses: list[Span] = []
    for start, end in sentences:
        body = start + len(text[start:end].rstrip().rstrip(".!?"))
        starts = [match.start() for match in _CLAUSE_START.finditer(text, start, body)]
        starts = [position for position in starts if is_free(position) and is_free(position + 1)]
        clauses += pairwise([*starts, body])
    clauses.sort(key=lambda span: (span[1] - span[0], span))
    if len(sentences) == 1:
        return clauses
    *others, (start, end) = sentences
    return [*clauses, *others, (len(text[:start].rstrip()), end)]
