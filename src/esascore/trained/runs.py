"""Training runs that can be cut off: the loop, its state on disk, and the folder that it ends in."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from esascore.errors import DataError, UsageError
from esascore.trained.folder import new_folder, writing
from esascore.trained.loading import compute_threads

CHECKPOINT = "checkpoint.pt"

Progress = Callable[[int, int], None]
"""Called with the number of items read so far and that of the whole run."""

Stop = Callable[[int], bool]
"""Asked after every step with the number of items that this call has read: is it time to stop?"""


class Trainee(Protocol):
    """A model in training: what its steps read, what has to be kept between them, and what is written."""

    @property
    def identity(self) -> str:
        """What the finished model depends on; a state of another identity is rejected."""
        ...

    @property
    def steps(self) -> Sequence[Sequence[int]]:
        """The numbers of the items that each step reads, in order, over all epochs."""
        ...

    def learn(self, step: int) -> None:
        """Take one step."""
        ...

    def state(self) -> dict[str, Any]:
        """Return what has to be kept to continue after a step."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned."""
        ...

    def write(self, folder: Path) -> None:
        """Write the finished model into an empty folder."""
        ...


class Optimised:
    """The part of a trainee that changes from step to step: a network, and what optimises it."""

    model: Any
    optimizer: Any

    def state(self) -> dict[str, Any]:
        """What changes from step to step."""
        return {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])


def check_counts(settings: object, *names: str) -> None:
    """Reject settings that have to be at least 1.

    Raises
    ------
    UsageError
        One of them is not.
    """
    for name in names:
        if getattr(settings, name) < 1:
            raise UsageError(f"{name} must be at least 1, not {getattr(settings, name)}")


def train(
    make: Callable[[], Trainee],
    output: Path,
    *,
    threads: int = 1,
    checkpoint_every: int,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> bool:
    """Train what ``make`` returns and write it as a new folder.

    While training lasts, ``<output>.training`` holds its state, written after every ``checkpoint_every``
    items; a call with the same items and settings continues from there.

    Returns
    -------
    bool
        Whether training is complete and the folder written; False if ``stop`` said that it is time.
    """
    kept = output.with_name(output.name + ".training")
    with writing(kept):  # not only after an hour
        kept.mkdir(parents=True, exist_ok=True)
    with compute_threads(threads):
        trainee = make()
        if not _take_steps(trainee, kept, checkpoint_every, stop, progress):
            return False
        with new_folder(output) as folder:
            trainee.write(folder)
    shutil.rmtree(kept, ignore_errors=True)
    return True


def _take_steps(
    trainee: Trainee, kept: Path, checkpoint_every: int, stop: Stop | None, progress: Progress | None
) -> bool:
    sizes = [len(items) for items in trainee.steps]
    total = sum(sizes)
    first = _resume(trainee, kept)
    saved = begun = done = sum(sizes[:first])
    for step in range(first, len(sizes)):
        trainee.learn(step)
        done += sizes[step]
        if progress is not None:
            progress(done, total)
        stopping = stop is not None and done < total and stop(done - begun)
        if stopping or done - saved >= checkpoint_every:
            _save(trainee, kept, step + 1)
            saved = done
        if stopping:
            return False
    return True


def _save(trainee: Trainee, folder: Path, steps: int) -> None:
    """Write the state of a run under a temporary name, and rename it."""
    import torch

    temporary = folder / (CHECKPOINT + ".new")
    state = {
        "identity": trainee.identity,
        "steps": steps,
        "chance": torch.get_rng_state(),
        "state": trainee.state(),
    }
    with writing(folder):
        torch.save(state, temporary)
        temporary.replace(folder / CHECKPOINT)


def _resume(trainee: Trainee, folder: Path) -> int:
    """Continue from the state that a run left, if there is one; return how many steps it had taken.

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
        return 0
    try:
        kept = torch.load(path, map_location="cpu", weights_only=True)
        identity, steps, chance, state = (kept[name] for name in ("identity", "steps", "chance", "state"))
    except Exception as error:  # torch raises many kinds for a damaged file
        raise DataError(f"cannot be read: delete {folder} to start again", file=path) from error
    if identity != trainee.identity:
        raise UsageError(
            f"{folder} belongs to a run with other documents or settings: "
            "use the same, or delete it to start again"
        )
    trainee.restore(state)
    torch.set_rng_state(chance)
    return int(steps)
