"""The games and their bots, and the study of positions and records."""

import asyncio
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromPath, JSONBody

from kemu.core.document import Document
from kemu.core.errors import OptionError, ParseError
from kemu.core.game import AnyGame, options
from kemu.games import drawing, games, package
from kemu.games import game as make_game
from kemu.server.answers import GameAnswer, Study, StudyAnswer
from kemu.server.bots import BotWorkers
from kemu.server.hall import Hall
from kemu.server.study import study
from kemu.server.wire import schema


def make(key: str, chosen: Document) -> AnyGame:
    """A game with options that strangers chose."""
    try:
        return make_game(key, **chosen)
    except TypeError:
        raise OptionError(f"These options do not make a game of {key}.") from None


def _answer(game: AnyGame, bots: BotWorkers) -> GameAnswer:
    folder, shown = package(game.key), drawing(game.key)
    return GameAnswer(
        key=game.key,
        title=folder.TITLE,
        summary=folder.SUMMARY,
        seats=game.seats,
        options=options(game),
        bots=bots.names(game),
        seat_names=[shown.seat_name(game, seat) for seat in range(game.seats)],
    )


@get("/api/games")
async def all_games(hall: NamedDependency[Hall]) -> list[GameAnswer]:
    """Every game with its default options."""
    return [_answer(make_game(key), hall.bots) for key in games()]


@get("/api/games/{key:str}")
async def one_game(hall: NamedDependency[Hall], key: FromPath[str], request: Request[Any, Any, Any]) -> GameAnswer:
    """A game with the options given as query parameters, each value in JSON."""
    chosen: Document = {}
    for name, text in request.query_params.items():
        try:
            chosen[name] = msgspec.json.decode(text)
        except msgspec.DecodeError:
            raise ParseError(f"The option {name} has no value in JSON.") from None
    return _answer(make(key, chosen), hall.bots)


@post("/api/study", status_code=200)
async def study_play(data: JSONBody[Study]) -> StudyAnswer:
    """Play some actions from a position and show each step."""
    game = make(data.game, data.options)
    return await asyncio.to_thread(study, game, data.position, data.actions, data.seat)


@get("/api/schema", media_type=MediaType.JSON)
async def socket_schema() -> dict[str, Any]:
    """JSON Schemas of all messages on the socket of a match."""
    return schema()


handlers: list[Any] = [all_games, one_game, study_play, socket_schema]
