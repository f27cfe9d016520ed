"""What is proved in the beginner's game is played and answered: the search never leaves what holds."""

import pytest

from kemu.bots import bot
from kemu.core.errors import OptionError
from kemu.engines.analysis import Budget
from kemu.engines.certificates import CertificateRefused, check
from kemu.engines.moeraki.board.translation import kernel_state
from kemu.engines.moeraki.certify import theorems
from kemu.engines.moeraki.prove.lines import LineProver
from kemu.engines.moeraki.search.root import Root
from kemu.engines.moeraki.search.searcher import Searcher
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.differential.brute_force import brute_force
from tests.engines.moeraki.positions import late_position, position

BEGINNER = MoerakiKemu("beginner")
THOROUGH = Budget(nodes=150_000)


def holds(prover: LineProver, state: State, seat: int) -> bool:
    """Whether a seat is shown to keep the other, who is to move, from every line."""
    words = kernel_state(BEGINNER, state)
    _, dn, _ = prover.decide(int(words[1 - seat]), int(words[seat]), state.turn != seat, 2_000_000)
    return dn == 0


@pytest.mark.parametrize("ball", ["f6", "h6", "g7"])
def test_the_first_stone_is_a_proven_draw(ball: str) -> None:
    found = Searcher(BEGINNER).search(position(BEGINNER, ball, "", ""), THOROUGH)
    assert (found.proven, found.value) == ("draw", 0.0)


def test_the_ball_is_placed_for_a_proven_draw() -> None:
    assert Searcher(BEGINNER).search(BEGINNER.initial(), Budget(nodes=900_000)).proven == "draw"


@pytest.mark.parametrize("stone", ["b2", "e5", "g3"])
def test_the_hard_first_stones_are_answered_by_a_stone_that_holds(stone: str) -> None:
    state = position(BEGINNER, "g7", "", stone)
    after = BEGINNER.apply(state, Searcher(BEGINNER).search(state, THOROUGH).action)
    assert holds(LineProver("g7"), after, 0)


def test_a_small_budget_asks_for_no_proof() -> None:
    """The lower levels play as they were measured."""
    found = Searcher(BEGINNER).search(position(BEGINNER, "f6", "", ""), Budget(nodes=20_000))
    assert found.proven is None


@pytest.mark.parametrize("variant", ["beginner", "basic"])
def test_every_stone_of_an_ending_has_its_exact_value(variant: str) -> None:
    game = MoerakiKemu(variant)
    for number in range(6):
        state = late_position(game, 6, f"{variant} {number}")
        for line in Searcher(game).search(state, THOROUGH, lines=6).lines:
            after = game.apply(state, line.action)
            value = brute_force(game, after, {})
            assert line.value == (value if after.turn == state.turn else -value), (game.encode(state), line)


def test_a_stone_that_wins_is_put_first_though_it_was_dropped() -> None:
    state = position(BEGINNER, "f6", "a3 a5", "k3 k5")
    searcher = Searcher(BEGINNER)
    root = Root(searcher.workspace, kernel_state(BEGINNER, state), 1, 0)
    dropped = root.candidates.pop()
    root.promote(dropped.action, 30_000)
    assert (root.candidates[0].action, root.candidates[0].score) == (dropped.action, 30_000)
    assert len({candidate.action for candidate in root.candidates}) == len(root.candidates) == 52


def test_swap_is_weighed_with_the_stones() -> None:
    game = MoerakiKemu("beginner", swap=True)
    state = game.apply(game.apply(game.initial(), game.parse("@f6")), game.parse("i9"))
    lines = Searcher(game).search(state, THOROUGH, lines=56).lines
    assert "swap" in [game.format(line.action) for line in lines]


def test_the_strongest_level_holds_a_game() -> None:
    state, log = BEGINNER.apply(BEGINNER.initial(), BEGINNER.parse("@g7")), ["@g7"]
    players = [bot("8@nodes=100000", BEGINNER, seed=1), bot("7", BEGINNER, seed=1)]
    while (seat := BEGINNER.turn(state)) is not None:
        action = players[seat].choose(BEGINNER.view(state, seat), log, BEGINNER.actions(state))
        log.append(BEGINNER.format(action))
        state = BEGINNER.apply(state, action)
    outcome = BEGINNER.outcome(state)
    assert outcome is not None
    assert outcome.winners in ((), (0,))


@pytest.mark.slow
def test_what_comes_with_kemu_is_proved_again() -> None:
    names = set()
    for name, text in theorems.prove_again():
        assert check(text).claim["ball"] in name
        names.add(name)
    kinds = ("beginner-{}-second", "beginner-{}-first", "basic-{}-second", "basic-{}-first")
    assert names == {kind.format(ball) for ball in theorems.CLASSES for kind in kinds}


def test_a_goal_without_one_of_its_leaves_is_not_proved() -> None:
    goal = "g7 40"
    leaves = theorems.goal_leaves(goal)
    assert len(leaves) == 32
    proof = theorems.prove_leaf(f"{goal} {leaves[0]}")
    assert proof is not None
    with pytest.raises(CertificateRefused, match="a reply is missing"):
        check(theorems.join_leaves(goal, {leaves[0]: proof}))
    for wrong in ("g7", "a3 4", "g7 x", "f7 3", ""):
        with pytest.raises(OptionError):
            theorems.goal_leaves(wrong)
