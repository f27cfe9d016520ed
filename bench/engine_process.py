"""One engine of Moeraki-Kemu that answers on standard output what is asked on standard input; see moeraki_commits.py.

`new VARIANT` begins a game, answered by `ready`. `go nodes|ms BUDGET ACTION…` asks for an action after those actions,
answered by the action, the nodes and the microseconds of processor time. It uses only what commit fc6a074 has.
"""

import sys
import time
from typing import Any

from kemu.engines.analysis import Budget
from kemu.engines.moeraki.kernel import NOWHERE
from kemu.engines.moeraki.search import Searcher
from kemu.games.moeraki.rules import MoerakiKemu


def answer(searcher: Any, kind: str, limit: int, actions: list[str]) -> str:
    """The line that answers `go`."""
    game = searcher.game
    state = game.initial()
    for text in actions:
        state = game.apply(state, game.parse(text))
    before = time.process_time()
    found = searcher.search(state, Budget(nodes=limit) if kind == "nodes" else Budget(ms=limit))
    return f"{game.format(found.action)} {found.nodes} {round(1e6 * (time.process_time() - before))}"


def main() -> None:
    searchers: dict[str, Searcher] = {}
    variant = ""
    for line in sys.stdin:
        command, *words = line.split()
        if command == "new":
            variant = words[0]
            searchers.setdefault(variant, Searcher(MoerakiKemu(variant))).workspace.place_ball(NOWHERE)
            print("ready", flush=True)
        else:
            print(answer(searchers[variant], words[0], int(words[1]), words[2:]), flush=True)


if __name__ == "__main__":
    main()
