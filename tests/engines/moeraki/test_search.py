"""The search: forced wins and defences, exact endings, budgets and all kinds of turns."""

import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from kemu.core.errors import OptionError
from kemu.engines.analysis import Budget
from kemu.engines.moeraki.board.translation import kernel_action
from kemu.engines.moeraki.search.searcher import Searcher
from kemu.engines.moeraki.search.workspace import Workspace
from kemu.games.moeraki.actions import KEEP, SWAP, Action, PlaceBall, PlaceTane
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.engines.moeraki.positions import late_position, position, random_position, workspace_at

BEGINNER, BASIC, MASTER = (MoerakiKemu(variant) for variant in ("beginner", "basic", "master"))


def test_a_win_in_one_is_played_and_proven() -> None:
    found = Searcher(BASIC).search(position(BASIC, "g7", "e5 e7 d6", "a3 a5 k3 k5"), Budget(nodes=1000))
    assert (BASIC.format(found.action), found.value, found.proven) == ("f6", 1.0, "win in 1")
    assert found.lines[0].pv == (found.action,)


def test_a_threat_is_blocked() -> None:
    state = position(BASIC, "g7", "d6 e5 d8", "a9 b10 k7 i11")
    assert BASIC.format(Searcher(BASIC).search(state, Budget(nodes=2000)).action) == "c11"


def test_two_threats_are_a_proven_loss() -> None:
    one = position(BASIC, "g7", "f4 i9 k9", "a9 b10 e1 c1")
    lost = position(BASIC, "g7", "f4 i9 k9 k7 d6", "a9 b10 e1 c1 g1 f10")
    found = Searcher(BASIC).search(lost, Budget(nodes=5000))
    assert (found.value, found.proven) == (-1.0, "loss in 1")
    assert Searcher(BASIC).search(one, Budget(nodes=5000)).proven is None


def test_quiet_stones_win_where_threats_alone_do_not() -> None:
    found = 0
    for seed in range(12):
        state = random_position(BASIC, 5, f"quiet {seed}")
        searcher = Searcher(BASIC)
        if searcher.search(state, Budget(nodes=30)).proven is None:
            proven = searcher.search(state, Budget(nodes=150_000)).proven
            found += proven is not None and proven.startswith("win")
    assert found >= 2


def best_result(game: MoerakiKemu, state: State) -> int:
    """1, 0 or -1 for the seat to act, by the reference rules and nothing else."""

    @cache
    def solve(state: State) -> int:
        if (outcome := game.outcome(state)) is not None:
            return 0 if not outcome.winners else 1 if outcome.winners == (0,) else -1
        results = (solve(game.apply(state, action)) for action in game.actions(state))
        return max(results) if state.turn == 0 else min(results)

    return solve(state) if state.turn == 0 else -solve(state)


@pytest.mark.parametrize("game", [BEGINNER, BASIC, MASTER, MoerakiKemu("basic", starter=1)], ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_the_last_hollows_are_played_perfectly(game: MoerakiKemu, seed: int) -> None:
    state = late_position(game, 4 if game.variant == "master" else 6, f"late {seed}")
    found = Searcher(game).search(state, Budget(nodes=1_000_000))
    assert found.proven is not None
    assert found.value == best_result(game, state)
    after = game.apply(state, found.action)
    sign = 1 if after.turn == state.turn else -1
    outcome = game.outcome(after)
    assert outcome is not None or sign * best_result(game, after) == found.value


def test_a_search_with_nodes_and_seed_repeats_exactly() -> None:
    state = random_position(MASTER, 12, "repeat")
    first, second = (Searcher(MASTER).search(state, Budget(nodes=20_000), lines=3, seed=5) for _ in range(2))
    assert first.lines == second.lines
    assert first.nodes == second.nodes <= 25_000


def test_a_search_with_a_time_ends_in_time() -> None:
    found = Searcher(BASIC).search(random_position(BASIC, 3, "time"), Budget(ms=100))
    assert found.ms < 2000


def test_lines_are_different_and_ordered() -> None:
    found = Searcher(BASIC).search(random_position(BASIC, 14, "lines"), Budget(nodes=50_000), lines=4)
    assert len({line.action for line in found.lines}) == 4
    assert [line.value for line in found.lines] == sorted((line.value for line in found.lines), reverse=True)


@pytest.mark.parametrize("game", [BASIC, MASTER], ids=str)
def test_the_expected_line_is_legal(game: MoerakiKemu) -> None:
    state = random_position(game, 20, "legal line")
    for action in Searcher(game).search(state, Budget(nodes=50_000)).lines[0].pv:
        assert action in game.actions(state)
        state = game.apply(state, action)


def test_two_threads_find_what_one_finds() -> None:
    state = position(BASIC, "g7", "d6 e5 d8", "a3 k5 k7 i11")
    assert Searcher(BASIC).search(state, Budget(ms=200), threads=2).proven == "win in 2"
    quiet = random_position(BASIC, 20, "threads")
    assert Searcher(BASIC).search(quiet, Budget(ms=100), threads=2).action in BASIC.actions(quiet)


def test_the_ball_is_placed_where_it_may_lie() -> None:
    game = MoerakiKemu("basic", moved_from="f6")
    found = Searcher(game).search(game.initial(), Budget(nodes=3000))
    assert isinstance(found.action, PlaceBall)
    assert found.action in game.actions(game.initial())


def played(game: MoerakiKemu, nodes: int, seed: int) -> list[Action]:
    """A whole game of the search against itself."""
    state, searcher, actions = game.initial(), Searcher(game), []
    while game.outcome(state) is None:
        found = searcher.search(state, Budget(nodes=nodes), seed=seed)
        assert found.action in game.actions(state)
        actions.append(found.action)
        state = game.apply(state, found.action)
    return actions


@pytest.mark.parametrize("game", [BEGINNER, MASTER, MoerakiKemu("master", starter=1, eye=True, swap=True)], ids=str)
def test_the_search_plays_whole_games(game: MoerakiKemu) -> None:
    assert len(played(game, 1500, 1)) > 10


def test_a_first_stone_that_wins_is_taken_over_by_swap() -> None:
    game = MoerakiKemu("basic", swap=True)
    state = game.apply(game.apply(game.initial(), game.parse("@f6")), game.parse("e7"))
    found = Searcher(game).search(state, Budget(nodes=60_000), lines=2)
    assert SWAP in {line.action for line in found.lines}


def test_a_tane_is_placed_where_it_decides_the_marae() -> None:
    decided = 0
    for seed in range(40):
        state = late_position(MASTER, 2, f"tane {seed}")
        for action in MASTER.actions(state):
            asked = MASTER.apply(state, action)
            if asked.step is None or best_result(MASTER, MASTER.apply(asked, KEEP)) * sign_of(asked, KEEP) > 0:
                continue
            if best_result(MASTER, asked) > 0:
                decided += 1
                assert isinstance(Searcher(MASTER).search(asked, Budget(nodes=5000)).action, PlaceTane)
    assert decided > 0


def sign_of(state: State, action: Action) -> int:
    """Whether the same seat acts after an action."""
    return 1 if MASTER.apply(state, action).turn == state.turn else -1


@pytest.mark.parametrize("limits", [{}, {"nodes": 5, "ms": 5}, {"nodes": 0}, {"ms": 1.5}, {"ms": True}])
def test_a_budget_is_nodes_or_milliseconds(limits: dict[str, int]) -> None:
    with pytest.raises(OptionError, match="not both"):
        Budget(**limits)


def test_engines_are_imported_without_numba() -> None:
    code = "import sys, kemu, kemu.engines, kemu.engines.analysis, kemu.engines.moeraki; print('numba' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"


def test_a_fresh_process_runs_the_searches_from_the_cache() -> None:
    """Code that calls itself once crashed when it came from the cache (numba issue 6061)."""
    code = (
        "import kemu; from kemu.engines.analysis import Budget;"
        "from kemu.engines.moeraki.search.searcher import Searcher;"
        "game = kemu.game('moeraki-kemu'); state = game.apply(game.initial(), game.parse('@f6'));"
        "print(Searcher(game).search(state, Budget(nodes=20000)).nodes > 10000)"
    )
    for _ in range(2):
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert found.stdout == "True\n"


def test_a_forced_win_or_defence_is_not_missed() -> None:
    """Where threats win they are found; where some stone stops the opponent's threats, such a stone is laid."""
    wins = defences = 0
    for seed in range(40):
        state = random_position(BASIC, 8 + seed % 8, f"forced {seed}")
        workspace, own, other = workspace_at(BASIC, state)
        found = Searcher(BASIC).search(state, Budget(nodes=4000))
        if workspace.attack(own, other) is not None:
            wins += 1
            assert found.value == 1.0
            continue
        stopped = {lay for lay in BASIC.actions(state) if stops(workspace, own, other, lay)}
        if 0 < len(stopped) < len(BASIC.actions(state)):
            defences += 1
            assert found.action in stopped
    assert wins > 10
    assert defences > 5


def stops(workspace: Workspace, own: np.uint64, other: np.uint64, lay: Action) -> bool:
    """Whether the opponent has no win by threats after this stone."""
    return workspace.attack(other, own | np.uint64(1 << kernel_action(lay))) is None
