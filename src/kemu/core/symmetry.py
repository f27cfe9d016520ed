"""Symmetries of a game: each game may name a module with a function `symmetries` in its manifest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kemu.core.game import AnyGame


@dataclass(frozen=True)
class Symmetry:
    """A way to turn or mirror states that changes nothing but names of places.

    What is legal, whose turn it is and how the game ends is the same in a state and in its image, and taking the image
    of an action in the image of a state gives the image of what follows; `kemu.core.laws` checks it.
    """

    state: Callable[[Any], Any]
    action: Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


IDENTITY = Symmetry(_same, _same)
"""Changes nothing; the one symmetry of a game that names no module."""


class SymmetryRules(Protocol):
    """The symmetry module of a game."""

    def symmetries(self, game: AnyGame) -> Sequence[Symmetry]:
        """All symmetries of a game with its options: a group, the identity among them."""
