"""Every reader of files, and of what servers answer: each returns something, or an error for people."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from esascore.cache import AnswerCache
from esascore.errors import EsascoreError
from esascore.gate.accepted import read_accepted
from esascore.gold.ratings.files import read_ratings, read_scores
from esascore.lexicon import dumps
from esascore.lexicon.user import read_user_lexicon
from esascore.link.gazetteer.dump_records import MalformedLineError, records
from esascore.link.gazetteer.linker import gazetteer_linker
from esascore.link.services.rel import RelLinker
from esascore.link.services.rel_protocol import BadQuestion, read_question
from esascore.link.services.remote import AnswerError
from esascore.link.services.spotlight import SpotlightLinker
from esascore.metrics.cooccurrence import read_counts
from esascore.model import Example, Graph
from esascore.profiles import load_profile
from esascore.readers.corpus import FORMATS, read_corpus
from esascore.readers.outputs import read_outputs
from esascore.readers.records import read_references, read_tables
from esascore.readers.toml import read_toml
from esascore.reports.evaluation_file import load_scored

_EXAMPLES = [
    Example(
        "Id1",
        Graph.from_triples(
            [("Kestrel_Arena", "location", "Oslo"), ("Kestrel_Arena", "opened", "1999-05-12")]
        ),
    ),
    Example("Id2", Graph.from_triples([("Bionico", "energy", "185.0")])),
]
_TEXT = "Ada won in Oslo. She left 🎉 then."


def _corpus(input_format: str) -> Callable[[Path], object]:
    return lambda path: read_corpus(path, input_format=input_format)


def _json(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _linked(path: Path) -> object:
    return gazetteer_linker([path]).link([_TEXT, "Tiger City is Oslo."])


def _dump_lines(path: Path) -> None:
    for line in path.read_text("utf-8", "replace").split("\n"):
        with suppress(MalformedLineError):
            records(line, "en", 0)


READERS: dict[str, Callable[[Path], object]] = {
    "corpus": read_corpus,
    **{f"corpus as {name}": _corpus(name) for name in FORMATS},
    "outputs": lambda path: read_outputs(path, _EXAMPLES),
    "lexicon": read_user_lexicon,
    "profile": load_profile,
    "index": _linked,
    "dump for a lexicon": lambda path: dumps.build([path], io.StringIO()),
    "lines of a dump": _dump_lines,
    "counts": read_counts,
    "tables of PARENT": lambda path: list(read_tables(path)),
    "references of PARENT": lambda path: list(read_references(path)),
    "ratings": lambda path: read_ratings(path, _EXAMPLES),
    "scores": lambda path: read_scores(path, _EXAMPLES),
    "options in TOML": read_toml,
    "accepted": lambda path: read_accepted([path]),
    "saved result": load_scored,
    "cache": lambda path: AnswerCache(path).info(),
    "answer of REL": lambda path: RelLinker(cache=None).claims(_json(path)),
    "answer of Spotlight": lambda path: SpotlightLinker("http://127.0.0.1:2222/rest", cache=None).claims(
        _json(path)
    ),
    "question to our linker": lambda path: read_question(path.read_bytes(), 100),
}
"""Name of a reader -> what reads a file with it."""

EXPECTED = (EsascoreError, AnswerError, BadQuestion)
"""What readers may raise: callers of the latter two turn them into answers."""


def read_all_of(name: str, path: Path) -> None:
    """Read a file in one way; whatever is wrong with it is one of the expected errors."""
    try:
        READERS[name](path)
    except EXPECTED:
        pass
    except (ValueError, RecursionError):
        if not name.startswith("answer of"):  # which is no JSON at all, as their callers know
            raise
