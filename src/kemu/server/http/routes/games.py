"""The games and their bots, and replays of positions and records."""

import asyncio
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromPath, JSONBody

from kemu.bots.engines import capability
from kemu.bots.registry import bot_cards
from kemu.core.document import Document
from kemu.core.errors import OptionError, ParseError
from kemu.core.game import SPECTATOR, AnyGame, options
from kemu.engines.capabilities import Solver
from kemu.games import game as make_game
from kemu.games import game_keys, manifest, series, text
from kemu.server.http.caller import request_source
from kemu.server.http.replay import ReplayView, replay_steps
from kemu.server.http.requests import ReplayRequest
from kemu.server.http.responses import GameAnswer, ReplayAnswer, SeriesLength
from kemu.server.jobs.bots import Bots
from kemu.server.live.analysis import AnalysisAnswer, AnalysisMessage
from kemu.server.live.frames import schema
from kemu.server.services import Services


def make(key: str, chosen: Document) -> AnyGame:
    """A game with options from a request; raises OptionError if they do not make one."""
    try:
        return make_game(key, **chosen)
    except TypeError:
        raise OptionError(f"These options do not make a game of {key}.") from None


def _answer(game: AnyGame, bots: Bots) -> GameAnswer:
    known, shown, lengths = manifest(game.key), text(game.key), series(game.key).LENGTHS
    names = bots.names(game)
    return GameAnswer(
        key=game.key,
        title=known.title,
        summary=known.summary,
        how_to_play=known.how_to_play,
        seats=game.seats,
        options=options(game),
        bots=names,
        default_bot=bots.default(game),
        bot_cards=[card for card in bot_cards(game) if card.bot in names],
        seat_names=[shown.seat_name(game, seat) for seat in range(game.seats)],
        series=[SeriesLength(name, wins) for name, wins in lengths.items()],
        hidden=known.hidden,
        solved=capability(game, Solver) is not None,
        text=shown.draw(game, game.view(game.initial(), SPECTATOR)),
    )


@get("/api/games")
async def all_games(services: NamedDependency[Services]) -> list[GameAnswer]:
    """Every game with its default options."""
    return [_answer(make_game(key), services.bots) for key in game_keys()]


@get("/api/games/{key:str}")
async def one_game(
    services: NamedDependency[Services], key: FromPath[str], request: Request[Any, Any, Any]
) -> GameAnswer:
    """A game with the options given as query parameters, each value in JSON."""
    chosen: Document = {}
    for name, value in request.query_params.items():
        try:
            chosen[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            raise ParseError(f"The option {name} has no value in JSON.") from None
    return _answer(make(key, chosen), services.bots)


@post(["/api/replay", "/api/study"], status_code=200)  # the second address is that of 0.1
async def replay_position(
    services: NamedDependency[Services], request: Request[Any, Any, Any], data: JSONBody[ReplayRequest]
) -> ReplayAnswer:
    """Play some actions from a position and show each step."""
    game, shown = make(data.game, data.options), ReplayView(data.seat, False, data.text, data.positions, data.deal)
    async with services.turns.of(request_source(request, services).address):  # a long one takes a while
        return await asyncio.to_thread(replay_steps, game, data.position, data.actions, shown)


@get("/api/schema", media_type=MediaType.JSON)
async def socket_schema() -> dict[str, Any]:
    """JSON Schemas of all messages on the socket of a match."""
    return schema()


@get("/api/analysis/schema", media_type=MediaType.JSON)
async def analysis_schema() -> dict[str, Any]:
    """JSON Schemas of all messages on the socket of an analysis board."""
    return schema("the socket of an analysis board", AnalysisMessage, AnalysisAnswer)


handlers: list[Any] = [all_games, one_game, replay_position, socket_schema, analysis_schema]
