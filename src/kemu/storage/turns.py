"""For whom the running matches of players wait, kept beside their seats: statements and methods."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, bindparam, select, update

from kemu.people.turns import Turn
from kemu.storage.database import Aggregate, Transaction, transaction
from kemu.storage.matches import MatchRow, read_row
from kemu.storage.schema import matches, sitters
from kemu.storage.statements import TEXT, Compiler, on_rows, plain

MOST: Final = 500
"""How many running matches of a player are read at most."""


class RunningMatch(NamedTuple):
    """A running match of a player: whether it waits for them, None if that is not known yet, and the deadline (ms)."""

    row: MatchRow
    mine: bool | None
    deadline: int | None


@on_rows({"match": TEXT, "player": TEXT, "deadline": BigInteger()})
def _save_turns(sql: Compiler, given: Any) -> Any:
    """Record for whom matches wait."""
    changed = {"turn": sitters.c.player == given.c.player, "deadline": given.c.deadline}
    return update(sitters).values(changed).where(sitters.c.match == given.c.match)


_RUNNING: Final = plain(
    select(matches.c.row, matches.c.scheduled, sitters.c.turn, sitters.c.deadline)
    .join_from(sitters, matches, sitters.c.match == matches.c.id)
    .where(sitters.c.player == bindparam("of"), sitters.c.running)
    .limit(MOST)
)


_RUNNING_OUT: Final = plain(
    select(matches.c.row, matches.c.scheduled, sitters.c.player, sitters.c.deadline)
    .join_from(sitters, matches, sitters.c.match == matches.c.id)
    .where(sitters.c.running, sitters.c.turn, sitters.c.deadline > bindparam("since"))
    .where(sitters.c.deadline <= bindparam("until"))
    .order_by(sitters.c.deadline)
    .limit(MOST)
)


class RunningOut(NamedTuple):
    """A match that waits for a player, and when (ms) the time of that player is over."""

    row: MatchRow
    player: str
    deadline: int


class MatchTurns(Aggregate):
    """For whom running matches wait."""

    async def running_out(self, since: int, until: int) -> list[RunningOut]:
        """Return some of the matches in which the time of a player is over after `since` and not after `until` (ms)."""
        found = await self._database.fetch(_RUNNING_OUT, since=since, until=until)
        return [RunningOut(read_row(text, scheduled), player, at) for text, scheduled, player, at in found]

    async def running(self, player: str) -> list[RunningMatch]:
        """Return the running matches of a player."""
        found = await self._database.fetch(_RUNNING, of=player)
        return [
            RunningMatch(read_row(text, scheduled), None if turn is None else bool(turn), deadline)
            for text, scheduled, turn, deadline in found
        ]

    @transaction
    def save(self, turns: Mapping[str, Turn]) -> Transaction[None]:
        """Record for whom matches wait, by match."""
        yield from save_turns(turns)


def save_turns(turns: Mapping[str, Turn]) -> Transaction[None]:
    """Record for whom matches wait, by match, in one order."""
    if turns:
        yield _save_turns, [(match, *turns[match]) for match in sorted(turns)]
