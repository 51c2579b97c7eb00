"""``esascore detect``: which span of a text realises which entity."""

from __future__ import annotations

from collections.abc import Collection

from esascore.cli import options
from esascore.cli.commands import command
from esascore.cli.outputs import Outputs, paths_of
from esascore.cli.systems import evaluate_parts, spooled, watched
from esascore.cli.terminal import warn
from esascore.cli.texts import EVERY_TEXT, SHOWN, Worst, print_texts
from esascore.cli.timings import stage, timings_option
from esascore.errors import UsageError
from esascore.model import Example
from esascore.readers.systems import OwnTexts, System, each_reference, own_outputs, read_systems
from esascore.reports.parquet import DETECTIONS
from esascore.text.blank import is_blank


@command(reading=options.Reading, settings=options.Settings)
@timings_option
def detect(
    corpus: str,
    output_file: str | None = None,
    output: str | None = None,
    own: bool = False,
    *,
    reading: options.Reading,
    settings: options.Settings,
) -> None:
    """Find the mentions of each input's entities in a text.

    OUTPUT is a file with one text per line, in corpus order. Without it the reference texts of the corpus are
    used or, if it has none, its own texts. Prints the worst texts and the figures.

    With -o every text is written, as one JSON object per line or one row of a Parquet file (-o FILE.parquet):
    id, text, entities, esa, undetected, missing and mentions; text[start:end] is the text of a mention, and
    missing lists each fact that the text does not say: its attribute, subject and value. With --facts each
    line also has a verdict on each fact of the input: whether the text states or contradicts it.

    Options
    -------
    -o, --output FILE
        Write what is found in every text to FILE (- for standard output).
    --own
        Use the texts of CORPUS itself (its field `text`).

    Examples
    --------
    esascore detect esascore-demo/corpus.jsonl esascore-demo/fluent.txt
    esascore detect esascore-demo/corpus.jsonl esascore-demo/fluent.txt -o fluent.jsonl
    esascore detect esascore-demo/corpus.jsonl --profile paper -o references.jsonl
    """
    from esascore.reports.data_warnings import DataWarnings
    from esascore.reports.lines import detection_lines
    from esascore.reports.summary import summarise_parts
    from esascore.reports.tables import as_table

    if own and output_file is not None:
        raise UsageError("--own uses the texts of CORPUS: omit OUTPUT")
    texts = paths_of([output_file] if output_file else [])
    files = Outputs({"-o": output}, inputs=[corpus, *texts], rows={"-o": DETECTIONS})
    with stage("checking"):
        examples, system = _texts(corpus, output_file, own, reading.corpus(corpus))
    names = [*(["esa"] if output is None else []), *(["facts"] if settings.facts is not None else [])]
    parts = evaluate_parts(settings, examples, [system], names, "detections")
    if output is None:
        shown = Worst(SHOWN)
        summary = summarise_parts(watched(shown.watched(parts), "unlinked", "blank"))
        warn(*summary.warnings)
        print_texts(shown.texts, "auto", as_table(summary), EVERY_TEXT)
        return
    with files.spool("-o") as spool:
        blank = unlinked = 0
        found = DataWarnings()
        for part in found.watched(spooled(parts, spool, detection_lines)):
            blank += sum(map(is_blank, part.systems[0].texts))
            unlinked += len(part.systems[0].unlinked)
        if blank:
            warn(f"{blank} of {len(examples)} texts are blank or null-like: nothing can be detected in them")
        if unlinked:
            warn(
                f"the linker gave no answer for {unlinked} of {len(examples)} texts: what it would have "
                "found is unknown (linker_failure in the result)"
            )
        warn(*found.messages())
        files.write({"-o": spool.lines() if spool else ()})


def _texts(
    corpus: str, output_file: str | None, own: bool, examples: Collection[Example]
) -> tuple[Collection[Example], System]:
    """Return examples, one for each text, and the texts as those of a system."""
    if output_file is not None:
        (system,) = read_systems([output_file], examples)
        return examples, system
    if not own and len(references := each_reference(examples)):
        return references, System("references", OwnTexts(references))
    texts = own_outputs(examples, "own")
    if texts is None:
        wanted = "texts of a system" if own else "reference texts"
        raise UsageError(f"{corpus} contains no {wanted}: give an OUTPUT file with one text per line")
    return examples, texts
