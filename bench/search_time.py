"""Time that the search takes to prove a position of the beginner's game: python bench/search_time.py SECONDS

Reads a position document from each line of standard input and answers with the processor time until the search has
proved who wins, SECONDS if it has not by then. bench/proof_time.py starts it, with older states of the code too.
"""

import json
import sys
import time

from kemu.engines.analysis import Budget
from kemu.engines.moeraki import threats
from kemu.engines.moeraki.root import Root
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

GAME = MoerakiKemu("beginner")
ROUND_NODES = 200_000
WARMING_NODES = 1_000_000
"""For the empty board, so that all tables have been in use."""

DECIDED = 29_000
"""A score beyond this is a proved line, in all states of the code."""


def time_of_search(state: State, workspace: Workspace, seconds: float) -> float:
    """The processor time until the search proves who wins, at most so many seconds."""
    root = Root(workspace, kernel_state(GAME, state), 1, 0)
    begin, nodes = time.process_time(), ROUND_NODES
    while abs(root.candidates[0].score) <= DECIDED and time.process_time() - begin < seconds:
        root.workspace.counters[threats.STOP] = 0
        root.run(Budget(nodes=nodes), 1)
        nodes *= 2
    return min(time.process_time() - begin, seconds)


def main(seconds: float) -> None:
    workspace = Workspace(kernel_rules(GAME))
    ball = GAME.apply(GAME.initial(), GAME.parse("@f6"))
    Root(workspace, kernel_state(GAME, ball), 1, 0).run(Budget(nodes=WARMING_NODES), 1)
    for line in sys.stdin:
        print(time_of_search(GAME.decode(json.loads(line)), workspace, seconds), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]))
