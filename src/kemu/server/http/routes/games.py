"""The games and their bots, and replays of positions and records."""

import asyncio
from typing import Annotated, Any, Literal

import msgspec
from litestar import get, post
from litestar.enums import MediaType
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from kemu.analysis.analyse import make
from kemu.bots.engines import capability
from kemu.bots.registry import BotCard, bot_cards
from kemu.core.document import Document
from kemu.core.errors import ParseError
from kemu.core.game import SPECTATOR, AnyGame, options
from kemu.engines.capabilities import Solver
from kemu.games import game_keys, manifest, series, text
from kemu.server.http.caller import AnyRequest, FromServices, request_source
from kemu.server.http.replay import ReplayAnswer, ReplayView, replay_steps
from kemu.server.jobs import Bots
from kemu.server.live.analysis import AnalysisAnswer, AnalysisMessage
from kemu.server.live.frames import schema
from kemu.work.tasks import PositionQuestion


class SeriesLength(Struct, frozen=True):
    """A length of a series that has a name: how many won games win it."""

    name: str
    wins: int


class GameAnswer(Struct, frozen=True):
    """A game with the options asked for; `text` is a drawing of its first position.

    `bot_cards` tell of those bots that are levels of the ladder.
    """

    key: str
    title: str
    summary: str
    how_to_play: str
    seats: int
    options: dict[str, Any]
    bots: list[str]
    default_bot: str
    bot_cards: list[BotCard]
    seat_names: list[str]
    series: list[SeriesLength]
    hidden: bool
    solved: bool
    text: str


class ReplayRequest(PositionQuestion, frozen=True, forbid_unknown_fields=True):
    """Actions to be played from a position and shown step by step.

    `seat` is who sees the steps, -2 for a spectator; with "turn" each step is seen by the seat that is to act in it.
    With `deal` the dealer's turns that follow are dealt at random, until a seat is to act.
    """

    seat: Annotated[int, Meta(ge=-2, le=9)] | Literal["turn"] = -2
    text: bool = False
    positions: bool = False
    deal: bool = False


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
async def all_games(services: FromServices) -> list[GameAnswer]:
    """List every game with its default options."""
    return [_answer(make(key, {}), services.bots) for key in game_keys()]


@get("/api/games/{key:str}")
async def one_game(services: FromServices, key: FromPath[str], request: AnyRequest) -> GameAnswer:
    """Return a game with the options given as query parameters, each value in JSON."""
    chosen: Document = {}
    for name, value in request.query_params.items():
        try:
            chosen[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            raise ParseError(f"The option {name} has no value in JSON.") from None
    return _answer(make(key, chosen), services.bots)


@post(["/api/replay", "/api/study"], status_code=200)  # the second address is that of 0.1
async def replay_position(services: FromServices, request: AnyRequest, data: JSONBody[ReplayRequest]) -> ReplayAnswer:
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
