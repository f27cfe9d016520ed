"""Time to prove, the prover of lines against the search without it: python bench/proof_time.py [POSITIONS] [SECONDS]

The positions are those of bench/hard_positions.json, of the beginner's game. Each is given to both, one after the other
in this process, for at most SECONDS (20) of processor time. Only those that the prover shows to be won or lost count:
the search has no proof of a draw before the last hollows. Prints the time of both and the geometric mean of the ratios;
a search that gave up counts with its limit, so that the mean is too small rather than too great.

python bench/proof_time.py --collect 50 [FROM]   writes the file again: the first positions of bench/verdicts.py from
number FROM on that are won or lost and take the prover more than HARD_NODES. That they are hard for the prover, not
for the search, makes the mean too small as well.
"""

import json
import sys
import time
from math import exp, log
from pathlib import Path

from verdicts import GAME, position

from kemu.engines.analysis import Budget
from kemu.engines.moeraki import threats
from kemu.engines.moeraki.lineproof import Board, LineProver, Result
from kemu.engines.moeraki.root import Root
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.transposition import PROVEN
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State

FILE = Path(__file__).parent / "hard_positions.json"
HARD_NODES = 5_000
MOST_NODES = 4_000_000
ROUND_NODES = 200_000


def board(state: State) -> tuple[str, Board]:
    """The hollow of the ball, and the stones of the side to move and the other."""
    words = kernel_state(GAME, state)
    return HOLLOWS[state.ball.bit_length() - 1].name, Board(int(words[state.turn]), int(words[1 - state.turn]))


def collect(wanted: int, number: int = 0) -> None:
    """Writes the first positions that take the prover more than HARD_NODES and that it shows to be won or lost."""
    searcher, found = Searcher(GAME), list[object]()
    while len(found) < wanted:
        state = position(number, searcher)
        ball, stones = board(state)
        verdict = LineProver(ball).prove(stones, Budget(nodes=MOST_NODES))
        if verdict.result in ("won", "lost") and verdict.nodes > HARD_NODES:
            found.append(GAME.encode(state))
            FILE.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
            print(f"{len(found)}: number {number}, {verdict.result}, {verdict.nodes} nodes", flush=True)
        number += 1


def time_of_prover(state: State, seconds: int) -> tuple[Result | None, float]:
    """What the prover shows, and the processor time that it takes."""
    ball, stones = board(state)
    prover, begin, nodes = LineProver(ball), time.process_time(), ROUND_NODES
    result: Result | None = None
    while result is None and time.process_time() - begin < seconds:
        result = prover.prove(stones, Budget(nodes=nodes)).result
        nodes *= 2
    return result, min(time.process_time() - begin, seconds)


def time_of_search(state: State, seconds: int) -> float:
    """The processor time that the search takes without proofs of lines."""
    root = Root(Workspace(kernel_rules(GAME)), kernel_state(GAME, state), 1, 0)
    begin, nodes = time.process_time(), ROUND_NODES
    while abs(root.candidates[0].score) <= PROVEN and time.process_time() - begin < seconds:
        root.workspace.counters[threats.STOP] = 0
        root.run(Budget(nodes=nodes), 1)
        nodes *= 2
    return min(time.process_time() - begin, seconds)


def main(positions: int = 50, seconds: int = 20) -> None:
    states = [GAME.decode(each) for each in json.loads(FILE.read_text(encoding="utf-8"))[:positions]]
    time_of_prover(states[0], 1)  # loads what is compiled
    time_of_search(states[0], 1)
    ratios, by_both = list[float](), 0
    for number, state in enumerate(states, 1):
        result, new = time_of_prover(state, seconds)
        if result in (None, "drawn"):
            print(f"{number}: {result or 'open'} after {new:.2f} s, left out", flush=True)
            continue
        old = time_of_search(state, seconds)
        by_both += old < seconds
        ratios.append(max(old, 1e-4) / max(new, 1e-4))
        mean = exp(sum(map(log, ratios)) / len(ratios))
        print(
            f"{number}: {result}, prover {new:.2f} s, search {old:.2f} s; {len(ratios)} positions, "
            f"{by_both} decided by both, mean of the ratios {mean:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--collect"]:
        collect(*(int(text) for text in sys.argv[2:]))
    else:
        main(*(int(text) for text in sys.argv[1:]))
