"""Players with their tokens and ratings: rows, statements and methods."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import bindparam, delete, func, select, update

from kemu.people.names import skeleton
from kemu.storage.database import Aggregate, Row, Transaction, UniqueViolation, first, transaction
from kemu.storage.errors import NameTaken, PasswordChanged
from kemu.storage.matches import end_pending
from kemu.storage.schema import matches, players, ratings, sitters, tokens
from kemu.storage.statements import (
    TEXT,
    Compiler,
    columns_of,
    insert_all,
    lookup,
    on_rows,
    plain,
    upsert,
    whole,
)

NAME_TAKEN: Final = "Another account has this name, or one that looks like it."
"""The sentence of NameTaken."""

NAMED_AT_ONCE: Final = 500
"""How many accounts of earlier versions get their skeletons in one piece."""

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
_BY_SKELETON: Final = lookup(players, "skeleton")


@on_rows(columns_of(players))
def _save_players(sql: Compiler, given: Any) -> Any:
    """Insert or update players, but change no password. Gives the ids of those saved.

    A login or a skeleton that another player has violates a unique column.
    """
    inserted = sql.insert(players, whole(given))
    changed = {name: inserted.excluded[name] for name in ("name", "login", "password", "skeleton")}
    same = players.c.password.is_(None) | (players.c.password == inserted.excluded.password)
    saved = inserted.on_conflict_do_update(index_elements=["id"], set_=changed, where=same)
    return saved.returning(players.c.id)


_WITHOUT_SKELETON: Final = plain(
    select(players.c.id, players.c.name)
    .where(players.c.login.is_not(None), players.c.skeleton.is_(None), players.c.id > bindparam("after"))
    .order_by(players.c.id)
    .limit(NAMED_AT_ONCE)
)
_SET_SKELETON: Final = plain(
    update(players)
    .values(skeleton=bindparam("shape"))
    .where(players.c.id == bindparam("of"), players.c.skeleton.is_(None))
)

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
    """Return the ratings of players in games, locked until the transaction ends, always in the same order."""
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

    async def account_like(self, name: str) -> PlayerRow | None:
        """Return the account whose name looks like this one."""
        return _player(await self._database.find(_BY_SKELETON, skeleton(name)))

    async def name_accounts(self) -> None:
        """Give accounts of earlier versions their skeletons; of several that look alike the first one has it."""
        after = ""
        while found := await self._database.fetch(_WITHOUT_SKELETON, after=after):
            for player, name in found:
                with suppress(UniqueViolation):
                    await self._database.change(_SET_SKELETON, {"of": player, "shape": skeleton(name)})
            after = found[-1][0]

    async def save_player(self, player: PlayerRow) -> None:
        """Insert or update a player.

        Raises NameTaken if it is an account and another account has such a name, and PasswordChanged if the stored
        player has a password, and not this one.
        """
        login, shape = (player.name.casefold(), skeleton(player.name)) if player.account else (None, None)
        row = player.id, player.name, login, player.password, shape
        try:
            saved = await self._database.change(_save_players, [row])
        except UniqueViolation:
            raise NameTaken(NAME_TAKEN) from None
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

    @transaction
    def rate(self, match: str, rating: Rating | None) -> Transaction[bool]:
        """Rate a pending match, or note that it changes no rating; return False if it is not pending."""
        if not (yield from end_pending("rate", match)):
            return False
        if rating is not None:
            yield from save_ratings([rating])
        return True


def hold_password(player: str, password: str | None) -> Transaction[None]:
    """Continue if a player still has this password, and let nobody change it meanwhile; None continues at once.

    Raises PasswordChanged.
    """
    if password is not None and not (yield _HOLD_PASSWORD, {"player": player, "known": password}):
        raise PasswordChanged(CHANGED)


def save_ratings(rated: Sequence[Rating]) -> Transaction[None]:
    """Save how matches change the ratings, one after the other.

    The players and their ratings are locked in one order, so processes never wait for each other in a circle.
    """
    places = sorted({(player, rating.game) for rating in rated for player in rating.players})
    if not places:
        return
    yield _lock_players, [(player,) for player in sorted({player for player, _ in places})]
    found = yield _lock_ratings, places
    known = {(row.player, row.game): row for row in (RatingRow(*values) for values in found)}
    changed: dict[tuple[str, str], RatingRow] = {}
    for rating in rated:
        before = {player: known[player, rating.game] for player in rating.players if (player, rating.game) in known}
        met = yield from _meetings(rating)
        after = {(row.player, row.game): row for row in rating.update(before, met)}
        known |= after
        changed |= after
    if changed:
        yield _SAVE_RATINGS, [astuple(changed[place]) for place in sorted(changed)]


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
    ((player, name, login, password, _),) = found
    return PlayerRow(player, name, login is not None, password)
