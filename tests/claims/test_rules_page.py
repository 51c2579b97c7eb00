"""The page on hallucinations names every rule that can be switched off."""

from __future__ import annotations

from pathlib import Path

from esascore.claims.evidence import EVIDENCE


def test_every_rule_is_on_the_page():
    page = Path(__file__).parents[2] / "docs" / "hallucinations.md"
    section = page.read_text("utf-8").partition("## Switching rules off")[2].partition("\n## ")[0]
    assert [rule for rule in EVIDENCE if f"`{rule}`" not in section] == []
