"""Options in ``esascore.toml`` or ``pyproject.toml``, which the command line overrides.

Options at the top of ``esascore.toml`` (or in ``[tool.esascore]``) are for every command that has them. The
section of a command (``[check]``, or ``[tool.esascore.check]``) is for it alone, and may also hold its
arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from esascore.errors import DataError, UsageError, did_you_mean
from esascore.readers.toml import read_toml

FILES = ("esascore.toml", "pyproject.toml")
"""Where options are looked for, in the current folder; the first with any for the command counts."""


def config_option() -> click.Option:
    """Make ``--config``, which fills in what the command line leaves out."""
    return click.Option(
        ["--config"],
        metavar="FILE",
        is_eager=True,
        expose_value=False,
        hidden=True,
        callback=_configure,
        help="Read options from this TOML file.  [default: esascore.toml or pyproject.toml in this folder]",
    )


def _configure(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    names = ctx.command_path.split()[1:]
    for file in map(Path, FILES if value is None else (value,)):
        if (value is None and not file.is_file()) or not (options := _options(file)):
            continue
        shared = {key: one for key, one in options.items() if not isinstance(one, dict)}
        own: Any = options
        for name in names:
            own = own.get(name, {}) if isinstance(own, dict) else own
        if not isinstance(own, dict) or not shared.keys().isdisjoint(names):
            raise DataError(f"{names[0]} must be a section: [tool.esascore.{'.'.join(names)}]", file=file)
        if shared or own:
            ctx.default_map = dict(_defaults(ctx, shared, own, file))
            return
    if value is not None:
        where = f"[tool.esascore.{'.'.join(names)}]"
        raise DataError(f"there is no section {where}: write the options under it", file=value)


def _options(file: Path) -> Mapping[str, Any]:
    """Return the options of a file, and the sections of commands in it."""
    document = read_toml(file)
    tool = document.get("tool", {})
    found = tool.get("esascore") if isinstance(tool, dict) else None
    return found if isinstance(found, dict) else document if file.name == FILES[0] else {}


def _parameters(command: click.Command) -> dict[str, click.Parameter]:
    """Return the options and arguments of a command that a file may set, by name."""
    return {
        max(one.opts, key=len).lstrip("-"): one for one in command.params if one.expose_value and one.opts
    }


def _of_any_command(key: str) -> bool:
    """Return whether any command has a parameter of this name."""
    from esascore.cli.app import COMMANDS

    for name in COMMANDS:
        command = getattr(import_module(f"esascore.cli.{name}"), name)
        if any(key in _parameters(one) for one in (command, *getattr(command, "commands", {}).values())):
            return True
    return False


def _defaults(
    ctx: click.Context, shared: Mapping[str, Any], own: Mapping[str, Any], file: Path
) -> Iterator[tuple[str, Any]]:
    """Return the values of parameters: shared options that this command has, and its own."""
    known = _parameters(ctx.command)
    for key, value in {**shared, **own}.items():
        name = key.replace("_", "-")
        parameter = known.get(name)
        if key not in own and not isinstance(parameter, click.Option):
            if _of_any_command(name):
                continue
            parameter = None
        if parameter is None:
            raise DataError(f"there is no option {key!r}{did_you_mean(name, known)}", file=file)
        yield str(parameter.name), _checked(ctx, parameter, key, value, file)


def _checked(ctx: click.Context, parameter: click.Parameter, key: str, value: Any, file: Path) -> Any:
    """Reject a value here, where the message can name the file."""
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
