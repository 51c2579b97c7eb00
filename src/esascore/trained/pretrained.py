"""Models of the package ``transformers`` in local folders, with their tokenizers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from esascore.errors import DataError, MissingExtraError, UsageError
from esascore.trained.folder import CONFIG, folder_digest, has_file, regular
from esascore.trained.loading import contained, quiet


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
                for file in self.folder.iterdir():
                    file.is_dir() or regular(file)
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
