"""The threat search: wins by threats alone, and the hollows that may answer them."""

import numpy as np
import pytest

from kemu.engines.moeraki.board.tables import HOLLOW_AT, HOLLOW_BIT
from kemu.games.moeraki.actions import LayStone
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.engines.moeraki.positions import position, random_position, workspace_at

GAME = MoerakiKemu("basic")


def attack(game: MoerakiKemu, state: State) -> tuple[str, int] | None:
    """The stone that wins by threats, and the plies that takes."""
    workspace, own, other = workspace_at(game, state)
    found = workspace.attack(own, other)
    return found and (HOLLOWS[HOLLOW_AT[found[0]]].name, found[1])


def wins_by_threats(game: MoerakiKemu, state: State, plies: int) -> bool:
    """The same, by the reference rules and without any cleverness: one own stone, one forced answer."""
    lays = [action for action in game.actions(state) if isinstance(action, LayStone)]
    for lay in lays:
        outcome = game.outcome(game.apply(state, lay))
        if outcome is not None and outcome.winners == (state.turn,):
            return True
    if plies < 3:
        return False
    for lay in lays:
        after = game.apply(state, lay)
        if any(game.outcome(game.apply(after, answer)) for answer in game.actions(after)):
            continue
        threats = []
        for hollow in lays:
            if hollow != lay:
                outcome = game.outcome(game.apply(after._replace(turn=state.turn), hollow))
                if outcome is not None and outcome.winners == (state.turn,):
                    threats.append(hollow)
        if len(threats) > 1 or (threats and wins_by_threats(game, game.apply(after, threats[0]), plies - 2)):
            return True
    return False


@pytest.mark.parametrize(
    ("first", "second", "stone"),
    [
        ("e5 e7 d6", "a3 a5 k3 k5", "f6"),  # tahuna
        ("c11 a9", "f6 k3 k5", "b10"),  # awa, a short diagonal
        ("c1 e1 g1", "a3 b4 k3 k7", "i1"),  # ara
        ("f4 e3 d2", "a3 b4 k3 k7", "c1"),  # awa beside the ball
    ],
)
def test_a_win_in_one_is_seen(first: str, second: str, stone: str) -> None:
    ball = "g5" if stone == "c1" else "g7"
    assert attack(GAME, position(GAME, ball, first, second)) == (stone, 1)


def test_the_eye_wins_only_with_the_option() -> None:
    first, second = "f8 d6 f4", "a3 b4 k3 k7"
    with_eye = MoerakiKemu("master", eye=True)
    assert attack(with_eye, position(with_eye, "g7", first, second)) == ("h6", 1)
    assert attack(MoerakiKemu("master"), position(MoerakiKemu("master"), "g7", first, second)) != ("h6", 1)


def test_a_double_threat_wins_in_three_plies() -> None:
    state = position(GAME, "g7", "d6 e5 d8", "a3 k5 k7 i11")
    found = attack(GAME, state)
    assert found is not None
    assert found[1] == 3


def test_a_threat_that_must_be_answered_comes_first() -> None:
    """The side to move has a double threat, but the opponent would win at once."""
    state = position(GAME, "g7", "d6 e5 d8", "a9 b10 k7 i11")
    assert attack(GAME, state) is None


@pytest.mark.parametrize("seed", range(12))
def test_threat_search_agrees_with_plain_search_by_the_rules(seed: int) -> None:
    state = random_position(GAME, 5 + seed, f"threats {seed}")
    found = attack(GAME, state)
    assert wins_by_threats(GAME, state, 5) <= (found is not None)
    if found is not None and found[1] <= 5:
        assert wins_by_threats(GAME, state, 5)


def test_no_stone_outside_the_answers_stops_a_win_by_threats() -> None:
    tried = 0
    for seed in range(60):
        state = random_position(GAME, 9 + seed % 9, f"answers {seed}")
        workspace, own, other = workspace_at(GAME, state)
        if workspace.attack(other, own) is None or workspace.attack(own, other) is not None:
            continue
        answers = int(workspace.answers(other, own))
        for lay in GAME.actions(state):
            assert isinstance(lay, LayStone)
            bit = HOLLOW_BIT[lay.hollow]
            if not answers >> bit & 1:
                tried += 1
                assert workspace.attack(other, own | np.uint64(1 << bit)) is not None, GAME.format(lay)
    assert tried > 300


def test_a_threat_search_gives_up_at_its_limit() -> None:
    state = random_position(GAME, 13, "limit 3")
    workspace, own, other = workspace_at(GAME, state)
    assert workspace.attack(own, other, limit=1) in (None, workspace.attack(own, other))
