"""Ratings of players, how they went, and how matches change them: rows, statements and methods."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec.structs import astuple
from sqlalchemy import and_, bindparam, func, literal_column, select
from sqlalchemy.sql import ColumnElement

from kemu.people.pace import Pace
from kemu.people.ratings import GameRating
from kemu.play.terms import DAY_MS
from kemu.storage.database import Aggregate, Transaction, transaction
from kemu.storage.matches import end_pending
from kemu.storage.people import is_pupil
from kemu.storage.schema import matches, players, rating_changes, rating_days, ratings, sitters
from kemu.storage.statements import TEXT, Compiler, insert_new, lookup, on_rows, plain, upsert

RatingUpdate: TypeAlias = Callable[[dict[str, GameRating], int], list[GameRating]]
"""Computes new ratings from the stored ones, by player, and from how often two people met lately.

It may run in another thread and must be pure.
"""


class RatedMatch(NamedTuple):
    """How a finished match changes the ratings of its people in its game, at its pace.

    Of two people in `pair`, the rated matches made since `since` (ms) are counted.
    """

    match: str
    game: str
    pace: Pace
    players: Sequence[str]
    update: RatingUpdate
    pair: Sequence[str] = ()
    since: int = 0


class RatingChange(NamedTuple):
    """The rating of a player after a match, its deviation, and by how many points the match moved it."""

    match: str
    player: str
    rating: float
    deviation: float
    change: float


class RatingDay(NamedTuple):
    """The rating of a player and its deviation at the end of a day, counted from 1970."""

    game: str
    pace: Pace
    day: int
    rating: float
    deviation: float


class Ranked(NamedTuple):
    """A player among the best of a game, with the name of today."""

    standing: GameRating
    name: str


_OF_PLAYER: Final = lookup(ratings, "player", order="game")
_OF_PLACES: Final = lookup(ratings, "player", "game", "pace", order="player")
_DAYS: Final = plain(
    select(*(column for column in rating_days.c if column.name != "player"))
    .where(rating_days.c.player == bindparam("of"), rating_days.c.day >= bindparam("since"))
    .order_by(rating_days.c.game, rating_days.c.pace, rating_days.c.day)
)
_CHANGES: Final = lookup(rating_changes, "match", order="player")
_LISTED: Final = (ratings.c.game == bindparam("of")) & (ratings.c.pace == bindparam("at_pace"))
_BELOW: Final[ColumnElement[bool]] = (ratings.c.rating < bindparam("rating")) | and_(
    ratings.c.rating == bindparam("rating"), ratings.c.player < bindparam("player")
)
_BEST: Final = plain(
    select(ratings, players.c.name)
    .join(players, players.c.id == ratings.c.player)
    .where(_LISTED, ratings.c.listed_until > literal_column("0"), ratings.c.listed_until > bindparam("now"))
    .where(ratings.c.rating <= bindparam("rating"), _BELOW, ~is_pupil(ratings.c.player))
    .order_by(ratings.c.rating.desc(), ratings.c.player.desc())
    .limit(bindparam("limit"))
)
_SAVE: Final = upsert(ratings)
_SAVE_DAYS: Final = upsert(rating_days)
_ADD_CHANGES: Final = insert_new(rating_changes)

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


@on_rows({"player": TEXT, "game": TEXT, "pace": TEXT})
def _lock_ratings(sql: Compiler, given: Any) -> Any:
    """The ratings of players in games at paces, locked until the transaction ends, always in the same order."""
    keys = (ratings.c.player, ratings.c.game, ratings.c.pace)
    wanted = and_(*(key == given.c[key.name] for key in keys))
    return select(ratings).join_from(given, ratings, wanted).order_by(*keys).with_for_update(of=ratings)


class Ratings(Aggregate):
    """Ratings of players, by game and pace, and how they went."""

    async def of_player(self, player: str) -> list[GameRating]:
        """Return the ratings of a player, by game and pace."""
        found = [GameRating(*row) for row in await self._database.find(_OF_PLAYER, player)]
        return sorted(found, key=lambda rating: (rating.game, rating.pace))

    async def standing(self, player: str, game: str, pace: Pace) -> GameRating:
        """Return the rating of a player in a game at a pace; a newcomer's if there is none."""
        found = await self._database.find(_OF_PLACES, player, game, pace)
        return GameRating(*found[0]) if found else GameRating(player, game, pace)

    async def days(self, player: str, since: int = 0) -> list[RatingDay]:
        """Return the ratings of a player at the ends of days on which they changed, from one day on."""
        return [RatingDay(*row) for row in await self._database.fetch(_DAYS, of=player, since=since)]

    async def changes(self, match: str) -> list[RatingChange]:
        """Return how a match changed the ratings of its players."""
        return [RatingChange(*row) for row in await self._database.find(_CHANGES, match)]

    async def best(
        self, game: str, pace: Pace, now: int, after: tuple[float, str] | None = None, limit: int = 50
    ) -> list[Ranked]:
        """Return at most `limit` of the best players of a game at a pace, those below a rating and a player's id.

        Pupils are not among them.
        """
        rating, player = after or (_NO_RATING, "")
        arguments = {"of": game, "at_pace": pace, "now": now, "rating": rating, "player": player, "limit": limit}
        rows = await self._database.fetch(_BEST, **arguments)
        return [Ranked(GameRating(*values), name) for *values, name in rows]

    @transaction
    def rate(self, match: str, rated: RatedMatch | None) -> Transaction[bool]:
        """Rate a pending match, or note that it changes no rating; return False if it is not pending."""
        if not (yield from end_pending("rate", match)):
            return False
        if rated is not None:
            yield from save_ratings([rated])
        return True


_DELETE: Final = {
    name: plain(table.delete().where(table.c.player == bindparam("of")))
    for name, table in (("ratings", ratings), ("days", rating_days))
}


def delete_ratings(player: str) -> Transaction[None]:
    """Delete the ratings of a player in all games."""
    for statement in _DELETE.values():
        yield statement, {"of": player}


_NO_RATING: Final = 1e9
"""A rating above all others."""

_Place: TypeAlias = tuple[str, str, str]


def save_ratings(rated: Sequence[RatedMatch]) -> Transaction[None]:
    """Save how matches change the ratings, one after the other.

    The players and their ratings are locked in one order, so processes never wait for each other in a circle.
    """
    places = sorted({(player, match.game, match.pace) for match in rated for player in match.players})
    if not places:
        return
    yield _lock_players, [(player,) for player in sorted({player for player, *_ in places})]
    found = yield _lock_ratings, places
    known: dict[_Place, GameRating] = {_place(row): row for row in (GameRating(*values) for values in found)}
    after: dict[_Place, GameRating] = {}
    changes: list[RatingChange] = []
    for match in rated:
        places = [(player, match.game, match.pace) for player in match.players]
        before = {place[0]: known[place] for place in places if place in known}
        met = yield from _meetings(match)
        for row in match.update(before, met):
            moved = row.rating - before.get(row.player, GameRating(row.player, row.game, row.pace)).rating
            changes.append(RatingChange(match.match, row.player, row.rating, row.deviation, moved))
            known[_place(row)] = after[_place(row)] = row
    if after:
        rows = [after[place] for place in sorted(after)]
        yield _SAVE, [astuple(row) for row in rows]
        yield _SAVE_DAYS, [(*_place(row), row.at // DAY_MS, row.rating, row.deviation) for row in rows]
        yield _ADD_CHANGES, changes


def _place(row: GameRating) -> _Place:
    return row.player, row.game, row.pace


def _meetings(rated: RatedMatch) -> Transaction[int]:
    """Return how many finished rated matches of its game the two people of a match have played lately."""
    if len(rated.pair) != 2:
        return 0
    one, other = rated.pair
    ((met,),) = yield _MEETINGS, {"one": one, "other": other, "game": rated.game, "since": rated.since}
    return int(met)
