"""Stanza's coreference models: their class, and their transformer run on several documents at once.

Stanza reads documents one by one, padded to the longest that the model can read; in batches of equally long
ones the transformer is some times faster, and what it says of a document is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from esascore.errors import MissingExtraError

if TYPE_CHECKING:
    from torch import Tensor

_PARTS_AT_ONCE = 32

_PURPOSE = "Neural coreference"
_OLDEST_TORCH = (2, 6)  # before, files of weights could run code even where only weights were to be read


def encode(model: Any, documents: Sequence[dict[str, Any]]) -> list[Tensor]:
    """Return the transformer's vectors of each document's word pieces.

    A document that is longer than the model's window is read in parts.
    """
    import torch

    tokenizer = model.tokenizer
    limits = [windows(document, model.config.bert_window_size - 2) for document in documents]
    first, last = tokenizer.cls_token, tokenizer.sep_token
    if first is None or last is None:
        first = last = tokenizer.eos_token
    parts = [
        tokenizer.convert_tokens_to_ids([first, *document["subwords"][start:end], last])
        for document, own in zip(documents, limits, strict=True)
        for start, end in own
    ]
    vectors = []
    for start in range(0, len(parts), _PARTS_AT_ONCE):
        vectors += _read(model, parts[start : start + _PARTS_AT_ONCE])
    found = iter(vectors)
    return [torch.cat([next(found) for _ in own]) for own in limits]


def windows(document: Mapping[str, Any], longest: int) -> list[tuple[int, int]]:
    """Cut the word pieces of a document into parts of bounded length, where sentences end if possible.

    Stanza cuts in the same places, but never comes to an end with a sentence of more than two windows.

    Examples
    --------
    >>> words = {"subwords": list("abcdefgh"), "word_id": list(range(8)), "sent_id": [0, 0, 1, 1, 1, 1, 1, 2]}
    >>> windows(words, 3)
    [(0, 2), (2, 5), (5, 8)]
    """
    sentences = [document["sent_id"][word] for word in document["word_id"]]
    parts = []
    start = 0
    while start < len(sentences):
        end = min(start + longest, len(sentences))
        if end < len(sentences):
            cut = end
            while cut > start and sentences[cut - 1] == sentences[end]:
                cut -= 1
            end = cut if cut > start else end
        parts.append((start, end))
        start = end
    return parts


def _read(model: Any, parts: Sequence[Sequence[int]]) -> list[Tensor]:
    """Run the transformer once on parts of documents, and drop the vectors of what encloses each."""
    import torch

    device = model.config.device
    shape = len(parts), max(map(len, parts))
    pieces = torch.full(shape, model.tokenizer.pad_token_id, dtype=torch.long, device=device)
    mask = torch.zeros(shape, dtype=torch.long, device=device)
    for row, own in enumerate(parts):
        pieces[row, : len(own)] = torch.tensor(own, device=device)
        mask[row, : len(own)] = 1
    # As Stanza does: of a T5, only the half that reads is wanted.
    reader = model.bert.encoder if "t5" in model.config.bert_model else model.bert
    vectors = reader(pieces, attention_mask=mask)["last_hidden_state"]
    return [vectors[row, 1 : len(own) - 1] for row, own in enumerate(parts)]


@contextmanager
def encoded(model: Any, vectors: Tensor) -> Iterator[None]:
    """Let the model take these vectors for those of the next document: its own way is one by one."""
    model._bertify = lambda document: vectors
    try:
        yield
    finally:
        del model._bertify


def prepare(model: Any, document: dict[str, Any]) -> dict[str, Any]:
    """Add word pieces to a document; words that the tokenizer drops whole would break the model."""
    tokenize = model.tokenizer.tokenize
    document["cased_words"] = [
        # Only marks that nobody sees are dropped, and asking about every word takes time.
        word if (word.isascii() and word.isprintable()) or tokenize(word) else "_"
        for word in document["cased_words"]
    ]
    prepared: dict[str, Any] = model.build_doc(document)
    return prepared


def coref_model_class() -> Any:
    """Return the class of Stanza coreference models.

    Raises
    ------
    MissingExtraError
        If Stanza or what its coreference needs is not installed.
    """
    try:
        import stanza  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(_PURPOSE, package="stanza", extra="coref") from error
    try:
        from stanza.models.coref.model import CorefModel
    except ImportError as error:
        raise MissingExtraError(_PURPOSE, package=error.name or "transformers", extra="coref") from error
    from torch import __version__

    if tuple(map(int, re.findall(r"\d+", __version__)[:2])) < _OLDEST_TORCH:
        raise MissingExtraError(_PURPOSE, package="torch>=2.6", extra="coref")
    return CorefModel
