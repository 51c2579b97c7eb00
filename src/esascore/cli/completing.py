"""What a shell completes after an option: names of metrics, profiles and systems, ids, and files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
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
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

_FILES = re.compile(r"FILE|CORPUS|PATH|OUTPUT|TRAIN")
_FOLDERS = re.compile(r"DIR|FOLDER")
_IDS = 1000


def completer(name: str, metavar: str, *, is_argument: bool) -> Completer | None:
    """Return what completes a string: its possible values, separated by commas; files as a last resort."""
    values = _VALUES.get(name)
    files = "dir" if _FOLDERS.search(metavar) else "file" if _FILES.search(metavar) or is_argument else None
    if values is None and files is None:
        return None

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        known: list[str] = []
        if values is not None:
            with suppress(EsascoreError, OSError):  # a shell cannot show an error here
                known = list(values(ctx))
        before, comma, typed = incomplete.rpartition(",")
        given = before.split(",")
        fitting = [one for one in known if one.startswith(typed) and one not in given]
        if fitting or files is None:
            return [CompletionItem(before + comma + one) for one in fitting]
        return [CompletionItem(incomplete, type=files)]

    return complete


def _listed(where: str) -> Values:
    """Return what lists the values that a module has under a name; it is imported when a shell asks."""

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
