"""The solvers of endings against brute force by the reference rules; bench/endings.py does the same at length."""

import numpy as np
import pytest

from kemu.engines.moeraki.board.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.prove.lead_endings import GREATEST, Endings
from kemu.engines.moeraki.search.workspace import Workspace
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.differential.brute_force import brute_force, quiet_ending
from tests.differential.compiled_brute_force import compiled_brute_force


def solved(game: MoerakiKemu, state: State) -> int | None:
    words = kernel_state(game, state)
    endings = Endings(int(words[2]), game.variant == "basic", 1 << 14)
    own, other = int(words[state.turn]), int(words[1 - state.turn])
    return endings.value(own, other, state.turn == game.starter)


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("variant", ["beginner", "basic"])
def test_endings_without_tane_are_what_brute_force_finds(variant: str, starter: int) -> None:
    game = MoerakiKemu(variant, starter=starter)
    found = set()
    for left in range(1, 8):
        for number in range(2):
            state = quiet_ending(game, left, f"{variant} {left} {number}")
            value = brute_force(game, state, {})
            assert solved(game, state) == value, game.encode(state)
            found.add(value)
    assert variant == "beginner" or found == {1, -1}


def test_endings_with_tane_are_what_brute_force_finds() -> None:
    game = MoerakiKemu("master")
    workspace = Workspace(kernel_rules(game))
    for left in range(1, 6):
        state = quiet_ending(game, left, f"master {left}")
        words = kernel_state(game, state)
        workspace.place_ball(int(words[2]))
        workspace.begin(1 << 40)
        assert workspace.solve(words) == brute_force(game, state, {}), game.encode(state)


@pytest.mark.parametrize("variant", ["beginner", "basic", "master"])
def test_the_compiled_brute_force_plays_by_the_rules(variant: str) -> None:
    known = np.zeros((1 << 12, 4), np.uint64)
    for starter in (0, 1):
        game = MoerakiKemu(variant, starter=starter)
        for left in range(1, 6):
            state = quiet_ending(game, left, f"compiled {left}")
            assert compiled_brute_force(game, state, known) == brute_force(game, state, {}), game.encode(state)


@pytest.mark.parametrize("variant", ["beginner", "basic", "master"])
def test_longer_endings_are_what_the_compiled_brute_force_finds(variant: str) -> None:
    game, known = MoerakiKemu(variant), np.zeros((1 << 16, 4), np.uint64)
    workspace = Workspace(kernel_rules(game))
    for left in (9, 10, 11):
        state = quiet_ending(game, left, f"longer {left}")
        words = kernel_state(game, state)
        workspace.place_ball(int(words[2]))
        workspace.begin(1 << 40)
        assert workspace.solve_exactly(words) == compiled_brute_force(game, state, known), game.encode(state)


def test_the_lead_is_the_greatest_that_is_reached() -> None:
    game = MoerakiKemu("basic")
    for number in range(5):
        state = quiet_ending(game, 8, f"lead {number}")
        words = kernel_state(game, state)
        endings = Endings(int(words[2]), True, 1 << 14)
        own, other = int(words[state.turn]), int(words[1 - state.turn])
        lead = endings.lead(own, other)
        assert endings.reaches(own, other, lead)
        assert lead > GREATEST or not endings.reaches(own, other, lead + 1)
        assert (lead > 0 or (lead == 0 and state.turn == 0)) == (endings.value(own, other, state.turn == 0) == 1)


def test_a_limit_of_nodes_ends_the_search() -> None:
    game = MoerakiKemu("basic")
    words = kernel_state(game, quiet_ending(game, 14, "limit"))
    assert Endings(int(words[2]), True, 1 << 14).value(int(words[0]), int(words[1]), True, 3) is None
