"""The search of Moeraki-Kemu against that of another checkout of Kemu: pairs of games from contested openings.

python bench/moeraki_commits.py OTHER/src --variant basic --ms 200 --pairs 40
python bench/moeraki_commits.py OTHER/src --nodes 100000 --other-nodes 150000
python bench/moeraki_commits.py OTHER/src --ms 50 --other-ms 200

An opening, 4 to 8 random stones, is contested if a search finds less than SMALL for either side and short games of
this search against itself from there are won by both. Each engine is a process of its own.
"""

import argparse
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import fmean, stdev

from kemu.core.game import Seat
from kemu.engines.analysis import Budget
from kemu.engines.moeraki.search import Searcher
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

HERE = Path(__file__).parent
LENGTHS = range(5, 10)
SMALL = 0.25
"""The value of a score of about 300."""

SHORT_GAMES = 6
SHORT = (1_500, 2_500, 4_000)
"""Nodes for each action of those games."""


class Engine:
    """A process that plays with the sources of one folder."""

    def __init__(self, sources: Path, kind: str, limit: int) -> None:
        command = [sys.executable, str(HERE / "engine_process.py")]
        environment = {**os.environ, "PYTHONPATH": str(sources)}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self._budget = f"{kind} {limit}"
        self.nodes = self.microseconds = self.asked = 0

    def begin(self, variant: str) -> None:
        """Begins a game with empty tables."""
        self._ask(f"new {variant}")

    def choose(self, actions: list[str]) -> str:
        """The action after those played."""
        action, nodes, microseconds = self._ask(f"go {self._budget} {' '.join(actions)}")
        self.nodes, self.microseconds = self.nodes + int(nodes), self.microseconds + int(microseconds)
        self.asked += 1
        return action

    def speed(self) -> str:
        """The processor time of an action, and of a node."""
        if not self.asked:
            return "not asked"
        return (
            f"{self.microseconds / self.asked / 1000:.1f} ms an action, {self.microseconds / self.nodes:.3f} µs a node"
        )

    def _ask(self, line: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(line, file=self._process.stdin, flush=True)
        return self._process.stdout.readline().split()


def is_contested(game: MoerakiKemu, searcher: Searcher, start: State) -> bool:
    """Whether neither side stands better from here, and both win some games."""
    if abs(searcher.search(start, Budget(nodes=60_000)).value) > SMALL:
        return False
    winners: set[Seat] = set()
    for seed in range(SHORT_GAMES):
        source, state = random.Random(seed), start
        while (outcome := game.outcome(state)) is None:
            budget = Budget(nodes=source.choice(SHORT))
            state = game.apply(state, searcher.search(state, budget, seed=source.randrange(1000)).action)
        winners.update(outcome.winners)
        if len(winners) == 2:
            return True
    return False


def contested_openings(game: MoerakiKemu) -> Iterator[list[str]]:
    """Contested openings without end, the same in every run."""
    searcher, seed = Searcher(game), 0
    while True:
        source, state, actions = random.Random(seed), game.initial(), []
        for _ in range(source.choice(LENGTHS)):
            if game.outcome(state) is None:
                action = source.choice(game.actions(state))
                actions.append(game.format(action))
                state = game.apply(state, action)
        if game.outcome(state) is None and is_contested(game, searcher, state):
            yield actions
        seed += 1


def play(game: MoerakiKemu, opening: list[str], engines: tuple[Engine, Engine]) -> tuple[float, str]:
    """What the engine in seat 0 scores from an opening, and why the game ended."""
    actions, state = list(opening), game.initial()
    for engine in engines:
        engine.begin(game.variant)
    for text in opening:
        state = game.apply(state, game.parse(text))
    while (outcome := game.outcome(state)) is None:
        choices = game.actions(state)
        text = game.format(choices[0]) if len(choices) == 1 else engines[state.turn].choose(actions)
        actions.append(text)
        state = game.apply(state, game.parse(text))
    return (1.0 if outcome.winners == (0,) else 0.0 if outcome.winners else 0.5), outcome.reason


def match(game: MoerakiKemu, ours: Engine, theirs: Engine, pairs: int) -> None:
    """Plays so many pairs and prints the result after each."""
    shares: list[float] = []
    reasons = Counter[str]()
    for opening in islice(contested_openings(game), pairs):
        first, reason = play(game, opening, (ours, theirs))
        second, other_reason = play(game, opening, (theirs, ours))
        reasons.update((reason, other_reason))
        shares.append((first + 1 - second) / 2)
        error = 1.96 * stdev(shares) / len(shares) ** 0.5 if len(shares) > 1 else 0.5
        won, lost = sum(share > 0.5 for share in shares), sum(share < 0.5 for share in shares)
        print(
            f"{game.variant}: {fmean(shares):.1%} ± {error:.1%} of {len(shares)} pairs, {won} won, {lost} lost;",
            end=" ",
        )
        print(f"ours {ours.speed()}; theirs {theirs.speed()}; {dict(reasons)}", flush=True)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("sources", type=Path, help="the folder src of the other checkout")
    words.add_argument("--variant", default="basic")
    words.add_argument("--ms", type=int, default=200)
    words.add_argument("--nodes", type=int)
    words.add_argument("--other-ms", type=int)
    words.add_argument("--other-nodes", type=int)
    words.add_argument("--pairs", type=int, default=20)
    chosen = words.parse_args()
    kind = "nodes" if chosen.nodes else "ms"
    limit = chosen.nodes or chosen.ms
    other = (chosen.other_nodes if chosen.nodes else chosen.other_ms) or limit
    ours = Engine(HERE.parent / "src", kind, limit)
    match(MoerakiKemu(chosen.variant), ours, Engine(chosen.sources, kind, other), chosen.pairs)


if __name__ == "__main__":
    main()
