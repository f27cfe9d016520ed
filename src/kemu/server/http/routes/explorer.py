"""What is known of a position: what was played from it, what is proved, and the graph of a small solved game."""

import asyncio
from contextlib import aclosing
from typing import Any, Final

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kemu.analysis.analyse import MOST_LINES
from kemu.analysis.explorer import Tally, canonical, check_explorable, explore, position_key
from kemu.core.game import AnyGame
from kemu.core.record import replay
from kemu.server.http.caller import READ, Caller
from kemu.server.http.requests import ExplorerRequest, GraphRequest
from kemu.server.http.responses import ExplorerAnswer, PlayedAction, ProvedAnswer
from kemu.server.http.routes.games import make
from kemu.work.tasks import ANALYSE, GRAPH, GraphAnswer, LinesQuestion, PositionQuestion

PROOF_MS: Final = 1000
"""How long proofs are looked for."""


@post("/api/explorer", status_code=200, opt=READ)
async def explorer(caller: NamedDependency[Caller], data: JSONBody[ExplorerRequest]) -> ExplorerAnswer:
    """What was played from a position: in your own games, in all public ones, or in those of bots among themselves."""
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
async def proved(caller: NamedDependency[Caller], data: JSONBody[ExplorerRequest]) -> ProvedAnswer:
    """What is proved of the actions in a position, as far as a short search finds it; the scope does not matter."""
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
    """The state that a request asks about, and the key of its position. Raises KemuError."""
    *_, state = replay(rules, data.actions, None if data.position is None else rules.decode(data.position))
    return state, position_key(canonical(rules, state))


@post("/api/analysis/graph", status_code=200, opt=READ)
async def graph(caller: NamedDependency[Caller], data: JSONBody[GraphRequest]) -> GraphAnswer:
    """Every position of a small solved game up to symmetry, and which of them this one is."""
    question: PositionQuestion = data
    return await caller.services.analyses.ask(GRAPH, question, caller.asker)


handlers: list[Any] = [explorer, proved, graph]
