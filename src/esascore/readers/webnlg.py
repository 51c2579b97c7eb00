"""The XML of the WebNLG challenges: one file, or a directory tree of files.

The input of an entry is its modified triple set (the original one where it has no other); of several
original triple sets the first is kept. Elements that are not known here are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat  # nosec B407 - document types, and with them entities, are rejected

from esascore.errors import DataError
from esascore.label import label
from esascore.model import Example, GoldMention, Input, Reference, Triple, triple_parts
from esascore.readers.lines import opened
from esascore.readers.located import (
    MAX_FIELD_CHARACTERS,
    MAX_XML_DEPTH,
    Located,
    Place,
    check_size,
    parse_triple,
)
from esascore.readers.tree import corpus_files

_CHUNK = 2**16
_LINKS = ("dbpedialink", "link")


def read(path: Path, *, mentions: bool = False) -> Iterator[Located]:
    """Read a file or a directory tree; annotated ``mentions`` are skipped unless they are asked for."""
    for file, prefix in corpus_files(path, (".xml",)):
        yield from _read_file(file, prefix, mentions)


read_annotated = partial(read, mentions=True)
"""Reads enriched WebNLG: the mentions that people annotated are in `Reference.mentions`."""


def _read_file(path: Path, prefix: str, mentions: bool) -> Iterator[Located]:
    parser = expat.ParserCreate(None, _NAMESPACE)
    builder = _Builder(path, parser, partial(_located, prefix=prefix, mentions=mentions))
    with opened(path) as file:
        try:
            silent = 0  # bytes without an event: one huge tag would otherwise fill the memory
            while chunk := file.read(_CHUNK):
                builder.moved = False
                parser.Parse(chunk, False)
                silent = 0 if builder.moved else silent + len(chunk)
                if silent > MAX_FIELD_CHARACTERS:
                    builder.refuse_length()
                yield from builder.take()
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            Place(path, error.lineno).fail(_explained(expat.ErrorString(error.code)))
        except (LookupError, ValueError) as error:  # from the codec of the encoding that the XML declares
            Place(path, 1).fail(
                f"the encoding that the XML declares cannot be used ({error}): save the file as UTF-8"
            )
        yield from builder.take()
    if not builder.entries:
        raise DataError("no <entry> found: is this WebNLG XML?", file=path)


def _explained(reason: str) -> str:
    if reason in ("no element found", "unclosed token", "unclosed CDATA section"):
        return f"the XML ends too early ({reason}): is the file empty or truncated?"
    if reason == "unknown encoding":
        return "the XML declares an unknown encoding: save the file as UTF-8"
    return f"the XML is broken ({reason}): correct it, or save it in the encoding that it declares"


_NAMESPACE = "}"  # what the parser writes between a namespace and a name


@dataclass(slots=True)
class _Element:
    """An element of an entry: its own text, in pieces, and where it begins."""

    tag: str
    attributes: dict[str, str]
    place: Place
    children: list[_Element]
    pieces: list[str]

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")

    def each(self, tag: str) -> list[_Element]:
        return [child for child in self.children if child.tag == tag]

    def within(self) -> Iterator[_Element]:
        """Yield all elements inside this one, in document order."""
        for child in self.children:
            yield child
            yield from child.within()

    def own_text(self) -> str:
        text = "".join(self.pieces).strip()
        if self.children and text:
            self.place.fail(f"<{self.tag}> mixes text and elements: write < as &lt; inside a text")
        return text


class _Builder:
    """Builds the tree of one entry at a time, and keeps nothing of what is around the entries."""

    def __init__(self, path: Path, parser: expat.XMLParserType, read_entry: Callable[..., Located]):
        self.moved = False  # set by every event
        self.entries = 0
        self._links: list[_Element] = []  # of the entry, wherever in it they are
        self._path = path
        self._parser = parser
        self._read_entry = read_entry
        self._done: list[Located] = []
        self._open: list[_Element] = []  # the entry and what is open inside it
        self._depth = self._size = 0
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_type
        parser.StartElementHandler = self._start
        parser.CharacterDataHandler = self._data
        parser.EndElementHandler = self._end

    def take(self) -> list[Located]:
        """Hand over what is finished."""
        done, self._done = self._done, []
        return done

    def refuse_length(self) -> NoReturn:
        self._place().fail(f"an element has more than {MAX_FIELD_CHARACTERS:,} characters: correct the file")

    def _refuse_type(self, *_: object) -> NoReturn:
        self._place().fail(
            "document type and entity declarations are rejected for safety: remove the <!DOCTYPE ...>"
        )

    def _place(self) -> Place:
        return Place(self._path, self._parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.moved, self._size = True, 0
        self._depth += 1
        if self._depth >= MAX_XML_DEPTH:
            self._place().fail(f"elements are nested more than {MAX_XML_DEPTH} deep: is this WebNLG XML?")
        tag = name.rpartition(_NAMESPACE)[2]
        if tag == "entry" and self._open:
            self._place().fail("an <entry> is inside another: close the first with </entry>")
        if tag == "entry" or self._open:
            place = Place(self._path, self._parser.CurrentLineNumber)  # `_place`, without the call
            element = _Element(tag, attributes, place, [], [])
            if self._open:
                self._open[-1].children.append(element)
                if tag in _LINKS:
                    self._links.append(element)
            self._open.append(element)

    def _data(self, data: str) -> None:
        self.moved = True
        self._size += len(data)
        if self._size > MAX_FIELD_CHARACTERS:
            self.refuse_length()
        if self._open:
            self._open[-1].pieces.append(data)

    def _end(self, _name: str) -> None:
        self.moved, self._size = True, 0
        self._depth -= 1
        if self._open:
            element = self._open.pop()
            if not self._open:
                self.entries += 1
                self._done.append(self._read_entry(element, self.entries, self._links))
                self._links = []


def _located(
    entry: _Element, number: int, linked: Iterable[_Element], *, prefix: str, mentions: bool
) -> Located:
    category = entry.get("category").strip() or None
    modified = entry.each("modifiedtripleset")
    if len(modified) > 1:
        modified[1].place.fail("the entry has two modified triple sets: keep the one to be verbalised")
    originals = [_triples(some, "otriple") for some in entry.each("originaltripleset")[:1]]
    triples = [_triples(some, "mtriple") for some in modified] + originals
    links = tuple(_links(linked))
    # One, where nothing was modified.
    graphs = {own: Input.from_triples(own, category).linked(links) for own in triples}
    if not graphs:
        entry.place.fail("the entry has no triple set: add a <modifiedtripleset>")
    example = Example(
        id=prefix + (entry.get("eid").strip() or f"Id{number}"),
        input=graphs[triples[0]],
        references=tuple(_reference(lex, at, mentions) for at, lex in enumerate(entry.each("lex"), 1)),
        size=len(triples[0]),
        original=graphs[originals[0]] if originals else None,
    )
    return Located(example, entry.place)


def _links(elements: Iterable[_Element]) -> Iterator[tuple[str, str]]:
    """Yield the other names of entities: what ``dbpedialinks`` and ``links`` say is the same."""
    for element in elements:
        parts = triple_parts(element.own_text())
        if len(parts) == 3:
            yield parts[0], label(parts[2])


def _triples(some: _Element, name: str) -> tuple[Triple, ...]:
    triples = []
    for element in some.each(name):
        triples.append(parse_triple(element.own_text(), element.place))
        check_size(len(triples), element.place)
    return tuple(triples)


def _reference(lex: _Element, number: int, mentions: bool) -> Reference:
    found = [
        GoldMention(one.get("entity"), one.own_text(), one.get("type"))
        for some in (lex.within() if mentions else ())
        if some.tag == "references"
        for one in some.each("reference")
    ]
    text = [lex, *lex.each("text")][-1].own_text()
    return Reference(lex.get("lid").strip() or f"Id{number}", text, lex.get("comment"), tuple(found))
