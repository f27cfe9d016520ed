"""A match of people and bots at one terminal, kept in a record file; the plain and the full screen play it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from kemu.core.bot import Bot
from kemu.core.display import TextView
from kemu.core.errors import ParseError
from kemu.core.game import CHANCE, SPECTATOR, AnyGame, Seat
from kemu.games import text
from kemu.play.commands import Accept, Offer, Resign
from kemu.play.events import Entry, What
from kemu.play.local import NO_ID, LocalMatch
from kemu.play.runner import Answer, NoJournal
from kemu.play.table import Table
from kemu.terminal.records import save
from kemu.terminal.words import seat_name, with_log


class RecordFile(NoJournal):
    """A journal that keeps the match as a record in one file, written anew for every entry."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, before: Table, entry: Entry, after: Table, saved: Answer) -> None:
        """Write the record; OptionError if the file cannot be written."""
        self.save(after)
        saved(None)

    def save(self, table: Table) -> None:
        """Write the record of a table, or raise OptionError."""
        save(self.path, table.record())


@dataclass
class TerminalMatch:
    """One match at one terminal; its record is written when it is made and after every entry."""

    local: LocalMatch
    bots: Sequence[Bot | None]  # by seat; None is a person
    file: RecordFile

    def __post_init__(self) -> None:
        self.file.save(self.table)

    @property
    def table(self) -> Table:
        """The match now."""
        return self.local.table

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.table.game

    @cached_property
    def text(self) -> TextView:
        """How the game is shown in text."""
        return text(self.game.key)

    @property
    def people(self) -> list[Seat]:
        """The seats of people."""
        return [seat for seat, bot in enumerate(self.bots) if not bot]

    @property
    def secret(self) -> bool:
        """Whether the people at this terminal may know different things now."""
        views = [self.game.view(self.table.state, seat) for seat in self.people]
        return any(view != views[0] for view in views)

    @property
    def last_viewer(self) -> Seat:
        """Who is shown the end: the only person, or all as spectators."""
        people = self.people
        return people[0] if len(people) == 1 else SPECTATOR

    def name(self, seat: Seat) -> str:
        """What people call whoever sits there, with the bot."""
        name = seat_name(self.text, self.game, seat)
        bot = None if seat == CHANCE else self.bots[seat]
        return f"{name} ({bot.name} bot)" if bot else name

    def view(self, seat: Seat) -> Any:
        """What a seat sees now, with its log."""
        lines = [line for _, line in self.table.log(seat)]
        return with_log(self.game.view(self.table.state, seat), lines)

    def parse(self, typed: str) -> Any:
        """The action that was typed, big or small letters alike; raises ParseError."""
        for action in self.game.actions(self.table.state):
            if self.game.format(action).lower() == typed.lower():
                return action
        try:
            return self.game.parse(typed)
        except ParseError as error:
            raise ParseError(f"{error} Type ? for help.") from None

    def resign(self, seat: Seat) -> None:
        """A seat gives up."""
        self.local.submit(seat, Resign(NO_ID))

    def check_draw(self, seat: Seat) -> None:
        """Raise the reason why this seat cannot offer a draw now."""
        self.local.check(seat, Offer(NO_ID, "draw"))

    def agree(self, seat: Seat, what: What) -> None:
        """An offer of a seat that all other people accept."""
        self.local.submit(seat, Offer(NO_ID, what))
        for other in self.people:
            if what in self.table.offers and other != seat:
                self.local.submit(other, Accept(NO_ID, what))
