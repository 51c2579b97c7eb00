"""A language as the checks see it: its code, and which checks work in it."""

from __future__ import annotations

from dataclasses import dataclass

UNKNOWN = "und"
"""The code of a language of which only the script is known."""

# Nouns have capitals there, so a capital is no sign of a name.
_NOUNS_WITH_CAPITALS = frozenset({"de", "lb"})
# Scripts with capitals are Latin, Cyrillic, Greek and Armenian; these languages are written in others.
_WITHOUT_CAPITALS = frozenset({
    "am", "ar", "as", "bn", "dv", "dz", "fa", "gu", "he", "hi", "ja", "ka", "km", "kn", "ko", "ks", "lo",
    "ml", "mr", "my", "ne", "or", "pa", "ps", "sd", "si", "ta", "te", "th", "ti", "ug", "ur", "yi", "zh",
})  # fmt: skip
_ENGLISH_ONLY = (
    "names by dictionary", "truth values", "negation", "order and opposites", "numbers in words",
    "articles and pronouns", "words for relations",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Language:
    """A language, given by its code (ISO 639).

    Examples
    --------
    >>> Language("de").english, Language("de").capitals_tell_names, Language("fr").capitals_tell_names
    (False, False, True)
    >>> [check for check, _ in Language("ar").checks_off][-1]
    'names by capitals'
    """

    code: str = "en"

    @property
    def english(self) -> bool:
        """Whether the word lists, the dictionary and the rules of English apply."""
        return self.code == "en"

    @property
    def capitals_tell_names(self) -> bool:
        """Whether a capital inside a sentence is a sign of a name."""
        return self.code not in _NOUNS_WITH_CAPITALS and self.code not in _WITHOUT_CAPITALS

    @property
    def checks_off(self) -> tuple[tuple[str, str], ...]:
        """The checks that are left out in this language, each with the reason."""
        if self.english:
            return ()
        off = [(check, "it needs English") for check in _ENGLISH_ONLY]
        if not self.capitals_tell_names:
            nouns = self.code in _NOUNS_WITH_CAPITALS
            off.append(("names by capitals", "all nouns have them" if nouns else "the script has none"))
        return tuple(off)


ENGLISH = Language()
"""The language of a text unless another one is known."""
