"""The last state in which a lost game could still be saved: the game is walked back over the decisions of the loser."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from kemu.core.game import AnyGame, Seat
from kemu.engines.analysis import RescueAnalysis, ThreatAnalysis

MOST_DECISIONS: Final = 12
"""How many decisions of the loser are looked at."""

Analyse: TypeAlias = Callable[[Any], ThreatAnalysis[Any]]
"""What can be proved of a state."""


def last_decisions(game: AnyGame, states: Sequence[Any], seat: Seat) -> list[int]:
    """The numbers of the last states in which a seat was to act, the latest first."""
    return [ply for ply, state in enumerate(states) if game.turn(state) == seat][: -MOST_DECISIONS - 1 : -1]


def find_rescue(
    game: AnyGame, states: Sequence[Any], plies: Iterable[int], analyse: Analyse
) -> RescueAnalysis[Any] | None:
    """The last decision before a loss was proved; None if the proof gives up or the decisions do not go back so far.

    Takes all states of an open game and the numbers of those in which the loser decided, the latest first.
    """
    lines: tuple[Any, ...] = ()
    for ply in plies:
        found = analyse(states[ply])
        if found.lost is None:
            return None
        if not found.lost:
            held = any(game.apply(states[ply], action) == states[ply + 1] for action in found.stops)
            return (
                RescueAnalysis(ply, lines=lines)
                if held or not found.stops
                else RescueAnalysis(ply, found.stops, found.lines)
            )
        lines = found.lines
    return None
