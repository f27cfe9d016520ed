"""Help for learners, in casual matches against bots."""

import asyncio
from typing import Any

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from kemu.core.errors import KemuError
from kemu.core.game import Seat
from kemu.play.table import Table
from kemu.server.http import advice
from kemu.server.http.caller import Caller
from kemu.server.http.responses import Hint, Threats
from kemu.server.jobs.bots import BotFailed


class NoHints(KemuError):
    """Hints are for casual matches against bots."""

    code = "no-hints"


@post("/api/matches/{match:str}/hint", status_code=200)
async def hint(caller: NamedDependency[Caller], match: FromPath[str]) -> Hint:
    """What the strongest bot would do in your place, and why."""
    table, seat = await _asked(caller, match)
    bots = caller.services.bots
    question = bots.question(table, seat, bots.names(table.game)[-1])
    try:
        action = await bots.choose(question)
    except BotFailed:
        raise NoHints("No bot can help just now; try again.") from None
    found = await asyncio.to_thread(advice.threats, table.game, question.view, seat)
    return Hint(action, advice.reason(found, action, len(question.actions)))


@get("/api/matches/{match:str}/threats")
async def threats(caller: NamedDependency[Caller], match: FromPath[str]) -> Threats:
    """What wins at once and what must be stopped."""
    table, seat = await _asked(caller, match)
    view = table.game.view(table.state, seat)
    return await asyncio.to_thread(advice.threats, table.game, view, seat)


async def _asked(caller: Caller, match: str) -> tuple[Table, Seat]:
    """The table and the seat on turn, if that is the caller's and all others are bots."""
    table = await (await caller.services.registry.find(match)).current()
    people = {player.id for player in table.players if player is not None and player.kind == "person"}
    seat = table.turn
    if table.terms.rated or people != {caller.visitor.id} or seat is None or seat not in table.seats(caller.visitor.id):
        raise NoHints("Hints are for casual matches against bots, on your turn.")
    return table, seat


handlers: list[Any] = [hint, threats]
