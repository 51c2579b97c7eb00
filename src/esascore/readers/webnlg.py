"""The XML of the WebNLG challenges: one file, or a directory tree of files.

The input of an entry is its modified triple set (the original one where it has no other); of several
original triple sets the first is kept. Elements that are not known here are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn, cast
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from esascore.errors import DataError
from esascore.model import Example, GoldMention, Graph, Reference, Triple
from esascore.readers.limits import MAX_FIELD_CHARACTERS, MAX_XML_DEPTH
from esascore.readers.lines import opened
from esascore.readers.located import Located, Place
from esascore.readers.tree import corpus_files
from esascore.readers.triples import check_size, parse_triple

_CHUNK = 2**16


def read(path: Path) -> Iterator[Located]:
    """Read a file or a directory tree; annotated mentions are skipped."""
    return read_entries(path, mentions=False)


def read_entries(path: Path, *, mentions: bool) -> Iterator[Located]:
    """Read the entries of a file or a directory tree, with annotated mentions if asked."""
    for file, prefix in corpus_files(path, (".xml",)):
        yield from _read_file(file, prefix, mentions)


def _read_file(path: Path, prefix: str, mentions: bool) -> Iterator[Located]:
    from xml.parsers.expat import ErrorString

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    number = 0

    def read_entry(entry: _Element) -> Located:
        nonlocal number
        number += 1
        return _located(entry, prefix, number, mentions)

    builder = _Builder(read_entry, lambda: Place(path, parser.parser.CurrentLineNumber))
    parser = DefusedXMLParser(target=builder, forbid_dtd=True)
    with opened(path) as file:
        try:
            silent = 0  # bytes without an event: one huge tag would otherwise fill the memory
            while chunk := file.read(_CHUNK):
                builder.moved = False
                parser.feed(chunk)
                silent = 0 if builder.moved else silent + len(chunk)
                if silent > MAX_FIELD_CHARACTERS:
                    builder.refuse_length()
                yield from builder.take()
            parser.close()
        except DefusedXmlException:
            builder.place().fail(
                "document type and entity declarations are rejected for safety: remove the <!DOCTYPE ...>"
            )
        except ParseError as error:
            Place(path, error.position[0]).fail(_explained(ErrorString(error.code)))
        except (LookupError, ValueError) as error:  # from the codec of the encoding that the XML declares
            Place(path, 1).fail(
                f"the encoding that the XML declares cannot be used ({error}): save the file as UTF-8"
            )
        yield from builder.take()
    if not number:
        raise DataError("no <entry> found: is this WebNLG XML?", file=path)


def _explained(reason: str) -> str:
    if reason in ("no element found", "unclosed token", "unclosed CDATA section"):
        return f"the XML ends too early ({reason}): is the file empty or truncated?"
    if reason == "unknown encoding":
        return "the XML declares an unknown encoding: save the file as UTF-8"
    return f"the XML is broken ({reason}): correct it, or save it in the encoding that it declares"


class _Element(Element):
    """An element that knows where it begins."""

    place: Place

    def each(self, path: str) -> list[_Element]:
        return cast("list[_Element]", self.findall(path))

    def own_text(self) -> str:
        text = "".join([self.text or "", *(child.tail or "" for child in self)]).strip()
        if len(self) and text:
            self.place.fail(f"<{self.tag}> mixes text and elements: write < as &lt; inside a text")
        return text


class _Builder(TreeBuilder):
    """Builds the tree of one entry at a time, and keeps nothing of what is around the entries."""

    def __init__(self, read_entry: Callable[[_Element], Located], place: Callable[[], Place]) -> None:
        super().__init__(_Element)
        self.moved = False  # set by every event
        self.place = place
        self._read_entry = read_entry
        self._done: list[Located] = []
        self._open: list[Element] = []
        self._entry: Element | None = None
        self._size = 0

    def take(self) -> list[Located]:
        """Hand over what is finished."""
        done, self._done = self._done, []
        return done

    def refuse_length(self) -> NoReturn:
        self.place().fail(f"an element has more than {MAX_FIELD_CHARACTERS:,} characters: correct the file")

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        self.moved, self._size = True, 0
        element = cast("_Element", super().start(tag.rpartition("}")[2], attrs))
        element.place = self.place()
        self._open.append(element)
        if len(self._open) >= MAX_XML_DEPTH:
            element.place.fail(f"elements are nested more than {MAX_XML_DEPTH} deep: is this WebNLG XML?")
        if element.tag == "entry":
            if self._entry is not None:
                element.place.fail("an <entry> is inside another: close the first with </entry>")
            self._entry = element
        return element

    def data(self, data: str) -> None:
        self.moved = True
        self._size += len(data)
        if self._size > MAX_FIELD_CHARACTERS:
            self.refuse_length()
        super().data(data)

    def end(self, tag: str) -> Element:
        self.moved, self._size = True, 0
        element = cast("_Element", super().end(tag.rpartition("}")[2]))
        self._open.pop()
        if element is self._entry:
            self._done.append(self._read_entry(element))
            self._entry = None
        if self._entry is None and self._open:
            self._open[-1].remove(element)
        return element


def _located(entry: _Element, prefix: str, number: int, mentions: bool) -> Located:
    category = entry.get("category", "").strip() or None
    modified = entry.each("modifiedtripleset")
    if len(modified) > 1:
        modified[1].place.fail("the entry has two modified triple sets: keep the one to be verbalised")
    original = [Graph(_triples(some, "otriple"), category) for some in entry.each("originaltripleset")[:1]]
    graphs = [Graph(_triples(some, "mtriple"), category) for some in modified] + original
    if not graphs:
        entry.place.fail("the entry has no triple set: add a <modifiedtripleset>")
    example = Example(
        id=prefix + (entry.get("eid", "").strip() or f"Id{number}"),
        input=graphs[0],
        references=tuple(_reference(lex, at, mentions) for at, lex in enumerate(entry.each("lex"), 1)),
        size=len(graphs[0].triples),
        original=next(iter(original), None),
    )
    return Located(example, entry.place)


def _triples(some: _Element, name: str) -> tuple[Triple, ...]:
    triples = []
    for element in some.each(name):
        triples.append(parse_triple(element.own_text(), element.place))
        check_size(len(triples), element.place)
    return tuple(triples)


def _reference(lex: _Element, number: int, mentions: bool) -> Reference:
    found = [
        GoldMention(one.get("entity", ""), one.own_text(), one.get("type", ""))
        for one in lex.each(".//references/reference")
        if mentions
    ]
    text = [lex, *lex.each("text")][-1].own_text()
    return Reference(lex.get("lid", "").strip() or f"Id{number}", text, lex.get("comment", ""), tuple(found))
