"""The rounds of a tournament: when the next one is due, who meets whom in it, and which matches are to be made."""

from collections.abc import Callable, Sequence
from math import ceil, log2
from typing import Final

from kemu.people.tournaments.history import History, history
from kemu.people.tournaments.leagues import SMALLEST_DIVISION, first_divisions, league_pairs, next_divisions
from kemu.people.tournaments.round_robin import round_robin_pairs
from kemu.people.tournaments.standings import standings
from kemu.people.tournaments.swiss import swiss_pairs
from kemu.people.tournaments.tables import place_players, table_sizes
from kemu.people.tournaments.values import SMALLEST_TABLE, Entrant, PairedGame, Round, RoundPairing, System, Tournament
from kemu.play.terms import DAY_MS, HOUR_MS, SECOND_MS, is_correspondence

REMINDER_MS: Final = HOUR_MS
"""How long before a time that was agreed on its players are reminded of it."""

TABLE_ROUNDS: Final = 3
"""How many rounds tables have unless the organiser says otherwise."""

LEAST_PLAYERS: Final[dict[System, int]] = {"round-robin": 2, "swiss": 2, "league": 2, "tables": SMALLEST_TABLE}
"""How many must take part."""


def last_round(tournament: Tournament) -> int | None:
    """Return the number of the last round if that is known: not that of a round robin, nor of an endless league."""
    terms = tournament.terms
    if terms.system == "round-robin":
        return None
    if terms.rounds:
        return terms.rounds
    if terms.system == "swiss":
        return max(1, ceil(log2(max(2, len(tournament.entrants)))))
    return TABLE_ROUNDS if terms.system == "tables" else None


def enough(tournament: Tournament) -> bool:
    """Return whether as many take part as are needed, with the computers that the organiser allows."""
    persons = sum(not entrant.bot for entrant in tournament.present)
    least = LEAST_PLAYERS[tournament.terms.system]
    return persons >= (1 if tournament.terms.computer else least)


def missing_computers(tournament: Tournament) -> int:
    """Return how many computers the next round needs besides the people; 0 without leave of the organiser."""
    persons = sum(not entrant.bot for entrant in tournament.present)
    if tournament.terms.computer is None:
        return 0
    match tournament.terms.system:
        case "league":
            return max(0, SMALLEST_DIVISION - persons)
        case "tables":
            sizes = table_sizes(max(persons, SMALLEST_TABLE))
            return max(0, len(sizes) * max(sizes) - persons)
        case _:
            return persons % 2


def next_round(tournament: Tournament, now: int, new_id: Callable[[], str]) -> Round | None:
    """Return the next round, None if there is none; its computers must take part already."""
    number = len(tournament.rounds) + 1
    last = last_round(tournament)
    if not enough(tournament) or (last is not None and number > last):
        return None
    past = history(tournament)
    match tournament.terms.system:
        case "swiss":
            pairs, byes = _swiss(tournament, past)
        case "round-robin":
            pairs, byes = _round_robin(tournament, past)
        case "league":
            return _season(tournament, number, now, new_id)
        case "tables":
            pairs, byes = place_players([*_ids(tournament.present)], past), []
    if not pairs:
        return None
    pairings = tuple(RoundPairing(players, _games(tournament, players, new_id)) for players in pairs)
    days = tournament.terms.days if tournament.terms.appointments else 0
    return Round(number, now, pairings, tuple(byes), now + days * DAY_MS if days else None)


def games_to_make(tournament: Tournament, now: int) -> list[tuple[int, PairedGame]]:
    """Return the games of the round whose matches are to be made now, each with the number of its pairing."""
    newest = tournament.current
    if tournament.stage != "running" or newest is None:
        return []
    at_once = is_correspondence(tournament.terms.clock)
    found = []
    for board, pairing in enumerate(newest.pairings):
        when = pairing.appointment
        if tournament.terms.appointments and not (when is not None and when.agreed and when.at <= now):
            continue
        for game in pairing.games:
            if game.phase == "named":
                found.append((board, game))
            if game.points is None and not at_once:
                break
    return found


def next_due(tournament: Tournament) -> int | None:
    """Return when something is to be done without a command (ms), 0 if at once, None if nothing is."""
    newest = tournament.current
    if tournament.stage == "open":
        return tournament.terms.starts
    if tournament.stage != "running" or newest is None:
        return None
    if newest.closed is not None:
        return newest.closed + tournament.terms.pause * SECOND_MS
    if games_to_make(tournament, 0):
        return 0
    times = [] if newest.ends is None else [newest.ends]
    for pairing in newest.pairings:
        when = pairing.appointment
        if when is not None and when.agreed and not pairing.begun:
            times += [when.at] if when.reminded else [when.at - REMINDER_MS]
    return min(times, default=None)


def _ids(entrants: Sequence[Entrant]) -> list[str]:
    return [entrant.id for entrant in entrants]


def _people(tournament: Tournament) -> list[str]:
    return [entrant.id for entrant in tournament.present if not entrant.bot]


def _computer(tournament: Tournament) -> str | None:
    return next((entrant.id for entrant in tournament.present if entrant.bot), None)


def _swiss(tournament: Tournament, past: History) -> tuple[list[tuple[str, ...]], list[str]]:
    places = {row.entrant: row for row in standings(tournament)}
    ratings = {entrant.id: entrant.rating for entrant in tournament.entrants}
    people = sorted(_people(tournament), key=lambda player: (-places[player].points, -ratings[player]))
    pairs, bye = swiss_pairs(people, {player: places[player].points for player in people}, past)
    return _filled(tournament, [*pairs], [] if bye is None else [bye], past)


def _round_robin(tournament: Tournament, past: History) -> tuple[list[tuple[str, ...]], list[str]]:
    pairs, byes = round_robin_pairs(_people(tournament), past)
    computer = _computer(tournament)
    fresh = [player for player in byes if computer is None or not past.meetings(player, computer)]
    if not pairs and (computer is None or not fresh):
        return [], []
    filled, _ = _filled(tournament, [*pairs], fresh, past)
    paired = {player for players in filled for player in players}
    return filled, [player for player in byes if player not in paired]


def _filled(
    tournament: Tournament, pairs: list[tuple[str, ...]], byes: list[str], past: History
) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return the pairs with a computer in the odd place, if there is one, and who has a bye all the same."""
    computer = _computer(tournament)
    if computer is None:
        return pairs, byes
    return [*pairs, *(past.first(player, computer) for player in byes)], []


def _season(tournament: Tournament, number: int, now: int, new_id: Callable[[], str]) -> Round | None:
    terms, newest, players = tournament.terms, tournament.current, _ids(tournament.present)
    ratings = {entrant.id: entrant.rating for entrant in tournament.entrants}
    if newest is None:
        divisions = first_divisions(players, ratings, terms.division)
    else:
        final: list[list[str]] = [[] for _ in newest.divisions]
        for row in standings(tournament):
            final[row.division].append(row.entrant)
        divisions = next_divisions(final, players, ratings, terms.division)
    pairings = tuple(
        RoundPairing(players, _games(tournament, players, new_id), division)
        for division, players in league_pairs(divisions)
    )
    if not pairings:
        return None
    ends = now + terms.days * DAY_MS if terms.days else None
    return Round(number, now, pairings, (), ends, tuple(divisions))


def _games(tournament: Tournament, players: tuple[str, ...], new_id: Callable[[], str]) -> tuple[PairedGame, ...]:
    """Return the games of a pairing as they are known at its begin, with the ids of the matches to be made."""
    games: tuple[PairedGame, ...] = (PairedGame(new_id(), players),)
    if len(players) == 2 and tournament.terms.wins == 1:
        games += (PairedGame(new_id(), players[::-1]),)
    return games
