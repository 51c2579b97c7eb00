"""What a package index needs and a clone does not: addresses of the project, a README with absolute links.

Both come from one line, ``address`` in ``[tool.hatch.metadata.hooks.custom]`` of ``pyproject.toml``: the
public address of the repository, which a release sets. Without it the built metadata names no address, and
the README in it has no images and no links into the repository, since they would lead nowhere.
"""

from __future__ import annotations

import re
from pathlib import Path

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
