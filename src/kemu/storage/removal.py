"""Removal of players: what is theirs is deleted, and their names go from the matches of others."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Table, bindparam, delete, or_, select, update

from kemu.people.names import DELETED
from kemu.storage.database import Aggregate, Transaction, transaction
from kemu.storage.matches import MatchRow, read_row
from kemu.storage.players import hold_password
from kemu.storage.ratings import delete_ratings
from kemu.storage.schema import (
    bans,
    challenge_targets,
    challenges,
    entries,
    feeds,
    lessons,
    matches,
    notices,
    plans,
    players,
    profiles,
    push_subscriptions,
    puzzle_answers,
    puzzle_standings,
    relations,
    removals,
    reports,
    results,
    sessions,
    sitters,
    studies,
    vacations,
)
from kemu.storage.sessions import end_credentials
from kemu.storage.statements import Statement, plain, upsert

AT_ONCE: Final = 50
"""How many matches, or players, are looked at in one piece."""


class UnusedPlayers(NamedTuple):
    """Guests who will not come back, among some players by id; `last` is the last of these, empty after the end."""

    players: Sequence[str]
    last: str


def _of(table: Table, column: str = "player") -> Statement:
    return plain(delete(table).where(table.c[column] == bindparam("of")))


_DELETE: Final = {
    str(table.name): _of(table)
    for table in (
        *(profiles, relations, results, notices, vacations),
        *(puzzle_answers, puzzle_standings, challenge_targets, challenges, bans, reports),
        *(lessons, push_subscriptions, feeds),
    )
}
_DELETE_OTHERS: Final = {"relations": _of(relations, "other"), "reports": _of(reports, "reporter")}
_DELETE_PLAYER: Final = _of(players, "id")
_BEGIN: Final = upsert(removals)
_END: Final = _of(removals)
_WAITING: Final = plain(
    select(removals.c.player)
    .where(removals.c.player > bindparam("after"))
    .order_by(removals.c.player)
    .limit(bindparam("limit"))
)
_NEXT: Final = plain(
    select(matches.c.row, matches.c.scheduled)
    .join_from(sitters, matches, sitters.c.match == matches.c.id)
    .where(sitters.c.player == bindparam("of"), sitters.c.match > bindparam("after"))
    .order_by(sitters.c.match)
    .limit(bindparam("limit"))
)
_ROW: Final = plain(select(matches.c.row).where(matches.c.id == bindparam("of")).with_for_update())
_SET_ROW: Final = plain(update(matches).values({"row": bindparam("new")}).where(matches.c.id == bindparam("of")))
_ENTRIES: Final = plain(select(entries.c.version, entries.c.entry).where(entries.c.match == bindparam("of")))
_SET_ENTRY: Final = plain(
    update(entries)
    .values({"entry": bindparam("new")})
    .where(entries.c.match == bindparam("of"), entries.c.version == bindparam("at"))
)
_LEAVE: Final = {
    "sitters": plain(delete(sitters).where(sitters.c.match == bindparam("of"), sitters.c.player == bindparam("by"))),
    "plans": plain(delete(plans).where(plans.c.match == bindparam("of"), plans.c.player == bindparam("by"))),
}
_PIECE: Final = plain(
    select(players.c.id, players.c.login)
    .where(players.c.id > bindparam("after"))
    .order_by(players.c.id)
    .limit(bindparam("limit"))
)
_LATELY: Final = plain(
    select(sessions.c.id)
    .where(sessions.c.player == bindparam("of"))
    .where(or_(sessions.c.used >= bindparam("since"), sessions.c.created >= bindparam("since")))
    .limit(1)
)
_PLAYED: Final = plain(
    select(sitters.c.match).where(sitters.c.player == bindparam("of"), sitters.c.created >= bindparam("since")).limit(1)
)
_STUDIES: Final = plain(select(studies.c.id).where(studies.c.owner == bindparam("of")).limit(1))


class Removals(Aggregate):
    """Removes players piece by piece; a player is waiting from the first piece to the last."""

    @transaction
    def begin(self, player: str, now: int, password: str | None = None) -> Transaction[list[str]]:
        """Delete a player and what is theirs alone; return the sessions and tokens that have ended.

        Their matches wait for the other methods. Raises PasswordChanged unless the player has this password, if given.
        """
        yield from hold_password(player, password)
        ended = yield from end_credentials(player)
        yield _BEGIN, [(player, now)]
        yield from _delete_all(player)
        yield _DELETE_PLAYER, {"of": player}
        return ended

    @transaction
    def end(self, player: str) -> Transaction[None]:
        """Note that nothing of a player is left, with what their last matches have added meanwhile."""
        yield from _delete_all(player)
        yield _END, {"of": player}

    async def waiting(self, limit: int = AT_ONCE) -> list[str]:
        """Return players whose names are still in some matches."""
        return [player for (player,) in await self._database.fetch(_WAITING, after="", limit=limit)]

    async def matches(self, player: str, after: str = "", limit: int = AT_ONCE) -> list[MatchRow]:
        """Return matches at which a player sits, by id, after one of them."""
        found = await self._database.fetch(_NEXT, of=player, after=after, limit=limit)
        return [read_row(text, scheduled) for text, scheduled in found]

    @transaction
    def forget(self, match: str, player: str) -> Transaction[None]:
        """Take the name of a player, and that they sat there, from a match that is over."""

        def rename(document: dict[str, Any]) -> bool:
            return _rename(document["players"], player)

        def rename_in_events(document: dict[str, Any]) -> bool:
            return _rename([event.get("player") for event in document["events"]], player)

        for (text,) in (yield _ROW, {"of": match}):
            if new := _changed(text, rename):
                yield _SET_ROW, {"of": match, "new": new}
        for version, text in (yield _ENTRIES, {"of": match}):
            if player in text and (new := _changed(text, rename_in_events)):
                yield _SET_ENTRY, {"of": match, "at": version, "new": new}
        for statement in _LEAVE.values():
            yield statement, {"of": match, "by": player}

    @transaction
    def unused(self, since: int, after: str = "", limit: int = AT_ONCE) -> Transaction[UnusedPlayers]:
        """Return the guests among some players, after an id, who were not here and began no match since a time (ms).

        Those who own studies stay, which others may read.
        """
        found = yield _PIECE, {"after": after, "limit": limit}
        chosen = []
        for player, login in found:
            if login is None and not (yield from _is_kept(player, since)):
                chosen.append(str(player))
        return UnusedPlayers(chosen, str(found[-1][0]) if len(found) == limit else "")


def _is_kept(guest: str, since: int) -> Transaction[bool]:
    """Return whether a guest was here or played lately, or owns studies."""
    for statement in (_LATELY, _PLAYED):
        if (yield statement, {"of": guest, "since": since}):
            return True
    return bool((yield _STUDIES, {"of": guest}))


def _delete_all(player: str) -> Transaction[None]:
    yield from delete_ratings(player)
    for statement in (*_DELETE.values(), *_DELETE_OTHERS.values()):
        yield statement, {"of": player}


def _changed(text: str, change: Callable[[dict[str, Any]], bool]) -> str | None:
    """Return a document after a change; None if it stays as it is."""
    document = msgspec.json.decode(text)
    return msgspec.json.encode(document).decode() if change(document) else None


def _rename(found: Sequence[dict[str, Any] | None], player: str) -> bool:
    mine = [each for each in found if each is not None and each["id"] == player]
    for each in mine:
        each["name"] = DELETED
    return bool(mine)
