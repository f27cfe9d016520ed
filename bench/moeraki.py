"""Random games and search nodes a second of the compiled Moeraki-Kemu, on one core, and its start-up time."""

import random
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from yardstick import yardstick

from kemu.engines.analysis import Budget
from kemu.engines.moeraki import kernel, playouts, threats
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.tables import Words
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

GAMES = 50_000
RUNS = 20
POSITIONS = 400
SEARCHED = 40
SEARCH_RUNS = 10
SEARCH_NODES = 20_000
START = """
import kemu, time
from kemu.engines.analysis import Budget
from kemu.engines.moeraki.search import Searcher
game = kemu.game("moeraki-kemu")
Searcher(game).search(game.apply(game.initial(), game.parse("@f6")), Budget(nodes=10_000))
"""


def best(run: Callable[[], object]) -> float:
    """Seconds of processor time, the best of several runs."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def random_games(variant: str) -> tuple[float, float]:
    """Millions of games and of stones a second."""
    game = MoerakiKemu(variant)
    start, rules, ends = kernel_state(game, game.initial()), kernel_rules(game), np.zeros((1, 8), np.uint64)
    stones = playouts.playouts(start, rules, GAMES, 1, ends)
    seconds = best(lambda: playouts.playouts(start, rules, GAMES, 1, ends))
    return GAMES / seconds / 1e6, stones / seconds / 1e6


def threat_nodes() -> float:
    """Millions of positions a second that the threat search looks at, from random positions of 8 to 20 stones."""
    game, source = MoerakiKemu("basic"), random.Random(1)
    workspace, positions = Workspace(kernel_rules(game)), list[Words]()
    while len(positions) < POSITIONS:
        state = game.initial()
        for _ in range(source.randrange(9, 22)):
            if game.outcome(state) is None:
                state = game.apply(state, source.choice(game.actions(state)))
        if game.outcome(state) is None:
            positions.append(kernel_state(game, state))
    spent, nodes = [], 0
    for _ in range(RUNS):
        nodes, seconds = 0, 0.0
        for words in positions:
            workspace.place_ball(int(words[kernel.BALL_AT]))
            workspace.begin(1 << 60)
            start = time.process_time()
            workspace.attack(np.uint64(words[0]), np.uint64(words[1]))
            workspace.attack(np.uint64(words[1]), np.uint64(words[0]))
            seconds += time.process_time() - start
            nodes += int(workspace.counters[threats.NODES])
        spent.append(seconds)
    return nodes / min(spent) / 1e6


def search_nodes(variant: str) -> float:
    """Thousands of positions a second that a whole search looks at, from random positions of 4 to 40 stones."""
    game, source, states = MoerakiKemu(variant), random.Random(2), list[State]()
    while len(states) < SEARCHED:
        state = game.initial()
        for _ in range(source.randrange(5, 42)):
            if game.outcome(state) is None:
                state = game.apply(state, source.choice(game.actions(state)))
        if game.outcome(state) is None:
            states.append(state)
    searcher, spent, nodes = Searcher(game), [], 0
    for _ in range(SEARCH_RUNS):
        nodes, seconds = 0, 0.0
        for state in states:
            # Cleared beforehand, so that the memory's first use is not timed.
            searcher.workspace.place_ball(int(kernel_state(game, state)[kernel.BALL_AT]))
            start = time.process_time()
            nodes += searcher.search(state, Budget(nodes=SEARCH_NODES)).nodes
            seconds += time.process_time() - start
        spent.append(seconds)
    return nodes / min(spent) / 1e3


def main() -> None:
    print(f"yardstick {yardstick():.3f} s")
    for variant, least in (("beginner", 2.0), ("basic", 1.3), ("master", 0.7)):
        games, stones = random_games(variant)
        print(f"random games, {variant:8} {games:6.2f} million/s, {stones:6.1f} million stones/s (at least {least})")
    print(f"threat search          {threat_nodes():6.2f} million nodes/s (at least 3)")
    for variant in ("beginner", "basic", "master"):
        print(f"whole search, {variant:8} {search_nodes(variant):6.0f} thousand nodes/s")
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", START], check=True)
    print(f"first move of a fresh process, warm cache {time.perf_counter() - start:5.2f} s (at most 2)")


if __name__ == "__main__":
    main()
