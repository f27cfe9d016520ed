"""Players with their tokens, ratings, sessions, passwords and recovery codes: rows, statements and methods."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import BindParameter, bindparam, delete, func, select, update

from kemu.storage.database import Aggregate, Row, Transaction, UniqueViolation, first, transaction
from kemu.storage.errors import NameTaken, PasswordChanged
from kemu.storage.schema import matches, players, rated, ratings, recovery_codes, sessions, sitters, tokens
from kemu.storage.statements import (
    TEXT,
    Compiler,
    columns_of,
    insert_all,
    insert_new,
    lookup,
    on_rows,
    plain,
    upsert,
    whole,
)

BEST: Final = 100
"""How many ratings are read at most."""

CHANGED: Final = "The password has been changed; sign in again."
"""The sentence of PasswordChanged."""


class PlayerRow(Struct, frozen=True):
    """A player: a guest, or an account with a password."""

    id: str
    name: str
    account: bool = False
    password: str | None = None


class TokenRow(Struct, frozen=True):
    """An access token of a player, stored as the digest of its secret."""

    id: str
    player: str
    label: str
    digest: str
    scope: str = "play"


class RatingRow(Struct, frozen=True):
    """A player's rating in one game: openskill's mean and standard deviation, and the number of rated matches."""

    player: str
    game: str
    mu: float
    sigma: float
    matches: int


RatingUpdate: TypeAlias = Callable[[dict[str, RatingRow], int], list[RatingRow]]
"""Computes new ratings from the stored ones, by player, and from how often two people met lately.

It may run in another thread and must be pure.
"""


class Rating(NamedTuple):
    """How a finished match changes the ratings of its players in its game.

    Of two people in `pair`, the rated matches made since `since` (ms) are counted.
    """

    game: str
    players: Sequence[str]
    update: RatingUpdate
    pair: Sequence[str] = ()
    since: int = 0


_BY_ID: Final = lookup(players, "id")
_BY_LOGIN: Final = lookup(players, "login")


@on_rows(columns_of(players))
def _save_players(sql: Compiler, given: Any) -> Any:
    """Insert or update players, but change no password. Gives the ids of those saved.

    A login that another player has violates a unique column.
    """
    inserted = sql.insert(players, whole(given))
    changed = {name: inserted.excluded[name] for name in ("name", "login", "password")}
    same = players.c.password.is_(None) | (players.c.password == inserted.excluded.password)
    saved = inserted.on_conflict_do_update(index_elements=["id"], set_=changed, where=same)
    return saved.returning(players.c.id)


_HOLD_PASSWORD: Final = plain(
    update(players)
    .values(password=players.c.password)
    .where(players.c.id == bindparam("player"), players.c.password == bindparam("known"))
    .returning(players.c.id)
)

_TOKENS_BY_ID: Final = lookup(tokens, "id")
_TOKENS_BY_PLAYER: Final = lookup(tokens, "player")
_INSERT_TOKENS: Final = insert_all(tokens)
_DELETE_TOKEN: Final = plain(
    delete(tokens)
    .where(tokens.c.id == bindparam("token"), tokens.c.player == bindparam("owner"))
    .returning(tokens.c.id)
)


_BEST: Final = select(ratings).order_by(ratings.c.mu.desc()).limit(BEST)
_RATINGS_OF_PLAYER: Final = plain(_BEST.where(ratings.c.player == bindparam("of")))
_RATINGS_OF_GAME: Final = plain(_BEST.where(ratings.c.game == bindparam("of")))
_MARK_RATED: Final = insert_new(rated)
_SAVE_RATINGS: Final = upsert(ratings)


_FIRST, _SECOND = sitters.alias("one"), sitters.alias("two")
_MEETINGS: Final = plain(
    select(func.count())
    .select_from(_FIRST)
    .join(_SECOND, _SECOND.c.match == _FIRST.c.match)
    .join(matches, matches.c.id == _FIRST.c.match)
    .where(_FIRST.c.player == bindparam("one"), _SECOND.c.player == bindparam("other"))
    .where(matches.c.game == bindparam("game"), matches.c.created >= bindparam("since"))
    .where(matches.c.rated, matches.c.status == "finished")
)


@on_rows({"id": TEXT})
def _lock_players(sql: Compiler, given: Any) -> Any:
    """Lock players until the transaction ends, always in the same order."""
    chosen = select(players.c.id).join_from(given, players, players.c.id == given.c.id).order_by(players.c.id)
    return chosen.with_for_update(of=players)


@on_rows({"player": TEXT, "game": TEXT})
def _lock_ratings(sql: Compiler, given: Any) -> Any:
    """The ratings of players in games, locked until the transaction ends, always in the same order."""
    wanted = (ratings.c.player == given.c.player) & (ratings.c.game == given.c.game)
    chosen = select(ratings).join_from(given, ratings, wanted).order_by(ratings.c.player, ratings.c.game)
    return chosen.with_for_update(of=ratings)


class Players(Aggregate):
    """Players, their tokens and their ratings."""

    async def player(self, player: str) -> PlayerRow | None:
        """Return a player by id."""
        return _player(await self._database.find(_BY_ID, player))

    async def account(self, name: str) -> PlayerRow | None:
        """Return an account by name, without regard to case."""
        return _player(await self._database.find(_BY_LOGIN, name.casefold()))

    async def save_player(self, player: PlayerRow) -> None:
        """Insert or update a player.

        Raises NameTaken if it is an account and another account has the name, and PasswordChanged if the stored player
        has a password, and not this one.
        """
        login = player.name.casefold() if player.account else None
        try:
            saved = await self._database.change(_save_players, [(player.id, player.name, login, player.password)])
        except UniqueViolation:
            raise NameTaken("Another account has this name.") from None
        if not saved:
            raise PasswordChanged(CHANGED)

    @transaction
    def add_token(self, token: TokenRow, password: str | None = None) -> Transaction[None]:
        """Insert a token of a known player. Raises PasswordChanged unless the player has this password, if given."""
        yield from hold_password(token.player, password)
        yield _INSERT_TOKENS, [astuple(token)]

    async def token(self, token: str) -> TokenRow | None:
        """Return a token by id."""
        return first(TokenRow, await self._database.find(_TOKENS_BY_ID, token))

    async def tokens(self, player: str) -> list[TokenRow]:
        """Return the tokens of a player, by id."""
        return [TokenRow(*found) for found in await self._database.find(_TOKENS_BY_PLAYER, player)]

    async def delete_token(self, player: str, token: str) -> bool:
        """Delete a token if it belongs to this player; return whether it did."""
        return bool(await self._database.change(_DELETE_TOKEN, {"token": token, "owner": player}))

    async def ratings(self, player: str) -> list[RatingRow]:
        """Return the ratings of a player or bot, the best first."""
        return [RatingRow(*row) for row in await self._database.fetch(_RATINGS_OF_PLAYER, of=player)]

    async def best_ratings(self, game: str) -> list[RatingRow]:
        """Return the hundred best ratings of a game."""
        return [RatingRow(*row) for row in await self._database.fetch(_RATINGS_OF_GAME, of=game)]

    async def rate(self, match: str, rating: Rating) -> bool:
        """Rate a match that ended before ratings were saved with the end; return False if it was rated before."""
        return bool(await self._database.transact(save_ratings({match: rating})))


def hold_password(player: str, password: str | None) -> Transaction[None]:
    """Continue if a player still has this password, and let nobody change it meanwhile; None continues at once.

    Raises PasswordChanged.
    """
    if password is not None and not (yield _HOLD_PASSWORD, {"player": player, "known": password}):
        raise PasswordChanged(CHANGED)


def save_ratings(rated: Mapping[str, Rating]) -> Transaction[int]:
    """Save how matches, by id, change the ratings; those that were rated before change none. Return how many did.

    The players and their ratings are locked in one order, so processes never wait for each other in a circle.
    """
    new: list[Rating] = []
    for match, rating in sorted(rated.items()):
        if (yield _MARK_RATED, [(match,)]):
            new.append(rating)
    places = sorted({(player, rating.game) for rating in new for player in rating.players})
    if not places:
        return len(new)
    yield _lock_players, [(player,) for player in sorted({player for player, _ in places})]
    found = yield _lock_ratings, places
    known = {(row.player, row.game): row for row in (RatingRow(*values) for values in found)}
    changed: dict[tuple[str, str], RatingRow] = {}
    for rating in new:
        before = {player: known[player, rating.game] for player in rating.players if (player, rating.game) in known}
        met = yield from _meetings(rating)
        after = {(row.player, row.game): row for row in rating.update(before, met)}
        known |= after
        changed |= after
    if changed:
        yield _SAVE_RATINGS, [astuple(changed[place]) for place in sorted(changed)]
    return len(new)


def _meetings(rating: Rating) -> Transaction[int]:
    """Return how many finished rated matches of its game the two people of a rating have played lately."""
    if len(rating.pair) != 2:
        return 0
    one, other = rating.pair
    ((met,),) = yield _MEETINGS, {"one": one, "other": other, "game": rating.game, "since": rating.since}
    return int(met)


def _player(found: Sequence[Row]) -> PlayerRow | None:
    if not found:
        return None
    ((player, name, login, password),) = found
    return PlayerRow(player, name, login is not None, password)


class SessionRow(Struct, frozen=True):
    """A session of a player on one device, stored as the digest of its secret; times are in ms.

    `used` is 0 until the device has sent the session back.
    """

    id: str
    player: str
    digest: str
    device: str
    created: int
    used: int = 0


_OWNER: Final[BindParameter[str]] = bindparam("owner")
_THIS_SESSION: Final = sessions.c.id == bindparam("session")
_THIS_CODE: Final = (recovery_codes.c.player == _OWNER) & (recovery_codes.c.digest == bindparam("code"))
_IDLE: Final = (sessions.c.used < bindparam("unknown")) & (sessions.c.created < bindparam("unknown"))
_UNUSED: Final = (sessions.c.used < bindparam("unused")) & (sessions.c.created < bindparam("unused"))

_INSERT_SESSIONS: Final = insert_all(sessions)
_SESSIONS_BY_ID: Final = lookup(sessions, "id")
_SESSIONS_BY_PLAYER: Final = lookup(sessions, "player")
_TOUCH_SESSION: Final = plain(update(sessions).values(used=bindparam("at")).where(_THIS_SESSION))
_ROTATE_SESSION: Final = plain(
    update(sessions).values(digest=bindparam("secret")).where(_THIS_SESSION).returning(sessions.c.id)
)
_DELETE_SESSION: Final = plain(
    delete(sessions).where(_THIS_SESSION, sessions.c.player == _OWNER).returning(sessions.c.id)
)
_DELETE_OTHERS: Final = plain(
    delete(sessions).where(sessions.c.player == _OWNER, sessions.c.id != bindparam("but")).returning(sessions.c.id)
)
_PRUNE_SESSIONS: Final = plain(
    delete(sessions).where(_UNUSED | (_IDLE & sessions.c.player.not_in(select(players.c.id))))
)
_SET_PASSWORD: Final = plain(update(players).values(password=bindparam("secret")).where(players.c.id == _OWNER))
_DELETE_TOKENS: Final = plain(delete(tokens).where(tokens.c.player == _OWNER).returning(tokens.c.id))
_INSERT_CODES: Final = insert_all(recovery_codes)
_CODE: Final = plain(select(recovery_codes.c.digest).where(_THIS_CODE))
_COUNT_CODES: Final = plain(select(func.count()).select_from(recovery_codes).where(recovery_codes.c.player == _OWNER))
_DELETE_CODE: Final = plain(delete(recovery_codes).where(_THIS_CODE).returning(recovery_codes.c.digest))
_DELETE_CODES: Final = plain(delete(recovery_codes).where(recovery_codes.c.player == _OWNER))


class Sessions(Aggregate):
    """Sessions, passwords and recovery codes of players."""

    @transaction
    def add_session(self, session: SessionRow, password: str | None = None) -> Transaction[None]:
        """Insert a session. Raises PasswordChanged unless the player has this password, if it is given."""
        yield from hold_password(session.player, password)
        yield _INSERT_SESSIONS, [astuple(session)]

    async def session(self, session: str) -> SessionRow | None:
        """Return a session by id."""
        return first(SessionRow, await self._database.find(_SESSIONS_BY_ID, session))

    async def sessions(self, player: str) -> list[SessionRow]:
        """Return the sessions of a player, by id."""
        return [SessionRow(*row) for row in await self._database.find(_SESSIONS_BY_PLAYER, player)]

    async def touch_session(self, session: str, used: int) -> None:
        """Record when (ms) a session was used."""
        await self._database.change(_TOUCH_SESSION, {"session": session, "at": used})

    async def rotate_session(self, session: str, digest: str) -> bool:
        """Give a session another secret; return False if there is no such session."""
        return bool(await self._database.change(_ROTATE_SESSION, {"session": session, "secret": digest}))

    async def delete_session(self, player: str, session: str) -> bool:
        """Delete a session if it belongs to this player; return whether it did."""
        return bool(await self._database.change(_DELETE_SESSION, {"session": session, "owner": player}))

    @transaction
    def delete_sessions(self, player: str, but: str = "") -> Transaction[list[str]]:
        """Delete all sessions of a player but one, and return the ids of those deleted."""
        return (yield from _end(player, but))

    async def prune_sessions(self, unused_since: int, unknown_since: int) -> None:
        """Delete sessions last used before a time (ms), of players who are not stored before another time."""
        await self._database.change(_PRUNE_SESSIONS, {"unused": unused_since, "unknown": unknown_since})

    @transaction
    def change_password(self, player: PlayerRow, password: str, but: str = "") -> Transaction[list[str]]:
        """Set a new password and delete all sessions but one; return the ids of those deleted.

        Raises PasswordChanged if the password is not that of `player` any more.
        """
        yield from hold_password(player.id, player.password)
        yield _SET_PASSWORD, {"owner": player.id, "secret": password}
        return (yield from _end(player.id, but))

    @transaction
    def recover(self, player: PlayerRow, code: str) -> Transaction[list[str] | None]:
        """Spend a recovery code, set the password of `player`, and delete all their sessions and tokens.

        Returns the ids of what was deleted; None, and nothing is changed, if the player has no code of this digest.
        """
        if not (yield _DELETE_CODE, {"owner": player.id, "code": code}):
            return None
        yield _SET_PASSWORD, {"owner": player.id, "secret": player.password}
        ended = yield from _end(player.id, "")
        deleted = yield _DELETE_TOKENS, {"owner": player.id}
        return [*ended, *(token for (token,) in deleted)]

    @transaction
    def set_codes(self, player: PlayerRow, digests: Sequence[str]) -> Transaction[None]:
        """Replace the recovery codes of a player. Raises PasswordChanged if the password is another one by now."""
        yield from hold_password(player.id, player.password)
        yield _DELETE_CODES, {"owner": player.id}
        yield _INSERT_CODES, [(player.id, digest) for digest in digests]

    async def has_code(self, player: str, digest: str) -> bool:
        """Return whether a player has a recovery code of this digest."""
        return bool(await self._database.fetch(_CODE, owner=player, code=digest))

    async def count_codes(self, player: str) -> int:
        """Return how many recovery codes a player has left."""
        return int((await self._database.fetch(_COUNT_CODES, owner=player))[0][0])


def _end(player: str, but: str) -> Transaction[list[str]]:
    ended = yield _DELETE_OTHERS, {"owner": player, "but": but}
    return [session for (session,) in ended]
