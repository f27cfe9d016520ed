"""What random games are drawn from: every subset and every order is equally likely."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations

import numpy as np
import pytest

from kemu.engines.moeraki.playout_tanes import draw_plies
from kemu.engines.moeraki.playouts import half, some

TIMES = 500
CELLS = (0, 5, 33, 62, 63)


def board(bits: tuple[int, ...]) -> np.uint64:
    return np.uint64(sum(1 << bit for bit in bits))


def even(draw: Callable[[np.uint64], tuple[object, np.uint64]], outcomes: set[object]) -> None:
    """These outcomes, and no others, come equally often to within five standard deviations."""
    found: Counter[object] = Counter()
    stream = np.uint64(11)
    for _ in range(TIMES * len(outcomes)):
        outcome, stream = draw(np.uint64(stream))
        found[outcome] += 1
    assert set(found) == outcomes
    assert all(abs(count - TIMES) <= 5 * TIMES**0.5 for count in found.values()), found


@pytest.mark.parametrize("count", range(6))
def test_some_cells_are_any_of_so_many(count: int) -> None:
    even(lambda stream: some(board(CELLS), count, stream), set(map(board, combinations(CELLS, count))))


def test_half_of_the_cells_is_any_half() -> None:
    even(lambda stream: half(board(CELLS), stream), set(map(board, combinations(CELLS, 3))))
    even(lambda stream: half(board(CELLS[:4]), stream), set(map(board, combinations(CELLS[:4], 2))))


def test_stones_are_laid_in_any_order() -> None:
    plies, left = np.zeros(64, np.uint64), np.zeros(64, np.uint64)

    def draw(stream: np.uint64) -> tuple[object, np.uint64]:
        stream = draw_plies(board(CELLS[:3]), 4, 1, plies, left, stream)
        return tuple(plies[list(CELLS[:3])].tolist()), stream

    even(draw, set(permutations((1, 3, 5, 7), 3)))
