"""A verdict in every format: for people, JSON, JUnit's XML, SARIF, annotations of GitHub, and Markdown.

Texts and names come from users and files: control characters become visible escapes everywhere but in JSON,
which escapes them itself, and each format escapes its own special characters.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from esascore._version import __version__
from esascore.claims.classes import MEANINGS
from esascore.data import named
from esascore.errors import counted
from esascore.gate.verdict import FaultyText, Gate, Verdict
from esascore.reports import grid
from esascore.reports.escaping import visible
from esascore.reports.jsontext import to_json
from esascore.reports.spans import flagged


def as_text(verdict: Verdict, limit: int | None = None) -> str:
    """Return the gates of each system with the failing texts, and a last line with the result.

    At most ``limit`` texts of each system are shown.
    """
    lines = []
    for system, gates in groupby(verdict.gates, lambda gate: gate.system):
        lines += [f"{'pass' if gate.passed else 'FAIL'}  {visible(system)}: {_told(gate)}" for gate in gates]
    for system, some in groupby(verdict.texts, lambda text: text.system):
        texts = list(some)
        for text in texts[:limit]:
            place = "" if text.file is None else f"  {visible(text.file)}"
            place += "" if text.file is None or text.line is None else f":{text.line}"
            lines += ["", f"{visible(system)}  {visible(text.id)}{place}", *_body(text)]
        lines += _more(texts, limit)
    return "\n".join([*lines, *([""] if verdict.texts else []), *_closing(verdict)]) + "\n"


def as_verdict(verdict: Verdict) -> dict[str, Any]:
    """Return the gates, the failing texts, and what was accepted, as plain data."""
    return {
        "passed": verdict.passed,
        "signature": verdict.signature,
        "gates": [gate.as_dict() for gate in verdict.gates],
        "texts": [text.as_dict() for text in verdict.texts],
        "accepted": verdict.accepted,
        "unused": [entry.as_dict() for entry in verdict.unused],
    }


def as_json(verdict: Verdict, _limit: int | None = None) -> str:
    """The same as JSON."""
    return to_json(as_verdict(verdict), indent=2) + "\n"


def as_junit(verdict: Verdict, _limit: int | None = None) -> str:
    """Return a test suite per system, with a test case per gate and one per failing text."""
    total = _counts(verdict.gates, verdict.texts)
    suites = ElementTree.Element("testsuites", {"name": "esascore check", **total})
    for system in dict.fromkeys(gate.system for gate in verdict.gates):
        gates = [gate for gate in verdict.gates if gate.system == system]
        texts = [text for text in verdict.texts if text.system == system]
        counts = {**_counts(gates, texts), "errors": "0", "skipped": "0", "time": "0"}
        suite = ElementTree.SubElement(suites, "testsuite", {"name": _xml(system), **counts})
        for gate in gates:
            title = gate.name
            if gate.name in ("require", "baseline"):  # of which there may be several
                title += f" {gate.limit if gate.name == 'require' else gate.message.split(' ', 1)[0]}"
            case = _case(suite, system, title)
            if not gate.passed:
                ElementTree.SubElement(case, "failure", message=_xml(gate.message), type=gate.name)
        for text in texts:
            case = _case(suite, system, text.id)
            if text.file is not None:
                case.set("file", _xml(text.file))
                case.set("line", str(text.line or 1))
            failure = ElementTree.SubElement(case, "failure", message=_xml(_short(text)), type="text")
            failure.text = _xml("\n".join(_body(text)), keep="\n")
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}\n'


def _counts(gates: Sequence[Gate], texts: Sequence[FaultyText]) -> dict[str, str]:
    failures = sum(not gate.passed for gate in gates) + len(texts)
    return {"tests": str(len(gates) + len(texts)), "failures": str(failures)}


def as_github(verdict: Verdict, limit: int | None = None) -> str:
    """Return annotations for GitHub Actions: an error per failed gate and per failing text."""
    lines = [_annotation({"title": f"esascore check: {gate.system}"}, _told(gate)) for gate in verdict.failed]
    for _, some in groupby(verdict.texts, lambda text: text.system):
        for text in list(some)[:limit]:
            place = {} if text.file is None else {"file": text.file, "line": str(text.line or 1)}
            title = {"title": f"{text.system} {text.id}"}
            lines.append(_annotation({**place, **title}, "\n".join([_short(text), *_body(text)])))
    return "\n".join([*lines, *_closing(verdict)]) + "\n"


def as_sarif(verdict: Verdict, _limit: int | None = None) -> str:
    """Return a log of SARIF 2.1.0: a result for each thing that a failing text lacks or adds.

    It is an error if a gate failed because of it, otherwise a note.
    """
    failed = {
        text.system: {gate.name for gate in verdict.failed if gate.system == text.system}
        for text in verdict.texts
    }
    results = [
        {
            "ruleId": kind,
            "level": "error" if _FAILED_BY.get(kind, _ADDED) & failed[text.system] else "note",
            "message": {"text": told},
            "locations": _sarif_places(text),
            "properties": {"system": text.system, "id": text.id, "text": text.detection.text},
        }
        for text in verdict.texts
        for kind, told in _findings(text)
    ]
    told = [
        {"level": "error", "message": {"text": f"{gate.system}: {_told(gate)}"}} for gate in verdict.failed
    ]
    run = {
        "tool": {
            "driver": {
                "name": "esascore",
                "version": __version__,
                "rules": [{"id": id_, "shortDescription": {"text": told}} for id_, told in _RULES.items()],
            }
        },
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": told}],
        "results": results,
        "properties": {"signature": verdict.signature},
    }
    return to_json({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def as_markdown(verdict: Verdict, limit: int | None = None) -> str:
    """Return a summary for the page of a run: a table of the gates, and the failing texts."""
    rows = []
    for gate in verdict.gates:
        result = "passed" if gate.passed else "**failed**"
        rows.append([grid.markdown_text(gate.system), gate.name, result, grid.markdown_text(gate.message)])
    parts = [
        f"## esascore check: {'passed' if verdict.passed else 'failed'}",
        "\n".join(grid.markdown_lines(["System", "Gate", "Result", "Details"], rows, labels=4)),
    ]
    for system, some in groupby(verdict.texts, lambda text: text.system):
        texts = list(some)
        items = [f"- **{grid.markdown_text(text.id)}**: {_marked_down(text)}" for text in texts[:limit]]
        items += [f"- {line.strip()}" for line in _more(texts, limit) if line]
        parts += [f"### {grid.markdown_text(system)}", "\n".join(items)]
    parts.append("\n".join(grid.markdown_text(line) for line in _closing(verdict)))
    return "\n\n".join(parts) + "\n"


FORMATS: Mapping[str, Callable[[Verdict, int | None], str]] = MappingProxyType(
    {"text": as_text, "json": as_json, "junit": as_junit, "github": as_github, "sarif": as_sarif}
)
"""What ``--format`` takes."""


_RULES = {
    "missing": "the data have it, but the text does not say it",
    **MEANINGS,
    "faithfulness": "the text is less faithful to its data than required",
}
_ADDED = {"max-hallucinations", "min-faithfulness", "baseline"}
_FAILED_BY = {
    "missing": {"min-esa", "max-missing-texts", "require", "min-faithfulness", "baseline"},
    "faithfulness": {"min-faithfulness", "baseline"},
}
"""Kind of a finding -> the gates that fail because of it; whatever else a text lacks or adds is a note."""

_SIGNS = {"missing": "- ", "faithfulness": ""}
_SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def _sarif_places(text: FaultyText) -> list[dict[str, Any]]:
    if text.file is None:
        return []
    path = Path(text.file)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": text.line or 1}}
    return [{"physicalLocation": place}]


def _told(gate: Gate) -> str:
    return f"{visible(gate.message)} ({gate.name})"


def _body(text: FaultyText) -> list[str]:
    """Return the text with its marks, then a line for each thing that is missing (-) or added (+)."""
    shown = flagged(text.detection.text, text.added) or "(blank)"
    lines = (f"  {_SIGNS.get(kind, '+ ')}{told}" for kind, told in _findings(text))
    return [f"  text: {shown}".replace("\n", "\n        "), *lines]


def _findings(text: FaultyText) -> Iterator[tuple[str, str]]:
    """Yield everything that is wrong with a text: its kind, and a message."""
    required = set(map(named, text.required))
    for term in text.missing:
        told = f"{'required, but ' if named(term) in required else ''}missing"
        yield "missing", f"{visible(named(term))}: {told}"
    for one in text.added:
        expected = f"; expected {visible(one.expected)}" if one.expected else ""
        yield one.kind, f"{visible(one.text)}: {one.kind}, {visible(one.reason)}{expected}"
    if text.faithfulness is not None:
        yield "faithfulness", f"faithfulness {text.faithfulness:.2f}"


def _short(text: FaultyText) -> str:
    parts = []
    if text.missing:
        parts.append("missing: " + ", ".join(map(named, text.missing)))
    if text.added:
        parts.append("added: " + ", ".join(one.text for one in text.added))
    if not parts and text.faithfulness is not None:
        parts.append(f"faithfulness {text.faithfulness:.2f}")
    return visible("; ".join(parts))


def _marked_down(text: FaultyText) -> str:
    return f"{grid.markdown_text(_short(text))}  \n  {grid.markdown_text(text.detection.text) or '(blank)'}"


def _more(texts: Sequence[FaultyText], limit: int | None) -> list[str]:
    left = 0 if limit is None else len(texts) - limit
    return ["", f"and {counted(left, 'more text')} (--limit)"] if left > 0 else []


def _closing(verdict: Verdict) -> Iterator[str]:
    if verdict.accepted:
        yield f"{verdict.accepted:,} accepted by hand"
    if verdict.unused:
        yield f"{counted(len(verdict.unused), 'accepted entry', 'accepted entries')} no longer needed"
    gates, failed = counted(len(verdict.gates), "gate"), len(verdict.failed)
    yield f"failed: {failed} of {gates}" if failed else f"passed: {gates}"


def _case(suite: Any, system: str, name: str) -> Any:
    names = {"classname": _xml(f"esascore.check.{system}"), "name": _xml(name), "time": "0"}
    return ElementTree.SubElement(suite, "testcase", names)


def _xml(text: str, keep: str = "") -> str:
    """Write characters that XML cannot hold as escapes, so that nothing is left out."""
    return visible(text, keep).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")


def _annotation(properties: Mapping[str, str], message: str) -> str:
    """Write an error for GitHub Actions; % and line ends are escaped, in properties also : and the comma.

    Examples
    --------
    >>> _annotation({"file": "a,b.txt", "line": "3"}, "50% of it")
    '::error file=a%2Cb.txt,line=3::50%25 of it'
    """

    def escaped(text: str) -> str:
        return visible(text, "\n").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    own = [
        f"{name}={escaped(visible(value)).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    ]
    return f"::error {','.join(own)}::{escaped(message)}"
