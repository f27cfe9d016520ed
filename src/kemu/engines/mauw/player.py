"""The player of MAUW, see `kemu.engines.capabilities`: its ladder, analyst and greedy bot, and views from logs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from kemu.core.errors import IllegalAction
from kemu.core.game import AnyGame
from kemu.engines import capabilities
from kemu.engines.analysis import Analysis, Budget, calibrated
from kemu.engines.capabilities import ONE_SECOND, Level, quick, searching, with_elo
from kemu.engines.mauw.information_set import draw_odds as draw_odds
from kemu.engines.mauw.log import consistent_state
from kemu.engines.mauw.log import view_from_log as view_from_log
from kemu.engines.mauw.quick_choice import DIFFICULTIES, Greedy
from kemu.engines.mauw.quick_choice import quick_choice as quick_choice
from kemu.games.mauw.actions import PlaceGain, PlayCard

_TWO: Final = (*map(quick, (0.0, 0.45, 0.68, 0.82, 1.0)), searching(80, slip=0.25), searching(600), Level(ONE_SECOND))
_MORE: Final = (
    *map(quick, (0.0, 0.8, 0.95)),
    searching(80, slip=0.8),
    searching(80, slip=0.55),
    searching(80, slip=0.2),
    searching(600),
    Level(ONE_SECOND),
)
LEVELS: Final = {
    2: with_elo(_TWO, (0, 117, 193, 288, 421, 611, 758, 933)),
    3: with_elo(_MORE, (0, 160, 260, 410, 505, 625, 770, 945)),
}
"""By players, more play as three do; docs/strength.md says what is measured and what estimated."""


CALIBRATION: Final = {2: ((-4.0, -4.858), (4.0, 4.91)), 3: ((-4.0, -4.323), (4.0, 4.421))}
"""The curve of the expected score by players, fitted by bench/calibration.py; more play as three do."""


def levels(game: AnyGame) -> Sequence[Level]:
    """The ladder of so many players."""
    return LEVELS[min(game.seats, max(LEVELS))]


def motifs(game: AnyGame) -> Mapping[str, float]:
    """What a quick choice may notice."""
    return DIFFICULTIES


class MauwAnalyst:
    """Searches MAUW from what one seat knows."""

    def __init__(self, game: AnyGame) -> None:
        self._game: Any = game
        self._searcher: Any = None

    def analyse(self, view: Any, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]:
        from kemu.engines.mauw.search import Searcher

        if self._searcher is None:
            self._searcher = Searcher(self._game)
        return self._searcher.search(view, log, budget, lines, seed)

    def state(self, view: Any) -> Any:
        if view["end"] is not None:
            raise IllegalAction("The game is over, so that there is no action to find.")
        if view["to_act"] != view["seat"]:
            raise IllegalAction(f"Seat {view['seat']} is not to act.")
        return consistent_state(self._game, view)


def expected_score(game: AnyGame, value: float) -> float:
    """The expected share of the victory for the value of a line."""
    return calibrated(value, CALIBRATION[min(game.seats, max(CALIBRATION))])


def alike(game: AnyGame, view: Any, action: Any) -> Any:
    """The same action on the first of the equal columns of a zone: a search tells no more than that one."""
    if not isinstance(action, PlayCard | PlaceGain):
        return action
    owner = action.owner if isinstance(action, PlayCard) else view["seat"]
    zone = view["zones"][owner]
    return replace(action, column=zone.index(zone[action.column]))


def hides(line: str) -> bool:
    """Whether a line of a log hides a card."""
    return line.endswith("?")


def analyst(game: AnyGame, depth: int | None, threads: int) -> MauwAnalyst:
    """Return an analyst; it searches by one thread, and to the end of the game whatever the depth."""
    capabilities.require_one_thread(game, threads)
    return MauwAnalyst(game)


def sparring_bots() -> Mapping[str, capabilities.Maker]:
    """Return the greedy bot."""
    return {"greedy": Greedy}


def review_budget() -> capabilities.ReviewBudget:
    """Return the playouts for each position of a review."""
    return capabilities.ReviewBudget(100, 2_000)


def puzzles() -> capabilities.PuzzleFinder:
    """Return what finds puzzles."""
    from kemu.engines.mauw import puzzles

    return puzzles


def learner() -> capabilities.Learner:
    """Return what learns value and policy."""
    from kemu.engines.mauw.learner import ValueLearner

    return ValueLearner()
