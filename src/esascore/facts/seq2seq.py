"""Questions and answers from sequence-to-sequence models (T5, BART) in local folders, as in data-QuestEval.

Prompts have the form of the published models: ``answer </s> context`` makes a question, ``question </s>
context`` an answer, which is ``unanswerable`` if there is none. `linearised` writes data as they read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from esascore.fact_results import Answer, Question
from esascore.facts.verdicts import Page
from esascore.lexicon import label
from esascore.model import Triple
from esascore.trained.pretrained import Pretrained, each_once

UNANSWERABLE = "unanswerable"
_BETWEEN = " </s> "
_BATCH = 16
_LONGEST = 512
_NEW = 48


def linearised(facts: Sequence[Triple]) -> str:
    """Write facts as one string, as the published models read them.

    Examples
    --------
    >>> linearised([Triple("Ada_Bridge", "architect", "Bo_Berg"), Triple("Ada_Bridge", "opened", "1931")])
    'entity [ Ada Bridge ] , architect [ Bo Berg ] , opened [ 1931 ]'
    """
    about: dict[str, list[str]] = {}
    for fact in facts:
        own = about.setdefault(fact.subject, [f"entity [ {label(fact.subject)} ]"])
        own.append(f"{fact.predicate} [ {label(fact.object)} ]")
    return " , ".join(part for own in about.values() for part in own)


def prompt(given: str, context: str) -> str:
    """What a generator of questions reads, given an answer, and what an answerer reads, given a question."""
    return f"{given}{_BETWEEN}{context}"


def question_and_context(asked: str) -> tuple[str, str]:
    """Take apart what an answerer reads.

    Examples
    --------
    >>> question_and_context(prompt("Who?", "entity [ Ada ]"))
    ('Who?', 'entity [ Ada ]')
    """
    question, _, context = asked.partition(_BETWEEN)
    return question, context


class Seq2Seq(Pretrained):
    """A sequence-to-sequence model in a local folder."""

    loader = "AutoModelForSeq2SeqLM"
    kind = "a sequence-to-sequence model"
    purpose = "Generating questions"
    form = "seq2seq.v1"

    def answers(self, asked: Sequence[tuple[str, str]]) -> list[Answer]:
        """Answer each question from its context."""
        return [
            Answer(None, sure) if text.lower() == UNANSWERABLE or not text else Answer(text, sure)
            for text, sure in self.generate([prompt(*one) for one in asked])
        ]

    def generate(self, prompts: Sequence[str]) -> list[tuple[str, float]]:
        """Return what the model makes of each prompt, and the mean probability of its pieces."""
        made = each_once(prompts, self._generate, _BATCH)
        return [made[one] for one in prompts]

    def _generate(self, prompts: Sequence[str]) -> list[tuple[str, float]]:
        import torch

        tokenizer, model = self.load()
        read = tokenizer(
            list(prompts), return_tensors="pt", padding=True, truncation=True, max_length=_LONGEST
        )
        read.pop("token_type_ids", None)
        with torch.inference_mode():
            found = model.generate(
                **read, max_new_tokens=_NEW, num_beams=1, do_sample=False,
                return_dict_in_generate=True, output_scores=True,
            )  # fmt: skip
            scores = model.compute_transition_scores(found.sequences, found.scores, normalize_logits=True)
        texts = tokenizer.batch_decode(found.sequences, skip_special_tokens=True)
        sure = [[score for score in row if score > float("-inf")] for row in scores.tolist()]
        return [
            (text.strip(), exp(sum(row) / max(1, len(row)))) for text, row in zip(texts, sure, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Seq2SeqQuestions:
    """Questions about data and texts, one for each entity of the data and each thing that a text names."""

    data: Seq2Seq
    text: Seq2Seq

    def from_data(self, pages: Sequence[Page]) -> list[list[Question]]:
        """One question for each entity of the data."""
        entities = (page.all_entities if page.facts else () for page in pages)
        answers = [[(label(entity.term), entity.term) for entity in own] for own in entities]
        return _asked(self.data, answers, [linearised(page.facts) for page in pages])

    def from_text(self, pages: Sequence[Page]) -> list[list[Question]]:
        """One question for each thing that the text mentions."""
        answers: list[list[tuple[str, str | None]]] = []
        for page in pages:
            places = [(spans[0], entity) for entity, spans in page.spans.items()]
            named = [*places, *((span, None) for span in page.strangers)]
            answers.append([(page.text[slice(*span)], entity) for span, entity in named])
        return _asked(self.text, answers, [page.text for page in pages])

    def version(self) -> str:
        """The models' hashes."""
        return f"{Seq2Seq.form}.{self.data.version()}.{self.text.version()}"


def _asked(
    model: Seq2Seq, answers: Sequence[Sequence[tuple[str, str | None]]], contexts: Sequence[str]
) -> list[list[Question]]:
    prompts = [
        prompt(answer, context) for own, context in zip(answers, contexts, strict=True) for answer, _ in own
    ]
    made = iter(model.generate(prompts))
    return [[Question(next(made)[0], answer, entity=entity) for answer, entity in own] for own in answers]
