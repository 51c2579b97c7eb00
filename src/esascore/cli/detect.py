"""``esascore detect``: which span of a text realises which entity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from esascore.cli.documented import Documented
from esascore.cli.options import Settings, detection_options, input_format_option, output_option
from esascore.cli.outputs import Outputs, paths_of
from esascore.cli.terminal import progress_bar, warn

if TYPE_CHECKING:
    from esascore.model import Example, Input


@click.command(cls=Documented)
@click.argument("corpus")
@click.argument("output_file", metavar="[OUTPUT]", required=False)
@output_option
@click.option("--own", is_flag=True, help="Use the texts of CORPUS itself (its field `text`).")
@input_format_option
@detection_options
def detect(
    corpus: str,
    output_file: str | None,
    output: str,
    own: bool,
    input_format: str | None,
    settings: Settings,
) -> None:
    """Find the mentions of each input's entities in a text.

    OUTPUT is a file with one text per line, in corpus order. Without it the reference texts of the corpus are
    used or, if it has none, its own texts. Writes one JSON object per line: id, text, entities,
    esa, undetected and mentions; text[start:end] is the text of a mention.

    Examples
    --------
    esascore detect esascore-demo/corpus.jsonl esascore-demo/fluent.txt -o fluent.jsonl
    esascore detect esascore-demo/corpus.jsonl --profile paper -o references.jsonl
    """
    from esascore.engine import detect_all, unlinked_among
    from esascore.errors import UsageError
    from esascore.readers.corpus import read_corpus
    from esascore.reports.lines import detection_lines
    from esascore.text.blank import is_blank

    if own and output_file is not None:
        raise UsageError("--own uses the texts of CORPUS: omit OUTPUT")
    files = Outputs({"-o": output}, inputs=[corpus, *paths_of([output_file] if output_file else [])])
    examples = read_corpus(corpus, input_format=input_format)
    ids, items = _texts(corpus, output_file, own, examples)
    with progress_bar("Detecting entities") as progress:
        found = detect_all(settings.factory(), items, jobs=settings.jobs, progress=progress)
    blank = sum(is_blank(text) for _, text in items)
    if blank:
        warn(f"{blank} of {len(items)} texts are blank or null-like: nothing can be detected in them")
    unlinked = unlinked_among(found)
    if unlinked:
        warn(
            f"the linker gave no answer for {len(unlinked)} of {len(items)} texts: what it would have found "
            "is unknown (linker_failure in the result)"
        )
    files.write({"-o": detection_lines(ids, found)})


def _texts(
    corpus: str, output_file: str | None, own: bool, examples: Sequence[Example]
) -> tuple[list[str], list[tuple[Input, str]]]:
    """Ids, and inputs with their texts."""
    from esascore.errors import UsageError
    from esascore.readers.systems import own_outputs, read_systems

    if output_file is not None:
        (system,) = read_systems([output_file], examples)
    else:
        referenced = [(example, reference) for example in examples for reference in example.references]
        if referenced and not own:
            return (
                [f"{example.id}/{reference.id}" for example, reference in referenced],
                [(example.input, reference.text) for example, reference in referenced],
            )
        texts = own_outputs(examples, "own")
        if texts is None:
            wanted = "texts of a system" if own else "reference texts"
            raise UsageError(f"{corpus} contains no {wanted}: give an OUTPUT file with one text per line")
        system = texts
    pairs = zip(examples, system.texts, strict=True)
    return [example.id for example in examples], [(example.input, text) for example, text in pairs]
