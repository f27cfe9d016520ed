"""The solution of Mū tōrere against the published values, and against itself."""

from typing import Any

import pytest

from kemu.engines.mu_torere.solver import DRAW, LOSS, WIN, Solution, Value, solve
from kemu.games.mu_torere.rules import MuTorere, State


@pytest.fixture(scope="module")
def always() -> Solution:
    return solve(MuTorere())


def test_the_published_census_with_the_flanking_rule(always: Solution) -> None:
    census = always.census()
    assert census.states == 1180
    assert (census.wins, census.losses, census.draws) == (208, 128, 844)
    assert census.start == Value(DRAW, None)


def test_the_published_census_without_it() -> None:
    census = solve(MuTorere(flank="never")).census()
    assert census.states == 1180
    assert (census.wins, census.losses, census.draws) == (320, 160, 700)
    assert census.start == Value(WIN, 1)


def test_the_published_classes(always: Solution) -> None:
    census = always.census()
    assert census.board_classes == 46
    assert census.state_classes == 86


def test_the_longest_forced_win_takes_5_plies(always: Solution) -> None:
    distances = always.census().by_distance
    assert max(distances) == 5
    assert sum(distances.values()) == 208 + 128


@pytest.mark.parametrize(
    "options",
    [{"arms": 4}, {"arms": 6}, {"arms": 10}, {"flank": "opening"}, {"flank": "opening", "arms": 6}, {"flank": "never"}],
)
def test_every_value_follows_from_the_values_after_it(options: dict[str, Any]) -> None:
    solution = solve(MuTorere(**options))
    game = solution.game
    turned = {WIN: LOSS, LOSS: WIN, DRAW: DRAW}
    for state in solution:
        result, plies = solution.value(state)
        after = [solution.value(game.apply(state, move)) for move in game.actions(state)]
        lost = [value.plies for value in after if value.result == LOSS and value.plies is not None]
        won = [value.plies for value in after if value.result == WIN and value.plies is not None]
        if lost:
            assert (result, plies) == (WIN, min(lost) + 1)
        elif len(won) == len(after):
            assert (result, plies) == (LOSS, max(won, default=-1) + 1)
        else:
            assert (result, plies) == (DRAW, None)
        for move in solution.best(state):
            assert turned[solution.value(game.apply(state, move)).result] == result


def test_the_past_does_not_change_a_value(always: Solution) -> None:
    game = MuTorere()
    state = game.apply(game.initial(), game.actions(game.initial())[0])
    assert state.past
    assert always.value(state).result == DRAW
    assert [game.format(move) for move in always.best(state)] == ["8-1"]


def test_a_won_line_ends_with_the_loser_blocked(always: Solution) -> None:
    game = MuTorere()
    longest = next(state for state in always if always.value(state) == Value(WIN, 5))
    state = longest
    for move in always.line(longest):
        state = game.apply(state, move)
    assert len(always.line(longest)) == 5
    outcome = game.outcome(state)
    assert outcome
    assert outcome.winners == (longest.position.turn,)


def test_a_drawn_line_comes_back_to_a_position(always: Solution) -> None:
    game = always.game
    states: list[State] = [game.initial()]
    for move in always.line(game.initial()):
        states.append(game.apply(states[-1], move))
    assert states[-1] in states[:-1]
    assert len(set(states)) == len(states) - 1


def test_progress_is_told_on_the_long_ones() -> None:
    told: list[tuple[str, int]] = []
    solve(MuTorere(arms=12), lambda what, done: told.append((what, done)))
    assert {what for what, _ in told} == {"finding all states", "working back from the ends"}
