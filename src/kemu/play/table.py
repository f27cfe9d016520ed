"""The table: a match as a frozen value, from its open seats to its outcome.

A table knows nothing of sockets, stores or time. `decide` says what a command changes; `evolve` gives the next table,
in which each event has replaced some fields, live and when stored entries are replayed.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from kemu.core.document import quote
from kemu.core.errors import KemuError
from kemu.core.game import CHANCE, AnyGame, Outcome, Seat, options
from kemu.core.record import Record
from kemu.play import commands
from kemu.play.commands import AnyEvent, Entry, What
from kemu.play.terms import Clock, Player, Series, Terms, fit_for_rating, new_clock, new_series

Status: TypeAlias = Literal["open", "running", "finished", "aborted"]

Following: TypeAlias = Callable[[AnyGame, Any, Outcome], tuple[AnyGame, tuple[Seat, ...]]]
"""From a game, its last state and its outcome to the next game of a series, and for each seat the seat before."""

STAND_IN: Final = Player("bot:random", "random", "bot")
"""Name of the bot that replaces a player who left or a bot that failed."""


CALLED_OFF: Final = ("aborted", "cancelled")
"""The reasons of the ends that leave no result."""


class Ply(Struct, frozen=True, eq=False):
    """One action that was taken, linked to the one before it: a table shares its past with the tables before it."""

    before: "Ply | None"
    state: Any  # in which the action was taken
    actor: Seat
    action: Any
    number: int  # from 1

    def __eq__(self, other: object) -> bool:
        """Return whether two pasts are the same; a loop, because they may be longer than the stack is deep."""
        mine: Ply | None = self
        theirs: Ply | None = other if isinstance(other, Ply) else None
        while mine is not theirs:
            if mine is None or theirs is None or mine._step() != theirs._step():
                return False
            mine, theirs = mine.before, theirs.before
        return True

    def __ne__(self, other: object) -> bool:
        """Return the opposite of `==`, which a Struct does not derive."""
        return not self == other

    def _step(self) -> tuple[Any, Seat, Any, int]:
        return self.state, self.actor, self.action, self.number


class OpenOffer(Struct, frozen=True):
    """An offer that waits: the seat that made it, and the ids of the players who agree."""

    seat: Seat
    agreed: frozenset[str]


class Table(Struct, frozen=True):
    """One match being set up, played, or looked at afterwards."""

    terms: Terms
    game: AnyGame
    players: tuple[Player | None, ...]
    clock: Clock
    state: Any
    turn: Seat | None = None  # who acts now; None before the start and after the end
    outcome: Outcome | None = None
    version: int = 0
    position: int = 0  # the version in which the position last changed
    started: bool = False
    begun: bool = False  # whether a seat has acted
    timed: bool = False  # whether time runs before that too
    last: Ply | None = None  # the newest action
    ended_by_players: bool = False  # whether the outcome is not one of the rules
    offers: Mapping[What, OpenOffer] = {}
    declined: Mapping[tuple[Seat, What], int] = {}  # when an offer of a seat was last declined or withdrawn
    gave_up: Mapping[Seat, Player] = {}  # who has lost already, at seats where the stand-in plays on
    next: str | None = None  # the match that follows
    vacation: frozenset[Seat] = frozenset()  # the seats whose players are on vacation

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.terms.id

    @property
    def status(self) -> Status:
        """How far the match is."""
        if self.outcome is not None:
            return "aborted" if self.outcome.reason in CALLED_OFF else "finished"
        return "running" if self.started else "open"

    @property
    def series(self) -> Series:
        """How the series stands: after this match if it is over, else before it."""
        return self.terms.series.after(self.outcome.winners) if self.outcome else self.terms.series

    @property
    def plies(self) -> int:
        """How many actions were taken, the dealer's included."""
        return self.last.number if self.last else 0

    @property
    def deadline(self) -> int | None:
        """When the running time is used up; None while no time runs, and for a bot.

        A bot is charged for the time it thought when it acts, so it never loses by waiting for its turn to think.
        """
        running = self.clock.running
        player = None if running is None else self.players[running]
        return None if player is None or player.kind == "bot" else self.clock.deadline

    def seats(self, player: str) -> list[Seat]:
        """Return the seats of a player, by id."""
        return [seat for seat, sitter in enumerate(self.players) if sitter is not None and sitter.id == player]

    def has_acted(self, seat: Seat) -> bool:
        """Return whether a seat, or the dealer, has taken an action."""
        return any(ply.actor == seat for ply in _back_to(self.last, 0))

    def past(self, start: int = 0) -> list[Ply]:
        """Return the actions from number `start` + 1 on, oldest first."""
        return list(_back_to(self.last, start))[::-1]

    def log(self, seat: Seat, start: int = 0) -> list[tuple[Seat, str]]:
        """Return from action `start` + 1 on who acted and what this seat may know of it."""
        return [(ply.actor, self.game.seen(ply.state, ply.action, seat)) for ply in self.past(start)]

    def record(self) -> Record:
        """Return the whole record: only for those who may see everything."""
        return Record(
            game=self.game.key,
            options=options(self.game),
            actions=tuple(self.game.format(ply.action) for ply in self.past()),
            players=tuple(player.name if player and self.started else "" for player in self.players),
            result=self.outcome if self.ended_by_players else None,
        )


def _back_to(ply: Ply | None, start: int) -> Iterator[Ply]:
    while ply is not None and ply.number > start:
        yield ply
        ply = ply.before


def new_table(terms: Terms, game: AnyGame) -> Table:
    """Return a match before its first entry: every seat is open."""
    return Table(terms, game, (None,) * game.seats, new_clock(terms.clock, game.seats), game.initial())


def next_match(table: Table, match: str, following: Following, now: int) -> tuple[Table, tuple[Player, ...]]:
    """Return the table of the match that follows this one under the id `match`, still empty, and who will sit where.

    `following` is the game's own rule for a series. A decided series is followed by a new one of the same length.
    """
    outcome, terms = table.outcome, table.terms
    assert outcome is not None, "rematches follow matches that are over"
    game, came_from = following(table.game, table.state, outcome)
    ended = table.series
    new_terms = replace(
        terms,
        id=match,
        game=game.key,
        options=options(game),
        created=now,
        rated=terms.rated and fit_for_rating(terms.clock),  # earlier versions rated matches without a clock
        series=new_series(ended.to, len(came_from))
        if ended.decided
        else Series(ended.to, ended.game + 1, tuple(ended.wins[seat] for seat in came_from)),
        previous=terms.id,
    )
    players = (table.players[seat] for seat in came_from)
    return new_table(new_terms, game), tuple(player for player in players if player is not None)


# From one table to the next.


def evolve(table: Table, entry: Entry) -> Table:
    """Return the table after a stored entry, which must be of this table's match and of its next version.

    Raises KemuError if the rules refuse one of its actions.
    """
    for event in entry.events:
        table = apply_event(table, event, entry.at)
    return replace(table, version=table.version + 1)


def apply_event(table: Table, event: AnyEvent, at: int) -> Table:
    """Return the table after one event of the next entry; the version stays until the whole entry is applied."""
    return _EFFECTS[type(event)](table, event, at)


def resume(table: Table, players: tuple[Player, ...], record: Record) -> Table:
    """Return a new table started with these players and gone on to the end of a record; its clock does not run.

    Raises KemuError with the number of the first action that cannot be taken.
    """
    table = _started(replace(table, players=players), commands.Started(), 0)
    for number, text in enumerate(record.actions, start=1):
        try:
            table = _act(table, table.turn, text)
        except KemuError as error:
            raise error.located(f"Action {number}, {quote(text)}") from None
    if record.result is not None:
        table = _end(table, record.result, 0)
    return replace(table, version=1, begun=any(ply.actor != CHANCE for ply in table.past()))


def _seated(table: Table, event: commands.Joined | commands.Left, at: int) -> Table:
    players = list(table.players)
    players[event.seat] = event.player if isinstance(event, commands.Joined) else None
    return replace(table, players=tuple(players))


def _replaced(table: Table, event: commands.Replaced, at: int) -> Table:
    before = table.players[event.seat]
    seated = _on_vacation(_seated(table, event, at), table.vacation - {event.seat}, at)
    return replace(seated, gave_up={**table.gave_up, event.seat: before}) if event.gave_up else seated


def _started(table: Table, event: commands.Started, at: int) -> Table:
    turn = table.game.turn(table.state)
    table = replace(table, started=True, turn=turn, position=table.version + 1, timed=event.timed)
    return _run_clock(table, at)


def _acted(table: Table, event: commands.Acted, at: int) -> Table:
    table = _act(table, event.seat, event.action)
    if event.seat != CHANCE and not table.begun:
        table = replace(table, begun=True)
    return _run_clock(table, at, event.spent_ms)


def _act(table: Table, actor: Seat | None, text: str) -> Table:
    """Return the table after an action, given by its text; runs the rules."""
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


def _undone(table: Table, event: commands.Undone, at: int) -> Table:
    last, state = table.last, table.state
    for _ in range(event.plies):
        assert last is not None, "no more is taken back than was done"
        state, last = last.state, last.before
    turn = table.game.turn(state)
    undone = replace(table, last=last, state=state, turn=turn, position=table.version + 1, offers={})
    return _run_clock(undone, at)


def _run_clock(table: Table, at: int, spent_ms: int | None = None) -> Table:
    """Run the time of the seat to act, in casual matches once a seat has acted; it never runs for the dealer."""
    if not (table.begun or table.timed):
        return table
    if table.turn == CHANCE:  # what was thought about the action before the dealer's is counted here, once
        return table if spent_ms is None else replace(table, clock=table.clock.run(table.clock.running, at, spent_ms))
    clock = table.clock.run(table.turn, at, spent_ms, paused=table.turn in table.vacation)
    return table if clock is table.clock else replace(table, clock=clock)


def _vacation(table: Table, event: commands.Vacation, at: int) -> Table:
    seat = frozenset({event.seat})
    return _on_vacation(table, table.vacation | seat if event.on else table.vacation - seat, at)


def _on_vacation(table: Table, vacation: frozenset[Seat], at: int) -> Table:
    """Return the table with the players of these seats on vacation; the time of the seat to act runs or stops."""
    if vacation == table.vacation:
        return table
    running = table.clock.running
    clock = table.clock if running is None else table.clock.run(running, at, paused=running in vacation)
    return replace(table, vacation=vacation, clock=clock)


def _offered(table: Table, event: commands.Offered, at: int) -> Table:
    offer = OpenOffer(event.seat, frozenset({_player_id(table, event.seat)}))
    return replace(table, offers={**table.offers, event.what: offer})


def _accepted(table: Table, event: commands.Accepted, at: int) -> Table:
    offer = table.offers[event.what]
    agreed = OpenOffer(offer.seat, offer.agreed | {_player_id(table, event.seat)})
    return replace(table, offers={**table.offers, event.what: agreed})


def _declined(table: Table, event: commands.Declined, at: int) -> Table:
    offer = table.offers.get(event.what)
    declined = {**table.declined, (event.seat if offer is None else offer.seat, event.what): at}
    offers = {what: offer for what, offer in table.offers.items() if what != event.what}
    return replace(table, offers=offers, declined=declined)


def _ended(table: Table, event: commands.Ending, at: int) -> Table:
    loser: Seat | None = None
    match event:
        case commands.Resigned() | commands.Flagged():
            loser = event.seat
        case commands.Claimed():
            loser = event.away
    lost = {loser, *table.gave_up}
    winners = () if loser is None else tuple(seat for seat in range(table.game.seats) if seat not in lost)
    return _end(table, Outcome(winners, _REASONS[type(event)]), at)


def _rematched(table: Table, event: commands.Rematched, at: int) -> Table:
    return replace(table, next=event.match, offers={})


def _end(table: Table, outcome: Outcome, at: int) -> Table:
    clock = table.clock.run(None, at)
    return replace(table, outcome=outcome, ended_by_players=True, turn=None, clock=clock, offers={})


def _player_id(table: Table, seat: Seat) -> str:
    player = table.players[seat]
    assert player is not None, "offers are made once all seats are taken"
    return player.id


_REASONS: Final[dict[type, str]] = {
    commands.Agreed: "agreement",
    commands.Resigned: "resignation",
    commands.Flagged: "time",
    commands.Claimed: "abandoned",
    commands.Aborted: "aborted",
    commands.Cancelled: "cancelled",
    commands.Stopped: "length",
}
"""The reasons of the ends that the rules do not know."""

_EFFECTS: Final[dict[type, Callable[[Table, Any, int], Table]]] = {
    commands.Joined: _seated,
    commands.Left: _seated,
    commands.Replaced: _replaced,
    commands.Started: _started,
    commands.Acted: _acted,
    commands.Undone: _undone,
    commands.Offered: _offered,
    commands.Accepted: _accepted,
    commands.Declined: _declined,
    commands.Rematched: _rematched,
    commands.Vacation: _vacation,
    **dict.fromkeys(_REASONS, _ended),
}
