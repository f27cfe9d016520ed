"""The next table: each event replaces some fields of a frozen table, live and when stored entries are replayed."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from kemu.core.document import quote
from kemu.core.errors import KemuError
from kemu.core.game import CHANCE, Outcome, Seat
from kemu.core.record import Record
from kemu.play import events
from kemu.play.events import AnyEvent, Entry
from kemu.play.table import OpenOffer, Ply, Table
from kemu.play.terms import Player

_TRANSITION: Final = "transition"


def evolve(table: Table, entry: Entry) -> Table:
    """The table after an entry, which must be of this table's match and of its next version.

    An entry that `decide` made for this very table knows the next one already. Any other entry is applied event by
    event; raises KemuError if the rules refuse one of its actions.
    """
    known: tuple[Table, Table] | None = entry.__dict__.get(_TRANSITION)
    if known is not None and known[0] is table:
        return known[1]
    for event in entry.events:
        table = apply_event(table, event, entry.at)
    return replace(table, version=table.version + 1)


def keep_transition(entry: Entry, before: Table, after: Table) -> Entry:
    """The same entry, which from now on leads from `before` to `after` without running the rules."""
    entry.__dict__[_TRANSITION] = (before, after)
    return entry


def apply_event(table: Table, event: AnyEvent, at: int) -> Table:
    """The table after one event of the next entry; the version stays until the whole entry is applied."""
    return _EFFECTS[type(event)](table, event, at)


def resume(table: Table, players: tuple[Player, ...], record: Record) -> Table:
    """A new table started with these players and gone on to the end of a record; its clock does not run.

    Raises KemuError with the number of the first action that cannot be taken.
    """
    table = _started(replace(table, players=players), events.Started(), 0)
    for number, text in enumerate(record.actions, start=1):
        try:
            table = _act(table, table.turn, text)
        except KemuError as error:
            raise type(error)(f"Action {number}, {quote(text)}: {error}") from None
    if record.result is not None:
        table = _end(table, record.result, 0)
    return replace(table, version=1, begun=any(ply.actor != CHANCE for ply in table.past()))


def _joined(table: Table, event: events.Joined, at: int) -> Table:
    return _seat_player(table, event.seat, event.player)


def _left(table: Table, event: events.Left, at: int) -> Table:
    return _seat_player(table, event.seat, None)


def _replaced(table: Table, event: events.Replaced, at: int) -> Table:
    return _seat_player(table, event.seat, event.player)


def _seat_player(table: Table, seat: Seat, player: Any) -> Table:
    players = list(table.players)
    players[seat] = player
    return replace(table, players=tuple(players))


def _started(table: Table, event: events.Started, at: int) -> Table:
    turn = table.game.turn(table.state)
    table = replace(table, started=True, turn=turn, position=table.version + 1, timed=event.timed)
    return _run_clock(table, at)


def _acted(table: Table, event: events.Acted, at: int) -> Table:
    table = _act(table, event.seat, event.action)
    if event.seat != CHANCE and not table.begun:
        table = replace(table, begun=True)
    return _run_clock(table, at, event.spent_ms)


def _act(table: Table, actor: Seat | None, text: str) -> Table:
    """The table after an action, given by its text; runs the rules."""
    game = table.game
    action = game.parse(text)
    state = game.apply(table.state, action)
    assert actor is not None, "the rules refuse every action of a game that is over"
    turn = game.turn(state)
    return replace(
        table,
        last=Ply(table.last, table.state, actor, action, table.plies + 1),
        state=state,
        turn=turn,
        outcome=game.outcome(state) if turn is None else None,
        position=table.version + 1,
        offers={},
    )


def _undone(table: Table, event: events.Undone, at: int) -> Table:
    last, state = table.last, table.state
    for _ in range(event.plies):
        assert last is not None, "no more is taken back than was done"
        state, last = last.state, last.before
    turn = table.game.turn(state)
    undone = replace(table, last=last, state=state, turn=turn, position=table.version + 1, offers={})
    return _run_clock(undone, at)


def _run_clock(table: Table, at: int, spent_ms: int | None = None) -> Table:
    """The time of the seat to act runs, in casual matches once a seat has acted; it never runs for the dealer."""
    if not (table.begun or table.timed):
        return table
    if table.turn == CHANCE:  # what was thought about the action before the dealer's is counted here, once
        return table if spent_ms is None else replace(table, clock=table.clock.run(table.clock.running, at, spent_ms))
    clock = table.clock.run(table.turn, at, spent_ms)
    return table if clock is table.clock else replace(table, clock=clock)


def _offered(table: Table, event: events.Offered, at: int) -> Table:
    offer = OpenOffer(event.seat, frozenset({_player_id(table, event.seat)}))
    return replace(table, offers={**table.offers, event.what: offer})


def _accepted(table: Table, event: events.Accepted, at: int) -> Table:
    offer = table.offers[event.what]
    agreed = OpenOffer(offer.seat, offer.agreed | {_player_id(table, event.seat)})
    return replace(table, offers={**table.offers, event.what: agreed})


def _declined(table: Table, event: events.Declined, at: int) -> Table:
    return replace(table, offers={what: offer for what, offer in table.offers.items() if what != event.what})


def _agreed(table: Table, event: events.Agreed, at: int) -> Table:
    return _end(table, Outcome((), "agreement"), at)


def _resigned(table: Table, event: events.Resigned, at: int) -> Table:
    return _end(table, _loss(table, event.seat, "resignation"), at)


def _flagged(table: Table, event: events.Flagged, at: int) -> Table:
    return _end(table, _loss(table, event.seat, "time"), at)


def _claimed(table: Table, event: events.Claimed, at: int) -> Table:
    return _end(table, _loss(table, event.away, "abandoned"), at)


def _aborted(table: Table, event: events.Aborted, at: int) -> Table:
    return _end(table, Outcome((), "aborted"), at)


def _rematched(table: Table, event: events.Rematched, at: int) -> Table:
    return replace(table, next=event.match, offers={})


def _loss(table: Table, loser: Seat, reason: str) -> Outcome:
    """A seat loses for a reason outside the rules; all others win."""
    return Outcome(tuple(seat for seat in range(table.game.seats) if seat != loser), reason)


def _end(table: Table, outcome: Outcome, at: int) -> Table:
    clock = table.clock.run(None, at)
    return replace(table, outcome=outcome, ended_by_players=True, turn=None, clock=clock, offers={})


def _player_id(table: Table, seat: Seat) -> str:
    player = table.players[seat]
    assert player is not None, "offers are made once all seats are taken"
    return player.id


_EFFECTS: Final[dict[type, Callable[[Table, Any, int], Table]]] = {
    events.Joined: _joined,
    events.Left: _left,
    events.Started: _started,
    events.Acted: _acted,
    events.Undone: _undone,
    events.Offered: _offered,
    events.Accepted: _accepted,
    events.Declined: _declined,
    events.Agreed: _agreed,
    events.Resigned: _resigned,
    events.Flagged: _flagged,
    events.Claimed: _claimed,
    events.Aborted: _aborted,
    events.Replaced: _replaced,
    events.Rematched: _rematched,
}
