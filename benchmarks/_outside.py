"""The sets of texts from outside WebNLG, each with the errors in its texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from esascore.claims.hallucinations import Hallucination
from esascore.learned import Learned, learn
from esascore.model import Example, Input
from esascore.readers.corpus import read_corpus
from esascore.readers.outputs import read_outputs

Span = tuple[int, int]
MOST_WORDS = 6
RECORDS = Path(__file__).parents[1] / "tests" / "claims" / "everyday.jsonl"
_MARK = re.compile(r"⟦([^→⟧]*)→([^|⟧]*)\|([^⟧]+)⟧")
_CAPITAL_INSIDE = re.compile(r"(?<![.!?]\s)(?<=\s)[^\W\d_a-z]\w*")


@dataclass(frozen=True, slots=True)
class Text:
    """A text and the errors in it.

    Attributes
    ----------
    example, text
        The input, and the text.
    bad
        Whether anything in it is wrong.
    marked
        Where a flag is right; None if anywhere in a bad text.
    wanted
        What should be found; None if that is the text as a whole.
    of
        The text without the planted error, if there is one: its flags are no answer to the error.
    """

    example: Example
    text: str
    bad: bool
    marked: tuple[Span, ...] | None = None
    wanted: tuple[Span, ...] | None = None
    of: str = ""

    def is_right(self, flag: Hallucination) -> bool:
        """Return whether a flag overlaps an error; a flag of many words never does."""
        if self.marked is None:
            return self.bad
        return len(flag.text.split()) <= MOST_WORDS and any(_overlap(flag, one) for one in self.marked)

    def found(self, flags: Sequence[Hallucination]) -> tuple[int, int]:
        """Return how many of the errors that should be found are found, and how many there are."""
        if self.wanted is None:
            return int(self.bad and bool(flags)), int(self.bad)
        short = [flag for flag in flags if len(flag.text.split()) <= MOST_WORDS]
        return sum(any(_overlap(flag, one) for flag in short) for one in self.wanted), len(self.wanted)


def _overlap(flag: Hallucination, span: Span) -> bool:
    return flag.start < max(span[1], span[0] + 1) and span[0] < flag.end


@dataclass(frozen=True, slots=True)
class Corpus:
    """A set: its texts, and what its inputs (and other references) teach."""

    name: str
    texts: Sequence[Text]
    learned: Learned


def objects(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON lines file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def _taught(texts: Sequence[Text]) -> Learned:
    inputs = {text.example.input: replace(text.example, references=()) for text in texts}
    return learn(list(inputs.values()))


def _everyday(name: str, folder: Path) -> Corpus:
    texts: list[Text] = []
    own = folder / "everyday" / f"{name.replace('everyday ', 'set')}.jsonl"
    for row in objects(RECORDS if name == "own records" else own):
        marks = list(_MARK.finditer(row["text"]))
        clean, _ = _variant(row["text"], marks, None)
        example = Example(row["id"], Input.from_data(row["data"]))
        texts.append(Text(example, clean, False, (), ()))
        for n, mark in enumerate(marks):
            if mark[3] != "none":
                text, span = _variant(row["text"], marks, n)
                around = _sentence(text, *span)
                texts.append(Text(example, text, True, (around,), (around,), clean))
    return Corpus(name, texts, _taught(texts))


def _variant(text: str, marks: Sequence[re.Match[str]], chosen: int | None) -> tuple[str, Span]:
    """Return the text with the wrong variant of one mark, and the span of that variant."""
    made, last, span = "", 0, (0, 0)
    for n, mark in enumerate(marks):
        made += text[last : mark.start()]
        part = mark[2 if n == chosen else 1]
        span = (len(made), len(made) + len(part)) if n == chosen else span
        made, last = made + part, mark.end()
    return made + text[last:], span


def _sentence(text: str, start: int, end: int) -> Span:
    first = max((m.end() for m in re.finditer(r"[.!?\n]\s", text[:start])), default=0)
    last = re.search(r"[.!?](?:\s|$)|\n", text[end:])
    return first, end + last.end() if last else len(text)


def _spans(name: str, folder: Path) -> Corpus:
    """Read texts in which people marked spans."""
    own = folder / "outside" / name
    gold = {one["id"]: one for one in objects(own / "gold.jsonl")}
    texts = []
    for example in read_corpus(own / "corpus.jsonl"):
        text = example.text or ""
        row = gold[example.id]
        spans = row["spans"] if "spans" in row else [span for one in row["sets"] for span in one["spans"]]
        marked = tuple((span[0], span[1]) for span in spans)
        asked = tuple((span[0], span[1]) for span in spans if _counts(name, text, span))
        texts.append(Text(example, text, bool(marked), marked, asked))
    return Corpus(name, texts, _taught(texts))


def _counts(name: str, text: str, span: Sequence[Any]) -> bool:
    """Return whether a rule can find a span: with a digit, or a capital inside a sentence."""
    if name in ("rotowire", "ragtruth"):
        return True
    if span[2] not in ("incorrect", "contradictory", "not checkable"):
        return False
    inside = (m for m in _CAPITAL_INSIDE.finditer(text, max(0, span[0] - 3)) if m.start() >= span[0])
    first = next(inside, None)
    digits = any(map(str.isdigit, text[span[0] : span[1]]))
    return digits or (first is not None and first.end() <= span[1])


def _statements(name: str, folder: Path) -> Corpus:
    """Read sentences that are true of their table or not."""
    own = folder / "outside" / name
    gold = {one["id"]: one for one in objects(own / "gold.jsonl")}
    texts = []
    for example in read_corpus(own / "corpus.jsonl"):
        row = gold[example.id]
        texts.append(Text(example, example.text or "", not row.get("entailed", row.get("attributable"))))
    return Corpus(name, texts, _taught(texts))


def _e2e(name: str, folder: Path) -> Corpus:
    """Read outputs about restaurants, judged by a slot matcher; the ruler learns from other inputs."""
    own = folder / "outside" / name
    gold = {(one["system"], one["id"]): bool(one["added"]) for one in objects(own / "gold.jsonl")}
    examples = read_corpus(own / "corpus.jsonl")
    texts = [
        Text(example, text, gold[path.stem, example.id])
        for path in sorted((own / "outputs").iterdir())
        for example, text in zip(examples, read_outputs(path), strict=True)
    ]
    return Corpus(name, texts, learn(read_corpus(own / "dev.jsonl")))


CORPORA: Mapping[str, Callable[[Path], Corpus]] = {
    name: partial(read, name)
    for read, names in {
        _everyday: ("everyday 1", "everyday 2", "own records"),
        _spans: (
            "ragtruth", "d2t-weather", "quintd/gsmarena", "quintd/openweather", "quintd/wikidata", "rotowire",
        ),
        _statements: ("tata-en", "tabfact"),
        _e2e: ("e2e",),
    }.items()
    for name in names
}  # fmt: skip
