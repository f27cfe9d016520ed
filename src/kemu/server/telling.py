"""What each seat is told: frames made only from its own view, its own log lines and, on its turn, its own choices."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from kemu.core.game import SPECTATOR, Seat
from kemu.play import events
from kemu.play.clock import NoClock
from kemu.play.decisions import GRACE
from kemu.play.events import Entry
from kemu.play.table import Table
from kemu.play.terms import Player
from kemu.server.answers import BotSeat, MatchAnswer, OpenSeat, Person
from kemu.server.wire import ClockFrame, EventFrame, FullFrame, OfferFrame, Told, encode
from kemu.storage.store import MatchRow, Result, result

_START = len('{"type":"event"')


def event_frames(table: Table, entry: Entry, seats: Iterable[Seat]) -> dict[Seat, bytes]:
    """The newest entry as each of these seats is told of it; who sees the same gets the very same text."""
    match, turn = table.match, table.turn
    acted = sum(type(event) is events.Acted for event in entry.events)
    clock, offers, outcome = clock_frame(table, entry.at), _offers(table), _outcome(table)
    frames: dict[Seat, bytes] = {}
    shown: list[tuple[Any, list[Told], Raw]] = []
    shared: dict[int, bytes] = {}  # by place in `shown`, the frame of those who are not on turn
    for seat in seats:
        view = match.game.view(match.state, seat)
        told = _told(table, entry, acted, seat)
        place = _place(shown, view, told)
        if seat != turn and place in shared:
            frames[seat] = shared[place]
            continue
        raw, actions = shown[place][2], _actions(table, seat)
        frame = EventFrame(table.version, entry.at, told, raw, turn, actions, clock, offers, outcome)
        frames[seat] = encode(frame)
        if seat != turn:
            shared[place] = frames[seat]
    return frames


def _place(shown: list[tuple[Any, list[Told], Raw]], view: Any, told: list[Told]) -> int:
    """Where the same was shown before; each different view is encoded once."""
    for place, (other_view, other_told, _) in enumerate(shown):
        if view == other_view and told == other_told:
            return place
    shown.append((view, told, Raw(encode(view))))
    return len(shown) - 1


def answering(frame: bytes, command: str) -> bytes:
    """The same event, marked as the answer to a command."""
    return b'%b,"re":%b%b' % (frame[:_START], encode(command), frame[_START:])


def full_frame(table: Table, seat: Seat, player: str, now: int, re: str | UnsetType = UNSET) -> bytes:
    """Everything this seat may know."""
    match = table.match
    frame = FullFrame(
        version=table.version,
        seat=seat,
        now=now,
        match=match_answer(table, player),
        view=Raw(encode(match.game.view(match.state, seat))),
        turn=table.turn,
        log=list(match.log(seat)),
        actions=_actions(table, seat),
        clock=clock_frame(table, now),
        offers=_offers(table),
        outcome=_outcome(table),
        re=re,
    )
    return encode(frame)


def match_answer(table: Table, player: str) -> MatchAnswer:
    """A live match, as everybody may know it."""
    return _answer(table.terms.id, table, result(table.match.outcome), table.seats(player), table.turn)


def row_answer(row: MatchRow, player: str) -> MatchAnswer:
    """A match from a list; whose turn it is, only its table knows."""
    seats = [seat for seat, sitter in enumerate(row.players) if sitter is not None and sitter.id == player]
    return _answer(row.terms.id, row, row.outcome, seats, None)


def clock_frame(table: Table, now: int) -> ClockFrame | UnsetType:
    """The times, if they are counted."""
    if type(table.terms.clock) is NoClock:
        return UNSET
    return ClockFrame(table.clock.left(now), now, table.clock.running)


def _answer(
    match: str, of: Table | MatchRow, outcome: Result | None, mine: list[Seat], turn: Seat | None
) -> MatchAnswer:
    terms = of.terms
    return MatchAnswer(
        id=match,
        game=terms.game,
        options=terms.options,
        status=of.status,
        seats=[_seat(player) for player in of.players],
        mine=mine,
        clock=terms.clock,
        public=terms.public,
        rated=terms.rated,
        series=terms.series,
        previous=terms.previous,
        next=of.next,
        created=terms.created,
        turn=turn,
        outcome=outcome,
        grace=GRACE,
    )


def _seat(player: Player | None) -> Person | BotSeat | OpenSeat:
    if player is None:
        return OpenSeat()
    return (BotSeat if player.kind == "bot" else Person)(player.name, player.id)


def _actions(table: Table, seat: Seat) -> list[str] | UnsetType:
    """The choices of a seat on its turn; nobody else learns of them."""
    if seat == SPECTATOR or seat != table.turn:
        return UNSET
    match = table.match
    return [match.game.format(action) for action in match.game.actions(match.state)]


def _offers(table: Table) -> list[OfferFrame] | UnsetType:
    return [OfferFrame(seat, what) for what, seat in table.offers.items()] if table.offers else UNSET


def _outcome(table: Table) -> Result | UnsetType:
    return result(table.match.outcome) or UNSET


def _told(table: Table, entry: Entry, acted: int, seat: Seat) -> list[Told]:
    """What happened; of actions only what this seat may see."""
    lines = table.match.log(seat, table.match.plies - acted) if acted else ()
    told = [Told("acted", actor, line) for actor, line in lines]
    if acted == len(entry.events):
        return told
    lines_told = iter(told)
    return [next(lines_told) if type(event) is events.Acted else _other(event) for event in entry.events]


def _other(event: events.AnyEvent) -> Told:
    fields = msgspec.structs.asdict(event)
    player = fields.pop("player", None)
    if isinstance(player, Player):
        fields |= {"name": player.name, "kind": player.kind}
    return Told(str(event.__struct_config__.tag), **fields)
