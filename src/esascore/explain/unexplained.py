"""What a text mentions and nothing in its input explains: names, dates and numbers."""

from __future__ import annotations

from collections.abc import Sequence

from esascore.detectors.linked import METHOD as LINKED
from esascore.detectors.strings import METHOD as STRING
from esascore.explain.explanation import Explained
from esascore.explain.literals import unexplained_literals
from esascore.explain.names import unexplained_names
from esascore.explain.spans import Unexplained
from esascore.explain.values import Said
from esascore.explain.view import View
from esascore.explain.whose.judge import Judged
from esascore.model import LinkFailure, Links, Mention
from esascore.text.document import Document
from esascore.text.phrases import Phrases


def find_unexplained(
    document: Document,
    explained: Explained,
    names: Phrases | None = None,
    mentions: Sequence[Mention] | None = None,
    links: Links | None = None,
    judged: Judged | None = None,
    said: Said | None = None,
) -> list[Unexplained]:
    """Find what a text mentions and the input does not explain, in text order.

    Parameters
    ----------
    document
        The text with its input.
    explained
        What the input explains.
    names
        Names of other entities, which may consist of common words.
    mentions
        What was accepted as mentions of the input's entities. A name that is only like a person's of the
        input is found where it is in none of them; without any being given it is not. What an entity linker
        took for an entity of the input is explained.
    links
        What an entity linker found in the text, also of entities that are not in the input.
    judged
        What is known of the owners of its numbers.
    said
        What is known of phrases for values.

    Examples
    --------
    >>> from esascore.explain.explainer import Explainer
    >>> from esascore.lexicon import Lexicon
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Kestrel_Arena", "openingDate", "1998-05-04")])
    >>> text = "Kestrel Arena in Oslo, opened on 4 May 1999, has 800 seats."
    >>> explained = Explainer(Lexicon()).explain(graph)
    >>> [(text[u.start:u.end], u.type) for u in find_unexplained(Document(graph, text), explained)]
    [('Oslo', 'name'), ('4 May 1999', 'date'), ('800', 'number')]
    """
    view = View.of(document, explained)
    for mention in mentions if mentions is not None and links is not None else ():
        if mention.method == LINKED:
            view.take(mention.start, mention.end)
    owned = _outside_names(judged.flags, mentions or ()) if judged is not None and judged.flags else []
    for start, end in () if judged is None else judged.explained:
        view.take(start, end)
    for flag in owned:
        view.take(flag.start, flag.end)
    linked = () if links is None or isinstance(links, LinkFailure) else links
    values = [] if said is None else said.contradicted(document, view)
    found = [*owned, *unexplained_literals(view), *unexplained_names(view, names, mentions, linked)]
    if values:
        found = [one for one in found if not any(v.start < one.end and one.start < v.end for v in values)]
        found += values
    if len(found) > 1:
        found.sort(key=lambda span: span.start)
    return found


def _outside_names(flags: Sequence[Unexplained], mentions: Sequence[Mention]) -> list[Unexplained]:
    """Leave out numbers that are part of a name of the input: the one of "All Bar One" is nobody's."""
    names = [one for one in mentions if one.method == STRING and " " in one.text]
    return [
        flag
        for flag in flags
        if flag.type != "number" or not any(n.start <= flag.start and flag.end <= n.end for n in names)
    ]
