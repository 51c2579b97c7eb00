"""Units as tasks of Ray: on a cluster that runs already, or on one of this machine that ends with the run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from esascore.errors import EsascoreError, MissingExtraError
from esascore.shards.engines import Do, Work
from esascore.shards.scoring import ATTEMPTS, Failed
from esascore.shards.units import Unit

_AHEAD = 2
"""Tasks per processor of the cluster that wait or run; all other work stays with the driver."""

NODE_IP = "ESASCORE_RAY_NODE_IP"
"""Environment variable: the address of this machine in the cluster, if it has several."""

_held: dict[str, Do] = {}
"""What a worker process of Ray does with units: loaded once, not with each task."""


class RayEngine:
    """Tasks of Ray Core, one processor each; a task whose worker or node dies is given to another.

    Parameters
    ----------
    address
        Of a running cluster, as `ray.init` takes it. Without it a cluster of this machine is started, which
        needs no network, and ends with the run.
    jobs
        Processors of the cluster that is started.
    """

    def __init__(self, address: str | None = None, jobs: int = 1):
        self._address = address
        self._jobs = jobs
        self._is_ours = False

    def run(self, do: Do, work: Iterable[Work]) -> Iterator[tuple[Unit, Any]]:
        """Yield units with their results as they are ready."""
        ray = _ray()
        if not ray.is_initialized():
            _connect(ray, self._address, self._jobs)
            self._is_ours = True
        task = ray.remote(num_cpus=1, max_retries=ATTEMPTS - 1)(_do)
        held = ray.put(do)
        waiting: dict[Any, Unit] = {}
        left = iter(work)
        while True:
            most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while len(waiting) < most and (next_ := next(left, None)) is not None:
                waiting[task.remote([held], next_)] = next_[0]
            if not waiting:
                return
            ready, _ = ray.wait(list(waiting), num_returns=1)
            for one in ready:
                unit = waiting.pop(one)
                yield unit, _result(ray, one, unit)

    def close(self) -> None:
        """Leave the cluster, or end the one that was started."""
        if self._is_ours:
            _ray().shutdown()


def _do(held: list[Any], work: Work) -> Any:
    """Do a unit; runs in a worker of Ray."""
    import ray

    [reference] = held  # inside a list, so that Ray does not load it for each task
    key = reference.hex()
    if key not in _held:
        _held.clear()
        _held[key] = ray.get(reference)
    try:
        return _held[key](work)
    except EsascoreError as error:
        return error


def _result(ray: ModuleType, reference: Any, unit: Unit) -> Any:
    try:
        result = ray.get(reference)
    except ray.exceptions.RayError as error:
        return Failed(unit, f"{type(error).__name__}: {str(error).partition(chr(10))[0]}")
    if isinstance(result, EsascoreError):
        raise result
    return result


def _connect(ray: ModuleType, address: str | None, jobs: int) -> None:
    """Connect to a cluster, or start one of this machine."""
    options: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
    if own := os.environ.get(NODE_IP):
        options["_node_ip_address"] = own
    if address is None:
        options |= {"num_cpus": jobs, "include_dashboard": False}
    else:
        options["address"] = address
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else each process warns of it
    try:
        ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        where = "Ray could not be started" if address is None else f"there is no Ray cluster at {address}"
        raise EsascoreError(f"{where}: {str(error).partition(chr(10))[0]}") from None


def _ray() -> ModuleType:
    try:
        import ray
    except ImportError:
        raise MissingExtraError("--engine ray", package="ray", extra="ray") from None
    module: ModuleType = ray
    return module
