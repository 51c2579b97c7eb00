"""Trained models that ask and answer questions, in local folders.

An encoder finds answers that stand in the text: it reads ``[CLS] question [SEP] context [SEP]``. Every span
of the context has a score, and so has the first piece, which stands for "no answer"; together their
probabilities are one. How sure it is that there is an answer is what "no answer" leaves.

Sequence-to-sequence models (T5, BART) write questions and answers, as in data-QuestEval. Prompts have the
form of the published models: ``answer </s> context`` makes a question, ``question </s> context`` an answer,
which is ``unanswerable`` if there is none. `linearised` writes data as they read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING

from esascore.errors import UsageError
from esascore.fact_results import Answer, Question
from esascore.facts.pieces import Encoded, WordPieces, steady_batches
from esascore.facts.verdicts import Page
from esascore.lexicon import label
from esascore.model import Triple
from esascore.trained.folder import CONFIG, has_file, is_model_folder, read_description
from esascore.trained.loading import Pretrained, compute_threads, each_once, load_torch

if TYPE_CHECKING:
    from esascore.facts.networks import SpanEncoder

WEIGHTS = "answers.safetensors"
LONGEST = 256
"""Pieces that are read at once; of a longer context, windows are."""

LONGEST_ANSWER = 48
"""Pieces of the longest answer."""

PURPOSE = "Answering questions"
_LONGEST_QUESTION = 64
_OVERLAP = 64
_BUDGET = 2048
_HALF = 0.5

UNANSWERABLE = "unanswerable"
_BETWEEN = " </s> "
_PROMPTS_AT_ONCE = 16
_LONGEST_PROMPT = 512
_MOST_NEW_PIECES = 48
ASKING = ("data-qg", "text-qg")
"""The folders of the models that ask about data and about texts."""

ANSWERING = ("data-qa", "text-qa")
"""The folders of the models that answer from data and from texts."""


@dataclass(frozen=True, slots=True)
class Window:
    """A question with a stretch of its context; each piece of the context has a place in it."""

    read: Encoded
    places: tuple[tuple[int, int], ...]


class AskedPieces(WordPieces):
    """Cuts questions and their contexts into word pieces."""

    def windows(self, question: str, context: str) -> list[Window]:
        """Encode a question with its context, in several windows if it is too long for one."""
        asked = self.plain(question)[: min(_LONGEST_QUESTION, self.longest // 2)]
        pieces, places = self.placed(context)
        room = self.longest - len(asked) - 3
        step = max(1, room - min(_OVERLAP, room // 2))
        starts = range(0, max(1, len(pieces) - room + step), step)
        return [
            Window(self.joined(asked, pieces[at : at + room]), tuple(places[at : at + room])) for at in starts
        ]


class SpanReader:
    """Answers questions with spans, from a folder that `esascore questeval train` wrote.

    Nothing is loaded before the first question; an instance can be pickled. It reads with one thread.
    """

    form = "spans.v1"

    def __init__(self, folder: Path):
        self.folder = Path(folder)
        self._description = read_description(self.folder)
        self._loaded: tuple[AskedPieces, SpanEncoder] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return SpanReader, (self.folder,)

    def version(self) -> str:
        """Return the hash of the model's files."""
        return str(self._description["digest"])

    def answers(self, asked: Sequence[tuple[str, str]]) -> list[Answer]:
        """Answer each question from its context, equal ones once; of several windows, the surest counts."""
        if not asked:
            return []
        import torch

        distinct = list(dict.fromkeys(asked))
        pieces, model = self._load()
        windows = [(number, window) for number, one in enumerate(distinct) for window in pieces.windows(*one)]
        best = [Answer(None, 0.0)] * len(distinct)
        with compute_threads(1), torch.inference_mode():
            for batch in steady_batches([(len(window.read.pieces),) for _, window in windows], _BUDGET):
                some = [windows[number] for number in batch]
                found = model.best([window.read for _, window in some])
                for (number, window), (first, last, sure) in zip(some, found, strict=True):
                    answer = Answer(None, round(sure, 6))  # other processors compute other last digits
                    if sure > _HALF:
                        start, end = window.places[first][0], window.places[last][1]
                        answer = Answer(distinct[number][1][start:end], answer.confidence)
                    best[number] = max(best[number], answer, key=lambda one: one.confidence)
        known = dict(zip(distinct, best, strict=True))
        return [known[one] for one in asked]

    def _load(self) -> tuple[AskedPieces, SpanEncoder]:
        if self._loaded is None:
            load_torch(PURPOSE)
            from esascore.facts.networks import SpanEncoder, restored

            heads = self._description.get("heads")
            what = "a model that answers questions"
            model = restored(self.folder / WEIGHTS, SpanEncoder, heads=heads, what=what)
            self._loaded = AskedPieces(self.folder, min(LONGEST, model.shape.positions)), model
        return self._loaded


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
        made = each_once(prompts, self._generate, _PROMPTS_AT_ONCE)
        return [made[one] for one in prompts]

    def _generate(self, prompts: Sequence[str]) -> list[tuple[str, float]]:
        import torch

        tokenizer, model = self.load()
        read = tokenizer(
            list(prompts), return_tensors="pt", padding=True, truncation=True, max_length=_LONGEST_PROMPT
        )
        read.pop("token_type_ids", None)
        with torch.inference_mode():
            found = model.generate(
                **read, max_new_tokens=_MOST_NEW_PIECES, num_beams=1, do_sample=False,
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
        """Return one question for each entity of the data."""
        entities = (page.all_entities if page.facts else () for page in pages)
        answers = [[(label(entity.term), entity.term) for entity in own] for own in entities]
        return _asked(self.data, answers, [linearised(page.facts) for page in pages])

    def from_text(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Return one question for each thing that the text mentions."""
        answers: list[list[tuple[str, str | None]]] = []
        for page in pages:
            places = [(spans[0], entity) for entity, spans in page.spans.items()]
            named = [*places, *((span, None) for span in page.strangers)]
            answers.append([(page.text[slice(*span)], entity) for span, entity in named])
        return _asked(self.text, answers, [page.text for page in pages])

    def version(self) -> str:
        """Return the models' hashes."""
        return f"{Seq2Seq.form}.{self.data.version()}.{self.text.version()}"


def _asked(
    model: Seq2Seq, answers: Sequence[Sequence[tuple[str, str | None]]], contexts: Sequence[str]
) -> list[list[Question]]:
    prompts = [
        prompt(answer, context) for own, context in zip(answers, contexts, strict=True) for answer, _ in own
    ]
    made = iter(model.generate(prompts))
    return [[Question(next(made)[0], answer, entity=entity) for answer, entity in own] for own in answers]


@dataclass(frozen=True, slots=True)
class ModelAnswerer:
    """Answers from data and from texts, each with a model of its own."""

    data: SpanReader | Seq2Seq
    text: SpanReader | Seq2Seq

    def from_text(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question from the text of its page."""
        return self.text.answers([(question.text, page.text) for question, page in asked])

    def from_data(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question from the data of its page."""
        return self.data.answers([(question.text, linearised(page.facts)) for question, page in asked])

    def version(self) -> str:
        """Return the kinds of the models, and their hashes."""
        kind = "" if self.text.form == self.data.form else f"{self.text.form}."
        return f"{self.data.form}.{self.data.version()}.{kind}{self.text.version()}"


def models_in(folder: Path) -> tuple[Seq2SeqQuestions | None, ModelAnswerer]:
    """Return generator and answerer from a folder with models; without a generator, templates are used.

    Raises
    ------
    UsageError
        If a model is missing, or one that only answers should ask.
    """
    answerer = ModelAnswerer(*(_reader(folder / part) for part in ANSWERING))
    if not any((folder / part).exists() for part in ASKING):
        return None, answerer
    for part in ASKING:
        if is_model_folder(folder / part):
            raise UsageError(
                f"{folder / part} has an encoder, which answers questions but cannot ask any: "
                "train a T5 or BART model for this part, or remove data-qg and text-qg to ask by templates"
            )
    return Seq2SeqQuestions(*(Seq2Seq(folder / part) for part in ASKING)), answerer


def _reader(folder: Path) -> SpanReader | Seq2Seq:
    if is_model_folder(folder):
        return SpanReader(folder)
    if not has_file(folder, CONFIG):
        raise UsageError(
            f"{folder} is not the folder of a model that answers questions: it has neither esascore.json nor "
            "config.json (esascore questeval train writes such folders)"
        )
    return Seq2Seq(folder)
