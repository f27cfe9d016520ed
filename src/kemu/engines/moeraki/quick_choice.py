"""A quick choice in Moeraki-Kemu: what people see at a glance, and what they miss.

All there is to see is a motif with a difficulty, see `chance_to_notice` of `kemu.engines.capabilities`. People find the
four stones around a beach before a line, a short line before a long one, and their own lines before the opponent's.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Final

from kemu.core.game import Seat
from kemu.engines.capabilities import chance_to_notice
from kemu.games.moeraki.actions import Keep, LayStone, PlaceBall
from kemu.games.moeraki.board import BESIDE, CORNERS, DIAGONALS, HOLLOWS, mask, numbers
from kemu.games.moeraki.options import Options
from kemu.games.moeraki.position import State, View
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import WinningLine, barred, earned, lines

DIFFICULTIES: Final = {
    "tahuna": 0.4,
    "short-awa": 0.8,  # the diagonals of three hollows, at the corners
    "awa": 1.2,  # those of five
    "long-awa": 1.8,  # those of seven and nine
    "ball-awa": 1.4,  # from the ball to the sideline
    "ara": 1.2,
    "eye": 1.0,
    "tile": 1.0,  # a tile that the next stone decides
    "open-tile": 2.0,  # a tile that the opponent completes after the own stone
    "tane": 1.5,  # where a Tane may be placed, and what one bars
}
"""Of each motif."""

OPPONENT_FACTOR: Final = 1.5
"""By how much lines of the opponent are more difficult to see than own ones."""

LONE_APPEAL: Final = 0.3
"""How much a hollow on no promising line attracts a stone."""

TILE_PULL: Final = 3.0
"""By how much a tile multiplies what attracts a stone."""

PATIENCE: Final = 2
"""With all attention a Tane placed on the empty board must gain this many tiles, towards the end none."""

_AWA_MOTIFS: Final = {3: "short-awa", 5: "awa", 7: "long-awa", 9: "long-awa"}
_DIAGONALS: Final = {mask(diagonal): _AWA_MOTIFS[len(diagonal)] for diagonal in DIAGONALS}


@cache
def line_motif(line: WinningLine) -> str:
    """Return the motif that a line is."""
    return _DIAGONALS.get(line.hollows, "ball-awa") if line.reason == "awa" else line.reason


def motifs(game: Options) -> Mapping[str, float]:
    """Return what there is to see in a variant: the difficulty of each motif, for lines that of the opponent's."""
    left_out = {
        *(() if game.eye else ("eye",)),
        *(() if game.variant == "master" else ("tane",)),
        *(("tile", "open-tile") if game.variant == "beginner" else ()),
    }
    own = ("tile", "open-tile", "tane")
    return {
        motif: difficulty if motif in own else OPPONENT_FACTOR * difficulty
        for motif, difficulty in DIFFICULTIES.items()
        if motif not in left_out
    }


@dataclass(frozen=True)
class _Glance:
    """Draws what one choice notices."""

    attention: float
    dice: random.Random

    def notices(self, motif: str, factor: float = 1.0) -> bool:
        return self.dice.random() < chance_to_notice(self.attention, factor * DIFFICULTIES[motif])


def quick_choice(game: MoerakiKemu, view: View, actions: Sequence[Any], attention: float, dice: random.Random) -> Any:
    """Win at once if it notices, blocks if it notices, otherwise builds its own lines and minds the tiles it sees."""
    state = game.decode(view["position"])
    if isinstance(actions[0], PlaceBall):
        return dice.choice(actions)
    glance = _Glance(attention, dice)
    lays = [action for action in actions if isinstance(action, LayStone)]
    if not lays:
        return _choose_tane(game, state, actions, glance)
    for seat, factor in ((state.turn, 1.0), (1 - state.turn, OPPONENT_FACTOR)):
        gaps = [gap for line, gap in open_lines(game, state, seat) if glance.notices(line_motif(line), factor)]
        if gaps:
            return dice.choice([action for action in lays if 1 << action.hollow in gaps])
    appeal = _appeal(game, state, attention)
    if game.variant != "beginner":
        closed = {area for area in barred(state.tane) if glance.notices("tane")}
        for action in lays:
            appeal[action.hollow] *= TILE_PULL ** _tile_swing(state, action.hollow, closed, glance)
    return dice.choices(lays, [appeal[action.hollow] ** (0.5 + 1.5 * attention) for action in lays])[0]


def open_lines(game: Options, state: State, seat: Seat) -> Iterator[tuple[WinningLine, int]]:
    """Return the lines that one stone of this seat would fill, each with the mask of its empty hollow."""
    for line in lines(state.ball, game.eye):
        missing = line.hollows & ~state.stones[seat]
        if missing & (missing - 1) == 0 and not missing & state.occupied:
            yield line, missing


def _appeal(game: Options, state: State, attention: float) -> list[float]:
    """Return how much each hollow attracts a stone: by the own stones on open lines through it that are easy to see."""
    appeal = [LONE_APPEAL] * len(HOLLOWS)
    mine, theirs = state.stones[state.turn], state.stones[1 - state.turn]
    for line in lines(state.ball, game.eye):
        begun = (line.hollows & mine).bit_count()
        if begun and not line.hollows & theirs:
            share = (begun / line.hollows.bit_count()) ** 2
            seen = chance_to_notice(attention, DIFFICULTIES[line_motif(line)])
            for hollow in numbers(line.hollows):
                appeal[hollow] += 4 * share * seen
    return appeal


def _tile_swing(state: State, hollow: int, closed: set[int], glance: _Glance) -> float:
    """Return the tiles that a stone here decides, as far as they are noticed: own ones less those of the opponent."""
    swing = Fraction()
    for area in BESIDE[hollow]:
        holes = mask(CORNERS[area]) & ~state.occupied & ~(1 << hollow)
        if area in closed or holes & (holes - 1):
            continue
        if holes:  # the opponent may complete it next
            if glance.notices("open-tile"):
                swing += min(Fraction(), _tile(state, area, 1 << hollow, holes))
        elif glance.notices("tile"):
            swing += _tile(state, area, 1 << hollow, 0) - _tile(state, area, 0, 1 << hollow)
    return float(swing)


def _tile(state: State, area: int, mine: int, theirs: int) -> Fraction:
    """Return the tile of an area once these stones are laid as well, negative if it is the opponent's."""
    own, other = state.stones[state.turn] | mine, state.stones[1 - state.turn] | theirs
    tile = earned(area, state.ball, (own, other))
    return Fraction() if tile is None else tile.worth if tile.tribe == 0 else -tile.worth


def _choose_tane(game: MoerakiKemu, state: State, actions: Sequence[Any], glance: _Glance) -> Any:
    """Return the Tane where it gains most now, of the places that are noticed, or kept for a better time."""
    seat = state.turn

    def lead(action: Any) -> Fraction:
        scores = game.view(game.apply(state, action), seat)["scores"]
        assert scores is not None, "tiles count where there are Tane"
        return Fraction(scores[seat]) - Fraction(scores[1 - seat])

    keep = next(action for action in actions if isinstance(action, Keep))
    empty = 1 - state.occupied.bit_count() / len(HOLLOWS)
    noticed = [action for action in actions if action != keep and glance.notices("tane")]
    leads = [(lead(action), glance.dice.random(), action) for action in noticed]
    best, _, action = max(leads, default=(Fraction(), 0.0, keep), key=lambda each: each[:2])
    return action if best - lead(keep) > PATIENCE * glance.attention * empty else keep
