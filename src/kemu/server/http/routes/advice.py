"""Help for learners, in casual matches against bots."""

import asyncio
from typing import Any

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from kemu.core.errors import KemuError
from kemu.core.game import Seat
from kemu.server import advice
from kemu.server.answers import Hint, Threats
from kemu.server.bots import BotFailed
from kemu.server.caller import Caller
from kemu.server.live import LiveTable


class NoHints(KemuError):
    """Hints are for casual matches against bots."""

    code = "no-hints"


@post("/api/matches/{match:str}/hint", status_code=200)
async def hint(caller: NamedDependency[Caller], match: FromPath[str]) -> Hint:
    """What the strongest bot would do in your place, and why."""
    live, seat = await _asked(caller, match)
    strongest = caller.hall.bots.names(live.table.game)[-1]
    question = caller.hall.tender.question(live, seat, strongest)
    try:
        action = await caller.hall.bots.choose(question)
    except BotFailed:
        raise NoHints("No bot can help just now; try again.") from None
    found = await asyncio.to_thread(advice.threats, live.table.game, question.view, seat)
    return Hint(action, advice.reason(found, action, len(question.actions)))


@get("/api/matches/{match:str}/threats")
async def threats(caller: NamedDependency[Caller], match: FromPath[str]) -> Threats:
    """What wins at once and what must be stopped."""
    live, seat = await _asked(caller, match)
    game = live.table.game
    return await asyncio.to_thread(advice.threats, game, game.view(live.table.match.state, seat), seat)


async def _asked(caller: Caller, match: str) -> tuple[LiveTable, Seat]:
    """The table and the seat on turn, if that is the caller's and all others are bots."""
    live = await caller.hall.table(match)
    table = await live.settled()
    people = {player.id for player in table.players if player is not None and player.kind == "person"}
    seat = table.turn
    if table.terms.rated or people != {caller.visitor.id} or seat is None or seat not in table.seats(caller.visitor.id):
        raise NoHints("Hints are for casual matches against bots, on your turn.")
    return live, seat


handlers: list[Any] = [hint, threats]
