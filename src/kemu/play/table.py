"""The table: a match as a frozen value, from its open seats to its outcome.

A table knows nothing of sockets, stores or time. `decide` says what a command changes, `evolve` gives the next table,
and whoever runs the match keeps a reference to the newest one.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from kemu.core.game import AnyGame, Outcome, Seat, options
from kemu.core.record import Record
from kemu.play.clock import Clock, new_clock
from kemu.play.events import What
from kemu.play.terms import Player, Series, Terms

Status: TypeAlias = Literal["open", "running", "finished", "aborted"]

Following: TypeAlias = Callable[[AnyGame, Any, Outcome], tuple[AnyGame, tuple[Seat, ...]]]
"""From a game, its last state and its outcome to the next game of a series, and for each seat the seat before."""

STAND_IN: Final = Player("bot:random", "random", "bot")
"""Who plays on for somebody who left, and for a bot that failed."""


class Ply(Struct, frozen=True, eq=False):
    """One action that was taken, linked to the one before it: a table shares its past with the tables before it."""

    before: "Ply | None"
    state: Any  # in which the action was taken
    actor: Seat
    action: Any
    number: int  # from 1

    def __eq__(self, other: object) -> bool:
        """Whether two pasts are the same; a loop, because they may be longer than the stack is deep."""
        mine: Ply | None = self
        theirs: Ply | None = other if isinstance(other, Ply) else None
        while mine is not theirs:
            if mine is None or theirs is None or mine._step() != theirs._step():
                return False
            mine, theirs = mine.before, theirs.before
        return True

    def __ne__(self, other: object) -> bool:
        """The opposite; a Struct does not derive it."""
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
    next: str | None = None  # the match that follows

    @property
    def status(self) -> Status:
        """How far the match is."""
        if self.outcome is not None:
            return "aborted" if self.outcome.reason == "aborted" else "finished"
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

        A bot is charged for the time it thought when it acts, so that it never loses by waiting for its turn to think.
        """
        running = self.clock.running
        player = None if running is None else self.players[running]
        return None if player is None or player.kind == "bot" else self.clock.deadline

    def seats(self, player: str) -> list[Seat]:
        """The seats of a player, by id."""
        return [seat for seat, sitter in enumerate(self.players) if sitter is not None and sitter.id == player]

    def past(self, start: int = 0) -> list[Ply]:
        """The actions from number `start` + 1 on, oldest first."""
        return list(_back_to(self.last, start))[::-1]

    def log(self, seat: Seat, start: int = 0) -> list[tuple[Seat, str]]:
        """From action `start` + 1 on, who acted and what this seat may know of it."""
        return [(ply.actor, self.game.seen(ply.state, ply.action, seat)) for ply in self.past(start)]

    def record(self) -> Record:
        """The whole record: only for those who may see everything."""
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
    """A match before its first entry: every seat is open."""
    return Table(terms, game, (None,) * game.seats, new_clock(terms.clock, game.seats), game.initial())


def next_match(table: Table, match: str, following: Following, now: int) -> tuple[Table, tuple[Player, ...]]:
    """The table of the match that follows this one under the id `match`, still empty, and who will sit where.

    `following` is the game's own rule for a series. A decided series is followed by a new one of the same length.
    """
    outcome, terms = table.outcome, table.terms
    assert outcome is not None, "rematches follow matches that are over"
    game, came_from = following(table.game, table.state, outcome)
    series = Series(terms.series.to, wins=(0,) * len(came_from)) if table.series.decided else table.series
    new_terms = Terms(
        id=match,
        game=game.key,
        options=options(game),
        host=terms.host,
        created=now,
        clock=terms.clock,
        public=terms.public,
        rated=terms.rated,
        series=Series(series.to, series.game, tuple(series.wins[seat] for seat in came_from)),
        previous=terms.id,
    )
    players = (table.players[seat] for seat in came_from)
    return new_table(new_terms, game), tuple(player for player in players if player is not None)
