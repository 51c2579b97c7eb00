"""Detects the format of a file from its content; a suffix only helps if the content is ambiguous."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from esascore.errors import DataError
from esascore.readers.csv import column_name, delimiter_of
from esascore.readers.dart import MARK as DART_MARK
from esascore.readers.fields import INPUT_FIELDS
from esascore.readers.lines import opened, without_mark
from esascore.readers.parquet import is_named_parquet, is_parquet
from esascore.readers.rdf import SUFFIXES as RDF_SUFFIXES
from esascore.readers.records import SEPARATOR
from esascore.readers.totto import MARK as TOTTO_MARK
from esascore.readers.tree import files_under

_HEAD = 2**18
_IRI = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*>")
_TURTLE = re.compile(r"@prefix\b|@base\b|prefix\s+\S*:|base\s+<|_:", re.IGNORECASE)
_JSON_LD = re.compile(r'"@(?:context|graph|id|type)"\s*:')
_INPUT = re.compile(rf'"(?:{"|".join(INPUT_FIELDS)})"\s*:')
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def sniff(path: Path) -> str:
    """Name the format of a corpus, one of `corpus.FORMATS`.

    Raises
    ------
    DataError
        The file is missing, empty, or in no known format.
    """
    if path.is_dir():
        return _sniff_directory(path)
    with opened(path) as file:
        raw = file.read(_HEAD)
    suffix = path.suffix.lower()
    if is_parquet(raw, suffix):
        return "parquet"
    if raw.startswith(_UTF_16):
        # XML says in which encoding it is, all else must be UTF-8.
        head = raw.decode("utf-16", errors="replace")
        if not head.lstrip().startswith("<"):
            without_mark(raw, path)
    else:
        head = without_mark(raw, path).decode("utf-8", errors="replace")
    text = head.lstrip()
    if not text:
        raise DataError("the file is empty", file=path)
    name = None if is_named_parquet(path) else _sniff_text(text, suffix)
    if name is None:
        raise DataError(
            "the format cannot be detected from the content: WebNLG XML, JSON, CSV with a header, "
            "Parquet, RDF, ToTTo, DART or attribute|||value records are known "
            "(choose one with --input-format)",
            file=path,
            line=1,
        )
    return name


def _sniff_directory(path: Path) -> str:
    files = files_under(path, (".xml",))
    if files:
        with opened(files[0]) as file:
            return _xml(file.read(_HEAD).decode("utf-8", errors="replace"))
    if files_under(path, RDF_SUFFIXES):
        return "rdf"
    raise DataError("the directory has no .xml file (nor .nt, .ttl or .jsonld): check the path", file=path)


def _sniff_text(text: str, suffix: str) -> str | None:
    if suffix in RDF_SUFFIXES or _IRI.match(text) or _TURTLE.match(text):
        return "rdf"
    if text.startswith("<"):
        return _xml(text)
    line = text.partition("\n")[0]
    if text.startswith(("{", "[")):
        if TOTTO_MARK in text:
            return "totto"
        if DART_MARK in text and text.startswith("["):
            return "dart"
        if _JSON_LD.search(text) and not _INPUT.search(text):
            return "rdf"
        return "json" if text.startswith("[") else "jsonl"
    if SEPARATOR in line:
        return "records"
    names = [column_name(cell.strip('"')) for cell in line.split(delimiter_of(line))]
    if suffix in (".csv", ".tsv") or any(name in INPUT_FIELDS for name in names):
        return "csv"
    if suffix in (".jsonl", ".json"):
        return "jsonl"
    if suffix == ".xml":
        return "webnlg"
    return None


def _xml(head: str) -> str:
    return "enriched-webnlg" if "<references>" in head else "webnlg"
