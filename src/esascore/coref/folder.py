"""The folder of a trained coreference model: its weights, its transformer, and what it was made with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from esascore._version import __version__
from esascore.errors import DataError, UsageError

WEIGHTS = "coref.pt"
TRANSFORMER = "transformer"
DESCRIPTION = "esascore.json"
_FORMAT = 1


def check_new(folder: Path) -> None:
    """Refuse to overwrite anything."""
    if folder.exists():
        raise UsageError(f"{folder} already exists: choose another, or delete it")


def is_model_folder(folder: Path) -> bool:
    """Whether this is a folder that training wrote."""
    return (folder / DESCRIPTION).is_file()


def folder_digest(folder: Path) -> str:
    """Return what distinguishes the files of a model from those of others.

    The description does not count, nor do hidden files, which file managers leave.
    """
    files = sorted(
        file
        for file in folder.rglob("*")
        if file.is_file() and file.name != DESCRIPTION and not file.name.startswith(".")
    )
    return sha256(b"".join(sha256(file.read_bytes()).digest() for file in files)).hexdigest()[:12]


def write_description(path: Path, facts: Mapping[str, Any]) -> None:
    """Write what the model was made with, and what identifies it."""
    digest = folder_digest(path.parent)
    description = {"format": _FORMAT, "esascore": __version__, "digest": digest, **facts}
    path.write_text(json.dumps(description, indent=2) + "\n", "utf-8")


def read_description(folder: Path) -> dict[str, Any]:
    """Read what a model was made with.

    Raises
    ------
    DataError
        If it cannot be read, or a later version wrote it.
    """
    path = folder / DESCRIPTION
    try:
        description = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read as the description of a model: {error}", file=path) from error
    if not isinstance(description, dict) or description.get("format") != _FORMAT:
        raise DataError(f"is not a model of format {_FORMAT}: train it again", file=path)
    if not isinstance(description.get("digest"), str):
        raise DataError("does not say which weights belong to it: copy or train the model again", file=path)
    return description
