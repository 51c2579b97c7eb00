"""What tests of many rooms share: graphs in few words, and a detector that is quick and easy to foresee."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import contextmanager

from esascore.claims.explainer import Explainer
from esascore.learned import NOTHING
from esascore.lexicon import Lexicon
from esascore.model import Detection, Graph, Mention
from esascore.triples import SHAPE


def graph_of(triples: str, category: str | None = None) -> Graph:
    """A graph of lines such as ``Bionico | country | Mexico``."""
    lines = (line.strip() for line in triples.strip().split("\n"))
    return Graph.from_triples((line.split(" | ") for line in lines), category)


class FakeDetector:
    """Finds each term where the text has it as words, underscores as spaces; or what it is told to find.

    ``told`` is text -> (term, words of the text). ``asked`` is how many texts each call was about.
    """

    explainer = Explainer(Lexicon())
    learned = NOTHING
    verifier = None
    facts_weight = 0.5
    questioner = None
    similarity = None

    def __init__(self, told=None):
        self.told = told
        self.asked = []

    def detect(self, items, *, whole=True):
        self.asked.append(len(items))
        return [self._one(input_, text) for input_, text in items]

    def signature_parts(self):
        return {"profile": "fake"}

    def _one(self, input_, text):
        terms = tuple(entity.term for entity in input_.entities)
        mentions = tuple(self._mentions(terms, text))
        found = {mention.entity for mention in mentions}
        return Detection(text, terms, mentions, tuple(term for term in terms if term not in found))

    def _mentions(self, terms, text):
        if self.told is not None:
            for term, words in self.told.get(text, ()):
                at = text.index(words)
                yield Mention(term, at, at + len(words), words, "string")
            return
        for term in terms:
            if found := re.search(rf"(?<!\w){re.escape(term.replace('_', ' '))}(?!\w)", text):
                yield Mention(term, *found.span(), found[0], "string", 0.0, term)


class PhraseReader:
    """A verifier that takes for stated what one of its phrases says, word for word.

    ``phrases`` is predicate in words -> phrases with ``{s}`` and ``{o}``; ``stated`` and ``other`` are the
    probabilities of what is stated and of what is not.
    """

    def __init__(self, phrases, trained=(SHAPE,), stated=0.9, other=0.1):
        self.phrases, self.trained, self.stated, self.other = phrases, trained, stated, other

    def probabilities(self, claims):
        return [self.stated if self._says(claim) else self.other for claim in claims]

    def _says(self, claim):
        subjects, objects = (
            [claim.text[slice(*span)] for span in spans] for spans in (claim.subject, claim.object)
        )
        return any(
            phrase.format(s=subject, o=object_) in claim.text
            for phrase in self.phrases.get(claim.predicate, ())
            for subject in subjects
            for object_ in objects
        )

    def knows(self, predicate, shape):
        return shape in self.trained

    def predicate_kinds(self):
        return {}

    def version(self):
        return "reader.v1"


@contextmanager
def serving(*command):
    """Run a command that listens on an address; gives the process and the address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "esascore", *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        ready = process.stdout.readline()
        assert ready.startswith("listening on http://127.0.0.1:"), process.stderr.read()
        yield process, ready.split()[-1]
    finally:
        process.kill()
        process.communicate()
