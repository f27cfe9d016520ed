"""The search of MAUW finds what anybody would, repeats itself, and knows nothing that its seat does not know."""

import random
import subprocess
import sys

import pytest

from kemu.core.errors import ParseError
from kemu.core.game import CHANCE, SPECTATOR
from kemu.engines.analysis import Analysis, Budget
from kemu.engines.mauw.search import FIRST_ROUND, Searcher
from kemu.games.mauw.actions import Action
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State
from tests.engines.mauw.games import playing
from tests.games.mauw.positions import go, position
from tests.games.mauw.twins import twin

SMALL = Budget(nodes=400)
ENOUGH = Budget(nodes=3000)


def search(game: Mauw, state: State, budget: Budget = ENOUGH, lines: int = 1, seed: int = 0) -> Analysis[Action]:
    """What the seat to act finds without a log."""
    seat = game.turn(state)
    assert seat is not None
    return Searcher(game).search(game.view(state, seat), (), budget, lines, seed)


def best(game: Mauw, state: State) -> str:
    return game.format(search(game, state).action)


def test_it_completes_the_third_column_when_that_wins() -> None:
    game, state = position(hands=["2 1 1 4"], zones=["### ### ## 7", "## ## . ."])
    found = search(game, state)
    assert game.format(found.action) == "2>1D"
    assert [game.format(action) for action in found.lines[0].pv] == ["2>1D", "+C"]
    assert found.value > 0.8
    assert best(game, go(game, state, "2>1D ~1 ^1")) == "+C"


def test_it_does_not_complete_the_third_column_when_that_loses() -> None:
    game, state = position(hands=["2 1 1 4"], zones=["###s ###s ## 7", "### ### ##8 ##8"])
    state = go(game, state, "2>1D ~1 ^1")
    assert best(game, state) == "+D"


def test_it_defends_against_a_decisive_attack() -> None:
    game, state = position(hands=["7 1 1 4", "7 3 3 3"], zones=["### ### ## 4", "###7 ## . ."])
    state = go(game, state, "7>2A ~1")
    assert best(game, state) == "!7"


def test_it_unblocks_its_best_column() -> None:
    game, state = position(hands=["s s s 6"], zones=["#s ###s 3 .", "## ## ## 7"])
    values = {game.format(line.action): line.value for line in search(game, state, lines=20).lines}
    assert values["s>1B"] > values["s>1A"] + 0.05


def test_it_takes_nine() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["7 . . .", "6 . . ."])
    assert best(game, state) == "2>1A"


def test_it_blocks_the_leader_of_three() -> None:
    game, state = position(3, hands=["s 1 1 1"], zones=["# 1 . .", "# 6 . .", "### ### ## 4"])
    assert best(game, state).startswith("s>3")


def test_with_one_legal_action_it_does_not_spend_its_budget() -> None:
    game, state = position(hands=["7 1 1 1", "3 3 3 3"], zones=["4 4 4 4", "2 . . ."])
    state = go(game, state, "7>2A ~1")
    found = search(game, state, Budget(ms=60_000))
    assert game.format(found.action) == "-"
    assert found.nodes == 100
    assert search(game, state, Budget(nodes=30)).nodes == 30


def test_lines_are_different_actions_the_best_first() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["7 ## . .", "## 6 . ."])
    found = search(game, state, lines=3)
    assert len({line.action for line in found.lines}) == 3
    assert all(line.pv[0] == line.action in game.actions(state) for line in found.lines)
    assert all(-1 <= line.value <= 1 for line in found.lines)
    assert len(search(game, state, SMALL, lines=1000).lines) <= len(game.actions(state))


@pytest.mark.parametrize("players", [2, 4])
def test_it_repeats_itself_with_the_same_seed_and_nodes(players: int) -> None:
    game, searcher = Mauw(players), Searcher(Mauw(players))
    values = set()
    for number, (played, _) in enumerate(playing(players, 5)):
        seat = game.turn(played.state)
        if number > 120 or seat is None or seat == CHANCE or number % 7:
            continue
        view, log = played.view(seat), played.logs[seat]
        found = searcher.search(view, log, SMALL, 3, seed=1)
        assert found.lines == Searcher(game).search(view, log, SMALL, 3, seed=1).lines
        assert found.nodes in (SMALL.nodes, 100)
        assert found.action in game.actions(played.state)
        values.add(found.value == searcher.search(view, log, SMALL, 3, seed=2).value)
    assert False in values, "another seed deals other cards"


@pytest.mark.parametrize("players", [2, 3, 6])
def test_secrets_do_not_matter(players: int) -> None:
    """For a twin, the same for this seat with other hidden cards, the search says exactly the same."""
    searcher, source, differ = Searcher(Mauw(players)), random.Random(players), 0
    for number, (played, _) in enumerate(playing(players, 9)):
        seat = played.game.turn(played.state)
        if number > 100 or seat is None or seat == CHANCE or number % 9:
            continue
        other = twin(played.state, seat, source.shuffle)
        differ += other != played.state
        found = searcher.search(played.view(seat), played.logs[seat], SMALL, 3)
        assert found.lines == searcher.search(played.game.view(other, seat), played.logs[seat], SMALL, 3).lines
    assert differ


def test_a_budget_of_time_is_kept() -> None:
    game, state = position(4, hands=["7 2 5 m"])
    found = search(game, state, Budget(ms=50))
    assert found.nodes >= FIRST_ROUND
    assert 50 <= found.ms < 5000


def test_only_the_seat_that_is_to_act_can_ask() -> None:
    game, state = position()
    searcher = Searcher(game)
    for seat in (1, SPECTATOR):
        with pytest.raises(ParseError, match="the seat that is to act"):
            searcher.search(game.view(state, seat), (), SMALL)


def test_the_rules_and_the_names_of_engines_load_without_numba() -> None:
    code = "import sys, kemu, kemu.engines.mauw.player; print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
