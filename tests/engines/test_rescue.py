"""The last moment at which a lost game could be saved: what is named saves it, and after it all is lost."""

from collections.abc import Sequence
from typing import Any

import pytest

from kemu.bots import bot
from kemu.bots.engines import rescue, threats
from kemu.core.game import AnyGame, Seat
from kemu.core.record import replay
from kemu.engines.moeraki.search.defence import Defence
from kemu.games import game
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.play.dealer import Dealer
from kemu.play.local import LocalMatch, bots_as_players, start
from tests.engines.moeraki.positions import late_position

BEGINNER, BASIC, STAR = game("moeraki-kemu", variant="beginner"), MoerakiKemu("basic"), game("mu-torere")


def lost_game(rules: AnyGame, level: str, seed: int) -> tuple[list[str], Seat] | None:
    """The record of a game between two bots and the seat that lost it, None if nobody did."""
    dealer = Dealer(seed)
    match = LocalMatch(start(rules, bots_as_players([level] * 2), dealer), dealer)
    players = [bot(level, rules, seed=seed + seat) for seat in (0, 1)]
    while match.table.turn is not None:
        match.act_by(players[match.table.turn])
    outcome = match.table.outcome
    assert outcome is not None
    return (list(match.table.record().actions), 1 - outcome.winners[0]) if outcome.winners else None


def lost_at(rules: AnyGame, state: Any, seat: Seat) -> bool | None:
    """Whether a state is proved to be lost for the seat that is to act in it."""
    assert rules.turn(state) == seat
    return threats(rules, rules.view(state, seat)).lost


@pytest.mark.parametrize(("rules", "level"), [(BEGINNER, "1"), (STAR, "2")], ids=["moeraki-kemu", "mu-torere"])
def test_what_saves_holds_and_everything_later_was_lost(rules: AnyGame, level: str) -> None:
    saved = 0
    for seed in range(12):
        lost = lost_game(rules, level, 100 * seed)
        found = None if lost is None else rescue(rules, *lost)
        if lost is None or found is None:
            continue
        actions, seat = lost
        states: Sequence[Any] = list(replay(rules, actions))
        assert lost_at(rules, states[found.ply], seat) is False
        later = [state for state in states[found.ply + 1 :] if rules.turn(state) == seat]
        assert [lost_at(rules, state, seat) for state in later] == [True] * len(later)
        assert rules.parse(actions[found.ply]) not in found.saves
        for action in found.saves:
            after = rules.apply(states[found.ply], action)
            assert rules.outcome(after) or not threats(rules, rules.view(after, 1 - seat)).wins
        saved += bool(found.saves)
    assert saved > 3


def test_a_lost_marae_is_saved_by_solving_the_last_hollows() -> None:
    for seed in range(200):
        state = late_position(BASIC, 4, f"rescue {seed}")
        states = [state]
        while BASIC.turn(states[-1]) is not None:
            states.append(BASIC.apply(states[-1], BASIC.actions(states[-1])[0]))
        outcome = BASIC.outcome(states[-1])
        assert outcome is not None
        seat = 1 - outcome.winners[0]
        found = Defence(BASIC).rescue(states, seat) if outcome.reason == "marae" else None
        if found is None or not found.saves:
            continue
        assert {best(action_after, seat) for action_after in after(states[found.ply], found.saves)} == {1}
        assert {best(state, seat) for state in states[found.ply + 1 :]} == {-1}
        return
    pytest.fail("no position had a rescue")


def after(state: Any, actions: Sequence[Any]) -> list[Any]:
    """The states after some actions."""
    return [BASIC.apply(state, action) for action in actions]


def best(state: Any, seat: Seat) -> int:
    """The result for a seat with best play, by the rules alone."""
    outcome = BASIC.outcome(state)
    if outcome is not None:
        return 1 if seat in outcome.winners else -1
    results = [best(each, seat) for each in after(state, BASIC.actions(state))]
    return max(results) if BASIC.turn(state) == seat else min(results)
