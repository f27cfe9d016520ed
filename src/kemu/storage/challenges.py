"""Challenges, to whom they are, and the matches of standing ones: rows, statements and methods.

A challenge is taken in the transaction that saves its match, by one conditional statement: of any number of servers
only one makes the match.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import BigInteger, and_, bindparam, delete, func, literal_column, select, tuple_, update

from kemu.people.challenges import Challenge, ChallengeLimit, check_room
from kemu.storage.database import Aggregate, Row, Transaction, transaction
from kemu.storage.matches import NO_LIMIT_MS
from kemu.storage.people import apart
from kemu.storage.schema import challenge_matches, challenge_targets, challenges, matches
from kemu.storage.statements import TEXT, Compiler, insert_all, lookup, on_rows, plain

MOST_TARGETS: Final = 1000
"""To how many players one challenge goes at most."""

PRUNED: Final = 500
"""How many rows are deleted, or matches looked at, at once."""


class OpenChallenge(NamedTuple):
    """A challenge that is stored, until when (ms) it is open, and how many matches it can make now."""

    challenge: Challenge
    expires: int
    free: int


class Page(NamedTuple):
    """A part of a list, newest first: what is older than a challenge by time (ms) and id."""

    before: int | None = None
    id: str = ""
    limit: int = 50


FIRST_PAGE: Final = Page()

_COLUMNS: Final = (challenges.c.row, challenges.c.expires, challenges.c.free)
_OPEN: Final = and_(challenges.c.free > 0, challenges.c.expires > bindparam("now"))
_TO_ANYONE: Final = challenges.c.audience == literal_column("'anyone'")  # as the indexes have it
_INSERT: Final = insert_all(challenges)
_INSERT_TARGETS: Final = insert_all(challenge_targets)
_INSERT_MATCHES: Final = insert_all(challenge_matches)
_BY_ID: Final = lookup(challenges, "id")
_COUNT: Final = plain(
    select(func.count())
    .select_from(challenges)
    .where(challenges.c.player == bindparam("of"), challenges.c.expires > bindparam("now"))
)
_SAME: Final = plain(
    select(challenges.c.id)
    .join(challenge_targets, challenge_targets.c.challenge == challenges.c.id)
    .where(challenge_targets.c.player == bindparam("target"), challenges.c.player == bindparam("of"), _OPEN)
    .where(challenges.c.audience == "player")
)
_OF_PLAYER: Final = plain(
    select(*_COLUMNS)
    .where(challenges.c.player == bindparam("of"), challenges.c.expires > bindparam("now"))
    .order_by(challenges.c.created.desc(), challenges.c.id.desc())
)
_TARGETED: Final = plain(
    select(challenge_targets.c.player)
    .where(challenge_targets.c.challenge == bindparam("of"), challenge_targets.c.player == bindparam("player"))
    .limit(1)
)


_APART: Final = apart(bindparam("viewer", type_=TEXT), challenges.c.player)
"""Whether the challenger and the one who looks are kept apart."""


def _older(created: Any, name: Any) -> Any:
    key = tuple_(bindparam("before", type_=BigInteger()), bindparam("after", type_=TEXT))
    return tuple_(created, name) < key


def _anyone(*, one_game: bool) -> Any:
    chosen = select(*_COLUMNS).where(_TO_ANYONE, _OPEN, ~_APART)
    chosen = chosen.where(challenges.c.player != bindparam("viewer"))
    if one_game:
        chosen = chosen.where(challenges.c.game == bindparam("game"))
    chosen = chosen.where(_older(challenges.c.created, challenges.c.id))
    return chosen.order_by(challenges.c.created.desc(), challenges.c.id.desc()).limit(bindparam("limit"))


_ANYONE: Final = {one_game: plain(_anyone(one_game=one_game)) for one_game in (False, True)}
"""By whether they are of one game only."""

_FOR_PLAYER: Final = plain(
    select(*_COLUMNS)
    .join_from(challenge_targets, challenges, challenges.c.id == challenge_targets.c.challenge)
    .where(challenge_targets.c.player == bindparam("viewer"), _OPEN, ~_APART)
    .where(_older(challenge_targets.c.created, challenge_targets.c.challenge))
    .order_by(challenge_targets.c.created.desc(), challenge_targets.c.challenge.desc())
    .limit(bindparam("limit"))
)
_OLDEST: Final = plain(
    select(*_COLUMNS)
    .where(_TO_ANYONE, challenges.c.game == bindparam("game"), _OPEN)
    .where(~_APART, challenges.c.player != bindparam("viewer"))
    .order_by(challenges.c.created, challenges.c.id)
    .limit(bindparam("limit"))
)
_WITHDRAW: Final = plain(
    delete(challenges)
    .where(challenges.c.id == bindparam("of"), challenges.c.player == bindparam("owner"))
    .returning(challenges.c.id)
)
_REFUSE: Final = plain(
    delete(challenge_targets)
    .where(challenge_targets.c.challenge == bindparam("of"), challenge_targets.c.player == bindparam("target"))
    .returning(challenge_targets.c.challenge)
)
_EXPIRED: Final = plain(
    delete(challenges)
    .where(
        challenges.c.id.in_(select(challenges.c.id).where(challenges.c.expires <= bindparam("now")).limit(PRUNED)),
        challenges.c.expires <= bindparam("now"),
    )
    .returning(challenges.c.id)
)
_FREED: Final = plain(
    delete(challenge_matches)
    .where(challenge_matches.c.match == bindparam("of"))
    .returning(challenge_matches.c.challenge)
)
_FREE: Final = plain(
    update(challenges).values(free=challenges.c.free + 1).where(challenges.c.id == bindparam("of")).returning(*_COLUMNS)
)
_ENDED: Final = plain(
    select(challenge_matches.c.match)
    .where(  # no join, which SQLite would begin with all matches
        select(matches.c.status)
        .where(matches.c.id == challenge_matches.c.match)
        .scalar_subquery()
        .in_([literal_column("'finished'"), literal_column("'aborted'")])
    )
    .limit(PRUNED)
)


@on_rows({"challenge": TEXT})
def _delete_targets(sql: Compiler, given: Any) -> Any:
    """Delete to whom challenges are."""
    return delete(challenge_targets).where(challenge_targets.c.challenge.in_(select(given.c.challenge)))


@on_rows({"id": TEXT})
def _lock(sql: Compiler, given: Any) -> Any:
    """Lock challenges until the transaction ends, always in the same order."""
    chosen = select(challenges.c.id).join_from(given, challenges, challenges.c.id == given.c.id)
    return chosen.order_by(challenges.c.id).with_for_update(of=challenges)


@on_rows({"id": TEXT, "at": BigInteger()})
def _take(sql: Compiler, given: Any) -> Any:
    """Take one match of each of some challenges that are open at a time (ms). Gives id and standing of those taken."""
    now = select(func.max(given.c.at)).scalar_subquery()
    taken = update(challenges).values(free=challenges.c.free - 1)
    taken = taken.where(challenges.c.id.in_(select(given.c.id)), challenges.c.free > 0, challenges.c.expires > now)
    return taken.returning(challenges.c.id, challenges.c.standing)


@on_rows({"id": TEXT})
def _delete(sql: Compiler, given: Any) -> Any:
    """Delete challenges."""
    return delete(challenges).where(challenges.c.id.in_(select(given.c.id)))


@on_rows({"player": TEXT, "until": BigInteger(), "created": BigInteger()})
def _renew(sql: Compiler, given: Any) -> Any:
    """Keep the challenges of guests open that were made after a time (ms)."""
    until, since = (select(func.max(given.c[name])).scalar_subquery() for name in ("until", "created"))
    kept = update(challenges).values(expires=until).where(challenges.c.player.in_(select(given.c.player)))
    return kept.where(challenges.c.leased, challenges.c.created > since, challenges.c.expires < until)


class Challenges(Aggregate):
    """Open challenges."""

    @transaction
    def add(self, found: OpenChallenge, targets: Collection[str], *, leased: bool) -> Transaction[None]:
        """Save a new challenge, and to whom it is if not to anyone. Raises ChallengeLimit."""
        challenge, now = found.challenge, found.challenge.created
        ((count,),) = yield _COUNT, {"of": challenge.player, "now": now}
        check_room(count, account=challenge.account)
        if challenge.target is not None:
            same = yield _SAME, {"of": challenge.player, "target": challenge.target, "now": now}
            if same:
                raise ChallengeLimit("You have challenged this player already.")
        text = msgspec.json.encode(challenge).decode()
        kind = (challenge.player, challenge.game, challenge.audience)
        times = (now, found.expires, found.free)
        yield _INSERT, [(challenge.id, *kind, *times, bool(challenge.standing), leased, text)]
        if targets:
            yield _INSERT_TARGETS, [(target, challenge.id, now) for target in sorted(targets)[:MOST_TARGETS]]

    async def find(self, challenge: str, now: int) -> OpenChallenge | None:
        """Return a challenge if it can make a match at a time (ms)."""
        rows = await self._database.find(_BY_ID, challenge)
        names = [column.name for column in challenges.c]
        found = [_open([row[names.index(column.name)] for column in _COLUMNS]) for row in rows]
        return next((each for each in found if each.free > 0 and each.expires > now), None)

    async def is_target(self, challenge: str, player: str) -> bool:
        """Return whether a challenge is to a player, by name or as one who is followed."""
        return bool(await self._database.fetch(_TARGETED, of=challenge, player=player))

    async def of_player(self, player: str, now: int) -> list[OpenChallenge]:
        """Return the challenges of a player, newest first."""
        return [_open(row) for row in await self._database.fetch(_OF_PLAYER, of=player, now=now)]

    async def for_player(self, viewer: str, now: int, page: Page = FIRST_PAGE) -> list[OpenChallenge]:
        """Return the challenges to a player, by name or as one who is followed, newest first."""
        rows = await self._database.fetch(_FOR_PLAYER, viewer=viewer, now=now, **_paged(page))
        return [_open(row) for row in rows]

    async def to_anyone(
        self, viewer: str, now: int, game: str | None = None, page: Page = FIRST_PAGE
    ) -> list[OpenChallenge]:
        """Return the challenges of others to anyone, newest first; of none whom a block keeps from the viewer."""
        arguments = {"viewer": viewer, "now": now, **_paged(page)} | ({} if game is None else {"game": game})
        return [_open(row) for row in await self._database.fetch(_ANYONE[game is not None], **arguments)]

    async def oldest(self, viewer: str, game: str, now: int, limit: int) -> list[OpenChallenge]:
        """Return the oldest challenges of others to anyone in a game, of none whom a block keeps from the viewer."""
        rows = await self._database.fetch(_OLDEST, viewer=viewer, game=game, now=now, limit=limit)
        return [_open(row) for row in rows]

    @transaction
    def withdraw(self, challenge: str, owner: str) -> Transaction[bool]:
        """Delete a challenge of a player; return whether there was one."""
        if not (yield _WITHDRAW, {"of": challenge, "owner": owner}):
            return False
        yield _delete_targets, [(challenge,)]
        return True

    @transaction
    def decline(self, found: Challenge, target: str) -> Transaction[bool]:
        """Take a challenge away from one of those to whom it is; return whether it was to them.

        With it goes a challenge to that player alone.
        """
        if not (yield _REFUSE, {"of": found.id, "target": target}):
            return False
        if found.audience == "player":
            yield _WITHDRAW, {"of": found.id, "owner": found.player}
        return True

    @transaction
    def reopen(self, match: str) -> Transaction[OpenChallenge | None]:
        """Let a standing challenge make another match after the end of one; return it if the match was one of its."""
        freed = yield _FREED, {"of": match}
        found = (yield _FREE, {"of": freed[0][0]}) if freed else ()
        return _open(found[0]) if found else None

    async def ended_matches(self) -> list[str]:
        """Return matches of standing challenges that are over, and whose challenges wait for that."""
        return [match for (match,) in await self._database.fetch(_ENDED)]

    async def renew(self, players: Collection[str], until: int, since: int) -> None:
        """Keep the challenges of guests open until a time (ms), but of those made before another one."""
        if players:
            await self._database.change(_renew, [(player, until, since) for player in sorted(players)])

    @transaction
    def prune(self, now: int) -> Transaction[None]:
        """Delete challenges that have expired, a limited number."""
        expired = yield _EXPIRED, {"now": now}
        if expired:
            yield _delete_targets, [tuple(row) for row in expired]


def take_challenges(taken: Sequence[tuple[str, str, int]]) -> Transaction[set[str]]:
    """Take challenges for matches in this transaction, each given with a match and the time (ms) at which it is made.

    Returns the ids of the matches whose challenges are not all open; then nothing of it may be saved.
    """
    wanted: dict[str, str] = {}
    twice = {match for challenge, match, _ in taken if wanted.setdefault(challenge, match) != match}
    if twice:
        return twice
    yield _lock, [(challenge,) for challenge in sorted(wanted)]
    found = yield _take, [(challenge, at) for challenge, _, at in taken]
    standing = {challenge: bool(stands) for challenge, stands in found}
    missing = {match for challenge, match in wanted.items() if challenge not in standing}
    if missing:
        return missing
    ended = [(challenge,) for challenge in sorted(standing) if not standing[challenge]]
    if ended:
        yield _delete, ended
        yield _delete_targets, ended
    kept = [(match, challenge) for challenge, match in sorted(wanted.items()) if standing[challenge]]
    if kept:
        yield _INSERT_MATCHES, kept
    return set()


def _open(row: Row | list[Any]) -> OpenChallenge:
    text, expires, free = row
    return OpenChallenge(_decode(text), expires, free)


def _paged(page: Page) -> dict[str, Any]:
    return {"before": NO_LIMIT_MS if page.before is None else page.before, "after": page.id, "limit": page.limit}


_decode: Final = msgspec.json.Decoder(Challenge).decode
