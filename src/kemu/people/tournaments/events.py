"""Events of a tournament, which its journal keeps, and the value after each of them."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kemu.people.tournaments.values import (
    Appointment,
    Entrant,
    PairedGame,
    Phase,
    Round,
    RoundPairing,
    Stage,
    Tournament,
)


class TournamentEvent(Struct, frozen=True, tag_field="event"):
    """One change of a tournament."""


class Entered(TournamentEvent, frozen=True, tag="entered"):
    """Somebody takes part, from the round named with them on; who had withdrawn is back."""

    entrant: Entrant


class Withdrew(TournamentEvent, frozen=True, tag="withdrew"):
    """Somebody plays no more; before the start they are no longer on the list."""

    player: str


class RoundBegan(TournamentEvent, frozen=True, tag="round-began"):
    """A round begins; its pairings name the matches that will be made."""

    round: Round


class GamesMade(TournamentEvent, frozen=True, tag="games-made"):
    """These matches are there to be played."""

    matches: tuple[str, ...]


class GameScored(TournamentEvent, frozen=True, tag="game-scored"):
    """A game has a result, by its match or because somebody forfeits it."""

    match: str
    points: tuple[int, ...]
    phase: Phase = "ended"


class GameAdded(TournamentEvent, frozen=True, tag="game-added"):
    """The next game of a series."""

    board: int
    game: PairedGame


class TimeSet(TournamentEvent, frozen=True, tag="time-set"):
    """A time for a pairing of the round is proposed, agreed or dropped, or its players are reminded."""

    board: int
    appointment: Appointment | None


class RoundClosed(TournamentEvent, frozen=True, tag="round-closed"):
    """Nothing of the round is left to be played."""


class StageChanged(TournamentEvent, frozen=True, tag="stage"):
    """The tournament runs, is over, or does not take place."""

    stage: Stage


AnyTournamentEvent: TypeAlias = (
    Entered | Withdrew | RoundBegan | GamesMade | GameScored | GameAdded | TimeSet | RoundClosed | StageChanged
)


class TournamentEntry(Struct, frozen=True, omit_defaults=True):
    """All that one command changed, at one moment (ms), and who sent which command."""

    at: int
    events: list[AnyTournamentEvent]
    by: str = ""
    command: str = ""


encode_tournament_entry: Final = msgspec.json.Encoder().encode
decode_tournament_entry: Final = msgspec.json.Decoder(TournamentEntry).decode


def evolve(tournament: Tournament, entry: TournamentEntry) -> Tournament:
    """Return the tournament after a stored entry."""
    for event in entry.events:
        tournament = apply_tournament_event(tournament, event, entry.at)
    return replace(tournament, version=tournament.version + 1)


def apply_tournament_event(tournament: Tournament, event: AnyTournamentEvent, at: int) -> Tournament:
    """Return the tournament after one event of the next entry; the version stays until the whole entry is applied."""
    return _EFFECTS[type(event)](tournament, event, at)


def _entered(tournament: Tournament, event: Entered, at: int) -> Tournament:
    others = tuple(each for each in tournament.entrants if each.id != event.entrant.id)
    if len(others) < len(tournament.entrants):  # who comes back keeps the place in the list
        entrants = tuple(event.entrant if each.id == event.entrant.id else each for each in tournament.entrants)
    else:
        entrants = (*others, event.entrant)
    return replace(tournament, entrants=entrants)


def _withdrew(tournament: Tournament, event: Withdrew, at: int) -> Tournament:
    if tournament.stage == "open":
        return replace(tournament, entrants=tuple(each for each in tournament.entrants if each.id != event.player))
    entrants = (replace(each, away=True) if each.id == event.player else each for each in tournament.entrants)
    return replace(tournament, entrants=tuple(entrants))


def _round_began(tournament: Tournament, event: RoundBegan, at: int) -> Tournament:
    return replace(tournament, rounds=(*tournament.rounds, event.round))


def _games_made(tournament: Tournament, event: GamesMade, at: int) -> Tournament:
    made = frozenset(event.matches)

    def change(game: PairedGame) -> PairedGame:
        return replace(game, phase="made") if game.match in made and game.phase == "named" else game

    return _with_games(tournament, change)


def _game_scored(tournament: Tournament, event: GameScored, at: int) -> Tournament:
    def change(game: PairedGame) -> PairedGame:
        return replace(game, phase=event.phase, points=event.points) if game.match == event.match else game

    return _with_games(tournament, change)


def _game_added(tournament: Tournament, event: GameAdded, at: int) -> Tournament:
    def change(board: int, pairing: RoundPairing) -> RoundPairing:
        return replace(pairing, games=(*pairing.games, event.game)) if board == event.board else pairing

    return _with_pairings(tournament, change)


def _time_set(tournament: Tournament, event: TimeSet, at: int) -> Tournament:
    def change(board: int, pairing: RoundPairing) -> RoundPairing:
        return replace(pairing, appointment=event.appointment) if board == event.board else pairing

    return _with_pairings(tournament, change)


def _round_closed(tournament: Tournament, event: RoundClosed, at: int) -> Tournament:
    return _with_round(tournament, lambda newest: replace(newest, closed=at))


def _stage_changed(tournament: Tournament, event: StageChanged, at: int) -> Tournament:
    return replace(tournament, stage=event.stage)


def _with_round(tournament: Tournament, change: Callable[[Round], Round]) -> Tournament:
    *before, newest = tournament.rounds
    return replace(tournament, rounds=(*before, change(newest)))


def _with_pairings(tournament: Tournament, change: Callable[[int, RoundPairing], RoundPairing]) -> Tournament:
    def changed(newest: Round) -> Round:
        return replace(newest, pairings=_mapped(change, newest.pairings))

    return _with_round(tournament, changed)


def _mapped(
    change: Callable[[int, RoundPairing], RoundPairing], pairings: Iterable[RoundPairing]
) -> tuple[RoundPairing, ...]:
    return tuple(change(board, pairing) for board, pairing in enumerate(pairings))


def _with_games(tournament: Tournament, change: Callable[[PairedGame], PairedGame]) -> Tournament:
    def changed(board: int, pairing: RoundPairing) -> RoundPairing:
        games = tuple(change(game) for game in pairing.games)
        return pairing if games == pairing.games else replace(pairing, games=games)

    return _with_pairings(tournament, changed)


_EFFECTS: Final[dict[type, Callable[[Tournament, Any, int], Tournament]]] = {
    Entered: _entered,
    Withdrew: _withdrew,
    RoundBegan: _round_began,
    GamesMade: _games_made,
    GameScored: _game_scored,
    GameAdded: _game_added,
    TimeSet: _time_set,
    RoundClosed: _round_closed,
    StageChanged: _stage_changed,
}
