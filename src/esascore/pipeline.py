"""Builds the detector of a profile: the only place that knows all parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from esascore.align.backends import check as check_backend
from esascore.claims.classes import CLASSES
from esascore.claims.evidence import EVIDENCE, TYPES
from esascore.claims.explainer import Explainer
from esascore.coref.choice import CorefChoice, make_resolver
from esascore.detectors.base import Filter, Proposer, StringProposer
from esascore.detectors.boundaries import Boundaries, Contexts
from esascore.detectors.dates import DateDetector
from esascore.detectors.denied import Denied
from esascore.detectors.descriptions import Descriptions
from esascore.detectors.entities import EntityDetector
from esascore.detectors.linked import Linked
from esascore.detectors.lists import Lists
from esascore.detectors.pronouns import Pronouns
from esascore.detectors.quantities import number_mentions
from esascore.detectors.strings import GreedyStrings, VariantStrings
from esascore.detectors.user_refusals import UserRefusals
from esascore.detectors.values import Values
from esascore.errors import DataError, UsageError
from esascore.languages import AUTO, Languages
from esascore.learned import NOTHING, Learned, Source, as_learned, learn
from esascore.lexicon import SOURCES, Lexicon, UserLexicon, read_user_lexicons
from esascore.lexicon.phrasings import split_key
from esascore.link.choice import LinkerChoice, make_linker
from esascore.literals import date_patterns, units
from esascore.model import Example, Mention
from esascore.profiles import Profile, Sections, load_profile
from esascore.resolve import by_distance, by_weight
from esascore.text import clauses, sentences
from esascore.wordlists import lexicon_digest

if TYPE_CHECKING:  # models are imported only if one is used, since that takes long
    from esascore.facts.questions import Questioner
    from esascore.facts.similarity import Similarity
    from esascore.facts.verifier import Verifier
    from esascore.learned.wordings.forms import Progress


T = TypeVar("T")

FLAG_NAMES = (*EVIDENCE, *TYPES, *CLASSES)
"""What a flag can be named by: its evidence, its type, its class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline(EntityDetector):
    """A ruler that is ready for work: it detects entities, and holds what metrics need to judge texts.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Bionico", "country", "Mexico"), ("Bionico", "course", "Dessert")])
    >>> [found] = build_pipeline("paper").detect([(graph, "It is a dessert.")])
    >>> [(m.entity, m.text, m.method) for m in found.mentions], found.undetected
    ([('Bionico', 'It', 'pronoun'), ('Dessert', 'dessert.', 'string')], ('Mexico',))
    """

    explainer: Explainer
    learned: Learned
    verifier: Verifier | None
    facts_weight: float
    questioner: Questioner | None
    similarity: Similarity | None
    parts: Mapping[str, str]

    def signature_parts(self) -> dict[str, str]:
        """Return every setting of detection that can change a number."""
        return dict(self.parts)


def build_pipeline(profile: str | PathLike[str] | Profile = "default", **settings: Any) -> Pipeline:
    """Build the detector of a profile, with further settings of a `Ruler`."""
    return Ruler(profile, **settings)()


@dataclass(frozen=True)
class Ruler:
    """What a verdict depends on besides input and text; calling it makes the pipeline, in any process.

    Attributes
    ----------
    profile
        Name of a profile, path of your own, or a profile.
    lexicon
        Further surface forms: a lexicon file or several, entries, or a dict from a value to its forms.
    linker, coref
        Name of an entity linker (`esascore.link.choice`; by default none) and of the coreference resolver
        instead of the profile's (`esascore.coref.choice`), or a choice with its settings.
    facts
        A fact model, or its folder; metrics of facts need one.
    questeval
        Generator and answerer of questions for data-QuestEval, or the folder of their models; by default the
        fact model answers. If the folder has only models that answer, questions come from templates.
    similarity
        How answers to these questions are compared: ``aligned`` (the default), ``f1``, or the folder of an
        encoder for BERTScore.
    backend
        Which implementation compares strings; never changes a number.
    learned
        What a corpus taught (`esascore.learned`), the file of ``esascore learn``, or ``"none"``; None learns
        from the corpus under check.
    learn_from
        What teaches then: inputs and references, or the outputs of all systems as well.
    language
        The language of the texts as an ISO code, or ``auto`` to detect it for each.
    min_confidence
        Least confidence of a flag: the share of flags of its kind that were right.

    Examples
    --------
    >>> Ruler("paper")().signature_parts()["learned"]
    'none'
    """

    profile: str | PathLike[str] | Profile = "default"
    lexicon: UserLexicon = ()
    linker: str | LinkerChoice | None = None
    coref: str | CorefChoice | None = None
    facts: str | PathLike[str] | Verifier | None = None
    questeval: str | PathLike[str] | Questioner | None = None
    similarity: str | PathLike[str] | Similarity | None = None
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
        if isinstance(self.lexicon, Mapping):
            object.__setattr__(self, "lexicon", read_user_lexicons(self.lexicon))

    def __call__(self) -> Pipeline:
        """Make the pipeline."""
        check_backend(self.backend)  # a text may not need it, but a wrong name is an error for any text
        profile = self.profile if isinstance(self.profile, Profile) else load_profile(self.profile)
        try:
            return self._built(profile)
        except (KeyError, TypeError) as error:
            raise DataError(f"the profile {profile.name!r} is not complete: {error}") from error

    def _built(self, profile: Profile) -> Pipeline:
        settings, learned = profile.settings, as_learned(NOTHING if self.learned is None else self.learned)
        strings, resolve = dict(settings["strings"]), dict(settings["resolve"])
        string_rule, sources = strings.pop("rule"), strings.pop("sources")
        make_strings = _rule("string", string_rule, _STRING_RULES)
        # The published algorithm compares RDF labels as they stand; its distances count underscores.
        lexicon = Lexicon(
            tuple(SOURCES) if sources == ["all"] else tuple(sources),
            string_rule == "greedy",
            read_user_lexicons(self.lexicon),
            learned.phrasings,
        )
        coref = self.coref or settings["pronouns"]["resolver"]
        resolver = make_resolver(CorefChoice(coref) if isinstance(coref, str) else coref)
        linked, languages = _linked(self.linker), Languages(self.language)
        return Pipeline(
            strings=make_strings(lexicon, backend=self.backend, **strings),
            proposers=tuple(_proposers(settings, lexicon)),
            filters=tuple(_filters(settings, lexicon)),
            resolve=partial(_rule("resolver", resolve.pop("rule"), _RESOLVER_RULES), **resolve),
            boundaries=_part(settings, "boundaries", partial(Boundaries, contexts=Contexts.of(lexicon.user))),
            descriptions=_part(settings, "descriptions", Descriptions),
            pronouns=Pronouns(resolver, tuple(settings["pronouns"]["words"])),
            anaphora_count=settings["anaphora"]["count"],
            linked=linked,
            languages=languages,
            explainer=_explainer(settings, lexicon, self.min_confidence),
            learned=learned,
            verifier=_verifier(self.facts),
            facts_weight=_share("facts.weight", settings["facts"]["weight"]),
            questioner=_questioner(self.questeval),
            similarity=_similarity(self.similarity),
            parts={
                "profile": f"{profile.name}.v{profile.version}",
                **({"base": profile.base} if profile.base else {}),
                **({"changed": ",".join(profile.changes)} if profile.changes else {}),
                "lexicons": _digest(settings, lexicon),
                "learned": learned.version,
                "linker": "none" if linked is None else linked.linker.version(),
                "coref": resolver.version(),
                "language": languages.version,
            },
        )

    @property
    def learns_wordings(self) -> bool:
        """Return whether a corpus teaches wordings: if the profile says so, and no lexicon has any."""
        return self.learned is None and learns_wordings(self.profile, self.lexicon)

    def taught_by(
        self,
        examples: Iterable[Example],
        outputs: Sequence[Iterable[str]] = (),
        *,
        names: bool = True,
        progress: Progress | None = None,
    ) -> Ruler:
        """Return the ruler for a corpus: itself, unless the corpus teaches something.

        Parameters
        ----------
        examples, outputs
            The corpus, and the texts of each system, which teach only if ``learn_from`` says so.
        names
            Whether claims will be judged, which needs more than wordings.
        progress
            Called while it is learned.
        """
        wordings = self.learns_wordings
        if self.learned is not None or not (names or wordings):
            return self
        pooled = outputs if self.learn_from == "outputs" else ()
        taught = learn(examples, pooled, names=names, wordings=wordings, progress=progress)
        return replace(self, learned=taught)


def learns_wordings(profile: str | PathLike[str] | Profile = "default", lexicon: UserLexicon = ()) -> bool:
    """Return whether wordings are learned from a corpus: if the profile says so, and no lexicon has any.

    Examples
    --------
    >>> learns_wordings("default"), learns_wordings("paper")
    (True, False)
    """
    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    if not _is_on(chosen.settings, "values") or not chosen.settings["values"]["learn"]:
        return False
    return all(split_key(entry.entity) is None for entry in read_user_lexicons(lexicon))


_STRING_RULES: Mapping[str, Callable[..., StringProposer]] = {
    "greedy": GreedyStrings,
    "variants": VariantStrings,
}
_RESOLVER_RULES: Mapping[str, Callable[..., list[Mention]]] = {"distance": by_distance, "weight": by_weight}


def _rule(kind: str, name: str, known: Mapping[str, T]) -> T:
    if name not in known:
        raise UsageError(f"unknown {kind} rule {name!r}; known: {', '.join(known)}")
    return known[name]


def _part(settings: Sections, section: str, make: Callable[..., T]) -> T | None:
    """Make a part with the settings of its section; None if it is off."""
    if not _is_on(settings, section):
        return None
    own = {name: value for name, value in settings[section].items() if name != "on"}
    return make(**{name: tuple(value) if isinstance(value, list) else value for name, value in own.items()})


def _proposers(settings: Sections, lexicon: Lexicon) -> Iterator[Proposer]:
    if (dates := _part(settings, "dates", DateDetector)) is not None:
        yield dates.mentions
    if _is_on(settings, "numbers"):
        yield number_mentions
    if (lists := _part(settings, "lists", Lists)) is not None:
        yield lists.mentions
    if _is_on(settings, "values"):
        yield Values(lexicon).mentions


def _filters(settings: Sections, lexicon: Lexicon) -> Iterator[Filter]:
    if any(entry.kind == "drop" for entry in lexicon.user):
        yield UserRefusals(lexicon).kept
    if _is_on(settings, "values"):
        yield Denied(lexicon).kept


def _explainer(settings: Sections, lexicon: Lexicon, least: float) -> Explainer:
    off = settings["flags"]["off"]
    for name in off:
        if name not in FLAG_NAMES:
            raise UsageError(f"flags.off names {name!r}, which is no flag; known: {', '.join(FLAG_NAMES)}")
    languages = tuple(settings["dates"]["languages"])
    return Explainer(lexicon, languages, frozenset(off), _share("min_confidence", least))


def _share(name: str, value: float) -> float:
    if not 0 <= value <= 1:
        raise UsageError(f"{name} must be between 0 and 1, not {value}")
    return value


def _linked(chosen: str | LinkerChoice | None) -> Linked | None:
    choice = chosen if isinstance(chosen, LinkerChoice) else LinkerChoice(chosen or "none")
    made = make_linker(choice)
    return None if made is None else Linked(*made, choice.allow_failures)


def _verifier(chosen: str | PathLike[str] | Verifier | None) -> Verifier | None:
    if not isinstance(chosen, str | PathLike):
        return chosen
    from esascore.cache import AnswerCache
    from esascore.facts.verifier import EncoderVerifier

    return EncoderVerifier(Path(chosen), AnswerCache())


def _questioner(chosen: str | PathLike[str] | Questioner | None) -> Questioner | None:
    if not isinstance(chosen, str | PathLike):
        return chosen
    from esascore.facts.answering import models_in

    return models_in(Path(chosen))


def _similarity(chosen: str | PathLike[str] | Similarity | None) -> Similarity | None:
    if chosen is None or chosen == "aligned":
        return None
    if not isinstance(chosen, str | PathLike):
        return chosen
    from esascore.facts.similarity import BertScore, TokenF1

    return TokenF1() if chosen == "f1" else BertScore(Path(chosen))


def _digest(settings: Sections, lexicon: Lexicon) -> str:
    """Return a short hash of the contents of the lexicon and of the word lists that other detectors read."""
    readers = {"dates": date_patterns.WORDLISTS, "numbers": units.WORDLISTS, "values": clauses.WORDLISTS}
    read = [name for section, lists in readers.items() if _is_on(settings, section) for name in lists]
    if settings["strings"]["rule"] == "variants":
        read += sentences.WORDLISTS
    return sha256(f"{lexicon.digest}{lexicon_digest(read)}".encode()).hexdigest()[:12]


def _is_on(settings: Sections, section: str) -> bool:
    return section in settings and settings[section]["on"]
