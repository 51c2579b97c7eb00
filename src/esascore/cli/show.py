"""``esascore show``: single texts on the terminal, with their spans, what is missing and what is added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from esascore.cli import options
from esascore.cli.commands import command
from esascore.cli.outputs import check_inputs, paths_of
from esascore.cli.systems import evaluate_systems, maker_of, systems_of
from esascore.cli.texts import SHOWN, Color, print_texts
from esascore.errors import DataError, UsageError, did_you_mean
from esascore.model import Example
from esascore.readers.systems import OwnTexts, System, read_systems

if TYPE_CHECKING:
    from esascore.cli.texts import Shown


@command(reading=options.Reading, settings=options.Settings)
def show(
    corpus: str,
    outputs: tuple[str, ...] = (),
    ids: tuple[str, ...] = (),
    first: options.Positive | None = None,
    worst: options.Positive | None = None,
    color: Color = "auto",
    *,
    reading: options.Reading,
    settings: options.Settings,
) -> None:
    """Show texts with the spans that realise entities, the entities that are missing, and what is added.

    CORPUS and OUTPUT are as in esascore score. Without --id and --worst, the texts of the first inputs are
    shown; without OUTPUT, the reference texts of an input or, if it has none, its own text. With --facts each
    fact of the input is listed with a verdict.

    Options
    -------
    --id ID
        The id of an input, as esascore detect writes it; can be repeated.
    --first N
        The texts of the first N inputs. [default: 5]
    --worst N
        The N texts of each system with the most missing entities and hallucinations.
    --color
        Colours, or brackets with the number of the entity; auto depends on the terminal and NO_COLOR.

    Examples
    --------
    esascore show esascore-demo/corpus.jsonl esascore-demo/forgetful.txt
    esascore show esascore-demo/corpus.jsonl esascore-demo/*.txt --worst 3
    esascore show esascore-demo/corpus.jsonl --id Id2 --color never
    """
    from esascore.reports.text_findings import findings_of, worst_texts
    from esascore.run.evaluation import evaluate

    if bool(ids) + (first is not None) + (worst is not None) > 1:
        raise UsageError("choose the texts: --id ID, which can be repeated, or --first N, or --worst N")
    check_inputs([corpus, *paths_of(outputs)])
    examples = list(reading.corpus(corpus))
    asked = ids or [example.id for example in examples[: first or SHOWN]]
    metrics = ["hallucination", *(() if settings.facts is None else ["facts"])]
    chosen: list[Shown] = []
    if worst is None:
        systems = read_systems(outputs, examples)
        texts = list(_texts(corpus, systems, examples, asked))
        if not systems and all(example.text is not None for example in examples):
            systems = [System(_OWN, OwnTexts(examples))]
        names, own, said = zip(*texts, strict=True)
        ruler = settings.ruler().taught_by(examples, [system.texts for system in systems])
        found = evaluate(ruler, own, [System("", said)], maker_of(metrics), keep_detections=True)
        chosen += zip(names, own, findings_of(found.systems[0]), strict=True)
    else:
        scored = evaluate_systems(settings, examples, systems_of(corpus, outputs, examples), metrics)
        for system in scored.systems:
            chosen += ((system.name, examples[one.place], one) for one in worst_texts(system, worst))
    is_all = ids or worst or first or len(asked) == len(examples)
    more = f"{len(asked)} of {len(examples):,} inputs: --first N, --worst N or --id ID shows others"
    print_texts(chosen, color, *([] if is_all else [more]))


_OWN = "own text"


def _texts(
    corpus: str, systems: Sequence[System], examples: Sequence[Example], ids: Sequence[str]
) -> Iterator[tuple[str, Example, str]]:
    """Yield the texts of some inputs: the name of the system, the input and the text."""
    outputs = [(system.name, tuple(system.texts)) for system in systems]
    places = {example.id: place for place, example in enumerate(examples)}
    for id_ in ids:
        if id_ not in places:
            raise DataError(f"there is no id {id_!r}{did_you_mean(id_, places)}", file=corpus)
        example = examples[places[id_]]
        if outputs:
            yield from ((name, example, texts[places[id_]]) for name, texts in outputs)
        elif example.references:
            yield from ((f"reference {one.id}", example, one.text) for one in example.references)
        elif example.text is not None:
            yield _OWN, example, example.text
        else:
            raise DataError(f"{id_!r} has neither references nor a text: give an OUTPUT file", file=corpus)
