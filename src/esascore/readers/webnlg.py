"""The XML of the WebNLG challenges: one file, or a directory tree of files.

The input of an entry is its modified triple set (the original one where it has no other); of several
original triple sets the first is kept. Elements that are not known here are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from esascore.errors import DataError
from esascore.model import Example, GoldMention, Graph, Reference, Triple
from esascore.readers.limits import MAX_FIELD_CHARACTERS, MAX_XML_DEPTH
from esascore.readers.lines import opened
from esascore.readers.located import Located
from esascore.readers.tree import files_under, id_prefix
from esascore.readers.triples import check_size, parse_triple

_CHUNK = 2**16
_TRIPLE_SETS = MappingProxyType({"modifiedtripleset": "mtriple", "originaltripleset": "otriple"})
_WITH_TEXT = frozenset({"mtriple", "otriple", "lex", "text", "reference"})


def read(path: Path) -> Iterator[Located]:
    """Read a file or a directory tree; annotated mentions are passed over."""
    return read_entries(path, mentions=False)


def read_entries(path: Path, *, mentions: bool) -> Iterator[Located]:
    """Read the entries of a file or a directory tree, with annotated mentions if asked."""
    if not path.is_dir():
        yield from _read_file(path, "", mentions)
        return
    files = files_under(path, (".xml",))
    if not files:
        raise DataError("the directory holds no .xml file", file=path)
    for file in files:
        yield from _read_file(file, id_prefix(file, path), mentions)


def _read_file(path: Path, prefix: str, mentions: bool) -> Iterator[Located]:
    from xml.sax import SAXParseException

    from defusedxml.common import DefusedXmlException
    from defusedxml.expatreader import create_parser

    parser = create_parser(forbid_dtd=True)
    handler = _Entries(path, prefix, mentions, parser.getLineNumber)
    parser.setContentHandler(handler)
    with opened(path) as file:
        try:
            silent = 0  # bytes without an event: one huge tag would otherwise fill the memory
            while chunk := file.read(_CHUNK):
                handler.moved = False
                parser.feed(chunk)
                silent = 0 if handler.moved else silent + len(chunk)
                if silent > MAX_FIELD_CHARACTERS:
                    raise handler.too_long()
                yield from handler.take()
            parser.close()
        except DefusedXmlException:
            raise DataError(
                "document type and entity declarations are refused for safety: remove the <!DOCTYPE ...>",
                file=path,
                line=parser.getLineNumber(),
            ) from None
        except SAXParseException as error:
            raise DataError(_explained(error.getMessage()), file=path, line=error.getLineNumber()) from None
        except (LookupError, ValueError) as error:  # from the codec of the encoding that the XML declares
            raise DataError(
                f"the encoding that the XML declares cannot be used ({error}): save the file as UTF-8",
                file=path,
                line=1,
            ) from None
        yield from handler.take()
    if not handler.count:
        raise DataError("no <entry> found: is this WebNLG XML?", file=path)


def _explained(reason: str) -> str:
    if reason in ("no element found", "unclosed token", "unclosed CDATA section"):
        return f"the XML ends too early ({reason}): is the file empty or cut off?"
    if reason == "unknown encoding":
        return "the XML declares an unknown encoding: save the file as UTF-8"
    return f"the XML is broken ({reason}): correct it, or save it in the encoding that it declares"


@dataclass(slots=True)
class _Lex:
    id: str
    comment: str
    text: str | None = None
    mentions: list[GoldMention] = field(default_factory=list)


@dataclass(slots=True)
class _Entry:
    id: str
    category: str | None
    line: int
    modified: list[Triple] | None = None
    original: list[Triple] | None = None
    current: list[Triple] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    lex: _Lex | None = None


class _Element:
    """An open element whose text is wanted."""

    __slots__ = ("has_children", "line", "name", "pieces", "size")

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line
        self.pieces: list[str] = []
        self.size = 0
        self.has_children = False


class _Entries(ContentHandler):
    """Turns the parser's events into examples, one entry at a time."""

    def __init__(self, file: Path, prefix: str, mentions: bool, line: Callable[[], int]) -> None:
        super().__init__()
        self.count = 0
        self.moved = False  # set by every event
        self._file = file
        self._prefix = prefix
        self._mentions = mentions
        self._line = line
        self._done: list[Located] = []
        self._names = [""]
        self._elements: list[_Element | None] = [None]
        self._entry: _Entry | None = None
        self._mention: tuple[str, str] = ("", "")

    def take(self) -> list[Located]:
        """Hand over what is finished."""
        done, self._done = self._done, []
        return done

    def too_long(self) -> DataError:
        return self._error(f"an element has more than {MAX_FIELD_CHARACTERS:,} characters: correct the file")

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        self.moved = True
        names = self._names
        parent = names[-1]
        names.append(name)
        if len(names) > MAX_XML_DEPTH:
            raise self._error(f"elements are nested more than {MAX_XML_DEPTH} deep: is this WebNLG XML?")
        around = self._elements[-1]
        if around is not None:
            around.has_children = True
        self._elements.append(_Element(name, self._line()) if name in _WITH_TEXT else None)
        entry = self._entry
        if name == "entry":
            if entry is not None:
                raise self._error("an <entry> stands inside another: close the first with </entry>")
            self.count += 1
            eid = attrs.get("eid", "").strip() or f"Id{self.count}"
            self._entry = _Entry(self._prefix + eid, attrs.get("category", "").strip() or None, self._line())
        elif entry is None:
            return
        elif name == "lex" and parent == "entry":
            lid = attrs.get("lid", "").strip() or f"Id{len(entry.references) + 1}"
            entry.lex = _Lex(lid, attrs.get("comment", ""))
        elif name == "reference" and parent == "references":
            self._mention = (attrs.get("entity", ""), attrs.get("type", ""))
        elif name in _TRIPLE_SETS and parent == "entry":
            entry.current = []

    def characters(self, content: str) -> None:
        self.moved = True
        element = self._elements[-1]
        if element is not None:
            element.pieces.append(content)
            element.size += len(content)
            if element.size > MAX_FIELD_CHARACTERS:
                raise self.too_long()

    def endElement(self, name: str) -> None:  # noqa: N802
        self.moved = True
        names = self._names
        names.pop()
        element = self._elements.pop()
        entry = self._entry
        if entry is None:
            return
        parent = names[-1]
        if element is not None:
            if _TRIPLE_SETS.get(parent) == name:
                entry.current.append(parse_triple(self._text(element), file=self._file, line=element.line))
                check_size(len(entry.current), file=self._file, line=element.line)
            elif entry.lex is not None:
                self._end_in_lex(entry, entry.lex, element, parent)
        elif name == "entry":
            self._finish(entry)
        elif name == "modifiedtripleset" and parent == "entry":
            if entry.modified is not None:
                raise self._error("the entry has two modified triple sets: keep the one to be verbalised")
            entry.modified = entry.current
        elif name == "originaltripleset" and parent == "entry" and entry.original is None:
            entry.original = entry.current

    def _end_in_lex(self, entry: _Entry, lex: _Lex, element: _Element, parent: str) -> None:
        if element.name == "lex":
            if lex.text is None:
                lex.text = self._text(element)
            entry.references.append(Reference(lex.id, lex.text, lex.comment, tuple(lex.mentions)))
            entry.lex = None
        elif element.name == "text" and parent == "lex":
            lex.text = self._text(element)
        elif element.name == "reference" and parent == "references" and self._mentions:
            entity, kind = self._mention
            lex.mentions.append(GoldMention(entity, self._text(element), kind))

    def _finish(self, entry: _Entry) -> None:
        original = None if entry.original is None else Graph(tuple(entry.original), entry.category)
        graph = original if entry.modified is None else Graph(tuple(entry.modified), entry.category)
        if graph is None:
            raise DataError(
                "the entry has no triple set: add a <modifiedtripleset>", file=self._file, line=entry.line
            )
        example = Example(
            id=entry.id,
            input=graph,
            references=tuple(entry.references),
            size=len(graph.triples),
            original=original,
        )
        self._done.append(Located(example, self._file, entry.line))
        self._entry = None

    def _text(self, element: _Element) -> str:
        text = "".join(element.pieces).strip()
        if element.has_children and text:
            raise DataError(
                f"<{element.name}> mixes text and elements: write < as &lt; inside a text",
                file=self._file,
                line=element.line,
            )
        return text

    def _error(self, problem: str) -> DataError:
        return DataError(problem, file=self._file, line=self._line())
