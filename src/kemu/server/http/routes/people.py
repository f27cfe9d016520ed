"""Who you are, players and their ratings."""

from typing import Any

from litestar import get, patch
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec.structs import replace

from kemu.games import game as make_game
from kemu.server.auth.names import check_free, clean_name
from kemu.server.http.caller import GUEST, READ, Caller, Services
from kemu.server.http.requests import Rename
from kemu.server.http.responses import Me, PlayerAnswer, me_answer, rating_answer
from kemu.storage.errors import UnknownPlayer

BOT = "bot:"


@get("/api/me", opt=READ | GUEST)
async def me(caller: NamedDependency[Caller]) -> Me:
    """Who you are."""
    return me_answer(caller.visitor.player)


@patch("/api/me", opt=GUEST)
async def rename(caller: NamedDependency[Caller], data: JSONBody[Rename]) -> Me:
    """Give yourself a name."""
    players, player = caller.services.runtime.store.players, caller.visitor.player
    name = clean_name(data.name)
    await check_free(players, name, player.id)
    # What is cached may be a moment old, and must not bring back a password that was changed.
    changed = replace(await players.player(player.id) or player, name=name)
    await caller.services.identity.keep(changed)
    return me_answer(changed)


@get("/api/players/{player:str}")
async def player_of(services: NamedDependency[Services], player: FromPath[str]) -> PlayerAnswer:
    """A player, or a bot, with all ratings."""
    ratings = [rating_answer(row) for row in await services.runtime.store.players.ratings(player=player)]
    if player.startswith(BOT):
        if not ratings:
            raise UnknownPlayer("No bot with this id has played a rated match.")
        return PlayerAnswer(player, player.removeprefix(BOT), False, True, ratings)
    known = await services.runtime.store.players.player(player)
    if known is None:
        raise UnknownPlayer("No player has this id.")
    return PlayerAnswer(known.id, known.name, known.account, False, ratings)


@get("/api/ratings/{game:str}")
async def best(services: NamedDependency[Services], game: FromPath[str]) -> list[PlayerAnswer]:
    """The hundred best players of a game, bots among them."""
    make_game(game)
    answers = []
    for row in await services.runtime.store.players.ratings(game=game):
        bot = row.player.startswith(BOT)
        known = None if bot else await services.runtime.store.players.player(row.player)
        name = known.name if known is not None else row.player.removeprefix(BOT)
        answers.append(PlayerAnswer(row.player, name, known is not None, bot, [rating_answer(row)]))
    return answers


handlers: list[Any] = [me, rename, player_of, best]
