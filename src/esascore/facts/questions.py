"""Questions about data and texts, their answers, and the generators and answerers of data-QuestEval.

A question has the answer that whoever asked it knows. It is asked to the other side: a question about the
data to the text, a question about the text to the data. An answerer that finds no answer says so.

The score of a question is the similarity of its answer to the one from the other side, 0 if there is none.
Where confidence counts, it is half of the score: how certain it is that the text says what is asked for, and
that there is an answer. (The published program also takes the mean of similarity and answerability.) Recall
is the mean over the questions about the data, precision over those about the text, and the score of a text is
the mean of the two, as published. A side without a question has no figure.

Questions from templates need no model but a verifier; they are answered by ranking: what takes the asked role
with the greatest probability? The candidates in a text are the mentions of the input's entities, as far as
they are of the sort that is asked for, and whatever else it names; the data hold their answers themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from esascore.fact_results import Answer, Asked, Question, Role
from esascore.facts.bank import Spans, words_of
from esascore.facts.claims import Claim
from esascore.facts.similarity import Similarity
from esascore.facts.verdicts import LIKELY, Page, shares
from esascore.facts.verifier import Verifier, entity_kind
from esascore.lexicon import label
from esascore.model import Triple

_Thing = str | tuple[int, int]
"""What a text mentions: an entity of the input, or where something else stands."""

_Ranked = list[tuple[_Thing, Spans, float]]

_ROLES: tuple[Role, ...] = ("object", "subject")
_NOTHING = Answer(None, 0.0)
_ANSWERABLE = 0.1
"""The probability below which there is no answer in a text."""

_MOST = 8


class QuestionGenerator(Protocol):
    """Asks questions about data and about texts."""

    def from_data(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Questions about the data of each page."""

    def from_text(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Questions about the text of each page."""

    def version(self) -> str:
        """Return what identifies the generator, for signatures."""


class Answerer(Protocol):
    """Answers questions from a text or from data."""

    def from_text(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question from the text of its page."""

    def from_data(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question from the data of its page."""

    def version(self) -> str:
        """Return what identifies the answerer, for signatures."""


Questioner = tuple[QuestionGenerator | None, Answerer]
"""A generator and an answerer; without a generator, questions come from templates."""


def question_of(fact: Triple, role: Role, answer: str | None = None) -> Question:
    """Ask for one role of a fact in a template.

    Examples
    --------
    >>> fact = Triple("Ada_Bridge", "leadArchitect", "Bo_Berg")
    >>> question_of(fact, "object").text, question_of(fact, "subject").text
    ('What is the lead architect of Ada Bridge?', 'What has the lead architect Bo Berg?')
    """
    predicate = words_of(fact.predicate)
    subject, object_ = label(fact.subject), label(fact.object)
    if role == "object":
        text, own, entity = f"What is the {predicate} of {subject}?", object_, fact.object
    else:
        text, own, entity = f"What has the {predicate} {object_}?", subject, fact.subject
    return Question(text, own if answer is None else answer, fact, role, entity if answer is None else None)


def question_pages(
    pages: Sequence[Page],
    generator: QuestionGenerator,
    answerer: Answerer,
    similarity: Similarity,
    *,
    confidence: bool = False,
) -> list[tuple[Asked, ...]]:
    """Ask all questions about the data and the text of each page, equal ones once.

    ``confidence`` says whether it counts, as half of the score of a question.
    """
    found: list[list[Asked]] = [[] for _ in pages]
    sides: tuple[tuple[Literal["data", "text"], Any, Any], ...] = (
        ("data", generator.from_data, answerer.from_text),
        ("text", generator.from_text, answerer.from_data),
    )
    for about, ask, answer in sides:
        asked = [
            (number, question)
            for number, questions in enumerate(ask(pages))
            for question in dict.fromkeys(questions)
        ]
        answers = answer([(question, pages[number]) for number, question in asked])
        pairs = [(question, given) for (_, question), given in zip(asked, answers, strict=True)]
        alike = iter(similarity.scores([pair for pair in pairs if pair[1].text is not None]))
        for (number, _), (question, given) in zip(asked, pairs, strict=True):
            score = 0.0 if given.text is None else next(alike)
            if confidence:
                score = (score + question.confidence * given.confidence) / 2
            found[number].append(Asked(question, about, given, score))
    return [tuple(some) for some in found]


def precision_recall(asked: Sequence[Asked]) -> tuple[float | None, float | None]:
    """Return the mean score of the questions about the text, and of those about the data.

    Examples
    --------
    >>> from esascore.fact_results import Answer, Question
    >>> one = Asked(Question("Who?", "Bo"), "data", Answer("Bo", 1.0), 1.0)
    >>> precision_recall([one, Asked(Question("When?", "1900"), "data", Answer(None, 0.0), 0.0)])
    (None, 0.5)
    """
    means = []
    for about in ("text", "data"):
        scores = [one.score for one in asked if one.about == about]
        means.append(sum(scores) / len(scores) if scores else None)
    return means[0], means[1]


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
        """Return the version of the templates."""
        return "templates.v1"


@dataclass(frozen=True, slots=True)
class TemplateQuestions(ReferenceQuestions):
    """Asks for both roles of every fact of the data, and once for whatever a text mentions or says."""

    verifier: Verifier

    def from_text(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Return one question for each thing that a text mentions, and for whatever else nothing explains.

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
        """Return the version of the templates."""
        return "templates.v2"


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
        """Return the version of the ranking, and the model."""
        return f"ranking.v2.{self.verifier.version()}"


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
