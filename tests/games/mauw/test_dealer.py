"""The dealer against the exact odds of the rules: a chi-square test with a fixed seed."""

from collections import Counter

import pytest

from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State
from kemu.play.dealer import Dealer
from tests.games.mauw.positions import go, position

DEALS = 20_000

LIMITS = {2: 13.8, 9: 27.9}
"""Chi-square that chance exceeds once in a thousand times, by degrees of freedom."""


def distance(game: Mauw, dealt_in: State, state: State, seed: int) -> float:
    """The chi-square of what is dealt in one state against the odds of another."""
    dealer, odds = Dealer(seed), game.odds(dealt_in)
    dealt = Counter(dealer.deal(odds) for _ in range(DEALS))
    expected = {action: float(chance) * DEALS for action, chance in game.odds(state)}
    assert set(dealt) <= set(expected)
    return sum((dealt[action] - mean) ** 2 / mean for action, mean in expected.items())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("players", [2, 6])
def test_the_first_card_is_dealt_at_the_exact_odds(players: int, seed: int) -> None:
    game = Mauw(players)
    assert 0 < distance(game, game.initial(), game.initial(), seed) < LIMITS[9]


def drawing_from(pile: str) -> tuple[Mauw, State]:
    game, state = position(hands=["1 1 1 1"], pile=pile)
    return game, go(game, state, "1>1A")


@pytest.mark.parametrize("seed", range(3))
def test_a_draw_from_a_small_uneven_pile_is_at_the_exact_odds(seed: int) -> None:
    game, state = drawing_from("2 s s s s s m m m")
    assert 0 < distance(game, state, state, seed) < LIMITS[2]


def test_one_card_too_many_would_be_noticed() -> None:
    game, state = drawing_from("2 s s s s s m m m")
    _, crooked = drawing_from("2 s s s s s s m m m")
    assert distance(game, crooked, state, 0) > 10 * LIMITS[2]
