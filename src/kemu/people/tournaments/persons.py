"""Decisions on the commands of persons: enter, withdraw, agree on times; and those of the organiser."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from kemu.people.tournaments import commands as c
from kemu.people.tournaments import events as e
from kemu.people.tournaments.draft import Draft, begin
from kemu.people.tournaments.rounds import enough, last_round
from kemu.people.tournaments.values import FULL_POINTS, Appointment, RoundPairing
from kemu.play.errors import AlreadyDone, NotYours


def decide_for_person(draft: Draft, command: c.PersonCommand) -> None:
    """Add what a command of a person changes. Raises KemuError."""
    if isinstance(command.ask, c.OF_HOST) and command.player != draft.tournament.host:
        raise NotYours("Only the organiser can do this.")
    _PERSONS[type(command.ask)](draft, command)


def _enter(draft: Draft, command: c.PersonCommand) -> None:
    tournament, wanted = draft.tournament, command.entrant
    assert wanted is not None, "the server says who enters"
    known = tournament.entrant(wanted.id)
    if tournament.stage not in ("open", "running"):
        raise c.TournamentClosed("The tournament is over.")
    if known is not None and not known.away:
        raise AlreadyDone(tournament.version)
    if tournament.stage == "running":
        last = last_round(tournament)
        if not (tournament.terms.late or known is not None) or (last is not None and len(tournament.rounds) >= last):
            raise c.TournamentClosed("Nobody can enter this tournament any more.")
    if sum(not entrant.bot for entrant in tournament.present) >= tournament.terms.most:
        raise c.TournamentFull("This tournament has as many players as it can take.")
    draft.add(e.Entered(replace(wanted, since=len(tournament.rounds) + 1, away=False)))


def _withdraw(draft: Draft, command: c.PersonCommand) -> None:
    _take_out(draft, command.player)


def _remove(draft: Draft, command: c.PersonCommand) -> None:
    assert isinstance(command.ask, c.Remove)
    _take_out(draft, command.ask.player)


def _take_out(draft: Draft, player: str) -> None:
    """Withdraw a player; open games of two are lost, tables go on with a computer in the seat."""
    known = draft.tournament.entrant(player)
    if draft.tournament.stage not in ("open", "running"):
        raise c.TournamentClosed("The tournament is over.")
    if known is None or known.bot:
        raise c.NotTakingPart("This player does not take part.")
    if known.away:
        raise AlreadyDone(draft.tournament.version)
    draft.add(e.Withdrew(player))
    if draft.tournament.stage == "running" and draft.newest.closed is None:
        for game in (game for pairing in draft.newest.pairings for game in pairing.games):
            if player in game.seats and len(game.seats) == 2 and game.points is None:
                draft.forfeit(game, tuple(FULL_POINTS * (seat != player) for seat in game.seats))


def _propose(draft: Draft, command: c.PersonCommand) -> None:
    ask = command.ask
    assert isinstance(ask, c.ProposeTime)
    pairing = _own_pairing(draft, command.player, ask.board)
    ends = draft.newest.ends
    if ask.at <= draft.now or (ends is not None and ask.at > ends):
        raise c.BadTime("The time must be in the future and within the round.")
    draft.add(e.TimeSet(ask.board, Appointment(command.player, ask.at, _with_computer(draft, pairing))))


def _agree(draft: Draft, command: c.PersonCommand) -> None:
    ask = command.ask
    assert isinstance(ask, c.AgreeTime)
    when = _own_pairing(draft, command.player, ask.board).appointment
    if when is None or when.agreed or when.by == command.player or when.at != ask.at:
        raise c.BadTime("There is no such time for you to agree to.")
    draft.add(e.TimeSet(ask.board, replace(when, agreed=True)))


def _drop(draft: Draft, command: c.PersonCommand) -> None:
    ask = command.ask
    assert isinstance(ask, c.DropTime)
    if _own_pairing(draft, command.player, ask.board).appointment is None:
        raise c.BadTime("No time is proposed.")
    draft.add(e.TimeSet(ask.board, None))


def _own_pairing(draft: Draft, player: str, board: int) -> RoundPairing:
    """Return a pairing of a player that waits for a time. Raises NotTakingPart and TournamentClosed."""
    tournament = draft.tournament
    if tournament.stage != "running" or not tournament.terms.appointments or draft.newest.closed is not None:
        raise c.TournamentClosed("No times are agreed on in this tournament now.")
    pairings = draft.newest.pairings
    if board >= len(pairings) or player not in pairings[board].players:
        raise c.NotTakingPart("This pairing is not yours.")
    if pairings[board].begun or pairings[board].ended(tournament.terms.wins):
        raise c.TournamentClosed("This pairing has begun.")
    return pairings[board]


def _with_computer(draft: Draft, pairing: RoundPairing) -> bool:
    entrants = (draft.tournament.entrant(player) for player in pairing.players)
    return any(entrant is not None and entrant.bot for entrant in entrants)


def _start(draft: Draft, command: c.PersonCommand) -> None:
    if draft.tournament.stage != "open":
        raise c.TournamentClosed("The tournament has begun.")
    if not enough(draft.tournament):
        raise c.TournamentClosed("Too few take part.")
    begin(draft)


def _end(draft: Draft, command: c.PersonCommand) -> None:
    if draft.tournament.stage not in ("open", "running"):
        raise c.TournamentClosed("The tournament is over.")
    draft.add(e.StageChanged("cancelled" if draft.tournament.stage == "open" else "finished"))


_PERSONS: Final[dict[type, Callable[[Draft, c.PersonCommand], None]]] = {
    c.Enter: _enter,
    c.Withdraw: _withdraw,
    c.Remove: _remove,
    c.ProposeTime: _propose,
    c.AgreeTime: _agree,
    c.DropTime: _drop,
    c.Start: _start,
    c.End: _end,
}
