"""Trained models that ask and answer questions: which of them are in a folder, and who answers from what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from esascore.errors import UsageError
from esascore.fact_results import Answer, Question
from esascore.facts.extractive import SpanReader
from esascore.facts.seq2seq import Seq2Seq, Seq2SeqQuestions, linearised
from esascore.facts.verdicts import Page
from esascore.trained.folder import CONFIG, has_file, is_model_folder

ASKING = ("data-qg", "text-qg")
"""The folders of the models that ask about data and about texts."""

ANSWERING = ("data-qa", "text-qa")
"""The folders of the models that answer from data and from texts."""


class Reader(Protocol):
    """A model that answers questions from whatever it is given to read."""

    @property
    def form(self) -> str:
        """The kind of model and the version of how it is used."""

    def answers(self, asked: Sequence[tuple[str, str]]) -> list[Answer]:
        """Answer each question from its context."""

    def version(self) -> str:
        """The hash of the model's files."""


@dataclass(frozen=True, slots=True)
class ModelAnswerer:
    """Answers from data and from texts, each with a model of its own."""

    data: Reader
    text: Reader

    def from_text(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question from the text of its page."""
        return self.text.answers([(question.text, page.text) for question, page in asked])

    def from_data(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question from the data of its page."""
        return self.data.answers([(question.text, linearised(page.facts)) for question, page in asked])

    def version(self) -> str:
        """The kinds of the models, and their hashes."""
        kind = "" if self.text.form == self.data.form else f"{self.text.form}."
        return f"{self.data.form}.{self.data.version()}.{kind}{self.text.version()}"


def models_in(folder: Path) -> tuple[Seq2SeqQuestions | None, ModelAnswerer]:
    """Return who asks and who answers, from a folder with models; where none asks, templates do.

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


def _reader(folder: Path) -> Reader:
    if is_model_folder(folder):
        return SpanReader(folder)
    if not has_file(folder, CONFIG):
        raise UsageError(
            f"{folder} is not the folder of a model that answers questions: it has neither esascore.json nor "
            "config.json (esascore questeval train writes such folders)"
        )
    return Seq2Seq(folder)
