"""What the tests of adapters share: the adapters themselves, imported as a user imports a copied file."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import warnings
from importlib import import_module

import pytest

from adapters import ADAPTERS, require


@pytest.fixture
def adapter(monkeypatch):
    """Import ``integrations/TOOL/NAME.py``, if its package is installed."""
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    monkeypatch.setenv("DEEPEVAL_DISABLE_DOTENV", "1")
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    monkeypatch.setenv("RAGAS_DO_NOT_TRACK", "true")

    def load(tool: str, name: str, package: str | None = None):
        if package is not None:
            require(package)
        monkeypatch.syspath_prepend(str(ADAPTERS / tool))
        monkeypatch.delitem(sys.modules, name, raising=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # those of the packages
            return import_module(name)

    return load


@pytest.fixture
def promptfoo(tmp_path):
    """Evaluate a configuration: its exit code, and the results."""
    program = os.environ.get("ESASCORE_PROMPTFOO")
    if not program:
        pytest.skip("needs promptfoo, a package of npm: make test-adapters ADAPTERS=all")

    def run(config=None):
        folder = shutil.copytree(ADAPTERS / "promptfoo", tmp_path / "copied")
        if config is not None:
            (folder / "promptfooconfig.yaml").write_text(config, "utf-8")
        unreachable = dict.fromkeys(
            ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9"
        )
        environment = {
            **os.environ,
            **unreachable,
            "PROMPTFOO_PYTHON": sys.executable,
            "PROMPTFOO_CONFIG_DIR": str(tmp_path / "state"),
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
        }
        command = [program, "eval", "--no-cache", "--no-table", "-o", "results.json"]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=170, check=False
        )
        assert (folder / "results.json").exists(), done.stdout + done.stderr
        found = json.loads((folder / "results.json").read_text("utf-8"))["results"]["results"]
        return done.returncode, found

    return run


@pytest.fixture
def ask_server():
    """Start ``esascore mcp``, list its tools and call some: the tools and the answers."""
    require("mcp")
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    def ask(*calls, arguments=("-m", "esascore", "mcp")):
        async def session():
            parameters = StdioServerParameters(command=sys.executable, args=list(arguments))
            async with Client(stdio_client(parameters)) as client:
                tools = (await client.list_tools()).tools
                return tools, [await client.call_tool(name, given) for name, given in calls]

        return asyncio.run(session())

    return ask
