"""Endings of Moeraki-Kemu, solvers against brute force: python bench/endings.py [POSITIONS] [LEFT] [VARIANT…]

The brute force is tests/differential/compiled_brute_force.py, which plays by the rules and shares nothing with the
solvers. Positions have 1 to LEFT empty hollows (14), as many of each; in the master's game both Tane are still in hand.
Prints for each variant, or for those named, how many positions were compared, how many differ, the results, and the
time of both.
"""

import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from kemu.engines.moeraki.lasthollows import Endings
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.differential.brute_force import quiet_ending
from tests.differential.compiled_brute_force import compiled_brute_force

KNOWN_BITS = 9
"""A table of the brute force has two to the power of so many rows, doubled for each empty hollow."""

REPORT_EVERY = 70


def solved(game: MoerakiKemu, state: State, workspace: Workspace) -> int | None:
    """The result by the solver of the variant."""
    words = kernel_state(game, state)
    if game.variant == "master":
        workspace.place_ball(int(words[2]))
        workspace.begin(1 << 40)
        return workspace.solve(words)
    endings = Endings(int(words[2]), game.variant == "basic", 1 << 16)
    return endings.value(int(words[state.turn]), int(words[1 - state.turn]), state.turn == game.starter)


class Comparison:
    """What was found in one variant so far."""

    def __init__(self, variant: str, left: int) -> None:
        self.game = MoerakiKemu(variant)
        self.left = left
        self.workspace = Workspace(kernel_rules(self.game))
        self.known = np.zeros((1 << KNOWN_BITS + left, 4), np.uint64)
        self.differ, self.by_solver, self.by_force = 0, 0.0, 0.0
        self.results: Counter[int] = Counter()
        self.hollows: Counter[int] = Counter()

    def add(self, number: int) -> None:
        """Compares the position of a number."""
        empty = 1 + number % self.left
        state = quiet_ending(self.game, empty, f"{self.game.variant} {number}")
        begin = time.process_time()
        value = solved(self.game, state, self.workspace)
        middle = time.process_time()
        force = compiled_brute_force(self.game, state, self.known[: 1 << KNOWN_BITS + empty])
        self.by_solver += middle - begin
        self.by_force += time.process_time() - middle
        self.results[force] += 1
        self.hollows[empty] += 1
        if value != force:
            self.differ += 1
            print("differs:", self.game.variant, self.game.encode(state), value, force, flush=True)

    def report(self) -> None:
        found = f"{self.results.total()} compared, {self.differ} differ, {dict(self.results)}"
        print(f"{self.game.variant}: {found}, {self.by_solver:.1f} s and {self.by_force:.1f} s", flush=True)


def main(positions: int, left: int, variants: Sequence[str]) -> None:
    comparisons = [Comparison(variant, left) for variant in variants]
    for first in range(0, positions, REPORT_EVERY):
        for comparison in comparisons:
            for number in range(first, min(first + REPORT_EVERY, positions)):
                comparison.add(number)
            comparison.report()
    for comparison in comparisons:
        print(f"{comparison.game.variant}: by empty hollows {dict(sorted(comparison.hollows.items()))}")


if __name__ == "__main__":
    words = [*sys.argv[1:], *("1000", "14")[len(sys.argv) - 1 :]]
    main(int(words[0]), int(words[1]), words[2:] or ("beginner", "basic", "master"))
