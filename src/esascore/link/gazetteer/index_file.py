"""One file of named sections behind a checked header, read through a memory map.

::

    magic (8 bytes), format version (u4), byte order mark (u4), length of the header (u8), its digest (16)
    header: JSON with whatever the writer says, and "sections": [name, offset, length, digest] each
    sections, each at a multiple of 8 bytes

Nothing in it depends on when or where it was written.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import struct
import sys
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

from esascore.errors import DataError
from esascore.readers.lines import opened

MAGIC = b"ESANAMES"
FORMAT = 1
_START = struct.Struct("=8sIIQ16s")
_ORDER = 0x01020304
_ALIGNED = 8

Sections = Mapping[str, bytes | memoryview]
"""Name of a section -> its content."""


def write_sections(out: BinaryIO, facts: Mapping[str, Any], sections: Sections) -> None:
    """Write a file of sections."""
    digests = {name: _digest(content).hex() for name, content in sections.items()}
    # The table of sections is in the header, whose length moves them: find a length that holds the table.
    length = 0
    while True:
        table: list[list[Any]] = []
        offset = _aligned(_START.size + length)
        for name, content in sections.items():
            table.append([name, offset, len(content), digests[name]])
            offset = _aligned(offset + len(content))
        header = json.dumps({**facts, "sections": table}, ensure_ascii=True, sort_keys=True).encode()
        if len(header) <= length:
            header = header.ljust(length)
            break
        length = len(header) + 64
    out.write(_START.pack(MAGIC, FORMAT, _ORDER, len(header), _digest(header)))
    out.write(header)
    at = _START.size + len(header)
    for content, (_, start, size, _) in zip(sections.values(), table, strict=True):
        out.write(bytes(start - at))
        out.write(content)
        at = start + size
    out.write(bytes(_aligned(at) - at))


class SectionFile:
    """A file of sections, checked when it is opened.

    Attributes
    ----------
    facts
        What the header says.
    digest
        Of the header, and so of all content, since the header holds the digests of the sections.
    """

    def __init__(self, buffer: memoryview, path: str | PathLike[str] | None = None, *, verify: bool = True):
        if len(buffer) < _START.size or bytes(buffer[:8]) != MAGIC:
            raise DataError("this is not an index of names: make one with esascore linker build", file=path)
        _, version, order, length, digest = _START.unpack_from(buffer)
        if order != _ORDER:
            raise DataError(
                f"made on a machine with another byte order ({sys.byteorder}): build it here", file=path
            )
        if version != FORMAT:
            raise DataError(
                f"an index of format {version}, this version reads format {FORMAT}: build it again", file=path
            )
        header = bytes(buffer[_START.size : _START.size + length])
        if len(header) != length or _digest(header) != digest:
            raise _damaged(path)
        self.facts: dict[str, Any] = json.loads(header)
        self.digest: str = digest.hex()
        self._buffer, self._path = buffer, path
        self._table: dict[str, tuple[int, int]] = {}
        for name, offset, size, expected in self.facts["sections"]:
            content = buffer[offset : offset + size]
            if len(content) != size or (verify and _digest(content).hex() != expected):
                raise _damaged(path)
            self._table[name] = offset, size

    @classmethod
    def open(cls, path: str | PathLike[str], *, verify: bool = True) -> SectionFile:
        """Map a file; without ``verify`` only the header is checked, and that the file is not cut off.

        Raises
        ------
        DataError
            It cannot be read, is cut off or damaged, or is of another kind or version.
        """
        with opened(Path(path)) as file:
            if os.fstat(file.fileno()).st_size == 0:  # an empty file cannot be mapped
                return cls(memoryview(b""), path, verify=verify)
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return cls(memoryview(mapped), path, verify=verify)

    def check(self) -> None:
        """Refuse a file that was cut off since it was mapped: reading on would end the process (SIGBUS)."""
        mapped = self._buffer.obj
        if isinstance(mapped, mmap.mmap) and mapped.size() < len(mapped):
            raise _damaged(self._path)

    def content(self) -> bytes:
        """The whole file."""
        return bytes(self._buffer)

    def __getitem__(self, name: str) -> memoryview:
        offset, size = self._table[name]
        return self._buffer[offset : offset + size]


def _digest(data: bytes | memoryview) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGNED) * _ALIGNED


def _damaged(path: str | PathLike[str] | None) -> DataError:
    return DataError("the index is truncated or damaged: build or copy it again", file=path)
