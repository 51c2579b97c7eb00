"""``esascore linker build``: an index of names from dumps."""

from __future__ import annotations

import click

from esascore.cli.documented import Documented
from esascore.cli.options import jobs_option, number_option, target_option
from esascore.cli.terminal import counted, progress_bar, quiet_option, say, warn


@click.command(cls=Documented)
@click.argument("labels", nargs=-1, required=True, metavar="LABELS...")
@target_option("The file to write the index to.")
@click.option(
    "--language",
    default="en",
    show_default=True,
    metavar="CODE",
    help="Language of the labels to keep, or all; labels without a language are always kept.",
)
@number_option("--max-malformed", 0.01, "The share of a file's lines that may be malformed.", least=0, most=1)
@click.option("--strict", is_flag=True, help="Stop at the first malformed line.")
@jobs_option("the file")
@quiet_option
def build(
    labels: tuple[str, ...],
    output: str,
    language: str,
    max_malformed: float,
    strict: bool,
    jobs: int | None,
) -> None:
    """Build an index of names for the linker gazetteer.

    LABELS are dumps in N-Triples (labels, aliases, redirects, disambiguations, types, link counts) or TSV
    files with name, entity and optionally type and count; .gz and .bz2 files are read directly. Memory use is
    bounded however large they are. If a build is stopped, run the same command again to continue.

    Examples
    --------
    esascore linker build LABELS.ttl.bz2 REDIRECTS.ttl.bz2 DISAMBIGUATIONS.ttl.bz2 -o dbpedia.names
    esascore linker build NAMES.tsv -o my.names --strict
    """
    from esascore.link.gazetteer.build import build_index
    from esascore.reports.writing import check_writable
    from esascore.run.workers import processes_available

    check_writable(output, inputs=labels)
    made = build_index(
        labels,
        output,
        language=None if language == "all" else language.lower(),
        max_malformed=0 if strict else max_malformed,
        jobs=jobs or processes_available(),
        stage=progress_bar,
    )
    for file, number, first in made.malformed:
        more = ", ..." if number > len(first) else ""
        warn(f"{file}: {counted(number, 'malformed line')} skipped ({', '.join(map(str, first))}{more})")
    if not made.entries:
        warn("no name was found: are these the right files and the right language?")
    names = f"{counted(made.names, 'name')} of {counted(made.entities, 'entity', 'entities')}"
    say(f"{names} from {counted(made.lines, 'line')}{' (resumed)' if made.resumed else ''}")
