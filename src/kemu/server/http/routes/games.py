"""The games and their bots, and replays: actions shown step by step, for clients that hold no rules."""

import asyncio
from collections.abc import Iterable
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from litestar import get, post
from litestar.enums import MediaType
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, Meta, Struct, UnsetType

from kemu.analysis.analyse import make
from kemu.bots.engines import capability
from kemu.bots.registry import BotCard, bot_cards
from kemu.core.document import Document, quote
from kemu.core.errors import KemuError, OptionError, ParseError
from kemu.core.game import CHANCE, SPECTATOR, AnyGame, AnyView, Seat, options
from kemu.engines.capabilities import Solver
from kemu.games import game_keys, manifest, series, text
from kemu.play.dealer import Dealer
from kemu.server.http.requests import AnyRequest, FromServices, request_source
from kemu.server.jobs import Bots
from kemu.server.live.analysis import AnalysisAnswer, AnalysisMessage
from kemu.server.live.frames import schema
from kemu.storage.matches import OutcomeAnswer, outcome_answer
from kemu.work.tasks import PositionQuestion


class Step(Struct, frozen=True):
    """One state of a replay and how it was reached; what follows `outcome` is there if it was asked for.

    `odds` are those of the actions, where the dealer acts.
    """

    actor: Seat | None
    line: str | None
    view: AnyView
    turn: Seat | None
    actions: list[str]
    outcome: OutcomeAnswer | None
    text: str | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET
    position: dict[str, Any] | UnsetType = UNSET
    odds: list[float] | UnsetType = UNSET


class ReplayAnswer(Struct, frozen=True):
    """A sequence of actions shown step by step; `dealt` is what the dealer added, if that was asked for."""

    options: dict[str, Any]
    seats: int
    steps: list[Step]
    dealt: list[str] | UnsetType = UNSET


class ReplayView(NamedTuple):
    """How steps are shown: through which seat, of a running match or not, with text drawings, with positions, and
    whether the dealer's turns after the last action are dealt at random.

    The seat "turn" is that of whoever is to act in a step. Positions hold all secrets, and so do the views of all seats
    together: both are for positions that the asker has set up.
    """

    seat: Seat | Literal["turn"]
    running: bool = False
    text: bool = False
    positions: bool = False
    deal: bool = False

    def viewer(self, game: AnyGame, state: Any) -> Seat:
        """Return the seat that a state is shown to."""
        if self.seat != "turn":
            return self.seat
        turn = game.turn(state)
        return SPECTATOR if turn is None or turn < 0 else turn


def replay_steps(game: AnyGame, position: Document | None, actions: Iterable[str], shown: ReplayView) -> ReplayAnswer:
    """Return all steps from a position; raises the error of the first illegal action with its number.

    In a running match the choices of others would reveal their secrets, so only those of the seat itself are shown.
    """
    if shown.seat not in ("turn", SPECTATOR, *range(game.seats)):
        raise OptionError(f"This game has the seats 0 to {game.seats - 1}, and -2 to watch, not {shown.seat}.")
    state = game.initial() if position is None else game.decode(position)
    steps = [_step(game, state, None, None, shown)]
    for number, written in enumerate(actions, start=1):
        try:
            state = _play(game, state, game.parse(written), steps, shown)
        except KemuError as error:
            raise error.located(f"Action {number}, {quote(written)}") from None
    dealt = _deal(game, state, steps, shown) if shown.deal else UNSET
    return ReplayAnswer(options(game), game.seats, steps, dealt)


def _deal(game: AnyGame, state: Any, steps: list[Step], shown: ReplayView) -> list[str]:
    """Add the steps of the dealer until a seat is to act or the game is over, and return what was dealt."""
    dealer, dealt = Dealer(), []
    while game.turn(state) == CHANCE:
        action = dealer.deal(game.odds(state))
        dealt.append(game.format(action))
        state = _play(game, state, action, steps, shown)
    return dealt


def _play(game: AnyGame, state: Any, action: Any, steps: list[Step], shown: ReplayView) -> Any:
    """Apply an action, add its step and return the state after it. Raises IllegalAction."""
    after = game.apply(state, action)
    line = game.format(action) if shown.seat == "turn" else game.seen(state, action, shown.seat)
    steps.append(_step(game, after, game.turn(state), line, shown))
    return after


def _step(game: AnyGame, state: Any, actor: Seat | None, line: str | None, shown: ReplayView) -> Step:
    choices = game.actions(state) if not shown.running or game.turn(state) == shown.seat else ()
    view, drawn = game.view(state, shown.viewer(game, state)), text(game.key)
    return Step(
        actor=actor,
        line=line,
        view=view,
        turn=game.turn(state),
        actions=[game.format(action) for action in choices],
        outcome=outcome_answer(game.outcome(state)),
        text=drawn.draw(game, view) if shown.text else UNSET,
        words=[drawn.explain(game, view, action) for action in choices] if shown.text else UNSET,
        position=game.encode(state) if shown.positions else UNSET,
        odds=_odds(game, state, choices) if shown.positions and game.turn(state) == CHANCE else UNSET,
    )


def _odds(game: AnyGame, state: Any, choices: Iterable[Any]) -> list[float]:
    chances = dict(game.odds(state))
    return [float(chances[action]) for action in choices]


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
