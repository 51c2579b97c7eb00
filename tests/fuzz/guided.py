"""Coverage-guided fuzzing of the readers and of N-Triples, with the package atheris, which is optional.

``python -m fuzz.guided READER... -- [OPTIONS OF LIBFUZZER]``, with `tests` on the path.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

TARGETS = {
    "lines of a dump": ["dump.nt", "names.tsv"],
    "dump for a lexicon": ["dump.nt", "names.tsv"],
    "corpus": [
        "triples.jsonl",
        "data.jsonl",
        "webnlg.xml",
        "totto.jsonl",
        "triples.csv",
        "records.txt",
        "dart.json",
    ],
    "outputs": ["segments.jsonl", "generations"],
    "lexicon": ["lexicon.tsv"],
    "ratings": ["ratings.csv", "ratings_2020.json", "ratings_2017.csv"],
    "counts": ["counts.txt", "counts.json"],
    "question to our linker": ["question.json"],
    "answer of CoreNLP": ["corenlp.json"],
}
"""Name of a reader -> samples from which it starts."""


def main(reader: str, options: list[str]) -> None:
    """Feed a reader until an option says that it is enough; a failure ends the process with another code."""
    import atheris

    with atheris.instrument_imports(include=["esascore"]):
        from fuzz.readers import read_all_of
    from fuzz.samples import files

    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        for name in TARGETS[reader]:
            (corpus / name).write_bytes(files()[name])
        path = Path(folder, "file")

        def one_input(data: bytes) -> None:
            path.write_bytes(data)
            read_all_of(reader, path)

        atheris.Setup([sys.argv[0], *options, str(corpus)], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    at = sys.argv.index("--")
    os.environ.setdefault("ESASCORE_COMPILE", "off")
    main(" ".join(sys.argv[1:at]), sys.argv[at + 1 :])
