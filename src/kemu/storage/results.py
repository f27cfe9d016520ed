"""Results of players against each other, against people and against bots: statements and methods."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import bindparam, or_, select

from kemu.people.results import BOT_PREFIX, PEOPLE, Result
from kemu.storage.database import Aggregate, Transaction, transaction
from kemu.storage.matches import end_pending
from kemu.storage.schema import results
from kemu.storage.statements import plain, upsert

OFTEN: Final = 20
"""How many rated matches of two people an operator may look at; the index holds no pairs with fewer."""

_COUNTS: Final = ("won", "drawn", "lost", "rated", "together")
_ADD: Final = upsert(results, lambda new: {name: results.c[name] + new[name] for name in _COUNTS})
_GENERAL: Final = plain(
    select(results)
    .where(results.c.player == bindparam("of"))
    .where(or_(results.c.other == PEOPLE, results.c.other.between(BOT_PREFIX, f"{BOT_PREFIX}~")))
    .order_by(results.c.other, results.c.game)
)
_BETWEEN: Final = plain(
    select(results).where(results.c.player == bindparam("of"), results.c.other == bindparam("against"))
)


class Results(Aggregate):
    """How the finished matches of players ended."""

    @transaction
    def add(self, match: str, found: Sequence[Result]) -> Transaction[bool]:
        """Add the results of a pending match; return False if it is not pending."""
        if not (yield from end_pending("count", match)):
            return False
        if found:  # in one order, so processes never wait for each other in a circle
            yield _ADD, sorted(found)
        return True

    async def general(self, player: str) -> list[Result]:
        """Return the results of a player against people and against each bot."""
        return [Result(*row) for row in await self._database.fetch(_GENERAL, of=player)]

    async def between(self, player: str, other: str) -> list[Result]:
        """Return the results of a player against another one, by game."""
        return [Result(*row) for row in await self._database.fetch(_BETWEEN, of=player, against=other)]
