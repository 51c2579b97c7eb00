"""Questions from templates, answered by ranking: what takes the asked role with the greatest probability?

Needs no model but a verifier. The candidates in a text are the mentions of the input's entities, as far as
they are of the sort that is asked for, and whatever else it names; the data hold their answers themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from esascore.fact_results import Answer, Question, Role
from esascore.facts.bank import words_of
from esascore.facts.claims import Claim
from esascore.facts.marked_texts import Spans
from esascore.facts.questions import question_of
from esascore.facts.verdicts import LIKELY, Page, shares
from esascore.facts.verifier import Verifier, entity_kind
from esascore.lexicon import label
from esascore.model import Triple

_ROLES: tuple[Role, ...] = ("object", "subject")
_NOTHING = Answer(None, 0.0)
_ANSWERABLE = 0.1
"""The probability below which there is no answer in a text."""
_MOST = 8


@dataclass(frozen=True, slots=True)
class TemplateQuestions:
    """Asks for both roles of every fact of the data, and once for whatever a text mentions or says."""

    verifier: Verifier

    def from_data(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Two questions for each fact of the input."""
        return ReferenceQuestions().from_data(pages)

    def from_text(self, pages: Sequence[Page]) -> list[list[Question]]:
        """One question for each thing that a text mentions, and for whatever else nothing explains.

        Of what the text may say of a thing in the input's predicates, the likeliest is asked for.
        """
        asked = [(question, page) for page in pages for question in self.from_data([page])[0]]
        best: dict[int, dict[_Thing, tuple[float, Triple, Role]]] = {id(page): {} for page in pages}

        def note(page: Page, thing: _Thing, share: float, fact: Triple, role: Role) -> None:
            own = best[id(page)]
            if share > own.get(thing, (-1.0,))[0]:
                own[thing] = share, fact, role

        def note_both(page: Page, share: float, fact: Triple) -> None:
            for role in _ROLES:
                note(page, getattr(fact, role), share, fact, role)

        for (question, page), ranked in zip(asked, _ranked(asked, self.verifier), strict=True):
            for thing, _, share in ranked:
                if question.fact is None:
                    break
                if isinstance(thing, str):
                    note_both(page, share, _filled(question.fact, question.role, thing))
                else:
                    note(page, thing, share, question.fact, question.role)
        turned = [(page, Triple(f.object, f.predicate, f.subject)) for page in pages for f in page.facts]
        read = shares([page.claim(fact) for page, fact in turned], self.verifier)
        for (page, fact), share in zip(turned, read, strict=True):
            if fact not in page.facts and share >= LIKELY:
                note_both(page, share, fact)
        return [list(_questions(page, best[id(page)])) for page in pages]

    def version(self) -> str:
        """The version of the templates."""
        return "templates.v2"


@dataclass(frozen=True, slots=True)
class ReferenceQuestions:
    """Asks about texts that are taken to state the facts of their input, as references do; needs no model."""

    def from_data(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Two questions for each fact of the input."""
        return [[question_of(fact, role) for fact in page.facts for role in _ROLES] for page in pages]

    def from_text(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Two questions for each fact whose two entities are mentioned; the answers are the mentions."""
        return [
            [
                question_of(fact, role, page.text[slice(*page.spans[getattr(fact, role)][0])])
                for fact in page.facts
                if page.claim(fact) is not None
                for role in _ROLES
            ]
            for page in pages
        ]

    def version(self) -> str:
        """The version of the templates."""
        return "templates.v1"


@dataclass(frozen=True, slots=True)
class RankingAnswerer:
    """Answers questions about facts: from a text by ranking what it mentions, from data by looking it up."""

    verifier: Verifier

    def from_text(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question with the mention that takes the asked role with the greatest probability."""
        answers = []
        for (_, page), ranked in zip(asked, _ranked(asked, self.verifier), strict=True):
            thing, spans, share = max(ranked, key=lambda one: one[2], default=("", (), 0.0))
            if share < _ANSWERABLE:
                answers.append(Answer(None, share))
            else:
                entity = thing if isinstance(thing, str) else None
                answers.append(Answer(page.text[slice(*spans[0])], share, entity))
        return answers

    def from_data(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question with the value that the data have."""
        return [_looked_up(question, page) for question, page in asked]

    def version(self) -> str:
        """The version of the ranking, and the model."""
        return f"ranking.v2.{self.verifier.version()}"


_Thing = str | tuple[int, int]
"""What a text mentions: an entity of the input, or where something else stands."""

_Ranked = list[tuple[_Thing, Spans, float]]


def _questions(page: Page, best: Mapping[_Thing, tuple[float, Triple, Role]]) -> Iterator[Question]:
    things: list[_Thing] = [*page.spans, *page.strangers, *page.unexplained]
    for thing in things:
        said = None if isinstance(thing, str) else page.text[slice(*thing)]
        if thing in best:
            share, fact, role = best[thing]
            yield replace(question_of(fact, role, said), confidence=share)
        elif said is not None:
            yield Question(f'What in the data is "{said}"?', said)


def _ranked(asked: Sequence[tuple[Question, Page]], verifier: Verifier) -> list[_Ranked]:
    """Return, for each question, what could be the answer in the text, with its probability."""
    candidates = [_candidates(*one) for one in asked]
    read = iter(shares([claim for some in candidates for *_, claim in some], verifier))
    return [[(thing, spans, next(read)) for thing, spans, _ in some] for some in candidates]


def _candidates(question: Question, page: Page) -> list[tuple[_Thing, Spans, Claim]]:
    fact = question.fact
    if fact is None:
        return []
    asks_object = question.role == "object"
    given, expected = (fact.subject, fact.object) if asks_object else (fact.object, fact.subject)
    known = page.spans.get(given)
    if not known:
        return []
    kinds = {entity.term: entity_kind(entity) for entity in page.all_entities}
    things: list[tuple[_Thing, Spans]] = [
        (entity, spans)
        for entity, spans in page.spans.items()
        if entity != given and spans != known and kinds.get(entity) == kinds.get(expected)
    ]
    things.sort(key=lambda one: one[0] != expected)  # which never falls to the limit
    things = things[:_MOST] + [(span, (span,)) for span in page.strangers[:_MOST]]
    places = [(known, spans) if asks_object else (spans, known) for _, spans in things]
    claims = (Claim(words_of(fact.predicate), page.text, *place) for place in places)
    return [(*thing, claim) for thing, claim in zip(things, claims, strict=True)]


def _looked_up(question: Question, page: Page) -> Answer:
    if question.fact is None:
        return _NOTHING
    if question.entity is not None and question.fact in page.facts:  # of several answers the expected one
        return Answer(label(question.entity), 1.0, question.entity)
    for own in page.facts:
        entity = getattr(own, question.role)
        if _filled(question.fact, question.role, entity) == own:
            return Answer(label(entity), 1.0, entity)
    return _NOTHING


def _filled(fact: Triple, role: Role, entity: str) -> Triple:
    return replace(fact, object=entity) if role == "object" else replace(fact, subject=entity)
