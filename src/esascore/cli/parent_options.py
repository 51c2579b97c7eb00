"""Options of PARENT and its family, the same in every command that scores with them."""

from __future__ import annotations

import click

from esascore.cli.options import choice_option, grouped
from esascore.metrics.family import ParentOptions


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
