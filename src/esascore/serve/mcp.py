"""Tools for assistants, over the Model Context Protocol: check a text, and explain what was flagged in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from esascore._version import __version__
from esascore.claims.classes import MEANINGS
from esascore.errors import DataError, EsascoreError, MissingExtraError
from esascore.guard import Guard, Verdict
from esascore.text.sentences import sentence_places

if TYPE_CHECKING:
    from mcp.server import MCPServer


def make_server(guard: Guard) -> MCPServer:
    """Make a server whose tools check texts with a guard.

    Raises
    ------
    MissingExtraError
        The package mcp, from version 2 on, is not installed.
    """
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError:
        raise MissingExtraError("Serving assistants", package="mcp", extra="mcp") from None
    server = MCPServer("esascore", version=__version__, log_level="WARNING")

    @contextmanager
    def told() -> Iterator[None]:
        try:
            yield
        except EsascoreError as error:
            raise ToolError(str(error)) from None

    def check_text(data: Any, text: str) -> dict[str, Any]:
        """Check whether a text says what its data say, and nothing else.

        data: any JSON value, or a list of [subject, attribute, value]. The answer has ok, flags (what the
        text says and the data do not), missing (what the data say and the text does not), coverage, support,
        and repair: what to change if the text is not ok.
        """
        with told():
            verdict = guard.check(data, text)
        return {**verdict.to_dict(), "repair": verdict.repair_prompt()}

    def explain_flag(data: Any, text: str, flag: str) -> dict[str, Any]:
        """Explain a flag of check_text: the rule that found it, what its class means, and its sentence.

        data, text: as they were given to check_text. flag: the words that are flagged.
        """
        with told():
            return explained(guard.check(data, text), flag)

    for tool in (check_text, explain_flag):
        server.add_tool(tool)
    return server


def explained(verdict: Verdict, words: str) -> dict[str, Any]:
    """Return the flags of a verdict that share words with some, each with its sentence and what it means.

    Examples
    --------
    >>> from esascore.guard import check_text
    >>> verdict = check_text({"name": "Blue Spice", "rooms": 27}, "Blue Spice is nice. It has 32 rooms.")
    >>> [flag] = explained(verdict, "32")["flags"]
    >>> flag["sentence"], flag["expected"], flag["meaning"]
    ('It has 32 rooms.', '27', 'it stands in place of a value of the data that the text lacks')
    """
    found = [flag for flag in verdict.flags if words and (words in flag.text or flag.text in words)]
    if not found:
        listed = ", ".join(repr(flag.text) for flag in verdict.flags) or "none"
        raise DataError(f"no flag of this text is {words!r}; its flags: {listed}")
    starts = [*sentence_places(verdict.text), len(verdict.text)]
    flags = []
    for flag in found:
        start = max((place for place in starts if place <= flag.start), default=0)
        end = min(place for place in starts if place >= flag.end)
        more = {"meaning": MEANINGS[flag.kind], "rule": flag.evidence, "blocks": flag in verdict.blocking}
        flags.append({**flag.as_dict(), **more, "sentence": verdict.text[start:end].strip()})
    return {"flags": flags}
