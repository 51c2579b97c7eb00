"""One text at a time: does it say what its data say, and nothing else?

`check_text` checks a text in one call. A service makes a `Guard` once, prepares each record once, and checks
the texts about it, complete or while they are written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from os import PathLike
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from esascore.claims.hallucinations import Hallucination
from esascore.claims.omissions import Omission, missing
from esascore.data import matches
from esascore.errors import UsageError, did_you_mean, known_arguments
from esascore.lexicon import UserLexicon
from esascore.metrics.base import Signature, checked_text
from esascore.metrics.faithfulness import Faithfulness
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Detection, Example
from esascore.pipeline import FLAG_NAMES, build_pipeline
from esascore.readers.choice import Choice
from esascore.readers.rows import as_input
from esascore.reports import notebook
from esascore.reports.escaping import visible
from esascore.reports.events import event_emitter
from esascore.reports.jsontext import to_json
from esascore.text.document import Document
from esascore.text.sentences import sentence_places

if TYPE_CHECKING:
    from esascore.learned import Learned

WINDOW = 2_000
"""Characters before a sentence that a stream judges it with: more would make long streams slow."""

_SAMPLE = "It is 1."  # an empty text, for which everything that depends on the data alone is computed
_INSTRUCTION = (
    "The text does not agree with the data. Rewrite it: correct each point below, change nothing else, add "
    "no other facts, and answer with the corrected text only."
)
# Caches in many places remember what was read, and none of them is safe for two threads.
_one_at_a_time = Lock()


@dataclass(frozen=True, slots=True)
class Aspect:
    """One half of a verdict: ``coverage`` or ``support``, with the findings against the text."""

    name: str
    score: float | None
    ok: bool
    found: tuple[Hallucination | Omission, ...]

    @property
    def reason(self) -> str:
        """The findings against the text, in words; empty if there are none."""
        return "; ".join(map(_told, self.found))

    @property
    def counts(self) -> str:
        """The same without words of the text or the data."""
        kinds = Counter("missing" if isinstance(one, Omission) else one.kind for one in self.found)
        return ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items())) or "none"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of a guard on one text.

    Attributes
    ----------
    ok
        Whether nothing blocks it.
    flags
        What it says and the data do not, in text order (`esascore.Hallucination`): ``start``, ``end``,
        ``text``, ``kind``, ``expected``, ``reason``, ``confidence``.
    missing
        What the data say and it does not.
    coverage
        Share of the data's entities that it mentions (ESA); None if there are none.
    support
        Share of its content words that the data explain, as in the metric ``faithfulness``.
    blocking
        The flags, and what is missing, because of which it is not ok.
    detection
        What was found in it.
    """

    ok: bool
    flags: tuple[Hallucination, ...]
    missing: tuple[Omission, ...]
    coverage: float | None
    support: float
    blocking: tuple[Hallucination | Omission, ...] = field(repr=False)
    detection: Detection = field(repr=False)

    @property
    def text(self) -> str:
        """The text."""
        return self.detection.text

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data, as ``POST /v1/check`` gives it."""
        return {
            "ok": self.ok,
            "text": self.text,
            "flags": [flag.as_dict() for flag in self.flags],
            "missing": [one.as_dict() for one in self.missing],
            "coverage": self.coverage,
            "support": self.support,
            "language": self.detection.language,
        }

    @property
    def aspects(self) -> tuple[Aspect, Aspect]:
        """What it leaves out and what it adds, separately; the text is ok if both are.

        Examples
        --------
        >>> verdict = check_text({"name": "Blue Spice", "rooms": 27}, "Blue Spice has 32 rooms.")
        >>> [(one.name, one.score, one.ok, one.counts) for one in verdict.aspects]
        [('coverage', 0.5, True, '1 missing'), ('support', 0.75, False, '1 replacement')]
        """
        wrong = any(isinstance(one, Hallucination) for one in self.blocking)
        lacking = any(isinstance(one, Omission) for one in self.blocking) or not (self.ok or wrong)
        return (
            Aspect("coverage", self.coverage, not lacking, self.missing),
            Aspect("support", self.support, not wrong, self.flags),
        )

    def repair_prompt(self) -> str:
        r"""What to tell a language model so that it corrects the text; empty if the text is ok.

        Each point names what is wrong and what the data say. The text itself is not in it.

        Examples
        --------
        >>> verdict = check_text({"name": "Blue Spice", "rooms": 27}, "Blue Spice has 32 rooms.")
        >>> print(verdict.repair_prompt().partition("\n")[2])
        1. "32" is wrong: the data say "27".
        """
        if self.ok:
            return ""
        points = [f"{number}. {_point(one)}" for number, one in enumerate(self.blocking, 1)]
        return "\n".join([_INSTRUCTION, *points])

    def __str__(self) -> str:
        coverage = "undefined" if self.coverage is None else f"{self.coverage:.2f}"
        head = f"{'ok' if self.ok else 'not ok'}  coverage {coverage}, support {self.support:.2f}"
        flags = [f"  + {_told(one)}" for one in self.flags]
        lacks = [f"  - {_told(one)}" for one in self.missing]
        return "\n".join([head, *flags, *lacks])

    def _repr_html_(self) -> str:
        return notebook.page(notebook.card(self.detection, self.flags))


class Guard:
    """Checks texts against the data that they should express; threads may share it.

    Parameters
    ----------
    profile
        As for `esascore.evaluate`.
    learned
        What a corpus taught: a file of ``esascore learn``, or what `esascore.learn` returns.
    lexicon
        Further surface forms: a dict from a value to one form or several, or a file or several.
    optional, ignore
        Patterns of attributes that texts need not mention, and of attributes to leave out.
    block
        The kinds of flags that block a text (``replacement``, ``contradicted``, ``number``, ...); by default
        all do.
    min_confidence
        Flags with a lower confidence do not block a text.
    require
        Patterns of attributes that every text must mention, if the data have them.
    min_coverage
        The coverage below which a text is not ok.
    language
        The language of the texts as an ISO code, or ``auto`` to detect it for each.
    telemetry
        Whether each verdict is sent as two events of OpenTelemetry, ``esascore.coverage`` and
        ``esascore.support``; with ``text`` they also quote what is wrong. Needs esascore[telemetry].

    Examples
    --------
    >>> guard = Guard(require=["name"])
    >>> ready = guard.prepare({"name": "Blue Spice", "area": "Oslo", "rooms": 27})
    >>> print(ready.check("Blue Spice in Oslo has 27 rooms."))
    ok  coverage 1.00, support 1.00
    >>> verdict = ready.check("Blue Spice in Oslo has 32 rooms.")
    >>> verdict.ok, [(flag.text, flag.expected) for flag in verdict.flags]
    (False, [('32', '27')])
    """

    @known_arguments()
    def __init__(
        self,
        *,
        profile: str | PathLike[str] = "default",
        learned: str | PathLike[str] | Learned = "none",
        lexicon: UserLexicon = (),
        optional: str | Iterable[str] = (),
        ignore: str | Iterable[str] = (),
        block: str | Iterable[str] | None = None,
        min_confidence: float = 0.0,
        require: str | Iterable[str] = (),
        min_coverage: float = 0.0,
        language: str = "auto",
        telemetry: bool | Literal["text"] = False,
    ):
        self.pipeline = build_pipeline(profile, lexicon=lexicon, learned=learned, language=language)
        self._choice = Choice(_listed(optional), _listed(ignore))
        self._block = None if block is None else frozenset(_listed(block))
        for name in self._block or ():
            if name not in FLAG_NAMES:
                raise UsageError(f"there is no kind of flag {name!r}{did_you_mean(name, FLAG_NAMES)}")
        self._min_confidence = _share(min_confidence, "min_confidence")
        self._require = _listed(require)
        self._min_coverage = _share(min_coverage, "min_coverage")
        if telemetry not in (False, True, "text"):
            raise UsageError(f"telemetry must be True, False or 'text', not {telemetry!r}")
        self._emit = event_emitter() if telemetry else None
        self._quotes = telemetry == "text"
        self._flags = Hallucinations(self.pipeline)
        self._faithfulness = Faithfulness.from_detector(self.pipeline)

    @cached_property
    def signature(self) -> str:
        """Every setting of detection and judgement that can change a flag or a number."""
        metrics = (self._flags, self._faithfulness)
        return str(Signature.joined((metric.name, metric.signature()) for metric in metrics))

    def prepare(self, data: Any) -> Prepared:
        """Read the data that texts are to be checked against, so that a check only has to read the text.

        Parameters
        ----------
        data
            A dict or list of any data, a dataclass, a pydantic model, or triples in any form.
        """
        example = self._example(data)
        self._verdicts([example], [_SAMPLE])
        return Prepared(self, example)

    def check(self, data: Any, text: str) -> Verdict:
        """Read data and check one text."""
        [verdict] = self.check_all([(data, text)])
        return verdict

    def check_all(self, items: Iterable[tuple[Any, str]]) -> list[Verdict]:
        """Check many texts, each with its data, at once; the verdicts are those of `check`."""
        pairs = [(self._example(data), checked_text(text)) for data, text in items]
        verdicts = self._verdicts([example for example, _ in pairs], [text for _, text in pairs])
        if self._emit is not None:
            for aspect in (aspect for verdict in verdicts for aspect in verdict.aspects):
                explanation = aspect.reason if self._quotes else aspect.counts
                self._emit(f"esascore.{aspect.name}", aspect.score, aspect.ok, explanation)
        return verdicts

    def _verdicts(self, examples: Sequence[Example], texts: Sequence[str]) -> list[Verdict]:
        documents = [Document(one.input, text) for one, text in zip(examples, texts, strict=True)]
        with _one_at_a_time:
            found = self.pipeline.detect(documents)
            flags = self._flags.find(examples, texts, found, documents)
            support = list(map(self._faithfulness.support, examples, found, documents))
            unsaid = list(map(missing, documents, found))
        return [self._verdict(*one) for one in zip(found, flags, unsaid, support, strict=True)]

    def without_telemetry(self) -> Guard:
        """Return a guard that differs only in these settings."""
        silent = copy(self)
        silent._emit = None
        return silent

    def _example(self, data: Any) -> Example:
        return self._choice.of(data if isinstance(data, Example) else Example("Id1", as_input(data)))

    def _verdict(
        self,
        found: Detection,
        flags: tuple[Hallucination, ...],
        unsaid: tuple[Omission, ...],
        support: float,
    ) -> Verdict:
        wrong = tuple(flag for flag in flags if self._blocks(flag))
        covered = found.esa is None or found.esa >= self._min_coverage
        required = [one for one in unsaid if matches(self._require, one.attribute)] if self._require else ()
        lacking = tuple(required if covered else unsaid)
        ok = covered and not wrong and not lacking
        return Verdict(ok, flags, unsaid, found.esa, support, (*wrong, *lacking), found)

    def _blocks(self, flag: Hallucination) -> bool:
        chosen = self._block is None or not self._block.isdisjoint((flag.kind, flag.type, flag.evidence))
        return chosen and flag.confidence >= self._min_confidence


@dataclass(frozen=True, slots=True)
class Prepared:
    """Data that a guard has read; `Guard.prepare` makes it."""

    guard: Guard
    example: Example

    def check(self, text: str) -> Verdict:
        """Check a text."""
        return self.guard.check(self.example, text)

    def stream(self) -> Stream:
        """Check a text while it is written."""
        return Stream(self)


class Stream:
    """A text that arrives in chunks; one thread feeds it.

    Examples
    --------
    >>> stream = Guard().prepare({"name": "Blue Spice", "rooms": 27, "city": "Oslo"}).stream()
    >>> chunks = ["Blue Spi", "ce has 3", "2 rooms. ", "It is in ", "Oslo."]
    >>> [[flag.text for flag in stream.feed(chunk)] for chunk in chunks]
    [[], [], [], ['32'], []]
    >>> stream.close().ok
    False
    """

    def __init__(self, prepared: Prepared):
        self._prepared = prepared
        self._parts = replace(prepared, guard=prepared.guard.without_telemetry())
        self._text = ""
        self._starts = [0]  # the end of the sentences that were judged, and of the next one

    def feed(self, chunk: str) -> tuple[Hallucination, ...]:
        """Add a chunk; return the flags of the sentences that it completes.

        A sentence is complete when the first word after it is. It is judged with the text before it. Later
        text can still change the final verdict, for instance which value a wrong one replaces.
        """
        self._text += checked_text(chunk)
        known = self._starts[-1]
        begin = next(start for start in self._starts if start >= known - WINDOW)
        places = [begin + place for place in sentence_places(self._text[begin:])]
        if places and not any(map(str.isspace, self._text[places[-1] :])):
            places.pop()  # its first word may be incomplete, and decides if a sentence ended
        new = [place for place in places if place > known]
        if not new:
            return ()
        self._starts += new
        found = self._parts.check(self._text[begin : new[-1]]).flags
        moved = [replace(flag, start=begin + flag.start, end=begin + flag.end) for flag in found]
        return tuple(flag for flag in moved if flag.start >= known)

    def close(self) -> Verdict:
        """End the text; the verdict is that of `Prepared.check` on all of it."""
        return self._prepared.check(self._text)


def check_text(data: Any, text: str, **settings: Any) -> Verdict:
    """Check one text against its data.

    Parameters
    ----------
    data, text
        As for `Guard.check`.
    settings
        As for `Guard`; to check many texts with the same settings, make a guard once.

    Examples
    --------
    >>> print(check_text([("Bionico", "country", "Mexico")], "Bionico is from Peru."))  # doctest: +ELLIPSIS
    not ok  coverage 0.50, support ...
      + Peru: replacement, ...
      - Mexico: not said (country)
    """
    return (Guard(**settings) if settings else _default()).check(data, text)


@lru_cache(maxsize=1)
def _default() -> Guard:
    return Guard()


def _point(one: Hallucination | Omission) -> str:
    if isinstance(one, Omission):
        return f"Missing: {one.attribute} is {to_json(one.value)}."
    if one.expected is not None:
        return f"{to_json(one.text)} is wrong: the data say {to_json(one.expected)}."
    return f"{to_json(one.text)} is not in the data ({one.reason}): remove or correct it."


def _told(one: Hallucination | Omission) -> str:
    if isinstance(one, Omission):
        return f"{_shown(one.value)}: not said ({one.attribute})"
    return f"{_shown(one.text)}: {one.kind}, {one.reason}"


def _shown(text: str) -> str:
    return visible(" ".join(text.split()))


def _listed(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(map(str, given))


def _share(value: float, name: str) -> float:
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise UsageError(f"{name} must be a number from 0 to 1, not {value!r}")
    return float(value)
