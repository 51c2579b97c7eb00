"""A text as all parts read it: tokens, words, sentences and casing, each computed once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from esascore.languages import ENGLISH, Language
from esascore.lazy import lazy
from esascore.model import Input
from esascore.text.casing import Casing
from esascore.text.markdown import Unmarked, plain, unmarked
from esascore.text.normalize import lowered_in_place
from esascore.text.respelling import named_in, respelled
from esascore.text.sentences import sentence_places
from esascore.text.tokenize import Tokens, split_words
from esascore.text.words import FoldedWords

T = TypeVar("T")
_NO_INPUT = Input()
_GIVEN = frozenset(("input", "source", "language"))


@dataclass(frozen=True)
class Document:
    """A text with the input that it should verbalise; each reading of it is computed on first access.

    Examples
    --------
    >>> document = Document(Input(), "Café de Paris, 1,299 m. It is high.")
    >>> document.words.joined, document.sentences
    ('cafe de paris 1 299 m it is high', (0, 9))
    """

    input: Input
    source: str

    @lazy
    def language(self) -> Language:
        """The language that it is written in; English unless `written_in` was told."""
        return ENGLISH

    def written_in(self, language: Language) -> None:
        """Note the language of the text, before anything reads it."""
        self.__dict__["language"] = language

    @lazy
    def text(self) -> str:
        """The text without the marks of Markdown, each character where it is in the source."""
        return plain(self.source)

    @lazy
    def reading(self) -> Unmarked | None:
        """The text as it is read, and where its characters were; None if that is the text itself.

        Marks of Markdown are left out; in other languages than English figures and names are respelled.
        """
        reading = unmarked(self.source, self.text)
        if self.language.english:
            return reading
        own = respelled(self.source if reading is None else reading.text, self._named, self.language)
        return own if reading is None else own.after(reading)

    @property
    def _named(self) -> Input:
        return self.input if self.language.english else named_in(self.input, self.language)

    @lazy
    def as_read(self) -> Document:
        """The document that the checks read: itself, or the one of its reading."""
        if self.reading is None:
            return self
        document = Document.unmarked(self._named, self.reading.text)
        document.written_in(self.language)
        return document

    def __iter__(self) -> Iterator[Input | str]:
        """Yield the input and the text: a document can be unpacked as that pair."""
        return iter((self.input, self.source))

    @classmethod
    def unmarked(cls, input_: Input, text: str) -> Document:
        """Return the document of a text that has no marks any more."""
        document = cls(input_, text)
        document.__dict__["text"] = text
        return document

    @lazy
    def _found(self) -> dict[Hashable, Any]:
        return {}

    def found(self, find: Callable[..., T], **settings: Hashable) -> T:
        """Return what a function finds in the text; it is called once, and the result must not be changed.

        Examples
        --------
        >>> document = Document(Input(), "in 1999")
        >>> document.found(str.split) is document.found(str.split)
        True
        """
        key = (find, *settings.items())
        if key not in self._found:
            self._found[key] = find(self.text, **settings)
        return cast(T, self._found[key])

    def once(self, read: Callable[[Document], T]) -> T:
        """Return how a function reads the document; it is called once, and the result must not be changed.

        Examples
        --------
        >>> document = read("in 1999")
        >>> document.once(lambda one: len(one.text))
        7
        """
        if read not in self._found:
            self._found[read] = read(self)
        return cast(T, self._found[read])

    def forget(self) -> None:
        """Drop what was read, much of which refers to the document: no search for cycles has to find it."""
        own = self.__dict__
        if (other := own.pop("as_read", self)) is not self:
            other.forget()
        for name in own.keys() - _GIVEN:
            del own[name]

    @lazy
    def lowered(self) -> str:
        """The text in small letters, each character in its place."""
        return lowered_in_place(self.text)

    @lazy
    def tokens(self) -> Tokens:
        """The words and other characters of the text."""
        return split_words(self.text)

    @lazy
    def words(self) -> FoldedWords:
        """The words without case, diacritics and punctuation."""
        if self.text.isascii():
            return FoldedWords.of(self.text)
        return FoldedWords.of_tokens(self.tokens)

    @lazy
    def word_tokens(self) -> tuple[int, ...]:
        """The number of the token that each word was made of."""
        starts = self.tokens.starts
        return tuple([bisect_left(starts, start) for start in self.words.starts])

    @lazy
    def sentence_places(self) -> list[int]:
        """Where each sentence begins in the text."""
        return sentence_places(self.text)

    @lazy
    def sentences(self) -> tuple[int, ...]:
        """The number of the token that each sentence begins with."""
        starts = self.tokens.starts
        return tuple([bisect_left(starts, place) for place in self.sentence_places])

    @lazy
    def casing(self) -> Casing:
        """The sentences in which capitals are a sign of names."""
        return Casing(self.text, self.words, self.sentence_places)

    @property
    def sentence_numbers(self) -> tuple[int, ...]:
        """The number of the sentence that each token is in."""
        return tuple([bisect_right(self.sentences, token) - 1 for token in range(len(self.tokens))])


def read_words(documents: Iterable[Document]) -> None:
    """Read the words of documents, which is faster for all at once.

    Examples
    --------
    >>> documents = [read("It is old."), read("Łódź")]
    >>> read_words(documents)
    >>> documents[0].words == FoldedWords.of("It is old.")
    True
    """
    plain_ones = [document for document in documents if document.text.isascii()]
    texts = [document.text for document in plain_ones]
    for document, words in zip(plain_ones, FoldedWords.of_all(texts), strict=True):
        document.__dict__["words"] = words


def read(text: str) -> Document:
    """Return the document of a text that has no input.

    Examples
    --------
    >>> read("It is old.").tokens.texts
    ('It', 'is', 'old', '.')
    """
    return Document(_NO_INPUT, text)


NO_TEXT = read("")
"""An empty text."""
