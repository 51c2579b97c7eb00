"""Questions from templates, answered by ranking: what takes the asked role with the greatest probability?

Needs no model but a verifier. The candidates in a text are the mentions of the input's entities and whatever
else it names; the data hold their answers themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from esascore.facts.bank import words_of
from esascore.facts.claims import Claim
from esascore.facts.extraction import extract_pages
from esascore.facts.marked import Spans
from esascore.facts.questions import Answer, Question, Role, question_of
from esascore.facts.verdicts import LIKELY, Page, shares
from esascore.facts.verifier import Verifier
from esascore.lexicon import label

_ROLES: tuple[Role, ...] = ("object", "subject")
_NOTHING = Answer(None, 0.0)


@dataclass(frozen=True, slots=True)
class TemplateQuestions:
    """Asks for both roles of every fact: of the data, and of what the verifier reads in a text."""

    verifier: Verifier

    def from_data(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Two questions for each fact of the input."""
        return ReferenceQuestions().from_data(pages)

    def from_text(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Two questions for each fact that the text states, one for each value that only the text has."""
        read = extract_pages(pages, self.verifier)
        stated = [[question_of(fact, role) for fact in facts for role in _ROLES] for facts in read]
        return [[*own, *more] for own, more in zip(stated, self._strange(pages), strict=True)]

    def _strange(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Ask for what the text says and the input does not know, where a fact of the input leads to it."""
        asked = [
            (number, fact, span)
            for number, page in enumerate(pages)
            for span in page.strangers
            for fact in page.facts
            if fact.subject in page.spans
        ]
        claims = [
            Claim(words_of(fact.predicate), pages[number].text, pages[number].spans[fact.subject], (span,))
            for number, fact, span in asked
        ]
        best: dict[tuple[int, tuple[int, int]], tuple[float, Question]] = {}
        for (number, fact, span), share in zip(asked, shares(claims, self.verifier), strict=True):
            if share >= LIKELY and share > best.get((number, span), (0.0,))[0]:
                said = pages[number].text[slice(*span)]
                best[number, span] = share, question_of(fact, "object", said)
        found: list[list[Question]] = [[] for _ in pages]
        for (number, _), (_, question) in best.items():
            found[number].append(question)
        return found

    def version(self) -> str:
        """The version of the templates."""
        return "templates.v1"


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
        candidates = [
            (number, entity, spans, claim)
            for number, (question, page) in enumerate(asked)
            for entity, spans, claim in _candidates(question, page)
        ]
        best = [_NOTHING] * len(asked)
        read = shares([claim for *_, claim in candidates], self.verifier)
        for (number, entity, spans, _), share in zip(candidates, read, strict=True):
            if share >= LIKELY and share > best[number].confidence:
                text = asked[number][1].text
                best[number] = Answer(text[slice(*spans[0])], share, entity)
        return best

    def from_data(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question with the value that the data have."""
        return [_looked_up(question, page) for question, page in asked]

    def version(self) -> str:
        """The version of the ranking, and the model."""
        return f"ranking.v1.{self.verifier.version()}"


def _candidates(question: Question, page: Page) -> Iterator[tuple[str | None, Spans, Claim]]:
    fact = question.fact
    if fact is None:
        return
    given = fact.subject if question.role == "object" else fact.object
    known = page.spans.get(given)
    if not known:
        return
    others: list[tuple[str | None, Spans]] = [
        (entity, spans) for entity, spans in page.spans.items() if entity != given and spans != known
    ]
    others += [(None, (span,)) for span in page.strangers]
    for entity, spans in others:
        pair = (known, spans) if question.role == "object" else (spans, known)
        yield entity, spans, Claim(words_of(fact.predicate), page.text, *pair)


def _looked_up(question: Question, page: Page) -> Answer:
    fact = question.fact
    if fact is None:
        return _NOTHING
    if fact in page.facts:
        return Answer(question_of(fact, question.role).answer, 1.0, question_of(fact, question.role).entity)
    for own in page.facts:
        asked_of = (
            replace(fact, object=own.object)
            if question.role == "object"
            else replace(fact, subject=own.subject)
        )
        if asked_of == own:
            entity = own.object if question.role == "object" else own.subject
            return Answer(label(entity), 1.0, entity)
    return _NOTHING
