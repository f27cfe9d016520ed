"""The player of Moeraki-Kemu: its ladder, its analyst, and a bot without a search to measure them by.

A game is taken as `Any`: this engine is asked about Moeraki-Kemu only.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final

from kemu.core.game import Seat
from kemu.engines import capabilities
from kemu.engines.analysis import Analysis, Budget, Comparison, Forecast, RescueAnalysis, ThreatAnalysis, calibrated
from kemu.engines.capabilities import ONE_SECOND, Level, quick, searching, with_elo
from kemu.engines.moeraki.quick_choice import motifs as motifs
from kemu.engines.moeraki.quick_choice import open_lines
from kemu.engines.moeraki.quick_choice import quick_choice as quick_choice
from kemu.engines.threats import ReflexBot
from kemu.games.moeraki.actions import LayStone
from kemu.games.moeraki.position import View

_LINES_ALONE: Final = (
    *map(quick, (0.4, 0.58, 0.74)),
    searching(2_000, slip=0.84, attention=0.88),
    searching(2_000, slip=0.64, attention=0.9),
    searching(2_000, slip=0.42, attention=0.94),
    searching(4_000, slip=0.2),
    Level(ONE_SECOND),
)
_WITH_TILES: Final = (
    *map(quick, (0.42, 0.67, 0.89)),
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
    "beginner": ((-4.0, 4.0), (-4.088, 4.088)),
    "basic": (
        (-10.0, -5.0, -2.5, -1.0, 1.0, 2.5, 5.0, 10.0),
        (-2.217, -0.743, -0.659, -0.434, 0.434, 0.659, 0.743, 2.217),
    ),
    "master": (
        (-10.0, -5.0, -2.5, -1.0, 1.0, 2.5, 5.0, 10.0),
        (-2.784, -1.413, -0.719, -0.409, 0.409, 0.719, 1.413, 2.784),
    ),
}
"""The curve of the expected score by variant, fitted by bench/calibration.py."""


def levels(game: Any) -> Sequence[Level]:
    """Return the ladder of a variant."""
    return LEVELS[game.variant]


class MoerakiAnalyst:
    """Searches Moeraki-Kemu; with a budget of time it keeps what it found before."""

    def __init__(self, game: Any, threads: int) -> None:
        self._game = game
        self._threads = threads
        self._searcher: Any = None

    def analyse(self, view: View, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]:
        from kemu.engines.moeraki.search.searcher import Searcher

        # With a budget of nodes the same question must get the same answer, so that nothing is kept.
        if self._searcher is None or budget.nodes:
            self._searcher = Searcher(self._game)
        return self._searcher.search(self.state(view), budget, lines, seed, self._threads)

    def compare(self, view: View, log: Sequence[str], budget: Budget, action: Any, seed: int) -> Comparison[Any]:
        from kemu.engines.moeraki.search.searcher import Searcher

        return Searcher(self._game).compare(self.state(view), budget, seed)

    def state(self, view: View) -> Any:
        return self._game.decode(view["position"])


def threats(game: Any, state: Any) -> ThreatAnalysis[Any]:
    """Return the stones that win at once, and those that stop a win by threats of the opponent."""
    return _defence(game).find(state)


def rescue(game: Any, states: Sequence[Any], seat: Seat) -> RescueAnalysis[Any] | None:
    """Return the last decision of a seat before its loss was proved."""
    return _defence(game).rescue(states, seat)


def expected_score(game: Any, value: float) -> float:
    """Return the expected score of the seat to act for the value of a line."""
    return calibrated(value, CALIBRATION[game.variant])


def forecast(game: Any, state: Any) -> Forecast | None:
    """Return how the game is expected to end, None before the ball lies."""
    from kemu.engines.moeraki.value.forecast import forecast

    return forecast(game, state)


@lru_cache(maxsize=4)
def _defence(game: Any) -> Any:
    from kemu.engines.moeraki.search.defence import Defence

    return Defence(game)


def reflex(game: Any, state: Any, actions: Sequence[Any]) -> Sequence[Any]:
    """Return the stones that win at once, else those that block a line at once."""
    wins, blocks = ({gap for _, gap in open_lines(game, state, seat)} for seat in (state.turn, 1 - state.turn))
    lays = [action for action in actions if isinstance(action, LayStone)]
    return [action for action in lays if 1 << action.hollow in (wins or blocks)]


def analyst(game: Any, depth: int | None, threads: int) -> MoerakiAnalyst:
    """Return an analyst with this many threads; its depth is that of its budget."""
    return MoerakiAnalyst(game, threads)


def sparring_bots() -> Mapping[str, capabilities.Maker]:
    """Return the reflex bot."""
    return {"reflex": partial(ReflexBot, reflex)}


def review_budget() -> capabilities.ReviewBudget:
    """Return the nodes for each position of a review."""
    return capabilities.ReviewBudget(1_000, 100_000)


def theorems() -> capabilities.Theorems:
    """Return what can be proved over the empty board."""
    from kemu.engines.moeraki.certify import theorems

    return theorems


def puzzles() -> capabilities.PuzzleFinder:
    """Return what finds puzzles."""
    from kemu.engines.moeraki.puzzles import finder

    return finder


def learner() -> capabilities.Learner:
    """Return what learns the weights of the evaluation."""
    from kemu.engines.moeraki.learn.learner import MoerakiLearner

    return MoerakiLearner()


def warm() -> None:
    """Compile the provers, the solver of endings without Tane and the quick games of the forecast."""
    from kemu.engines.moeraki.board.tables import NAMED_BIT
    from kemu.engines.moeraki.prove.lead_endings import Endings
    from kemu.engines.moeraki.prove.lines import Board, LineProver
    from kemu.engines.moeraki.value.forecast import forecast
    from kemu.games.moeraki.rules import MoerakiKemu

    LineProver("g7").prove(Board(0, 0), Budget(nodes=5_000))
    Endings(NAMED_BIT["g7"], False, 1 << 10).value(0, 0, False, 100)
    game = MoerakiKemu()
    forecast(game, game.apply(game.initial(), game.parse("@g7")))
