"""Help for learners: in casual matches against bots, and after a loss."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from kemu.core.errors import KemuError
from kemu.core.game import AnyView, Seat
from kemu.games import manifest
from kemu.play.errors import MatchRunning, NotYours
from kemu.play.table import Table
from kemu.server.http.caller import PLAY, READ, Caller
from kemu.server.http.responses import Hint
from kemu.server.limits import TooMany
from kemu.work.fair_queue import Asker, Urgency
from kemu.work.pool import TaskFailed
from kemu.work.tasks import RESCUE, THREATS, RescueAnswer, RescueQuestion, ThreatQuestion, Threats

MOST_WAITING: Final = 3
"""How many requests for help of one player may wait."""

T = TypeVar("T")


class NoHints(KemuError):
    """Hints are for casual matches against bots."""

    code = "no-hints"


class PageClosed(KemuError):
    """Nobody waits for the answer any more."""

    code = "no-hints"


@post("/api/matches/{match:str}/hint", status_code=200, opt=PLAY)
async def hint(request: Request[Any, Any, Any], caller: NamedDependency[Caller], match: FromPath[str]) -> Hint:
    """What the strongest bot would do in your place, and why."""
    table, seat = await _asked(caller, match)
    bots = caller.services.bots
    question = bots.question(table, seat, bots.names(table.game)[-1])
    asker = _asker(caller)
    try:
        answer = await _while_connected(request, bots.choose(question, asker))
        found = await _while_connected(request, _find_threats(caller, table, seat, asker))
    except TaskFailed:
        raise NoHints("No bot can help just now; try again.") from None
    return Hint(answer.action, reason(found, answer.action, len(question.actions)))


@get("/api/matches/{match:str}/threats", opt=READ)
async def threats(request: Request[Any, Any, Any], caller: NamedDependency[Caller], match: FromPath[str]) -> Threats:
    """What wins at once and what must be stopped; nothing if it is not your turn."""
    table = await _helped(caller, match)
    seat = table.turn
    if seat is None or seat not in table.seats(caller.visitor.id):  # the question was on its way while you acted
        return Threats([], [], ())
    try:
        return await _while_connected(request, _find_threats(caller, table, seat, _asker(caller)))
    except TaskFailed:
        raise NoHints("No bot can help just now; try again.") from None


@get("/api/matches/{match:str}/rescue", opt=READ)
async def rescue(
    request: Request[Any, Any, Any], caller: NamedDependency[Caller], match: FromPath[str], seat: FromQuery[int]
) -> RescueAnswer:
    """The last moment at which your seat could have saved a match that is over."""
    table = await (await caller.services.registry.find(match)).current()
    if table.outcome is None:
        raise MatchRunning("What could have been is told when the match is over.")
    if seat not in table.seats(caller.visitor.id):
        raise NotYours(f"Seat {seat} belongs to somebody else.")
    lost = table.outcome.winners and seat not in table.outcome.winners and not table.ended_by_players
    # Where seats have secrets, what could have been depends on them.
    if not lost or manifest(table.game.key).hidden:
        return RescueAnswer(None)
    pool = caller.services.bots.pool
    question = RescueQuestion(table.terms.game, table.terms.options, table.record().actions, seat)
    try:
        return await _while_connected(request, pool.ask(RESCUE, question, _asker(caller)))
    except TaskFailed:
        raise NoHints("No bot can help just now; try again.") from None


async def _find_threats(caller: Caller, table: Table, seat: Seat, asker: Asker) -> Threats:
    view: AnyView = table.game.view(table.state, seat)
    if "position" not in view:  # seats have secrets, and what wins depends on them
        return Threats([], [], ())
    question = ThreatQuestion(table.terms.game, table.terms.options, view)
    return await caller.services.bots.pool.ask(THREATS, question, asker)


def _asker(caller: Caller) -> Asker:
    """The caller in the queue for help, or TooMany."""
    asker = Asker(caller.visitor.id, Urgency.HELP)
    if caller.services.bots.pool.waiting("play", asker) >= MOST_WAITING:
        raise TooMany("You have asked for help often enough; wait for the answers.")
    return asker


async def _while_connected(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, which is cancelled when the client closes the connection."""
    loop = asyncio.get_running_loop()
    working, gone = loop.create_task(work), loop.create_task(_disconnected(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise PageClosed("Nobody waits for this answer any more.")
        return await working
    finally:
        working.cancel()
        gone.cancel()


async def _disconnected(request: Request[Any, Any, Any]) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _asked(caller: Caller, match: str) -> tuple[Table, Seat]:
    """The table and the seat on turn, if that is the caller's and all others are bots."""
    table = await _helped(caller, match)
    seat = table.turn
    if seat is None or seat not in table.seats(caller.visitor.id):
        raise NoHints("Hints are for casual matches against bots, on your turn.")
    return table, seat


async def _helped(caller: Caller, match: str) -> Table:
    """The table of a casual match in which the caller plays against bots only."""
    table = await (await caller.services.registry.find(match)).current()
    people = {player.id for player in table.players if player is not None and player.kind == "person"}
    if table.terms.rated or people != {caller.visitor.id}:
        raise NoHints("Hints are for casual matches against bots, on your turn.")
    return table


def reason(found: Threats, action: str, choices: int) -> str:
    """Why an action is suggested: `only`, `wins`, `stops` or, on the word of a bot, `best`."""
    if choices == 1:
        return "only"
    if action in found.wins:
        return "wins"
    return "stops" if action in found.stops else "best"


handlers: list[Any] = [hint, threats, rescue]
