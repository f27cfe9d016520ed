"""Time to solve endings without Tane exactly: python bench/ending_times.py [POSITIONS] [LEFT] [VARIANT…]

Positions are like those of bench/endings.py, all with LEFT (18) empty hollows, of the beginner's and the basic game or
of the variants named. Each is solved with empty tables. Prints the median, the 95 % and the largest of the processor
times and of the positions looked at; in the basic game of the exact lead too, which takes several searches.
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


def times_of(game: MoerakiKemu, left: int, number: int) -> tuple[float, int, float]:
    """The processor time of the result of one position and how many were looked at for it, and the time of the lead."""
    state = quiet_ending(game, left, f"{game.variant} {left} {number}")
    words = kernel_state(game, state)
    own, other = int(words[state.turn]), int(words[1 - state.turn])
    endings = Endings(int(words[2]), game.variant == "basic")
    begin = time.process_time()
    endings.value(own, other, state.turn == game.starter)
    middle, nodes = time.process_time(), endings.nodes
    if endings.tiles:
        endings.lead(own, other)
    return middle - begin, nodes, time.process_time() - middle


def spread(numbers: Sequence[float], digits: int) -> str:
    """The median, the 95 % and the largest of some numbers."""
    ordered = sorted(numbers)
    parts = (ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100], ordered[-1])
    return " / ".join(f"{part:.{digits}f}" for part in parts)


def main(positions: int, left: int, variants: Sequence[str]) -> None:
    for variant in variants:
        game = MoerakiKemu(variant)
        times_of(game, 8, 0)  # compiles
        results, nodes, leads = zip(*(times_of(game, left, number) for number in range(positions)), strict=True)
        print(f"{variant}: {positions} positions with {left} empty hollows; median / 95 % / largest", flush=True)
        print(f"  result {spread(results, 3)} s, {spread(nodes, 0)} positions looked at, lead {spread(leads, 3)} s")


if __name__ == "__main__":
    words = [*sys.argv[1:], *("100", "18")[len(sys.argv) - 1 :]]
    main(int(words[0]), int(words[1]), words[2:] or ("beginner", "basic"))
