"""What a shell completes after an option: names of metrics, profiles and systems, ids, and files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import islice
from types import MappingProxyType

import click
from click.shell_completion import CompletionItem

from esascore.errors import EsascoreError
from esascore.readers.corpus import iter_corpus
from esascore.readers.systems import split_spec

Values = Callable[[click.Context], Iterable[str]]

_FILES = re.compile(r"FILE|CORPUS|PATH|OUTPUT|TRAIN")
_FOLDERS = re.compile(r"DIR|FOLDER")
_IDS = 1000


class _Completed(click.types.StringParamType):
    """A string whose values a shell completes; commas separate several, and files are the last resort."""

    def __init__(self, values: Values | None = None, files: str | None = None):
        self._values = values
        self._files = files

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the values that begin with what was typed."""
        known: list[str] = []
        if self._values is not None:
            with suppress(EsascoreError, OSError):  # a shell cannot show an error here
                known = list(self._values(ctx))
        before, comma, typed = incomplete.rpartition(",")
        given = before.split(",")
        fitting = [one for one in known if one.startswith(typed) and one not in given]
        if fitting or self._files is None:
            return [CompletionItem(before + comma + one) for one in fitting]
        return [CompletionItem(incomplete, type=self._files)]


def complete_values(parameters: Sequence[click.Parameter]) -> None:
    """Let shells complete the values of parameters that are strings, by the name or by what they hold."""
    for parameter in parameters:
        if type(parameter.type) is not click.types.StringParamType:
            continue
        told = parameter.metavar or ""
        is_argument = isinstance(parameter, click.Argument)
        files = "dir" if _FOLDERS.search(told) else "file" if _FILES.search(told) or is_argument else None
        values = _VALUES.get(str(parameter.name))
        if values is not None or files is not None:
            parameter.type = _Completed(values, files)


def _listed(where: str) -> Values:
    """What a module lists, under a name or by a function; imported when a shell asks."""

    def values(_ctx: click.Context) -> Iterable[str]:
        module, _, name = where.partition(":")
        found = getattr(import_module(module), name)
        return list(found() if callable(found) else found)

    return values


def _systems(ctx: click.Context) -> Iterable[str]:
    return ("all", *(split_spec(spec)[0] for spec in _words(ctx)[1:]))


def _ids(ctx: click.Context) -> Iterable[str]:
    return (example.id for corpus in _words(ctx)[:1] for example in islice(iter_corpus(corpus), _IDS))


def _words(ctx: click.Context) -> list[str]:
    """Return corpus and outputs, as far as typed; click leaves them if an option lacks its value."""
    corpus = ctx.params.get("corpus")
    return ctx.args if corpus is None else [corpus, *(ctx.params.get("outputs") or ())]


_VALUES: Mapping[str, Values] = MappingProxyType(
    {
        "metrics": _listed("esascore.metrics:metric_names"),
        "profile": _listed("esascore.profiles:names"),
        "linker": _listed("esascore.link.choice:linker_names"),
        "coref": _listed("esascore.coref.choice:resolver_names"),
        "backend": _listed("esascore.align.backends:CHOICES"),
        "input_format": _listed("esascore.readers.corpus:FORMATS"),
        "significance": _systems,
        "ids": _ids,
    }
)
"""Name of a parameter -> what it can be."""
