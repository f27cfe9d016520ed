"""Standings of a tournament, with named tie-breaks.

A Swiss is ordered by points, Buchholz, Sonneborn-Berger and direct encounter; a round robin and a division of a league
by points, direct encounter and Sonneborn-Berger; tables by points, places won and Buchholz. Who is equal in all of them
shares a place.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from kemu.people.tournaments.values import FULL_POINTS, Entrant, Round, RoundPairing, System, Tournament


class TournamentStanding(Struct, frozen=True):
    """How an entrant stands: place from 1, points and tie-breaks, and how many pairings were won, drawn and lost.

    Points are in parts of a game, of which FULL_POINTS are a win. At tables `won` counts first places.
    """

    entrant: str
    place: int
    points: int
    won: int
    drawn: int
    lost: int
    buchholz: int
    sonneborn: int
    direct: int
    division: int = 0


ORDERS: Final[Mapping[System, tuple[str, ...]]] = {
    "swiss": ("points", "buchholz", "sonneborn", "direct"),
    "round-robin": ("points", "direct", "sonneborn"),
    "league": ("points", "direct", "sonneborn"),
    "tables": ("points", "won", "buchholz"),
}
"""The values that decide, the first one first."""


def standings(tournament: Tournament) -> list[TournamentStanding]:
    """Return the standings, the best first; those of a league are of its newest season, division by division."""
    system, newest = tournament.terms.system, tournament.current
    if system != "league":
        return _of_group(tournament, tournament.entrants, tournament.rounds, 0)
    if newest is None:
        return _of_group(tournament, tournament.entrants, (), 0)
    rows: list[TournamentStanding] = []
    for number, division in enumerate(newest.divisions):
        members = [entrant for entrant in tournament.entrants if entrant.id in division]
        rows += _of_group(tournament, members, (newest,), number)
    return rows


def pairing_worth(tournament: Tournament) -> int:
    """Return the most points that a pairing of two brings."""
    return FULL_POINTS if tournament.terms.wins > 1 else 2 * FULL_POINTS


class _Sums:
    """Points and results of the entrants of one group."""

    def __init__(self, tournament: Tournament, entrants: Sequence[Entrant], rounds: Sequence[Round]) -> None:
        self.wins = tournament.terms.wins
        self.ids = [entrant.id for entrant in entrants]
        self.points = dict.fromkeys(self.ids, 0)
        self.results = {player: [0, 0, 0] for player in self.ids}
        self.met: dict[str, list[tuple[str, int]]] = {player: [] for player in self.ids}  # opponent and points
        inside = set(self.ids)
        pairings = [pairing for each in rounds for pairing in each.pairings if inside.issuperset(pairing.players)]
        void = _void(tournament, entrants, pairings)
        for pairing in pairings:
            if void.isdisjoint(pairing.players):
                self._count(pairing)
        if tournament.terms.system == "swiss":
            for player in (player for each in rounds for player in each.byes):
                self.points[player] += pairing_worth(tournament)

    def _count(self, pairing: RoundPairing) -> None:
        points, over = pairing.points(self.wins), pairing.ended(self.wins)
        best = max(points.values())
        for player in pairing.players:
            self.points[player] += points[player]
            others = [other for other in pairing.players if other != player]
            self.met[player] += [(other, points[player]) for other in others]
            if over:
                tied = list(points.values()).count(best) > 1
                result = 2 if points[player] < best else 1 if tied else 0
                self.results[player][result] += 1


def _void(tournament: Tournament, entrants: Sequence[Entrant], pairings: Sequence[RoundPairing]) -> set[str]:
    """Return who left before half of a round robin was played: their results do not count, for nobody."""
    if tournament.terms.system not in ("round-robin", "league"):
        return set()
    played = {entrant.id: 0 for entrant in entrants}
    for pairing in pairings:
        if all(game.phase == "ended" for game in pairing.games):
            played.update({player: played[player] + 1 for player in pairing.players})
    return {entrant.id for entrant in entrants if entrant.away and 2 * played[entrant.id] < len(entrants) - 1}


def _of_group(
    tournament: Tournament, entrants: Sequence[Entrant], rounds: Sequence[Round], division: int
) -> list[TournamentStanding]:
    sums, order = _Sums(tournament, entrants, rounds), ORDERS[tournament.terms.system]
    worth = pairing_worth(tournament)
    values: dict[str, dict[str, int]] = {}
    for player in sums.ids:
        met = sums.met[player]
        values[player] = {
            "points": sums.points[player],
            "won": sums.results[player][0],
            "buchholz": sum(sums.points[other] for other, _ in met) + _byes(rounds, player) * sums.points[player],
            "sonneborn": sum(sums.points[other] * points for other, points in met) // worth,
            "direct": 0,
        }
    for player in sums.ids:
        tied = {
            other for other in sums.ids if _before_direct(values[other], order) == _before_direct(values[player], order)
        }
        values[player]["direct"] = _direct(player, tied, sums.met)
    keys = {player: tuple(values[player][name] for name in order) for player in sums.ids}
    ranked = sorted(sums.ids, key=lambda player: keys[player], reverse=True)
    return [
        TournamentStanding(
            entrant=player,
            place=1 + sum(key > keys[player] for key in keys.values()),
            points=values[player]["points"],
            won=values[player]["won"],
            drawn=sums.results[player][1],
            lost=sums.results[player][2],
            buchholz=values[player]["buchholz"],
            sonneborn=values[player]["sonneborn"],
            direct=values[player]["direct"],
            division=division,
        )
        for player in ranked
    ]


def _before_direct(values: Mapping[str, int], order: Sequence[str]) -> tuple[int, ...]:
    """Return the values that decide before the direct encounter."""
    names = order[: order.index("direct")] if "direct" in order else order
    return tuple(values[name] for name in names)


def _direct(player: str, tied: set[str], met: Mapping[str, Sequence[tuple[str, int]]]) -> int:
    """Return the points of a player against those who are tied with them; 0 unless all of them have met each other."""
    for one in tied:
        if not tied - {one} <= {other for other, _ in met[one]}:
            return 0
    return sum(points for other, points in met[player] if other in tied)


def _byes(rounds: Sequence[Round], player: str) -> int:
    return sum(player in each.byes for each in rounds)
