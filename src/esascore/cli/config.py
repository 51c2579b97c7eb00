"""Options of a command in ``esascore.toml`` or ``pyproject.toml``, which the command line overrides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from esascore.errors import DataError, UsageError, did_you_mean
from esascore.readers.toml import read_toml

F = TypeVar("F", bound=Callable[..., Any])

FILES = ("esascore.toml", "pyproject.toml")
"""Where options are looked for, in the current folder; the first with a section counts."""


def config_option(command: F) -> F:
    """Add ``--config``, which fills in what the command line does not say."""
    return click.option(
        "--config",
        metavar="FILE",
        is_eager=True,
        expose_value=False,
        callback=_configure,
        help="Read options from this TOML file.  [default: esascore.toml or pyproject.toml in this folder]",
    )(command)


def _configure(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    name = str(ctx.info_name)
    for file in FILES if value is None else (value,):
        if value is None and not Path(file).is_file():
            continue
        section = _section(Path(file), name)
        if section is not None:
            ctx.default_map = _defaults(ctx, section, Path(file))
            return
    if value is not None:
        raise DataError(f"there is no section [tool.esascore.{name}]: write the options under it", file=value)


def _section(file: Path, command: str) -> Mapping[str, Any] | None:
    """The options of a command: ``[tool.esascore.COMMAND]``, in ``esascore.toml`` also ``[COMMAND]``."""
    document = read_toml(file)
    found = document if file.name == FILES[0] and command in document else document.get("tool", {})
    if found is not document:
        found = found.get("esascore", {}) if isinstance(found, dict) else {}
    section = found.get(command) if isinstance(found, dict) else None
    if section is not None and not isinstance(section, dict):
        raise DataError(f"{command} must be a section: [tool.esascore.{command}]", file=file)
    return section


def _defaults(ctx: click.Context, section: Mapping[str, Any], file: Path) -> dict[str, Any]:
    known: dict[str, click.Parameter] = {}
    for parameter in ctx.command.params:
        if parameter.expose_value or isinstance(parameter, click.Argument):
            names = [max(parameter.opts, key=len).lstrip("-")] if parameter.opts else []
            known.update(dict.fromkeys(names, parameter))
    defaults: dict[str, Any] = {}
    for key, value in section.items():
        name = key.replace("_", "-")
        if name not in known:
            raise DataError(f"there is no option {key!r}{did_you_mean(name, known)}", file=file)
        parameter = known[name]
        assert parameter.name is not None
        defaults[parameter.name] = _checked(ctx, parameter, key, value, file)
    return defaults


def _checked(ctx: click.Context, parameter: click.Parameter, key: str, value: Any, file: Path) -> Any:
    """Reject a value here, where the message can say in which file it is."""
    many = parameter.multiple or parameter.nargs == -1
    given = value if isinstance(value, list) else [value]
    is_flag = isinstance(parameter, click.Option) and parameter.is_flag
    if not many and isinstance(value, list):
        raise DataError(f"{key} takes one value, not a list", file=file)
    for one in given:
        if isinstance(one, dict) or isinstance(one, bool) != is_flag:
            wanted = "true or false" if is_flag else "a string or a number"
            raise DataError(f"{key} takes {wanted}, not {str(one).lower()}", file=file)
    # A string is what the command line would give; a number may stand for one, but not the reverse.
    plain = [one if is_flag else str(one) for one in given]
    try:
        for one in plain:
            parameter.type.convert(one, parameter, ctx)
    except click.BadParameter as error:
        told = error.message.rstrip(".").removesuffix(" range")  # click's name of a number in a range
        raise DataError(f"{key}: {told}", file=file) from None
    except UsageError as error:
        raise DataError(f"{key}: {error}", file=file) from None
    return plain if many else plain[0]
