"""Coreference chains by Stanza's neural models: one that `esascore.coref.training` made, or any other.

Nothing is ever downloaded: if something is missing on this machine, an error says how to get it. Stanza reads
documents one by one, padded to the longest that the model can read; here, its transformer reads batches of
documents of similar length, which is several times faster and gives the same result.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from hashlib import file_digest
from importlib.metadata import PackageNotFoundError, version
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from esascore.coref.chains import Chain
from esascore.coref.documents import CutText, cut
from esascore.errors import MissingExtraError, MissingModelError, UsageError
from esascore.trained.folder import folder_digest, is_model_folder, read_description
from esascore.trained.loading import compute_threads, contained, quiet

if TYPE_CHECKING:
    from torch import Tensor

_PARTS_AT_ONCE = 32

_PURPOSE = "Neural coreference"
_OLDEST_TORCH = (
    2,
    6,
)  # in earlier versions, files of weights could run code even if only weights were to be read

WEIGHTS = "coref.pt"
TRANSFORMER = "transformer"
_BATCH = 32
_NOT_FOR_USE = frozenset({"bert_optimizer", "general_optimizer", "bert_scheduler", "general_scheduler"})


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
    """Run the transformer once on parts of documents, and drop the vectors of the special tokens."""
    import torch

    device = model.config.device
    shape = len(parts), max(map(len, parts))
    pieces = torch.full(shape, model.tokenizer.pad_token_id, dtype=torch.long, device=device)
    mask = torch.zeros(shape, dtype=torch.long, device=device)
    for row, own in enumerate(parts):
        pieces[row, : len(own)] = torch.tensor(own, device=device)
        mask[row, : len(own)] = 1
    # As Stanza does: only the encoder of a T5 is needed.
    reader = model.bert.encoder if "t5" in model.config.bert_model else model.bert
    vectors = reader(pieces, attention_mask=mask)["last_hidden_state"]
    return [vectors[row, 1 : len(own) - 1] for row, own in enumerate(parts)]


@contextmanager
def encoded(model: Any, vectors: Tensor) -> Iterator[None]:
    """Let the model use these vectors for the next document, instead of computing them one by one."""
    model._bertify = lambda document: vectors
    try:
        yield
    finally:
        del model._bertify


def prepare(model: Any, document: dict[str, Any]) -> dict[str, Any]:
    """Add word pieces to a document; words that the tokenizer drops whole would break the model."""
    tokenize = model.tokenizer.tokenize
    document["cased_words"] = [
        # Only invisible characters are dropped, and checking every word takes time.
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


_Loaded = tuple[Any, Callable[[str], CutText]]
"""A model in memory, and how texts are cut for it."""


class StanzaModel:
    """Finds chains with a coreference model of Stanza, which is loaded on first use.

    Parameters
    ----------
    model
        A folder that ``esascore coref train`` wrote, a file of weights (``.pt``), or the name of a package of
        Stanza's; without it, Stanza's own choice.
    directory
        Where Stanza's models are, if not in ``$STANZA_RESOURCES_DIR`` or ``~/stanza_resources``. A folder of
        ours needs none of them.

    Notes
    -----
    A folder of ours is read with the tokenization that it was trained on, every other model with Stanza's
    tokenizer. One thread is used, because esascore works in several processes.
    """

    def __init__(
        self, model: str | PathLike[str] | None = None, directory: str | PathLike[str] | None = None
    ):
        self._name = None if model is None else str(model)
        self._directory = Path(directory or os.environ.get("STANZA_RESOURCES_DIR") or "~/stanza_resources")
        self._directory = self._directory.expanduser()
        self._folder: Path | None = None
        self._file: Path | None = None
        if self._name is not None:
            path = Path(self._name).expanduser()
            if is_model_folder(path):
                self._folder = path
            elif path.is_file():
                self._file = path
            elif path.exists() or path.suffix == ".pt" or os.sep in self._name:
                raise UsageError(
                    f"{self._name} is not a coreference model: give a folder from esascore coref train, "
                    "a file of weights (.pt), or the name of a Stanza package"
                )
        self._loaded: _Loaded | None = None

    def chains(self, texts: Sequence[str]) -> list[tuple[Chain, ...]]:
        """Return the chains of each text, in order."""
        model, cut_text = self._load()
        import torch

        words = list(map(cut_text, texts))
        found: list[tuple[Chain, ...]] = [()] * len(texts)
        with compute_threads(1), torch.inference_mode():
            documents = {index: _document(model, own) for index, own in enumerate(words) if len(own)}
            for batch in _batches(documents):
                some = [documents[index] for index in batch]
                for index, document, vectors in zip(batch, some, encode(model, some), strict=True):
                    with encoded(model, vectors):
                        found[index] = _spans(model.run(document), words[index])
        return found

    def version(self) -> str:
        """Return Stanza's version and what identifies the model."""
        try:
            package = version("stanza")
        except PackageNotFoundError as error:
            raise MissingExtraError(_PURPOSE, package="stanza", extra="coref") from error
        return f"stanza.{package}/{self._identity}"

    @cached_property
    def _identity(self) -> str:
        """Return what identifies the model: the digest of its files, or the name of a package."""
        if self._folder is not None:
            return str(read_description(self._folder)["digest"])
        if self._file is not None:
            with self._file.open("rb") as stream:
                return file_digest(stream, "sha256").hexdigest()[:12]
        return self._name or "default"

    def _load(self) -> _Loaded:
        if self._loaded is None:
            model_class = coref_model_class()
            with quiet(), contained():
                if self._folder is not None:
                    self._loaded = _from_folder(model_class, self._folder), cut
                else:
                    self._loaded = _from_stanza(self._name, self._file, self._directory)
        return self._loaded


def _from_folder(model_class: Any, folder: Path) -> Any:
    if folder_digest(folder) != read_description(folder)["digest"]:
        raise MissingModelError(
            f"the coreference model {folder} is damaged: its files are not those that training wrote: "
            "copy or train it again"
        )
    try:
        model = model_class.load_model(
            path=str(folder / WEIGHTS),
            ignore=_NOT_FOR_USE,
            config_update={"bert_model": str(folder / TRANSFORMER), "device": _device(), "log_norms": False},
        )
    except Exception as error:  # torch and transformers raise many kinds for a damaged file
        raise MissingModelError(
            f"the coreference model {folder} cannot be loaded ({_first_line(error)}): copy or train it again"
        ) from error
    model.training = False
    return model


def _from_stanza(name: str | None, file: Path | None, directory: Path) -> _Loaded:
    import stanza

    options: dict[str, Any] = {"processors": "tokenize,coref"}
    if file is not None:
        options["coref_model_path"] = str(file)
    elif name is not None:
        # Without a package to fall back on: it would use another model than the one named.
        options |= {"processors": {"tokenize": "default", "coref": name}, "package": None}
    try:
        pipeline = stanza.Pipeline(
            "en", dir=str(directory), download_method=None, verbose=False, device=_device(), **options
        )
        if "coref" not in pipeline.processors:
            raise LookupError(f"resources.json has no such package: {name}")
        model = pipeline.processors["coref"]._model
    except Exception as error:  # of at least six kinds, which all mean that something is missing
        raise MissingModelError(_how_to_get(name, file, directory, error)) from error
    return model, partial(_stanza_words, pipeline)


def _how_to_get(name: str | None, file: Path | None, directory: Path, error: Exception) -> str:
    what = f"the coreference model {file or name}" if file or name else "a coreference model"
    processors = f"{{'tokenize': 'default', 'coref': '{name}'}}" if name else "'tokenize,coref'"
    return (
        f"Stanza cannot load {what} from {directory} ({_first_line(error)}). "
        "Train one (esascore coref train); "
        'or, with network access, run python -c "import stanza; '
        f"stanza.Pipeline('en', processors={processors})\" and copy ~/stanza_resources to {directory} "
        "and ~/.cache/huggingface, which holds the model's transformer, to this machine"
    )


def _stanza_words(pipeline: Any, text: str) -> CutText:
    """Cut a text with Stanza's tokenizer; parts of one token ("cannot") share its place."""
    document = pipeline.process(text, processors="tokenize")
    rows = [
        (word.text, word.parent.start_char, word.parent.end_char, number)
        for number, sentence in enumerate(document.sentences)
        for word in sentence.words
    ]
    texts, starts, ends, sentences = zip(*rows, strict=True) if rows else ((), (), (), ())
    return CutText(tuple(texts), tuple(starts), tuple(ends), tuple(sentences))


def _document(model: Any, words: CutText) -> dict[str, Any]:
    return prepare(
        model,
        {
            "document_id": "wb_1",
            "cased_words": list(words.texts),
            "sent_id": list(words.sentences),
            "speaker": ["_"] * len(words),
        },
    )


def _batches(documents: dict[int, dict[str, Any]]) -> Iterator[list[int]]:
    """Numbers of documents for the transformer to read at once, about equally long ones together."""
    order = sorted(documents, key=lambda index: len(documents[index]["subwords"]))
    for start in range(0, len(order), _BATCH):
        yield order[start : start + _BATCH]


def _spans(result: Any, words: CutText) -> tuple[Chain, ...]:
    return tuple(
        tuple((words.starts[first], words.ends[last - 1]) for first, last in sorted(cluster))
        for cluster in result.span_clusters or []
        if len(cluster) > 1
    )


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".strip().split("\n")[0][:200]
