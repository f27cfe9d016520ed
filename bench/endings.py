"""Endings of Moeraki-Kemu, solvers against brute force: python bench/endings.py [POSITIONS] [LEFT]

The brute force is tests/differential/compiled_brute_force.py, which plays by the rules and shares nothing with the
solvers. Positions have 1 to LEFT empty hollows (14), as many of each; in the master's game both Tane are still in hand.
Prints for each variant how many positions were compared, how many differ, the results, and the time of both.
"""

import sys
import time
from collections import Counter
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

KNOWN_BITS = 7
"""A table of the brute force has two to the power of so many rows, doubled for each empty hollow."""

REPORT_EVERY = 100


def solved(game: MoerakiKemu, state: State, workspace: Workspace) -> int | None:
    """The result by the solver of the variant."""
    words = kernel_state(game, state)
    if game.variant == "master":
        workspace.place_ball(int(words[2]))
        workspace.begin(1 << 40)
        return workspace.solve(words)
    endings = Endings(int(words[2]), game.variant == "basic", 1 << 16)
    return endings.value(int(words[state.turn]), int(words[1 - state.turn]), state.turn == game.starter)


def compare(variant: str, positions: int, left: int) -> None:
    game = MoerakiKemu(variant)
    workspace, known = Workspace(kernel_rules(game)), np.zeros((1 << KNOWN_BITS + left, 4), np.uint64)
    differ, by_solver, by_force = 0, 0.0, 0.0
    results: Counter[int] = Counter()
    hollows: Counter[int] = Counter()
    for number in range(positions):
        empty = 1 + number % left
        state = quiet_ending(game, empty, f"{variant} {number}")
        begin = time.process_time()
        value = solved(game, state, workspace)
        middle = time.process_time()
        force = compiled_brute_force(game, state, known[: 1 << KNOWN_BITS + empty])
        by_solver, by_force = by_solver + middle - begin, by_force + time.process_time() - middle
        results[force] += 1
        hollows[empty] += 1
        if value != force:
            differ += 1
            print("differs:", variant, game.encode(state), value, force, flush=True)
        if number + 1 == positions or number % REPORT_EVERY == REPORT_EVERY - 1:
            times = f"{by_solver:.1f} s and {by_force:.1f} s"
            print(f"{variant}: {number + 1} compared, {differ} differ, {dict(results)}, {times}", flush=True)
    print(f"{variant}: positions by empty hollows {dict(sorted(hollows.items()))}", flush=True)


def main(positions: int = 1000, left: int = 14) -> None:
    for variant in ("beginner", "basic", "master"):
        compare(variant, positions, left)


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:]))
