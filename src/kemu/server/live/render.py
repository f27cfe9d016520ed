"""Frames for viewers, made only from the view, the log lines and the actions of the viewer's own seat."""

from typing import NamedTuple

from msgspec import UNSET, Raw, UnsetType

from kemu.core.game import SPECTATOR, AnyView, Seat
from kemu.games import text as text_view
from kemu.play.commands import Acted, ActedEvent, Entry, MatchEvent
from kemu.play.table import Table
from kemu.play.terms import NoClock
from kemu.server.live.frames import (
    ClockFrame,
    EventFrame,
    FullFrame,
    MatchAnswer,
    OfferFrame,
    encode,
    match_answer,
    match_changed,
)
from kemu.storage.matches import OutcomeAnswer, outcome_answer


class Viewer(NamedTuple):
    """Viewer of a match: through which seat, as which player, and whether with text drawings."""

    seat: Seat
    player: str
    text: bool = False


def valid_seat(table: Table, player: str, seat: Seat) -> Seat:
    """Return this seat if the player holds it now, else that of a spectator."""
    holder = None if seat == SPECTATOR else table.players[seat]
    return seat if holder is not None and holder.id == player else SPECTATOR


def seat_taken(before: Table, after: Table, player: str) -> Seat:
    """Return the first seat that a player took between two tables, else that of a spectator."""
    held = before.seats(player)
    return next((seat for seat in after.seats(player) if seat not in held), SPECTATOR)


class _Content(NamedTuple):
    """Content of a frame: what a seat may know after an entry."""

    view: AnyView
    events: list[MatchEvent]
    raw: Raw


class EntryFrames:
    """The event frames of one entry. Viewers who may know the same are sent the very same bytes."""

    def __init__(self, before: Table, entry: Entry, table: Table) -> None:
        self._table = table
        self._entry = entry
        acted = [event for event in entry.events if type(event) is Acted]
        self._plies = table.past(table.plies - len(acted)) if acted else []
        self._clock = clock_frame(table, entry.at)
        self._offers = _offers(table)
        self._outcome = _outcome(table)
        self._match_changed = match_changed(before, table)
        self._contents: dict[Seat, _Content] = {}
        self._encoded: dict[tuple[object, ...], bytes] = {}

    def frame(self, viewer: Viewer, re: str | UnsetType = UNSET) -> bytes:
        """The frame of this viewer; with `re` if it answers the viewer's own command."""
        content = self._content(viewer.seat)
        if re is not UNSET:
            return self._encode(viewer, content, re)
        mine = tuple(self._table.seats(viewer.player)) if self._match_changed else ()
        key = (id(content.raw), viewer.seat == self._table.turn, mine, viewer.text)
        frame = self._encoded.get(key)
        if frame is None:
            frame = self._encoded[key] = self._encode(viewer, content, re)
        return frame

    def _encode(self, viewer: Viewer, content: _Content, re: str | UnsetType) -> bytes:
        table = self._table
        match: MatchAnswer | UnsetType = match_answer(table, viewer.player) if self._match_changed else UNSET
        text, words = _text(table, viewer, content.view)
        return encode(
            EventFrame(
                version=table.version,
                now=self._entry.at,
                events=content.events,
                view=content.raw,
                turn=table.turn,
                actions=_actions(table, viewer.seat),
                clock=self._clock,
                offers=self._offers,
                outcome=self._outcome,
                match=match,
                text=text,
                words=words,
                re=re,
            )
        )

    def _content(self, seat: Seat) -> _Content:
        """Return what a seat may know; seats that may know the same share one content, whose view is encoded once."""
        content = self._contents.get(seat)
        if content is None:
            view, seen = self._table.game.view(self._table.state, seat), self._events(seat)
            for other in self._contents.values():
                if view == other.view and seen == other.events:
                    content = other
                    break
            else:
                content = _Content(view, seen, Raw(encode(view)))
            self._contents[seat] = content
        return content

    def _events(self, seat: Seat) -> list[MatchEvent]:
        """The events of the entry; of actions only what this seat may see."""
        seen, all_events = self._table.game.seen, self._entry.events
        acted: list[MatchEvent] = [ActedEvent(ply.actor, seen(ply.state, ply.action, seat)) for ply in self._plies]
        if len(acted) == len(all_events):
            return acted
        left = iter(acted)
        return [next(left) if type(event) is Acted else event.shown() for event in all_events]


def full_frame(
    table: Table, viewer: Viewer, now: int, re: str | UnsetType = UNSET, log: list[tuple[Seat, str]] | None = None
) -> bytes:
    """Everything that this viewer may know; `log` is that of the viewer's seat, if it is at hand."""
    view = table.game.view(table.state, viewer.seat)
    text, words = _text(table, viewer, view)
    return encode(
        FullFrame(
            version=table.version,
            seat=viewer.seat,
            now=now,
            match=match_answer(table, viewer.player),
            view=Raw(encode(view)),
            turn=table.turn,
            log=table.log(viewer.seat) if log is None else log,
            actions=_actions(table, viewer.seat),
            clock=clock_frame(table, now),
            offers=_offers(table),
            outcome=_outcome(table),
            text=text,
            words=words,
            re=re,
        )
    )


def clock_frame(table: Table, now: int) -> ClockFrame | UnsetType:
    """The times, if they are counted."""
    if type(table.terms.clock) is NoClock:
        return UNSET
    return ClockFrame(table.clock.remaining(now), now, table.clock.running, sorted(table.vacation))


def _actions(table: Table, seat: Seat) -> list[str] | UnsetType:
    """The choices of a seat on its turn; nobody else gets them."""
    if seat == SPECTATOR or seat != table.turn:
        return UNSET
    return [table.game.format(action) for action in table.game.actions(table.state)]


def _text(table: Table, viewer: Viewer, view: AnyView) -> tuple[str | UnsetType, list[str] | UnsetType]:
    """The drawing of a view and, on the viewer's turn, each action in words; both only if they are asked for."""
    if not viewer.text:
        return UNSET, UNSET
    shown, game = text_view(table.terms.game), table.game
    if viewer.seat == SPECTATOR or viewer.seat != table.turn:
        return shown.draw(game, view), UNSET
    return shown.draw(game, view), [shown.explain(game, view, action) for action in game.actions(table.state)]


def _offers(table: Table) -> list[OfferFrame] | UnsetType:
    return [OfferFrame(offer.seat, what) for what, offer in table.offers.items()] if table.offers else UNSET


def _outcome(table: Table) -> OutcomeAnswer | UnsetType:
    return outcome_answer(table.outcome) or UNSET
