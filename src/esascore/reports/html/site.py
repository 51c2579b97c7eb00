"""Writes the report: a folder of pages and data, or one file that holds everything."""

from __future__ import annotations

import re
import secrets
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib import resources
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any

from esascore._version import __version__
from esascore.errors import UsageError
from esascore.reports.html.content import Content, Flags
from esascore.reports.jsontext import to_json
from esascore.reports.summary import Significance
from esascore.reports.writing import atomic_writer, check_writable, staged
from esascore.run.scored import Scored

SCRIPTS = (
    "dom.js",
    "store.js",
    "address.js",
    "download.js",
    "verdicts.js",
    "card.js",
    "overview.js",
    "texts.js",
    "compare.js",
    "main.js",
)
"""The pages' code, in the order in which browsers run it."""

STYLES = ("shared.css", "report.css")
"""The pages' style, in the order in which later rules win."""

LARGEST_FILE = 20_000_000
"""Characters up to which one file can hold everything and still open at once."""

_OURS = re.compile(r"index\.html|assets|data|assets/[a-z]+\.(?:js|css)|data/[a-z]+(?:-\d+)?\.js")


def write_report(
    evaluation: Scored,
    target: str | PathLike[str],
    *,
    title: str = "esascore",
    significance: Significance | None = None,
    flags: Flags | None = None,
    warnings: Sequence[str] = (),
    threads: int = 1,
) -> Path:
    """Write the report of an evaluation that kept its detections; returns the page to open.

    Parameters
    ----------
    evaluation
        Systems scored on a corpus, with detections.
    target
        A folder, which is created (an existing report is replaced), or a file that ends in ``.html``.
    title
        Heading of the report.
    significance
        How systems are compared with a baseline, if they are.
    flags
        Hallucinations; where None, those that a metric of the evaluation finds.
    warnings
        Other remarks for the reader.
    threads
        How many threads look for nearest spans.

    Raises
    ------
    UsageError
        The target cannot be written, holds other files, or would be too large for one file.

    Examples
    --------
    >>> import tempfile
    >>> from esascore.run.evaluation import evaluate
    >>> from esascore.metrics import create_metrics
    >>> from esascore.model import Example, Graph
    >>> from esascore.pipeline import build_pipeline
    >>> from esascore.readers.systems import System
    >>> corpus = [Example("Id1", Graph.from_triples([("Bionico", "country", "Mexico")]), size=1)]
    >>> found = evaluate(build_pipeline, corpus, [System("mine", ("Bionico is a dish.",))],
    ...                  lambda detector: create_metrics(["esa"], detector), keep_detections=True)
    >>> page = write_report(found, Path(tempfile.mkdtemp()) / "report")
    >>> page.name, sorted(path.name for path in page.parent.iterdir())
    ('index.html', ['assets', 'data', 'index.html'])
    """
    check_target(target)
    content = Content(
        evaluation, title, significance=significance, flags=flags, warnings=warnings, threads=threads
    )
    path = Path(target)
    if is_single(path):
        _write_file(content, path)
        return path
    with staged(path) as folder:
        _fill(content, folder)
    return path / "index.html"


def is_single(target: str | PathLike[str]) -> bool:
    """Return whether the report becomes one file.

    Examples
    --------
    >>> is_single("out/report.html"), is_single("out/report")
    (True, False)
    """
    return Path(target).suffix.lower() in (".html", ".htm")


def check_target(target: str | PathLike[str], *, inputs: Sequence[str | PathLike[str]] = ()) -> None:
    """Reject, before any work is done, a target that could not be written or holds something else."""
    path = Path(target)
    if is_single(path):
        check_writable(path, inputs=inputs)
        return
    problem = ""
    try:
        if path.is_dir():
            if other := next(_others(path), None):
                problem = f"the folder contains {other}, which is not part of a report; give a new folder"
        elif path.exists():
            problem = "it is a file; give a folder, or a name ending in .html"
        elif not path.absolute().parent.is_dir():
            problem = f"there is no folder {path.parent}"
    except (OSError, ValueError) as error:
        problem = str(error)
    if problem:
        raise UsageError(f"cannot write {path}: {problem}")


def _fill(content: Content, folder: Path) -> None:
    (folder / "assets").mkdir(parents=True)
    (folder / "data").mkdir()
    # A nonce, not 'self': browsers disagree on what 'self' means for local files. The authors of the texts
    # cannot know it.
    nonce = secrets.token_urlsafe(18)
    for name in (*STYLES, *SCRIPTS):
        (folder / "assets" / name).write_text(asset(name), encoding="utf-8", newline="")
    for name, value in content.parts():
        script = f"esascore.store.receive({to_json(name)}, {_literal(value)});\n"
        (folder / "data" / f"{name}.js").write_text(script, encoding="utf-8", newline="")
    links = [f'<link rel="stylesheet" href="assets/{name}" nonce="{nonce}">' for name in STYLES]
    links += [f'<script src="assets/{name}" nonce="{nonce}" defer></script>' for name in SCRIPTS]
    page = _page(content.title, f"'nonce-{nonce}'", f"'nonce-{nonce}'", links, [])
    (folder / "index.html").write_text(page, encoding="utf-8", newline="")


def _write_file(content: Content, path: Path) -> None:
    script = "\n".join(asset(name) for name in SCRIPTS)
    style = "\n".join(asset(name) for name in STYLES)
    # Blocks of JSON are not scripts: browsers run none of them, and with < escaped none can end early.
    blocks = [
        f'<script type="application/json" id="data-{name}">{_literal(value)}</script>'
        for name, value in content.parts()
    ]
    size = sum(map(len, blocks))
    if size > LARGEST_FILE:
        raise UsageError(
            f"cannot write {path}: {size / 1e6:.0f} MB are too much for one page; "
            "give a folder (a name without .html)"
        )
    body = [*blocks, f"<script>{script}</script>"]
    page = _page(content.title, _digest(script), _digest(style), [f"<style>{style}</style>"], body)
    with atomic_writer(path) as file:
        file.write(page)


def _page(title: str, script: str, style: str, head: Sequence[str], body: Sequence[str]) -> str:
    policy = (
        f"default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types esascore"
    )
    return Template(asset("page.html")).substitute(
        policy=escape(policy),
        version=__version__,
        title=escape(title.encode("utf-8", "replace").decode()),
        head="".join(f"{line}\n" for line in head),
        body="".join(f"{line}\n" for line in body),
    )


def _literal(value: Any) -> str:
    r"""JSON that is a JavaScript literal and holds no markup.

    Examples
    --------
    >>> print(_literal(["</script>"]))
    ["\u003c/script\u003e"]
    """
    return to_json(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def asset(name: str) -> str:
    """The content of a file of the pages' code or style."""
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _others(folder: Path) -> Iterator[str]:
    """Files in a folder that no report has."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not _OURS.fullmatch(name) or path.is_symlink():
            yield name
