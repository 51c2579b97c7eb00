"""A small corpus with four invented systems, written for this project.

Its inputs are invented or common knowledge. ``copycat`` says everything, stiffly; ``fluent`` says
everything with pronouns, other names, other forms of dates and other units; ``forgetful`` leaves entities
out and sometimes says nothing; ``dreamer`` tells of things that the input does not contain.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

__all__ = ["SYSTEMS", "example_corpus_path", "example_output_paths", "example_path"]

SYSTEMS = ("copycat", "fluent", "forgetful", "dreamer")


def example_path(name: str) -> Path:
    """Return the path of a file of the example.

    ``annotated.xml`` has eight graphs with texts whose mentions are annotated, ``walkthrough.csv`` five
    rows with texts and references as a spreadsheet would save it, ``feed.json`` three products with texts
    that are partly wrong, ``ratings.csv`` how faithful and how fluent every text is, from 1 to 5.

    Examples
    --------
    >>> example_path("feed.json").is_file()
    True
    """
    return Path(str(resources.files(__package__).joinpath(name)))


def example_corpus_path() -> Path:
    """Return the path of the corpus, 40 graphs in JSONL.

    Examples
    --------
    >>> example_corpus_path().name
    'corpus.jsonl'
    """
    return example_path("corpus.jsonl")


def example_output_paths() -> dict[str, Path]:
    """Return the output files by system, one text per line in corpus order.

    Examples
    --------
    >>> list(example_output_paths())
    ['copycat', 'fluent', 'forgetful', 'dreamer']
    """
    return {name: example_path(f"{name}.txt") for name in SYSTEMS}
