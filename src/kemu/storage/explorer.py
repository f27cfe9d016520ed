"""The index of the explorer: what was played in finished matches."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import bindparam, select

from kemu.storage.database import Aggregate, Transaction, transaction
from kemu.storage.schema import explored, explorer, matches
from kemu.storage.statements import Compiler, columns_of, insert_new, lookup, on_rows, plain, whole


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


_UNEXPLORED: Final = plain(
    select(matches.c.id)
    .where(matches.c.status == "finished", matches.c.id.not_in(select(explored.c.match)))
    .order_by(matches.c.id)
    .limit(bindparam("limit"))
)
_MARK: Final = insert_new(explored)


@on_rows(columns_of(explorer))
def _add_tallies(sql: Compiler, given: Any) -> Any:
    """Add to the tallies of actions."""
    inserted = sql.insert(explorer, whole(given))
    more = {name: explorer.c[name] + inserted.excluded[name] for name in ("won", "drawn", "lost")}
    keys = [key.name for key in explorer.primary_key]
    return inserted.on_conflict_do_update(index_elements=keys, set_=more)


_TALLIES: Final = lookup(explorer, "position", "scope", order="action")


class Explorer(Aggregate):
    """The index of finished matches by position."""

    async def unexplored(self, limit: int) -> list[str]:
        """Return the ids of at most `limit` finished matches that are not in the index."""
        return [match for (match,) in await self._database.fetch(_UNEXPLORED, limit=limit)]

    @transaction
    def add_explored(self, match: str, tallies: Sequence[TallyRow]) -> Transaction[bool]:
        """Add a match to the index, each action of each scope once; return False if it is there already."""
        if not (yield _MARK, [(match,)]):
            return False
        if tallies:  # in one order, so processes never wait for each other in a circle
            yield _add_tallies, sorted(astuple(tally) for tally in tallies)
        return True

    async def tallies(self, position: str, scope: str) -> list[TallyRow]:
        """Return what was played from a position, by action."""
        return [TallyRow(*row) for row in await self._database.find(_TALLIES, position, scope)]
