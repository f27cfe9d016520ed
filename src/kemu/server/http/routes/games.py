"""The games and their bots, and the study of positions and records."""

import asyncio
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromPath, JSONBody

from kemu.bots.cards import bot_cards
from kemu.bots.registry import engine_player
from kemu.core.document import Document
from kemu.core.errors import OptionError, ParseError
from kemu.core.game import SPECTATOR, AnyGame, options
from kemu.games import game as make_game
from kemu.games import games, manifest, series, text
from kemu.server.http.caller import Services, request_source
from kemu.server.http.requests import StudyRequest
from kemu.server.http.responses import GameAnswer, SeriesLength, StudyAnswer
from kemu.server.http.study import StudyView, study
from kemu.server.jobs.bot_workers import BotWorkers
from kemu.server.realtime.analysis_frames import AnalysisAnswer, AnalysisMessage
from kemu.server.realtime.frames import schema


def make(key: str, chosen: Document) -> AnyGame:
    """A game with options from a request; raises OptionError if they do not make one."""
    try:
        return make_game(key, **chosen)
    except TypeError:
        raise OptionError(f"These options do not make a game of {key}.") from None


def _answer(game: AnyGame, bots: BotWorkers) -> GameAnswer:
    known, shown, lengths = manifest(game.key), text(game.key), series(game.key).LENGTHS
    player, names = engine_player(game), bots.names(game)
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
        solved=player is not None and player.solution is not None,
        text=shown.draw(game, game.view(game.initial(), SPECTATOR)),
    )


@get("/api/games")
async def all_games(services: NamedDependency[Services]) -> list[GameAnswer]:
    """Every game with its default options."""
    return [_answer(make_game(key), services.bots) for key in games()]


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


@post("/api/study", status_code=200)
async def study_play(
    services: NamedDependency[Services], request: Request[Any, Any, Any], data: JSONBody[StudyRequest]
) -> StudyAnswer:
    """Play some actions from a position and show each step."""
    game, shown = make(data.game, data.options), StudyView(data.seat, text=data.text, positions=data.positions)
    async with services.turns.of(request_source(request, services).address):  # a long one takes a while
        return await asyncio.to_thread(study, game, data.position, data.actions, shown)


@get("/api/schema", media_type=MediaType.JSON)
async def socket_schema() -> dict[str, Any]:
    """JSON Schemas of all messages on the socket of a match."""
    return schema()


@get("/api/analysis/schema", media_type=MediaType.JSON)
async def analysis_schema() -> dict[str, Any]:
    """JSON Schemas of all messages on the socket of an analysis board."""
    return schema("the socket of an analysis board", AnalysisMessage, AnalysisAnswer)


handlers: list[Any] = [all_games, one_game, study_play, socket_schema, analysis_schema]
