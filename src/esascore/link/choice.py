"""Which entity linker is to be used, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from os import PathLike

from esascore import plugins
from esascore.errors import UsageError, did_you_mean
from esascore.link.base import EntityLinker
from esascore.link.equality import EntityNames

NONE = "none"
"""The name that stands for no linker."""

LINKERS: Mapping[str, tuple[str, str]] = {
    "gazetteer": ("esascore.link.gazetteer.linker", "gazetteer_of"),
    "rel": ("esascore.link.services.rel", "rel_linker"),
    "spotlight": ("esascore.link.services.spotlight", "spotlight_linker"),
}
"""Name of a linker -> module and factory, imported when first used."""


@dataclass(frozen=True, slots=True)
class LinkerChoice:
    """A linker by name, with what it needs.

    Attributes
    ----------
    name
        A name of `LINKERS`, ``none``, or what another package offers (`esascore.plugins`).
    url
        Address of the service, for ``rel``, ``spotlight`` and linkers of other packages.
    index
        Files of names (``esascore linker build``): for ``gazetteer`` what it finds, for all of them which
        names lead to which entity.
    allow_failures
        Continue if the linker does not answer: the links of such a text are unknown.
    """

    name: str = NONE
    url: str | None = None
    index: tuple[str | PathLike[str], ...] = ()
    allow_failures: bool = False

    def __post_init__(self) -> None:
        if self.name not in LINKERS and self.name != NONE and self.name not in (known := linker_names()):
            raise UsageError(f"unknown linker {self.name!r}{did_you_mean(self.name, known)}")
        if self.url is not None and self.name in (NONE, "gazetteer"):
            raise UsageError(f"the linker {self.name!r} has no address: it runs on this machine")
        if self.name == NONE and (self.index or self.allow_failures):
            raise UsageError("this setting needs a linker: choose one, for instance gazetteer")


def linker_names() -> list[str]:
    """Names that ``--linker`` takes: ours, then those that other installed packages offer.

    Examples
    --------
    >>> linker_names()[:2]
    ['none', 'gazetteer']
    """
    return [NONE, *LINKERS, *plugins.offered(plugins.LINKERS, (NONE, *LINKERS))]


def make_linker(choice: LinkerChoice) -> tuple[EntityLinker, EntityNames] | None:
    """Make the linker that was chosen, and the function that matches its entities with terms of an input.

    None for ``none``.

    Examples
    --------
    >>> make_linker(LinkerChoice()) is None
    True
    """
    if choice.name == NONE:
        return None
    from esascore.link.gazetteer.index import NameIndex

    indexes = [NameIndex.open(path) for path in choice.index]
    if choice.name in LINKERS:
        module, factory = LINKERS[choice.name]
        make = getattr(import_module(module), factory)
    else:
        make = plugins.load(plugins.LINKERS, choice.name, ("link", "version"))
    linker: EntityLinker = make(indexes) if choice.name == "gazetteer" else make(choice.url)
    return linker, EntityNames(indexes)
