"""The time to a depth of the search of Moeraki-Kemu by threads and by the size of its table.

python bench/moeraki_threads.py --depth 8 --threads 1 2
python bench/moeraki_threads.py --depth 9 --rows 18 20 --variant master

The positions are 30 from games of the search against itself that threats do not decide. The time is the processor time
of the thread that decides the action: on a busy machine all threads get about the same share of the processors, so that
it comes near to the time by the clock of a quiet one.
"""

import argparse
import random
import time
from math import exp, log
from statistics import fmean

import numpy as np

from kemu.engines.analysis import Budget
from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.root import Root
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

OPENING = 5
LATEST = 28
PLAYING, CHECKING, LONGEST = Budget(nodes=1_500), Budget(nodes=100_000), Budget(ms=60_000)


class RootToDepth(Root):
    """A search that ends with a depth."""

    last_depth = 0

    def decided(self) -> bool:
        return self.depth >= self.last_depth or super().decided()


def undecided_positions(game: MoerakiKemu, count: int) -> list[State]:
    """Positions of games of the search against itself, the same in every run."""
    searcher, states, seed = Searcher(game), list[State](), 0
    while len(states) < count:
        source, state = random.Random(seed), game.initial()
        for number in range(source.randrange(OPENING + 2, LATEST)):
            if game.outcome(state) is None:
                random_action = source.choice(game.actions(state))
                found = searcher.search(state, PLAYING, seed=seed).action if number >= OPENING else random_action
                state = game.apply(state, found)
        if game.outcome(state) is None and state.step is None and searcher.search(state, CHECKING).proven is None:
            states.append(state)
        seed += 1
    return states


def measure(game: MoerakiKemu, states: list[State], depth: int, threads: int, rows: int) -> str:
    """The times to a depth from all positions, each with an empty table."""
    workspace = Workspace(kernel_rules(game), np.zeros((1 << rows, 4), np.uint64))
    times, processor, nodes, reached = list[float](), time.process_time(), 0, list[int]()
    for state in states:
        words = kernel_state(game, state)
        workspace.place_ball(int(words[kernel.BALL_AT]))
        root = RootToDepth(workspace, words, 1, 0)
        root.last_depth = depth
        begin = time.thread_time()
        root.run(LONGEST, threads)
        times.append(1000 * (time.thread_time() - begin))
        nodes += root.nodes
        reached.append(root.depth)
    processor = time.process_time() - processor
    return (
        f"{threads} threads, 2^{rows} rows: {fmean(times):.1f} ms to depth {depth} (geometric mean"
        f" {exp(fmean(map(log, times))):.1f}), {processor / len(states) * 1000:.1f} of all threads,"
        f" {nodes / len(states) / 1e6:.2f} million nodes, {nodes / processor / 1e6:.2f} million a second of processor"
        f" time, depth {fmean(reached):.1f} on average"
    )


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--variant", default="basic")
    words.add_argument("--depth", type=int, default=8)
    words.add_argument("--positions", type=int, default=30)
    words.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    words.add_argument("--rows", type=int, nargs="+", default=[18], help="powers of two")
    chosen = words.parse_args()
    game = MoerakiKemu(chosen.variant)
    states = undecided_positions(game, chosen.positions)
    for rows in chosen.rows:
        for threads in chosen.threads:
            print(f"{game.variant}: {measure(game, states, chosen.depth, threads, rows)}", flush=True)


if __name__ == "__main__":
    main()
