"""How much the readers accept; beyond that a file is broken or hostile, and the error says so.

`MOST_HELD` is the exception: beyond that a file is read again instead of held.
"""

from __future__ import annotations

MAX_LINE_BYTES = 64 * 2**20
"""Bytes of one line of an output, JSONL or records file."""

MAX_FIELD_CHARACTERS = 16 * 2**20
"""Characters of one CSV cell, or of the text of one XML element."""

MAX_TRIPLES = 50_000
"""Triples or cells of one example."""

MAX_XML_DEPTH = 64
"""Nesting of XML elements; WebNLG needs 6."""

MAX_RDF_BYTES = 256 * 2**20
"""Bytes of one RDF file, which is held in memory as a whole."""

MAX_JSON_BYTES = 256 * 2**20
"""Bytes of one JSON array, which is held in memory as a whole."""

MOST_HELD = 16 * 2**20
"""Bytes of a corpus or output up to which it stays in memory, where examples take about 15 times as much."""
