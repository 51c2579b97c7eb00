"""Values as people mean them: which texts say a value of the data, and which say another one."""

from __future__ import annotations

from typing import Any

import pytest

from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example, Graph
from esascore.pipeline import build_pipeline


@pytest.fixture(scope="module")
def pipeline():
    return build_pipeline()


def detected(pipeline, data, text):
    return pipeline.detect([(Graph.from_data(data), text)])[0]


def flags(pipeline, data, text):
    example = Example("Id1", Graph.from_data(data))
    found = pipeline.detect([(example.input, text)])
    return list(Hallucinations(pipeline).find([example], [text], found)[0])


def of(attribute, value, **more):
    return {"name": "Kestrel", attribute: value, **more}


# data, texts that say its value and nothing else, texts that do not say it with what of them is flagged
# (what has no full stop goes on from "Kestrel")
Row = tuple[dict[str, Any], list[str], dict[str, list[str]]]
SIGNS: list[Row] = [
    (of("temperature", -18),
     ["Kestrel: -18 degrees.", "was at minus 18", "is at −18 °C", "is 18 below zero",
      "is at 18 degrees below zero", "is at minus eighteen", "fell to −18"],
     {"is at 18 degrees": ["18 degrees"], "has 18": ["18"], "is at +18": ["+18"]}),
    (of("elevation", -18, unit="m"),
     ["is 18 m below sea level", "lies at -18 metres", "is 18 metres beneath the sea",
      "is eighteen metres below sea level", "is at an elevation of −18 m"],
     {"is 18 m above sea level": ["18 m"]}),
    (of("temperature", 18), ["is at 18", "Kestrel: +18 °C."], {"is at -18": ["-18"]}),
    (of("rating", "A++"), ["is rated A++"], {"is rated A": [], "is a rated one": []}),
    (of("rating", "A+"), ["is rated A+"], {"is rated A": [], "is rated A++": []}),
    (of("rating", "A"), ["is rated A"], {"is rated A+": [], "is a house": []}),
    (of("language", "C++"), ["is in C++", "uses C++, a language"], {"is in C": []}),
    (of("language", "C#"), ["is in C#"], {"is in C": [], "is in C++": []}),
    (of("language", "C"), ["is in C"], {"is in C++": [], "is in C#": []}),
    (of("phone", "Galaxy S24+"), ["is a Galaxy S24+", "is a Galaxy S24 Plus"], {"is a Galaxy S24": []}),
    (of("phone", "Galaxy S24"), ["is a Galaxy S24", "is a Galaxy S24, a phone"], {"is a Galaxy S24+": []}),
    (of("service", "Disney+"), ["is on Disney+", "is on Disney Plus"], {}),
]  # fmt: skip
NUMBERS: list[Row] = [
    (of("rooms", 3),
     ["has 3 rooms", "has three rooms"],
     {"has 3,000 rooms": ["3,000"], "has 3.5 rooms": ["3.5"], "has 13 rooms": ["13"]}),
    (of("length", 3.5),
     ["is 3.5 long", "is three point five long"], {"is 3,500 long": ["3,500"], "is 35 long": ["35"]}),
    (of("seats", 3500),
     ["has 3,500 seats", "has 3500 seats", "has 3 500 seats", "has 3.5 thousand seats",
      "has three thousand five hundred seats"],
     {"has 3.5 seats": ["3.5"], "has 3,501 seats": ["3,501"]}),
    (of("score", 76.936),
     ["has 76.93", "has 76.94", "has 76.9", "has 77"], {"has 76.95": ["76.95"], "has 78": ["78"]}),
    (of("rain", 0.74), ["got 0.7 of it", "got 0.74 of it"], {"got 0.8 of it": []}),
    (of("population", 1135835),
     ["has 1.1 million people", "has 1,135,835 people", "has about 1,100,000 people",
      "has 1.14 million people", "has over 1.1 million people"],
     {"has 1.2 million people": ["1.2 million people"], "has 1,135,836 people": ["1,135,836 people"]}),
    (of("population", 123000),
     ["has one hundred and twenty-three thousand people", "has 123 thousand people", "has 123,000 people"],
     {"has one hundred and twenty-four thousand people": ["one hundred and twenty-four thousand people"]}),
    (of("wheels", 2),
     ["has a pair of wheels", "has two wheels", "won twice", "has a couple of wheels"], {"has wheels": []}),
    (of("eggs", 12), ["has a dozen eggs", "has twelve eggs"], {"has 11 eggs": ["11"]}),
    (of("rank", 3), ["came third", "is 3rd", "is the 3rd"], {"came second": []}),
    (of("volume", 0.5, unit="l"),
     ["has half a litre", "has 1/2 litre", "has ½ litre", "has 0.5 L", "has a half-litre bottle",
      "has 500 ml"],
     {"has a litre": [], "has 3/4 litre": ["3/4 litre"]}),
    (of("duration", 2.5, unit="h"),
     ["takes two and a half hours", "takes 2½ hours", "takes 2 1/2 hours", "takes 2.5 h",
      "takes 150 minutes", "takes 2 hours 30 minutes"],
     {"takes 3½ hours": ["3½ hours"]}),
    (of("share", "25%"),
     ["has a quarter of it", "has 25% of it", "has one quarter of it", "has 25 percent of it"],
     {"has 26% of it": ["26%"]}),
    (of("share", 0.33), ["has a third of it", "has one third of it", "has 0.33 of it"], {}),
    (of("shipping", "4-6 hours"),
     ["takes 4-6 hours", "takes from 4 to 6 hours", "takes four to six hours",
      "takes between 4 and 6 hours", "takes 4–6 hours", "takes 4 - 6 hrs"],
     {"takes 4-7 hours": ["7 hours"], "takes from 3 to 6 hours": ["3"]}),
    (of("from", 4, to=6),
     ["takes 4-6 hours", "takes from 4 to 6 hours", "takes 4 to 6 hours"],
     {"takes 5-7 hours": ["5", "7 hours"]}),
    (of("size", "120 x 60 x 75 cm"),
     ["is 120 x 60 x 75 cm", "is 120x60x75 cm", "is 120 × 60 × 75 centimetres", "is 120 by 60 by 75 cm",
      "is 120 cm long, 60 cm wide and 75 cm high", "is 1.2 m x 0.6 m x 0.75 m"],
     {"is 120 x 60 x 76 cm": ["76 cm"], "is 75 cm high": []}),
    (of("area", "1.234,56"),
     ["has 1.234,56 of it", "has 1,234.56 of it", "has 1234.56 of it", "has 1 234,56 of it"],
     {"has 1.234,57 of it": ["1.234,57"]}),
    (of("area", "1 234,56"), ["has 1.234,56 of it", "has 1 234,56 of it"], {}),
    (of("seats", "1.234", price="9,50"),
     ["Kestrel: 1.234 seats for 9,50.", "Kestrel: 1,234 seats for 9.50."], {}),
    (of("players", ["Ada Moss", "Bo Lind", "Cy Rook"]),
     ["has three players: Ada Moss, Bo Lind and Cy Rook", "The 3 of Kestrel are Ada Moss, Bo Lind, Cy Rook."],
     {"has 4 players: Ada Moss and Bo Lind": ["4"]}),
]  # fmt: skip
UNITS: list[Row] = [
    (of("flux", "800 lm"),
     ["gives 800 lumens", "gives 800 lm", "has an 800-lumen lamp"], {"gives 900 lumens": ["900 lumens"]}),
    (of("temp", 20, unit="°C"),
     ["is at 20 degrees Celsius", "is at 20°C", "is at 68 °F", "is at 20 °C (68 °F)", "is at 20 Celsius"],
     {"is at 21 Celsius": ["21 Celsius"], "is at 20°F": ["20°F"]}),
    (of("clock", "800 MHz"),
     ["runs at 800 megahertz", "runs at 0.8 GHz", "Kestrel: 800MHz."], {"runs at 900 MHz": ["900 MHz"]}),
    (of("camera", "50 MP"), ["has 50 megapixels", "has a 50-megapixel eye", "Kestrel: 50MP."], {}),
    (of("battery", "5000 mAh"),
     ["has 5,000 mAh", "has 5000 milliamp hours", "Kestrel: 5000mAh."], {"Kestrel: 5100mAh.": ["5100mAh"]}),
    (of("pressure", 1013, unit="hPa"),
     ["has 1013 hPa", "has 1013 hectopascals", "has 1013 millibars"], {"has 1014 hPa": ["1014 hPa"]}),
    (of("speed", "100 km/h"),
     ["does 100 kilometres per hour", "does 100 kph", "does 62 mph", "does 100 km/h (62 mph)"],
     {"does 100 mph": ["100 mph"]}),
    (of("height", 180), ["is 180 cm (5 ft 11 in)", "is 180 cm (5'11\") tall", "is 180 cm"], {}),
    (of("height", "180 cm"),
     ["is 180 cm (5 ft 11 in)", "is 1.8 m tall", "is 5 feet 11 inches tall", "is 1.80 metres"],
     {"is 180 m tall": ["180 m"]}),
    (of("screen", "6.7 inches"),
     ["has a 6.7-inch screen", 'has a 6.7" screen', "has a 17 cm screen"],
     {"has a 6.8-inch screen": ["6.8-inch"]}),
    (of("memory", "16 GB"), ["has 16 gigabytes", "has 16GB", "has 16,000 MB"], {"has 16 TB": ["16 TB"]}),
    (of("flour", "2 cups"), ["needs 2 cups", "needs two cups"], {"needs 3 cups": ["3 cups"]}),
    (of("power", "230 V"), ["needs 230 volts", "needs 230V"], {}),
    (of("sound", "60 dB"), ["makes 60 decibels", "makes 60 dB"], {}),
    (of("speed", 5, units="metric"), ["does 5 m/s", "does 5 metres per second"], {}),
]  # fmt: skip
CODES: list[Row] = [
    (of("price", 650, currency="EUR"),
     ["costs 650 euros", "costs €650", "Kestrel: EUR 650.", "costs 650 EUR"], {"costs €660": ["€660"]}),
    (of("country", "DE"),
     ["is in Germany", "is German", "is in DE"],
     {"is in France": ["France"], "is in Denmark": ["Denmark"]}),
    (of("country_code", "PH"), ["is in the Philippines"], {"is in Peru": ["Peru"]}),
    (of("language", "en"), ["is in English"], {"is in French": ["French"]}),
    (of("lang", "pt-BR"), ["is in Portuguese", "is in Brazilian Portuguese"], {}),
    (of("state", "CA"), ["is in California", "is in CA"], {"is in Canada": []}),
    (of("currency", "USD"), ["takes US dollars", "takes dollars"], {"takes euros": []}),
    (of("grade", "CA"), ["is CA"], {"is in California": []}),
]  # fmt: skip
TIMES: list[Row] = [
    (of("start", "2023-11-28 18:00:00"),
     ["starts at 18:00", "starts at 6 pm", "starts at 6:00 p.m", "Kestrel: Tuesday.",
      "starts on Tuesday evening", "starts on 28 November 2023 at 18:00",
      "starts on Tuesday, November 28 at 6pm", "starts at six o'clock", "starts at 6 PM",
      "starts at 18:00:00", "starts on 2023-11-28 18:00:00", "starts on Nov 28"],
     {"starts at 17:00": ["17:00"], "starts at 6 am": ["6 am"], "Kestrel: Monday.": ["Monday"],
      "starts on 29 November": ["29 November"], "starts at 18:30": ["18:30"]}),
    (of("start", "2023-11-28T18:00:00+02:00"),
     ["starts at 18:00", "starts at 16:00 UTC"], {"starts at 16:30": ["16:30"]}),
    (of("start", "2023-11-28T18:00:00Z"), ["starts at 18:00 UTC", "starts at 6 pm GMT"], {}),
    (of("opens", "09:30"),
     ["opens at 9:30", "opens at 9:30 am", "opens at 9.30 a.m", "opens at 09:30", "opens at half past nine"],
     {"opens at 9:30 pm": ["9:30 pm"], "opens at 9:00": ["9:00"]}),
    (of("created_at", 1701194400),
     ["was made on 28 November 2023", "was made in November 2023", "Kestrel: Nov 28, 2023."],
     {"was made on 29 November 2023": ["29 November 2023"]}),
    (of("opens", "12:00"),
     ["opens at noon", "opens at 12 pm", "opens at midday"], {"opens at midnight": ["midnight"]}),
    (of("date", "2017-02-03"),
     ["won on Friday", "won on Friday night", "won on Feb 3"], {"won on Wednesday": ["Wednesday"]}),
]  # fmt: skip
TABLES = (SIGNS, NUMBERS, UNITS, CODES, TIMES)


def whole(text):
    return text if text.endswith(".") else f"Kestrel {text}."


def cases(*rows):
    """Rows of a table with ids."""
    ids = [f"{row[0][list(row[0])[1]] if 'name' in row[0] else 'teams'}: {row[1]}" for row in rows]
    return [pytest.param(*row, id=own) for row, own in zip(rows, ids, strict=True)]


ROWS = [row for table in TABLES for row in table]
SAID = [(data, whole(text)) for data, said, _ in ROWS for text in said]
UNSAID = [(data, whole(text), flagged) for data, _, unsaid in ROWS for text, flagged in unsaid.items()]


@pytest.mark.parametrize(("data", "text"), cases(*SAID))
def test_said(pipeline, data, text):
    assert detected(pipeline, data, text).undetected == ()
    assert [flag.text for flag in flags(pipeline, data, text)] == []


@pytest.mark.parametrize(("data", "text", "flagged"), cases(*UNSAID))
def test_not_said(pipeline, data, text, flagged):
    assert detected(pipeline, data, text).undetected != ()
    assert [flag.text for flag in flags(pipeline, data, text)] == flagged


@pytest.mark.parametrize(
    ("data", "text", "flagged"),
    cases(
        (of("height", 180), "Kestrel is 180 cm (6 ft 11 in).", ["6 ft 11 in"]),
        (of("temp", 20, unit="°C"), "Kestrel is at 20 °C (70 °F).", ["70 °F"]),
        (of("rooms", 3), "Kestrel has three rooms and 77 doors.", ["77"]),
        (of("price", 650, currency="EUR"), "Kestrel costs $650.", ["$650"]),
        (of("price", 1299, currency="EUR"), "Kestrel costs 1.299 €.", []),
        (of("price", 1299, currency="EUR"), "Kestrel costs 1.299,00 €.", []),
        (of("rating", "4/5"), "Kestrel is rated four out of five.", []),
        (of("low", -3, high=4), "Kestrel is at -3–4 °C.", []),
        (of("hours", "Mon-Fri 09:00-17:00"), "Kestrel is open on Monday from 9 a.m. until 5 p.m.", []),
        (of("population", 8336817), "Kestrel has 8 million people.", []),
        (of("temp", -5.2, unit="°C"), "Kestrel will be at 5 degrees below zero.", []),
        (of("change", "-3.2%"), "Kestrel fell by 3.2%.", []),
        (of("change", "3.2%"), "Kestrel rose by 3.3%.", ["3.3%"]),
        (of("years", "1998-2004"), "Kestrel was here from 1998 to 2004.", []),
        (of("years", "1998-2004"), "Kestrel was here from 1998 to 2005.", []),
        (of("date", "28 November 2023"), "Kestrel is on Tuesday the 28th.", []),
        (of("start", "2024-01-04", end="2024-01-09"), "Kestrel runs for 6 days from January 4.", []),
        (of("start", "2024-01-04", end="2024-01-09"), "Kestrel runs for 9 days from January 4.", []),
        (of("runtime", "1:30"), "Kestrel takes 90 minutes.", []),
        (of("version", "2.4.1"), "Kestrel is at 2.4.1.", []),
        (of("version", "2.4.1"), "Kestrel is at 2.4.2.", ["2.4.2"]),
        (of("screen", "1920x1080"), "Kestrel has 1920 x 1200 pixels.", ["1200 pixels"]),
        (of("runtime", 5400, unit="s"), "Kestrel takes an hour and a half.", []),
        (of("rooms", 3), "Kestrel is one of two, the first of its kind, with three rooms.", []),
        (
            of("date", "2023-11-28"),
            "Kestrel starts on Monday, 28 November 2023.",
            ["Monday, 28 November 2023"],
        ),
        (of("date", "2023-11-28"), "Kestrel starts on Tuesday, 28 November 2023.", []),
        (
            of("date", "2023-11-28"),
            "Kestrel starts on 28 November 2023 (Friday).",
            ["28 November 2023 (Friday"],
        ),
    ),
)
def test_wrong_beside_right(pipeline, data, text, flagged):
    assert [flag.text for flag in flags(pipeline, data, text)] == flagged


# data, text, the attributes that are missing
FACTS: list[tuple[dict[str, Any], str, list[str]]] = [
    (of("points", 12, rebounds=12), "Kestrel had 12 points.", ["rebounds"]),
    (of("points", 12, rebounds=12), "Kestrel had 12 rebounds.", ["points"]),
    (of("points", 12, rebounds=12), "Kestrel had 12 rebounds and 12 points.", []),
    (of("points", 12, rebounds=12), "Kestrel had twelve of each: 12 points, 12 rebounds.", []),
    (of("points", 12, rebounds=12), "Kestrel had 12 points and rebounds.", []),
    (of("points", 12, rebounds=12), "Kestrel had 12.", ["rebounds"]),
    (of("width", "60 cm", depth="60 cm"), "Kestrel is 60 cm wide.", ["depth"]),
    (of("city", "Oslo", home="Oslo"), "Kestrel is in Oslo.", []),
    ({"name": "Sony Xperia 5", "brand": "Sony"}, "The Sony Xperia 5 is here.", []),
    ({"name": "Boston Celtics", "city": "Boston", "nickname": "Celtics"}, "The Boston Celtics won.", []),
    (of("near", "Indian Museum", food="Indian"), "Kestrel is near the Indian Museum.", ["food"]),
    (of("model", "Ford Fiesta ST", maker="Ford"), "Kestrel is a Fiesta.", ["model", "maker"]),
    (of("year", 2019, seats=2019), "Kestrel has 2,019 seats.", ["year"]),
    (of("assists", 1, steals=0), "Kestrel had an assist and no steals.", []),
    (of("assists", 1, steals=0), "Kestrel had a steal and no assists.", ["assists", "steals"]),
    (of("model", "Xperia 5", version=5), "Kestrel is an Xperia 5.", ["version"]),
]


@pytest.mark.parametrize(("data", "text", "missing"), FACTS, ids=[text for _, text, _ in FACTS])
def test_each_attribute_is_a_fact(pipeline, data, text, missing):
    found = detected(pipeline, data, text)
    assert [value.attribute for value in found.undetected] == missing
    assert len(found.entities) == len(data)


TEAMS = {
    "teams": [{"name": "Foxes", "points": 113, "wins": 9}, {"name": "Owls", "points": 107, "wins": 7}],
    "fees": {"entry": "5 EUR", "seat": "12 EUR"},
}


@pytest.mark.parametrize(
    ("data", "text", "flagged"),
    cases(
        *(
            (TEAMS, text, flagged)
            for text, flagged in (
                ("The Foxes beat the Owls by 6.", []),
                ("The Foxes beat the Owls by a margin of 6 points.", []),
                ("It was a 6-point win for the Foxes.", []),
                ("The Foxes had 6 more points than the Owls.", []),
                ("The Foxes and Owls had 220 points combined.", []),
                ("Foxes and Owls combined for a total of 220 points.", []),
                ("The total is 17 EUR.", []),
                ("The Foxes had 2 more wins.", []),
                ("The Foxes have 220 players.", []),
                ("The Foxes and Owls had 221 points combined.", ["221"]),
                ("The Foxes had 104 more points.", ["104"]),
                ("The two teams are Foxes and Owls.", []),
            )
        )
    ),
)
def test_sums_and_differences_only_where_the_text_says_so(pipeline, data, text, flagged):
    assert [flag.text for flag in flags(pipeline, data, text)] == flagged


@pytest.mark.parametrize(
    "text",
    [
        "Kestrel is at 20, in Celsius.",
        "Kestrel gives 20 in MHz.",
        "The unit of Kestrel's 20 is the Lumen.",
        "Kestrel has 20 Megapixels.",
        "Kestrel is 20 Fahrenheit.",
    ],
)
def test_a_unit_is_no_name(pipeline, text):
    assert [flag.text for flag in flags(pipeline, of("value", 20), text)] == []


def test_the_right_weekday_is_expected(pipeline):
    data = of("date", "2023-11-28")
    for said in ("Monday", "Monday, 28 November"):
        [flag] = flags(pipeline, data, f"Kestrel starts on {said}.")
        assert (flag.text, flag.type, flag.expected) == (said, "date", "Tuesday")
        assert "Tuesday" in flag.reason
