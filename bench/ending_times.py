"""Time to solve endings without Tane exactly: python bench/ending_times.py [POSITIONS] [LEFT] [VARIANT…]

Positions are like those of bench/endings.py, all with LEFT (18) empty hollows, of the beginner's and the basic game or
of the variants named. Each is solved with empty tables. Prints the median, the 95 % and the largest of the processor
times and of the positions looked at.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kemu.engines.moeraki.lasthollows import Endings
from kemu.engines.moeraki.translation import kernel_state
from kemu.games.moeraki.rules import MoerakiKemu
from tests.differential.brute_force import quiet_ending


def solved(game: MoerakiKemu, left: int, number: int) -> tuple[float, int]:
    """The processor time that the result of one position takes, and how many positions are looked at."""
    state = quiet_ending(game, left, f"{game.variant} {left} {number}")
    words = kernel_state(game, state)
    own, other = int(words[state.turn]), int(words[1 - state.turn])
    endings = Endings(int(words[2]), game.variant == "basic")
    begin = time.process_time()
    endings.value(own, other, state.turn == game.starter)
    return time.process_time() - begin, endings.nodes


def spread(numbers: Sequence[float], digits: int) -> str:
    """The median, the 95 % and the largest of some numbers."""
    ordered = sorted(numbers)
    parts = (ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100], ordered[-1])
    return " / ".join(f"{part:.{digits}f}" for part in parts)


def main(positions: int, left: int, variants: Sequence[str]) -> None:
    for variant in variants:
        game = MoerakiKemu(variant)
        solved(game, 8, 0)  # compiles
        times, nodes = zip(*(solved(game, left, number) for number in range(positions)), strict=True)
        found = f"{spread(times, 3)} s, {spread(nodes, 0)} positions looked at"
        print(
            f"{variant}: {positions} positions with {left} empty hollows; median / 95 % / largest {found}", flush=True
        )


if __name__ == "__main__":
    words = [*sys.argv[1:], *("100", "18")[len(sys.argv) - 1 :]]
    main(int(words[0]), int(words[1]), words[2:] or ("beginner", "basic"))
