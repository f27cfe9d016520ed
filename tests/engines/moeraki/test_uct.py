"""Plain UCT, the yardstick: it sees what is one stone away and repeats with games as its budget."""

import pytest

from kemu.engines.analysis import Budget
from kemu.engines.moeraki.uct import Uct
from kemu.games.moeraki.rules import MoerakiKemu
from tests.engines.moeraki.positions import late_position, position

BASIC = MoerakiKemu("basic")
MASTER = MoerakiKemu("master", swap=True)


def test_it_wins_at_once() -> None:
    state = position(BASIC, "g7", "e5 e7 d6", "a3 a5 k3 k5")
    assert BASIC.format(Uct(BASIC).choose(state, Budget(nodes=3000))) == "f6"


def test_it_repeats_with_a_seed() -> None:
    state = position(BASIC, "g7", "e5 i9 d6", "a3 a5 k3 c9")
    first, second = (Uct(BASIC, seed=4).choose(state, Budget(nodes=2000)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("left", [1, 5])
def test_it_plays_any_state_within_a_time(left: int) -> None:
    for state in (MASTER.initial(), late_position(MASTER, left, "uct")):
        assert Uct(MASTER).choose(state, Budget(ms=10)) in MASTER.actions(state)
