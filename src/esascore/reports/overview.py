"""A report in Markdown: the table of systems, their groups, and every text with what it leaves out."""

from __future__ import annotations

from esascore.reports.grid import markdown_text
from esascore.reports.summary import summarise
from esascore.reports.tables import as_markdown
from esascore.run.scored import Scored


def as_overview(evaluation: Scored, title: str) -> str:
    """Write the report of an evaluation that kept its detections."""
    parts = [f"# {markdown_text(title)}", as_markdown(summarise(evaluation))]
    if any(example.category for example in evaluation.examples):
        parts += ["## By category", as_markdown(summarise(evaluation, "category"))]
    parts.append("## What is missing")
    for system in evaluation.systems:
        parts.append(f"### {markdown_text(system.name)}")
        lines = []
        pairs = zip(evaluation.examples, system.detections or (), strict=False)
        for example, found in pairs:
            if found.undetected:
                missing = ", ".join(f"**{markdown_text(term)}**" for term in found.undetected)
                text = markdown_text(found.text) or "(blank)"
                lines.append(f"- {markdown_text(example.id)}: {text}  \n  not found: {missing}")
        parts.append("\n".join(lines) if lines else "Every entity of every input was found.")
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"
