"""Coverage-guided fuzzing of the readers and of N-Triples, with the package atheris, which is optional.

``python -m fuzz.guided [OPTIONS OF LIBFUZZER]``, with `tests` on the path. The first byte of an input says
which reader gets the rest.
"""

from __future__ import annotations

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
    "profile": ["profile.toml"],
    "ratings": ["ratings.csv", "ratings_2020.json", "ratings_2017.csv"],
    "counts": ["counts.txt", "counts.json"],
    "accepted": ["accepted.jsonl"],
    "saved result": ["saved.jsonl"],
    "question to our linker": ["question.json"],
    "answer of REL": ["rel.json"],
    "answer of Spotlight": ["spotlight.json"],
}
"""Name of a reader -> samples from which it starts."""


def main(options: list[str]) -> None:
    """Feed the readers until an option says that it is enough; a failure ends the process."""
    import atheris

    with atheris.instrument_imports(
        include=["esascore.readers", "esascore.lexicon", "esascore.link", "esascore.gold"]
    ):
        from fuzz.readers import read_all_of
    from fuzz.samples import files

    readers = list(TARGETS)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        for number, reader in enumerate(readers):
            for name in TARGETS[reader]:
                (corpus / f"{number}-{name}").write_bytes(bytes([number]) + files()[name])
        path = Path(folder, "file")

        def one_input(data: bytes) -> None:
            path.write_bytes(data[1:])
            read_all_of(readers[data[0] % len(readers)] if data else readers[0], path)

        atheris.Setup([sys.argv[0], *options, str(corpus)], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
