"""A match in one process, without a server: for the terminal, arenas, studies and tests."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from kemu.core.bot import Bot
from kemu.core.game import CHANCE, AnyGame, Seat, options
from kemu.core.record import Record, SeatLogs
from kemu.play.commands import Act, AnyCommand, CheckClock, Deal, Entry, Join, SeatCommand, TableCommand
from kemu.play.dealer import Dealer
from kemu.play.decide import TableRules, TableRunner, decide, time_is_up
from kemu.play.runner import Journal, NoJournal
from kemu.play.table import Ply, Table, new_table, resume
from kemu.play.terms import ClockTerms, NoClock, Player, Series, Terms, new_series

NO_ID: Final = ""
"""The id of commands that are never sent twice, as within one process."""

NO_CLOCK: Final = NoClock()


def start(
    game: AnyGame, players: Sequence[Player], dealer: Dealer, series: Series | None = None, clock: ClockTerms = NO_CLOCK
) -> Table:
    """Return a match with a player on every seat, begun and dealt."""
    table = _new(game, series, clock)
    return decide(table, Join(tuple(enumerate(players))), 0, dealer).document


def start_from(game: AnyGame, players: Sequence[Player], record: Record, clock: ClockTerms = NO_CLOCK) -> Table:
    """Return a match of these players that has come to the end of a record; raises KemuError if an action is illegal.

    A record keeps no time, so every seat has its full time again.
    """
    return resume(_new(game, None, clock), tuple(players), record)


def _new(game: AnyGame, series: Series | None, clock: ClockTerms) -> Table:
    series = series or new_series(1, game.seats)
    return new_table(Terms("local", game.key, options(game), "", 0, clock=clock, series=series), game)


def bots_as_players(names: Sequence[str]) -> tuple[Player, ...]:
    """Return players for bots of these names, one for each seat."""
    return tuple(Player(f"bot:{name}", name, "bot") for name in names)


class LocalMatch:
    """Runs a table whose journal answers at once: each call is done when it returns, or raises why it was refused."""

    def __init__(
        self,
        table: Table,
        dealer: Dealer,
        journal: Journal[Table, Entry] | None = None,
        now: Callable[[], int] = lambda: 0,
    ) -> None:
        self._runner = TableRunner(table, TableRules(dealer), journal or NoJournal(), now)
        self._dealer = dealer
        self._now = now
        self._logged: Ply | None = None  # the last action in the logs
        self._logs = SeatLogs(table.game, range(table.game.seats))
        if table.turn == CHANCE:  # a record may end before a card is dealt
            self._submit(Deal())

    @property
    def table(self) -> Table:
        """The match now."""
        return self._runner.document

    def check(self, seat: Seat, command: AnyCommand) -> None:
        """Raise the error that a command would be refused with; nothing is done."""
        decide(self.table, self._for_seat(seat, command), self._now(), self._dealer)

    def submit(self, seat: Seat, command: AnyCommand) -> None:
        """Carry out a command of the player in a seat."""
        self._submit(self._for_seat(seat, command))

    def act(self, action: Any) -> None:
        """Take an action for the seat whose turn it is; the dealer acts after it for as long as it is his turn."""
        table = self.table
        self.submit(table.turn or 0, Act(NO_ID, table.version, table.game.format(action)))

    def act_by(self, bot: Bot) -> None:
        """Take the action that a bot chooses from the view and the log of the seat whose turn it is."""
        self.act(bot.choose(*self.asked()))

    def asked(self) -> tuple[Any, Sequence[str], Sequence[Any]]:
        """Return the input of a bot: the view, the log lines and the actions of the seat whose turn it is."""
        table, seat = self.table, self.table.turn
        assert seat is not None, "somebody is to act"
        game = table.game
        return game.view(table.state, seat), self._current_logs()[seat], game.actions(table.state)

    def _current_logs(self) -> SeatLogs:
        """Return the logs of all seats, in which the actions since the last call are new."""
        table, logged = self.table, self._logged
        new = table.past(logged.number if logged else 0)
        if (new[0].before if new else table.last) is not logged:  # actions were taken back
            self._logs, new = SeatLogs(table.game, range(table.game.seats)), table.past()
        for ply in new:
            self._logs = self._logs.after(ply.state, ply.action)
        self._logged = table.last
        return self._logs

    def remaining(self) -> list[int]:
        """Return the milliseconds that each seat has left now; all nothing if time is not counted."""
        return self.table.clock.remaining(self._now())

    def check_clock(self) -> bool:
        """End the match if the running time is used up; whether it was."""
        if not time_is_up(self.table, self._now()):
            return False
        self._submit(CheckClock())
        return True

    def _submit(self, command: TableCommand) -> None:
        answers: list[Exception | None] = []
        self._runner.submit(command, answers.append)
        assert answers, "the journal answers at once"
        if answers[0] is not None:
            raise answers[0]

    def _for_seat(self, seat: Seat, command: AnyCommand) -> SeatCommand:
        player = self.table.players[seat]
        assert player is not None, "every seat is taken"
        return SeatCommand(seat, player.id, command)
