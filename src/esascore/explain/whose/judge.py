"""Judges a text by all rules: which numbers, names and words do not belong to whom the text gives them."""

from __future__ import annotations

from dataclasses import dataclass

from esascore.explain.spans import Unexplained
from esascore.explain.whose.claims import wrong_claims
from esascore.explain.whose.contexts import numbers_said
from esascore.explain.whose.kin import wrong_neighbours
from esascore.explain.whose.ledger import ledger_of
from esascore.explain.whose.model import Model
from esascore.explain.whose.owned import Accounts
from esascore.explain.whose.pieces import pieces_of
from esascore.explain.whose.presence import wrong_presence
from esascore.explain.whose.reach import Reach
from esascore.model import Graph, Span
from esascore.text.document import Document


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found in a text, in text order, and the numbers that it explains."""

    flags: tuple[Unexplained, ...] = ()
    explained: tuple[Span, ...] = ()


_NOTHING = Judged()


def judge(document: Document, model: Model | None = None, off: frozenset[str] = frozenset()) -> Judged:
    """Find the numbers, names and words that do not belong to whom the text gives them.

    Parameters
    ----------
    document
        The text with its input; of inputs that are no data nothing is judged.
    model
        What contexts stand for; without one only the rules apply that need none.
    off
        Rules (`esascore.explain.spans.EVIDENCE`) that are switched off.

    Examples
    --------
    >>> owls = {"name": "Oslo Owls", "players": [{"name": "Ann Berg", "points": 7}]}
    >>> data = {"teams": [owls, {"name": "Bergen Bears"}]}
    >>> document = Document(Graph.from_data(data), "Ann Berg of the Bears scored 7.")
    >>> [(flag.evidence, flag.expected, flag.reason) for flag in judge(document).flags]
    [('kin', 'Oslo Owls', 'in the input Ann Berg belongs to Oslo Owls')]
    """
    graph = document.input
    if not isinstance(graph, Graph) or graph.data is None:
        return _NOTHING
    ledger = ledger_of(graph)
    reach = Reach.of(pieces_of(document, ledger), ledger)
    numbers = list(numbers_said(reach.pieces))
    flags = list(wrong_neighbours(reach))
    if model is not None:
        flags += [*wrong_claims(reach, numbers, model), *wrong_presence(reach, model.presence)]
    explained: list[Span] = []
    accounts = Accounts(reach, model, off)
    for said in numbers:
        found = accounts.check(said)
        if found is None:
            explained += said.spans
        else:
            flags += found
    kept = [flag for flag in flags if flag.evidence not in off]
    return Judged(tuple(sorted(kept, key=lambda flag: (flag.start, flag.end))), tuple(explained))
