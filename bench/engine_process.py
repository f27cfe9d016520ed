"""One engine that answers on standard output what is asked on standard input; see checkouts.py.

`new GAME OPTION` begins a game, answered by `ready`: `moeraki-kemu` and its variant, or `mauw` and how many play.
`go nodes|ms BUDGET POSITION` asks for an action, answered by the action, the nodes and the microseconds of processor
time. The position of Moeraki-Kemu is the actions so far; that of MAUW is its view, log and seed as JSON. It uses only
what commit fc6a074 has.
"""

import json
import sys
import time
from functools import cache
from typing import Any

from kemu.engines.analysis import Budget


@cache
def searcher(game: str, option: str) -> Any:
    """The search of a game; no other game is imported."""
    if game == "mauw":
        from kemu.engines.mauw.search import Searcher as MauwSearcher
        from kemu.games.mauw.rules import Mauw

        return MauwSearcher(Mauw(int(option)))
    from kemu.engines.moeraki.search.searcher import Searcher
    from kemu.games.moeraki.rules import MoerakiKemu

    return Searcher(MoerakiKemu(option))


def begin(game: str, option: str) -> Any:
    """The search with empty tables."""
    found = searcher(game, option)
    if game != "mauw":
        from kemu.engines.moeraki.board.kernel import NOWHERE

        found.workspace.place_ball(NOWHERE)
    return found


def answer(search: Any, game: str, budget: Budget, position: str) -> str:
    """The line that answers `go`."""
    if game == "mauw":
        view, log, seed = json.loads(position)
        before = time.process_time()
        found = search.search(view, log, budget, seed=seed)
    else:
        state = search.game.initial()
        for text in position.split():
            state = search.game.apply(state, search.game.parse(text))
        before = time.process_time()
        found = search.search(state, budget)
    return f"{search.game.format(found.action)} {found.nodes} {round(1e6 * (time.process_time() - before))}"


def main() -> None:
    game, search = "", None
    for line in sys.stdin:
        command, *words = line.split(maxsplit=3)
        if command == "new":
            game, search = words[0], begin(words[0], words[1])
            print("ready", flush=True)
        else:
            kind, limit, position = (*words, "")[:3]
            budget = Budget(nodes=int(limit)) if kind == "nodes" else Budget(ms=int(limit))
            print(answer(search, game, budget, position.strip()), flush=True)


main()  # without a test of the name, by which `kemu bench` finds benchmarks: this is none
