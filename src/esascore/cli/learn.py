"""``esascore learn``: what a corpus teaches, stored as part of a ruler."""

from __future__ import annotations

from dataclasses import replace

from esascore.cli import options
from esascore.cli.commands import command
from esascore.cli.outputs import STDOUT, Outputs, paths_of
from esascore.cli.terminal import progress_bar, say, warn
from esascore.errors import UsageError, counted
from esascore.readers.systems import read_systems
from esascore.reports.grid import terminal_lines

_MOST_PRECISE = 0.999  # what is never wrong would outweigh everything


@command(reading=options.Reading)
def learn(
    corpus: str,
    output: str,
    outputs: tuple[str, ...] = (),
    wordings: str | None = None,
    min_support: options.Positive = 3,
    min_precision: options.Share = 0.72,
    check: bool = False,
    *,
    reading: options.Reading,
) -> None:
    """Learn from the inputs and references of a corpus, and store it for --learned.

    Texts that are judged with the same FILE are judged by the same ruler, whatever other texts are judged
    with them. With OUTPUT files, the texts of these systems teach as well. Nothing needs to be annotated;
    fewer than 20 distinct inputs of one shape teach nothing.

    Options
    -------
    -o, --output FILE
        Write what was learned to FILE.
    --wordings FILE
        Also write the wordings of values, as a lexicon to look at.
    --min-support
        Minimum number of inputs, and of subjects, that show a wording.
    --min-precision
        Minimum share of a wording's uses that are right.
    --check
        Also print which errors a ruler learned from one half notices in the other.

    Examples
    --------
    esascore learn esascore-demo/corpus.jsonl -o learned.json.gz
    esascore hallucinations esascore-demo/corpus.jsonl esascore-demo/dreamer.txt --learned learned.json.gz
    """
    from esascore.gold.wordings_check import check_wordings
    from esascore.learned import learn as learn_from_examples
    from esascore.learned.wordings.forms import lexicon_lines
    from esascore.learned.wordings.material import DEFAULTS

    if output == STDOUT:
        raise UsageError("what was learned is not text: give -o the name of a file")
    files = Outputs({"-o": output, "--wordings": wordings}, inputs=[corpus, *paths_of(outputs)])
    examples = list(reading.corpus(corpus))
    texts = [system.texts for system in read_systems(outputs, examples)] if outputs else []
    settings = replace(
        DEFAULTS, support=min_support, subjects=min_support, precision=min(min_precision, _MOST_PRECISE)
    )
    with progress_bar("Learning wordings", "steps") as progress:
        learned = learn_from_examples(examples, texts, settings=settings, progress=progress)
    learned.save(output)
    forms = [form for lesson in learned.lessons for form in lesson.forms]
    if wordings is not None:
        files.write({"--wordings": lexicon_lines(forms, corpus)})
    if check:
        with progress_bar("Checking wordings", "steps") as progress:
            noticed = check_wordings(examples, settings, progress)
        rows = [(kind, str(of), f"{right / of:.3f}" if of else "-") for kind, (right, of) in noticed.items()]
        say(*terminal_lines(("spoilt", "texts", "noticed"), rows, labels=1, ruled=False))
    if not learned:
        warn("nothing was learned: that takes at least 20 distinct inputs of one shape")
    found = f"{counted(len(forms), 'wording')} of values, from {counted(len(examples), 'example')}"
    say(f"learned:{learned.version}, with {found}")
