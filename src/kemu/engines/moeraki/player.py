"""What the engine of Moeraki-Kemu offers: its ladder and analyst, and the bots that these are measured by."""

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final

from kemu.core.game import AnyGame, Seat
from kemu.engines.analysis import (
    Analysis,
    Budget,
    Prediction,
    RescueAnalysis,
    ThreatAnalysis,
    Verdict,
    calibrated,
    read_verdict,
)
from kemu.engines.learning import Learner
from kemu.engines.moeraki.quick_choice import motifs, open_lines, quick_choice
from kemu.engines.player import ONE_SECOND, EnginePlayer, Level, ReviewBudget, Theorems, quick, searching, with_elo
from kemu.engines.puzzles import PuzzleFinder
from kemu.games.moeraki.actions import LayStone
from kemu.games.moeraki.board import HOLLOW

_LINES_ALONE: Final = (
    quick(0.4),
    quick(0.58),
    quick(0.74),
    searching(2_000, slip=0.84, attention=0.88),
    searching(2_000, slip=0.64, attention=0.9),
    searching(2_000, slip=0.42, attention=0.94),
    searching(4_000, slip=0.2),
    Level(ONE_SECOND),
)
_WITH_TILES: Final = (
    quick(0.42),
    quick(0.67),
    quick(0.89),
    searching(2_000, slip=0.63, attention=0.92),
    searching(2_000, slip=0.36, attention=0.95),
    searching(4_000, slip=0.19),
    searching(20_000, slip=0.04),
    Level(ONE_SECOND),
)
LEVELS: Final = {
    "beginner": with_elo(_LINES_ALONE, (0, 139, 278, 451, 570, 702, 827, 937)),
    "basic": with_elo(_WITH_TILES, (0, 175, 322, 490, 667, 841, 1014, 1187)),
    "master": with_elo(_WITH_TILES, (0, 160, 334, 518, 672, 842, 1027, 1200)),
}
"""By variant; Elo by the shares of neighbours in docs/strength.md, which says what is measured and what estimated."""


CALIBRATION: Final = {
    "beginner": ((-4.0, -4.088), (4.0, 4.088)),
    "basic": (
        (-10.0, -2.217),
        (-5.0, -0.743),
        (-2.5, -0.659),
        (-1.0, -0.434),
        (1.0, 0.434),
        (2.5, 0.659),
        (5.0, 0.743),
        (10.0, 2.217),
    ),
    "master": (
        (-10.0, -2.784),
        (-5.0, -1.413),
        (-2.5, -0.719),
        (-1.0, -0.409),
        (1.0, 0.409),
        (2.5, 0.719),
        (5.0, 1.413),
        (10.0, 2.784),
    ),
}
"""The curve of the expected score by variant, fitted by bench/calibration.py."""


def levels(game: AnyGame) -> Sequence[Level]:
    """The ladder of a variant."""
    rules: Any = game
    return LEVELS[rules.variant]


def moeraki_motifs(game: AnyGame) -> Mapping[str, float]:
    """What a quick choice may notice in a variant."""
    rules: Any = game
    return motifs(rules)


class MoerakiAnalyst:
    """Searches Moeraki-Kemu; with a budget of time it keeps what it found before."""

    def __init__(self, game: AnyGame, depth: int | None = None, threads: int = 1) -> None:
        self._game: Any = game
        self._threads = threads
        self._searcher: Any = None

    def analyse(self, view: Any, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]:
        from kemu.engines.moeraki.search import Searcher

        # With a budget of nodes the same question must get the same answer, so that nothing is kept.
        if self._searcher is None or budget.nodes:
            self._searcher = Searcher(self._game)
        found: Analysis[Any] = self._searcher.search(self.state(view), budget, lines, seed, self._threads)
        return found

    def state(self, view: Any) -> Any:
        return self._game.decode(view["position"])


def threats(game: AnyGame, state: Any) -> ThreatAnalysis[Any]:
    """The stones that win at once, and those that stop a win by threats of the opponent."""
    rules: Any = game
    found: ThreatAnalysis[Any] = _defence(rules).find(state)
    return found


def rescue(game: AnyGame, states: Sequence[Any], seat: Seat) -> RescueAnalysis[Any] | None:
    """The last decision of a seat before its loss was proved."""
    from kemu.engines.moeraki.rescue import moeraki_rescue

    rules: Any = game
    return moeraki_rescue(rules, states, seat, _defence(rules))


def expected_score(game: AnyGame, value: float) -> float:
    """The expected score of the seat to act for the value of a line."""
    rules: Any = game
    return calibrated(value, CALIBRATION[rules.variant])


def verdict(game: AnyGame, state: Any, budget: Budget) -> Verdict | None:
    """What threats, quiet stones that threaten, pairings or the solver of endings prove within a budget."""
    from kemu.engines.moeraki.search import Searcher

    rules: Any = game
    return read_verdict(Searcher(rules).search(state, budget).proven)


def ownership(game: AnyGame, state: Any) -> Mapping[str, float]:
    """The tiles to expect in each area, positive for seat 0."""
    from kemu.engines.moeraki.prediction import expected_owners

    rules: Any = game
    return expected_owners(rules, state)


def prediction(game: AnyGame, state: Any) -> Prediction | None:
    """How the game is expected to end."""
    from kemu.engines.moeraki.prediction import expected_end

    rules: Any = game
    return expected_end(rules, state)


@lru_cache(maxsize=4)
def _defence(game: Any) -> Any:
    from kemu.engines.moeraki.defence import Defence

    return Defence(game)


class ReflexBot:
    """Wins at once or keeps the opponent from winning at once; otherwise it takes any action."""

    name: Final = "reflex"

    def __init__(self, game: AnyGame, seed: int | None = None) -> None:
        self._game: Any = game
        self._source = random.Random(seed)

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """A stone that wins, else one that blocks, else any action."""
        state = self._game.decode(view["position"])
        wins, blocks = (
            {gap for _, gap in open_lines(self._game, state, seat)} for seat in (state.turn, 1 - state.turn)
        )
        lays = [action for action in actions if isinstance(action, LayStone)]
        return self._source.choice([action for action in lays if 1 << action.hollow in (wins or blocks)] or actions)


class UctBot:
    """Takes the action that random games through a growing tree visit most; it knows nothing but the rules."""

    name: Final = "uct"

    def __init__(self, game: AnyGame, seed: int | None, budget: Budget) -> None:
        self._game: Any = game
        self._source = random.Random(seed)
        self._budget = budget
        self._tree: Any = None

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """The most visited action; a node of the budget is a playout."""
        if len(actions) == 1:
            return actions[0]
        from kemu.engines.moeraki.uct import Uct

        if self._tree is None:
            self._tree = Uct(self._game, self._source.getrandbits(62))
        return self._tree.choose(self._game.decode(view["position"]), self._budget)


class TreeBot:
    """Takes the action that a search with a tree of its own finds, of the kind that its name says, see `tree_bots`."""

    def __init__(self, name: str, game: AnyGame, seed: int | None, budget: Budget) -> None:
        self.name: Final = name
        self._game: Any = game
        self._source = random.Random(seed)
        self._budget = budget
        self._tree: Any = None

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """The best action found; nodes of the budget are those of the tree and of the threat search."""
        if len(actions) == 1:
            return actions[0]
        from kemu.engines.moeraki.search_tree import new_tree
        from kemu.engines.moeraki.tree_bots import tree_searcher

        if self._tree is None:
            self._tree = new_tree()
        searcher = tree_searcher(self.name, self._game, self._tree)
        state = self._game.decode(view["position"])
        return searcher.search(state, self._budget, seed=self._source.getrandbits(48)).action


def moeraki_theorems() -> Theorems:
    """What can be proved over the empty board."""
    from kemu.engines.moeraki import theorems

    return Theorems(
        theorems.prove_again, theorems.NEXT_GOAL, theorems.goal_leaves, theorems.prove_leaf, theorems.join_leaves
    )


def puzzles() -> PuzzleFinder:
    """What finds puzzles."""
    from kemu.engines.moeraki.puzzles import FINDER

    return FINDER


def learner() -> Learner:
    """What learns the weights of the evaluation."""
    from kemu.engines.moeraki.learner import MoerakiLearner

    return MoerakiLearner()


def warm() -> None:
    """Compiles the provers, the solver of endings without Tane and the net."""
    from kemu.engines.moeraki.lasthollows import Endings
    from kemu.engines.moeraki.lineproof import Board, LineProver
    from kemu.engines.moeraki.prediction import expected_end
    from kemu.engines.moeraki.tables import HOLLOW_BIT
    from kemu.games.moeraki.rules import MoerakiKemu

    LineProver("g7").prove(Board(0, 0), Budget(nodes=5_000))
    Endings(HOLLOW_BIT[HOLLOW["g7"]], False, 1 << 10).value(0, 0, False, 100)
    game = MoerakiKemu()
    expected_end(game, game.apply(game.initial(), game.parse("@g7")))


player: Final = EnginePlayer(
    levels=levels,
    quick_choice=quick_choice,
    motifs=moeraki_motifs,
    analyst=MoerakiAnalyst,
    bots={"reflex": ReflexBot},
    searching_bots={
        "uct": UctBot,
        "uct-threats": partial(TreeBot, "uct-threats"),
        "puct": partial(TreeBot, "puct"),
    },
    threats=threats,
    theorems=moeraki_theorems,
    warm=warm,
    rescue=rescue,
    expected_score=expected_score,
    verdict=verdict,
    review=ReviewBudget(1_000, 100_000),
    ownership=ownership,
    prediction=prediction,
    puzzles=puzzles,
    learner=learner,
)
