"""Players of MAUW that do not search.

The greedy one takes the best immediate difference of scores, from its view alone. A quick choice misses attacks and
blocks, spends jokers for little, and forgets what others do next.
"""

import random
from typing import Any

import pytest

from kemu.core.game import CHANCE
from kemu.engines.capabilities import chance_to_notice
from kemu.engines.mauw.player import DIFFICULTIES, Greedy, quick_choice, safe_score
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import EMPTY, NO_FACE, Column, State, score
from tests.engines.mauw.games import playing
from tests.games.mauw.positions import go, position
from tests.games.mauw.twins import twin

CHOICES = 60


def chosen(game: Mauw, state: State, seed: int = 0) -> str:
    seat = game.turn(state)
    assert seat is not None
    view: Any = game.view(state, seat)
    return game.format(Greedy(game, seed).choose(view, (), game.actions(state)))


@pytest.mark.parametrize(
    ("hand", "zones", "text"),
    [
        ("1 3 4 6", ["7 7 7 .", ". . . ."], "6>1D"),  # the highest warrior
        ("2 1 1 1", ["7 . . .", ". . . ."], "2>1A"),  # a Mauw is worth more
        ("s 1 1 1", ["###s . . .", "## . . ."], "s>1A"),  # 72 is more than 36
        ("s 1 1 1", ["4 4 4 4", "## . # ."], "s>2A"),  # 36 less for the enemy
        ("7 1 1 1", ["4 4 4 ##", "7 . # ."], "7>2A"),  # nobody is thought to answer
    ],
)
def test_the_greedy_player_takes_what_gains_most_at_once(hand: str, zones: list[str], text: str) -> None:
    game, state = position(hands=[hand], zones=zones)
    assert chosen(game, state) == text


def test_of_several_enemies_the_greedy_player_looks_at_the_best() -> None:
    game, state = position(3, hands=["s 1 1 1"], zones=["4 4 4 4", "# . . .", "## . . ."])
    assert chosen(game, state) == "s>3A"


def test_the_greedy_player_puts_a_gain_where_it_is_worth_most() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["7 ## . 4"])
    assert chosen(game, go(game, state, "2>1A ~1 ^1")) == "+B"


def test_the_greedy_player_defends_when_that_is_better_and_keeps_its_jokers() -> None:
    game, state = position(hands=["7 1 1 1", "7 m 3 3"], zones=["4 4 4 ##", "7 . # ."])
    assert chosen(game, go(game, state, "7>2A ~1")) == "!7"


def test_the_greedy_player_names_a_joker_only_if_nothing_else_is_as_good() -> None:
    game, state = position(hands=["8 m 1 1"])
    assert {chosen(game, state, seed)[0] for seed in range(8)} == {"8"}
    game, state = position(hands=["s m 1 1"], zones=["7 . . .", ". . . ."])
    assert chosen(game, state) == "m=2>1A"


def test_among_equals_the_greedy_player_takes_any() -> None:
    game, state = position(hands=["8 1 1 1"])
    assert {chosen(game, state, seed) for seed in range(40)} == {"8>1A", "8>1B", "8>1C", "8>1D"}


@pytest.mark.parametrize("players", [2, 5])
def test_secrets_do_not_matter(players: int) -> None:
    source = random.Random(players)
    for number, (played, _) in enumerate(playing(players, 4)):
        seat = played.game.turn(played.state)
        if seat is not None and seat != CHANCE and number % 6 == 0:
            other = twin(played.state, seat, source.shuffle)
            assert chosen(played.game, played.state) == chosen(played.game, other)


def share(hand: str, zones: list[str], attention: float, *texts: str) -> float:
    """The share of quick choices that are one of these actions."""
    game, state = position(hands=[hand], zones=zones)
    view: Any = game.view(state, 0)
    found = [quick_choice(game, view, game.actions(state), attention, random.Random(seed)) for seed in range(CHOICES)]
    return sum(game.format(action) in texts for action in found) / CHOICES


def test_with_all_attention_it_attacks_and_blocks_where_that_gains_most() -> None:
    assert share("7 1 1 1", ["4 4 4 ##", "7 . # ."], 1.0, "7>2A") == 1
    assert share("s 1 1 1", ["4 4 4 4", "## . # ."], 1.0, "s>2A") == 1


def test_without_attention_it_looks_at_its_own_columns_only() -> None:
    assert share("7 1 1 1", ["4 4 . ##", "7 . # ."], 0.0, "7>2A", "7>2C", "1>2C") == 0
    assert 0 < share("s 1 1 1", ["4 4 4 .", "### . . ."], 0.6, "s>2A") < 1


def test_a_joker_is_kept_by_who_notices_what_it_is_worth() -> None:
    empty, sixes = [". . . .", ". . . ."], ["6>1A", "6>1B", "6>1C", "6>1D"]
    assert share("m 6 1 1", empty, 1.0, *sixes) == 1
    assert share("m 6 1 1", empty, 0.9, *sixes) < 1


def test_whoever_thinks_of_the_others_counts_bare_columns_for_less() -> None:
    bare, covered = Column(3, NO_FACE), Column(3, 8)
    assert safe_score((bare, EMPTY, EMPTY, EMPTY)) < safe_score((covered, EMPTY, EMPTY, EMPTY))
    assert score((bare, EMPTY, EMPTY, EMPTY)) > score((covered, EMPTY, EMPTY, EMPTY))


def test_no_quick_choice_counts_cards() -> None:
    assert chance_to_notice(1.0, DIFFICULTIES["count"]) == 0
