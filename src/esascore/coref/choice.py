"""Which coreference resolver is to be used, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike

from esascore import plugins
from esascore.coref.base import CorefResolver
from esascore.coref.rules import Combined, RootResolver, RuleResolver
from esascore.errors import UsageError, did_you_mean


@dataclass(frozen=True, slots=True)
class CorefChoice:
    """A resolver by name, with what it needs.

    Attributes
    ----------
    name
        A name of `RESOLVERS`, or what another package offers (`esascore.plugins`).
    model, directory
        For ``stanza``: which model, and where Stanza's models are (see `esascore.coref.stanza`).
    """

    name: str
    model: str | PathLike[str] | None = None
    directory: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        if self.name not in RESOLVERS:
            known = resolver_names()
            if self.name in known:
                return  # a part of another package checks its own settings
            raise UsageError(f"unknown coreference resolver {self.name!r}{did_you_mean(self.name, known)}")
        if (self.model is not None or self.directory is not None) and not self.name.startswith("stanza"):
            raise UsageError(f"the coreference resolver {self.name!r} has no models: choose stanza")


def make_resolver(choice: CorefChoice) -> CorefResolver:
    """Make the resolver that was chosen.

    Examples
    --------
    >>> make_resolver(CorefChoice("rules")).version()
    'rules.v1'
    """
    if choice.name in RESOLVERS:
        return RESOLVERS[choice.name](choice)
    made: CorefResolver = plugins.load(plugins.COREF, choice.name, ("resolve", "version"))(choice)
    return made


def resolver_names() -> list[str]:
    """Names that ``--coref`` takes: ours, then those that other installed packages offer.

    Examples
    --------
    >>> resolver_names()[:2]
    ['root', 'rules']
    """
    return [*RESOLVERS, *plugins.offered(plugins.COREF, RESOLVERS)]


def _stanza(choice: CorefChoice) -> CorefResolver:
    from esascore.cache import AnswerCache
    from esascore.coref.chains import ChainResolver
    from esascore.coref.stanza import StanzaModel

    return ChainResolver(StanzaModel(choice.model, choice.directory), AnswerCache())


RESOLVERS: Mapping[str, Callable[[CorefChoice], CorefResolver]] = {
    "root": lambda _: RootResolver(),
    "rules": lambda _: RuleResolver(),
    "stanza": _stanza,
    "stanza+rules": lambda choice: Combined(_stanza(choice), RuleResolver()),
}
"""Name of a resolver -> the function that makes it."""
