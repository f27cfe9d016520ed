"""Endings of Moeraki-Kemu, solvers against brute force: python bench/endings.py [POSITIONS] [LEFT] [MASTER]

Prints for each variant how many positions were compared, how many differ, and the time of both. Positions have 1 to
LEFT empty hollows (14), the same number of each; in the master's game 1 to MASTER (8), with both Tane still in hand.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kemu.engines.moeraki.lasthollows import Endings
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.differential.brute_force import brute_force, quiet_ending


def solved(game: MoerakiKemu, state: State, workspace: Workspace) -> int | None:
    """The result by the solver of the variant."""
    words = kernel_state(game, state)
    if game.variant == "master":
        workspace.place_ball(int(words[2]))
        workspace.begin(1 << 40)
        return workspace.solve(words)
    endings = Endings(int(words[2]), game.variant == "basic", 1 << 16)
    return endings.value(int(words[state.turn]), int(words[1 - state.turn]), state.turn == game.starter)


def main(positions: int = 1000, left: int = 14, master: int = 8) -> None:
    for variant in ("beginner", "basic", "master"):
        game = MoerakiKemu(variant)
        workspace = Workspace(kernel_rules(game))
        differ, by_solver, by_force = 0, 0.0, 0.0
        for number in range(positions):
            state = quiet_ending(game, 1 + number % (master if variant == "master" else left), f"{variant} {number}")
            begin = time.process_time()
            value = solved(game, state, workspace)
            middle = time.process_time()
            force = brute_force(game, state, {})
            by_solver, by_force = by_solver + middle - begin, by_force + time.process_time() - middle
            if value != force:
                differ += 1
                print(variant, game.encode(state), value, force, flush=True)
        print(f"{variant}: {positions} compared, {differ} differ, {by_solver:.1f} s and {by_force:.1f} s", flush=True)


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:]))
