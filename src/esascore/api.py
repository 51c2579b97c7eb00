"""The public functions, with results that can be printed and shown in notebooks.

They compute all figures in the same way as the commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from os import PathLike
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack

from esascore.claims.hallucinations import Hallucination
from esascore.claims.omissions import Omission
from esascore.claims.omissions import missing as find_missing
from esascore.errors import UsageError, did_you_mean, import_extra, known_arguments
from esascore.fact_results import FactVerdict
from esascore.gate.accepted import Accepted, read_accepted
from esascore.gate.formats import as_text, as_verdict
from esascore.gate.verdict import Thresholds, Verdict, judge, read_baseline
from esascore.learned import Learned, Source
from esascore.learned import learn as learn_from_examples
from esascore.lexicon import UserLexicon
from esascore.metrics import create_metrics
from esascore.metrics.base import checked_text
from esascore.metrics.parent_options import DEFAULTS, ParentOptions
from esascore.model import Detection, Example, Input
from esascore.pipeline import Pipeline, Ruler, build_pipeline
from esascore.readers import corpus as corpus_reader
from esascore.readers.choice import Choice, paths_of
from esascore.readers.rows import as_input, read_rows
from esascore.readers.systems import System, make_systems, own_outputs, read_systems
from esascore.reports import notebook
from esascore.reports.evaluation_file import load_scored, saved_lines
from esascore.reports.html import write_report
from esascore.reports.lines import segment_records
from esascore.reports.nearest import nearest_spans
from esascore.reports.spans import as_lines
from esascore.reports.summary import EVERY, Significance, Summary, summarise
from esascore.reports.tables import FORMATS, as_document
from esascore.reports.text_findings import TextFindings, findings_of, worst_texts
from esascore.reports.writing import write_files
from esascore.run.evaluation import evaluate as evaluate_systems
from esascore.run.evaluation import no_metrics
from esascore.run.scored import Scored, SystemScores
from esascore.run.scoring import scorer_of
from esascore.stats.comparison import Test
from esascore.stats.resampling import RESAMPLES
from esascore.text.blank import is_blank
from esascore.text.document import Document

if TYPE_CHECKING:
    from esascore.coref.choice import CorefChoice
    from esascore.link.choice import LinkerChoice

_SHOWN = 5
_default = local()


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of systems: a table to print or to show in notebooks, and plain data."""

    summary: Summary

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the figures, as the commands give them."""
        return self.summary.warnings

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data, as ``esascore score --format json`` writes them."""
        return as_document(self.summary)

    def format(self, name: str = "table", *, columns: Sequence[str] = (), digits: int = 4) -> str:
        """The figures as ``table``, ``json``, ``csv``, ``markdown`` or ``latex``.

        ``columns`` and ``digits`` are as for ``esascore score``.
        """
        if name not in FORMATS:
            raise UsageError(f"there is no format {name!r}{did_you_mean(name, FORMATS)}")
        return FORMATS[name](self.summary.showing(columns, digits))

    def __str__(self) -> str:
        return self.format().rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return notebook.page(notebook.figures(self.summary))


@dataclass(frozen=True, slots=True)
class TextDetection(Detection):
    """A detection that notebooks can show.

    ``facts`` has a verdict on each fact of the input, if a fact model was given; ``missing`` are the facts
    that the text does not say.
    """

    facts: tuple[FactVerdict, ...] = ()
    missing: tuple[Omission, ...] = ()

    def _repr_html_(self) -> str:
        return notebook.page(notebook.card(self, facts=self.facts))

    def __str__(self) -> str:
        return "\n".join(as_lines(self, facts=self.facts))


@dataclass(frozen=True, slots=True)
class Found(Sequence[Hallucination]):
    """The hallucinations of one text, in text order, and what was detected in it.

    It is a sequence of `esascore.Hallucination`; in notebooks it shows the text. ``facts`` is as for
    `TextDetection`.
    """

    detection: Detection
    spans: tuple[Hallucination, ...]
    facts: tuple[FactVerdict, ...] = ()
    input: Input = field(default_factory=Input, repr=False)

    @property
    def missing(self) -> tuple[Omission, ...]:
        """The facts of the input that the text does not say."""
        return find_missing(Document(self.input, self.detection.text), self.detection)

    def __len__(self) -> int:
        return len(self.spans)

    def __getitem__(self, at: Any) -> Any:
        return self.spans[at]

    def to_dict(self) -> dict[str, Any]:
        """The text with its hallucinations, as ``esascore hallucinations -o`` writes them."""
        return {"text": self.detection.text, "hallucinations": [one.as_dict() for one in self.spans]}

    def _repr_html_(self) -> str:
        return notebook.page(notebook.card(self.detection, self.spans, facts=self.facts))

    def __str__(self) -> str:
        return "\n".join(as_lines(self.detection, None, self.spans, self.facts))


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a gate; it is true if every gate was passed, and prints what is wrong."""

    verdict: Verdict

    @property
    def passed(self) -> bool:
        """Whether every system passed every gate."""
        return self.verdict.passed

    def __bool__(self) -> bool:
        return self.passed

    def to_dict(self) -> dict[str, Any]:
        """Gates and texts as plain data, as ``esascore check --format json`` writes them."""
        return as_verdict(self.verdict)

    def __str__(self) -> str:
        return as_text(self.verdict).rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        gates = [(gate.system, gate.passed, gate.message) for gate in self.verdict.gates]
        cards = [
            notebook.card(
                replace(text.detection, undetected=text.missing), text.added, system=text.system, id_=text.id
            )
            for text in self.verdict.texts[:_SHOWN]
        ]
        return notebook.page(notebook.gates(gates), *cards)


@dataclass(frozen=True, slots=True)
class Texts:
    """Some texts of an evaluation, for notebooks; ``str`` returns their ids."""

    evaluation: Evaluation
    chosen: tuple[tuple[str, TextFindings], ...]

    def __str__(self) -> str:
        return "\n".join(f"{name}  {self.evaluation.ids[findings.place]}" for name, findings in self.chosen)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return notebook.page(*self.cards())

    def cards(self) -> list[str]:
        """The HTML of each text."""
        examples = self.evaluation.scored.examples
        found = [findings.detection for _, findings in self.chosen]
        near = nearest_spans([examples[findings.place].input for _, findings in self.chosen], found)
        return [
            notebook.card(detection, added, some, facts, system=name, id_=examples[place].id)
            for (name, (place, detection, added, facts)), some in zip(self.chosen, near, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Systems scored on a corpus.

    Examples
    --------
    >>> import esascore
    >>> corpus = [["Bionico | country | Mexico"], ["Bionico | course | Dessert"]]
    >>> found = esascore.evaluate(corpus, {"mine": ["Bionico is from Mexico.", "Bionico."]})
    >>> found.systems, found.to_dict()["systems"][0]["esa_c"], found.segments()[1]["scores"]
    (['mine'], 0.75, {'esa': 0.5})
    """

    scored: Scored

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in their order."""
        return [system.name for system in self.scored.systems]

    @property
    def ids(self) -> list[str]:
        """The ids of the examples, in corpus order."""
        return [example.id for example in self.scored.examples]

    @property
    def signature(self) -> str:
        """Every setting that can change a number."""
        return str(self.scored.signature)

    def table(self, *by: str) -> Figures:
        """The figures of each system; ``by`` adds groups: ``category``, ``size``, ``seen``."""
        return Figures(summarise(self.scored, *by))

    def significance(
        self,
        baseline: str = EVERY,
        *by: str,
        test: Test = "randomisation",
        resamples: int = RESAMPLES,
        seed: int = 0,
    ) -> Figures:
        """The figures with intervals and significant differences: against one system, or for all pairs.

        Parameters
        ----------
        baseline
            The name of a system; ``all`` compares every pair and gives ranks and clusters.
        by
            As for `table`.
        test, resamples, seed
            The paired test (``randomisation`` or ``bootstrap``), and its random numbers.
        """
        return Figures(
            summarise(self.scored, *by, significance=Significance(baseline, test, resamples, seed))
        )

    def segments(self) -> list[dict[str, Any]]:
        """The scores of every text, as ``esascore score --segments`` writes them."""
        return list(segment_records(self.scored))

    def detections(self, system: str) -> list[Detection]:
        """What was detected in each text of a system, in corpus order."""
        return [findings.detection for findings in self._findings(system)]

    def show(self, *ids: str, system: str | None = None, worst: int = _SHOWN) -> Texts:
        """The texts of these ids, or the worst of each system (or of one), coloured in notebooks.

        The worst texts lack the most entities and add the most, as in ``esascore show --worst``.
        """
        names = self.systems if system is None else [system]
        if not ids:
            chosen = ((name, one) for name in names for one in worst_texts(self._system(name), worst))
            return Texts(self, tuple(chosen))
        places = {id_: place for place, id_ in enumerate(self.ids)}
        for id_ in ids:
            if id_ not in places:
                raise UsageError(f"there is no id {id_!r}{did_you_mean(id_, places)}")
        return Texts(self, tuple((name, self._findings(name)[places[id_]]) for id_ in ids for name in names))

    def to_dict(self, *by: str) -> dict[str, Any]:
        """The figures as plain data: those of `table`."""
        return self.table(*by).to_dict()

    def to_pandas(self) -> Any:
        """One row per system and text, as a pandas DataFrame.

        Columns: ``system``, ``id``, ``category``, ``size``, ``text``, ``blank``, one for each metric and, if
        detections were kept, ``missing`` and ``added``, lists of entities and of spans.
        """
        return import_extra("to_pandas()", "pandas", extra="pandas").DataFrame(self._columns())

    def to_arrow(self) -> Any:
        """The same rows as a pyarrow Table."""
        return import_extra("to_arrow()", "pyarrow", extra="arrow").table(self._columns())

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything to a file (JSON lines), which `load` reads back exactly."""
        write_files([(path, saved_lines(self.scored))])

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read what `save` wrote."""
        return cls(load_scored(path))

    def __repr__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        each = max(1, _SHOWN // max(1, len(self.systems)))
        cards = self.show(worst=each).cards()[:_SHOWN] if self._kept else ()
        return notebook.page(notebook.figures(self.table().summary), *cards)

    @property
    def _kept(self) -> bool:
        return all(system.detections is not None for system in self.scored.systems)

    def _findings(self, name: str) -> list[TextFindings]:
        return findings_of(self._system(name))

    def _system(self, name: str) -> SystemScores:
        if name not in self.systems:
            raise UsageError(f"there is no system {name!r}{did_you_mean(name, self.systems)}")
        found = self.scored.systems[self.systems.index(name)]
        if found.detections is None:
            raise UsageError("this evaluation kept no detections: evaluate with keep_detections=True")
        return found

    def _columns(self) -> dict[str, list[Any]]:
        records = self.segments()
        examples = [example for _ in self.scored.systems for example in self.scored.examples]
        texts = [text for system in self.scored.systems for text in system.texts]
        columns: dict[str, list[Any]] = {
            "system": [record["system"] for record in records],
            "id": [record["id"] for record in records],
            "category": [example.category for example in examples],
            "size": [example.size for example in examples],
            "text": texts,
            "blank": list(map(is_blank, texts)),
        }
        for metric in self.scored.metrics:
            columns[metric.name] = [record["scores"][metric.name] for record in records]
        if self._kept:
            findings = [one for name in self.systems for one in self._findings(name)]
            columns["missing"] = [[str(term) for term in one.detection.undetected] for one in findings]
            columns["added"] = [[span.text for span in one.added] for one in findings]
        return columns


@known_arguments()
def read_corpus(
    source: Any,
    *,
    input_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    optional: str | Sequence[str] = (),
    ignore: str | Sequence[str] = (),
) -> list[Example]:
    """Read a corpus: from a file or folder in any format, or from Python objects.

    Parameters
    ----------
    source
        A path; a pandas DataFrame, an Arrow table or a Hugging Face Dataset; or a list of dicts, of triples
        in any form (tuples, ``"s | p | o"``, `Triple`, dicts), of `Graph` or of `Table`.
    input_format
        The format of a file; by default it is detected from the content.
    columns
        For tables: name of a field (``triples``, ``id``, ``text``, ...) -> the column that holds it.
    optional, ignore
        Patterns of attributes that texts need not mention, and of attributes to leave out.

    Examples
    --------
    >>> import esascore
    >>> corpus = esascore.read_corpus([[("Bionico", "country", "Mexico")], ["Bionico | course | Dessert"]])
    >>> [example.id for example in corpus]
    ['Id1', 'Id2']
    """
    if not isinstance(source, str | PathLike):
        return _chosen(read_rows(source, columns), optional, ignore)
    if columns is not None:
        raise UsageError("columns are for tables in memory: name the columns of the file itself")
    return _chosen(corpus_reader.read_corpus(source, input_format=input_format), optional, ignore)


class DetectionSettings(TypedDict, total=False):
    """The settings of detection, as for `evaluate`."""

    profile: str | PathLike[str]
    lexicon: UserLexicon
    optional: str | Sequence[str]
    ignore: str | Sequence[str]
    linker: str | LinkerChoice | None
    coref: str | CorefChoice | None
    facts: str | PathLike[str] | None
    language: str
    min_confidence: float


class TextSettings(DetectionSettings, total=False):
    """The settings for one text."""

    learned: str | PathLike[str] | Learned
    backend: str


class CorpusSettings(DetectionSettings, total=False):
    """The settings for the texts of a corpus."""

    learned: str | PathLike[str] | Learned | None
    learn_from: Source


@known_arguments(*CorpusSettings.__annotations__)
def evaluate(
    corpus: Any,
    systems: Mapping[str, Any] | Iterable[str | PathLike[str]] | None = None,
    *,
    metrics: str | Sequence[str] = ("esa",),
    parent: ParentOptions = DEFAULTS,
    keep_detections: bool = True,
    jobs: int = 1,
    **settings: Unpack[CorpusSettings],
) -> Evaluation:
    r"""Score systems on a corpus.

    Parameters
    ----------
    corpus
        What `read_corpus` returns or takes.
    systems
        Name -> the path of an output in any form, a list of texts in corpus order, or a dict from id to text;
        or a list of paths (``PATH`` or ``NAME=PATH``). Without any, the texts in the corpus itself.
    metrics
        Names, as ``esascore score --metrics`` takes them.
    profile, lexicon, linker, coref
        How entities are detected, as for `ESA`; ``lexicon`` is a file or several, or a dict from a value to
        its surface forms.
    optional, ignore
        As for `read_corpus`.
    learned
        What was learned before: a file of ``esascore learn``, what `learn` returns, or ``"none"``; without it
        the inputs and references of the corpus teach.
    learn_from
        ``"outputs"`` lets the texts of all systems teach as well.
    facts
        The folder of a fact model, for the metrics that need one; facts that a text contradicts then count as
        hallucinations.
    language
        The language of the texts as an ISO code, or ``auto`` to detect it for each.
    min_confidence
        Least confidence of a flag, as for ``esascore score --min-confidence``.
    parent
        Settings of PARENT and its family.
    keep_detections
        Whether the result holds every mention; without them it is smaller and cannot show texts.
    jobs
        Number of processes; never changes a number. Above 1 a script needs ``if __name__ == "__main__":``.

    Examples
    --------
    >>> import esascore
    >>> corpus = esascore.read_corpus([["Bionico | country | Mexico"]])
    >>> found = esascore.evaluate(corpus, {"a": ["Bionico is Mexican."], "b": ["Bionico."]})
    >>> print(found.table())  # doctest: +ELLIPSIS
    System  Texts  Blank   ESA_C  ESA_C\1  ESA_C\2  ESIC^1  ESIC^2
    ──────  ─────  ─────  ──────  ───────  ───────  ──────  ──────
    a           1      0  1.0000        -        -  0.0000  0.0000
    b           1      0  0.5000   0.5000        -  1.0000  0.0000
    <BLANKLINE>
    signature: ...
    """
    examples, ruler = _read(corpus, **settings)
    listed = [name.strip() for names in _listed(metrics) for name in str(names).split(",") if name.strip()]
    given = systems_of(systems, examples)
    make_metrics = partial(create_metrics, listed, options=parent)
    return Evaluation(
        evaluate_systems(ruler, examples, given, make_metrics, keep_detections=keep_detections, jobs=jobs)
    )


@known_arguments(*TextSettings.__annotations__)
def detect(data: Any, text: str, **settings: Unpack[TextSettings]) -> TextDetection:
    """Find the entities of an input in a text.

    Parameters
    ----------
    data
        Triples in any form, a dict or list of any data, a `Graph`, a `Table` or an example.
    text
        The text.
    settings
        ``profile``, ``lexicon``, ``optional``, ``ignore``, ``learned`` (by default nothing), ``linker``,
        ``coref``, ``facts``, ``language``, ``min_confidence`` and ``backend``, as for `evaluate`.

    Examples
    --------
    >>> import esascore
    >>> found = esascore.detect([("Bionico", "country", "Mexico")], "Bionico is a dish.")
    >>> found.esa, found.undetected, found.mentions[0].text
    (0.5, ('Mexico',), 'Bionico')
    >>> found.missing[0].as_dict()
    {'attribute': 'country', 'subject': 'Bionico', 'value': 'Mexico'}
    """
    example, found = _findings(data, text, **settings)
    unsaid = find_missing(Document(example.input, found.detection.text), found.detection)
    detected: dict[str, Any] = {one.name: getattr(found.detection, one.name) for one in fields(Detection)}
    return TextDetection(**detected, facts=tuple(found.facts), missing=unsaid)


@known_arguments(*TextSettings.__annotations__)
def hallucinations(data: Any, text: str, **settings: Unpack[TextSettings]) -> Found:
    """Find the names, dates and numbers of a text that nothing in the input explains.

    Parameters are those of `detect`.

    Examples
    --------
    >>> import esascore
    >>> [found] = esascore.hallucinations({"name": "Blue Spice", "area": "Oslo"}, "Blue Spice is in Rome.")
    >>> found.text, found.kind, found.nearest
    ('Rome', 'replacement', 'Oslo')
    """
    example, found = _findings(data, text, "hallucination", **settings)
    return Found(found.detection, tuple(found.added), tuple(found.facts), example.input)


def learn(corpus: Any) -> Learned:
    """Learn from the inputs and references of a corpus, for ``learned=``; ``.save(path)`` stores it.

    Examples
    --------
    >>> import esascore
    >>> esascore.learn([["Bionico | country | Mexico"]]).version
    'none'
    """
    return learn_from_examples(examples_of(corpus))


def compare(evaluation: Evaluation, baseline: str = EVERY, *by: str, **settings: Any) -> Figures:
    """Compare the systems of an evaluation: `Evaluation.significance`.

    Examples
    --------
    >>> import esascore
    >>> corpus = [[f"Bionico | course | Dessert_{n}"] for n in range(9)]
    >>> texts = {"x": [f"Bionico is dessert {n}." for n in range(9)], "y": ["Bionico."] * 9}
    >>> found = esascore.evaluate(corpus, texts)
    >>> esascore.compare(found, "x").to_dict()["systems"][1]["p_holm"]["esa_c"] < 0.05
    True
    """
    return evaluation.significance(baseline, *by, **settings)


@known_arguments(*CorpusSettings.__annotations__)
def check(
    corpus: Any,
    systems: Mapping[str, Any] | Iterable[str | PathLike[str]] | None = None,
    *,
    min_esa: float | None = None,
    max_missing_texts: int | None = None,
    max_hallucinations: int | None = None,
    min_faithfulness: float | None = None,
    require: str | Sequence[str] = (),
    accept: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    baseline: str | PathLike[str] | None = None,
    jobs: int = 1,
    **settings: Unpack[CorpusSettings],
) -> Check:
    """Check that texts are good enough, as ``esascore check`` does.

    Parameters
    ----------
    corpus, systems, profile, lexicon, optional, ignore, learned, learn_from, linker, coref, facts, language
    min_confidence, jobs
        As for `evaluate`.
    min_esa, max_missing_texts, max_hallucinations, min_faithfulness, require
        The limits for each system (see `esascore.gate.verdict.Thresholds`).
    accept
        Files with omissions and additions that a person has accepted.
    baseline
        The saved result of an earlier run; no system may be significantly worse than in it.

    Examples
    --------
    >>> import esascore
    >>> corpus = [["Bionico | country | Mexico"]]
    >>> found = esascore.check(corpus, {"mine": ["Bionico is from Peru."]}, max_hallucinations=0)
    >>> found.passed
    False
    >>> print(found)  # doctest: +ELLIPSIS
    FAIL  mine: 1 hallucination, at most 0 allowed (max-hallucinations)
    <BLANKLINE>
    mine  Id1
      text: Bionico is from {Peru}!.
      - Mexico: missing
      + Peru: replacement, ...
    <BLANKLINE>
    failed: 1 of 1 gate
    """
    patterns = tuple(map(str, _listed(require)))
    asked = Thresholds(min_esa, max_missing_texts, max_hallucinations, min_faithfulness, patterns)
    if not asked.given and baseline is None:
        raise UsageError("nothing to check: give a threshold, for instance min_esa=0.9, or a baseline")
    examples, ruler = _read(corpus, **settings)
    given = systems_of(systems, examples)
    earlier = None if baseline is None else read_baseline(baseline, given, examples)
    # The earlier texts are judged by the same ruler, and teach nothing.
    scored = evaluate_systems(
        ruler.taught_by(examples, [system.texts for system in given]),
        examples,
        [*given, *(() if earlier is None else earlier.systems)],
        partial(create_metrics, asked.metrics),
        keep_detections=True,
        jobs=jobs,
    )
    return Check(judge(scored, given, asked, Accepted(read_accepted(_listed(accept))), earlier))


@known_arguments()
def report(
    evaluation: Evaluation,
    output: str | PathLike[str],
    *,
    title: str = "esascore",
    significance: Significance | None = None,
) -> Path:
    """Write the report of an evaluation that kept its detections; returns the page to open.

    Parameters
    ----------
    evaluation
        The systems.
    output
        A folder, or one file that ends in ``.html``.
    title
        Heading of the report.
    significance
        How systems are compared, if they are.
    """
    return write_report(evaluation.scored, output, title=title, significance=significance)


def examples_of(corpus: Any) -> list[Example]:
    """Return the examples of anything that `read_corpus` returns or takes."""
    if isinstance(corpus, list) and all(isinstance(example, Example) for example in corpus):
        return corpus
    return read_corpus(corpus)


def systems_of(systems: Any, examples: Sequence[Example]) -> list[System]:
    """Return the systems of anything that `evaluate` takes."""
    if systems is None:
        own = own_outputs(examples, "own")
        if own is None:
            raise UsageError("the corpus contains no texts of a system: give systems={'name': texts or path}")
        return [own]
    given = systems if isinstance(systems, Mapping) else _listed(systems)
    if not given:
        raise UsageError("there is no system: give systems={'name': texts or path}")
    if isinstance(given, Mapping):
        return make_systems(given, examples)
    if not all(isinstance(one, str | PathLike) for one in given):
        raise UsageError("systems are {'name': texts or path}, or a list of paths")
    return read_systems(map(str, given), examples)


def _listed(given: Any) -> list[Any]:
    """Return one thing as a list of it, and several as a list."""
    if isinstance(given, str | PathLike):
        return [given]
    if not isinstance(given, Iterable):
        raise UsageError(f"one string or several are needed, not {type(given).__name__}")
    return list(given)


def _findings(
    data: Any,
    text: str,
    *metrics: str,
    optional: str | Sequence[str] = (),
    ignore: str | Sequence[str] = (),
    **settings: Any,
) -> tuple[Example, TextFindings]:
    """Return the input without ignored attributes, and what one text lacks and adds by the metrics."""
    example = data if isinstance(data, Example) else Example("Id1", as_input(data))
    example = _choice(optional, ignore).of(example)  # the next input may have the attribute
    names = [*metrics, *(() if settings.get("facts") is None else ["facts"])]
    make_metrics = partial(create_metrics, names) if names else no_metrics
    scorer = scorer_of(partial(_pipeline, settings), make_metrics, "detections", texts=1)
    [found] = findings_of(scorer.scored([(example, [checked_text(text)])], [""]).systems[0])
    return example, found


def _read(
    corpus: Any, optional: str | Sequence[str] = (), ignore: str | Sequence[str] = (), **settings: Any
) -> tuple[list[Example], Ruler]:
    """Return the examples without ignored attributes, and the ruler of the other settings."""
    return _chosen(examples_of(corpus), optional, ignore), Ruler(**settings)


def _chosen(
    examples: list[Example], optional: str | Sequence[str], ignore: str | Sequence[str]
) -> list[Example]:
    """Return the examples without ignored attributes of their inputs."""
    if (choice := _choice(optional, ignore)) == Choice():
        return examples
    choice.check([path for example in examples for path in paths_of(example.input)])
    return [choice.of(example) for example in examples]


def _choice(optional: str | Sequence[str], ignore: str | Sequence[str]) -> Choice:
    return Choice(tuple(map(str, _listed(optional))), tuple(map(str, _listed(ignore))))


def _pipeline(settings: Mapping[str, Any]) -> Pipeline:
    """Make a pipeline; the one without settings is made once per thread, and keeps what it has read."""
    if settings:
        return build_pipeline(**settings)
    if not hasattr(_default, "pipeline"):
        _default.pipeline = build_pipeline()
    own: Pipeline = _default.pipeline
    return own
