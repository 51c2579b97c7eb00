"""Units as tasks of Ray: on a cluster that runs already, or on one of this machine that ends with the run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from esascore.errors import EsascoreError, import_extra
from esascore.run.engines import Engine, Failed
from esascore.run.pool import ATTEMPTS, Do, MakeDo, Tell
from esascore.run.units import Unit

_AHEAD = 2
"""Tasks per processor of the cluster that wait or run; the driver keeps all other work."""

NODE_IP = "ESASCORE_RAY_NODE_IP"
"""Environment variable with the address of this machine in the cluster, if it has several."""


@contextmanager
def ray_engine(address: str | None, jobs: int) -> Iterator[Engine]:
    """Tasks of Ray Core, one processor each; a task whose worker or node dies is given to another.

    Parameters
    ----------
    address
        Of a running cluster, as `ray.init` takes it. Without it a cluster of this machine is started, which
        needs no network, and ends with the run.
    jobs
        Processors of the cluster that is started.
    """
    ray = import_extra("--engine ray", "ray", extra="ray")
    is_ours = not ray.is_initialized()

    def engine(make_do: MakeDo, units: Sequence[Unit], _tell: Tell) -> Iterator[tuple[Unit, Any]]:
        if not ray.is_initialized():
            _connect(ray, address, jobs)
        task = ray.remote(num_cpus=1, max_retries=ATTEMPTS - 1)(_do)
        made = ray.put((make_do, Path.cwd()))
        waiting: dict[Any, Unit] = {}
        left = iter(units)
        while True:
            most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while len(waiting) < most and (unit := next(left, None)) is not None:
                waiting[task.remote([made], unit)] = unit
            if not waiting:
                return
            for ready in ray.wait(list(waiting), num_returns=1)[0]:
                unit = waiting.pop(ready)
                yield unit, _result(ray, ready, unit)

    try:
        yield engine
    finally:
        if is_ours:
            ray.shutdown()


def _do(held: list[Any], unit: Unit) -> Any:
    """Do a unit; runs in a worker of Ray."""
    [reference] = held  # inside a list, so that Ray does not load it for each task
    try:
        return _made(reference)(unit)
    except EsascoreError as error:
        return error


@lru_cache(maxsize=1)
def _made(reference: Any) -> Do:
    """The work of a Ray worker on units: loaded once, not with each task."""
    import ray

    make_do, folder = ray.get(reference)
    with suppress(OSError):  # so that names of files mean the same as for the driver
        os.chdir(folder)
    do: Do = make_do(lambda *_news: None)
    return do


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
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics are sent
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # otherwise each process warns about it
    try:
        ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        where = "Ray could not be started" if address is None else f"there is no Ray cluster at {address}"
        raise EsascoreError(f"{where}: {str(error).partition(chr(10))[0]}") from None
