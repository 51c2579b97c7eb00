"""Which language a text is written in, as a user says or as the text itself shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any
from unicodedata import name as character_name

from esascore.errors import UsageError
from esascore.languages.language import ENGLISH, UNKNOWN, Language

AUTO = "auto"
"""The language of each text is detected."""

# Words of nearly every English text, and words of texts in other languages that also have some of them. If
# the former prevail, nothing needs to be computed.
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(
    _WORD.findall(
        "the and with which from its were The It This There has have are is was by for an born died founded "
        "located written produced known called been people"
    )
)
# Words of short English texts without any of those, and of no other language: they save loading the model.
_ONLY_ENGLISH = _ENGLISH.union(
    _WORD.findall(
        "who whose his they their when where which after before through into such than only not began "
        "started ended retired found made makes offers offer provides produces products features includes "
        "contains serves covers follows measures weighs lives resides plays played performs performed "
        "performing starring discovered designed created published received used uses tall away usually "
        "runtime assembled"
    )
)
_FOREIGN = frozenset(
    _WORD.findall(
        "est une un et dans pour avec sur été es una en con por fue y é uma em com foi não è che il nel "
        "het een werd zijn voor op der das und ist ein eine mit wurde im den av och og er på ve bir je se na "
        "v ya wa kwa jest w os dos los las el le la les da de di van"
    )
)
_CODE = re.compile("[a-z]{2,3}")
_PART = re.compile("[A-Z]?[a-z]+")  # of camel case
# Another language must be this probable, and so much more probable than English: of 84,909 English texts none
# reaches a ratio of 15, of 192 texts in eight other languages none is below 200.
_SURE, _RATIO = 0.4, 50
_FEW_LETTERS = 12
_REMEMBERED = 1 << 12
_SCRIPTS_OF_ONE_LANGUAGE = {
    "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "CJK": "zh", "THAI": "th", "HEBREW": "he",
    "GREEK": "el", "GEORGIAN": "ka", "ARMENIAN": "hy", "TAMIL": "ta", "TELUGU": "te", "BENGALI": "bn",
}  # fmt: skip


@dataclass(frozen=True)
class Languages:
    """Decides which language a text is written in.

    Parameters
    ----------
    chosen
        A code, which all texts then have, or ``auto``.

    Examples
    --------
    >>> Languages("de").of("It is old.").code, Languages().of("It is an old town.").code
    ('de', 'en')
    """

    chosen: str = AUTO
    _detected: Callable[[str], Language] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.chosen != AUTO and not _CODE.fullmatch(self.chosen):
            raise UsageError(f"a language is auto or a code such as de, not {self.chosen!r}")
        object.__setattr__(self, "_detected", lru_cache(_REMEMBERED)(detected))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.chosen,)

    def of(self, text: str, names: Callable[[], frozenset[str]] = frozenset) -> Language:
        """Return the language of a text; the words of ``names`` are of none."""
        if self.chosen != AUTO:
            return Language(self.chosen)
        words = text.split()
        if not _ENGLISH.isdisjoint(words) and (
            _FOREIGN.isdisjoint(words)
            or sum(map(_ENGLISH.__contains__, words)) > 2 * sum(map(_FOREIGN.__contains__, words))
        ):
            return ENGLISH
        known = names()
        return self._detected(" ".join(w for w in _WORD.findall(text) if w.lower() not in known))

    @property
    def version(self) -> str:
        """What the signature says: the code, or how languages are detected."""
        if self.chosen != AUTO:
            return self.chosen
        return AUTO if has_detector() else f"{AUTO}-by-script"


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the words of texts in small letters.

    Examples
    --------
    >>> sorted(words_of(["Abilene,_Texas", "birthPlace"]))
    ['abilene', 'birth', 'birthplace', 'place', 'texas']
    """
    found = {word for text in texts for word in _WORD.findall(text)}
    return frozenset(word.lower() for word in found.union(*map(_PART.findall, found)))


def detected(text: str) -> Language:
    """Return the language that words show; English where that is unsure.

    Examples
    --------
    >>> detected("42").code, detected("東京は日本の首都です").code
    ('en', 'ja')
    """
    letters = [c for c in text if c.isalpha()]
    foreign = [c for c in letters if c > "\u024f" and not "\u1e00" <= c <= "\u1eff"]
    if 2 * len(foreign) > len(letters):
        return Language(_of_script(text, foreign))
    words = text.split(" ")
    small = [word for word in words if word.islower()]  # what has a capital inside a text is mostly a name
    if sum(map(len, small)) < _FEW_LETTERS or not has_detector():
        return ENGLISH
    if not _ONLY_ENGLISH.isdisjoint(small) and _FOREIGN.isdisjoint(small):
        return ENGLISH  # names in other languages are left out
    said = " ".join(small)
    code, probability = _identifier().classify(said)
    if code == "en" or probability < _SURE:
        return ENGLISH
    english = dict(_identifier().rank(said))["en"]
    return Language(code) if probability >= _RATIO * english else ENGLISH


def _of_script(text: str, letters: list[str]) -> str:
    scripts = {character_name(c, "").partition(" ")[0] for c in set(letters)}
    own = [code for script, code in _SCRIPTS_OF_ONE_LANGUAGE.items() if script in scripts]
    if own:
        return own[0]
    if not has_detector():
        return UNKNOWN
    code: str = _identifier().classify(text)[0]
    return UNKNOWN if code == "en" else code


@cache
def has_detector() -> bool:
    """Return whether languages of one script can be told apart: with the extra ``languages``."""
    from importlib.util import find_spec

    return find_spec("py3langid") is not None


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
