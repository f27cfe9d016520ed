"""Routes of players and their ratings, the best of each game, and how a match changed ratings."""

import asyncio
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
from kemu.people.results import BOT_PREFIX
from kemu.server.http.requests import READ, FromCaller, FromServices
from kemu.server.runtime import now_ms
from kemu.server.services import Services
from kemu.storage.errors import UnknownPlayer

MOST_NAMED: Final = 60
"""How many players are asked for at once."""


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


@get("/api/players/{player:str}", opt=READ)
async def player_of(caller: FromCaller, player: FromPath[str]) -> PlayerAnswer:
    """Return a player, or a bot, with all ratings; a pupil is known to the class alone."""
    services, viewer = caller.services, caller.visitor.id
    found = await _player(services, player)
    if found is None or await services.runtime.store.people.strange_pupils(viewer, [found.id]):
        raise UnknownPlayer("No bot has this id." if player.startswith(BOT_PREFIX) else "No player has this id.")
    return found


@get("/api/standings", opt=READ)
async def standings(
    caller: FromCaller, players: Annotated[str, QueryParameter(max_length=MOST_NAMED * 41)]
) -> list[PlayerAnswer]:
    """Return several players and bots, whose ids are separated by spaces; those that do not exist are left out."""
    wanted = dict.fromkeys(players.split()[:MOST_NAMED])
    found = await asyncio.gather(*(_player(caller.services, each) for each in wanted))
    known = {player.id: player for player in found if player is not None}
    hidden = await caller.services.runtime.store.people.strange_pupils(caller.visitor.id, known)
    return [player for player in known.values() if player.id not in hidden]


@get("/api/ratings/{game:str}/bots", opt=READ)
async def bots_of(services: FromServices, game: FromPath[str]) -> list[PlayerAnswer]:
    """Return the bots of a game with their fixed ratings, from the weakest to the strongest."""
    manifest(game)  # raises UnknownGame
    found = (await _player(services, BOT_PREFIX + name) for name in services.bots.names(make_game(game)))
    return [player async for player in found if player is not None]


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


async def _player(services: Services, player: str) -> PlayerAnswer | None:
    """Return a player or a bot with all ratings; None if there is no such player."""
    if player.startswith(BOT_PREFIX):
        return _bot(player)
    store, now = services.runtime.store, now_ms()
    known, ratings = await asyncio.gather(store.players.player(player), store.ratings.of_player(player))
    if known is None:
        return None
    return PlayerAnswer(known.id, known.name, known.account, False, [rating_answer(row, now) for row in ratings])


def _bot(player: str) -> PlayerAnswer | None:
    """Return a bot with the fixed ratings of its level, in each game with the default options."""
    name, rated = player.removeprefix(BOT_PREFIX), [make_game(key) for key in game_keys()]
    ratings = [_bot_rating(name, each) for each in rated if name in bots(each)]
    return PlayerAnswer(player, name, False, True, ratings) if ratings else None


def _bot_rating(name: str, game: AnyGame) -> RatingAnswer:
    row = bot_standing(BOT_PREFIX + name, game.key, PACES[0], bot_elo(name, game) or 0.0)
    return RatingAnswer(game.key, row.pace, round(row.rating), round(row.deviation), False, 0)
