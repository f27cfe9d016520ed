"""Notices of players: rows, statements and methods."""

from typing import Final

import msgspec
from msgspec.structs import asdict
from sqlalchemy import bindparam, delete, select, tuple_, update

from kemu.people.notices import Notice, SavedNotice, alerts
from kemu.storage.database import Aggregate, Row, Transaction, transaction
from kemu.storage.schema import notices
from kemu.storage.statements import insert_new, plain

LATEST: Final = 30
"""How many notices are read at most."""

MOST_KEPT: Final = 100
"""How many notices of a player are kept at most, or others could fill the database with theirs."""

PRUNED: Final = 1000
"""How many notices are deleted at once."""

_OF_SUBJECT: Final = (notices.c.player == bindparam("of")) & (notices.c.about == bindparam("subject"))

_INSERT: Final = insert_new(notices)
_LOCK: Final = plain(select(notices.c.notice, notices.c.at, notices.c.seen).where(_OF_SUBJECT).with_for_update())
_REPLACE: Final = plain(
    update(notices).values(at=bindparam("told"), seen=False, notice=bindparam("text")).where(_OF_SUBJECT)
)
_NEWEST: Final = plain(
    select(notices.c.notice, notices.c.at, notices.c.seen)
    .where(notices.c.player == bindparam("of"))
    .order_by(notices.c.at.desc())
    .limit(LATEST)
)
_FIRST_DROPPED: Final = plain(
    select(notices.c.at)
    .where(notices.c.player == bindparam("of"))
    .order_by(notices.c.at.desc())
    .limit(1)
    .offset(MOST_KEPT)
)
_DROP: Final = plain(delete(notices).where(notices.c.player == bindparam("of"), notices.c.at <= bindparam("until")))
_SEE_ONE: Final = plain(
    update(notices).values(seen=True).where(_OF_SUBJECT, ~notices.c.seen).returning(notices.c.about)
)
_SEE_ALL: Final = plain(
    update(notices)
    .values(seen=True)
    .where(notices.c.player == bindparam("of"), notices.c.at <= bindparam("until"), ~notices.c.seen)
    .returning(notices.c.about)
)
_KEY: Final = tuple_(notices.c.player, notices.c.about)
_OLDEST: Final = select(notices.c.player, notices.c.about).order_by(notices.c.at).limit(PRUNED)
_PRUNE: Final = plain(delete(notices).where(_KEY.in_(_OLDEST.where(notices.c.at < bindparam("before")))))


class Notices(Aggregate):
    """What players were told, by player and subject."""

    @transaction
    def tell(self, player: str, notice: Notice, at: int) -> Transaction[bool]:
        """Save a notice in place of the last one about its subject; return whether it alerts the player.

        The oldest ones of the player give way to a new one.
        """
        text = msgspec.json.encode(notice).decode()
        if (yield _INSERT, [(player, notice.about, at, False, text)]):
            for (last,) in (yield _FIRST_DROPPED, {"of": player}):
                yield _DROP, {"of": player, "until": last}
            return True
        found = yield _LOCK, {"of": player, "subject": notice.about}
        yield _REPLACE, {"of": player, "subject": notice.about, "told": at, "text": text}
        return alerts(notice, _saved_notice(found[0]) if found else None)

    async def latest(self, player: str) -> list[SavedNotice]:
        """Return the newest notices of a player, the newest first."""
        return [_saved_notice(row) for row in await self._database.fetch(_NEWEST, of=player)]

    async def see(self, player: str, about: str) -> bool:
        """Note that a player has seen the notice about a subject; return whether there was an unseen one."""
        return bool(await self._database.change(_SEE_ONE, {"of": player, "subject": about}))

    async def see_all(self, player: str, until: int) -> bool:
        """Note that a player has seen all notices up to a time (ms); return whether there were unseen ones."""
        return bool(await self._database.change(_SEE_ALL, {"of": player, "until": until}))

    async def prune_notices(self, before: int) -> None:
        """Delete the oldest notices, a limited number, of before a time (ms)."""
        await self._database.change(_PRUNE, {"before": before})


def _saved_notice(row: Row) -> SavedNotice:
    text, at, seen = row
    return SavedNotice(**asdict(msgspec.json.decode(text, type=Notice)), at=at, seen=bool(seen))
