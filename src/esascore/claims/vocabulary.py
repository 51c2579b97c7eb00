"""What an input explains: the words that a text may say because of it.

A word is explained if it is one of a label, of a surface form, of a property or the category, or is derived
from one: a stem, a demonym or its country, initials, a code, a misspelling. A misspelling explains only words
that are not names themselves: Australia does not explain Austria.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial

from esascore.text.phrases import Phrases
from esascore.text.stem import stem
from esascore.text.vocabulary import english_words, function_words

_KNOWN, _LIKENESS = "known", "likeness"
_LIKE, _FAR = 0.34, 0.341  # the largest distance of two words that are alike; one that is certainly larger


@dataclass(frozen=True)
class Explained:
    """What an input explains; `Explainer` makes it.

    Attributes
    ----------
    words, kinds, stems, initials, codes, clipped
        Folded words; nouns for the kinds of things that the entities are; the words' stems; first letters of
        runs of words; labels without spaces and punctuation; what a label abbreviates words to (*Sc.*).
    persons
        The words of persons' names.
    phrases
        Labels and surface forms of several words.
    wordings
        Stems of the words in which a text may put the properties.
    languages
        ISO codes of the languages that texts are written in.
    properties
        The properties of the input.
    tails
        The symbols that belong to words with a digit: the plus of an S24+.
    abbreviations
        Codes of three letters that no list knows, in small letters: LHR.
    judged, opens
        The words that texts had so far, and those of them that may be names that nothing explains.
    """

    words: frozenset[str]
    kinds: frozenset[str]
    stems: frozenset[str]
    initials: frozenset[str]
    codes: tuple[str, ...]
    clipped: tuple[str, ...]
    persons: frozenset[str]
    phrases: Phrases
    wordings: frozenset[str]
    languages: tuple[str, ...]
    properties: frozenset[str] = frozenset()
    _long: tuple[str, ...] = ()
    tails: Mapping[str, frozenset[str]] = field(default_factory=dict)
    abbreviations: frozenset[str] = frozenset()
    _heads: Mapping[str, Sequence[str]] = field(init=False, repr=False, compare=False)
    _by_size: Mapping[int, Sequence[str]] = field(init=False, repr=False, compare=False)
    _codes: str = field(init=False, repr=False, compare=False)
    _starts: str = field(init=False, repr=False, compare=False)
    _near: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    _known: dict[str, str | None] = field(default_factory=dict, repr=False, compare=False)
    judged: set[str] = field(default_factory=set, repr=False, compare=False)
    opens: set[str] = field(default_factory=set, repr=False, compare=False)
    _compared: set[str] = field(default_factory=set, repr=False, compare=False)
    _like: set[str] = field(default_factory=set, repr=False, compare=False)

    def __post_init__(self) -> None:
        heads: dict[str, list[str]] = defaultdict(list)
        sizes: dict[int, list[str]] = defaultdict(list)
        for own in self._long:
            heads[own[:4]].append(own)
            sizes[len(own)].append(own)
        object.__setattr__(self, "_heads", heads)
        object.__setattr__(self, "_by_size", sizes)
        # In lines of one string a word is found faster than in one code or word after the other.
        object.__setattr__(self, "_codes", "\n".join(self.codes))
        object.__setattr__(self, "_starts", "\n".join(["", *self._long]))

    def word(self, word: str) -> bool:
        """Tell whether a folded word is explained.

        Examples
        --------
        >>> from esascore.claims.explainer import Explainer
        >>> from esascore.lexicon import Lexicon
        >>> from esascore.model import Graph
        >>> graph = Graph.from_triples([("Kestrel_Arena", "country", "Norway")])
        >>> explained = Explainer(Lexicon()).explain(graph)
        >>> [explained.word(word) for word in ("arenas", "norwegian", "kestral", "ka", "sweden")]
        [True, True, True, True, False]
        """
        return self._reason(word) is not None

    def resembles_person(self, word: str) -> bool:
        """Tell whether a folded word is explained by nothing but its likeness to a person's name.

        A misspelt place is still that place; a misspelt person may well be another one.

        Examples
        --------
        >>> from esascore.claims.explainer import Explainer
        >>> from esascore.lexicon import Lexicon
        >>> from esascore.model import Graph
        >>> graph = Graph.from_triples([("Jane_Marlowe", "birthPlace", "Trondheim")])
        >>> explained = Explainer(Lexicon()).explain(graph)
        >>> [explained.resembles_person(word) for word in ("marlawe", "marlowe", "trondhem")]
        [True, False, False]
        """
        if self._reason(word) != _LIKENESS:
            return False
        is_name = word in english_words().proper
        return any(len(own) > 3 and _resembles(word, own, is_name) for own in self.persons)

    def like_persons(self, words: Sequence[str]) -> set[str]:
        """Return the words that `resembles_person`; those without content are none."""
        if not self.persons:
            return set()
        if not self._compared.issuperset(words):
            new = set(words) - self._compared
            self._compared.update(new)
            # Shorter words resemble nothing.
            named = [word for word in new - function_words("number") if len(word) > 3]
            self._like.update(filter(self.resembles_person, named))
        return self._like.intersection(words)

    def _reason(self, word: str) -> str | None:
        try:
            return self._known[word]
        except KeyError:
            reason = self._known[word] = self._explanation(word)
            return reason

    def says(self, word: str) -> bool:
        """Tell whether a folded word is explained, or may put a property into words.

        Examples
        --------
        >>> from esascore.claims.explainer import Explainer
        >>> from esascore.lexicon import Lexicon
        >>> from esascore.model import Graph
        >>> explained = Explainer(Lexicon()).explain(Graph.from_triples([("Ada", "birthPlace", "London")]))
        >>> explained.says("born"), explained.word("born"), explained.says("married")
        (True, False, False)
        """
        return self._reason(word) is not None or stem(word) in self.wordings

    def _explanation(self, word: str) -> str | None:
        if word in self.words or word in self.initials:
            return _KNOWN
        if len(word) > 4 and stem(word) in self.stems:
            return _KNOWN
        if word.endswith("s") and (word[:-1] in self.initials or word[:-1] in self.words):
            return _KNOWN
        if len(word) < 3:
            return None
        if len(word) == 3:
            known = word in english_words().common or word in english_words().proper
            return _KNOWN if not known and self._is_start(word) else None
        if self.clipped and word.startswith(self.clipped):
            return _KNOWN
        if len(word) > 4 and word in self._codes:
            return _KNOWN
        dictionary = english_words()
        is_name = word in dictionary.proper
        if not is_name and word not in dictionary.common and self._is_start(word):
            return _KNOWN  # cut short, or before a character that could not be written
        # What is alike begins with the same letters, or needs few edits.
        if any(_resembles(word, own, is_name) for own in self._heads.get(word[:4], ())):
            return _LIKENESS
        return _LIKENESS if any(_resembles(word, own, is_name) for own in self._near_to(word)) else None

    def _near_to(self, word: str) -> Iterable[str]:
        """Return those of the longer words whose distance to a word may be small enough."""
        size = len(word)
        own = self._near.get(size)
        if own is None:  # each letter more or less is an edit
            own = tuple(
                [
                    word
                    for length, some in self._by_size.items()
                    if abs(length - size) <= _FAR * max(length, size)
                    for word in some
                ]
            )
            self._near[size] = own
        return (found[0] for found in _nearest()(word, own, score_cutoff=_FAR)) if own else ()

    def _is_start(self, word: str) -> bool:
        """Tell whether one of the longer words begins with another one."""
        return f"\n{word}" in self._starts


def _resembles(word: str, own: str, is_name: bool) -> bool:
    """Tell whether a word may be a misspelling, clipping or inflection of one of the input."""
    if abs(len(word) - len(own)) > 4:
        return False
    if word[0] != own[0] and {word, own} <= english_words().common:
        return False  # nobody misspells one common word as another from its first letter on: Pine, Vine
    longest = max(len(word), len(own))
    limit = int(_LIKE * longest)
    distance = _osa_distance()(word, own, score_cutoff=limit)
    if distance <= limit and (longest >= 7 and distance == 1 if is_name else distance == 1 or longest > 5):
        return True
    shared = 0
    for a, b in zip(word, own, strict=False):
        if a != b:
            break
        shared += 1
    shortest = min(len(word), len(own))
    # Austria is not an inflection of Australia, though most of it is the same.
    return shared > 3 and shared >= (1.0 if is_name else 0.7) * shortest


# Imported when first needed, but not again for each of many comparisons.
@lru_cache(maxsize=1)
def _osa_distance() -> Callable[..., int]:
    from rapidfuzz.distance import OSA

    return OSA.distance


@lru_cache(maxsize=1)
def _nearest() -> Callable[..., Iterable[tuple[str, float, int]]]:
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    return partial(extract, scorer=OSA.normalized_distance, limit=None)
