"""Records of many kinds of values, written out in plain layouts, and with one value changed.

Each kind has a key and several values. A record takes one value of each of some kinds; a layout writes all of
them down, word by word. Whatever the kind, nothing of such a text is missing and nothing in it is wrong;
where one value is replaced by another of its kind, something is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Fields = Sequence[tuple[str, Any]]

KINDS: Mapping[str, tuple[str, tuple[Any, ...]]] = {
    # numbers
    "whole number": ("rooms", (27, 48, 112)),
    "large number": ("population", (1135835, 84607, 2310448)),
    "number with separators": ("visitors", ("1,248,300", "91,204", "673,915")),
    "decimal": ("average_score", (4.3, 7.85, 2.6)),
    "small decimal": ("error_rate", (0.034, 0.0071, 0.129)),
    "negative": ("altitude", (-18, -427, -61)),
    "zero or more": ("open_issues", (14, 3, 9)),
    "one": ("owners", (1, 2, 4)),
    "exponent": ("particles", ("3.2e9", "7.1e9", "4.8e9")),
    "ratio": ("aspect_ratio", ("16:9", "4:3", "21:9")),
    "fraction": ("share_held", ("3/4", "2/5", "5/8")),
    "score": ("final_score", ("3-1", "2-0", "4-2")),
    "per cent": ("occupancy", ("87%", "64%", "92.5%")),
    "per cent by key": ("humidity_pct", (71, 38, 55)),
    "ordinal": ("finish", ("3rd", "12th", "21st")),
    "range of numbers": ("group_size", ("4-6", "8-12", "15-20")),
    "dimensions": ("dimensions", ("120 x 60 x 75 cm", "90 x 45 x 60 cm", "38 x 20 x 18 cm")),
    "approximate": ("crowd", ("about 4,500", "about 2,300", "about 7,800")),
    "plus": ("experience", ("5+ years", "10+ years", "2+ years")),
    # money
    "euros": ("price", ("€129.00", "€84.50", "€310.00")),
    "dollars": ("fee", ("$1,299", "$845", "$2,150")),
    "pounds": ("rent", ("£950", "£1,425", "£780")),
    "yen": ("fare", ("¥13,320", "¥8,910", "¥21,400")),
    "currency code": ("deposit", ("EUR 450", "EUR 725", "EUR 1,180")),
    "currency code after": ("salary", ("78,000 CHF", "64,500 CHF", "91,200 CHF")),
    "money by key": ("cost_usd", (219.5, 84.12, 1650)),
    "millions": ("revenue", ("$4.2 million", "$17.9 million", "$8.6 million")),
    "price per unit": ("tariff", ("0.28 EUR/kWh", "0.34 EUR/kWh", "0.19 EUR/kWh")),
    "range of money": ("price_range", ("€15-35", "€20-48", "€12-27")),
    "currency": ("currency", ("NOK", "JPY", "BRL")),
    # units
    "length": ("height", ("168 cm", "192 cm", "155 cm")),
    "distance by key": ("distance_km", (8.4, 23.7, 41.5)),
    "weight": ("weight", ("205 g", "340 g", "187 g")),
    "area": ("living_area", ("84 m²", "126 m²", "59 m²")),
    "volume": ("tank", ("52 litres", "64 litres", "45 litres")),
    "temperature": ("temperature", ("-4 °C", "17 °C", "31 °C")),
    "speed": ("top_speed", ("210 km/h", "185 km/h", "240 km/h")),
    "power": ("power", ("110 kW", "85 kW", "150 kW")),
    "battery": ("battery", ("5000 mAh", "4500 mAh", "6200 mAh")),
    "storage": ("storage", ("256 GB", "512 GB", "128 GB")),
    "pressure": ("pressure", ("1013 hPa", "996 hPa", "1027 hPa")),
    "range with unit": ("delivery_time", ("4-6 days", "2-3 days", "7-10 days")),
    # dates and times
    "ISO date": ("start_date", ("2025-11-28", "2026-03-09", "2024-07-17")),
    "date in words": ("opened", ("14 March 1998", "2 August 2011", "30 May 2004")),
    "American date": ("signed", ("March 5, 2021", "October 19, 2018", "July 27, 2023")),
    "date with slashes": ("due", ("28/11/2025", "17/06/2025", "23/09/2025")),
    "date with points": ("issued_on", ("28.11.2025", "16.04.2025", "23.09.2025")),
    "year": ("built", (1996, 2014, 1872)),
    "year and month": ("available_from", ("2026-05", "2026-09", "2027-02")),
    "month": ("peak_month", ("October", "February", "June")),
    "weekday": ("closed_on", ("Monday", "Thursday", "Sunday")),
    "quarter": ("reporting_quarter", ("Q3 2025", "Q1 2026", "Q4 2024")),
    "decade": ("style_of", ("1920s", "1970s", "1890s")),
    "range of years": ("in_office", ("2009-2017", "1998-2005", "2012-2020")),
    "range of dates": ("exhibition", ("2025-03-08 to 2025-08-31", "2025-10-04 to 2026-01-18")),
    "time": ("check_in", ("15:00", "14:30", "16:45")),
    "time of 12 hours": ("breakfast_from", ("7:30 am", "6:45 am", "8:15 am")),
    "hours": ("opening_hours", ("09:00-17:30", "10:00-18:00", "08:30-20:00")),
    "time stamp": ("departure", ("2026-02-14T07:20:00", "2026-04-03T18:05:00", "2026-06-21T12:40:00")),
    "duration": ("running_time", ("2 h 25 min", "1 h 40 min", "3 h 05 min")),
    "duration by key": ("duration_min", (145, 95, 210)),
    "clock duration": ("winning_time", ("02:31:12", "01:58:47", "03:14:05")),
    "ISO duration": ("cook_time", ("PT1H30M", "PT45M", "PT2H15M")),
    "interval": ("service_interval", ("every 6 months", "every 12 weeks", "every 2 years")),
    # truth and absence
    "true": ("has_parking", (True, False)),
    "false": ("smoking_allowed", (False, True)),
    "yes in words": ("wheelchair_access", ("Yes", "No")),
    "null": ("sponsor", (None,)),
    # codes
    "grade": ("energy_class", ("A+", "A-", "B+")),
    "roman numeral": ("edition", ("Rocky IV", "Rocky III", "Rocky II")),
    "language with a sign": ("programming_language", ("C#", "C++", "F#")),
    "country code": ("country", ("PT", "VN", "SE")),
    "language code": ("language", ("nl", "sv", "it")),
    "version": ("version", ("3.11.7", "3.12.1", "2.9.0")),
    "model number": ("model", ("XPS-9320", "XPS-9510", "XPS-7390")),
    "flight number": ("flight", ("BA2490", "IB6841", "LH456")),
    "seat": ("seat", ("14A", "22C", "7F")),
    "phone number": ("phone", ("+44 20 7946 0018", "+44 161 496 0752", "+44 131 496 0344")),
    "e-mail": ("contact", ("info@blueinn.example", "desk@hallmark.example", "team@northpier.example")),
    "address of a page": ("website", ("https://blueinn.example/rooms", "https://northpier.example")),
    "postal code": ("postcode", ("4050-265", "1200-192", "9000-064")),
    "ISBN": ("isbn", ("978-0-306-40615-7", "978-1-86197-876-9", "978-3-16-148410-0")),
    "chemical formula": ("substance", ("CO2", "NO2", "CH4")),
    "symbol": ("ticker", ("TLMK", "VNDR", "OSTR")),
    # words
    "enum": ("body_type", ("STATION_WAGON", "CONVERTIBLE", "PICKUP_TRUCK")),
    "colour": ("colour", ("dark green", "light grey", "bright red")),
    "adjective": ("price_level", ("moderate", "cheap", "expensive")),
    "list of words": ("amenities", (["sauna", "roof terrace", "bike rental"], ["gym", "library", "garden"])),
    "list in a string": ("languages_spoken", ("English, Dutch, Polish", "German, Czech, Danish")),
    "list of numbers": ("sizes", ([36, 37, 38], [41, 42, 43])),
    "phrase": ("sleeping", ("two single beds and a sofa", "one king bed by the window")),
    "person": ("director", ("Ruth Abernathy-Cole", "Tomas Lindqvist", "Hana Petrova")),
    "person with particle": ("founder", ("Pieter van der Meer", "Ludwig von Halden", "Maria de la Cruz")),
    "person with initials": ("author", ("M. K. Dunmore", "E. H. Trevanion", "J. P. Osei")),
    "person with diacritics": ("composer", ("Zoë Kovářová", "José Muñoz", "Åsa Lindström")),
    "person with title": ("physician", ("Dr. Hannah Cole", "Dr. Samir Haddad", "Dr. Ines Falk")),
    "place": ("city", ("Porto", "Utrecht", "Gdańsk")),
    "street": ("street", ("Rua das Flores 112", "Kerkstraat 48", "Via Roma 18")),
    "organisation": ("operator", ("Noordzee Cycling", "Parsewell Labs", "Stellenbrook Museums Trust")),
    "title of a work": ("exhibit", ("The Washing Machine Century", "Typewriters Talk Back")),
}
"""What each kind is called, its key, and values of which each may stand for another."""

WORDS = frozenset({"colour", "adjective", "list of words", "phrase", "enum", "title of a work"})
"""Kinds whose values are words, which may be other words for the same: a change is missing, but no flag."""

NAMES = ("Alder House", "Birch Lodge", "Cedar Hall", "Dove Cottage", "Elm Court", "Fern Villa")


def said(value: Any) -> str:
    """Return a value as plain texts write it."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(said, value))
    return str(value)


def _label(key: str) -> str:
    return key.replace("_", " ").capitalize()


def lines(name: str, fields: Fields) -> str:
    """Lines "Key: value"."""
    return "\n".join([f"Name: {name}", *(f"{_label(key)}: {said(value)}" for key, value in fields)])


def table(name: str, fields: Fields) -> str:
    """A table in Markdown."""
    rows = [f"| {_label(key)} | {said(value)} |" for key, value in fields]
    return "\n".join(["| Field | Value |", "| --- | --- |", f"| Name | {name} |", *rows])


def bullets(name: str, fields: Fields) -> str:
    """A heading and a list in Markdown."""
    return "\n".join([f"## {name}", "", *(f"- {_label(key)}: {said(value)}" for key, value in fields)])


def bold(name: str, fields: Fields) -> str:
    """Lines with bold labels."""
    return "\n\n".join([f"**{name}**", *(f"**{_label(key)}:** {said(value)}" for key, value in fields)])


def sentences(name: str, fields: Fields) -> str:
    """One sentence for each value."""
    told = (f"The {_label(key).lower()} is {said(value)}." for key, value in fields)
    return " ".join([f"This is {name}.", *told])


def one_line(name: str, fields: Fields) -> str:
    """All in one line, with commas."""
    return ", ".join([name, *(f"{_label(key).lower()} {said(value)}" for key, value in fields)]) + "."


LAYOUTS: Mapping[str, Callable[[str, Fields], str]] = {
    "lines": lines,
    "table": table,
    "bullets": bullets,
    "bold": bold,
    "sentences": sentences,
    "one line": one_line,
}


@dataclass(frozen=True, slots=True)
class Case:
    """A record with a text: as it is, or with the value of one kind changed in the text."""

    layout: str
    kinds: tuple[str, ...]
    data: Mapping[str, Any]
    text: str
    changed: str = ""
    right: str = ""
    wrong: str = ""

    @property
    def place(self) -> tuple[int, int]:
        """Where the changed value stands, with its label."""
        start = self.text.lower().index(_label(KINDS[self.changed][0]).lower())
        return start, self.text.index(self.wrong, start) + len(self.wrong)


def cases(*, per_record: int = 6, rounds: int = 2) -> Iterator[Case]:
    """Yield the records in all layouts, each followed by those with one changed value.

    A round shifts the kinds that stand together, and takes the next value of each.
    """
    names = list(KINDS)
    for turn in range(rounds):
        order = names[turn:] + names[:turn] if turn % 2 == 0 else names[turn::2] + names[1 - turn :: 2]
        for start in range(0, len(order), per_record):
            chosen = tuple(order[start : start + per_record])
            name = NAMES[(start // per_record + turn) % len(NAMES)]
            fields = [(KINDS[kind][0], _value(kind, turn)) for kind in chosen]
            data = {"name": name, **dict(fields)}
            for layout, write in LAYOUTS.items():
                yield Case(layout, chosen, data, write(name, fields))
                for at, kind in enumerate(chosen):
                    if len(KINDS[kind][1]) > 1:
                        key, right = fields[at]
                        wrong = _value(kind, turn + 1)
                        told = [*fields[:at], (key, wrong), *fields[at + 1 :]]
                        yield Case(layout, chosen, data, write(name, told), kind, said(right), said(wrong))


def _value(kind: str, turn: int) -> Any:
    values = KINDS[kind][1]
    return values[turn % len(values)]
