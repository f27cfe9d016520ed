"""Defences: what is called one is proved over whole turns, and what is not called one loses."""

from typing import Any

import pytest

from kemu.bots.engines import threats
from kemu.core.game import Seat
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.engines.moeraki.positions import late_position, position, random_position, workspace_at

BASIC, MASTER = MoerakiKemu("basic"), MoerakiKemu("master")


def found(rules: MoerakiKemu, state: State) -> tuple[list[str], list[str]]:
    """The wins and the defences, as texts."""
    analysis = threats(rules, rules.view(state, state.turn))
    return [rules.format(action) for action in analysis.wins], [rules.format(action) for action in analysis.stops]


def loses(rules: MoerakiKemu, state: State, seat: Seat, others_acted: bool = False) -> bool:
    """Whether the opponent can win in his next turn, whatever is decided about a Tane before: by the rules alone."""
    turn = rules.turn(state)
    if turn is None:
        outcome: Any = rules.outcome(state)
        return bool(outcome.winners) and seat not in outcome.winners
    if turn == seat:
        return not others_acted and all(loses(rules, rules.apply(state, each), seat) for each in rules.actions(state))
    return any(loses(rules, rules.apply(state, each), seat, True) for each in rules.actions(state))


def test_a_stone_with_a_tane_to_decide_about_is_no_defence() -> None:
    state = MASTER.initial()
    for text in ["@f6", "e9", "d8", "g7", "h6", "j2", "b2", "i11", "a3", "c1", "e7", "k9"]:
        state = MASTER.apply(state, MASTER.parse(text))
    assert found(MASTER, state) == ([], ["j10"])
    actions = MASTER.actions(state)
    assert [MASTER.format(each) for each in actions if not loses(MASTER, MASTER.apply(state, each), 0)] == ["j10"]


@pytest.mark.no_cover  # the rules, called for every continuation, are measured elsewhere
@pytest.mark.parametrize("rules", [BASIC, MASTER], ids=["basic", "master"])
def test_random_positions_agree_with_brute_force_and_all_other_stones_lose_by_threats(rules: MoerakiKemu) -> None:
    stopped = 0
    for seed in range(30):
        state = random_position(rules, 9 + seed % 12, f"defence {seed}")
        wins, stops = found(rules, state)
        after = {rules.format(each): rules.apply(state, each) for each in rules.actions(state)}
        assert wins == winning(rules, state)
        losing = {text for text, each in after.items() if loses(rules, each, state.turn)}
        assert not losing & set(stops)
        if losing or stops:
            stopped += bool(stops)
            others = set(after) - set(stops) - set(forcing(rules, state))
            assert [text for text in others if not attacked(rules, after[text], state.turn)] == []
            assert [text for text in stops if text not in wins and attacked(rules, after[text], state.turn)] == []
    assert stopped > 5


def winning(rules: MoerakiKemu, state: State) -> list[str]:
    """The actions that end the game with a win."""
    after = ((rules.format(each), rules.outcome(rules.apply(state, each))) for each in rules.actions(state))
    return [text for text, outcome in after if outcome is not None and outcome.winners == (state.turn,)]


def attacked(rules: MoerakiKemu, state: State, seat: Seat) -> bool:
    """Whether the opponent of a seat, who lays the next stone, wins by threats."""
    workspace, own, other = workspace_at(rules, state._replace(turn=1 - seat))
    return workspace.attack(own, other) is not None


def forcing(rules: MoerakiKemu, state: State) -> list[str]:
    """The stones that threaten to win, which may put a loss off."""
    after = ((lay, rules.apply(state, lay)._replace(turn=state.turn, step=None)) for lay in rules.actions(state))
    return [rules.format(lay) for lay, each in after if winning(rules, each)]


def test_a_threat_of_ones_own_that_only_puts_the_loss_off_is_no_defence() -> None:
    """Seat 1 is about to make two threats at once; seat 0 can threaten by a9 or b10, and only b10 leads on to a win."""
    state = position(BASIC, "g7", "c11 h2 i7", "d6 e5 d8 a3")
    assert {"a9", "b10"} <= set(forcing(BASIC, state))
    assert found(BASIC, state) == ([], ["b10"])


@pytest.mark.parametrize("left", [1, 2])
def test_the_last_stones_are_judged_by_the_rules(left: int) -> None:
    for seed in range(10):
        state = late_position(BASIC, left, f"last {seed}")
        wins, stops = found(BASIC, state)
        after = {BASIC.format(each): BASIC.apply(state, each) for each in BASIC.actions(state)}
        safe = [text for text, each in after.items() if not loses(BASIC, each, state.turn)]
        assert stops == (safe if len(safe) < len(after) else [])
        assert wins == winning(BASIC, state)


def test_while_a_tane_is_asked_for_there_is_nothing_to_stop() -> None:
    state = MASTER.initial()
    for text in ["@f6", "e9", "d8", "g7", "h6", "j2", "b2", "i11", "a3", "c1", "e7", "k9", "g5"]:
        state = MASTER.apply(state, MASTER.parse(text))
    assert state.step is not None
    assert found(MASTER, state) == ([], [])
