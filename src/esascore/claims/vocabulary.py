"""What an input explains: the words that a text may say because of it.

A word is explained if it is one of a label, of a surface form, of a property or the category, or is derived
from one: a stem, a demonym or its country, initials, a code, a misspelling. A misspelling explains only words
that are not names themselves: Australia does not explain Austria.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from esascore.literals.date_patterns import time_words
from esascore.text.phrases import Phrases
from esascore.text.stem import stem
from esascore.text.vocabulary import WEEKDAYS, english_words, function_words, title_words

_LIKE, _FAR = 0.34, 0.341  # the largest distance of two words that are alike; one that is certainly larger


class Passing:
    """The words that pass a test, each of which is tested once.

    Examples
    --------
    >>> capital = Passing(str.isupper)
    >>> capital.among(("A", "b")), capital.among(("b",))
    ({'A'}, set())
    """

    def __init__(self, test: Callable[[str], bool]):
        self._test = test
        self._tested: set[str] = set()
        self._passed: set[str] = set()

    def among(self, words: Iterable[str]) -> set[str]:
        """Return those of some words that pass."""
        if not self._tested.issuperset(words):
            new = set(words) - self._tested
            self._tested |= new
            self._passed.update(filter(self._test, new))
        return self._passed.intersection(words)


@dataclass
class Explained:
    """What an input explains; `Explainer` makes it.

    Attributes
    ----------
    words, kinds, initials, clipped
        Folded words; nouns for the kinds of things that the entities are; first letters of runs of words;
        what a label abbreviates words to (*Sc.*).
    persons
        The words of persons' names.
    phrases
        Labels and surface forms of several words.
    properties, wordings
        The properties of the input, and stems of the words in which a text may put them.
    languages
        ISO codes of the languages that texts are written in.
    abbreviations
        Codes of three letters that no list knows, in small letters: LHR.
    """

    words: frozenset[str]
    kinds: frozenset[str]
    initials: frozenset[str]
    clipped: frozenset[str]
    persons: frozenset[str]
    phrases: Phrases
    properties: frozenset[str]
    wordings: frozenset[str]
    languages: tuple[str, ...]
    abbreviations: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        long = [word for word in self.words if len(word) > 3]
        self._stems = frozenset(map(stem, long))
        self._long = [word for word in long if not word.isdigit()]
        self._heads: dict[str, list[str]] = defaultdict(list)
        for own in self._long:
            self._heads[own[:4]].append(own)
        # In lines of one string a beginning is found faster than in one word after the other.
        self._starts = "\n".join(["", *self._long])
        self._clipped = tuple(self.clipped)
        self._no_names = _no_names() | time_words(self.languages)
        self._known: dict[str, bool] = {}
        self.unexplained_words = Passing(self._may_be_name)
        """Those that may be names and have no explanation."""

    def word(self, word: str) -> bool:
        """Return whether a folded word is explained.

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
        if word not in self._known:
            self._known[word] = self._is_known(word) or any(
                _resembles(word, own) for own in self._similar(word)
            )
        return self._known[word]

    def says(self, word: str) -> bool:
        """Return whether a folded word is explained, or may put a property into words.

        Examples
        --------
        >>> from esascore.claims.explainer import Explainer
        >>> from esascore.lexicon import Lexicon
        >>> from esascore.model import Graph
        >>> explained = Explainer(Lexicon()).explain(Graph.from_triples([("Ada", "birthPlace", "London")]))
        >>> explained.says("born"), explained.word("born"), explained.says("married")
        (True, False, False)
        """
        return self.word(word) or stem(word) in self.wordings

    def _may_be_name(self, word: str) -> bool:
        """Return whether a word may be a name: a misspelt place is that place, a person may be another."""
        if len(word) < 2 or word in self._no_names or not word.isalpha():
            return False
        is_like_person = any(_resembles(word, own) for own in self.persons)
        return not self.word(word) or (is_like_person and not self._is_known(word))

    def _is_known(self, word: str) -> bool:
        if word in self.words or word in self.initials:
            return True
        if len(word) > 4 and stem(word) in self._stems:
            return True
        if word.endswith("s") and word[:-1] in self.words:
            return True
        if len(word) < 3:
            return False
        dictionary = english_words()
        has_entry = word in dictionary.common or word in dictionary.proper
        if not has_entry and f"\n{word}" in self._starts:
            return True  # cut short, or before a character that could not be written
        return len(word) > 3 and bool(self._clipped) and word.startswith(self._clipped)

    def _similar(self, word: str) -> Iterator[str]:
        """Yield the longer words that begin with the same letters, or need few edits."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract_iter

        yield from self._heads.get(word[:4], ())
        for own, _, _ in extract_iter(word, self._long, scorer=OSA.normalized_distance, score_cutoff=_FAR):
            yield own


@cache
def _no_names() -> frozenset[str]:
    """Return the words that make no name whatever their case."""
    days = {day[:3] for day in WEEKDAYS} - {"sun"} | {f"{day}s" for day in WEEKDAYS}
    return function_words("number", "abbreviation", "format") | title_words() | days


def _resembles(word: str, own: str) -> bool:
    """Return whether a word may be a misspelling, clipping or inflection of a longer one of the input."""
    from rapidfuzz.distance import OSA, Prefix

    shortest, longest = sorted((len(word), len(own)))
    if shortest < 4 or longest - shortest > 4:
        return False
    if word[0] != own[0] and {word, own} <= english_words().common:
        return False  # nobody misspells one common word as another from its first letter on: Pine, Vine
    is_name = word in english_words().proper
    distance = OSA.distance(word, own)
    if distance <= _LIKE * longest and (
        longest >= 7 and distance == 1 if is_name else distance == 1 or longest > 5
    ):
        return True
    shared = Prefix.similarity(word, own)
    # Austria is not an inflection of Australia, though most of it is the same.
    return shared > 3 and shared >= (1.0 if is_name else 0.7) * shortest
