"""Options of PARENT and its family, the same in every command that scores with them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

import click

from esascore.cli.options import choice_option, grouped
from esascore.errors import UsageError
from esascore.metrics.family import DEFAULTS, ParentOptions

_FAMILY = ("parent", "parent-c", "parent-e", "parent-t", "pseudo-parent")
_TAKERS: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        "lambda_weight": ("--lambda", _FAMILY),
        "multi_ref": ("--multi-ref", _FAMILY),
        "tokenizer": ("--parent-tokenizer", tuple(name for name in _FAMILY if name != "parent-t")),
        "attributes": ("--attributes", ("parent", "parent-e")),
        "cooccurrence": ("--cooccurrence", ("parent-c",)),
        "recall_table": ("--parent-t", ("parent-t",)),
    }
)
"""Setting -> its option, and the metrics that take it."""


def _weight(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | str | None:
    if value is None or value == "heuristic":
        return value
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise click.BadParameter(f"{value!r} is neither a number between 0 and 1 nor 'heuristic'")
    return number


def check_taken(parent: ParentOptions, metrics: Collection[str]) -> None:
    """Refuse an option that none of the metrics takes: it would change nothing.

    Raises
    ------
    UsageError
        For the first such option.

    Examples
    --------
    >>> check_taken(ParentOptions(lambda_weight=0.5), ["esa", "bleu"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    esascore.errors.UsageError: --lambda needs parent, ... or pseudo-parent in --metrics
    """
    for setting, (option, takers) in _TAKERS.items():
        if getattr(parent, setting) != getattr(DEFAULTS, setting) and not set(takers) & set(metrics):
            named = " or ".join(filter(None, (", ".join(takers[:-1]), takers[-1])))
            raise UsageError(f"{option} needs {named} in --metrics")


parent_options = grouped(
    "parent",
    ParentOptions,
    (
        click.option(
            "--lambda",
            "lambda_weight",
            callback=_weight,
            metavar="NUMBER|heuristic",
            help="PARENT: weight of recall against the table.  [default: 0.5; parent-t: heuristic]",
        ),
        click.option(
            "--multi-ref",
            type=click.Choice(["best-f", "independent-max"]),
            help="PARENT: the reference with the best F, or the best of each figure.  [default: best-f]",
        ),
        click.option(
            "--parent-tokenizer",
            "tokenizer",
            type=click.Choice(["whitespace", "words", "13a"]),
            help="PARENT: how texts are split into tokens (parent-t has its own way).  [default: whitespace]",
        ),
        click.option(
            "--attributes", is_flag=True, help="PARENT: words of attribute names are also entailed."
        ),
        click.option(
            "--cooccurrence", metavar="FILE", help="Counts for parent-c, from esascore parent cooccurrence."
        ),
        choice_option(
            "--parent-t",
            ["scripts", "paper"],
            "What a text must mention under parent-t: highlighted cells and titles, or the cells alone.",
            "recall_table",
        ),
    ),
)
"""Adds the options; the command receives them as ``parent``."""
