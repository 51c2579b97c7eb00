"""Builds the detector of a profile: the one place that knows all parts.

Texts flow through it in one direction: detectors propose mentions, the resolver decides which stand,
anaphora is read off the decision, and the profile's policy says which entities are thereby detected.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from esascore.errors import UsageError
from esascore.model import Detection, Input, Mention
from esascore.profiles import Profile, Settings, load_profile
from esascore.text.blank import is_blank

if TYPE_CHECKING:
    from esascore.coref.base import CorefResolver
    from esascore.detect.base import AnaphorDetector, Detector, Document
    from esascore.lexicon import Lexicon


COREF: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "root": ("esascore.coref.root", "RootResolver"),
    }
)
"""Name of a coreference resolver -> module and factory, imported when first used."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Detects the entities of inputs in texts.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Bionico", "country", "Mexico"), ("Bionico", "course", "Dessert")])
    >>> [found] = build_pipeline("paper").detect([(graph, "It is a dessert.")])
    >>> [(m.entity, m.text, m.method) for m in found.mentions], found.undetected
    ([('Bionico', 'It', 'pronoun'), ('Dessert', 'dessert.', 'string')], ('Mexico',))
    """

    profile: Profile
    detectors: tuple[Detector, ...]
    anaphora: tuple[AnaphorDetector, ...]
    anaphora_count: bool
    parts: tuple[tuple[str, str], ...]

    def detect(self, items: Sequence[tuple[Input, str]], *, threads: int = 1) -> list[Detection]:
        """Detect the entities of each input in its text; one result per item, in order."""
        from esascore.detect.base import Document
        from esascore.resolve import by_distance

        spoken = [index for index, (_, text) in enumerate(items) if not is_blank(text)]
        documents = [Document(*items[index]) for index in spoken]
        proposals: list[list[Mention]] = [[] for _ in documents]
        for detector in self.detectors:
            for own, new in zip(proposals, detector.propose(documents, threads=threads), strict=True):
                own.extend(new)
        named = [by_distance(some) for some in proposals]
        results: list[Detection | None] = [None] * len(items)
        anaphora = self._anaphora(documents, named)
        for index, document, names, pointers in zip(spoken, documents, named, anaphora, strict=True):
            results[index] = self._detection(document, names, pointers)
        return [
            result if result is not None else _nothing(*item)
            for item, result in zip(items, results, strict=True)
        ]

    def signature_parts(self) -> dict[str, str]:
        """Return every setting of detection that can change a number."""
        return dict(self.parts)

    def _anaphora(
        self, documents: Sequence[Document], named: Sequence[Sequence[Mention]]
    ) -> list[list[Mention]]:
        found: list[list[Mention]] = [[] for _ in documents]
        for detector in self.anaphora:
            known = [[*names, *own] for names, own in zip(named, found, strict=True)]
            for own, new in zip(found, detector.propose(documents, known), strict=True):
                own.extend(new)
        return found

    def _detection(
        self, document: Document, names: Sequence[Mention], pointers: Sequence[Mention]
    ) -> Detection:
        proof = [*names, *pointers] if self.anaphora_count else names
        detected = {mention.entity for mention in proof}
        entities = tuple(entity.term for entity in document.input.entities)
        mentions = sorted((*names, *pointers), key=lambda mention: (mention.start, mention.end))
        undetected = tuple(entity for entity in entities if entity not in detected)
        return Detection(document.text, entities, tuple(mentions), undetected)


def build_pipeline(
    profile: str | PathLike[str] | Profile = "default",
    *,
    lexicons: Sequence[str | PathLike[str]] = (),
    linker: str | None = None,
    coref: str | None = None,
    backend: str = "auto",
) -> Pipeline:
    """Build the detector of a profile.

    Parameters
    ----------
    profile
        Name of a profile, path of one's own, or a profile.
    lexicons
        Further lexicon files.
    linker, coref
        Names that replace those of the profile.
    backend
        Which implementation compares strings; never changes a number.
    """
    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    settings = chosen.settings
    lexicon = _lexicon(settings["strings"], lexicons)
    resolver = _resolver(coref or settings["pronouns"]["resolver"])
    if linker not in (None, "none"):
        raise UsageError(f"unknown linker {linker!r}; known: none")
    return Pipeline(
        chosen,
        _detectors(settings, lexicon, backend),
        _anaphor_detectors(settings, resolver),
        settings["pronouns"]["count"],
        (
            ("profile", f"{chosen.name}.v{chosen.version}"),
            *((("base", chosen.base),) if chosen.base else ()),
            *((("changed", ",".join(chosen.changes)),) if chosen.changes else ()),
            ("lexicons", "none"),
            ("linker", "none"),
            ("coref", resolver.version()),
        ),
    )


def _lexicon(settings: dict[str, Any], files: Sequence[str | PathLike[str]]) -> Lexicon:
    from esascore.lexicon import Lexicon

    return Lexicon(sources=tuple(settings["sources"]), keep_underscores=settings["rule"] == "greedy")


def _detectors(settings: Settings, lexicon: Lexicon, backend: str) -> tuple[Detector, ...]:
    from esascore.detect.dates import DateDetector
    from esascore.detect.strings import GreedyStrings

    return (
        GreedyStrings(lexicon, settings["strings"]["max_distance"], backend),
        DateDetector(tuple(settings["dates"]["forms"])),
    )


def _anaphor_detectors(settings: Settings, resolver: CorefResolver) -> tuple[AnaphorDetector, ...]:
    from esascore.detect.pronouns import Pronouns

    return (Pronouns(resolver, tuple(settings["pronouns"]["words"])),)


def _resolver(name: str) -> CorefResolver:
    if name not in COREF:
        raise UsageError(f"unknown coreference resolver {name!r}; known: {', '.join(COREF)}")
    module, factory = COREF[name]
    resolver: CorefResolver = getattr(importlib.import_module(module), factory)()
    return resolver


def _nothing(input_: Input, text: str) -> Detection:
    entities = tuple(entity.term for entity in input_.entities)
    return Detection(text, entities, (), entities)
