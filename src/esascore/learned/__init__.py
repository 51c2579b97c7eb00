"""What a corpus teaches: one object that is part of the ruler, made from inputs and references.

`learn` makes a `Learned` from a corpus, `save` and `load` keep it in a file. The texts under check never
teach, unless this is requested, so the verdict on a text does not depend on other texts.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from os import PathLike
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Literal

from esascore._version import __version__
from esascore.claims.knowledge import Knowledge, untaught
from esascore.errors import DataError
from esascore.learned.gathering import Gathered
from esascore.learned.lesson import Lesson
from esascore.learned.shapes import Shape, nearest
from esascore.learned.wordings.forms import Progress
from esascore.learned.wordings.material import DEFAULTS, Settings
from esascore.lexicon.phrasings import NO_PHRASINGS, Phrasings
from esascore.model import Example, Input

__all__ = ["NOTHING", "Learned", "Source", "as_learned", "learn", "load", "taught", "to_bytes"]

FORMAT = "esascore-learned-1"
"""What the file says; another number is another layout."""

Source = Literal["references", "outputs"]
"""Which texts teach besides the inputs: references only, or the outputs of all systems as well."""

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, eq=False)
class Learned:
    """Everything that a corpus teaches.

    Attributes
    ----------
    lessons
        What each group of shapes teaches.
    source
        Which texts took part.

    Examples
    --------
    >>> NOTHING.version, bool(NOTHING)
    ('none', False)
    """

    lessons: tuple[Lesson, ...] = ()
    source: Source = "references"

    def __bool__(self) -> bool:
        return bool(self.lessons)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Learned) and self.version == other.version

    def __hash__(self) -> int:
        return hash(self.version)

    @cached_property
    def version(self) -> str:
        """The value for signatures: ``none``, or a digest of everything."""
        if not self.lessons:
            return "none"
        lessons = [lesson.as_dict() for lesson in self.lessons]
        digest = sha256(json.dumps(lessons, sort_keys=True).encode()).hexdigest()[:12]
        return digest if self.source == "references" else f"{self.source}-{digest}"

    def about(self, input_: Input) -> Knowledge:
        """Return what is known of inputs of this shape."""
        lesson = _lesson_for(self, input_.shape)
        return untaught() if lesson is None else lesson.knowledge

    def phrasings(self, input_: Input) -> Phrasings:
        """Return the phrases for values of inputs of this shape."""
        lesson = _lesson_for(self, input_.shape)
        return NO_PHRASINGS if lesson is None else lesson.phrasings

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file, completely or not at all."""
        target = Path(path)
        with NamedTemporaryFile(dir=target.parent, prefix=target.name, delete=False) as file:
            file.write(to_bytes(self))
        Path(file.name).chmod(0o644)
        Path(file.name).replace(target)

    def as_dict(self) -> dict[str, Any]:
        """The object for JSON."""
        return {
            "format": FORMAT,
            "esascore": __version__,
            "source": self.source,
            "lessons": [lesson.as_dict() for lesson in self.lessons],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Learned:
        """Rebuild it from what `as_dict` returned."""
        return cls(tuple(map(Lesson.from_dict, values["lessons"])), values["source"])


NOTHING = Learned()
"""Nothing was learned."""


@lru_cache(maxsize=1 << 12)
def _lesson_for(learned: Learned, shape: Shape) -> Lesson | None:
    return nearest(shape, {own: lesson for lesson in learned.lessons for own in lesson.shapes})


def learn(
    examples: Iterable[Example],
    outputs: Collection[Iterable[str]] = (),
    *,
    names: bool = True,
    wordings: bool = True,
    settings: Settings = DEFAULTS,
    progress: Progress | None = None,
) -> Learned:
    """Learn from the inputs and references of a corpus; neither their order nor a repetition matters.

    Parameters
    ----------
    examples
        The corpus, read once.
    outputs
        The texts of each system, if they are to teach as well.
    names, wordings
        Whether to learn what claims are judged by, and whether to learn wordings of values.
    settings
        The settings that decide which wordings are learned.
    progress
        Called while wordings are learned.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> areas = ["riverside", "city centre"] * 10
    >>> corpus = [Example("", Graph.from_data({"name": f"Inn {n}", "area": a})) for n, a in enumerate(areas)]
    >>> learn(corpus[:19]).version, learn(corpus).version == learn([*corpus[10:], *corpus]).version
    ('none', True)
    """
    gathered = Gathered(names=names, wordings=wordings)
    columns = [iter(texts) for texts in outputs]
    rows = ((example, [next(texts) for texts in columns]) for example in examples)
    # A corpus that has been read knows whether it has any types; if not, it need not be read again.
    if names or getattr(examples, "typed", True):
        for example, said in rows:
            gathered.add(example, said)
    return taught(gathered, "outputs" if outputs else "references", settings, progress)


def taught(
    gathered: Gathered,
    source: Source = "references",
    settings: Settings = DEFAULTS,
    progress: Progress | None = None,
) -> Learned:
    """Return what everything that was gathered teaches."""
    return Learned(tuple(gathered.lessons(settings, progress)), source)


def to_bytes(learned: Learned) -> bytes:
    """Return the contents of a file that `load` reads."""
    raw = json.dumps(learned.as_dict(), ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(raw.encode("utf-8", "surrogatepass"), compresslevel=6, mtime=0)


def as_learned(chosen: str | PathLike[str] | Learned) -> Learned:
    """Return what was learned: itself, what a file holds, or nothing for ``"none"``.

    Examples
    --------
    >>> as_learned("none") is as_learned(NOTHING) is NOTHING
    True
    """
    if isinstance(chosen, Learned):
        return chosen
    return NOTHING if chosen == "none" else load(chosen)


def load(path: str | PathLike[str]) -> Learned:
    """Read a file of ``esascore learn``.

    Raises
    ------
    DataError
        There is no such file, or it is another one.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise DataError(
            f"it cannot be read ({error.strerror}): esascore learn writes it", file=path
        ) from None
    try:
        plain = gzip.decompress(raw) if raw.startswith(_GZIP) else raw
        values = json.loads(plain.decode("utf-8", "surrogatepass"))
        if values["format"] != FORMAT:
            raise ValueError
        return Learned.from_dict(values)
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError("this is not what esascore learn writes: learn it again", file=path) from None
