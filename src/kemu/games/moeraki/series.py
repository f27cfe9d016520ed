"""The Kemu: a series of Moeraki-Kemu on the Moeraki scale."""

from dataclasses import replace
from typing import Final

from kemu.core.game import Outcome, Seat
from kemu.games.moeraki.position import State, names
from kemu.games.moeraki.rules import MoerakiKemu

LENGTHS: Final = {"Uira": 3, "Kiwi": 5, "Moa": 7, "Ika Moana": 10}
"""Lightning, for tournaments; kiwi; moa; and the whale, the game of the Ariki."""


def following(game: MoerakiKemu, state: State, outcome: Outcome) -> tuple[MoerakiKemu, tuple[Seat, ...]]:
    """Players keep their tribes; the winner places the ball next, after a draw the other (R3), and moves it (R2)."""
    starter = outcome.winners[0] if outcome.winners else 1 - game.starter
    # A game given up before the ball was placed leaves the ball where it lay.
    lay = names(state.ball)[0] if state.ball else game.moved_from
    moved_from = None if game.stay else lay
    return replace(game, starter=starter, moved_from=moved_from), (0, 1)


def starters(game: MoerakiKemu) -> tuple[MoerakiKemu, ...]:
    """Once for each tribe that may place the ball."""
    return replace(game, starter=0), replace(game, starter=1)
