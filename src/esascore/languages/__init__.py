"""What depends on the language of a text: its detection, the conventions of its locale, and inflection.

`Language` says what a language offers and which checks it leaves out; `detection` finds out which one a text
is written in. Everything else needs the extra ``languages``: names, months and number formats from CLDR
(`locales`), stems and inflected names (`inflection`), other scripts (`scripts`).
"""

from esascore.languages.detection import AUTO, Languages
from esascore.languages.language import ENGLISH, Language

__all__ = ["AUTO", "ENGLISH", "Language", "Languages"]
