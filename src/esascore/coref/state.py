"""The state of a training run on disk: written whole, and read back only by the run that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from esascore.errors import DataError, UsageError

CHECKPOINT = "checkpoint.pt"


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say in one line that something cannot be written; torch has its own way of saying so."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        first = reason.strip().split("\n")[0]
        raise UsageError(f"cannot write to {path}: {first}; choose another place or free space") from error


def save_state(folder: Path, identity: str, state: Mapping[str, Any]) -> None:
    """Write the state of a run under a temporary name, and rename it."""
    import torch

    temporary = folder / (CHECKPOINT + ".new")
    with writing(folder):
        torch.save({"identity": identity, **state}, temporary)
        temporary.replace(folder / CHECKPOINT)


def kept_state(folder: Path, identity: str) -> dict[str, Any] | None:
    """Return the state that a run left; None if there is none.

    Raises
    ------
    DataError
        If it cannot be read.
    UsageError
        If it belongs to a run with other documents or settings.
    """
    import torch

    path = folder / CHECKPOINT
    if not path.exists():
        return None
    try:
        kept: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        own = kept["identity"]
    except Exception as error:  # torch raises many kinds for a damaged file
        raise DataError(f"cannot be read: delete {folder} to start again", file=path) from error
    if own != identity:
        raise UsageError(
            f"{folder} belongs to a run with other documents or settings: "
            "use the same, or delete it to start again"
        )
    return kept
