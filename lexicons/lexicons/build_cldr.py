"""Makes the lexicons that come from Unicode CLDR: territories, languages, currencies, months.

Needs the package babel, which carries CLDR's data::

    pip install babel
    python lexicons/build_cldr.py

The files are overwritten; what is written by hand is in other files and is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import babel
from babel import Locale
from babel.core import get_cldr_version, get_global

HERE = Path(__file__).parent
SOURCE = f"Unicode CLDR {get_cldr_version()} through babel {babel.__version__}, by lexicons/build_cldr.py"
ENGLISH = Locale("en")
# Parts of the world that CLDR groups for its own ends; no text calls them so.
UNNAMED_REGIONS = {"EZ", "QO", "UN", "XA", "XB", "ZZ"}
# Where a currency has a shorter symbol at home.
AT_HOME = {"AUD": "en_AU", "CAD": "en_CA", "NZD": "en_NZ", "SGD": "en_SG", "BRL": "pt", "CNY": "zh"}
# Codes of countries in sport, where they are not those of the ISO.
IN_SPORT = {
    "AE": "UAE", "BG": "BUL", "CH": "SUI", "CL": "CHI", "CR": "CRC", "DE": "GER", "DK": "DEN", "DZ": "ALG",
    "GR": "GRE", "GT": "GUA", "HR": "CRO", "HT": "HAI", "ID": "INA", "IR": "IRI", "KW": "KUW", "LB": "LBN",
    "LV": "LAT", "LY": "LBA", "MG": "MAD", "MM": "MYA", "MN": "MGL", "MU": "MRI", "MY": "MAS", "NE": "NIG",
    "NG": "NGR", "NL": "NED", "OM": "OMA", "PH": "PHI", "PR": "PUR", "PT": "POR", "PY": "PAR", "SA": "KSA",
    "SD": "SUD", "SI": "SLO", "SV": "ESA", "TW": "TPE", "TZ": "TAN", "UY": "URU", "VN": "VIE", "ZA": "RSA",
    "ZM": "ZAM", "ZW": "ZIM",
}  # fmt: skip
DATED = re.compile(r"\s*\(\d{4}[^()]*\)$")  # a currency that CLDR distinguishes by its years


def territories() -> list[tuple[str, ...]]:
    """Return (codes, kind, name) of the world's regions and countries."""
    rows = []
    longer = aliases("territory_aliases", lambda own: own[0] if len(own) == 1 else "")
    for code, name in sorted(ENGLISH.territories.items()):
        if code in UNNAMED_REGIONS:
            continue
        kind = "region" if code.isdigit() or code == "EU" else "country"
        plain = name.replace("’", "'")
        names = [plain]
        if match := re.fullmatch(r"(.+?) \((.+)\)", plain):  # Myanmar (Burma)
            names = [match[1], match[2]]
        others = [IN_SPORT[code]] if code in IN_SPORT else []
        codes = dict.fromkeys([code, *longer.get(code, ()), *others]) if kind == "country" else [code]
        rows.append(("|".join(codes), kind, "|".join(both(name) for name in names)))
    return rows


def aliases(name: str, of: Callable[[Any], str]) -> dict[str, list[str]]:
    """Return the codes of three letters for those that CLDR uses."""
    found: dict[str, list[str]] = {}
    for code, own in sorted(get_global(name).items()):
        if len(code) == 3 and code.isalpha() and (meant := of(own)) != code:
            found.setdefault(meant, []).append(code)
    return found


def both(name: str) -> str:
    """Write a name that abbreviates (St., &) in full as well."""
    full = re.sub(r"\bSt\. ", "Saint ", name).replace(" & ", " and ")
    return name if full == name else f"{full}|{name}"


def languages() -> list[tuple[str, ...]]:
    """Return (codes, name) of the languages that CLDR names without a region or script."""
    skipped = {"mul", "und", "zxx", "root"}
    longer = aliases("language_aliases", str)
    return [
        ("|".join([code, *(longer.get(code, ()) if len(code) == 2 else ())]), name.replace("’", "'"))
        for code, name in sorted(ENGLISH.languages.items())
        if code not in skipped and "_" not in code and "(" not in name
    ]


def currencies() -> list[tuple[str, ...]]:
    """Return (code, name, plural, symbols) of the currencies in use."""
    current = {
        code
        for periods in get_global("territory_currencies").values()
        for code, start, end, tender in periods
        if end is None and tender
    }
    rows = []
    for code, name in sorted(ENGLISH.currencies.items()):
        if code not in current or DATED.search(name):
            continue
        plural = ENGLISH._data["currency_names_plural"].get(code, {}).get("other", name)
        rows.append((code, name, plural, symbols(code)))
    return rows


def symbols(code: str) -> str:
    """Return the currency's symbols: for readers of English elsewhere and, where it differs, at home."""
    found = [ENGLISH.currency_symbols.get(code, "")]
    if code in AT_HOME:
        found.append(Locale.parse(AT_HOME[code]).currency_symbols.get(code, ""))
    return "|".join(dict.fromkeys(symbol for symbol in found if symbol and symbol != code))


def months() -> list[tuple[str, ...]]:
    """Return (number, name, abbreviation) of the months."""
    wide, short = (ENGLISH.months["format"][width] for width in ("wide", "abbreviated"))
    return [(str(number), wide[number], short[number]) for number in range(1, 13)]


FILES = {
    "territories": (
        "Regions and countries; several codes or names of one are separated by a bar.",
        "codes kind names",
        territories,
    ),
    "languages": ("Languages by their codes, separated by a bar.", "codes name", languages),
    "currencies": (
        "Currencies in use; several symbols of one are separated by a bar.",
        "code name plural symbols",
        currencies,
    ),
    "months": ("Months and their abbreviations.", "number name abbreviation", months),
}


def main() -> None:
    """Write all files."""
    for name, (about, columns, rows) in FILES.items():
        header = [
            f"# {about}",
            f"# source: {SOURCE}",
            "# licence: Unicode-3.0",
            "# columns: " + "\t".join(columns.split()),
        ]
        lines = header + ["\t".join(row) for row in rows()]
        (HERE / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
