"""Matches: make, list, join, leave, look at, take hints and records."""

import asyncio
from random import SystemRandom
from typing import Annotated, Any

from litestar import get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from kemu.core.document import Document
from kemu.core.errors import OptionError
from kemu.core.game import SPECTATOR, AnyGame, Seat, options
from kemu.play.errors import MatchRunning, NotYours, SeatTaken
from kemu.play.table import Table, new_id
from kemu.play.terms import Player, Standing, Terms
from kemu.server.answers import BotWish, Join, MatchAnswer, MySeat, NewMatch, SeatBot, SeatWish, StudyAnswer
from kemu.server.caller import Caller
from kemu.server.hall import Hall
from kemu.server.identity import NotSignedIn, Visitor
from kemu.server.routes.games import make
from kemu.server.study import study
from kemu.server.telling import match_answer, row_answer
from kemu.storage.store import Query, Show


@post("/api/matches")
async def create(caller: NamedDependency[Caller], data: JSONBody[NewMatch]) -> MatchAnswer:
    """Make a match."""
    game = make(data.game, data.options)
    if len(data.seats) != game.seats:
        raise OptionError(f"This game has {game.seats} seats, not {len(data.seats)}.")
    wishes = list(data.seats)
    if data.toss:
        SystemRandom().shuffle(wishes)
    sitters = [
        (seat, sitter)
        for seat, wish in enumerate(wishes)
        if (sitter := _sitter(wish, caller.visitor, caller.hall, game))
    ]
    if not sitters:
        raise OptionError("At least one seat is yours or a bot's.")
    if data.rated:
        _check_rated(caller.visitor, [player for _, player in sitters])
    await caller.hall.check_room(caller.visitor.id)
    await caller.identity.remember(caller.visitor)
    terms = Terms(
        id=new_id(),
        game=game.key,
        options=options(game),
        host=caller.visitor.id,
        created=caller.hall.now(),
        clock=data.clock,
        public=data.public,
        rated=data.rated,
        series=Standing(data.series, wins=(0,) * game.seats),
    )
    live = await caller.hall.create(terms, game, sitters)
    return match_answer(await live.settled(), caller.visitor.id)


@get("/api/matches")
async def matches(
    caller: NamedDependency[Caller],
    show: FromQuery[Show] = "lobby",
    game: FromQuery[str | None] = None,
    before: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> list[MatchAnswer]:
    """A list of matches, newest first."""
    rows = await caller.hall.store.matches.rows(Query(show, caller.visitor.id, game, before, limit))
    answers = []
    for row in rows:
        mine = show == "mine" and row.status in ("open", "running")
        live = await caller.hall.table(row.terms.id) if mine else caller.hall.tables.get(row.terms.id)
        answers.append(
            row_answer(row, caller.visitor.id)
            if live is None
            else match_answer(await live.settled(), caller.visitor.id)
        )
    if show == "mine":
        answers.sort(key=lambda answer: answer.status not in ("open", "running"))
    return answers


@get("/api/matches/{match:str}")
async def match_of(caller: NamedDependency[Caller], match: FromPath[str]) -> MatchAnswer:
    """One match."""
    return match_answer(await (await caller.hall.table(match)).settled(), caller.visitor.id)


@post("/api/matches/{match:str}/join", status_code=200)
async def join(caller: NamedDependency[Caller], match: FromPath[str], data: JSONBody[Join]) -> MatchAnswer:
    """Take a seat."""
    live = await caller.hall.table(match)
    if live.table.terms.rated:
        _check_rated(caller.visitor, [])
    await caller.identity.remember(caller.visitor)
    mine = (await live.settled()).seats(caller.visitor.id)
    if not (data.seat in mine or (data.seat is None and mine)):
        player = Player(caller.visitor.id, caller.visitor.player.name)
        await caller.hall.do(live, lambda table, at: table.join([(_open_seat(table, data.seat), player)], at))
    return match_answer(await live.settled(), caller.visitor.id)


@post("/api/matches/{match:str}/leave", status_code=200)
async def leave(caller: NamedDependency[Caller], match: FromPath[str]) -> MatchAnswer:
    """Get up before the start."""
    live = await caller.hall.table(match)
    await caller.hall.do(live, lambda table, at: table.leave(caller.visitor.id, at))
    return match_answer(await live.settled(), caller.visitor.id)


@put("/api/matches/{match:str}/seats/{seat:int}")
async def seat_bot(
    caller: NamedDependency[Caller], match: FromPath[str], seat: FromPath[int], data: JSONBody[SeatBot]
) -> MatchAnswer:
    """Put a bot on an open seat of a match you host."""
    live = await caller.hall.table(match)
    if live.table.terms.host != caller.visitor.id:
        raise NotYours("Only the host can seat a bot.")
    bot = _bot(data.bot, caller.hall, live.table.game)
    await caller.hall.do(live, lambda table, at: table.join([(seat, bot)], at))
    return match_answer(await live.settled(), caller.visitor.id)


@get("/api/matches/{match:str}/record")
async def record(hall: NamedDependency[Hall], match: FromPath[str]) -> Document:
    """The whole record of a match that is over."""
    return _finished(await (await hall.table(match)).settled()).match.record().encode()


@get("/api/matches/{match:str}/study")
async def study_match(
    caller: NamedDependency[Caller], match: FromPath[str], seat: FromQuery[int] = SPECTATOR
) -> StudyAnswer:
    """A match so far, step by step, through your own eyes or a spectator's; one that is over, through anybody's."""
    table = await (await caller.hall.table(match)).settled()
    running = table.match.outcome is None
    if running and seat != SPECTATOR and seat not in table.seats(caller.visitor.id):
        raise NotYours(f"Seat {seat} belongs to somebody else.")
    return await asyncio.to_thread(study, table.game, None, table.match.record().actions, seat, running)


def _sitter(wish: SeatWish, visitor: Visitor, hall: Hall, game: AnyGame) -> Player | None:
    """Who sits on a seat of a new match, None if it is open."""
    match wish:
        case MySeat(name=name):
            return Player(visitor.id, name or visitor.player.name)
        case BotWish(bot=bot):
            return _bot(bot, hall, game)
        case _:
            return None


def _bot(name: str, hall: Hall, game: AnyGame) -> Player:
    names = hall.bots.names(game)
    if name not in names:
        raise OptionError(f"{game.key} has no bot '{name}'; its bots are {', '.join(names)}.")
    return Player(f"bot:{name}", name, "bot")


def _open_seat(table: Table, wish: Seat | None) -> Seat:
    """The seat asked for, or the first open one."""
    if wish is not None:
        return wish
    if None not in table.players:
        raise SeatTaken("No seat is open.")
    return table.players.index(None)


def _check_rated(visitor: Visitor, sitters: list[Player]) -> None:
    if not visitor.player.account:
        raise NotSignedIn("Rated matches are for accounts; make one first.")
    if sum(player.id == visitor.id for player in sitters) > 1:
        raise OptionError("In a rated match everybody has one seat.")


def _finished(table: Table) -> Table:
    if table.match.outcome is None:
        raise MatchRunning("The record is given out when the match is over.")
    return table


handlers: list[Any] = [create, matches, match_of, join, leave, seat_bot, record, study_match]
