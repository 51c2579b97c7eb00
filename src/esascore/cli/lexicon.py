"""``esascore lexicon``: show, check and make surface forms of entities."""

from __future__ import annotations

from collections import Counter

from esascore.cli import options
from esascore.cli.commands import command, group
from esascore.cli.outputs import STDOUT, Outputs
from esascore.cli.terminal import complain, say, warn
from esascore.errors import DataError, counted
from esascore.model import Entity
from esascore.readers.corpus import read_corpus
from esascore.reports.escaping import visible
from esascore.reports.grid import terminal_lines
from esascore.reports.writing import atomic_writer, check_writable


@group
def lexicon() -> None:
    """Surface forms of entities and values: explain, check, build, mine.

    Examples
    --------
    esascore lexicon explain Abilene,_Texas
    esascore lexicon check
    """


@command(lexicon)
def explain(
    entity: str,
    subject_of: tuple[str, ...] = (),
    object_of: tuple[str, ...] = (),
    lexicons: tuple[str, ...] = (),
    sources: str | None = None,
) -> None:
    """Show every surface form of ENTITY with its cost and source.

    The properties around an entity show what kind of thing it is; for persons, for instance, the last name
    alone is also a form.

    Options
    -------
    --subject-of PROPERTY
        A property that ENTITY is the subject of; can be repeated.
    --object-of PROPERTY
        A property that ENTITY is the object of; can be repeated.
    --lexicon FILE
        An additional lexicon of surface forms; can be repeated.
    --sources NAME,...
        The sources of variants to use. [default: all]

    Examples
    --------
    esascore lexicon explain A.S._Gubbio_1910
    esascore lexicon explain Alan_Shepard --subject-of birthPlace
    esascore lexicon explain Abilene,_Texas --lexicon my.tsv
    """
    from esascore.lexicon import SOURCES, Lexicon, label, nature, nouns, read_user_lexicons

    chosen = tuple(name.strip() for name in sources.split(",")) if sources is not None else tuple(SOURCES)
    known = Lexicon(chosen, user=read_user_lexicons(lexicons))
    asked = Entity(entity, subject_of, object_of)
    rows = [(f"{v.cost:.3f}", v.source, visible(v.text)) for v in known.variants(asked)]
    lines = terminal_lines(("cost", "source", "form"), rows, labels=3, ruled=False)
    if kind := nature(asked):
        lines.append(f"kind: {kind}; nouns: {', '.join(nouns(asked)) or 'none'}")
    lines += [f"refused: {visible(form)}" for form in sorted(known.dropped(label(asked.term)))]
    say(*lines)


@command(lexicon)
def check(file: tuple[str, ...] = ()) -> None:
    """Check your lexicons, or without FILE those that come with esascore.

    Checks format, encoding, duplicates and spelling, and for the package's own files that each has a licence.
    The exit code is 3 if something is wrong.

    Examples
    --------
    esascore lexicon check
    esascore lexicon check my.tsv
    """
    from esascore.lexicon.check import check_folder, check_user_file
    from esascore.wordlists import folder, names

    problems = [p for one in file for p in check_user_file(one)] if file else check_folder(folder())
    for problem in problems:
        complain(str(problem))
    if problems:
        raise DataError(f"{counted(len(problems), 'problem')} found")
    say(f"{counted(len(file) or len(names()), 'lexicon')} checked, nothing wrong")


@command(lexicon)
def build(dump: tuple[str, ...], output: str, fors: tuple[str, ...] = (), language: str = "en") -> None:
    """Make a lexicon from DBpedia's redirects, labels and aliases.

    A DUMP is N-Triples or N-Quads, or a TSV file with an entity and its aliases on each line; .gz and .bz2
    files are read directly. Memory use is bounded however large the dumps are; the lexicon itself is loaded
    completely when it is used, so give --for if you score one corpus.

    Options
    -------
    -o, --output FILE
        The file to write the lexicon to.
    --for CORPUS
        Keep only the entities of this corpus; can be repeated.
    --language CODE
        Language of the labels to keep.

    Examples
    --------
    esascore lexicon build redirects_lang=en.ttl.bz2 labels_lang=en.ttl.bz2 -o dbpedia.tsv
    esascore lexicon build redirects.nt --for esascore-demo/corpus.jsonl -o demo.tsv
    """
    from esascore.lexicon import dumps as dictionary
    from esascore.lexicon import label

    check_writable(output, inputs=(*dump, *fors))
    entities = (entity for corpus in fors for one in read_corpus(corpus) for entity in one.input.entities)
    wanted = {label(entity.term) for entity in entities} if fors else None
    with atomic_writer(output) as out:
        made = dictionary.build(dump, out, entities=wanted, lang=language)
    if not made.entities:
        warn("no redirect or alias was found: are these the right dumps?")
    forms = f"{counted(made.aliases, 'form')} of {counted(made.entities, 'entity', 'entities')}"
    say(f"{forms} from {counted(made.statements, 'redirect or label', 'redirects or labels')}")


@command(lexicon)
def mine(
    gold_dir: str, output: str, min_count: options.Positive = 2, min_precision: options.Share = 0.5
) -> None:
    """Learn surface forms from annotated data.

    Writes aliases, variants to exclude, and words around names that do or do not belong to their mentions,
    with counts, for you to check and correct. A form that names a place or another entity of the corpus is
    never learned, since it would hide mistakes; nor is a context with a capital letter.

    Options
    -------
    -o, --output FILE
        The file to write the lexicon to.
    --min-count
        Minimum number of annotations.
    --min-precision
        Minimum share of a form's occurrences that are annotated as the entity.

    Examples
    --------
    esascore lexicon mine esascore-demo/annotated.xml -o mined.tsv --min-count 1
    """
    from esascore.gold.mentions.benchmark import read_annotated
    from esascore.gold.mining import forms as mining
    from esascore.gold.mining.contexts import mine_contexts
    from esascore.lexicon import UserEntry, label
    from esascore.pipeline import build_pipeline

    files = Outputs({"-o": output}, inputs=[gold_dir])
    texts = read_annotated(gold_dir)
    found = mining.mine(texts, min_count=min_count, min_precision=min_precision)
    learned = [UserEntry(label(form.entity), form.form, form.kind, form.cost) for form in found]
    # The words around a name can be judged only once the name itself is found.
    found += mine_contexts(texts, build_pipeline(lexicon=learned))
    files.write({"-o": mining.lexicon_lines(found, source=gold_dir)})
    if output == STDOUT:
        return
    kinds = Counter(form.kind for form in found)
    contexts = len(found) - kinds["alias"] - kinds["drop"]
    forms = f"{counted(kinds['alias'], 'alias', 'aliases')}, {counted(kinds['drop'], 'refused form')}"
    say(f"{forms} and {counted(contexts, 'context')} from {counted(len(texts), 'annotated text')}")
