"""Decisions on commands to a tournament: everything is checked here, and nothing depends on anything but its value.

What follows from a command by itself, such as the next round after a last result, is part of the same entry, so that a
replay of the journal gives the same tournament whatever the pairing rules of a later version are.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from kemu.people.tournaments import commands as c
from kemu.people.tournaments import events as e
from kemu.people.tournaments.appointments import due_times, forfeits, without_time
from kemu.people.tournaments.draft import Draft, NewId, begin, begin_round
from kemu.people.tournaments.persons import decide_for_person
from kemu.people.tournaments.rounds import enough, next_due, next_round
from kemu.people.tournaments.values import (
    FULL_POINTS,
    PairedGame,
    Round,
    Tournament,
    series_over,
)
from kemu.play.errors import AlreadyDone
from kemu.play.runner import Decision
from kemu.play.terms import SECOND_MS


class TournamentRules:
    """The rules of tournaments for their runners; `new_id` names the matches to be made."""

    def __init__(self, new_id: NewId) -> None:
        self._new_id = new_id

    def decide(
        self, document: Tournament, command: c.TournamentCommand, now: int
    ) -> Decision[Tournament, e.TournamentEntry]:
        """Return what a command changes, or raise KemuError."""
        return decide(document, command, now, self._new_id)

    def evolve(self, document: Tournament, entry: e.TournamentEntry) -> Tournament:
        """Return the tournament after a stored entry."""
        return e.evolve(document, entry)

    def overdue(self, document: Tournament, now: int) -> c.TournamentCommand | None:
        """Return what must be done before any other command, such as the begin of a round whose time has come."""
        return c.Tick() if is_due(document, now) else None

    def sender(self, command: c.TournamentCommand) -> tuple[str, str] | None:
        """Return who sent a person's command and its id."""
        return (command.player, command.ask.id) if isinstance(command, c.PersonCommand) else None


def decide(
    tournament: Tournament, command: c.TournamentCommand, now: int, new_id: NewId
) -> Decision[Tournament, e.TournamentEntry]:
    """Return what a command changes at the moment `now`; only the ids of new matches come from outside.

    Raises KemuError with the reason if the command is refused.
    """
    draft, by, sent = Draft(tournament, now, new_id), "", ""
    if isinstance(command, c.PersonCommand):
        by, sent = command.player, command.ask.id
        decide_for_person(draft, command)
    else:
        _SERVER[type(command)](draft, command)
    _settle(draft)
    if not draft.events:
        raise AlreadyDone(tournament.version)
    entry = e.TournamentEntry(now, draft.events, by, sent)
    return Decision(entry, replace(draft.tournament, version=tournament.version + 1))


def is_due(tournament: Tournament, now: int) -> bool:
    """Return whether the rules have something to do at this time; making matches is for the server."""
    newest = tournament.current
    if tournament.stage == "open" or newest is None:
        return tournament.stage == "open" and tournament.terms.starts is not None and tournament.terms.starts <= now
    if tournament.stage != "running":
        return False
    if newest.closed is not None:
        return newest.closed + tournament.terms.pause * SECOND_MS <= now
    return bool(due_times(newest, now)) or _time_is_up(newest, now)


# Commands of the server.


def _tick(draft: Draft, command: c.Tick) -> None:
    tournament, newest = draft.tournament, draft.tournament.current
    if not is_due(tournament, draft.now):
        raise AlreadyDone(tournament.version)
    if newest is None:
        if enough(tournament):
            begin(draft)
        else:
            draft.add(e.StageChanged("cancelled"))
    elif newest.closed is not None:
        begin_round(draft)
    else:
        for board, when in due_times(newest, draft.now):
            draft.add(e.TimeSet(board, when))
        if _time_is_up(newest, draft.now):
            _end_unplayed(draft)


def _note_made(draft: Draft, command: c.NoteMade) -> None:
    newest = draft.tournament.current
    games = [] if newest is None else [game for pairing in newest.pairings for game in pairing.games]
    made = tuple(game.match for game in games if game.match in command.matches and game.phase == "named")
    if made:
        draft.add(e.GamesMade(made))


def _note_result(draft: Draft, command: c.NoteResult) -> None:
    """Take a result; one of a game that was forfeited meanwhile, or of an earlier round, changes nothing."""
    newest = draft.tournament.current
    for board, pairing in enumerate(() if newest is None else newest.pairings):
        for game in pairing.games:
            if game.match == command.match and game.points is None and draft.tournament.stage == "running":
                draft.add(e.GameScored(command.match, command.points))
                _go_on(draft, board, command.order)


def _go_on(draft: Draft, board: int, order: tuple[str, ...]) -> None:
    """Add the next game of a series that is not over."""
    wins, pairing = draft.tournament.terms.wins, draft.newest.pairings[board]
    if wins > 1 and len(pairing.players) == 2 and not series_over(pairing, wins):
        draft.add(e.GameAdded(board, PairedGame(draft.new_id(), order or pairing.players[::-1])))


# What follows by itself.


def _settle(draft: Draft) -> None:
    """Close a round of which nothing is left to be played, and begin the next one if there is no pause."""
    tournament = draft.tournament
    while tournament.stage == "running" and draft.newest.closed is None:
        if not all(pairing.ended(tournament.terms.wins) for pairing in draft.newest.pairings):
            return
        draft.add(e.RoundClosed())
        if next_round(draft.tournament, draft.now, str) is None:
            draft.add(e.StageChanged("finished"))
        elif next_due(draft.tournament) == draft.now:
            begin_round(draft)
        tournament = draft.tournament


def _time_is_up(newest: Round, now: int) -> bool:
    return newest.closed is None and newest.ends is not None and newest.ends <= now and bool(_unplayed(newest))


def _unplayed(newest: Round) -> list[PairedGame]:
    """Return the games that end with the time of a round: all that are open in a season, else those without a time."""
    late = newest.pairings if newest.divisions else without_time(newest)
    return [game for pairing in late for game in pairing.games if game.points is None]


def _end_unplayed(draft: Draft) -> None:
    """End what is open when the time of a round is up: games of a season are drawn, others fall to who proposed."""
    newest = draft.newest
    if newest.divisions:
        for game in _unplayed(newest):
            draft.forfeit(game, (FULL_POINTS // 2,) * len(game.seats))
        return
    for pairing in without_time(newest):
        for game, points in forfeits(pairing):
            if game.points is None:
                draft.forfeit(game, points)


_SERVER: Final[dict[type, Callable[[Draft, Any], None]]] = {
    c.Tick: _tick,
    c.NoteMade: _note_made,
    c.NoteResult: _note_result,
}
