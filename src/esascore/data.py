"""Any JSON value as typed facts, each with its subject, attribute and type.

A fact of JSON is a leaf. Its subject is the nearest enclosing object that has a name, a date or a time. Keys
that are themselves dates, times or numbers name what they hold, and so does a date at the beginning of a row.
A string that is a table (CSV and the like) is read as one. ``null`` and empty values are not facts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple

from esascore.label import label

FactType = Literal["name", "text", "number", "boolean", "date", "time", "list"]

NAME_KEYS = ("name", "title", "label", "fullname", "displayname", "productname", "headline")
"""Keys, reduced to letters, whose string names the object that holds them; the first one present counts."""

PROSE = 12
"""Words above which a value is a text of its own."""

EVERY = "*"
"""Stands for the positions of an array in a path, and for anything in a pattern of paths."""

_PAIR_KEYS = (*NAME_KEYS, "key", "property", "attribute", "field")
_VALUE_KEYS = ("value", "values")
_UNIT_KEYS = ("unit", "units", "uom")
_CALLED = re.compile(r"[A-Z]{1,4}-?\d+")
PRICES = frozenset({"amount", "price", "cost", "fee", "charge", "total", "subtotal", "unitprice"})
"""Keys, reduced to letters, whose numbers are sums of money if a currency is given."""

_TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
_DATE = re.compile(
    r"[+-]?\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?"
)
_TIME = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?", re.IGNORECASE)
_NUMERAL = r"[+\-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?"
_NUMBER = re.compile(_NUMERAL)
_WITH_UNIT = re.compile(
    rf"(?:[$£€¥]\s?)?{_NUMERAL}\s?(?:%|°[CF]?|[^\W\d_]{{1,8}}(?:/[^\W\d_]{{1,3}})?[²³]?|\([^()\d]+\))?"
)
_LIST = re.compile(r"[^,;/]{1,60}(?:(?:,\s|;\s?|\s/\s)[^,;/]{1,60}){2,}")
_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//\S+|www\.\S+|\S+\.(?:png|jpe?g|gif|svg|webp)", re.IGNORECASE)
_HASH = re.compile(r"(?=\S*\d)(?:[0-9a-fA-F]{16,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})")
_LEAST_HASH = 16
_ID_KEY = re.compile(
    r"(?:^|[^A-Za-z])(?i:id|ids|uuid|guid|hash|url|uri|href|img|icon|thumbnail|slug|etag|checksum)$"
    r"|(?<=[a-z])(?:Id|Ids|ID|Url|URL|Uri|URI|Uuid|UUID|Hash)$"
)
_COORDINATE_KEY = re.compile(
    r"lat|lon|lng|long|latitude|longitude|coords?|coordinates?|geo|geopoint|geohash", re.IGNORECASE
)
_YEAR = re.compile(r"[12]\d{3}")
_CODE_KEY = re.compile(r"(?:country|nation|nationality|lang|language|locale)(?:_?code)?$", re.IGNORECASE)
_LONGEST_NAME = 8
_CALENDAR = ("date", "time")
_VALUE_NAMES = ("value", *(f"value {number}" for number in range(2, 10)))
_SCALARS = frozenset({int, float, bool})
_DELIMITERS = ",;\t|"
_LEAST_ROWS = 4


class Value(str):
    """A value of the data under its attribute.

    It is its string, with one exception: it differs from the same string under another attribute, because
    those are two facts.

    Examples
    --------
    >>> Value("yes", "parking") == "yes", Value("yes", "parking") == Value("yes", "breakfast")
    (True, False)
    """

    __slots__ = ("attribute",)
    attribute: str

    def __new__(cls, text: str, attribute: str) -> Value:
        """Make a value of its string and the path of its attribute."""
        own = str.__new__(cls, text)
        own.attribute = attribute
        return own

    def __eq__(self, other: object) -> bool:
        """Return whether another string reads the same, and is not a value of another attribute."""
        if isinstance(other, Value) and other.attribute != self.attribute:
            return False
        return str.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        """Return the opposite of equality."""
        return not self == other

    __hash__ = str.__hash__

    def __reduce__(self) -> tuple[type[Value], tuple[str, str]]:
        """Keep the attribute in a pickle."""
        return Value, (str(self), self.attribute)


def named(term: str) -> str:
    """Return the name of an entity, with its attribute if it is a value of data.

    Examples
    --------
    >>> named("Bionico"), named(Value("3", "stars"))
    ('Bionico', '3 (stars)')
    """
    return f"{term} ({term.attribute})" if isinstance(term, Value) else term


def term_key(term: str) -> Hashable:
    """Return a key of a term that differs for equal values of different attributes, whose hashes are equal.

    Examples
    --------
    >>> term_key(Value("0", "assists")) == term_key(Value("0", "steals")), term_key("Mexico")
    (False, 'Mexico')
    """
    return (term.attribute, str(term)) if isinstance(term, Value) else term


class Fact(NamedTuple):  # made by the hundred for every large input
    """A leaf of the input: a triple, a value of JSON, a cell of a table.

    Attributes
    ----------
    subject
        Name of the nearest enclosing named object; empty if there is none.
    owner
        That object, as its path with positions: two objects may have the same name.
    path
        Dotted path of the attribute from the root, positions in arrays as ``*``.
    value
        The value as a string, in its own spelling.
    type
        What kind of value it is.
    unit
        The unit that the data give beside a number; empty if they give none.
    optional
        Whether a text need not say it: addresses, identifiers, coordinates, and attributes that a user named.
    key
        The last key of the path if it has a point in it ("3.5mm jack"); otherwise empty.
    spot
        Its place: the path with positions, such as ``/rooms/0/beds``.
    """

    subject: str
    owner: str
    path: str
    value: str
    type: FactType
    unit: str = ""
    optional: bool = False
    key: str = ""
    spot: str = ""

    @property
    def attribute(self) -> str:
        """The last part of the path that is a word.

        Examples
        --------
        >>> Fact("", "", "teams.*.wins", "3", "number").attribute
        'wins'
        >>> Fact("", "", "tags.*", "a", "text").attribute
        'tags'
        """
        return self.key or last_key(self.path)


fact_of: Callable[[tuple[str, str, str, str, FactType, str, bool, str, str]], Fact] = partial(
    tuple.__new__, Fact
)
"""Makes a fact from all its fields, in half the time that calling the class takes."""


@dataclass(frozen=True, slots=True)
class Subject:
    """An object of the input that has a name, a date or a time.

    Attributes
    ----------
    name
        Its name.
    owner
        Its path with positions, as the `Fact.owner` of its facts.
    kind
        Its path with ``*`` for positions: objects of one kind can be mistaken for each other.
    parent
        The ``owner`` of the nearest enclosing object that has a name; empty if there is none.
    path
        The path of the attribute that names it.
    type
        ``name`` (or ``text``), ``date``, ``time`` or ``number``, by what it is called.
    """

    name: str
    owner: str
    kind: str
    parent: str
    path: str
    type: FactType = "name"
    optional: bool = False


SEPARATOR = " | "
"""The separator of the parts of a triple that is written as one string."""


@dataclass(frozen=True, slots=True)
class Triple:
    """One statement of an RDF graph, its terms written as in the input (``Abilene,_Texas``)."""

    subject: str
    predicate: str
    object: str

    def as_list(self) -> list[str]:
        """The three terms as plain strings, for JSON output.

        Examples
        --------
        >>> Triple("Bionico", "country", "Mexico").as_list()
        ['Bionico', 'country', 'Mexico']
        """
        return [str(self.subject), self.predicate, str(self.object)]

    def __str__(self) -> str:
        return SEPARATOR.join(self.as_list())


@dataclass(frozen=True, slots=True)
class Entity:
    """An RDF term, table cell or value of the data that a text should mention.

    ``term`` is the term as the input writes it; two terms that differ only in quotes are two
    entities, as are equal values of two attributes (`Value`). ``subject_of`` and ``object_of``
    are the predicates (for a cell or value: its attributes) around it, in input order and without
    repetition. ``type`` and ``unit`` are those of a `Fact`. An ``optional`` entity explains what a text says,
    but is never missing. ``names`` are other names for it, in the language of a text.
    """

    term: str
    subject_of: tuple[str, ...] = ()
    object_of: tuple[str, ...] = ()
    type: FactType = "name"
    unit: str = ""
    optional: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Data:
    """The facts of one JSON value, and the objects that they are about, in input order.

    Examples
    --------
    >>> data = flatten({"name": "Blue Spice", "stars": 3})
    >>> [(subject.name, subject.path) for subject in data.subjects], data.root.attribute
    ([('Blue Spice', 'name')], 'name')
    """

    facts: tuple[Fact, ...] = ()
    subjects: tuple[Subject, ...] = ()
    unknown: tuple[tuple[str, str], ...] = ()

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickled, (
            tuple(map(tuple, self.facts)),
            self.subjects,
            self.unknown,
        )  # plain tuples are pickled faster

    @property
    def size(self) -> int:
        """How many facts there are."""
        return len(self.facts)

    @property
    def shape(self) -> frozenset[str]:
        """The paths of all attributes."""
        return frozenset([fact.path for fact in self.facts]).union(one.path for one in self.subjects)

    @property
    def titles(self) -> tuple[str, ...]:
        """Nothing: everything that data say is in their facts."""
        return ()

    @property
    def root(self) -> str | None:
        """The name of the outermost object that has one."""
        return next((Value(one.name, one.path) for one in self.subjects), None)

    @property
    def triples(self) -> tuple[Triple, ...]:
        """The facts without their types; the path stands for a subject without a name."""
        paths = {subject.owner: subject.path for subject in self.subjects}
        found: list[Triple] = []
        for name, owner, path, value, _, _, _, key, _ in self.facts:
            attribute = key or last_key(path)
            unnamed = path.removesuffix(attribute).rstrip(".*") or _ROOT
            subject = _value(name, paths[owner]) if name else unnamed
            found.append(Triple(subject, attribute or _ROOT, _value(value, path)))
        return tuple(found)

    @property
    def entities(self) -> tuple[Entity, ...]:
        """Subjects and values in input order; a value that an attribute has several times counts once."""
        about: dict[str, dict[str, None]] = {}
        # By string and path, since equal values of many attributes have equal hashes.
        values: dict[tuple[str, str], Entity] = {}
        last: str | None = None
        own: dict[str, None] = {}
        for _, owner, path, value, type_, unit, optional, key, _ in self.facts:
            attribute = key or last_key(path)
            if owner is not last:  # mostly the same as that of the fact before
                last, own = owner, about.setdefault(owner, {})
            own[attribute] = None
            if (value, path) not in values and not is_prose(value):
                values[value, path] = _entity(value, path, attribute, type_, unit, optional)
        found: dict[tuple[str, str], Entity] = {}
        for subject in self.subjects:
            if (named := (subject.name, subject.path)) not in found:
                known = tuple(about.get(subject.owner, ()))
                found[named] = Entity(_value(*named), known, (), subject.type, optional=subject.optional)
        for named, entity in values.items():
            found.setdefault(named, entity)
        return tuple(found.values())

    def chosen(self, optional: Sequence[str] = (), ignored: Sequence[str] = ()) -> Data:
        """Return the data without ignored attributes, and with more that are optional.

        Patterns are paths in which ``*`` stands for anything; what is below a path belongs to it.

        Examples
        --------
        >>> data = flatten({"name": "Blue Spice", "stars": 3, "geo": {"north": 1, "east": 2}})
        >>> chosen = data.chosen(optional=["stars"], ignored=["geo"])
        >>> [(fact.path, fact.optional) for fact in chosen.facts]
        [('stars', True)]
        """
        drop, soft = _matcher(ignored), _matcher(optional)
        subjects = [subject for subject in self.subjects if not drop(subject.path)]
        left = {subject.owner for subject in subjects}
        return Data(
            tuple(
                fact._replace(
                    subject=fact.subject if fact.owner in left else "",
                    optional=fact.optional or soft(fact.path),
                )
                for fact in self.facts
                if not drop(fact.path)
            ),
            tuple(replace(one, optional=one.optional or soft(one.path)) for one in subjects),
            tuple(one for one in self.unknown if not drop(one[0])),
        )


def flatten(data: object) -> Data:
    """Return the facts of any JSON value.

    Raises
    ------
    ValueError
        The value is nested too deeply, or contains itself.

    Examples
    --------
    >>> found = flatten({"name": "Blue Spice", "area": "city centre", "familyFriendly": "yes", "stars": None})
    >>> [(fact.subject, fact.path, fact.value, fact.type) for fact in found.facts]
    [('Blue Spice', 'area', 'city centre', 'text'), ('Blue Spice', 'familyFriendly', 'yes', 'boolean')]
    >>> [subject.name for subject in found.subjects]
    ['Blue Spice']
    >>> phone = {"specs": [{"name": "Weight", "value": "205", "unit": "g"}]}
    >>> [(fact.path, fact.value, fact.unit) for fact in flatten(phone).facts]
    [('specs.*.Weight', '205', 'g')]
    >>> days = flatten({"2024-01-04": {"rain": 3}, "2024-01-05": {"rain": 0}})
    >>> [(fact.subject, fact.path, fact.value) for fact in days.facts]
    [('2024-01-04', '*.rain', '3'), ('2024-01-05', '*.rain', '0')]
    """
    reader = _Reader([], [], [])
    try:
        reader.read(data, _Place())
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return Data(tuple(reader.facts), tuple(reader.subjects), tuple(reader.unknown))


def _unpickled(
    facts: Iterable[Any], subjects: tuple[Subject, ...], unknown: tuple[tuple[str, str], ...]
) -> Data:
    return Data(tuple(map(fact_of, facts)), subjects, unknown)


_ROOT = "data"


@lru_cache(maxsize=1 << 14)
def _value(text: str, path: str) -> Value:
    """Return a value; equal values are one object, which dictionaries find without comparing strings."""
    return Value(text, path)


@lru_cache(maxsize=1 << 14)
def _entity(text: str, path: str, attribute: str, type_: FactType, unit: str, optional: bool) -> Entity:
    return Entity(_value(text, path), (), (attribute,), type_, unit, optional)


def type_of(text: str) -> FactType:
    """Return what kind of value a string is.

    Examples
    --------
    >>> [type_of(text) for text in ("yes", "2024-01-04 02:00:00", "18:30", "-3.5", "205 g", "Oslo")]
    ['boolean', 'date', 'time', 'number', 'number', 'name']
    >>> [type_of(text) for text in ("a quiet pub", "WLAN, GPS, NFC")]
    ['text', 'list']
    """
    if text.isdigit() and text.isascii():
        return "number"
    if text.casefold() in _TRUTHS:
        return "boolean"
    if not text[:1].isalpha():
        if _NUMBER.fullmatch(text):
            return "number"
        if _DATE.fullmatch(text):
            return "date"
        if _TIME.fullmatch(text):
            return "time"
        if _WITH_UNIT.fullmatch(text):
            return "number"
    if ("," in text or ";" in text or "/" in text) and _LIST.fullmatch(text):
        return "list"
    return "name" if text[:1].isupper() and text.count(" ") < _LONGEST_NAME else "text"


@lru_cache(maxsize=1 << 16)
def type_of_term(term: str) -> FactType:
    """Return what kind of value a term is, by its words; a term with underscores is a name, however long.

    Examples
    --------
    >>> [type_of_term(term) for term in ("Abilene,_Texas", '"185.0"^^xsd:double', '"served hot"')]
    ['name', 'number', 'text']
    """
    found = type_of(label(term))
    return "name" if found == "text" and "_" in term and term[0].isupper() else found


def is_prose(value: str) -> bool:
    """Return whether a value is a text of its own, which nobody repeats word for word.

    Examples
    --------
    >>> is_prose("a quiet pub by the river"), is_prose("The food was great, and so were the people " * 2)
    (False, True)
    """
    return len(value) > PROSE and sum(word[:1].isalpha() for word in value.split()) > PROSE


def truth_of(text: str) -> bool | None:
    """Return what a boolean says; None if the string is not one.

    Examples
    --------
    >>> truth_of("Yes"), truth_of("false"), truth_of("maybe")
    (True, False, None)
    """
    return _TRUTHS.get(text.casefold())


@lru_cache(maxsize=1 << 12)
def is_value(key: str) -> bool:
    """Return whether a key is itself a value: a date, a time or a number.

    Examples
    --------
    >>> is_value("2024-01-04"), is_value("18:00"), is_value("7"), is_value("wind"), is_value("3h")
    (True, True, True, False, False)
    """
    return bool(_NUMBER.fullmatch(key) or _DATE.fullmatch(key) or _TIME.fullmatch(key))


def names_object(path: str) -> bool:
    """Return whether the attribute with this path gives the name of the object that holds it.

    Examples
    --------
    >>> names_object("teams.*.full_name"), names_object("near")
    (True, False)
    """
    return _letters(path.rpartition(".")[2]) in NAME_KEYS


def _is_address(value: str) -> bool:
    if len(value) < _LEAST_HASH and value.isalnum():  # most values
        return False
    return bool(_URL.fullmatch(value) or _HASH.fullmatch(value))


class _Attribute(NamedTuple):
    """What is known about a path: its string, its keys from the last on, and what that says about values.

    ``dotted`` is the last key if it has a point in it. People do not mention ``unsaid`` values.
    """

    path: str
    keys: tuple[str, ...]
    key: str
    dotted: str
    unsaid: bool
    is_value: bool
    may_be_units: bool


@lru_cache(maxsize=1 << 12)
def _attribute(path: tuple[str, ...]) -> _Attribute:
    keys = tuple([part for part in reversed(path) if part != EVERY])
    key, last = keys[0] if keys else "", path[-1] if path else ""
    unsaid = any(map(_COORDINATE_KEY.fullmatch, keys)) or _ID_KEY.search(key) is not None
    may_be_units = _letters(last) in _UNIT_KEYS
    return _Attribute(".".join(path), keys, key, dotted(key), unsaid, is_value(last), may_be_units)


class _Keys(NamedTuple):
    """What is known about all keys of an object.

    ``names`` are those whose strings can name it (the first that has one does); ``units`` says whether one of
    them may hold units.
    """

    all: tuple[_Attribute, ...]
    names: tuple[str, ...]
    units: bool


def _keys_of(path: tuple[str, ...], keys: tuple[str, ...]) -> _Keys:
    found = tuple([_attribute((*path, key)) for key in keys])
    names = [key for name in NAME_KEYS for key in reversed(keys) if _letters(key) == name]
    return _Keys(found, tuple(names), any(key.may_be_units for key in found))


def _are_clean(keys: tuple[object, ...]) -> bool:
    return all(type(key) is str and key == key.strip() for key in keys)


# The objects of an array have the same keys; one with more keys is not an item of a list of equals.
_known_keys, _known_clean = lru_cache(maxsize=1 << 10)(_keys_of), lru_cache(maxsize=1 << 10)(_are_clean)
_MOST_KNOWN = 64


def matches(patterns: Iterable[str], path: str) -> bool:
    """Return whether a path, or one above it, fits one of the patterns.

    Examples
    --------
    >>> matches(["*.wins"], "teams.*.wins"), matches(["city"], "city.coord"), matches(["win"], "wins")
    (True, True, False)
    """
    return _matcher(patterns)(path)


def _matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    parts = [".*".join(map(re.escape, pattern.split(EVERY))) for pattern in patterns]
    whole = re.compile(rf"(?:{'|'.join(parts) or '(?!)'})(?:\..*)?")
    return lambda path: whole.fullmatch(path) is not None


class _Place(NamedTuple):  # made for every object
    """Where a value stands: its path, the object that it is about, and the units that apply there."""

    path: tuple[str, ...] = ()
    spot: str = ""
    subject: str = ""
    owner: str = ""
    units: tuple[tuple[str, str], ...] = ()

    def at(self, key: str, *, spot: str | None = None) -> _Place:
        path, spot = (*self.path, key), f"{self.spot}/{key if spot is None else spot}"
        return _Place(path, spot, self.subject, self.owner, self.units)


@dataclass(frozen=True, slots=True)
class _Reader:
    facts: list[Fact]
    subjects: list[Subject]
    unknown: list[tuple[str, str]]

    def read(self, value: object, place: _Place) -> None:
        if isinstance(value, str) and "\n" in value:
            value = _table_in(value)
        elif isinstance(value, list | tuple) and _is_dated_row(value):
            value = {value[0]: dict(zip(_VALUE_NAMES, value[1:], strict=False))}
        if isinstance(value, dict | Mapping):
            if type(value) is not dict or len(value) > _MOST_KNOWN or not _known_clean(tuple(value)):
                value = {str(key).strip(): own for key, own in value.items()}
            self._read_object(value, place)
        elif isinstance(value, list | tuple | set | frozenset):
            last = ""  # a pair without a name continues the one before
            for number, own in enumerate(value):
                last = self._read_item(own, place.at(EVERY, spot=str(number)), last)
        elif value is not None:
            self._read_leaf(value, _attribute(place.path), place, place.spot)
        else:
            self.unknown.append((".".join(place.path), place.spot))

    def _read_item(self, value: object, place: _Place, last: str) -> str:
        """Read an item of an array; return the name of the attribute if the item is one."""
        pair = _as_pair(value, last) if isinstance(value, dict | Mapping) else None
        if pair is None:
            self.read(value, place)
            return ""
        key, own, unit = pair
        inner = place.at(key)
        self.read(own, inner._replace(units=((key, unit),)) if unit else inner)
        return key

    def _read_object(self, fields: dict[str, Any], place: _Place) -> None:
        if _as_pair(fields, "") is not None:
            self._read_item(fields, place, "")
            return
        keys = (_known_keys if len(fields) <= _MOST_KNOWN else _keys_of)(place.path, tuple(fields))
        units = _units_of(fields) if keys.units else ()
        if units and len(fields) == 2 and (value := _value_of(fields)) is not None:
            self.read(value, place._replace(units=units))  # {"value": 205, "unit": "g"} is one value
            return
        named_by = next((key for key in keys.names if _is_name(fields[key])), None) or _date_key(fields)
        if named_by is not None:
            place = self._about(str(fields[named_by]).strip(), named_by, place)
        if units:
            place = place._replace(units=units)
        for (key, value), own in zip(fields.items(), keys.all, strict=True):
            if key == named_by or (own.may_be_units and _is_units(value)):
                continue
            if own.is_value:  # a series: the key names what it holds
                self.read(value, self._about(key, "", place.at(EVERY, spot=key)))
            elif type(value) in _SCALARS:  # most values; they need no place of their own
                self._read_leaf(value, own, place, f"{place.spot}/{key}")
            else:
                self.read(value, place.at(key))

    def _about(self, name: str, key: str, place: _Place) -> _Place:
        owner = place.spot or "/"
        kind = ".".join(place.path)
        path = ".".join((*place.path, key) if key else place.path)
        self.subjects.append(Subject(name, owner, kind, place.owner, path, type_of(name)))
        return _Place(place.path, place.spot, name, owner, place.units)

    def _read_leaf(self, value: object, own: _Attribute, place: _Place, spot: str) -> None:
        written = _written(value)
        if not written:
            self.unknown.append((own.path, spot))
            return
        is_whole = type(value) is int
        type_ = "number" if is_whole else type_of(written)
        if type_ == "boolean" and isinstance(value, str) and _CODE_KEY.search(own.key):
            type_ = "name"  # NO is Norway
        unit = _unit(place.units, own) if place.units and type_ == "number" else ""
        # A long sequence of digits is an identifier if it is a string, not if it is a number.
        optional = own.unsaid or (not is_whole and _is_address(written))
        fields = (place.subject, place.owner, own.path, written, type_, unit, optional, own.dotted, spot)
        self.facts.append(fact_of(fields))


def naming_key(fields: Mapping[str, Any]) -> str | None:
    """Return the key whose value says what the others are about: a name, otherwise a date.

    Examples
    --------
    >>> naming_key({"stars": "3", "Full name": "Blue Spice"}), naming_key({"stars": "3", "area": "riverside"})
    ('Full name', None)
    """
    keys = _keys_of((), tuple(fields))
    return next((key for key in keys.names if _is_name(fields[key])), None) or _date_key(fields)


def _is_dated_row(value: Sequence[object]) -> bool:
    """Return whether an array is a date followed by values, such as ``["2024-01-04", 3]``."""
    first = value[0] if value else None
    return 1 < len(value) <= len(_VALUE_NAMES) and isinstance(first, str) and type_of(first) in _CALENDAR


def _table_in(text: str) -> object:
    """Return the table that a string holds, with the text above it; the string if it holds no table.

    Rows whose first cell is a date or a number are named after it.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    above = [line.lstrip("# ") for line in lines if line.startswith("#")]
    rows = [line for line in lines if not line.startswith("#")]
    mark = max(_DELIMITERS, key=rows[0].count) if rows else ","
    cells = [[cell.strip() for cell in row.split(mark)] for row in rows]
    if len(cells) < _LEAST_ROWS or len(cells[0]) < 2 or len({len(row) for row in cells}) > 1:
        return text
    head, *body = cells
    named = len({row[0] for row in body}) == len(body) and all(is_value(row[0]) for row in body)
    fields: dict[str, object] = {}
    for line in above:
        key, colon, own = line.partition(":")
        fields[key.strip() if colon else f"note {len(fields) + 1}"] = own.strip() if colon else line
    if named:
        series = {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in body}
        return {**fields, "series": series} if fields else series
    table = [dict(zip(head, row, strict=True)) for row in body]
    return {**fields, "rows": table} if fields else table


def _as_pair(fields: Mapping[Any, Any], last: str) -> tuple[str, Any, str] | None:
    """Return name, value and unit of an object that is one attribute, as ``{"name": "Fat", "value": 2}``."""
    if len(fields) not in (2, 3):
        return None
    by_letters = {_letters(str(key)): own for key, own in fields.items()}
    value = next((by_letters[key] for key in _VALUE_KEYS if key in by_letters), None)
    name = next((by_letters[key] for key in _PAIR_KEYS if key in by_letters), None)
    unit = next((by_letters[key] for key in _UNIT_KEYS if key in by_letters), None)
    if value is None or not isinstance(name, str) or len(fields) != 2 + (unit is not None):
        return None
    name = name.strip() or last
    if not name or is_value(name):
        return None
    return name, value, unit.strip() if isinstance(unit, str) else ""


def _value_of(fields: Mapping[str, Any]) -> Any:
    return next((own for key, own in fields.items() if _letters(key) in _VALUE_KEYS), None)


def _units_of(fields: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    for key, own in fields.items():
        if _letters(key) in _UNIT_KEYS:
            if isinstance(own, str) and _is_units(own):
                return _measured(fields, own.strip())
            if isinstance(own, Mapping):
                return tuple((str(name), unit) for name, unit in own.items() if isinstance(unit, str))
    return ()


def _measured(fields: Mapping[str, Any], unit: str) -> tuple[tuple[str, str], ...]:
    """Return what a unit of an object applies to: all its numbers, except a price beside a measurement."""
    numbers = [key for key, own in fields.items() if type(own) in (int, float)]
    priced = {key for key in numbers if _letters(key) in PRICES}
    if not priced or len(priced) == len(numbers):
        return (("", unit),)
    return tuple((key, unit) for key in numbers if key not in priced)


def _is_units(value: object) -> bool:
    """Return whether the value of "unit" is a unit, not a name: lift L07."""
    return (isinstance(value, str) and not _CALLED.fullmatch(value.strip())) or (
        isinstance(value, Mapping) and all(isinstance(unit, str) for unit in value.values())
    )


def _unit(given: tuple[tuple[str, str], ...], attribute: _Attribute) -> str:
    """Return the unit that the data give for an attribute: by its key, a key above it, or for all."""
    units = dict(given)
    for own in attribute.keys:
        if own in units:
            return units[own]
        for name, unit in given:
            if name and own.startswith((f"{name}_", f"{name}.")):
                return unit
    return units.get("", "")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _date_key(fields: Mapping[str, Any]) -> str | None:
    if len(fields) < 2:
        return None
    dated = (key for key, own in fields.items() if isinstance(own, str) and type_of(own.strip()) in _CALENDAR)
    years = (key for key, own in fields.items() if _letters(key) == "year" and _YEAR.fullmatch(str(own)))
    return next(dated, None) or next(years, None)


def dotted(key: str) -> str:
    """Return the `Fact.key` of what has a last key.

    Examples
    --------
    >>> dotted("3.5mm jack"), dotted("weight")
    ('3.5mm jack', '')
    """
    return key if "." in key else ""


@lru_cache(maxsize=1 << 12)
def last_key(path: str) -> str:
    """Return the last part of a path that is not a position.

    Examples
    --------
    >>> last_key("teams.*.wins"), last_key("tags.*")
    ('wins', 'tags')
    """
    return next((part for part in reversed(path.split(".")) if part != EVERY), "")


@lru_cache(maxsize=1 << 12)
def _letters(key: str) -> str:
    return "".join(filter(str.isalpha, key)).casefold()


def _written(value: object) -> str:
    if type(value) is int:
        return str(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    if isinstance(value, date | time):
        return value.isoformat()
    return " ".join(str(value).split())
