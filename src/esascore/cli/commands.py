"""Commands made of functions: options, types and defaults from the signature, help from the docstring.

The docstring of a command, or of what makes a group of options, has entries like this under ``Options``::

    -o, --output FILE
        Write the result to FILE.

``More options`` are shown only by ``--help-all``, ``Examples`` stand at the end of the help. A parameter that
no entry and no group describes is an argument.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from textwrap import indent
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click

from esascore.cli.completing import completer
from esascore.cli.config import config_option
from esascore.cli.terminal import common_flag, warn
from esascore.errors import did_you_mean

_SECTION = re.compile(r"^\n?(Options|More options|Examples)\n-+\n", re.MULTILINE)
_ENTRY = re.compile(r"^((?:-[\w/-]+(?:, )?)+)(?: (.*))?\n", re.MULTILINE)
OLD_OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "--html": "--output",
        "--figure": "--plot",
        "--lang": "--language",
        "--threads": "--jobs",
        "--workers": "--jobs",
    }
)
"""Earlier name of an option -> the present one."""

_QUIET = common_flag("-q", "--quiet", help="No warnings, no progress; errors only.")
_DEBUG = common_flag("--debug", help="Show the traceback of an error.")
_METAVARS = {"outputs": "[[NAME=]OUTPUT]...", "output_file": "[OUTPUT]"}


class Documented(click.Command):
    """A command whose options and examples may be sections of the docstring of its function."""

    def __init__(self, name: str | None, *, help: str, **settings: Any):  # noqa: A002, as in click
        text, sections = _sections(help)
        lines, _, rest = sections.get("Examples", "").partition("\n\n")
        needs_demo = "esascore-demo/" in lines and "esascore demo\n" not in lines
        note = " (after esascore demo, which writes these files)" if needs_demo else ""
        epilog = f"\b\nExamples{note}:\n{indent(lines, '  ')}\n\n{rest}"
        super().__init__(name, help=text, epilog=epilog, **settings)
        self._common = [_QUIET, _DEBUG]
        if any(getattr(one, "hidden", False) for one in self.params):
            self._common.append(_HELP_ALL)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments, also those with the old name of an option."""
        known = {name for one in self.get_params(ctx) for name in one.opts}
        for place, word in enumerate(args):
            option, equals, value = word.partition("=")
            new = OLD_OPTIONS.get(option)
            if new in known and option not in known:
                warn(f"{option} is now {new}")
                args[place] = f"{new}{equals}{value}"
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, and those that all commands have, as they have ``--help``."""
        return [*super().get_params(ctx), *self._common]


class DocumentedGroup(Documented, click.Group):
    """A group of such commands, with examples of its own."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; if there is none of that name, suggest the nearest."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-") and not ctx.resilient_parsing:
            near = did_you_mean(name, self.list_commands(ctx))
            raise click.UsageError(f"there is no command {name!r}{near}", ctx)
        return super().resolve_command(ctx, args)


def command(
    of: click.Group | None = None, /, **groups: Callable[..., Any]
) -> Callable[[Callable[..., Any]], Documented]:
    """Make a command of a function.

    Parameters
    ----------
    of
        The group of commands that it is added to.
    groups
        Parameter of the function -> what makes it of options; those are described in its own docstring.

    Examples
    --------
    >>> @command()
    ... def greet(name: str, times: int = 1) -> None:
    ...     '''Say hello.
    ...
    ...     Options
    ...     -------
    ...     --times N
    ...         How often.
    ...     '''
    ...     print(f"Hello {name}!" * times)
    >>> greet.main(["you", "--times", "2"], standalone_mode=False)
    Hello you!Hello you!
    """

    def decorate(function: Callable[..., Any]) -> Documented:
        own = list(_options(function))
        described = {option.name for option in own}
        arguments = [
            _argument(function, parameter)
            for name, parameter in inspect.signature(function).parameters.items()
            if name not in described and name not in groups
        ]
        of_groups = {name: list(_options(make)) for name, make in groups.items()}

        def invoke(**values: Any) -> Any:
            for name, options in of_groups.items():
                given = {str(option.name): values.pop(str(option.name)) for option in options}
                values[name] = groups[name](**given)
            return function(**values)

        added = [option for options in of_groups.values() for option in options]
        more = reversed(getattr(function, "__click_params__", []))
        params = [*arguments, *own, *added, *more, *([config_option()] if groups else [])]
        name = function.__name__.rstrip("_")
        made = Documented(name, callback=invoke, params=params, help=function.__doc__ or "")
        if of is not None:
            of.add_command(made)
        return made

    return decorate


def group(function: Callable[[], None]) -> DocumentedGroup:
    """Make a group of commands of a function that only has a docstring."""
    return DocumentedGroup(function.__name__, help=function.__doc__ or "")


def _sections(docstring: str) -> tuple[str, dict[str, str]]:
    """Split a docstring into its text and the sections that are for the command line."""
    text, *parts = _SECTION.split(inspect.cleandoc(docstring))
    return text.rstrip(), dict(zip(parts[::2], map(str.rstrip, parts[1::2]), strict=True))


def _options(make: Callable[..., Any]) -> Iterator[click.Option]:
    """Make the options that a docstring describes."""
    parameters = inspect.signature(make).parameters
    _, sections = _sections(make.__doc__ or "")
    for title in ("Options", "More options"):
        _, *parts = _ENTRY.split(sections.get(title, "") + "\n")
        for names, metavar, told in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            flags = names.split(", ")
            key = flags[-1].partition("/")[0].lstrip("-").replace("-", "_")
            name = next(name for name in (key, f"{key}_", f"{key}s") if name in parameters)
            settings = _settings(_evaluated(make, parameters[name]))
            default = parameters[name].default
            if default is inspect.Parameter.empty:
                settings["required"] = True
            else:
                settings |= {
                    "default": default,
                    "show_default": default not in ((), None) and default is not False,
                }
            if settings.get("type") is str:
                settings["shell_complete"] = completer(name, metavar or "", is_argument=False)
            yield click.Option(
                [*flags, name],
                metavar=metavar or None,
                help=" ".join(told.split()).replace(" [default", "  [default"),
                hidden=title == "More options",
                **settings,
            )


def _argument(function: Callable[..., Any], parameter: inspect.Parameter) -> click.Argument:
    required = parameter.default is inspect.Parameter.empty
    settings = _settings(_evaluated(function, parameter))
    if settings.pop("multiple", False):
        settings["nargs"] = -1
    metavar = _METAVARS.get(parameter.name)
    if settings.get("type") is str:
        settings["shell_complete"] = completer(parameter.name, metavar or "", is_argument=True)
    return click.Argument([parameter.name], required=required, metavar=metavar, **settings)


def _evaluated(make: Callable[..., Any], parameter: inspect.Parameter) -> Any:
    annotation = parameter.annotation
    if not isinstance(annotation, str):
        return annotation
    # It is our own source; inspect would evaluate the types of groups as well, which are not imported here.
    return eval(annotation, vars(sys.modules[make.__module__]))  # nosec B307


def _settings(annotation: Any) -> dict[str, Any]:
    """Return what click must know about values of a type."""
    if get_origin(annotation) in (Union, UnionType):
        annotation = next(one for one in get_args(annotation) if one is not NoneType)
    if get_origin(annotation) is Annotated:
        base, more = get_args(annotation)
        return {"type": more} if isinstance(more, click.ParamType) else {**_settings(base), "callback": more}
    if annotation is bool:
        return {"is_flag": True}
    if get_origin(annotation) is Literal:
        return {"type": click.Choice(get_args(annotation))}
    if get_origin(annotation) is tuple:
        first, second = get_args(annotation)
        return {**_settings(first), **({"multiple": True} if second is Ellipsis else {"nargs": 2})}
    return {"type": annotation}


def _show_all(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    """Show the help with every option."""
    if value:
        shown = copy(ctx.command)
        shown.params = [copy(parameter) for parameter in shown.params]
        for parameter in shown.params:
            if isinstance(parameter, click.Option):
                parameter.hidden = False
        click.echo(shown.get_help(ctx))
        ctx.exit()


_HELP_ALL = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all options.",
)
