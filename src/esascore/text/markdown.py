"""Markdown as the plain text that people read.

Where a heading, a list item, a label or a cell of a table ends, a line break is left, which ends a sentence.
Lines that only wrap a paragraph are joined. `plain` leaves every character in its place; `unmarked` leaves
out the marks and knows where the others were.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Span = tuple[int, int]

_ANY = re.compile(r"[*_`~#|\[<\n]")
_ANY_INLINE = re.compile(r"[*_`~#\[<]")
_OF_RULES = tuple("`~-*_=|:")  # what a line of nothing but marks begins with
_ROW = re.compile(r"\s*\|[^|]*\|.*")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})[\w+-]*\s*")
_RULE = re.compile(r"\s*([-*_=])(?:\s*\1){2,}\s*")
_ALIGNMENT = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")
_QUOTE_OR_HEADING = re.compile(r"\s*(?:>\s?)*\s*(?:#{1,6}(?=\s))?")
_CLOSING = re.compile(r"(?<=\s)#+\s*$")
_BULLET = re.compile(r"\s*(?:[-*+•–](?=\s)|(\d{1,3})[.)](?=\s))(?:\s+\[[ xX]\](?=\s))?")
_LABEL = re.compile(r"(^|\n)(\s*(?:[^\s:.!?]+ {1,3}){0,4}[^\s:.!?]+\s*:)\s")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])|\[\^\w+\]")
_AUTOLINK = re.compile(r"<(?:https?://|mailto:)[^<>\s]*>")
_CODE = re.compile(r"(`{1,3})([^`]+)\1")
_STRUCK = re.compile(r"(~~|\*{3})(?=[^\s~*])(.*?[^\s~*])\1")
_BOLD = re.compile(r"(\*\*)(?=[^\s*])(.*?\S)\1(?!\*)|(?<!\w)(__)(?=[^\s_])(.*?[^\s_])\3(?!\w)")
_ITALIC = re.compile(
    r"(?<![\w*])(\*)(?=[^\s*])([^*]*[^\s*])\1(?![\w*])|(?<![\w_])(_)(?=[^\s_])([^_]*[^\s_])\3(?![\w_])"
)
_PLACEHOLDER = re.compile(r"[a-z0-9-]+|[A-Z0-9-]+")
_TAG = re.compile(
    r"</?(br|p|li|ul|ol|tr|td|th|div|h[1-6]|table|b|i|u|em|strong|span|code|sub|sup)\b[^<>]*>", re.IGNORECASE
)
_INLINE_TAGS = frozenset({"b", "i", "u", "em", "strong", "span", "code", "sub", "sup"})
_WRAPPED = 60
_SENTENCE_END = (".", "!", "?", ":", ";", "|")


def plain(text: str) -> str:
    r"""Return a text of the same length with the marks of Markdown blank.

    Examples
    --------
    >>> plain("**Nova X** is [new](https://example.org).")
    '  Nova X   is  new                      .'
    >>> plain("# Nova\n- **Weight:** 205 g\n- 5 * 3 cm, S24_b")
    '  Nova\n   \nWeight:\n  205 g\n  5 * 3 cm, S24_b'
    """
    if not _ANY.search(text):
        return text
    lines = text.split("\n")
    several = len(lines) > 1
    numbered = several and sum(bool((own := _BULLET.match(line)) and own[1]) for line in lines) > 1
    table = "|" in text and any(map(_ALIGNMENT.fullmatch, lines))
    made = [_line(line, several, numbered, table) for line in lines]
    return "".join(made[:1] + [_break(lines[n - 1], lines[n]) + made[n] for n in range(1, len(lines))])


@dataclass(frozen=True, slots=True)
class Unmarked:
    """A text without its marks, and where each of its characters is in the source.

    Where a character stands for several others, ``ends`` says where each ends.
    """

    text: str
    offsets: tuple[int, ...]
    ends: tuple[int, ...] = ()

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return where a span of this text, which is not empty, is in the source."""
        return self.offsets[start], self.ends[end - 1] if self.ends else self.offsets[end - 1] + 1

    def after(self, first: Unmarked) -> Unmarked:
        """Return this reading of what is itself the reading of a source."""
        spans = [first.to_source(start, start + 1)[0] for start in self.offsets]
        return Unmarked(self.text, tuple(spans), tuple(first.to_source(end - 1, end)[1] for end in self.ends))

    def from_source(self, start: int, end: int) -> tuple[int, int]:
        """Return where a span of the source is in this text."""
        return bisect_left(self.offsets, start), bisect_left(self.offsets, end)


def unmarked(text: str, seen: str | None = None) -> Unmarked | None:
    """Return a text without its marks; None if it has none. ``seen`` is what `plain` gives, if known.

    Examples
    --------
    >>> found = unmarked("**Nova X** is [new](https://example.org).")
    >>> found.text, found.to_source(10, 13), found.from_source(15, 18)
    ('Nova X is new.', (15, 18), (10, 13))
    """
    seen = plain(text) if seen is None else seen
    if seen == text:
        return None
    pairs = enumerate(zip(seen, text, strict=True))
    kept = [n for n, (c, own) in pairs if c != " " or own in " \n"]
    return Unmarked("".join(map(seen.__getitem__, kept)), tuple(kept))


def table_cells(text: str) -> Iterator[tuple[Span, Span]]:
    r"""Yield the cells of tables, each with the cell at the head of its column.

    Examples
    --------
    >>> text = "| Item | Price |\n|---|---|\n| Rug | 220 |"
    >>> [(text[slice(*cell)], text[slice(*head)]) for cell, head in table_cells(text)]
    [('Rug', 'Item'), ('220', 'Price')]
    """
    heads: list[Span] = []
    start, before = 0, ""
    for line in text.split("\n"):
        if _ALIGNMENT.fullmatch(line):
            heads = list(_cells(before, start - len(before) - 1))
        elif "|" not in line:
            heads = []
        elif heads:
            yield from zip(_cells(line, start), heads, strict=False)
        start, before = start + len(line) + 1, line


def _cells(line: str, start: int) -> Iterator[Span]:
    """Yield where the cells of a row are, without the space around them."""
    edge = len(line) - len(line.lstrip())
    at = edge + line.startswith("|", edge)
    while at < len(line.rstrip()):
        end = line.find("|", at)
        end = len(line) if end < 0 else end
        cell = line[at:end]
        first = start + at + len(cell) - len(cell.lstrip())
        yield first, max(first, first + len(cell.strip()))
        at = end + 1


def _line(line: str, several: bool, numbered: bool, table: bool) -> str:
    if line.lstrip().startswith(_OF_RULES) and (
        _FENCE.fullmatch(line) or _RULE.fullmatch(line) or _ALIGNMENT.fullmatch(line)
    ):
        return _blank(line)
    start = _QUOTE_OR_HEADING.match(line)
    begin = start.end() if start else 0
    if several and (bullet := _BULLET.match(line, begin)) and (numbered or not bullet[1]):
        begin = bullet.end()
    rest = line[begin:]
    if "|" in rest and (table or _ROW.fullmatch(rest)):
        rest = rest.replace("|", "\n")
    if _ANY_INLINE.search(rest):
        for pattern, replaced in _INLINE:
            rest = pattern.sub(replaced, rest)
    if ":" in rest and (several or "\n" in rest):
        rest = _LABEL.sub(lambda own: f"{own[1]}{own[2]}\n" if several or own[1] else own[0], rest)
    return _blank(line[:begin]) + rest


def _link(found: re.Match[str]) -> str:
    if found[1] is None:
        return _all(found)
    return " " * (found.start(1) - found.start()) + found[1] + " " * (found.end() - found.end(1))


def _emphasis(found: re.Match[str]) -> str:
    mark, inner = (found[1], found[2]) if found[1] else (found[3], found[4])
    if mark == "__" and _PLACEHOLDER.fullmatch(inner):
        return found[0]  # what a system left in its text
    blank = " " * len(mark)
    if len(mark) == 2 and ":" in (inner[-1], found.string[found.end() : found.end() + 1]):
        return f" \n{inner}{blank}"  # a label
    return blank + inner + blank


def _tag(found: re.Match[str]) -> str:
    last = " " if found[1].lower() in _INLINE_TAGS else "\n"
    return _blank(found[0][1:]) + last


def _all(found: re.Match[str]) -> str:
    return _blank(found[0])


def _blank(text: str) -> str:
    return " " * len(text)


_INLINE: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_CLOSING, _all),
    (_CODE, _emphasis),
    (_AUTOLINK, _all),
    (_TAG, _tag),
    (_IMAGE_OR_LINK, _link),
    (_STRUCK, _emphasis),
    (_BOLD, _emphasis),
    (_ITALIC, _emphasis),
)


def _break(before: str, after: str) -> str:
    """Return a space where a paragraph goes on in the next line, else the line break."""
    goes_on = (
        len(before) >= _WRAPPED
        and not before.rstrip().endswith(_SENTENCE_END)
        and after.strip()
        and not _BULLET.match(after)
        and after.lstrip()[:1] not in "#>|`~=-*"
    )
    return " " if goes_on else "\n"
