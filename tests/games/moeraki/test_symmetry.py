"""The board turned and mirrored is the same game."""

import random

from kemu.core.game import Outcome
from kemu.core.laws import symmetries_keep_the_rules
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.symmetry import symmetries

MASTER = MoerakiKemu("master")
EIGHT = symmetries(MASTER)
"""Found while tests are collected, which is measured in every worker; they are cached for all tests."""


def random_states(game: MoerakiKemu, seed: int) -> list[State]:
    """All states of a game played at random."""
    source, states = random.Random(seed), [game.initial()]
    while actions := game.actions(states[-1]):
        states.append(game.apply(states[-1], source.choice(actions)))
    return states


def test_all_eight_keep_the_rules_with_a_tane_asked_for_in_play_and_at_the_end() -> None:
    states = random_states(MASTER, 3)
    asked = next(state for state in states if state.step is not None)
    in_play = next(state for state in states if any(state.tane) and state.step is None)
    for state in (states[0], states[1], asked, in_play, states[-1]):
        assert len(EIGHT) == 8
        symmetries_keep_the_rules(MASTER, state, EIGHT)
    assert isinstance(MASTER.outcome(states[-1]), Outcome)


def test_a_hollow_that_the_ball_was_moved_from_stays_where_it_is() -> None:
    game = MoerakiKemu("basic", moved_from="e5")
    assert len(symmetries(game)) == 2
    for state in random_states(game, 3)[:20:6]:
        symmetries_keep_the_rules(game, state, symmetries(game))
