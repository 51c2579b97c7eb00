"""What is flagged of the claims of a text: each record with texts, and what of them is wrong."""

from __future__ import annotations

from typing import Any

import pytest

import esascore

PLAYERS = {
    "players": [
        {"name": "Ada Lund", "points": 31, "rebounds": 12},
        {"name": "Ida Moe", "points": 24, "rebounds": 7},
    ]
}
ORDERS = {
    "orders": [
        {"id": "A1", "total_eur": 120.5},
        {"id": "A2", "total_eur": 79.25},
        {"id": "A3", "total_eur": 310},
    ]
}
ROOMS = {
    "rooms": [
        {"name": "Attic", "price_eur": 80},
        {"name": "Garden", "price_eur": 120},
        {"name": "Suite", "price_eur": 200},
    ]
}
TABLES: dict[str, list[tuple[dict[str, Any], dict[str, list[str]]]]] = {
    "ranks, scales, units and extremes": [
        (
            {"name": "Nova", "home": {"floor": 3}, "rooms": 2},
            {"Nova lives on the third floor.": [], "Nova lives on the second floor.": ["second"]},
        ),
        (
            {"name": "Shop", "revenue_usd": 312400000, "cash_usd": 905000000, "debt_usd": 41600000},
            {
                "Shop has revenue of $312.4 million, cash of $905 million and debt of $41.6 million.": [],
                "Shop has revenue of $312.4 million, cash of $905 million and debt of $41.6 billion.": [
                    "$41.6 billion"
                ],
            },
        ),
        (
            ROOMS,
            {
                "The highest price is €200.": [],
                "The highest price is €120.": ["highest"],
                "The lowest price is €200.": ["lowest"],
            },
        ),
        (
            {"name": "Era", "price_gbp": 18995, "market_avg_gbp": 19850},
            {"Era is £855 below the market average.": [], "Era is £855 above the market average.": ["above"]},
        ),
        (
            {"name": "Shop", "avg_transit_days": {"domestic": 1.8, "abroad": 6.4}},
            {"Parcels abroad took 6.4 days.": [], "Parcels abroad took 6.4 hours.": ["6.4 hours"]},
        ),
    ],
    "units in keys": [
        (
            {"name": "Ada", "height_cm": 168},
            {"Ada is 1.68 m tall.": [], "Ada is 168 cm tall.": [], "Ada is 168 m tall.": ["168 m"]},
        ),
        (
            {"name": "Nova", "price_eur": 129},
            {"Nova costs €129.": [], "Nova costs $129.": ["$129"], "Nova costs €139.": ["€139"]},
        ),
        ({"name": "Rex", "weight_g": 7636}, {"Rex weighs 7.6 kg.": [], "Rex weighs 7.9 kg.": ["7.9 kg"]}),
        (
            {"title": "Nurse", "hours_per_week": 38},
            {"The nurse has a 38-hour week.": [], "The nurse has a 39-hour week.": ["39-hour"]},
        ),
        (
            {"city": "Oslo", "temp": {"min": 2, "max": 9}},
            {
                "Oslo has between 2 and 9 degrees.": [],
                "Oslo has between 2 and 19 degrees.": ["19 degrees"],
            },
        ),
        (
            {"name": "Shop", "revenue_meur": 12.5},
            {
                "Shop had revenue of €12.5 million.": [],
                "Shop had revenue of €13.5 million.": ["€13.5 million"],
            },
        ),
        ({"name": "Ada", "height": 180}, {"Ada is 180 cm (5 ft 11 in).": []}),
    ],
    "rounding and hedges": [
        (
            {"name": "Inn", "rooms": 27, "rating": 4.3},
            {
                "Inn has 27 rooms.": [],
                "Inn has about 30 rooms.": [],
                "Inn has over 20 rooms.": [],
                "Inn has nearly thirty rooms.": [],
                "Inn has 28 rooms.": ["28"],
                "Inn is rated 4.3 out of 5.": [],
                "Inn is rated 4.8 out of 5.": ["4.8"],
            },
        ),
        ({"txn": "Coop", "amount": -84.12, "currency": "USD"}, {"$84.12 spent at Coop.": []}),
        ({"name": "Inn"}, {"More of Inn at https://inn.example/?rooms=7712.": []}),
    ],
    "derivations": [
        (
            {"name": "Inn", "previous_price": 1650, "price": 1290, "currency": "EUR"},
            {"Inn saves you €360.": [], "Inn saves you €460.": ["€460"], "Together that is €2,940.": []},
        ),
        (
            ORDERS,
            {
                "The three orders come to €509.75 in total.": [],
                "The three orders come to €519.75 in total.": ["€519.75"],
                "On average an order is €169.92.": [],
                "On average an order is €179.92.": ["€179.92"],
            },
        ),
        (
            {"votes": {"for": 150, "against": 40, "absent": 10}},
            {"75% of the votes were for it.": [], "86% of the votes were for it.": ["86%"]},
        ),
        (
            {"trip": "Coast", "start": "2024-03-04", "end": "2024-03-16"},
            {"Coast takes 12 days.": [], "Coast takes 17 days.": ["17 days"]},
        ),
    ],
    "scopes": [
        (
            PLAYERS,
            {
                "Ada Lund had 31 points and Ida Moe had 24 points.": [],
                "Ada Lund had 24 points and Ida Moe had 31 points.": ["24", "31"],
                "Lund had 31 points and 12 rebounds.": [],
                "Ada Lund had 7 rebounds.": ["7"],
            },
        ),
        (
            {"days": [{"date": "2024-05-06", "rain_mm": 14}, {"date": "2024-05-07", "rain_mm": 31}]},
            {
                "On Monday there was 14 mm of rain, on Tuesday 31 mm.": [],
                "On Monday there was 31 mm of rain, on Tuesday 14 mm.": ["31 mm", "14 mm"],
            },
        ),
    ],
    "pairs": [
        (
            {"home": {"name": "Owls", "goals": 12}, "away": {"name": "Bears", "goals": 31}},
            {"The Bears won 31-12.": [], "The Bears won 31-14.": ["31-14"]},
        )
    ],
    "order and direction": [
        (
            PLAYERS,
            {"Ada Lund had the most points.": [], "Ida Moe had the most points.": ["most"]},
        ),
        (
            ROOMS,
            {
                "The Attic is the cheapest.": [],
                "The Suite is the cheapest room.": ["cheapest"],
                "The Attic is the priciest room.": ["priciest"],
            },
        ),
        (
            {"metric": "visits", "change_pct": -12.5},
            {"Visits fell by 12.5%.": [], "Visits rose by 12.5%.": ["rose"]},
        ),
        (
            {"item": "tea", "price_eur": 3.2, "previous_price_eur": 2.8},
            {"Tea rose by €0.40.": [], "Tea fell by €0.40.": ["fell"]},
        ),
        (
            {"budget_eur": 500, "spend_eur": 420},
            {
                "Spending was €420, below the budget of €500.": [],
                "Spending was €420, above the budget of €500.": ["above"],
            },
        ),
    ],
    "calendar": [
        (
            {"trip": "Coast", "start": "2024-03-04", "days": 12},
            {
                "Coast begins on 4 March 2024.": [],
                "Coast begins on 5 March.": ["5 March"],
                "Coast begins on Monday, 4 March 2024.": [],
                "Coast begins on Friday, 4 March 2024.": ["Friday, 4 March 2024"],
                "Coast begins on 4 March 2024 (Friday).": ["4 March 2024 (Friday"],
                "Coast ends on 16 March 2024.": [],
            },
        ),
        (
            {"shop": "Blue", "opens": "09:30"},
            {"Blue opens at half past nine.": [], "Blue opens at 10:30.": ["10:30"]},
        ),
        ({"film": "Dusk", "runtime": "1:30"}, {"Dusk takes 90 minutes.": []}),
    ],
    "opening hours": [
        (
            {"name": "Deli", "hours": {"mon-fri": "09:00-18:00", "sat": "08:00-17:00", "sun": "closed"}},
            {
                "Deli is open on Saturdays from 8 to 5.": [],
                "Deli is open on Saturdays from 8 to 6.": ["8 to 6"],
                "Deli is open Monday to Friday from 9 am to 6 pm.": [],
                "Deli is closed on Sundays.": [],
                "Deli is closed on Saturdays.": ["closed on Saturdays"],
                "Deli is open on Sundays.": ["Sundays"],
            },
        )
    ],
    "polarity": [
        (
            {"name": "Inn", "BusinessParking": {"valet": False, "street": True}},
            {
                "At Inn valet parking is not available.": [],
                "Inn offers street parking, but no valet parking.": [],
                "Inn offers valet parking.": ["valet"],
            },
        ),
        (
            {"name": "Zed", "nfc": False, "radio": True},
            {"Zed does without NFC.": [], "Zed has NFC.": ["NFC"], "Zed lacks a radio.": ["radio"]},
        ),
        ({"name": "Inn", "has_parking": True}, {"Has parking: yes": [], "Has parking: no": ["parking"]}),
        (
            {"name": "Inn", "smoking": False},
            {"Inn is smoke-free.": [], "Smoking is allowed.": ["Smoking"]},
        ),
        (
            {"name": "Inn", "familyFriendly": False},
            {
                "Family friendly: no": [],
                "Family friendly: yes": ["Family friendly"],
                "Inn is not family-friendly.": [],
                "Inn is family-friendly.": ["family-friendly"],
            },
        ),
        (
            {"name": "Inn", "pool": True, "gym": True, "bar": False, "spa": False},
            {
                "Inn offers a pool and a gym.": [],
                "Inn offers a pool, a gym and a spa.": ["spa"],
                "A bar and a spa are not available.": [],
                "Notably absent are a pool and a bar.": ["pool"],
                "Inn has neither a bar nor a spa.": [],
                "Does Inn have a bar?": [],
                "It may have a bar.": [],
            },
        ),
        ({"name": "Inn", "pool": None, "sauna": True}, {"Inn has a pool.": ["pool"], "Inn has a sauna.": []}),
    ],
    "codes": [
        (
            {"flight": "KL1041", "gate": "B7", "from": "AMS"},
            {
                "KL1041 leaves from gate B7.": [],
                "KL1042 leaves from gate B7.": ["KL1042"],
                "KL1041 leaves from gate B9.": ["B9"],
            },
        ),
        ({"name": "Kit", "version": "5.0.0"}, {"Kit is at 5.0.0.": [], "Kit is at 5.0.2.": ["5.0.2"]}),
    ],
    "opposites and bindings": [
        (
            {"patient": "Ola", "side": "left", "joint": "knee"},
            {"Ola hurt the left knee.": [], "Ola hurt the right knee.": ["right"]},
        ),
        (
            {
                "books": [
                    {"title": "Salt Roads", "author": "Ana Bell"},
                    {"title": "Night Ferry", "author": "Tor Dahl"},
                ]
            },
            {"Salt Roads by Ana Bell is good.": [], "Salt Roads by Tor Dahl is good.": ["Tor Dahl"]},
        ),
    ],
    "of another item or attribute": [
        (
            {"show": "Gala", "host": "Ana Bell", "producer": "Tor Dahl"},
            {"Gala is produced by Tor Dahl.": []},
        ),
        (
            {"days": [{"day": "Saturday", "act": "Koru Quartet"}, {"day": "Sunday", "act": "Brass Almanac"}]},
            {
                "- **Saturday:** Koru Quartet\n- **Sunday:** Brass Almanac": [],
                "- **Saturday:** Brass Almanac": ["Brass Almanac"],
            },
        ),
        (
            {"name": "Hall", "doors_at": "19:00", "show_starts_at": "20:30"},
            {
                "Doors at 7 p.m., and the show starts at 8:30 p.m.": [],
            },
        ),
    ],
    "columns of tables": [
        (
            {
                "items": [
                    {"part": "Rug", "claimed": 380, "approved": 220},
                    {"part": "Lamp", "claimed": 95, "approved": 90},
                ]
            },
            {
                "| Part | Claimed | Approved |\n|---|---|---|\n| Rug | 380 | 220 |\n| Lamp | 95 | 90 |": [],
                "| Part | Claimed | Approved |\n|---|---|---|\n| Rug | 380 | 90 |": ["90"],
            },
        ),
        (
            {"series": [{"quarter": "Q1", "sales_k": 88120}, {"quarter": "Q2", "sales_k": 94310}]},
            {"| Quarter | Sales (m) |\n|---|---|\n| Q1 | 88.1 |\n| Q2 | 94.3 |": []},
        ),
    ],
    "changes": [
        (
            {"downloads": {"total": 126400, "previous_month": 131700}},
            {
                "Downloads slipped by about 4% to 126,400.": [],
                "Downloads climbed by about 4% to 126,400.": ["climbed"],
                "Downloads fell from 131,700 to 126,400.": [],
                "Downloads rose from 131,700 to 126,400.": ["rose"],
                "Downloads went from 131,700 to 124,600.": ["124,600"],
            },
        ),
        (
            {"yield_t_ha": 6.1, "prev_yield_t_ha": 6.6},
            {
                "It gave 6.1 t/ha, slightly less than before.": [],
                "It gave 6.1 t/ha, more than before.": ["more"],
            },
        ),
        (
            {"promised_at": "2025-10-03T19:40", "delivered_at": "2025-10-03T19:31"},
            {"It came nine minutes early.": []},
        ),
        (
            {"donations": {"largest": 750, "count": 386}},
            {"The largest was 750.": [], "The smallest was 750.": ["smallest"]},
        ),
    ],
    "what can be done": [
        (
            {"ticket": "A", "refundable": False},
            {"It cannot be refunded.": []},
        ),
        (
            {"case": "A", "recount_requested": False},
            {
                "No recount has been requested.": [],
                "A recount has been requested.": ["recount has been requested"],
            },
        ),
    ],
    "units of keys": [
        ({"fee_cents": 2500, "currency": "EUR"}, {"The fee is €25.": [], "The fee is €52.": ["€52"]}),
        ({"distance_nm": 14.5}, {"It is about 27 km.": [], "It is about 37 km.": ["37 km"]}),
        ({"start": "05:30", "durationMin": 210}, {"It starts at 5:30 and ends at 9:00.": []}),
        ({"rate_change_pp": -0.08}, {"Rates came down by 0.08 percentage points.": []}),
        (
            {"durations": [{"seconds": 1562}, {"seconds": 2650}]},
            {"One took 26 minutes, the other just over 44.": []},
        ),
    ],
    "codes with a dash": [
        ({"id": "HL-305", "name": "Jet"}, {"Jet (HL-305) leaves.": [], "Jet (HL-350) leaves.": ["HL-350"]}),
    ],
    "what is said of other things": [
        ({"seasons": [{"n": 1}, {"n": 2}], "next_episode": {"season": 4}}, {"Season 2 was best.": []}),
        ({"next_round": {"number": 8}, "upset": {"round": 5}}, {"They meet in round 8.": []}),
        ({"lines": [4, 7], "unaffected_lines": [1, 2]}, {"Lines 1 and 2 are not affected.": []}),
        ({"duration_h": {"average": 4.5}, "rating": {"avg": 4.6}}, {"It is rated 4.6 on average.": []}),
        ({"week": "2025-W36", "amount": 312}, {"In week 36 it was 312.": []}),
        ({"queen_cells": 0, "hive": "H"}, {"There was not one queen cell.": []}),
    ],
    "figures that are no numbers": [
        (
            {
                "name": "Inn",
                "rooms": [{"name": "A", "beds": "4²"}, {"name": "B", "beds": 2}, {"name": "C", "beds": 3}],
            },
            {"Room B has 17 beds.": ["17"]},
        )
    ],
    "prose": [
        (
            {
                "name": "Inn",
                "review": "We lived in an old mill for a week and saw 43 herons from a window on the lake.",
            },
            {"A guest saw 43 herons.": [], "A guest saw 53 herons.": ["53"]},
        )
    ],
}
CASES = [
    pytest.param(data, text, wrong, id=f"{area}: {text}")
    for area, rows in TABLES.items()
    for data, texts in rows
    for text, wrong in texts.items()
]


@pytest.mark.parametrize(("data", "text", "wrong"), CASES)
def test_what_is_flagged(data: dict[str, Any], text: str, wrong: list[str]) -> None:
    assert [flag.text for flag in esascore.hallucinations(data, text)] == wrong


@pytest.mark.parametrize(
    ("data", "text", "kind", "expected", "reason"),
    [
        (PLAYERS, "Ada Lund had 24 points.", "misattributed", "31", "the input says players.points = 31"),
        ({"name": "Inn", "rooms": 27}, "Inn has 28 rooms.", "replacement", "27", "the input says rooms = 27"),
        (
            {"name": "Inn", "pool": False},
            "Inn has a pool.",
            "contradicted",
            "no",
            "the text asserts pool; the input says pool = no",
        ),
        (
            {"name": "Inn", "pool": None},
            "Inn has a pool.",
            "addition",
            None,
            "the text asserts pool; the input does not say",
        ),
        (
            {"date": "2024-03-04", "city": "Oslo"},
            "Oslo: Friday, 4 March.",
            "replacement",
            "Monday",
            "2024-03-04 is a Monday",
        ),
    ],
)
def test_a_flag_quotes_the_fact(
    data: dict[str, Any], text: str, kind: str, expected: str | None, reason: str
) -> None:
    [flag] = esascore.hallucinations(data, text)
    assert (flag.kind, flag.expected, flag.reason) == (kind, expected, reason)


def test_digits_that_are_no_decimals_are_words() -> None:
    data = {"steps": [{"born": "4⓵"}, {"born": "²"}]}
    assert not esascore.check_text(data, "There are 2 steps.").flags
