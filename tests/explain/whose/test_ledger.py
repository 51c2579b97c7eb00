"""Who holds which numbers in an input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.detectors.dates import PartialDate
from esascore.detectors.units import unit_named
from esascore.explain.whose.ledger import DOCUMENT, in_words, ledger_of, stems_of, written_forms
from esascore.model import Graph

SERIES = {"list": [{"at": f"2024-01-0{day} 08:00", "wind": {"speed": day + 0.5}} for day in (4, 5, 6)]}


def test_items_of_lists_own_their_numbers():
    data = {"year": 7, "teams": [{"name": "Oslo Owls", "coach": {"name": "Ann", "age": 50}, "points": 96}]}
    ledger = ledger_of(Graph.from_data(data))
    assert ledger.held[DOCUMENT] == {"year": (7.0,)}
    assert ledger.held["/teams/0"] == {"teams.*.coach.age": (50.0,), "teams.*.points": (96.0,)}


def test_other_names_of_an_owner_are_known():
    teams = [{"name": "Oslo Owls", "city": "Trondheim", "position": "F"}]
    names = ledger_of(Graph.from_data({"teams": teams})).names
    assert set(names) == {("oslo", "owls"), ("owls",), ("trondheim",)}


def test_two_owners_have_a_difference_and_a_sum():
    ledger = ledger_of(Graph.from_data({"teams": [{"name": "A", "points": 96}, {"name": "B", "points": 80}]}))
    own = ledger.held[DOCUMENT]
    assert (own["difference teams.*.points"], own["sum teams.*.points"]) == ((16.0,), (176.0,))
    assert ledger.only_two == (("/teams/0", "/teams/1"),)


def test_a_series_has_extremes():
    ledger = ledger_of(Graph.from_data(SERIES))
    assert ledger.held[DOCUMENT]["extreme list.*.wind.speed"] == (4.5, 6.5)
    assert ledger.held[DOCUMENT]["count days"] == (3.0, 2.0)
    assert (ledger.dated[0].day, ledger.dated[0].hour) == (PartialDate(2024, 1, 4), 8)


def test_neighbours_add_up():
    teams = [{"name": "A", "first quarter points": 20, "second quarter points": 30}]
    held = ledger_of(Graph.from_data({"teams": teams})).held["/teams/0"]
    assert held["sum teams.*.first quarter points teams.*.second quarter points"] == (50.0,)


def test_ranks_are_among_siblings():
    players = [{"name": name, "points": points} for name, points in (("A", 5), ("B", 9), ("C", 5))]
    ranks = ledger_of(Graph.from_data({"players": players})).ranks
    assert [ranks[f"/players/{at}"]["players.*.points"] for at in range(3)] == [2, 1, 2]


def test_identifiers_are_no_numbers():
    assert ledger_of(Graph.from_data({"id": 12502, "height": 3})).held[DOCUMENT] == {"height": (3.0,)}


@pytest.mark.parametrize(
    ("number", "forms"),
    [(18, {18}), (-23.95, {23.95, 23.9, 24, 23}), (1135835, {1135835, 1135800, 1136000, 1140000, 1100000})],
)
def test_numbers_are_rounded_and_cut(number, forms):
    assert forms <= set(written_forms(number))


@given(st.integers(-999, 999))
def test_small_whole_numbers_are_exact(number):
    assert set(written_forms(number)) == {abs(number)}


def test_labels_read_as_their_attribute():
    assert in_words("teams.*.players.*.fieldGoals") == "field goals"
    assert stems_of("sum teams.*.points") == {"sum", "point"}


def test_numbers_of_another_unit_are_converted():
    data = {"units": {"wind": "m/s"}, "list": [{"at": "2024-01-04 08:00", "wind": {"speed": 5}}]}
    ledger = ledger_of(Graph.from_data(data))

    def labels(number, unit):
        return sorted(ledger.labels("/list/0", number, unit_named(unit)))

    assert labels(5, "m/s") == labels(18, "km/h") == ["list.*.wind.speed"]
    assert labels(5, "km/h") == labels(18, "m/s") == []
