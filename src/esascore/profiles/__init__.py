"""Profiles: every setting that changes a number, as plain data in TOML files next to this module.

Your own profile starts from one of these (``base = "default"``) and says only what differs. Keys and
types are those of the base; anything else is an error that names the key.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

from esascore.errors import DataError, UsageError, did_you_mean
from esascore.readers.toml import read_toml

Sections = Mapping[str, Any]
"""Section -> its settings, as plain values; as in the TOML file."""

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Profile:
    """A complete set of settings under a name.

    ``changes`` lists, as ``section.key=value``, where your own profile differs from its base.
    """

    name: str
    version: int
    settings: Sections
    base: str | None = None
    changes: tuple[str, ...] = ()


def names() -> tuple[str, ...]:
    """Return the names of the profiles that come with the package.

    Examples
    --------
    >>> names()
    ('default', 'paper')
    """
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def load_profile(profile: str | PathLike[str] = "default") -> Profile:
    """Load a profile by name, or from a TOML file.

    Examples
    --------
    >>> load_profile("paper").settings["strings"]["max_distance"]
    0.4
    """
    if isinstance(profile, str) and profile in names():
        return _complete(_FOLDER / f"{profile}.toml")
    if not isinstance(profile, str | PathLike):
        raise UsageError(f"a profile is a name or a path, not {type(profile).__name__}")
    if not os.path.isfile(profile):  # noqa: PTH113 (a path may be too long or hold a NUL)
        near = did_you_mean(str(profile), names())
        raise UsageError(f"no profile {str(profile)!r} (a name, or the path of a TOML file){near}")
    return _derived(Path(profile))


def changed(profile: Profile, changes: Sections, *, name: str | None = None) -> Profile:
    """Return a profile with some settings changed, for experiments.

    Examples
    --------
    >>> strict = changed(load_profile("paper"), {"strings": {"max_distance": 0.2}})
    >>> strict.settings["strings"]["max_distance"], strict.changes
    (0.2, ('strings.max_distance=0.2',))
    """
    settings, listed = _overlaid(profile.settings, changes, place="settings")
    return Profile(
        name or profile.name,
        profile.version,
        settings,
        profile.base or profile.name,
        tuple(dict.fromkeys((*profile.changes, *listed))),
    )


def _complete(path: Path) -> Profile:
    data = read_toml(path)
    name, version = data.pop("name"), data.pop("version")
    return Profile(name, version, MappingProxyType(data))


def _derived(path: Path) -> Profile:
    data = read_toml(path)
    base_name = data.pop("base", None)
    if base_name not in names():
        known = " or ".join(f'base = "{name}"' for name in names())
        raise DataError(f"a profile starts from another one: add the line {known}", file=path)
    name = data.pop("name", path.stem)
    version = data.pop("version", 1)
    if not isinstance(name, str) or not isinstance(version, int):
        raise DataError("name must be a string and version an integer", file=path)
    base = load_profile(base_name)
    settings, changes = _overlaid(base.settings, data, place=str(path))
    return Profile(name, version, settings, base.name, tuple(changes))


def _overlaid(base: Sections, changes: Sections, *, place: str) -> tuple[Sections, list[str]]:
    settings = {section: dict(values) for section, values in base.items()}
    listed = []
    for section, values in changes.items():
        if section not in settings or not isinstance(values, Mapping):
            known = ", ".join(settings)
            raise DataError(f"unknown section {section!r} in a profile; known: {known}", file=place)
        for key, value in values.items():
            if key not in settings[section]:
                known = ", ".join(settings[section])
                raise DataError(f"unknown setting {section}.{key}; known: {known}", file=place)
            old = settings[section][key]
            if not _same_kind(old, value):
                kind = type(old).__name__
                raise DataError(f"{section}.{key} must be a {kind} like {old!r}, not {value!r}", file=place)
            if value != old:
                settings[section][key] = value
                listed.append(f"{section}.{key}={value}")
    return MappingProxyType(settings), listed


def _same_kind(old: object, new: object) -> bool:
    if isinstance(old, bool) or isinstance(new, bool):
        return isinstance(old, bool) and isinstance(new, bool)
    if isinstance(old, int | float):
        return isinstance(new, int | float)
    if isinstance(old, list) and isinstance(new, list):
        return all(_same_kind(old[0], item) for item in new) if old else True
    return isinstance(new, type(old))
