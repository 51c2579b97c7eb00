"""docs/formats.md says what the readers do."""

from __future__ import annotations

from pathlib import Path

from esascore.readers import located
from esascore.readers.corpus import FORMATS

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


def test_every_format_is_described():
    table = [line.split("`")[1] for line in PAGE.partition("\n\n##")[0].split("\n") if line.startswith("| `")]
    assert sorted(table) == sorted(FORMATS)


def test_limits_are_those_of_the_code():
    rows = [line for line in PAGE.partition("## Limits")[2].split("\n") if line.startswith("| ")][2:]
    assert [row.split("|")[2].strip() for row in rows] == [
        f"{located.MAX_LINE_BYTES // 2**20} MiB",
        f"{located.MAX_FIELD_CHARACTERS:,} characters",
        f"{located.MAX_TRIPLES:,}",
        f"{located.MAX_XML_DEPTH}",
        f"{located.MAX_RDF_BYTES // 2**20} MiB",
        f"{located.MAX_JSON_BYTES // 2**20} MiB",
    ]
