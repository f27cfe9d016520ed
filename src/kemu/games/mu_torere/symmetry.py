"""The symmetries of Mū tōrere: the star turned and mirrored, twice as many as it has arms."""

from collections.abc import Sequence
from functools import cache, partial
from typing import TypeAlias

from kemu.core.game import Symmetry
from kemu.games.mu_torere.rules import PUTAHI, Move, MuTorere, Position, State

_Places: TypeAlias = tuple[int, ...]
"""Where a symmetry takes each point, by its number; the pūtahi stays."""


@cache
def symmetries(game: MuTorere) -> Sequence[Symmetry]:
    """Return the symmetries of a game with these options, the identity first."""
    maps = (
        (PUTAHI, *((turned + direction * kewai) % game.arms + 1 for kewai in range(game.arms)))
        for direction in (1, -1)
        for turned in range(game.arms)
    )
    return tuple(Symmetry(partial(_state, places), partial(_move, places)) for places in maps)


def _position(places: _Places, position: Position) -> Position:
    points = list(position.points)
    for kewai, man in enumerate(position.points[:-1], start=1):
        points[places[kewai] - 1] = man
    return Position("".join(points), position.turn)


def _state(places: _Places, state: State) -> State:
    past = tuple(sorted(_position(places, position) for position in state.past))
    return State(_position(places, state.position), state.ply, past)


def _move(places: _Places, action: Move) -> Move:
    return Move(places[action.start], places[action.end])
