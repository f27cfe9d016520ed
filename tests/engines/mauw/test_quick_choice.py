"""A quick choice of MAUW misses attacks and blocks, spends jokers for little, and forgets what others do next."""

import random
from typing import Any

from kemu.engines.mauw.quick_choice import DIFFICULTIES, quick_choice, safe_score
from kemu.engines.player import chance_to_notice
from kemu.games.mauw.state import EMPTY, NO_FACE, Column, score
from tests.games.mauw.positions import position

CHOICES = 60


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
