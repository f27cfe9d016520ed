"""What comes of a player's command: each decision checks everything first, then lets events happen at the table."""

from collections.abc import Callable
from typing import Any, Final

from kemu.core.game import Seat
from kemu.play import events
from kemu.play.clock import SECOND
from kemu.play.commands import Abort, Accept, Act, AnyCommand, Claim, Decline, Offer, Resign
from kemu.play.errors import (
    AlreadyStarted,
    MatchOver,
    MatchRunning,
    NoOffer,
    NotAway,
    NotStarted,
    NotYours,
    StaleVersion,
    WrongSeat,
)
from kemu.play.events import Entry, What
from kemu.play.table import STAND_IN, Table, new_id

GRACE: Final = 60 * SECOND
"""How long somebody whose turn it is may be away before the others can claim; leaving is never an instant loss."""


def take(table: Table, command: AnyCommand, seat: Seat, player: str, at: int) -> Entry:
    """The entry a player's command makes, or an error that says why nothing happened."""
    if seat < 0:
        raise WrongSeat("You only watch this match.")
    sitter = table.players[seat]
    if sitter is None or sitter.id != player:
        raise NotYours(f"Seat {seat} is not yours.")
    _DECISIONS[type(command)](table, command, seat, at)
    return table.entry(at, player, command.id)


def _act(table: Table, command: Act, seat: Seat, at: int) -> None:
    _check_running(table)
    if command.version < table.position:
        raise StaleVersion(f"The position changed in version {table.position}; you looked at {command.version}.")
    if seat != table.match.turn:
        raise WrongSeat("It is another seat's turn.")
    table.happen(events.Acted(seat, command.action), at)
    table.deal(at)


def _offer(table: Table, command: Offer, seat: Seat, at: int) -> None:
    what = command.what
    if what == "rematch":
        _check_over(table)
    else:
        _check_running(table)
    if what in table.offers:
        _accept(table, Accept(command.id, what), seat, at)
        return
    if what == "takeback":
        table.match.undoable(seat)
    bots = any(player is not None and player.kind == "bot" for player in table.players)
    if bots and (what == "draw" or (what == "takeback" and table.terms.rated)):
        raise NoOffer("Bots agree to no draw, and to a takeback only in casual matches.")
    table.happen(events.Offered(seat, what), at)
    _settle(table, what, at)


def _accept(table: Table, command: Accept, seat: Seat, at: int) -> None:
    what = command.what
    sitter = table.players[seat]
    if what not in table.offers or sitter is None or sitter.id in table.agreed[what]:
        raise NoOffer(f"There is no offer of a {what} for you to accept.")
    table.happen(events.Accepted(seat, what), at)
    _settle(table, what, at)


def _settle(table: Table, what: What, at: int) -> None:
    """Do what was offered once everybody whose consent is needed has given it."""
    people = {player.id for player in table.players if player is not None and player.kind == "person"}
    agreed = people <= table.agreed[what]
    if what == "rematch":
        if agreed or not table.series.decided:  # within a series the next game was agreed on at its start
            table.happen(events.Rematched(new_id()), at)
    elif agreed and what == "draw":
        table.happen(events.Agreed(), at)
    elif agreed:
        seat = table.offers[what]
        table.happen(events.Undone(seat, table.match.undoable(seat)), at)


def _decline(table: Table, command: Decline, seat: Seat, at: int) -> None:
    if command.what not in table.offers:
        raise NoOffer(f"There is no offer of a {command.what} to decline.")
    table.happen(events.Declined(seat, command.what), at)


def _resign(table: Table, command: Resign, seat: Seat, at: int) -> None:
    _check_running(table)
    table.happen(events.Resigned(seat), at)


def _abort(table: Table, command: Abort, seat: Seat, at: int) -> None:
    _check_running(table)
    if table.begun:
        raise AlreadyStarted("The first action has been taken; you can resign.")
    table.happen(events.Aborted(seat), at)


def _claim(table: Table, command: Claim, seat: Seat, at: int) -> None:
    _check_running(table)
    turn = table.match.turn
    assert turn is not None, "somebody acts while a match is running"
    since = table.away.get(turn)
    if since is None or at - since < GRACE:
        raise NotAway(f"Nobody whose turn it is has been away for {GRACE // SECOND} seconds.")
    table.happen(events.Claimed(seat, turn) if command.what == "win" else events.Replaced(turn, STAND_IN), at)


def _check_running(table: Table) -> None:
    if table.match.outcome:
        raise MatchOver("The match is over.")
    if not table.started:
        raise NotStarted("The match starts when all seats are filled.")


def _check_over(table: Table) -> None:
    if not table.match.outcome:
        raise MatchRunning("A rematch can be played when the match is over.")
    if table.next:
        raise NoOffer("The next match has begun.")


_DECISIONS: Final[dict[type, Callable[[Table, Any, Seat, int], None]]] = {
    Act: _act,
    Offer: _offer,
    Accept: _accept,
    Decline: _decline,
    Resign: _resign,
    Abort: _abort,
    Claim: _claim,
}
