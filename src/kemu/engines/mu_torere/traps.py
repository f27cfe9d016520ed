"""Traps of Mū tōrere: where an opponent who may slip is most likely to lose a drawn game."""

from typing import Final

from kemu.engines.mu_torere.solver import DRAW, LOSS, WIN, Solution
from kemu.games.mu_torere.rules import State

FADING: Final = 0.8
"""What may go wrong two plies later counts so much less."""


class Traps:
    """Measures how likely a slip is; it keeps what it has measured."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._known: dict[tuple[State, int], float] = {}

    def slip(self, state: State, plies: int = 8) -> float:
        """How likely the side to move, which could draw, loses: the share of its actions that lose, then deeper."""
        state = state._replace(past=())
        if plies <= 0 or self._solution.value(state).result != DRAW:
            return float(self._solution.value(state).result == LOSS)
        if (state, plies) not in self._known:
            game = self._solution.game
            answers = [game.apply(state, action) for action in game.actions(state)]
            self._known[state, plies] = sum(self._after(answer, plies) for answer in answers) / len(answers)
        return self._known[state, plies]

    def _after(self, state: State, plies: int) -> float:
        """What an answer of the one who may slip leads to, with the other setting the next trap."""
        if (result := self._solution.value(state).result) != DRAW:
            return float(result == WIN)
        game = self._solution.game
        following = (game.apply(state, action) for action in self._solution.best(state))
        return FADING * max(self.slip(each, plies - 2) for each in following)
