"""All that the jobs know of live matches: the registry and its actors provide these protocols."""

from typing import Protocol

from kemu.play.commands import TableCommand
from kemu.play.table import Table


class LiveMatch(Protocol):
    """One match in memory."""

    @property
    def table(self) -> Table:
        """The newest table that was saved."""

    async def execute(self, command: TableCommand) -> None:
        """Run a command and wait until it is saved; raises KemuError if it is refused."""


class LiveMatches(Protocol):
    """All matches, in memory or in the store."""

    async def find(self, match: str) -> LiveMatch:
        """The match of this id, loaded if need be; raises UnknownMatch."""
