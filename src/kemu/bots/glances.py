"""What one sees at a glance: sensible but short-sighted actions, one for each game, and the player of reflexes.

`attention` is the chance to notice what lies one step ahead.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

from kemu.core.game import AnyGame, Seat
from kemu.engines.mauw.greedy import Greedy
from kemu.games.mauw.rules import Mauw
from kemu.games.moeraki.actions import LayStone, PlaceBall
from kemu.games.moeraki.board import HOLLOWS, numbers
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import lines
from kemu.games.mu_torere.rules import Move, MuTorere

Glance: TypeAlias = Callable[[Any, Any, Sequence[Any], float, random.Random], Any]
"""From game, view, actions, attention and dice to an action."""

_MAUW_NOISE: Final = 40.0
"""Without any attention, points of MAUW are misjudged by about so many."""

_LONE: Final = 0.3
"""How much a hollow on no promising line attracts a stone."""


def moeraki_glance(game: MoerakiKemu, view: Any, actions: Sequence[Any], attention: float, dice: random.Random) -> Any:
    """Wins at once if it notices, blocks if it notices, otherwise builds its own lines."""
    state = game.decode(view["position"])
    if isinstance(actions[0], PlaceBall):
        return dice.choice(actions)
    lays = [action for action in actions if isinstance(action, LayStone)]
    if not lays:
        return _tane_glance(game, state, actions, dice)
    for seat in (state.turn, 1 - state.turn):
        urgent = completions(game, state, seat)
        if urgent and dice.random() < attention:
            return dice.choice([action for action in lays if urgent >> action.hollow & 1])
    appeal = _appeal(game, state)
    return dice.choices(lays, [appeal[action.hollow] ** (0.5 + 1.5 * attention) for action in lays])[0]


def completions(game: MoerakiKemu, state: State, seat: Seat) -> int:
    """The empty hollows where a stone of this seat would win at once, as a bit mask."""
    found = 0
    for line in lines(state.ball, game.eye):
        missing = line.hollows & ~state.stones[seat]
        if missing & (missing - 1) == 0 and not missing & state.occupied:
            found |= missing
    return found


def _appeal(game: MoerakiKemu, state: State) -> list[float]:
    """How much each hollow attracts a stone: by the own stones on lines through it that are still open."""
    appeal = [_LONE] * len(HOLLOWS)
    mine, theirs = state.stones[state.turn], state.stones[1 - state.turn]
    for line in lines(state.ball, game.eye):
        begun = (line.hollows & mine).bit_count()
        if begun and not line.hollows & theirs:
            share = (begun / line.hollows.bit_count()) ** 2
            for hollow in numbers(line.hollows):
                appeal[hollow] += 4 * share
    return appeal


def _tane_glance(game: MoerakiKemu, state: State, actions: Sequence[Any], dice: random.Random) -> Any:
    """The Tane where it looks best now, or kept."""
    seat = state.turn

    def lead(action: Any) -> Fraction:
        view: Any = game.view(game.apply(state, action), seat)
        return Fraction(view["scores"][seat]) - Fraction(view["scores"][1 - seat])

    return max(actions, key=lambda action: (lead(action), dice.random()))


def mu_torere_glance(game: MuTorere, view: Any, actions: Sequence[Move], attention: float, dice: random.Random) -> Move:
    """Blocks the opponent at once if it notices, otherwise takes any action."""
    state = game.decode(view["position"])
    wins = [action for action in actions if not game.actions(game.apply(state, action))]
    return dice.choice(wins if wins and dice.random() < attention else actions)


def mauw_glance(game: Mauw, view: Any, actions: Sequence[Any], attention: float, dice: random.Random) -> Any:
    """Takes what seems to give the best lead now, which it misjudges the less attention it has."""
    leads = Greedy(game).leads(view, actions)
    noise = _MAUW_NOISE * (1 - attention)
    seeming = [(lead + dice.gauss(0, noise), dice.random()) for lead in leads]
    return actions[seeming.index(max(seeming))]


GLANCES: Final[Mapping[str, Glance]] = {
    "moeraki-kemu": moeraki_glance,
    "mu-torere": mu_torere_glance,
    "mauw": mauw_glance,
}
"""By the key of the game."""


class Reflex:
    """Wins at once or keeps the opponent from winning at once; otherwise it takes any action."""

    name: Final = "reflex"

    def __init__(self, game: AnyGame, seed: int | None = None) -> None:
        self._game: Any = game
        self._source = random.Random(seed)

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """A winning action, else one that blocks, else any."""
        state = self._game.decode(view["position"])
        urgent = _urgent_stones if isinstance(self._game, MoerakiKemu) else _urgent_moves
        return self._source.choice(urgent(self._game, state, actions) or actions)


def _urgent_stones(game: MoerakiKemu, state: State, actions: Sequence[Any]) -> list[Any]:
    wins, blocks = (completions(game, state, seat) for seat in (state.turn, 1 - state.turn))
    return [action for action in actions if isinstance(action, LayStone) and (wins or blocks) >> action.hollow & 1]


def _urgent_moves(game: MuTorere, state: Any, actions: Sequence[Move]) -> list[Move]:
    after = {action: game.apply(state, action) for action in actions}
    wins = [action for action in actions if not game.actions(after[action])]
    return wins or [action for action in actions if not _can_win(game, after[action])]


def _can_win(game: MuTorere, state: Any) -> bool:
    return any(not game.actions(game.apply(state, action)) for action in game.actions(state))


REFLEXES: Final = ("moeraki-kemu", "mu-torere")
"""The games where something can be won or blocked at once."""
