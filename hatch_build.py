"""What a package has and a clone has not: compiled kernels, addresses of the project, a README for an index.

The addresses, and absolute links in the README, come from one line, ``address`` in
``[tool.hatch.metadata.hooks.custom]`` of ``pyproject.toml``: the public address of the repository, which a
release sets. Without it the built metadata names no address, and the README in it has no images and no links
into the repository, since they would lead nowhere.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(?P<image>!?)\[(?P<label>[^\]]*)\]\((?P<target>(?!https?:|#|mailto:)[^)\s]+)\)")


def urls(address: str) -> dict[str, str]:
    """The addresses that an index shows beside the README."""
    if not address:
        return {}
    return {
        "Homepage": address,
        "Documentation": f"{address}/tree/main/docs",
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
    }


def readme(text: str, address: str, version: str) -> str:
    """The README with links and images of this version, wherever it is shown."""

    def absolute(found: re.Match[str]) -> str:
        if not address:
            return "" if found["image"] else found["label"]
        kind = "raw" if found["image"] else "blob"
        return f"{found['image']}[{found['label']}]({address}/{kind}/v{version}/{found['target']})"

    return _LINK.sub(absolute, text)


class Metadata(MetadataHookInterface):
    """Fills in what ``pyproject.toml`` calls dynamic."""

    def update(self, metadata: dict[str, object]) -> None:
        """Add the addresses and the README."""
        address = str(self.config["address"]).rstrip("/")
        root = Path(self.root)
        version = re.search(r'"(.+)"', (root / "src/esascore/_version.py").read_text("utf-8"))
        assert version is not None
        text = (root / "README.md").read_text("utf-8")
        metadata["urls"] = urls(address)
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": readme(text, address, version[1]),
        }


class Kernels(BuildHookInterface):
    """Compiles the kernels into the source tree, for wheels and for editable installs.

    Where they cannot be compiled the package is built without them, and computes the same.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile for this system, and name it in the tag of the wheel."""
        os.environ["NUMBA_OPT"] = "0"  # nothing is to be optimised for the processor of this machine
        sys.path.insert(0, str(Path(self.root, "src")))
        try:
            from esascore.align.compiled import BUILT, build  # noqa: PLC0415

            build(BUILT)
        except Exception as error:
            self.app.display_warning(f"esascore is built without compiled kernels: {error}")
            return
        build_data["artifacts"].append(f"/{BUILT.relative_to(self.root).as_posix()}/")
        build_data["tag"] = f"py3-none-{platforms(sysconfig.get_platform())}"


def platforms(name: str) -> str:
    """The systems that a wheel built on one of them is for, as its tag names them.

    With the tag ``any`` it would be installed on systems for which it has no code, instead of the source
    distribution, which would be compiled there. No Python is named, since the code does not depend on it; nor
    does it depend on the version of the C library, of which it calls four functions that every process has:
    on Linux the oldest ones that a tag can name will do.
    """
    platform = re.sub("[-.]", "_", name)
    machine = platform.removeprefix("linux_")
    return platform if machine == platform else f"manylinux_2_17_{machine}.musllinux_1_1_{machine}"
