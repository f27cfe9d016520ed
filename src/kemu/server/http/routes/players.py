"""Routes of players and their ratings, the best of each game, and how a match changed ratings."""

from typing import Annotated, Final

from litestar import get
from litestar.params import FromPath, FromQuery, QueryParameter
from msgspec import Struct

from kemu.bots.registry import bot_elo, bots
from kemu.core.game import AnyGame
from kemu.games import game as make_game
from kemu.games import game_keys, manifest
from kemu.people.pace import PACES, Pace
from kemu.people.ratings import GameRating, bot_standing
from kemu.server.http.requests import READ, FromServices
from kemu.server.runtime import now_ms
from kemu.storage.errors import UnknownPlayer

BOT: Final = "bot:"


class RatingAnswer(Struct, frozen=True):
    """How strong a player is at a game at a pace: a rating that is within two deviations of the truth, mostly."""

    game: str
    pace: Pace
    rating: int
    deviation: int
    provisional: bool
    matches: int


class PlayerAnswer(Struct, frozen=True):
    """A player with all ratings."""

    id: str
    name: str
    account: bool
    bot: bool
    ratings: list[RatingAnswer]


class RankedAnswer(Struct, frozen=True):
    """One of the best of a game at a pace; `rating` is exact in `exact`, for the request of the next ones."""

    player: str
    name: str
    rating: int
    deviation: int
    matches: int
    exact: float


class ChangeAnswer(Struct, frozen=True):
    """The rating of a player after a match, and by how many points the match moved it."""

    player: str
    rating: int
    deviation: int
    change: int


def rating_answer(row: GameRating, now: int) -> RatingAnswer:
    """Return a rating as it is now, less sure than after the last match."""
    strength = row.strength_at(now)
    deviation, provisional = round(strength.deviation), strength.provisional
    return RatingAnswer(row.game, row.pace, round(row.rating), deviation, provisional, row.matches)


@get("/api/players/{player:str}")
async def player_of(services: FromServices, player: FromPath[str]) -> PlayerAnswer:
    """Return a player, or a bot, with all ratings."""
    if player.startswith(BOT):
        return _bot(player)
    store, now = services.runtime.store, now_ms()
    known = await store.players.player(player)
    if known is None:
        raise UnknownPlayer("No player has this id.")
    ratings = [rating_answer(row, now) for row in await store.ratings.of_player(player)]
    return PlayerAnswer(known.id, known.name, known.account, False, ratings)


@get("/api/ratings/{game:str}")
async def best(
    services: FromServices,
    game: FromPath[str],
    pace: FromQuery[Pace] = PACES[0],
    rating: FromQuery[float | None] = None,
    player: FromQuery[str] = "",
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> list[RankedAnswer]:
    """Return the best people of a game at a pace, below a rating and an id if they are given."""
    manifest(game)  # raises UnknownGame
    after = None if rating is None else (rating, player)
    rows = await services.runtime.store.ratings.best(game, pace, now_ms(), after, limit)
    return [
        RankedAnswer(row.player, name, round(row.rating), round(row.deviation), row.matches, row.rating)
        for row, name in rows
    ]


@get("/api/matches/{match:str}/ratings", opt=READ)
async def changes(services: FromServices, match: FromPath[str]) -> list[ChangeAnswer]:
    """Return how a match that is over changed the ratings of its players; nothing unless it was rated."""
    rows = await services.runtime.store.ratings.changes(match)
    return [ChangeAnswer(row.player, round(row.rating), round(row.deviation), round(row.change)) for row in rows]


def _bot(player: str) -> PlayerAnswer:
    """Return a bot with the fixed ratings of its level, in each game with the default options."""
    name, rated = player.removeprefix(BOT), [make_game(key) for key in game_keys()]
    ratings = [_bot_rating(name, each) for each in rated if name in bots(each)]
    if not ratings:
        raise UnknownPlayer("No bot has this id.")
    return PlayerAnswer(player, name, False, True, ratings)


def _bot_rating(name: str, game: AnyGame) -> RatingAnswer:
    row = bot_standing(BOT + name, game.key, PACES[0], bot_elo(name, game) or 0.0)
    return RatingAnswer(game.key, row.pace, round(row.rating), round(row.deviation), False, 0)
