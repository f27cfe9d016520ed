"""How likely hands are by what their holders did: as the policy says, and from a log as in the game itself."""

import numpy as np
import pytest

from kemu.core.game import CHANCE
from kemu.engines.mauw.hands import REMEMBERED, Memory, chance_of, empty_memory, likelihood, remember
from kemu.engines.mauw.information_set import hypotheses
from kemu.engines.mauw.layout import CARDS, HELD, SIZES, TURN, kernel_action, kernel_state
from kemu.engines.mauw.log import LogReader
from kemu.engines.mauw.player import alike
from kemu.engines.mauw.policy import Floats
from kemu.engines.mauw.search import memory_of, public_state
from kemu.engines.mauw.tree import deal_hands, make_belief, make_buffers
from kemu.engines.mauw.value import shipped_nets
from kemu.games.mauw.actions import DISCARD_HAND, Action, Draw, PlaceGain, card_from_hand
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import HAND, NO_FACE, State
from kemu.games.mauw.turns import drawer
from tests.engines.mauw.games import playing
from tests.engines.mauw.test_policy import chances
from tests.games.mauw.positions import go, position


@pytest.mark.parametrize("players", [2, 4])
def test_a_hand_is_as_likely_as_the_policy_takes_the_action(players: int) -> None:
    policy, compared = shipped_nets()[players].policy, 0
    for played, action in playing(players, 11):
        game, state = played.game, played.state
        seat = game.turn(state)
        if seat is None or seat == CHANCE or isinstance(action, PlaceGain) or action == DISCARD_HAND:
            continue
        numbers, memory = kernel_state(state), empty_memory()
        remember(memory, 0, numbers, kernel_action(action), policy)
        hand = numbers[HELD + CARDS * seat : HELD + CARDS * (seat + 1)]
        card = card_from_hand(action)
        copies = 1 if card is None else hand[card]
        first = kernel_action(alike(game, played.view(seat), action))
        assert chance_of(memory, seat, 0, hand) * copies == pytest.approx(chances(state, policy)[first], rel=1e-4)
        compared += 1
    assert compared > 30


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_log_is_remembered_as_the_game_was(players: int) -> None:
    policy, compared = shipped_nets()[players].policy, 0
    decisions: list[list[tuple[State, Action]]] = [[] for _ in range(players)]
    drawn: list[list[int]] = [[] for _ in range(players)]
    for number, (played, action) in enumerate(playing(players, 13)):
        game, state = played.game, played.state
        turn = game.turn(state)
        if isinstance(action, Draw) and drawn[drawer(state)]:
            drawn[drawer(state)][-1] += 1
        if turn is None or turn == CHANCE:
            continue
        if number % 3 == 0 and "x" not in played.logs[turn]:  # it does not name the cards of a discarded hand
            history = LogReader(game).read(played.view(turn), played.logs[turn])
            found = memory_of(history, players, policy)
            for seat in range(players):
                if history.events and seat != turn:
                    assert is_equal(found, remembered(decisions, drawn, policy), seat)
                    compared += bool(found.counts[seat])
        if action == DISCARD_HAND:
            decisions[turn], drawn[turn] = [], []
        elif not isinstance(action, PlaceGain):
            decisions[turn].append((state, action))
            drawn[turn].append(0)
    assert compared > 5


def remembered(decisions: list[list[tuple[State, Action]]], drawn: list[list[int]], policy: Floats) -> Memory:
    """The memory of the decisions of each seat, with the cards drawn after each."""
    memory = empty_memory()
    for seat, taken in enumerate(decisions):
        memory.counts[seat] = min(len(taken), REMEMBERED)
        for at in range(memory.counts[seat]):
            state, action = taken[-1 - at]
            memory.drawn[seat, at] = drawn[seat][-1 - at]
            remember(memory, at, kernel_state(state), kernel_action(action), policy)
    return memory


def is_equal(left: Memory, right: Memory, seat: int) -> bool:
    """Whether two memories have the same of a seat."""
    count = int(left.counts[seat])
    return count == right.counts[seat] and all(
        np.allclose(ours[seat, :count], theirs[seat, :count]) for ours, theirs in zip(left[1:], right[1:], strict=True)
    )


@pytest.mark.parametrize("players", [2, 4])
def test_every_card_that_was_drawn_is_remembered(players: int) -> None:
    """Followed back, a hand has had as many cards as hands have when somebody acts."""
    seen = set()
    for number, (played, _) in enumerate(playing(players, 5)):
        turn = played.game.turn(played.state)
        if number % 5 or turn is None or turn == CHANCE:
            continue
        history = LogReader(played.game).read(played.view(turn), played.logs[turn])
        memory, state = memory_of(history, players, shipped_nets()[players].policy), kernel_state(played.state)
        for seat in range(players):
            size = state[SIZES + seat]
            for at in range(memory.counts[seat]):
                size += (memory.shown[seat, at] != NO_FACE) - memory.drawn[seat, at]
                seen.add(int(size))
    assert seen == {HAND}


def gave_in(hand: str) -> tuple[Mauw, State, State]:
    """A game of two in which seat 1 holds some cards and gives in to an attack on its best column: before and after."""
    game, state = position(hands=["7 1 1 4", hand], zones=["## ## ## 4", "###7 ## . ."])
    before = go(game, state, "7>2A ~1")
    return game, before, go(game, before, "- +A")


def test_who_gives_in_hardly_holds_the_card_that_defends() -> None:
    policy, hand = shipped_nets()[2].policy, np.zeros(CARDS, np.int64)
    found = {}
    for held in ("3 3 5 6", "3 3 7 6", "3 3 m 6"):
        game, before, after = gave_in(held)
        memory = empty_memory()
        remember(memory, 0, kernel_state(before), kernel_action(game.parse("-")), policy)
        memory.counts[1] = 1
        state = kernel_state(after)
        state[TURN] = 0  # seat 0 thinks about the hand of seat 1
        found[held], _ = likelihood(memory, state, hand, np.uint64(1))
    assert found["3 3 5 6"] == pytest.approx(1.0)
    assert found["3 3 7 6"] < 0.3
    assert found["3 3 m 6"] < 0.6


def test_a_search_deals_hands_by_what_was_done() -> None:
    """After seat 1 gave in, the search deals it a card that would have defended less often than a uniform deal."""
    game, before, after = gave_in("3 3 5 6")
    memory = empty_memory()
    remember(memory, 0, kernel_state(before), kernel_action(game.parse("-")), shipped_nets()[2].policy)
    memory.counts[1] = 1
    view = dict(game.view(after, 0))
    public, readings = public_state(game, {**view, "to_act": 0}), hypotheses(game, view, ())
    public[TURN] = 0
    shares = []
    for remembered in (empty_memory(), memory):
        belief, state = make_belief(public, readings, remembered), public.copy()
        buffers = make_buffers()
        weight, stream, held = 0.0, np.uint64(3), 0
        for _ in range(2000):
            weight, stream = deal_hands(belief, weight, buffers, np.uint64(stream))
            held += bool(buffers.state[HELD + CARDS + 7])
        shares.append(held / 2000)
        assert state.tolist() == public.tolist()
    assert shares[1] < 0.6 * shares[0]
