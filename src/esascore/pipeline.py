"""Builds the detector of a profile: the one place that knows all parts.

Texts flow through it in one direction: detectors propose mentions, the resolver decides which stand and
where they end, anaphora is read off the decision, and the profile's policy says which entities are thereby
detected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from hashlib import sha256
from operator import attrgetter
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from esascore.align.backends import check as check_backend
from esascore.claims.classes import CLASSES
from esascore.claims.evidence import EVIDENCE, TYPES
from esascore.claims.explainer import Explainer
from esascore.coref.base import CorefResolver
from esascore.coref.choice import CorefChoice, make_resolver
from esascore.detectors.base import AnaphorProposer, Proposer
from esascore.detectors.boundaries import Boundaries, Contexts
from esascore.detectors.dates import DateDetector
from esascore.detectors.denied import Denied
from esascore.detectors.descriptions import Descriptions
from esascore.detectors.linked import Linked
from esascore.detectors.lists import Lists
from esascore.detectors.pronouns import Pronouns
from esascore.detectors.quantities import NumberDetector
from esascore.detectors.refused import Refused
from esascore.detectors.strings import GreedyStrings, Thresholds, VariantStrings
from esascore.detectors.values import Values
from esascore.errors import DataError, UsageError
from esascore.languages import AUTO, Languages
from esascore.languages.detection import words_of
from esascore.learned import NOTHING, Learned, Source, as_learned, learn
from esascore.lexicon import SOURCES, Lexicon, UserEntry, read_user_lexicons
from esascore.lexicon.phrasings import split_key
from esascore.link.choice import LinkerChoice, make_linker
from esascore.literals import date_patterns, units
from esascore.model import Detection, Example, Input, LateMentions, Links, Mention, once_per_input
from esascore.profiles import Profile, Sections, load_profile
from esascore.resolve import Weights, by_distance, by_weight
from esascore.text import clauses, sentences
from esascore.text.blank import is_blank
from esascore.text.document import NO_TEXT, Document
from esascore.wordlists import lexicon_digest

if TYPE_CHECKING:  # models are imported by whoever has asked for one, since that takes long
    from esascore.facts.questions import Questioner
    from esascore.facts.similarity import Similarity
    from esascore.facts.verifier import Verifier
    from esascore.learned.wordings.forms import Progress


FLAG_NAMES = (*EVIDENCE, *TYPES, *CLASSES)
"""What a flag can be named by: its evidence, its type, its class."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Detects the entities of inputs in texts; `build_pipeline` makes it.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Bionico", "country", "Mexico"), ("Bionico", "course", "Dessert")])
    >>> [found] = build_pipeline("paper").detect([(graph, "It is a dessert.")])
    >>> [(m.entity, m.text, m.method) for m in found.mentions], found.undetected
    ([('Bionico', 'It', 'pronoun'), ('Dessert', 'dessert.', 'string')], ('Mexico',))
    """

    profile: Profile
    detectors: tuple[Proposer, ...]
    resolve: Callable[[list[Mention]], list[Mention]]
    boundaries: Boundaries | None
    anaphora: tuple[AnaphorProposer, ...]
    anaphora_count: bool
    linked: Linked | None
    refused: Refused | None
    denied: Denied | None
    explainer: Explainer
    learned: Learned
    languages: Languages
    parts: tuple[tuple[str, str], ...]
    verifier: Verifier | None = None
    facts_weight: float = 0.5
    questioner: Questioner | None = None
    similarity: Similarity | None = None

    def detect(self, items: Sequence[tuple[Input, str] | Document], *, whole: bool = True) -> list[Detection]:
        """Detect the entities of each input in its text; one result per item, in order.

        Unless the ``whole`` result is asked for, the boundaries of mentions and anaphora are found when
        somebody asks for the mentions of a text, if they do not prove that entities are mentioned.
        """
        read = [item if isinstance(item, Document) else Document(*item) for item in items]
        spoken = [index for index, document in enumerate(read) if not is_blank(document.source)]
        for index in spoken:
            read[index].written_in(self.languages.of(read[index].source, partial(_words, read[index].input)))
        readings = [read[index].reading for index in spoken]
        documents = [read[index].as_read for index in spoken]
        links = self.links(documents)
        named = self.cores(documents, links)
        required = [_required(document.input) for document in documents]
        undetected = list(map(_undetected, required, named))
        # Anaphora count only where names leave something to be proved.
        open_ = [at for at, some in enumerate(undetected) if some] if self.anaphora_count else []
        now = range(len(documents)) if whole else open_
        completed = self._completed([documents[at] for at in now], [named[at] for at in now]) if now else []
        known = dict(zip(now, completed, strict=True))
        mentions = [
            known[at] if at in known else LateMentions(partial(self._complete, *one))
            for at, one in enumerate(zip(documents, named, strict=True))
        ]
        for at in open_:
            undetected[at] = _undetected(required[at], mentions[at])
        texts = [document.text for document in documents]
        codes = [document.language.code for document in documents]
        detections = map(Detection, texts, required, mentions, undetected, links, codes)
        found = dict(zip(spoken, detections, strict=True))
        for index, reading in zip(spoken, readings, strict=True):
            if reading is not None:
                found[index] = found[index].moved(read[index].source, reading.to_source)
        nothing: Links | None = () if self.linked is not None else None
        return [
            found[index]
            if index in found
            else Detection(document.source, (own := _required(document.input)), (), own, nothing)
            for index, document in enumerate(read)
        ]

    def signature_parts(self) -> dict[str, str]:
        """Return every setting of detection that can change a number."""
        return dict(self.parts)

    def links(self, documents: Sequence[Document]) -> Sequence[Links | None]:
        """Return what the linker says of each document; None if there is no linker."""
        return [None] * len(documents) if self.linked is None else self.linked.ask(documents)

    def cores(
        self, documents: Sequence[Document], links: Sequence[Links | None] | None = None
    ) -> list[list[Mention]]:
        """Return the mentions that stand, in text order, before their boundaries are set."""
        proposals: list[list[Mention]] = [[] for _ in documents]
        if self.linked is not None:
            known = self.links(documents) if links is None else links
            for own, document, answer in zip(proposals, documents, known, strict=True):
                if answer is not None:
                    own.extend(self.linked.mentions(document, answer))
        english = [document.language.english for document in documents]
        for detector in self.detectors:
            for own, new, all_ in zip(proposals, detector.propose(documents), english, strict=True):
                if all_ or not isinstance(detector, Values):
                    own.extend(new)
        if self.refused is not None:
            proposals = [self.refused.kept(some) for some in proposals]
        if self.denied is not None:
            proposals = [
                self.denied.kept(*pair) if all_ else pair[1]
                for pair, all_ in zip(zip(documents, proposals, strict=True), english, strict=True)
            ]
        return [self.resolve(some) for some in proposals]

    def _complete(self, document: Document, names: Sequence[Mention]) -> Sequence[Mention]:
        return self._completed([document], [names])[0]

    def _completed(
        self, documents: Sequence[Document], named: Sequence[Sequence[Mention]]
    ) -> list[Sequence[Mention]]:
        """Set the boundaries of the mentions that stand, and add anaphora; in text order."""
        known = [*named]
        documents = [document if document.language.english else NO_TEXT for document in documents]
        if self.boundaries is not None:
            known = [
                self.boundaries.extend(document, own) if document.text else own
                for document, own in zip(documents, named, strict=True)
            ]
        for detector in self.anaphora:
            found = detector.propose(documents, known)
            known = [_in_text_order(*pair) for pair in zip(known, found, strict=True)]
        return list(map(tuple, known))


def build_pipeline(
    profile: str | PathLike[str] | Profile = "default",
    *,
    lexicons: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    entries: Sequence[UserEntry] = (),
    linker: str | LinkerChoice | None = None,
    coref: str | CorefChoice | None = None,
    facts: str | PathLike[str] | Verifier | None = None,
    questeval: str | PathLike[str] | Questioner | None = None,
    similarity: str | PathLike[str] | Similarity | None = None,
    backend: str = "auto",
    learned: str | PathLike[str] | Learned = NOTHING,
    language: str = AUTO,
    min_confidence: float = 0.0,
) -> Pipeline:
    """Build the detector of a profile.

    Parameters
    ----------
    profile
        Name of a profile, path of your own, or a profile.
    lexicons, entries
        A further lexicon file or several, and entries that are in no file.
    linker, coref
        Name of an entity linker (`esascore.link.choice`; without one none is asked) and of the coreference
        resolver instead of the profile's (`esascore.coref.choice`), or a choice with its settings.
    facts
        A model that verifies facts, or its folder; metrics of facts need one.
    questeval
        Who asks and answers questions for data-QuestEval, or the folder of their models; without it the
        model of facts does. Where the folder has only models that answer, templates ask.
    similarity
        How answers to these questions are compared: ``aligned`` (the default), ``f1``, or the folder of an
        encoder for BERTScore.
    backend
        Which implementation compares strings; never changes a number.
    learned
        What a corpus taught (`esascore.learned`), the file of ``esascore learn``, or ``"none"``.
    language
        The language of the texts as an ISO code, or ``auto`` to detect it for each.
    min_confidence
        How sure a flag must be: the least share of flags of its kind that were right.
    """
    check_backend(backend)  # a text may need none, but what was asked for is wrong with any
    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    try:
        taught = as_learned(learned)
        lexicon = _lexicon(chosen.settings["strings"], lexicons, entries, taught)
        languages = Languages(language)
        resolver = _coref(coref or chosen.settings["pronouns"]["resolver"])
        linked = _linked(linker)
        return Pipeline(
            chosen,
            tuple(_detectors(chosen.settings, lexicon, backend)),
            _resolve(chosen.settings["resolve"]),
            _boundaries(chosen.settings, lexicon),
            tuple(_anaphor_detectors(chosen.settings, resolver)),
            chosen.settings["anaphora"]["count"],
            linked,
            Refused(lexicon) if any(entry.kind == "drop" for entry in lexicon.user) else None,
            Denied(lexicon) if _is_on(chosen.settings, "values") else None,
            _explainer(chosen.settings, lexicon, min_confidence),
            taught,
            languages,
            _signature_parts(chosen, lexicon, resolver, linked, taught, languages),
            _verifier(facts),
            _facts_weight(chosen.settings),
            _questioner(questeval),
            _similarity(similarity),
        )
    except (KeyError, TypeError) as error:
        raise DataError(f"the profile {chosen.name!r} is not complete: {error}") from error


@dataclass(frozen=True)
class Ruler:
    """What a verdict depends on beside input and text; calling it makes the pipeline, in whatever process.

    Attributes
    ----------
    profile, lexicons, linker, coref, facts, questeval, similarity, backend, language, min_confidence
        As for `build_pipeline`.
    learned
        What a corpus taught, the file of ``esascore learn``, or ``"none"``; None learns from the corpus under
        check.
    learn_from
        What teaches then: inputs and references, or the outputs of all systems as well.

    Examples
    --------
    >>> Ruler("paper")().signature_parts()["learned"]
    'none'
    """

    profile: str | PathLike[str] | Profile = "default"
    lexicons: str | PathLike[str] | Sequence[str | PathLike[str]] = ()
    linker: str | LinkerChoice | None = None
    coref: str | CorefChoice | None = None
    facts: str | PathLike[str] | None = None
    questeval: str | PathLike[str] | None = None
    similarity: str | PathLike[str] | None = None
    backend: str = "auto"
    learned: str | PathLike[str] | Learned | None = None
    learn_from: Source = "references"
    language: str = AUTO
    min_confidence: float = 0.0

    def __post_init__(self) -> None:
        if self.learn_from not in get_args(Source):
            known = " or ".join(map(repr, get_args(Source)))
            raise UsageError(f"learn_from is {known}, not {self.learn_from!r}")
        if self.learned is not None:
            object.__setattr__(self, "learned", as_learned(self.learned))

    def __call__(self) -> Pipeline:
        """Make the pipeline."""
        own: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        del own["learn_from"]  # says how it is learned, which has been done
        return build_pipeline(**own | {"learned": NOTHING if self.learned is None else self.learned})

    @property
    def learns_wordings(self) -> bool:
        """Whether a corpus is to teach how texts put values: if the profile says so, and no lexicon does."""
        return self.learned is None and learns_wordings(self.profile, self.lexicons)

    def taught_by(
        self,
        examples: Iterable[Example],
        outputs: Sequence[Iterable[str]] = (),
        *,
        names: bool = True,
        progress: Progress | None = None,
    ) -> Ruler:
        """Return the ruler for a corpus: itself, unless the corpus is to teach.

        Parameters
        ----------
        examples, outputs
            The corpus, and the texts of each system, which teach only if ``learn_from`` says so.
        names
            Whether claims will be judged, for which more is learned than wordings.
        progress
            Called while it is learned.
        """
        wordings = self.learns_wordings
        if self.learned is not None or not (names or wordings):
            return self
        pooled = outputs if self.learn_from == "outputs" else ()
        taught = learn(examples, pooled, names=names, wordings=wordings, progress=progress)
        return replace(self, learned=taught)


def learns_wordings(
    profile: str | PathLike[str] | Profile = "default",
    lexicons: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
) -> bool:
    """Return whether wordings are learned from a corpus: if the profile says so, and no lexicon has any.

    Examples
    --------
    >>> learns_wordings("default"), learns_wordings("paper")
    (True, False)
    """
    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    if not _is_on(chosen.settings, "values") or not chosen.settings["values"]["learn"]:
        return False
    return all(split_key(entry.entity) is None for entry in read_user_lexicons(lexicons))


def _lexicon(
    settings: Sections,
    files: str | PathLike[str] | Sequence[str | PathLike[str]],
    entries: Sequence[UserEntry],
    learned: Learned,
) -> Lexicon:
    sources = tuple(SOURCES) if settings["sources"] == ["all"] else tuple(settings["sources"])
    # The published algorithm compares RDF labels as they stand; its distances count underscores.
    return Lexicon(
        sources, settings["rule"] == "greedy", (*read_user_lexicons(files), *entries), learned.phrasings
    )


def _detectors(settings: Sections, lexicon: Lexicon, backend: str) -> list[Proposer]:
    detectors: list[Proposer] = [_strings(settings["strings"], lexicon, backend)]
    if _is_on(settings, "dates"):
        dates = settings["dates"]
        detectors.append(DateDetector(tuple(dates["forms"]), tuple(dates["languages"])))
    if _is_on(settings, "numbers"):
        detectors.append(NumberDetector())
    if _is_on(settings, "lists"):
        detectors.append(Lists(settings["lists"]["least"], settings["lists"]["cost"]))
    if _is_on(settings, "values"):
        detectors.append(Values(lexicon))
    return detectors


def _strings(settings: Sections, lexicon: Lexicon, backend: str) -> Proposer:
    if settings["rule"] == "greedy":
        return GreedyStrings(lexicon, settings["max_distance"], backend)
    if settings["rule"] == "variants":
        thresholds = Thresholds(tuple(settings["lengths"]), tuple(settings["distances"]))
        return VariantStrings(lexicon, thresholds, backend, strong=settings["strong"])
    raise UsageError(f"unknown string rule {settings['rule']!r}; known: greedy, variants")


def _resolve(settings: Sections) -> Callable[[list[Mention]], list[Mention]]:
    if settings["rule"] == "distance":
        return by_distance
    if settings["rule"] == "weight":
        return partial(by_weight, weights=Weights(settings["penalty"], settings["bonus"]))
    raise UsageError(f"unknown resolver rule {settings['rule']!r}; known: distance, weight")


def _boundaries(settings: Sections, lexicon: Lexicon) -> Boundaries | None:
    if not _is_on(settings, "boundaries"):
        return None
    rules = settings["boundaries"]
    return Boundaries(
        tuple(rules["articles"]),
        tuple(rules["heads"]),
        rules["possessive"],
        rules["quotes"],
        rules["appositions"],
        rules["chains"],
        Contexts.of(lexicon.user),
    )


def _explainer(settings: Sections, lexicon: Lexicon, least: float) -> Explainer:
    if not 0 <= least <= 1:
        raise UsageError(f"min_confidence must be between 0 and 1, not {least}")
    off = settings["flags"]["off"]
    for name in off:
        if name not in FLAG_NAMES:
            raise UsageError(f"flags.off names {name!r}, which is no flag; known: {', '.join(FLAG_NAMES)}")
    return Explainer(lexicon, tuple(settings["dates"]["languages"]), frozenset(off), least)


def _anaphor_detectors(settings: Sections, resolver: CorefResolver) -> list[AnaphorProposer]:
    detectors: list[AnaphorProposer] = []
    if _is_on(settings, "descriptions"):
        detectors.append(Descriptions(tuple(settings["descriptions"]["exclude"])))
    detectors.append(Pronouns(resolver, tuple(settings["pronouns"]["words"])))
    return detectors


def _coref(chosen: str | CorefChoice) -> CorefResolver:
    return make_resolver(CorefChoice(chosen) if isinstance(chosen, str) else chosen)


def _linked(chosen: str | LinkerChoice | None) -> Linked | None:
    if chosen is None:
        return None
    choice = LinkerChoice(chosen) if isinstance(chosen, str) else chosen
    made = make_linker(choice)
    if made is None:
        return None
    return Linked(*made, choice.allow_failures)


def _facts_weight(settings: Sections) -> float:
    weight: float = settings["facts"]["weight"]
    if not 0 <= weight <= 1:
        raise UsageError(f"facts.weight must be between 0 and 1, not {weight}")
    return weight


def _verifier(chosen: str | PathLike[str] | Verifier | None) -> Verifier | None:
    if chosen is None or not isinstance(chosen, str | PathLike):
        return chosen
    from esascore.cache import AnswerCache
    from esascore.facts.verifier import EncoderVerifier

    return EncoderVerifier(Path(chosen), AnswerCache())


def _questioner(chosen: str | PathLike[str] | Questioner | None) -> Questioner | None:
    if chosen is None or not isinstance(chosen, str | PathLike):
        return chosen
    from esascore.facts.answering import models_in

    return models_in(Path(chosen))


def _similarity(chosen: str | PathLike[str] | Similarity | None) -> Similarity | None:
    if chosen is None or chosen == "aligned":
        return None
    if chosen == "f1":
        from esascore.facts.similarity import TokenF1

        return TokenF1()
    if not isinstance(chosen, str | PathLike):
        return chosen
    from esascore.facts.similarity import BertScore

    return BertScore(Path(chosen))


def _signature_parts(
    profile: Profile,
    lexicon: Lexicon,
    resolver: CorefResolver,
    linked: Linked | None,
    learned: Learned,
    languages: Languages,
) -> tuple[tuple[str, str], ...]:
    parts: dict[str, Any] = {"profile": f"{profile.name}.v{profile.version}"}
    if profile.base:
        parts["base"] = profile.base
    if profile.changes:
        parts["changed"] = ",".join(profile.changes)
    linker = "none" if linked is None else linked.linker.version()
    parts |= {
        "lexicons": _digest(profile.settings, lexicon),
        "learned": learned.version,
        "linker": linker,
        "coref": resolver.version(),
        "language": languages.version,
    }
    return tuple(parts.items())


def _digest(settings: Sections, lexicon: Lexicon) -> str:
    """Return a short hash of what the lexicon knows, and of the word lists that other detectors read."""
    readers = {"dates": date_patterns.WORDLISTS, "numbers": units.WORDLISTS, "values": clauses.WORDLISTS}
    read = [name for section, lists in readers.items() if _is_on(settings, section) for name in lists]
    if settings["strings"]["rule"] == "variants":
        read += sentences.WORDLISTS
    return sha256(f"{lexicon.digest}{lexicon_digest(read)}".encode()).hexdigest()[:12]


def _is_on(settings: Sections, section: str) -> bool:
    return section in settings and settings[section]["on"]


def _undetected(required: Sequence[str], proof: Sequence[Mention]) -> tuple[str, ...]:
    """Return the entities that a text must mention and of which none of its mentions is one."""
    detected = set(map(_entity_of, proof))
    for others in filter(None, map(_others_of, proof)):
        detected.update(others)
    return tuple([entity for entity in required if entity not in detected])


# Called by `map`, these take less than half as long as reading the attributes one by one.
_entity_of: Callable[[Mention], str] = attrgetter("entity")
_others_of: Callable[[Mention], tuple[str, ...]] = attrgetter("also")


def _in_text_order(names: Sequence[Mention], pointers: Sequence[Mention]) -> Sequence[Mention]:
    if not pointers:
        return names
    return sorted((*names, *pointers), key=lambda mention: (mention.start, mention.end))


@once_per_input
def _required(input_: Input) -> tuple[str, ...]:
    """Return the entities that a text must mention."""
    return tuple(entity.term for entity in input_.entities if not entity.optional)


@once_per_input
def _words(input_: Input) -> frozenset[str]:
    """Return the words of names and values, which are of no language."""
    return words_of(text for fact in input_.facts for text in (fact.subject, fact.value))
