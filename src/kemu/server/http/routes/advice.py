"""Help for learners: in casual matches against bots, and after a loss."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from litestar import get, post
from litestar.params import FromPath, FromQuery
from msgspec import Struct

from kemu.core.errors import KemuError
from kemu.core.game import AnyView, Seat
from kemu.games import manifest
from kemu.play.errors import MatchRunning, NotYours
from kemu.play.table import Table
from kemu.server.http.caller import PLAY, READ, AnyRequest, Caller, FromCaller
from kemu.server.limits import TooMany
from kemu.work.pool import Asker, TaskFailed, Urgency
from kemu.work.tasks import RESCUE, THREATS, RescueAnswer, RescueQuestion, ThreatQuestion, Threats

MOST_WAITING: Final = 3
"""How many requests for help of one player may wait."""

AGAINST_BOTS: Final = "Hints are for casual matches against bots, on your turn."

T = TypeVar("T")


class Hint(Struct, frozen=True):
    """A suggestion and why: `only`, `wins`, `stops` or `best`."""

    action: str
    reason: str


class NoHints(KemuError):
    """Hints are for casual matches against bots."""

    code = "no-hints"


@post("/api/matches/{match:str}/hint", status_code=200, opt=PLAY)
async def hint(request: AnyRequest, caller: FromCaller, match: FromPath[str]) -> Hint:
    """Return what the strongest bot would do in your place, and why."""
    table, seat = await _helped(caller, match)
    if seat is None:
        raise NoHints(AGAINST_BOTS)
    bots = caller.services.bots
    question = bots.question(table, seat, bots.names(table.game)[-1])
    asker = _asker(caller)
    answer = await _while_connected(request, bots.choose(question, asker))
    found = await _while_connected(request, _find_threats(caller, table, seat, asker))
    return Hint(answer.action, reason(found, answer.action, len(question.actions)))


@get("/api/matches/{match:str}/threats", opt=READ)
async def threats(request: AnyRequest, caller: FromCaller, match: FromPath[str]) -> Threats:
    """Return what wins at once and what must be stopped; nothing if it is not your turn."""
    table, seat = await _helped(caller, match)
    if seat is None:  # the question was on its way while you acted
        return Threats([], [], ())
    return await _while_connected(request, _find_threats(caller, table, seat, _asker(caller)))


@get("/api/matches/{match:str}/rescue", opt=READ)
async def rescue(request: AnyRequest, caller: FromCaller, match: FromPath[str], seat: FromQuery[int]) -> RescueAnswer:
    """Return the last moment at which your seat could have saved a match that is over."""
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
    return await _while_connected(request, pool.ask(RESCUE, question, _asker(caller)))


async def _find_threats(caller: Caller, table: Table, seat: Seat, asker: Asker) -> Threats:
    view: AnyView = table.game.view(table.state, seat)
    if "position" not in view:  # seats have secrets, and what wins depends on them
        return Threats([], [], ())
    question = ThreatQuestion(table.terms.game, table.terms.options, view)
    return await caller.services.bots.pool.ask(THREATS, question, asker)


def _asker(caller: Caller) -> Asker:
    """Return the caller as an asker in the queue for help; raises TooMany."""
    asker = Asker(caller.visitor.id, Urgency.HELP)
    if caller.services.bots.pool.waiting("play", asker) >= MOST_WAITING:
        raise TooMany("You have asked for help often enough; wait for the answers.")
    return asker


async def _while_connected(request: AnyRequest, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine, which is cancelled when the client closes the connection.

    Raises NoHints if that happens or the workers fail.
    """
    loop = asyncio.get_running_loop()
    working, gone = loop.create_task(work), loop.create_task(_disconnected(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise NoHints("Nobody waits for this answer any more.")
        return await working
    except TaskFailed:
        raise NoHints("No bot can help just now; try again.") from None
    finally:
        working.cancel()
        gone.cancel()


async def _disconnected(request: AnyRequest) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _helped(caller: Caller, match: str) -> tuple[Table, Seat | None]:
    """Return a casual match in which the caller plays against bots only, and the caller's seat if it is on turn.

    Raises NoHints for any other match.
    """
    table = await (await caller.services.registry.find(match)).current()
    people = {player.id for player in table.players if player is not None and player.kind == "person"}
    if table.terms.rated or people != {caller.visitor.id}:
        raise NoHints(AGAINST_BOTS)
    return table, table.turn if table.turn in table.seats(caller.visitor.id) else None


def reason(found: Threats, action: str, choices: int) -> str:
    """Return why an action is suggested: `only`, `wins`, `stops` or, on the word of a bot, `best`."""
    if choices == 1:
        return "only"
    if action in found.wins:
        return "wins"
    return "stops" if action in found.stops else "best"
