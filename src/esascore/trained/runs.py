"""Training runs that can be interrupted: the loop, its state on disk, and the folder of the model."""

from __future__ import annotations

import json
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from esascore.errors import DataError, UsageError
from esascore.trained.folder import (
    DESCRIPTION,
    check_new,
    folder_digest,
    new_folder,
    write_description,
    writing,
)
from esascore.trained.loading import compute_threads

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

CHECKPOINT = "checkpoint.pt"
_POOL = 16  # batches

Progress = Callable[[int, int], None]
"""Called with the number of items read so far and that of the whole run."""

Stop = Callable[[int], bool]
"""Asked after every step with the number of items that this call has read: is it time to stop?"""


class Trainee(ABC):
    """A model in training: what it depends on, the items of its steps, and its optimizer.

    Attributes
    ----------
    items, start_from, settings
        What it learns from, the folder of a pretrained model, and everything else that it depends on.
    identity
        Distinguishes this run from others, whose state is rejected. See `identity_of`.
    steps
        The numbers of the items that each step reads, in order, over all epochs.
    parts
        The networks that change from step to step, by name.
    optimizer
        An optimizer of torch; each of its groups has the highest learning rate.
    warm_up
        The share of the steps over which learning rates rise; after them, they fall to zero.
    longest_step
        The norm to which gradients are clipped, if they are.
    checkpoint_every
        The state of a run is written each time that this many more items were read.
    """

    steps: Sequence[Sequence[int]]
    parts: Mapping[str, Any]
    optimizer: Any
    warm_up: ClassVar[float]
    longest_step: ClassVar[float | None] = 1.0
    checkpoint_every: ClassVar[int] = 5000

    def __init__(self, items: Any, start_from: Path, settings: Any):
        import torch

        self.items, self.start_from, self.settings = items, start_from, settings
        self.identity = identity_of(type(self).__name__, settings, start_from, self.content())
        torch.manual_seed(settings.seed)
        self.begin()

    @classmethod
    @abstractmethod
    def require(cls, items: Any, start_from: Path) -> None:
        """Reject items that teach nothing, and say which packages or models are missing."""

    def content(self) -> Iterable[object]:
        """Return the training items, as objects whose `repr` is the same in every process."""
        found: Iterable[object] = self.items
        return found

    @abstractmethod
    def begin(self) -> None:
        """Make the networks, the steps and the optimizer; all random numbers come from the seed."""

    @abstractmethod
    def loss(self, items: Sequence[int]) -> Any:
        """Read the items of a step."""

    @abstractmethod
    def write(self, folder: Path) -> None:
        """Write the finished model into an empty folder."""

    def described(self) -> dict[str, Any] | None:
        """Return what the description of the model says besides its settings; None if it needs none."""
        return None

    def learn(self, step: int) -> None:
        """Take one step."""
        import torch

        share = slope(step, len(self.steps), self.warm_up)
        for group in self.optimizer.param_groups:
            group["lr"] = group.setdefault("initial_lr", group["lr"]) * share
        loss = self.loss(self.steps[step])
        self.optimizer.zero_grad()
        loss.backward()
        if self.longest_step is not None:
            learned = [one for group in self.optimizer.param_groups for one in group["params"]]
            torch.nn.utils.clip_grad_norm_(learned, self.longest_step)
        self.optimizer.step()


def identity_of(kind: str, settings: DataclassInstance, start_from: Path, items: Iterable[object]) -> str:
    """Return what identifies a run: the kind of model, its settings, the model to start from, its items."""
    digest = sha256(json.dumps([kind, asdict(settings)], sort_keys=True).encode())
    digest.update(folder_digest(start_from).encode())
    for item in items:
        digest.update(repr(item).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def pooled_steps(lengths: Sequence[int], *, batch: int, epochs: int, seed: int) -> list[list[int]]:
    """Return the numbers of the items of every step, over all epochs; of about equal length in a step.

    That saves padding: each epoch has its own order, in which each pool of some batches is sorted by length.
    But a step then sees only some kinds of items, from which a model without pretraining may not learn: for
    it, all items count as equally long.

    Examples
    --------
    >>> pooled_steps([3, 9, 4, 8], batch=2, epochs=2, seed=1)
    [[0, 2], [3, 1], [0, 2], [3, 1]]
    >>> pooled_steps([0] * 4, batch=2, epochs=2, seed=1)
    [[2, 0], [1, 3], [1, 2], [0, 3]]
    """
    steps: list[list[int]] = []
    for epoch in range(epochs):
        chance = Random(f"{seed}/{epoch}")
        order = list(range(len(lengths)))
        chance.shuffle(order)
        own = []
        for start in range(0, len(order), _POOL * batch):
            alike = sorted(order[start : start + _POOL * batch], key=lengths.__getitem__)
            own += [alike[at : at + batch] for at in range(0, len(alike), batch)]
        chance.shuffle(own)
        steps += own
    return steps


def slope(step: int, steps: int, warm_up: float) -> float:
    """Return the share of the learning rate at a step: up to one at first, then down to zero.

    ``warm_up`` is the share of the steps over which it rises.

    Examples
    --------
    >>> [round(slope(step, 10, 0.2), 2) for step in range(10)]
    [0.5, 1.0, 1.0, 0.88, 0.75, 0.62, 0.5, 0.38, 0.25, 0.12]
    """
    rise = max(1, int(warm_up * steps))
    return min((step + 1) / rise, max(0, steps - step) / max(1, steps - rise))


def check_counts(settings: object, *names: str) -> None:
    """Reject settings that must be at least 1.

    Raises
    ------
    UsageError
        One of them is not.
    """
    for name in names:
        if getattr(settings, name) < 1:
            raise UsageError(f"{name} must be at least 1, not {getattr(settings, name)}")


def train(
    trainee: type[Trainee],
    items: Any,
    output: Path,
    start_from: Path,
    settings: DataclassInstance,
    *,
    threads: int = 1,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> bool:
    """Train a model and write it as a new folder.

    During training, ``<output>.training`` holds the state; a call with the same items, settings and model to
    start from continues from there, any other is rejected.

    Parameters
    ----------
    trainee
        What kind of model learns.
    items
        The training items.
    output
        The folder to write.
    start_from
        The folder of the pretrained model.
    settings
        Everything else that the model depends on.
    threads
        Threads to compute with; with more than one, results of equal seeds may differ in the last digits.
    stop
        If it returns True, the state is written and the call returns.
    progress
        Shows the progress of training.

    Returns
    -------
    bool
        Whether training is complete and the folder written; False if ``stop`` ended it.
    """
    check_new(output)
    trainee.require(items, start_from)
    kept = output.with_name(output.name + ".training")
    with writing(kept):  # fail now, not after an hour
        kept.mkdir(parents=True, exist_ok=True)
    with compute_threads(threads):
        made = trainee(items, start_from, settings)
        if not _take_steps(made, kept, stop, progress):
            return False
        with new_folder(output) as folder:
            made.write(folder)
            if (facts := made.described()) is not None:
                write_description(folder / DESCRIPTION, {"training": asdict(settings), **facts})
    shutil.rmtree(kept, ignore_errors=True)
    return True


def _take_steps(trainee: Trainee, kept: Path, stop: Stop | None, progress: Progress | None) -> bool:
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
        if stopping or done - saved >= trainee.checkpoint_every:
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
        "parts": {name: part.state_dict() for name, part in trainee.parts.items()},
        "optimizer": trainee.optimizer.state_dict(),
    }
    with writing(folder):
        torch.save(state, temporary)
        temporary.replace(folder / CHECKPOINT)


def _resume(trainee: Trainee, folder: Path) -> int:
    """Continue from the saved state of a run, if there is one; return how many steps it had taken.

    Raises
    ------
    DataError
        If it cannot be read.
    UsageError
        If it belongs to a run with other items, other settings or another model to start from.
    """
    import torch

    path = folder / CHECKPOINT
    if not path.exists():
        return 0
    try:
        kept = torch.load(path, map_location="cpu", weights_only=True)
        names = ("identity", "steps", "chance", "parts", "optimizer")
        identity, steps, chance, parts, optimizer = (kept[name] for name in names)
    except Exception as error:  # torch raises many kinds for a damaged file
        raise DataError(f"cannot be read: delete {folder} to start again", file=path) from error
    if identity != trainee.identity:
        raise UsageError(
            f"{folder} belongs to a run with other documents or settings, or from another model: "
            "use the same, or delete it to start again"
        )
    for name, part in trainee.parts.items():
        part.load_state_dict(parts[name])
    trainee.optimizer.load_state_dict(optimizer)
    torch.set_rng_state(chance)
    return int(steps)
