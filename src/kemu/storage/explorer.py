"""The index of the explorer, what was played in finished matches: rows, statements and methods."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from kemu.storage.database import Aggregate, Transaction, transaction
from kemu.storage.matches import end_pending
from kemu.storage.schema import explorer
from kemu.storage.statements import lookup, upsert


class TallyRow(Struct, frozen=True):
    """How often an action was taken in a position, by how the match ended for the player who took it.

    A scope is "public", "bots" or the id of a player; see `kemu.analysis.explorer`.
    """

    scope: str
    position: str
    action: str
    won: int
    drawn: int
    lost: int


_ADD_TALLIES: Final = upsert(
    explorer, lambda new: {name: explorer.c[name] + new[name] for name in ("won", "drawn", "lost")}
)
_TALLIES: Final = lookup(explorer, "position", "scope", order="action")


class Explorer(Aggregate):
    """The index of finished matches by position."""

    @transaction
    def add_explored(self, match: str, tallies: Sequence[TallyRow]) -> Transaction[bool]:
        """Add a pending match to the index, each action of each scope once; return False if it is not pending."""
        if not (yield from end_pending("explore", match)):
            return False
        if tallies:  # in one order, so processes never wait for each other in a circle
            yield _ADD_TALLIES, sorted(astuple(tally) for tally in tallies)
        return True

    async def tallies(self, position: str, scope: str) -> list[TallyRow]:
        """Return what was played from a position, by action."""
        return [TallyRow(*row) for row in await self._database.find(_TALLIES, position, scope)]
