"""Detects the entities of inputs in texts, with the detectors that it was given.

Data flow in one direction: detectors propose mentions, the resolver decides which are kept, their boundaries
are set, descriptions and pronouns are added, and a policy decides which entities are thereby detected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from esascore.detectors.base import Filter, Proposer, StringProposer
from esascore.detectors.boundaries import Boundaries
from esascore.detectors.descriptions import Descriptions
from esascore.detectors.linked import Linked
from esascore.detectors.pronouns import Pronouns
from esascore.languages import Languages
from esascore.languages.detection import words_of
from esascore.model import Detection, Input, LazyMentions, Links, Mention, once_per_input
from esascore.text.blank import is_blank
from esascore.text.document import NO_TEXT, Document, read_words


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDetector:
    """Detects entities; `esascore.pipeline.build_pipeline` says how it is used.

    Attributes
    ----------
    strings, proposers
        The detectors that propose mentions, besides the linker.
    filters
        The filters that drop some of the proposals for a document.
    resolve
        Decides which proposals are kept.
    boundaries, descriptions, pronouns
        The parts that set the boundaries of mentions, and add mentions that refer to them.
    anaphora_count
        Whether such a mention alone proves that an entity is mentioned.
    linked
        Asks an entity linker.
    languages
        Says which language a text is written in.
    """

    strings: StringProposer
    proposers: tuple[Proposer, ...]
    filters: tuple[Filter, ...]
    resolve: Callable[[list[Mention]], list[Mention]]
    boundaries: Boundaries | None
    descriptions: Descriptions | None
    pronouns: Pronouns
    anaphora_count: bool
    linked: Linked | None
    languages: Languages

    def detect(self, items: Sequence[tuple[Input, str] | Document], *, whole: bool = True) -> list[Detection]:
        """Detect the entities of each input in its text; one result per item, in order.

        Unless the ``whole`` result is asked for, the boundaries of mentions and anaphora are found when
        somebody asks for the mentions of a text, if they do not prove that entities are mentioned.
        """
        documents = [item if isinstance(item, Document) else Document(*item) for item in items]
        blank = [is_blank(document.source) for document in documents]
        spoken = [document for document, nothing in zip(documents, blank, strict=True) if not nothing]
        found = iter(self._detected(spoken, whole))
        no_links: Links | None = None if self.linked is None else ()
        return [
            Detection(document.source, (own := _required(document.input)), (), own, no_links)
            if nothing
            else next(found)
            for document, nothing in zip(documents, blank, strict=True)
        ]

    def _detected(self, sources: Sequence[Document], whole: bool) -> list[Detection]:
        for source in sources:
            source.written_in(self.languages.of(source.source, partial(_words, source.input)))
        documents = [source.as_read for source in sources]
        if len(documents) >= _MANY:
            read_words(documents)
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
            known[at] if at in known else LazyMentions(partial(self._complete, *one))
            for at, one in enumerate(zip(documents, named, strict=True))
        ]
        for at in open_:
            undetected[at] = _undetected(required[at], mentions[at])
        texts = [document.text for document in documents]
        codes = [document.language.code for document in documents]
        detections = map(Detection, texts, required, mentions, undetected, links, codes)
        return [
            found if source.reading is None else found.moved(source.source, source.reading.to_source)
            for source, found in zip(sources, detections, strict=True)
        ]

    def links(self, documents: Sequence[Document]) -> Sequence[Links | None]:
        """Return the links of each document; None if there is no linker."""
        return [None] * len(documents) if self.linked is None else self.linked.ask(documents)

    def cores(self, documents: Sequence[Document], links: Sequence[Links | None]) -> list[list[Mention]]:
        """Return the mentions that are kept, in text order, before their boundaries are set."""
        return list(map(self._core, documents, links, self.strings.propose(documents)))

    def _core(self, document: Document, links: Links | None, strings: list[Mention]) -> list[Mention]:
        proposals = [] if self.linked is None or links is None else self.linked.mentions(document, links)
        proposals += strings
        for proposed in self.proposers:
            proposals += proposed(document)
        for kept in self.filters:
            proposals = kept(document, proposals)
        return self.resolve(proposals)

    def _complete(self, document: Document, names: list[Mention]) -> Sequence[Mention]:
        return self._completed([document], [names])[0]

    def _completed(
        self, documents: Sequence[Document], named: Sequence[list[Mention]]
    ) -> list[Sequence[Mention]]:
        """Set the boundaries of the mentions that are kept, and add anaphora; in text order."""
        documents = [document if document.language.english else NO_TEXT for document in documents]
        known = []
        for document, own in zip(documents, named, strict=True):
            mentions = own
            if self.boundaries is not None and document is not NO_TEXT:
                mentions = self.boundaries.extend(document, own)
            if self.descriptions is not None:
                mentions = _in_text_order(mentions, self.descriptions.mentions(document, mentions))
            known.append(mentions)
        pronouns = self.pronouns.propose(documents, known)
        return [tuple(_in_text_order(*pair)) for pair in zip(known, pronouns, strict=True)]


_MANY = 8  # texts, of which words are read sooner all at once than one by one


def _undetected(required: Sequence[str], proof: Sequence[Mention]) -> tuple[str, ...]:
    """Return the entities that a text must mention and of which none of its mentions is one."""
    detected = set(map(_entity_of, proof))
    for others in filter(None, map(_others_of, proof)):
        detected.update(others)
    return tuple([entity for entity in required if entity not in detected])


# Called by `map`, these take less than half as long as reading the attributes one by one.
_entity_of: Callable[[Mention], str] = attrgetter("entity")
_others_of: Callable[[Mention], tuple[str, ...]] = attrgetter("also")


def _in_text_order(names: list[Mention], pointers: Sequence[Mention]) -> list[Mention]:
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
