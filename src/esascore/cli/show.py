"""``esascore show``: one text on the terminal, with its spans and what is missing."""

from __future__ import annotations

import os
import sys

import click

from esascore.cli.documented import Documented
from esascore.cli.options import Settings, choice_option, detection_options, input_format_option
from esascore.cli.terminal import is_terminal, print_pieces


@click.command(cls=Documented)
@click.argument("corpus")
@click.argument("output_file", metavar="[OUTPUT]", required=False)
@click.option(
    "--id", "id_", required=True, metavar="ID", help="The id of the input, as esascore detect writes it."
)
@choice_option(
    "--color",
    ("auto", "always", "never"),
    "Colours, or brackets with the number of the entity; auto depends on the terminal and NO_COLOR.",
)
@input_format_option
@detection_options
def show(
    corpus: str,
    output_file: str | None,
    id_: str,
    color: str,
    input_format: str | None,
    settings: Settings,
) -> None:
    """Show one text with the spans that realise entities, and the entities that are missing.

    Without OUTPUT the reference texts of that input are shown or, if it has none, its own text.

    Examples
    --------
    esascore show esascore-demo/corpus.jsonl esascore-demo/forgetful.txt --id Id2
    esascore show esascore-demo/corpus.jsonl --id Id2 --color never
    """
    from esascore.errors import DataError
    from esascore.readers.corpus import read_corpus
    from esascore.readers.systems import read_systems
    from esascore.reports.nearest import nearest_spans
    from esascore.reports.spans import as_lines
    from esascore.reports.visible import visible

    examples = read_corpus(corpus, input_format=input_format)
    place = next((at for at, example in enumerate(examples) if example.id == id_), None)
    if place is None:
        first = ", ".join(example.id for example in examples[:3])
        raise DataError(f"there is no id {id_!r}; the first ids are {first}", file=corpus)
    example = examples[place]
    if output_file is not None:
        (system,) = read_systems([output_file], examples)
        texts = [(system.name, system.texts[place])]
    else:
        texts = [(f"reference {reference.id}", reference.text) for reference in example.references]
        if not texts and example.text is not None:
            texts = [("own text", example.text)]
        if not texts:
            raise DataError(f"{id_!r} has neither references nor a text: give an OUTPUT file", file=corpus)
    coloured = color == "always" or (
        color == "auto" and is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")
    )
    found = settings.factory()().detect([(example.input, text) for _, text in texts])
    near = nearest_spans([example.input] * len(found), found)
    pieces = []
    for (name, _), detection, some in zip(texts, found, near, strict=True):
        pieces.append(f"{visible(id_)}  {visible(name)}\n")
        pieces += [f"{line}\n" for line in as_lines(detection, some, coloured=coloured)]
        pieces.append("\n")
    print_pieces(pieces[:-1], for_people=True)
