"""The transformer of one of Stanza's coreference models, run on several documents at once.

Stanza reads documents one by one, padded to the longest that the model can read; in batches of equally long
ones the transformer is some times faster, and what it says of a document is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor


def encode(model: Any, documents: Sequence[dict[str, Any]]) -> list[Tensor]:
    """Return the transformer's vectors of each document's word pieces; one run for all."""
    import torch

    tokenizer = model.tokenizer
    ids = [
        tokenizer.convert_tokens_to_ids([tokenizer.cls_token, *d["subwords"], tokenizer.sep_token])
        for d in documents
    ]
    size = max(map(len, ids))
    device = model.config.device
    pieces = torch.full((len(ids), size), tokenizer.pad_token_id, dtype=torch.long, device=device)
    mask = torch.zeros((len(ids), size), dtype=torch.long, device=device)
    for row, own in enumerate(ids):
        pieces[row, : len(own)] = torch.tensor(own, device=device)
        mask[row, : len(own)] = 1
    vectors = model.bert(pieces, attention_mask=mask)["last_hidden_state"]
    return [vectors[row, 1 : len(own) - 1] for row, own in enumerate(ids)]


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
    document["cased_words"] = [word if tokenize(word) else "_" for word in document["cased_words"]]
    prepared: dict[str, Any] = model.build_doc(document)
    return prepared


@contextmanager
def compute_threads(number: int) -> Iterator[None]:
    """Let torch compute with so many threads."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)
