"""The explorer: what was played from a position in finished matches."""

from contextlib import aclosing
from typing import Any, Final

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kemu.core.record import replay
from kemu.server.http.caller import READ, Caller
from kemu.server.http.requests import ExplorerRequest
from kemu.server.http.responses import ExplorerAnswer, PlayedAction, ProvedAnswer
from kemu.server.http.routes.games import make
from kemu.study.analyse import MOST_LINES
from kemu.study.explorer import Tally, check_explorable, explore, position_key
from kemu.study.positions import canonical

PROOF_MS: Final = 1000
"""How long proofs are looked for."""


@post("/api/explorer", status_code=200, opt=READ)
async def explorer(caller: NamedDependency[Caller], data: JSONBody[ExplorerRequest]) -> ExplorerAnswer:
    """What was played from a position: in your own games, in all public ones, or in those of bots among themselves."""
    rules = make(data.game, data.options)
    check_explorable(rules)
    await caller.services.study.check(caller.asker, data.game)
    *_, state = replay(rules, data.actions, None if data.position is None else rules.decode(data.position))
    scope = caller.visitor.id if data.scope == "mine" else data.scope
    rows = await caller.services.runtime.store.explorer.tallies(position_key(canonical(rules, state)), scope)
    tallies = {row.action: Tally(row.won, row.drawn, row.lost) for row in rows}
    played = [PlayedAction(list(each.actions), *each.tally) for each in explore(rules, state, tallies)]
    return ExplorerAnswer(rules.turn(state), played)


@post("/api/explorer/proved", status_code=200, opt=READ)
async def proved(caller: NamedDependency[Caller], data: JSONBody[ExplorerRequest]) -> ProvedAnswer:
    """What is proved of the actions in a position, as far as a short search finds it; the scope does not matter."""
    check_explorable(make(data.game, data.options))
    position = {"game": data.game, "options": data.options, "position": data.position, "actions": data.actions}
    found: dict[str, str] = {}
    question = {**position, "lines": MOST_LINES}
    async with aclosing(caller.services.study.stream("analyse", question, caller.asker)) as documents:
        async for document in documents:
            found |= {line["action"]: line["proven"] for line in document["lines"] if line["proven"]}
            if document["ms"] >= PROOF_MS:
                break
    return ProvedAnswer(found)


handlers: list[Any] = [explorer, proved]
