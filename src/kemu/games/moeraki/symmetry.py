"""The symmetries of Moeraki-Kemu: the board turned by quarters and mirrored, eight in all.

Lines, beaches, outer rows, the Moeraki hollows and the eye are the same after each of them. Only the option
`moved_from` names one hollow, so that with it those remain which keep this hollow where it is. Exchanging the colours
is none, because equal points are for the starter.
"""

from collections.abc import Sequence
from functools import cache, partial
from typing import Final, NamedTuple

from kemu.core.game import Symmetry
from kemu.games.moeraki.actions import BALLS, LAYS, TANE, Action, LayStone, PlaceBall, PlaceTane
from kemu.games.moeraki.board import AREA, AREAS, DIRECTIONS, HOLLOW, HOLLOWS, Point, numbers
from kemu.games.moeraki.options import Options
from kemu.games.moeraki.position import State
from kemu.games.moeraki.wins import Tane

_DIRECTION_NAMES: Final = {step: name for name, step in DIRECTIONS.items()}


class BoardMap(NamedTuple):
    """Where a symmetry takes each hollow, each area and each direction."""

    hollows: tuple[int, ...]
    areas: tuple[int, ...]
    directions: dict[str, str]


def _map(across: int, up: int, mirrored: bool) -> BoardMap:
    def image(x: int, y: int) -> tuple[int, int]:
        return (y * across, x * up) if mirrored else (x * across, y * up)

    return BoardMap(
        hollows=tuple(HOLLOW[Point(*image(*point)).name] for point in HOLLOWS),
        areas=tuple(AREA[Point(*image(*point)).name] for point in AREAS),
        directions={name: _DIRECTION_NAMES[image(*step)] for name, step in DIRECTIONS.items()},
    )


MAPS: Final = tuple(_map(across, up, mirrored) for mirrored in (False, True) for across in (1, -1) for up in (1, -1))
"""All eight, the identity first."""


@cache
def symmetries(game: Options) -> Sequence[Symmetry]:
    """Return the symmetries of a game with these options, the identity first."""
    kept = game.moved_from
    return tuple(
        Symmetry(partial(_state, each), partial(_action, each))
        for each in MAPS
        if kept is None or each.hollows[HOLLOW[kept]] == HOLLOW[kept]
    )


def _mask(places: BoardMap, hollows: int) -> int:
    return sum(1 << places.hollows[hollow] for hollow in numbers(hollows))


def _tane(places: BoardMap, tane: Tane | None) -> Tane | None:
    return tane and Tane(places.areas[tane.area], places.directions[tane.looks])


def _state(places: BoardMap, state: State) -> State:
    return State(
        ball=_mask(places, state.ball),
        stones=(_mask(places, state.stones[0]), _mask(places, state.stones[1])),
        tane=(_tane(places, state.tane[0]), _tane(places, state.tane[1])),
        turn=state.turn,
        step=None if state.step is None else places.hollows[state.step],
    )


def _action(places: BoardMap, action: Action) -> Action:
    match action:
        case PlaceBall(hollow):
            return BALLS[places.hollows[hollow]]
        case LayStone(hollow):
            return LAYS[places.hollows[hollow]]
        case PlaceTane(area, looks):
            four = TANE[places.areas[area]]
            return next(tane for tane in four if tane.looks == places.directions[looks])
    return action
