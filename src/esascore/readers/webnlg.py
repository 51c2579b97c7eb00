"""The XML of the WebNLG challenges: one file, or a directory tree of files.

The input of an entry is its modified triple set (the original one where it has no other); of several
original triple sets the first is kept. Elements that are not known here are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from esascore.errors import DataError
from esascore.model import Example, GoldMention, Graph, Reference, Triple
from esascore.readers.limits import MAX_FIELD_CHARACTERS, MAX_XML_DEPTH
from esascore.readers.lines import opened
from esascore.readers.located import Located, Place
from esascore.readers.tree import corpus_files
from esascore.readers.triples import check_size, parse_triple

_CHUNK = 2**16
_TRIPLE_SETS = MappingProxyType({"modifiedtripleset": "mtriple", "originaltripleset": "otriple"})
_WITH_TEXT = frozenset({"mtriple", "otriple", "lex", "text", "reference"})


def read(path: Path) -> Iterator[Located]:
    """Read a file or a directory tree; annotated mentions are passed over."""
    return read_entries(path, mentions=False)


def read_entries(path: Path, *, mentions: bool) -> Iterator[Located]:
    """Read the entries of a file or a directory tree, with annotated mentions if asked."""
    for file, prefix in corpus_files(path, (".xml",)):
        yield from _read_file(file, prefix, mentions)


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
                    handler.refuse_length()
                yield from handler.take()
            parser.close()
        except DefusedXmlException:
            Place(path, parser.getLineNumber()).fail(
                "document type and entity declarations are refused for safety: remove the <!DOCTYPE ...>"
            )
        except SAXParseException as error:
            Place(path, parser.getLineNumber()).fail(_explained(error.getMessage()))
        except (LookupError, ValueError) as error:  # from the codec of the encoding that the XML declares
            Place(path, 1).fail(
                f"the encoding that the XML declares cannot be used ({error}): save the file as UTF-8"
            )
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
    place: Place
    modified: list[Triple] | None = None
    original: list[Triple] | None = None
    current: list[Triple] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    lex: _Lex | None = None


@dataclass(slots=True)
class _Element:
    """An open element whose text is wanted."""

    name: str
    place: Place
    pieces: list[str] = field(default_factory=list)
    size: int = 0
    has_children: bool = False

    def text(self) -> str:
        text = "".join(self.pieces).strip()
        if self.has_children and text:
            self.place.fail(f"<{self.name}> mixes text and elements: write < as &lt; inside a text")
        return text


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

    def refuse_length(self) -> NoReturn:
        self._place().fail(f"an element has more than {MAX_FIELD_CHARACTERS:,} characters: correct the file")

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        self.moved = True
        names = self._names
        parent = names[-1]
        names.append(name)
        if len(names) > MAX_XML_DEPTH:
            self._place().fail(f"elements are nested more than {MAX_XML_DEPTH} deep: is this WebNLG XML?")
        around = self._elements[-1]
        if around is not None:
            around.has_children = True
        self._elements.append(_Element(name, self._place()) if name in _WITH_TEXT else None)
        entry = self._entry
        if name == "entry":
            if entry is not None:
                self._place().fail("an <entry> stands inside another: close the first with </entry>")
            self.count += 1
            eid = attrs.get("eid", "").strip() or f"Id{self.count}"
            self._entry = _Entry(self._prefix + eid, attrs.get("category", "").strip() or None, self._place())
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
                self.refuse_length()

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
                entry.current.append(parse_triple(element.text(), element.place))
                check_size(len(entry.current), element.place)
            elif entry.lex is not None:
                self._end_in_lex(entry, entry.lex, element, parent)
        elif name == "entry":
            self._finish(entry)
        elif name == "modifiedtripleset" and parent == "entry":
            if entry.modified is not None:
                self._place().fail("the entry has two modified triple sets: keep the one to be verbalised")
            entry.modified = entry.current
        elif name == "originaltripleset" and parent == "entry" and entry.original is None:
            entry.original = entry.current

    def _end_in_lex(self, entry: _Entry, lex: _Lex, element: _Element, parent: str) -> None:
        if element.name == "lex":
            if lex.text is None:
                lex.text = element.text()
            entry.references.append(Reference(lex.id, lex.text, lex.comment, tuple(lex.mentions)))
            entry.lex = None
        elif element.name == "text" and parent == "lex":
            lex.text = element.text()
        elif element.name == "reference" and parent == "references" and self._mentions:
            entity, kind = self._mention
            lex.mentions.append(GoldMention(entity, element.text(), kind))

    def _finish(self, entry: _Entry) -> None:
        original = None if entry.original is None else Graph(tuple(entry.original), entry.category)
        graph = original if entry.modified is None else Graph(tuple(entry.modified), entry.category)
        if graph is None:
            entry.place.fail("the entry has no triple set: add a <modifiedtripleset>")
        example = Example(
            id=entry.id,
            input=graph,
            references=tuple(entry.references),
            size=len(graph.triples),
            original=original,
        )
        self._done.append(Located(example, entry.place))
        self._entry = None

    def _place(self) -> Place:
        return Place(self._file, self._line())
