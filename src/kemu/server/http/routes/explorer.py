"""What is known of a position: what was played from it, what is proved, and the graph of a small solved game."""

import asyncio
from contextlib import aclosing
from typing import Any, Final, Literal

from litestar import post
from litestar.params import JSONBody
from msgspec import Struct

from kemu.analysis.analyse import MOST_LINES, make
from kemu.analysis.explorer import Tally, canonical, check_explorable, explore, position_key
from kemu.core.game import AnyGame, Seat
from kemu.core.record import replay
from kemu.server.http.caller import READ, FromCaller
from kemu.work.tasks import ANALYSE, GRAPH, GraphAnswer, LinesQuestion, PositionQuestion

PROOF_MS: Final = 1000
"""How long proofs are looked for."""


class ExplorerRequest(PositionQuestion, frozen=True, forbid_unknown_fields=True):
    """A position, by the actions played from another one, and whose games to look at."""

    scope: Literal["mine", "public", "bots"] = "public"


class GraphRequest(PositionQuestion, frozen=True, forbid_unknown_fields=True):
    """A position to be found in the graph of its game."""


class PlayedAction(Struct, frozen=True):
    """Actions that were played and that symmetry makes one, and how the games ended for who played them."""

    actions: list[str]
    won: int
    drawn: int
    lost: int


class ExplorerAnswer(Struct, frozen=True):
    """What was played from a position, the most frequent first, and whose turn it is."""

    turn: Seat | None
    played: list[PlayedAction]


class ProvedAnswer(Struct, frozen=True):
    """By action, what is proved after it for who takes it, such as "win in 3"; actions without a proof are missing."""

    proved: dict[str, str]


@post("/api/explorer", status_code=200, opt=READ)
async def explorer(caller: FromCaller, data: JSONBody[ExplorerRequest]) -> ExplorerAnswer:
    """Return what was played from a position: in your own games, all public ones, or those of bots alone."""
    rules = make(data.game, data.options)
    check_explorable(rules)
    await caller.services.analyses.check(caller.asker, data.game)
    async with caller.services.turns.of(caller.address):  # a long line takes a while
        state, key = await asyncio.to_thread(_position, rules, data)
    scope = caller.visitor.id if data.scope == "mine" else data.scope
    rows = await caller.services.runtime.store.explorer.tallies(key, scope)
    tallies = {row.action: Tally(row.won, row.drawn, row.lost) for row in rows}
    played = [PlayedAction(list(each.actions), *each.tally) for each in explore(rules, state, tallies)]
    return ExplorerAnswer(rules.turn(state), played)


@post("/api/explorer/proved", status_code=200, opt=READ)
async def proved(caller: FromCaller, data: JSONBody[ExplorerRequest]) -> ProvedAnswer:
    """Return what a short search proves of the actions in a position; the scope does not matter."""
    check_explorable(make(data.game, data.options))
    found: dict[str, str] = {}
    question = LinesQuestion(data.game, data.options, data.position, data.actions, MOST_LINES)
    async with aclosing(caller.services.analyses.stream(ANALYSE, question, caller.asker)) as steps:
        async for step in steps:
            found |= {line.action: line.proven for line in step.lines if line.proven}
            if step.ms >= PROOF_MS:
                break
    return ProvedAnswer(found)


def _position(rules: AnyGame, data: ExplorerRequest) -> tuple[Any, str]:
    """Return the state that a request asks about, and the key of its position. Raises KemuError."""
    *_, state = replay(rules, data.actions, None if data.position is None else rules.decode(data.position))
    return state, position_key(canonical(rules, state))


@post("/api/analysis/graph", status_code=200, opt=READ)
async def graph(caller: FromCaller, data: JSONBody[GraphRequest]) -> GraphAnswer:
    """Return every position of a small solved game up to symmetry, and which of them this one is."""
    question: PositionQuestion = data
    return await caller.services.analyses.ask(GRAPH, question, caller.asker)
