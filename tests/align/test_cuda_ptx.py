"""Compile every CUDA kernel for real architectures, which needs packages but neither driver nor device."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None,
    reason="needs numba-cuda[cu13], about 1 GB: make test-cuda installs it into an environment of its own",
)

# In its own process for each architecture: Numba keeps device functions for the first one it compiled.
COMPILE = """
import json, sys
from types import SimpleNamespace
from numba import cuda
from numba.cuda import dispatcher
from esascore.align._cuda_kernels import KERNELS

capability = tuple(json.loads(sys.argv[1]))
# Numba asks the device which architecture device functions are for; there is none to ask.
dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
print(json.dumps({name: cuda.compile_ptx(kernel, types, cc=capability)[0]
                  for name, (kernel, types) in KERNELS.items()}))
"""

KERNELS = ["read_texts", "place_tokens", "build_masks", "find_hits", "find_long_hits", "select_hits"]


@pytest.mark.parametrize("capability", [(7, 5), (8, 0), (9, 0), (10, 0)])
def test_every_kernel_compiles(capability):
    done = subprocess.run(
        [sys.executable, "-c", COMPILE, json.dumps(capability)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    compiled = json.loads(done.stdout)
    assert list(compiled) == KERNELS
    for name, ptx in compiled.items():
        entries = [line for line in ptx.split("\n") if line.startswith(".visible .entry ")]
        assert len(entries) == 1
        assert f"{len(name)}{name}" in entries[0]  # as C++ names it: the length, then the name
        assert f".target sm_{capability[0]}{capability[1]}" in ptx
        assert ".f64" not in ptx, f"{name} mixes signed and unsigned integers: words became floats"
        assert ".local" not in ptx, f"{name} spills to local memory"
        assert (".shared" in ptx) == (name == "find_hits")


def test_every_name_that_the_device_uses_exists():
    cupy = pytest.importorskip("cupy", reason="needs cupy: make test-cuda installs it")
    from numba import cuda

    names = "unique searchsorted asarray ascontiguousarray empty zeros ones cumsum lexsort stack flatnonzero"
    for name in (*names.split(), "asnumpy", "ndarray", "get_default_memory_pool"):
        assert hasattr(cupy, name), name
    for name in ("Stream", "Device", "get_current_stream", "runtime.memGetInfo", "runtime.getDeviceCount"):
        owner, _, attribute = f"cuda.{name}".rpartition(".")
        module = cupy.cuda.runtime if owner.endswith("runtime") else cupy.cuda
        assert hasattr(module, attribute), name
    for name in ("external_stream", "as_cuda_array", "jit", "is_available"):
        assert hasattr(cuda, name), name
