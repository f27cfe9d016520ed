"""A table: the live match with its seats, clock and offers. Events change it, live or read again from a store.

A table knows nothing of sockets or stores. Whoever runs it saves each entry before telling it; if that fails,
the table has gone astray and is thrown away for one rebuilt from what was saved.
"""

from collections.abc import Callable, Sequence
from secrets import token_urlsafe
from typing import Any, Final, Literal, TypeAlias

from kemu.core.game import CHANCE, AnyGame, Outcome, Seat
from kemu.play import events
from kemu.play.clock import Clock
from kemu.play.dealer import Dealer
from kemu.play.errors import AlreadyStarted, NotYours, SeatTaken
from kemu.play.events import AnyEvent, Entry, What
from kemu.play.match import Match
from kemu.play.terms import Player, Standing, Terms

STAND_IN: Final = Player("bot:random", "random", "bot")
"""Who plays on for somebody who left, and for a bot that failed."""

Status: TypeAlias = Literal["open", "running", "finished", "aborted"]


def new_id() -> str:
    """An id for a match that nobody can guess: who has it, may come."""
    return token_urlsafe(12)


class Table:
    """One match being set up, played, or looked at afterwards."""

    def __init__(self, terms: Terms, game: AnyGame, dealer: Dealer) -> None:
        self.terms = terms
        self.players: list[Player | None] = [None] * game.seats
        self.match = Match(game, [""] * game.seats, dealer)
        self.clock = Clock(terms.clock, game.seats)
        self.version = 0
        self.started = False
        self.begun = False  # whether a seat has acted
        self.position = 0  # the version in which the position last changed
        self.offers: dict[What, Seat] = {}
        self.agreed: dict[What, set[str]] = {}  # who consents to each offer
        self.next: str | None = None
        # Since when each seat that is not here has been away; known to whoever runs the table, and never saved.
        self.away: dict[Seat, int] = {}
        self._dealer = dealer
        self._done: dict[tuple[str, str], int] = {}
        self._events: list[AnyEvent] = []

    @property
    def game(self) -> AnyGame:
        """The rules in force."""
        return self.match.game

    @property
    def status(self) -> Status:
        """How far the match is."""
        outcome = self.match.outcome
        if outcome is not None:
            return "aborted" if outcome.reason == "aborted" else "finished"
        return "running" if self.started else "open"

    @property
    def turn(self) -> Seat | None:
        """Who acts now; nobody before the start."""
        return self.match.turn if self.started else None

    @property
    def series(self) -> Standing:
        """How the series stands after this match."""
        outcome = self.match.outcome
        return self.terms.series.after(outcome.winners) if outcome else self.terms.series

    def seats(self, player: str) -> list[Seat]:
        """The seats of a player."""
        return [seat for seat, sitter in enumerate(self.players) if sitter is not None and sitter.id == player]

    def done(self, player: str, command: str) -> int | None:
        """The version in which this player's command was done, None if it was not."""
        return self._done.get((player, command))

    # Before the start, and what the server does by itself. What a player may wish is in commands.py.

    def join(self, seats: Sequence[tuple[Seat, Player]], at: int) -> Entry:
        """Players sit down; when the last seat is filled the match starts."""
        if self.started or self.match.outcome:
            raise AlreadyStarted("The match has started or was called off.")
        for seat, _ in seats:
            if not 0 <= seat < len(self.players) or self.players[seat] is not None:
                raise SeatTaken(f"Seat {seat} is not open.")
        for seat, player in seats:
            self.happen(events.Joined(seat, player), at)
        if None not in self.players:
            self.happen(events.Started(), at)
            self.deal(at)
        return self.entry(at)

    def leave(self, player: str, at: int) -> Entry:
        """A player gets up before the start; a match nobody sits at is called off."""
        if self.started or self.match.outcome:
            raise AlreadyStarted("The match has started or was called off; it cannot be left.")
        seats = self.seats(player)
        if not seats:
            raise NotYours("You have no seat at this match.")
        for seat in seats:
            self.happen(events.Left(seat), at)
        if all(sitter is None or sitter.kind == "bot" for sitter in self.players):
            self.happen(events.Aborted(seats[0]), at)
        return self.entry(at)

    def flag(self, at: int) -> Entry | None:
        """The end of the match if somebody's time is used up, else None."""
        deadline, seat = self.clock.deadline, self.clock.running
        if deadline is None or seat is None or at < deadline:
            return None
        self.happen(events.Flagged(seat), at)
        return self.entry(at)

    def replace(self, seat: Seat, at: int) -> Entry:
        """The stand-in takes over a seat."""
        self.happen(events.Replaced(seat, STAND_IN), at)
        return self.entry(at)

    def deal(self, at: int) -> None:
        """The dealer acts for as long as it is the dealer's turn."""
        while self.match.turn == CHANCE:
            action = self._dealer.deal(self.game.odds(self.match.state))
            self.happen(events.Acted(CHANCE, self.game.format(action)), at)

    # What happens.

    def happen(self, event: AnyEvent, at: int) -> None:
        """Let something new happen, as part of the next entry."""
        _EFFECTS[type(event)](self, event, at)
        self._events.append(event)

    def entry(self, at: int, by: str = "", command: str = "") -> Entry:
        """All that happened since the last one, to be saved and then told."""
        entry = Entry(at, self._events, by, command)
        self._events = []
        self._count(entry)
        return entry

    def replay(self, entry: Entry) -> None:
        """Let a saved entry happen again."""
        for event in entry.events:
            _EFFECTS[type(event)](self, event, entry.at)
        self._count(entry)

    def _count(self, entry: Entry) -> None:
        self.version += 1
        if entry.command:
            self._done[entry.by, entry.command] = self.version

    def _joined(self, event: events.Joined, at: int) -> None:
        self.players[event.seat] = event.player

    def _left(self, event: events.Left, at: int) -> None:
        self.players[event.seat] = None

    def _started(self, event: events.Started, at: int) -> None:
        self.started = True
        self.position = self.version + 1
        self._name_players()

    def _acted(self, event: events.Acted, at: int) -> None:
        self.match.act(event.seat, self.game.parse(event.action))
        self.begun = self.begun or event.seat != CHANCE
        self._moved(at)

    def _undone(self, event: events.Undone, at: int) -> None:
        self.match.take_back(event.plies)
        self._moved(at)

    def _moved(self, at: int) -> None:
        """The position has changed: offers lapse, and the time of who is to act runs, once somebody has acted."""
        self.position = self.version + 1
        self.offers.clear()
        turn = self.match.turn
        if self.begun and turn != CHANCE:
            self.clock.run(turn, at)

    def _offered(self, event: events.Offered, at: int) -> None:
        self.offers[event.what] = event.seat
        self.agreed[event.what] = {self._sitter(event.seat)}

    def _accepted(self, event: events.Accepted, at: int) -> None:
        self.agreed[event.what].add(self._sitter(event.seat))

    def _declined(self, event: events.Declined, at: int) -> None:
        del self.offers[event.what]

    def _agreed(self, event: events.Agreed, at: int) -> None:
        self.match.agree()
        self._ended(at)

    def _resigned(self, event: events.Resigned, at: int) -> None:
        self.match.resign(event.seat)
        self._ended(at)

    def _flagged(self, event: events.Flagged, at: int) -> None:
        self.match.lose(event.seat, "time")
        self._ended(at)

    def _claimed(self, event: events.Claimed, at: int) -> None:
        self.match.lose(event.away, "abandoned")
        self._ended(at)

    def _aborted(self, event: events.Aborted, at: int) -> None:
        self.match.end(Outcome((), "aborted"))
        self._ended(at)

    def _ended(self, at: int) -> None:
        self.clock.run(None, at)
        self.offers.clear()

    def _replaced(self, event: events.Replaced, at: int) -> None:
        self.players[event.seat] = event.player
        self._name_players()

    def _rematched(self, event: events.Rematched, at: int) -> None:
        self.next = event.match
        self.offers.clear()

    def _name_players(self) -> None:
        self.match.players = tuple(player.name for player in self.players if player is not None)

    def _sitter(self, seat: Seat) -> str:
        player = self.players[seat]
        assert player is not None, "offers are made once all seats are filled"
        return player.id


_EFFECTS: Final[dict[type, Callable[[Table, Any, int], None]]] = {
    events.Joined: Table._joined,
    events.Left: Table._left,
    events.Started: Table._started,
    events.Acted: Table._acted,
    events.Undone: Table._undone,
    events.Offered: Table._offered,
    events.Accepted: Table._accepted,
    events.Declined: Table._declined,
    events.Agreed: Table._agreed,
    events.Resigned: Table._resigned,
    events.Flagged: Table._flagged,
    events.Claimed: Table._claimed,
    events.Aborted: Table._aborted,
    events.Replaced: Table._replaced,
    events.Rematched: Table._rematched,
}
