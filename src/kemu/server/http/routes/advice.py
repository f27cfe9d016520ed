"""Help for learners, in casual matches against bots."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec.structs import replace

from kemu.core.errors import KemuError
from kemu.core.game import Seat
from kemu.play.table import Table
from kemu.server.http.advice import reason
from kemu.server.http.caller import PLAY, READ, Caller
from kemu.server.http.responses import Hint, Threats
from kemu.server.jobs.bot_workers import Asker, BotFailed, Question
from kemu.server.jobs.fair_queue import Urgency
from kemu.server.limits import TooMany

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
    question = bots.question(table, seat, bots.names(table.game)[-1], timed=False)
    asker = _asker(caller)
    try:
        answer = await _while_connected(request, bots.choose(question, asker))
        found = await _while_connected(request, _find_threats(caller, question, asker))
    except BotFailed:
        raise NoHints("No bot can help just now; try again.") from None
    return Hint(answer.action, reason(found, answer.action, len(question.actions)))


@get("/api/matches/{match:str}/threats", opt=READ)
async def threats(request: Request[Any, Any, Any], caller: NamedDependency[Caller], match: FromPath[str]) -> Threats:
    """What wins at once and what must be stopped."""
    table, seat = await _asked(caller, match)
    question = caller.services.bots.question(table, seat, "", timed=False)
    try:
        return await _while_connected(request, _find_threats(caller, question, _asker(caller)))
    except BotFailed:
        raise NoHints("No bot can help just now; try again.") from None


async def _find_threats(caller: Caller, question: Question, asker: Asker) -> Threats:
    if "position" not in question.view:  # seats have secrets, and what wins depends on them
        return Threats([], [])
    found = await caller.services.bots.ask(replace(question, want="threats"), asker)
    return Threats(found.wins, found.stops)


def _asker(caller: Caller) -> Asker:
    """The caller in the queue for help, or TooMany."""
    player = caller.visitor.id
    if caller.services.bots.queue.waiting(player, Urgency.HELP) >= MOST_WAITING:
        raise TooMany("You have asked for help often enough; wait for the answers.")
    return Asker(player, Urgency.HELP)


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
    table = await (await caller.services.registry.find(match)).current()
    people = {player.id for player in table.players if player is not None and player.kind == "person"}
    seat = table.turn
    if table.terms.rated or people != {caller.visitor.id} or seat is None or seat not in table.seats(caller.visitor.id):
        raise NoHints("Hints are for casual matches against bots, on your turn.")
    return table, seat


handlers: list[Any] = [hint, threats]
