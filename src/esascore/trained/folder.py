"""The folder of a trained model: its files, and a description of how it was made."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from esascore._version import __version__
from esascore.errors import DataError, UsageError

CONFIG = "config.json"
"""Files of every transformer."""

DESCRIPTION = "esascore.json"
_FORMAT = 1


def check_new(folder: Path) -> None:
    """Raise an error rather than overwrite anything."""
    with writing(folder):
        is_there = folder.exists()
    if is_there:
        raise UsageError(f"{folder} already exists: choose another, or delete it")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn errors of writing, including those of torch, into one line."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        first = reason.strip().split("\n")[0]
        raise UsageError(f"cannot write to {path}: {first}; choose another place or free space") from error


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder with a temporary name to write into, and rename it at the end."""
    temporary = folder.with_name(folder.name + ".new")
    with writing(folder):
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        yield temporary
        temporary.rename(folder)


def is_model_folder(folder: Path) -> bool:
    """Return whether training wrote this folder."""
    return has_file(folder, DESCRIPTION)


def has_file(folder: Path, name: str) -> bool:
    """Return whether a folder has a file of that name; False if the system does not allow such a path."""
    with suppress(OSError, ValueError):
        return (folder / name).is_file()
    return False


def regular(path: Path) -> Path:
    """Return the path of a file, unless it is a pipe or a device, which might never end.

    Raises
    ------
    OSError
        It is a pipe or a device.
    """
    if path.exists() and not path.is_file():
        raise OSError(f"{path.name} is not a regular file")
    return path


def read_json(path: Path) -> Any:
    """Read a JSON file of a model.

    Raises
    ------
    OSError, ValueError
        It cannot be read.
    """
    try:
        return json.loads(regular(path).read_text("utf-8"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def folder_digest(folder: Path) -> str:
    """Return a digest that distinguishes the files of a model from those of others.

    The description does not count, nor do hidden files, which file managers leave behind.
    """
    files = sorted(
        file
        for file in folder.rglob("*")
        if file.is_file() and file.name != DESCRIPTION and not file.name.startswith(".")
    )
    return sha256(b"".join(sha256(file.read_bytes()).digest() for file in files)).hexdigest()[:12]


def write_description(path: Path, facts: Mapping[str, Any]) -> None:
    """Write the description of a model: how it was made, and what identifies it."""
    digest = folder_digest(path.parent)
    description = {"format": _FORMAT, "esascore": __version__, "digest": digest, **facts}
    path.write_text(json.dumps(description, indent=2) + "\n", "utf-8")


def read_description(folder: Path) -> dict[str, Any]:
    """Read the description of a model.

    Raises
    ------
    DataError
        If it cannot be read, or a later version wrote it.
    """
    path = folder / DESCRIPTION
    try:
        description = read_json(path)
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(
            "there is no such file: give the folder of a model that esascore has trained", file=path
        ) from None
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read as the description of a model: {error}", file=path) from error
    if not isinstance(description, dict) or description.get("format") != _FORMAT:
        raise DataError(f"is not a model of format {_FORMAT}: train it again", file=path)
    if not isinstance(description.get("digest"), str):
        raise DataError("does not identify its weights: copy or train the model again", file=path)
    return description
