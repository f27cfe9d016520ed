"""Live matches as the jobs know them: the registry and its actors provide these protocols."""

from typing import Protocol

from kemu.play.clock import NoClock
from kemu.play.commands import TableCommand
from kemu.play.table import Table


def is_scheduled(table: Table) -> bool:
    """Whether a process must own a match because something in it is due without a command: a clock or a bot."""
    if table.status != "running":
        return False
    return type(table.terms.clock) is not NoClock or any(player and player.kind == "bot" for player in table.players)


class LiveMatch(Protocol):
    """One match in memory."""

    @property
    def table(self) -> Table:
        """The newest table that was saved."""

    async def current(self) -> Table:
        """Return the table after all commands and entries so far."""

    async def execute(self, command: TableCommand) -> None:
        """Run a command and wait until it is saved; raises KemuError if it is refused."""


class LiveMatches(Protocol):
    """All matches, in memory or in the store."""

    async def find(self, match: str) -> LiveMatch:
        """Return the match of this id, loaded if need be; raises UnknownMatch."""


class OwnedMatches(LiveMatches, Protocol):
    """All matches, and those that this process looks after."""

    def keep_alive(self, now: int) -> None:
        """Tell the other processes that this one is alive, and note which of them are silent."""

    def take_over(self, match: str) -> None:
        """Look after a match whose process is dead."""
