"""Bytes that were right, damaged in the ways in which files are damaged, and in worse ones."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from random import Random

NASTY = [
    *(
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\r",
        b"\n\n",
        b"\xe2\x80\xa8",
        b"\xc2\x85",
        b"\xed\xa0\x80",
    ),
    *(
        b"\\ud800",
        b"\\u0000",
        b"4\xe1\x8d\xa9",
        b"\xe2\x93\xb5",
        b"9" * 400,
        b"9" * 5000,
        b"-1",
        b"1e999",
        b"NaN",
        b"Infinity",
    ),
    *(
        b"[" * 3000,
        b"{" * 3000,
        b'{"a":' * 2000,
        b"<" * 50,
        b"<!DOCTYPE a>",
        b"&amp;",
        b"&#0;",
        b"]]>",
        b"<![CDATA[",
    ),
    *(
        b'"',
        b"'",
        b"|||",
        b" | ",
        b"\t",
        b",",
        b";",
        b"=",
        b"#",
        b"null",
        b"true",
        b"[]",
        b"{}",
        b'""',
        b"_:b",
        b"@en",
    ),
    *(
        b"id",
        b"text",
        b"triples",
        b"data",
        b"x" * 5000,
        "İ".encode(),
        "e\u0301".encode(),
        "\U000e0041".encode(),
    ),
]


def _flip(data: bytes, chance: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _cut(data: bytes, chance: Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _without(data: bytes, chance: Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    return data[:start] + data[start + chance.choice((1, 2, 10, 100)) :]


def _twice(data: bytes, chance: Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice((1, 10, 100, 1000)))
    return data[:end] + data[start:end] * chance.choice((1, 2, 20)) + data[end:]


def _nasty(data: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(NASTY) + data[at + chance.choice((0, 0, 1, 5)) :]


def _lines(data: bytes, chance: Random) -> bytes:
    lines = data.split(b"\n")
    how = chance.randrange(4)
    if how == 0:
        chance.shuffle(lines)
    elif how == 1:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    elif how == 2:
        del lines[chance.randrange(len(lines))]
    else:
        at = chance.randrange(len(lines))
        lines[at] = chance.choice((b"", b" ", *NASTY[:12]))
    return b"\n".join(lines)


def _value(data: bytes, chance: Random) -> bytes:
    """Replace what stands between two quotes or brackets."""
    places = [at for at, byte in enumerate(data) if byte in b'"<>[]{}|,\t=']
    if len(places) < 2:
        return _nasty(data, chance)
    at = chance.randrange(len(places) - 1)
    return data[: places[at] + 1] + chance.choice((b"", b" ", *NASTY)) + data[places[at + 1] :]


def _encoded(data: bytes, chance: Random) -> bytes:
    how: tuple[Callable[[bytes], bytes], ...] = (
        lambda raw: raw.decode("utf-8", "replace").encode("utf-16"),
        lambda raw: raw.decode("utf-8", "replace").encode("latin-1", "replace"),
        lambda raw: raw.replace(b"\n", b"\r\n"),
        lambda raw: raw.replace(b"\n", b"\r"),
        lambda raw: b"\xef\xbb\xbf" + raw,
        gzip.compress,
        bz2.compress,
        lambda _raw: b"",
    )
    return chance.choice(how)(data)


MUTATIONS = (_flip, _cut, _without, _twice, _nasty, _nasty, _lines, _value, _value, _encoded)


def mutated(data: bytes, chance: Random) -> bytes:
    """Damage a file, in one way or in several."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        data = chance.choice(MUTATIONS)(data, chance)
    return data[: 1 << 20]
