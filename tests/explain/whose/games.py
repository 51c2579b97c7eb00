"""Invented games, and texts about them."""

from __future__ import annotations

from esascore.model import Graph

TEXTS = 24


def game(number: int) -> Graph:
    """A game of two teams with three players each; no two figures of a player are the same."""
    teams = [
        {
            "name": name,
            "home": at == 0,
            "points": 80 + 2 * number + 15 * at,
            "wins": number + 3 * at,
            "losses": 40 - number,
            "players": [
                {
                    "name": player,
                    "points": 20 + number + 3 * place,
                    "rebounds": 2 + (number + 5 * place) % 9,
                    "assists": 11 + (number + place) % 7,
                }
                for place, player in enumerate(players)
            ],
        }
        for at, (name, players) in enumerate(
            (
                ("Oslo Owls", ("Ann Berg", "Bo Dahl", "Cat Eide")),
                ("Bergen Bears", ("Dag Foss", "Eli Gran", "Finn Holm")),
            )
        )
    ]
    return Graph.from_data({"date": "2024-01-04", "teams": teams})


def figures(number: int, team: int, player: int) -> dict[str, int]:
    """The figures of a player."""
    return {
        "points": 20 + number + 3 * player,
        "rebounds": 2 + (number + 5 * player) % 9,
        "assists": 11 + (number + player) % 7,
    }


def report(number: int) -> str:
    """A text without mistakes about a game."""
    best, ann = figures(number, 0, 2), figures(number, 0, 0)
    owls, bears = 80 + 2 * number, 95 + 2 * number
    return (
        f"The Bergen Bears ({number + 3}-{40 - number}) beat the Oslo Owls, {bears} - {owls}. "
        f"Cat Eide led the Owls with {best['points']} points and {best['rebounds']} boards. "
        f"Ann Berg had {ann['points']} points, {ann['rebounds']} boards and {ann['assists']} assists."
    )


def corpus() -> list[tuple[Graph, str]]:
    """Games with texts that are right."""
    return [(game(number), report(number)) for number in range(TEXTS)]
