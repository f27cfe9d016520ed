"""The kernel of MAUW against the reference rules, action by action, for two to six players and near every end."""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from kemu.core.game import CHANCE
from kemu.engines.mauw import kernel, layout
from kemu.engines.mauw.layout import CARDS, kernel_action, kernel_state, rules_action
from kemu.games.mauw.actions import Action, Answer, Draw, PlayCard, TakeMauw
from kemu.games.mauw.encoding import STEPS
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State, count_cards
from tests.games.mauw.positions import position

PLAYERS = (2, 3, 4, 5, 6)


def same(game: Mauw, state: State) -> None:
    """The kernel has the same turn, actions, odds, scores and end as the rules, and each action leads to the same."""
    numbers = kernel_state(state)
    listed = np.zeros(layout.ACTION_COUNT, np.int64)
    number = kernel.legal(numbers, listed)
    take = state.step.name == "take"
    actions = [rules_action(int(each), take) for each in listed[:number]]
    assert len(actions) == len(set(actions))
    assert set(actions) == set(game.actions(state))
    turn = game.turn(state)
    assert kernel.actor(numbers) == (layout.NOBODY if turn is None else turn)
    if turn == CHANCE:
        pile = numbers[layout.PILE : layout.PILE + CARDS].tolist()
        assert dict(game.odds(state)) == {
            action: Fraction(pile[action.card], int(numbers[layout.PILED]))
            for action in actions
            if isinstance(action, Draw | TakeMauw)
        }
    if outcome := game.outcome(state):
        assert [layout.score(numbers, seat) for seat in range(game.players)] == list(outcome.scores or ())
        assert STEPS[numbers[layout.STEP]] == outcome.reason
    for action in actions:
        after = numbers.copy()
        kernel.apply(after, kernel_action(action))
        assert after.tolist() == kernel_state(game.apply(state, action)).tolist(), game.format(action)


def is_fight(action: Action, turn: int) -> bool:
    """Whether an action answers in an attack or plays on an enemy's column."""
    return isinstance(action, Answer) or (isinstance(action, PlayCard) and action.owner != turn)


def follow(game: Mauw, state: State, source: random.Random) -> tuple[Counter[str], str]:
    """Compares along a random play; the steps that came up and the reason of the end."""
    steps: Counter[str] = Counter()
    while (outcome := game.outcome(state)) is None:
        same(game, state)
        steps[state.step.name] += 1
        actions = game.actions(state)
        # Attacks and answers are rare among all plays, so they are preferred now and then.
        fights = [action for action in actions if is_fight(action, state.turn)]
        state = game.apply(state, source.choice(fights if fights and source.random() < 0.4 else actions))
    same(game, state)
    return steps, outcome.reason


@pytest.mark.no_cover
@pytest.mark.parametrize("players", PLAYERS)
def test_the_kernel_follows_the_rules_through_random_games(players: int) -> None:
    game, steps = Mauw(players), Counter[str]()
    for seed in range(3):
        found, _ = follow(game, game.initial(), random.Random(f"{players} {seed}"))
        steps += found
    assert set(steps) == set(STEPS[: layout.OVER]), "every step has come up"


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(
    ("zone", "reason"),
    [
        ("### ### ##4 #7", "three-columns"),
        ("###s ##m=7 . #2", "no-cards"),
        ("## # 3 m=1", "no-cards"),
        ("###s ##m=7 . #2", "limit"),
    ],
)
def test_the_kernel_follows_the_rules_near_the_ends(players: int, zone: str, reason: str) -> None:
    reasons = set()
    for seed in range(6):
        game, state = position(players, zones=[zone] * 2, turns=493 if reason == "limit" else 60)
        if reason == "no-cards":
            # Neither the rules nor the kernel ask where the cards are that are missing.
            pile, discards = divmod(seed, 3)
            state = state._replace(pile=count_cards([7] * pile), discards=count_cards([2] * discards))
        reasons.add(follow(game, state, random.Random(f"{players} {zone} {reason} {seed}"))[1])
    assert reason in reasons


@pytest.mark.parametrize("name", ["press", "defend"])
@pytest.mark.parametrize("attacks", [11, 12])
def test_the_kernel_ends_an_attack_when_the_rules_do(name: str, attacks: int) -> None:
    step = {"name": name, "play": "7>2A", "attacks": attacks}
    same(*position(hands=["7 7 m m", "7 7 3 3"], zones=["##1 . . .", "##2 . . ."], step=step))
