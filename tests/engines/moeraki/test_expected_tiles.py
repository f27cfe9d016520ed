"""The Tane in the search: tiles and gains against the reference rules, and placements in the tree search."""

import numpy as np
import pytest

from kemu.engines.arrays import Words
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.packed import Sides, entry_move, move_cell, pack_tanes
from kemu.engines.moeraki.board.tables import AREAS, HOLLOW_BIT
from kemu.engines.moeraki.board.translation import kernel_rules, kernel_state, rules_action
from kemu.engines.moeraki.search.alphabeta import INFINITE, MARAE_WINS, full_board, probe
from kemu.engines.moeraki.search.workspace import Workspace
from kemu.engines.moeraki.value.expected_tiles import (
    SUMS,
    completing,
    expected_lead,
    expected_tiles,
    sum_diagonals,
    tane_gain,
)
from kemu.games.moeraki.board import CORNERS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.engines.moeraki.positions import ending, filled, random_position, workspace_at

BASIC, MASTER = MoerakiKemu("basic"), MoerakiKemu("master")


def sides(state: State) -> tuple[Words, np.uint64, np.uint64, np.uint64, np.uint64]:
    """A state of the kernel, the stones of both seats, the ball and the barred areas."""
    words = kernel_state(MASTER, state)
    barred = np.uint64(kernel.barred(words[kernel.TANES], words[kernel.TANES + 1]))
    return words, np.uint64(words[0]), np.uint64(words[1]), np.uint64(1 << int(words[kernel.BALL_AT])), barred


def test_the_tiles_of_a_full_board_are_those_of_the_rules() -> None:
    for seed in range(12):
        states = filled(f"full {seed}")
        outcome = MASTER.outcome(states[-1])
        assert outcome is not None
        assert outcome.scores is not None
        words, first, second, ball, barred = sides(states[-1])
        sums = np.zeros(SUMS, np.int64)
        lead = 8 * (outcome.scores[0] - outcome.scores[1])
        assert expected_tiles(first, second, ball, AREAS & ~barred) == lead
        assert sum_diagonals(first, second, ball, barred, sums) == lead
        tanes = pack_tanes(int(words[kernel.TANES]), int(words[kernel.TANES + 1]), True)
        score = full_board(Sides(first, second, tanes), ball, kernel.MASTER)
        assert (score > 0) == (outcome.winners == (0,))


def test_the_lead_counted_for_all_areas_at_once_is_the_sum_over_them() -> None:
    for seed in range(40):
        _, first, second, ball, barred = sides(random_position(MASTER, 4 + seed, f"lead {seed}"))
        for areas in (AREAS, AREAS & ~barred):
            assert expected_lead(first, second, ball, areas) == expected_tiles(first, second, ball, areas)


def test_the_gain_of_a_tane_on_a_full_board_is_that_of_the_rules() -> None:
    """As if each Tane of a game were placed after all the others' stones: only tiles count then, as the rules say."""
    tried = 0
    for seed in range(12):
        end = filled(f"gain {seed}")[-1]
        for seat in (0, 1):
            words, *stones, ball, _ = sides(end)
            placed, other = words[kernel.TANES + seat], words[kernel.TANES + 1 - seat]
            outcome = MASTER.outcome(end)
            if placed and outcome is not None and outcome.scores is not None:
                open_areas = AREAS & ~np.uint64(kernel.barred(np.uint64(0), other))
                without = expected_tiles(stones[seat], stones[1 - seat], ball, open_areas)
                gain = tane_gain(stones[seat], stones[1 - seat], ball, placed, other)
                assert without + gain == 8 * (outcome.scores[seat] - outcome.scores[1 - seat])
                tried += 1
    assert tried > 5


@pytest.mark.parametrize("seed", range(5))
def test_stones_that_complete_an_area_are_found(seed: int) -> None:
    state = random_position(MASTER, 20 + 5 * seed, f"complete {seed}")
    _, first, second, ball, _ = sides(state)
    expected = 0
    for corners in CORNERS:
        empty = [corner for corner in corners if not state.occupied >> corner & 1]
        if len(empty) == 1:
            expected |= 1 << HOLLOW_BIT[empty[0]]
    assert int(completing(first | second | ball)) == expected


def exact(game: MoerakiKemu, state: State) -> int | None:
    """What a state is worth for the side to move, by the solver of the last hollows."""
    workspace = Workspace(kernel_rules(game))
    workspace.begin(1 << 40)
    return workspace.solve(kernel_state(game, state))


def test_the_tree_search_finds_a_win_by_a_later_tane() -> None:
    """The right stone wins only because of the Tane that can be placed later; the tree search finds it alone."""
    state = ending()
    assert (exact(MASTER, state), exact(BASIC, state)) == (1, -1)
    workspace, *_ = workspace_at(MASTER, state)
    words = kernel_state(MASTER, state)
    *_, score = (workspace.score(words, depth, -INFINITE, INFINITE) for depth in range(1, 8))
    assert score == MARAE_WINS
    move = entry_move(np.uint64(probe(workspace.sides(words), workspace.table)))
    assert exact(MASTER, MASTER.apply(state, rules_action(move_cell(move)))) == -1
