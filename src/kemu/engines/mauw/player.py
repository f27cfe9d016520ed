"""The player of MAUW, see `kemu.engines.capabilities`: its ladder and analyst, and players that do not search.

Those are the greedy one, a yardstick, and a quick choice as people make it: it sees what people see at a glance, and
misses what they miss. What there is to see is a motif with a difficulty, see `chance_to_notice` in
`kemu.engines.capabilities`. People look at their own columns first. They overlook attacks and blocks, spend jokers for
little, and forget what others do next.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from kemu.core.errors import IllegalAction
from kemu.core.game import AnyGame, Seat
from kemu.core.parts import require
from kemu.engines import capabilities
from kemu.engines.analysis import Analysis, Budget, Comparison, calibrated
from kemu.engines.capabilities import NEEDS_SEARCH, ONE_SECOND, Level, chance_to_notice, quick, searching, with_elo
from kemu.engines.mauw.information_set import draw_odds as draw_odds
from kemu.engines.mauw.log import AnyView, consistent_state
from kemu.engines.mauw.log import view_from_log as view_from_log
from kemu.games.mauw.actions import GIVE_IN, PlaceGain, PlayCard, card_from_hand
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import MAUI, NO_FACE, State, Zone, score, worth
from kemu.games.mauw.turns import DEALT

A = TypeVar("A")

_TWO: Final = (*map(quick, (0.0, 0.45, 0.68, 0.82, 1.0)), searching(80, slip=0.25), searching(600), Level(ONE_SECOND))
_MORE: Final = (
    *map(quick, (0.0, 0.8, 0.95)),
    *(searching(80, slip=slip) for slip in (0.8, 0.55, 0.2)),
    searching(600),
    Level(ONE_SECOND),
)
LEVELS: Final = {
    2: with_elo(_TWO, (0, 117, 193, 288, 421, 611, 758, 933)),
    3: with_elo(_MORE, (0, 160, 260, 410, 505, 625, 770, 945)),
}
"""By players, more play as three do; docs/strength.md says what is measured and what estimated."""


CALIBRATION: Final = {2: ((-4.0, 4.0), (-4.858, 4.91)), 3: ((-4.0, 4.0), (-4.323, 4.421))}
"""The curve of the expected score by players, fitted by bench/calibration.py; more play as three do."""


def levels(game: AnyGame) -> Sequence[Level]:
    """Return the ladder for the number of players of a game."""
    return LEVELS[min(game.seats, max(LEVELS))]


def motifs(game: AnyGame) -> Mapping[str, float]:
    """Return the motifs that a quick choice may notice."""
    return DIFFICULTIES


class MauwAnalyst:
    """Searches MAUW from what one seat knows."""

    def __init__(self, game: AnyGame) -> None:
        self._game: Any = game
        self._searcher: Any = None

    def analyse(self, view: AnyView, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]:
        return self._search().search(view, log, budget, lines, seed)

    def compare(self, view: AnyView, log: Sequence[str], budget: Budget, action: Any, seed: int) -> Comparison[Any]:
        return self._search().compare(view, log, budget, alike(self._game, view, action), seed)

    def _search(self) -> Any:
        require("engines")
        from kemu.engines.mauw.search import Searcher

        if self._searcher is None:
            self._searcher = Searcher(self._game)
        return self._searcher

    def state(self, view: AnyView) -> Any:
        if view["end"] is not None:
            raise IllegalAction("The game is over, so that there is no action to find.")
        if view["to_act"] != view["seat"]:
            raise IllegalAction(f"Seat {view['seat']} is not to act.")
        return consistent_state(self._game, view)


def expected_score(game: AnyGame, value: float) -> float:
    """The expected share of the victory for the value of a line."""
    return calibrated(value, CALIBRATION[min(game.seats, max(CALIBRATION))])


def alike(game: AnyGame, view: AnyView, action: Any) -> Any:
    """The same action on the first of the equal columns of a zone: a search tells no more than that one."""
    if not isinstance(action, PlayCard | PlaceGain):
        return action
    owner = action.owner if isinstance(action, PlayCard) else view["seat"]
    zone = view["zones"][owner]
    return replace(action, column=zone.index(zone[action.column]))


def stakes(game: Any, view: AnyView, action: Any) -> Mapping[str, int]:
    """Return by name how many points an action is about, if nobody answers it."""
    from kemu.engines.mauw.stakes import stakes

    return stakes(game, view, action)


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
    require("engines")
    from kemu.engines.mauw import puzzles

    return puzzles


def learner() -> capabilities.Learner:
    """Return what learns value and policy."""
    require("engines")
    from kemu.engines.mauw.learner import ValueLearner

    return ValueLearner()


# Without a search

DIFFICULTIES: Final = {
    "attack": 0.7,  # the association with a warrior of another zone
    "block": 0.7,  # a card on the bare Mauw of another zone
    "joker": 1.2,  # that a joker is better kept for more
    "next": 2.0,  # that the others can block what lies bare
    "count": NEEDS_SEARCH,  # which cards are still to come
}
"""Of each motif."""

NOISE: Final = 40.0
"""Typical error in points with which a quick choice without attention judges an action."""

JOKER_POINTS: Final = 12.0
"""Value of a joker kept in the hand."""

BARE_RISK: Final = 0.25
"""Share of the most valuable open column that a player who fears a block writes off."""


class Greedy:
    """Looks at the scores when an action has had its effect: its own less the best of the others.

    It supposes that nobody answers what it does, that every gain is put where its owner then stands best, and that
    cards drawn do not matter. Among equals it keeps its jokers and then takes any.
    """

    name: Final = "greedy"

    def __init__(self, game: Mauw, seed: int | None = None, worth: Callable[[Zone], float] = score) -> None:
        self._game = game
        self._source = random.Random(seed)
        self._worth = worth

    def choose(self, view: AnyView, log: Sequence[str], actions: Sequence[A]) -> A:
        """One of the actions with the best difference of scores."""
        if len(actions) == 1:
            return actions[0]
        leads = self.leads(view, actions)
        plays: Sequence[Any] = actions
        ranks = [(lead, card_from_hand(each) != MAUI) for lead, each in zip(leads, plays, strict=True)]
        best = max(ranks)
        return self._source.choice([each for each, rank in zip(actions, ranks, strict=True) if rank == best])

    def leads(self, view: AnyView, actions: Sequence[Any]) -> list[float]:
        """By how much each action lets this seat lead, by the worth of the zones."""
        state = consistent_state(self._game, view)
        return [self._lead(self._game.apply(state, each), view["seat"]) for each in actions]

    def _lead(self, state: State, seat: Seat) -> float:
        """The own zone's worth less that of the best other one, once what is under way has had its effect."""
        name = state.step.name
        if name in DEALT and name != "refill":
            # Any card will do: what is drawn is not laid in this turn, and the face of a Mauw does not matter.
            return self._lead(self._game.apply(state, self._game.actions(state)[0]), seat)
        if name in ("defend", "press"):
            return self._lead(self._game.apply(state, GIVE_IN), seat)
        if name == "put":
            leads = [self._lead(self._game.apply(state, each), seat) for each in self._game.actions(state)]
            return max(leads) if state.turn == seat else min(leads)
        worths = [self._worth(zone) for zone in state.zones]
        return worths[seat] - max(worths[:seat] + worths[seat + 1 :])


def quick_choice(game: Mauw, view: AnyView, actions: Sequence[Any], attention: float, dice: random.Random) -> Any:
    """Takes what seems to give the best lead, of the actions that it notices."""

    def notices(motif: str) -> bool:
        return dice.random() < chance_to_notice(attention, DIFFICULTIES[motif])

    noticed = [action for action in actions if (motif := _motif(view, action)) is None or notices(motif)] or actions
    leads = Greedy(game, worth=safe_score if notices("next") else score).leads(view, noticed)
    price = JOKER_POINTS if notices("joker") else 0.0
    noise = NOISE * (1 - attention)
    seeming = [
        lead - price * (card_from_hand(action) == MAUI) + dice.gauss(0, noise)
        for lead, action in zip(leads, noticed, strict=True)
    ]
    best = max(seeming)
    return dice.choice([action for action, points in zip(noticed, seeming, strict=True) if points == best])


def safe_score(zone: Zone) -> float:
    """The score of a zone of which the most valuable bare column may be blocked."""
    bare = max((worth(column) for column in zone if column.top == NO_FACE), default=0)
    return score(zone) - BARE_RISK * bare


def _motif(view: AnyView, action: Any) -> str | None:
    """Return the motif that must be noticed to consider an action, `None` if it is obvious."""
    if not isinstance(action, PlayCard) or action.owner == view["seat"]:
        return None
    return "block" if view["zones"][action.owner][action.column]["top"] is None else "attack"
