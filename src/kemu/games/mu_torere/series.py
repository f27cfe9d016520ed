"""A series of Mū tōrere."""

from collections.abc import Mapping
from typing import Final

from kemu.core.game import Outcome, Seat
from kemu.games.mu_torere.rules import MuTorere, State

LENGTHS: Final[Mapping[str, int]] = {}


def following(game: MuTorere, state: State, outcome: Outcome) -> tuple[MuTorere, tuple[Seat, ...]]:
    """The players swap colours after every game, so that each moves first in turn."""
    return game, (1, 0)
