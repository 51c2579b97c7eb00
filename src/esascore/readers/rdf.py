"""RDF files (N-Triples, Turtle, JSON-LD), read by rdflib.

Each file is one graph, or (`read_subjects`) each named subject is one. A directory is read file by
file. Terms get the names that people read:

- an IRI is its ``rdfs:label`` where the file has one (English or without language first), and else its
  last part, decoded (``.../Abilene,_Texas`` is ``Abilene,_Texas``);
- other labels and ``owl:sameAs`` are names that texts in other languages may use, and no triples;
- a literal is its text, with its unit where it has one (``185.0 (centimetre)``);
- a blank node has no name that a text could mention: what it says is said of the node that points to
  it, and a list is its members.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from esascore.errors import DataError, import_extra
from esascore.label import label
from esascore.model import Example, Input, Triple
from esascore.readers.fields import load_json
from esascore.readers.lines import decoded, opened, without_mark
from esascore.readers.located import MAX_RDF_BYTES, Located, Place, check_size
from esascore.readers.tree import corpus_files

SUFFIXES = (".nt", ".ttl", ".jsonld")
# Relative IRIs are resolved against this and then only their last part is used.
_BASE = "http://example.invalid/"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_SAME = "http://www.w3.org/2002/07/owl#sameAs"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_PLAIN_TYPES = ("http://www.w3.org/2001/XMLSchema#", _RDF)

_Statement = tuple[Any, Any, Any]


def read(path: Path) -> Iterator[Located]:
    """Read one graph per file; a file of its own is ``Id1``, one in a directory is named by its path."""
    for file, prefix in corpus_files(path, SUFFIXES):
        statements = _parse(file)
        triples = _triples(statements, file)
        yield _located(prefix.removesuffix("/") or "Id1", triples, _links(statements), file)


def read_subjects(path: Path) -> Iterator[Located]:
    """Read one graph for each named subject, in the order in which subjects first appear."""
    for file, prefix in corpus_files(path, SUFFIXES):
        by_subject: dict[str, list[Triple]] = {}
        statements = _parse(file)
        links = _links(statements)
        for triple in _triples(statements, file):
            by_subject.setdefault(triple.subject, []).append(triple)
        for subject, triples in by_subject.items():
            yield _located(prefix + subject, triples, links, file)


def _located(name: str, triples: list[Triple], links: list[tuple[str, str]], file: Path) -> Located:
    place = Place(file, 1)
    check_size(len(triples), place)
    known = {term for triple in triples for term in (triple.subject, triple.object)}
    source = Input.from_triples(triples).linked(link for link in links if link[0] in known)
    return Located(Example(id=name, input=source, size=len(triples)), place)


def _parse(path: Path) -> list[_Statement]:
    rdflib = import_extra("Reading RDF files", "rdflib", extra="rdf")
    from rdflib.plugins.stores.memory import Memory

    with opened(path) as file:
        raw = file.read(MAX_RDF_BYTES + 1)
    if len(raw) > MAX_RDF_BYTES:
        raise DataError(f"the file has more than {MAX_RDF_BYTES // 2**20} MiB: split it", file=path)
    text = decoded(without_mark(raw, path), path, 1)
    suffix = path.suffix.lower()
    syntax = "nt" if suffix == ".nt" else "turtle"
    if text.lstrip().startswith(("{", "[")) and suffix not in (".nt", ".ttl"):
        syntax = "json-ld"
        _check_json_ld(text, path)

    statements: list[_Statement] = []

    class Recorder(Memory):  # type: ignore[misc]
        """Keeps the order of the file, which a graph forgets."""

        def add(self, triple: _Statement, context: Any, quoted: bool = False) -> None:
            statements.append(triple)
            super().add(triple, context, quoted)

    with _silent():
        try:
            rdflib.Graph(store=Recorder()).parse(data=text, format=syntax, publicID=_BASE)
        except Exception as error:  # what rdflib raises on bad input is not limited to its own errors
            raise _explained(error, text, syntax, path) from None
    if not statements:
        raise DataError("the file contains no RDF statement", file=path)
    return list(dict.fromkeys(statements))


def _check_json_ld(text: str, path: Path) -> None:
    """Check that this is JSON and that rdflib will fetch nothing to read it."""
    try:
        content = load_json(text)
    except ValueError as error:
        raise DataError(f"not JSON: {error}", file=path, line=getattr(error, "lineno", None)) from None
    stack = [content]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            contexts = value.get("@context")
            listed = contexts if isinstance(contexts, list) else [contexts]
            if "@import" in value or any(isinstance(context, str) for context in listed):
                told = "its context is elsewhere, and nothing is downloaded: copy the context into the file"
                raise DataError(told, file=path)
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def _explained(error: Exception, text: str, syntax: str, path: Path) -> DataError:
    lines = getattr(error, "lines", None)
    line = lines + 1 if isinstance(lines, int) else None
    if syntax == "nt":
        line = _first_bad_line(text)
    reason = " ".join(str(getattr(error, "_why", error)).split())[:120] or type(error).__name__
    return DataError(f"the RDF cannot be read as {syntax} ({reason}): correct it there", file=path, line=line)


def _first_bad_line(text: str) -> int | None:
    import rdflib

    for number, line in enumerate(text.split("\n"), start=1):
        try:
            rdflib.Graph().parse(data=line, format="nt")
        except Exception:
            return number
    return None


@contextmanager
def _silent() -> Iterator[None]:
    """Keep rdflib from writing to standard error: it logs odd literals, and warns of its own insides."""
    import logging
    import warnings

    handler = logging.NullHandler()  # without any handler, logging would print
    logger = logging.getLogger("rdflib")
    logger.addHandler(handler)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.removeHandler(handler)


def _triples(statements: list[_Statement], path: Path) -> list[Triple]:
    from rdflib import BNode

    labels = _labels(statements)

    def is_nameless(node: Any) -> bool:
        return isinstance(node, BNode) and node not in labels

    # The named node, and the predicate, through which a blank node is reached.
    owners: dict[Any, tuple[Any, Any]] = {}
    for subject, predicate, object_ in statements:
        if is_nameless(object_):
            owners.setdefault(object_, (subject, predicate))
    found: dict[Triple, None] = {}
    for subject, predicate, object_ in statements:
        if (str(predicate) == _LABEL and subject in labels) or str(predicate) == _SAME:
            continue
        if is_nameless(object_) or str(object_) == _RDF + "nil":
            continue
        node, relation = subject, predicate
        passed = set()
        while is_nameless(node):
            if node in passed or node not in owners:
                told = "a blank node that no named node leads to has no name: give it an IRI or an rdfs:label"
                raise DataError(told, file=path)
            passed.add(node)
            node, way = owners[node]
            if str(relation) in (_RDF + "first", _RDF + "rest"):
                relation = way
        found[Triple(_name(node, labels), _name(relation, labels), _name(object_, labels))] = None
    return list(found)


def _links(statements: list[_Statement]) -> list[tuple[str, str]]:
    """Return the other names of what has several: labels in other languages, and what it is the same as."""
    labels = _labels(statements)
    return [
        (own, name)
        for subject, predicate, object_ in statements
        if str(predicate) in (_LABEL, _SAME)
        and (own := _name(subject, labels)) != (name := label(_name(object_, {})))
    ]


def _labels(statements: list[_Statement]) -> dict[Any, str]:
    ranked: dict[Any, tuple[int, str]] = {}
    for subject, predicate, object_ in statements:
        if str(predicate) == _LABEL and str(object_).strip():
            language = getattr(object_, "language", None) or ""
            rank = 0 if language == "en" else 1 if not language else 2 if language.startswith("en") else 3
            if subject not in ranked or rank < ranked[subject][0]:
                ranked[subject] = (rank, str(object_).strip())
    return {subject: label for subject, (_, label) in ranked.items()}


def _name(term: Any, labels: dict[Any, str]) -> str:
    from urllib.parse import unquote

    from rdflib import Literal

    if term in labels:
        return labels[term]
    text = str(term)
    if isinstance(term, Literal):
        datatype = str(term.datatype or "")
        unit = "" if not datatype or datatype.startswith(_PLAIN_TYPES) else f" ({_last_part(datatype)})"
        return (text + unit).strip() or '""'
    return unquote(_last_part(text)).strip() or text


def _last_part(iri: str) -> str:
    whole = iri.rstrip("/#")
    return whole.rpartition("#")[2] if "#" in whole else whole.rpartition("/")[2] or whole
