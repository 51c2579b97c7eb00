"""What a package index gets: addresses from one line, and a README whose links lead somewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from esascore._version import __version__

ROOT = Path(__file__).parents[1]
ADDRESS = "https://example.org/people/esascore"


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def built(hatch_build, address):
    metadata = {}
    hatch_build.Metadata(str(ROOT), {"address": address}).update(metadata)
    return metadata


def test_links_and_images_are_of_this_version(hatch_build):
    text = "![A](docs/a.png) [b](docs/b.md#c) [d](https://d.org) [e](#e)"
    assert hatch_build.readme(text, ADDRESS, "1.2") == (
        f"![A]({ADDRESS}/raw/v1.2/docs/a.png) [b]({ADDRESS}/blob/v1.2/docs/b.md#c) [d](https://d.org) [e](#e)"
    )
    assert hatch_build.readme(text, "", "1.2") == " b [d](https://d.org) [e](#e)"


def test_with_an_address_everything_is_absolute(hatch_build):
    metadata = built(hatch_build, ADDRESS + "/")
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} == metadata["urls"].keys()
    assert all(url.startswith(ADDRESS) for url in metadata["urls"].values())
    text = metadata["readme"]["text"]
    assert f"]({ADDRESS}/raw/v{__version__}/docs/report-texts.png)" in text
    assert [target for target in re.findall(r"\]\(([^)]+)\)", text) if not re.match("https:|#", target)] == []


def test_without_an_address_nothing_leads_nowhere(hatch_build):
    metadata = built(hatch_build, "")
    assert metadata["urls"] == {}
    assert re.findall(r"\]\((?!https:|#)", metadata["readme"]["text"]) == []


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_the_long_description_renders(hatch_build, address):
    markdown = pytest.importorskip("readme_renderer.markdown")
    html = markdown.render(built(hatch_build, address)["readme"]["text"])
    assert html is not None
    assert html.count("<h2") >= 3
    assert ("<img" in html) == bool(address)


def test_every_link_of_the_readme_is_a_file(hatch_build):
    text = (ROOT / "README.md").read_text("utf-8")
    targets = [found["target"].partition("#")[0] for found in hatch_build._LINK.finditer(text)]
    assert len(targets) > 10
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_other_files_name_the_same_address(project):
    """The pages and the citation say where the project lives only where the one line does."""
    address = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["address"]
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"^repository-code: (.*)$", citation, re.MULTILINE) == ([address] if address else [])
    hook = re.search(r"- repo: (\S+)", (ROOT / "docs" / "check.md").read_text("utf-8"))
    assert hook[1] == (address or "https://github.com/OWNER/esascore")


def test_classifiers_name_every_python_that_is_supported(project):
    classifiers = project["project"]["classifiers"]
    assert classifiers == sorted(classifiers)
    assert project["project"]["requires-python"] == ">=3.11"
    versions = [one.rpartition(" ")[2] for one in classifiers if re.search(r":: 3\.\d+$", one)]
    assert versions[0] == "3.11"
    trove = pytest.importorskip("trove_classifiers")
    assert set(classifiers) <= trove.classifiers
