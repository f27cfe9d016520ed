"""The whole of a small solved game as a graph: every position up to symmetry, with its value and what follows it."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from kemu.analysis.analyse import read_states
from kemu.analysis.explorer import canonical
from kemu.bots.engines import capability
from kemu.core.document import Document
from kemu.core.errors import OptionError, UnknownGame
from kemu.core.game import SPECTATOR, AnyGame, AnyView
from kemu.engines.capabilities import Solver

MOST_POSITIONS: Final = 300
"""Larger graphs are not drawn."""


class SolvedPosition(NamedTuple):
    """A position, the numbers of those after it, and what it is for the side to act: "win", "draw" or "loss"."""

    state: Any
    after: tuple[int, ...]
    result: str
    plies: int | None  # to the end; None for a draw


class StateGraph:
    """All positions that a game can come to, those that are images of each other as one."""

    def __init__(self, game: AnyGame) -> None:
        """Raises UnknownGame if the game is not solved, OptionError if it has too many positions."""
        solver = capability(game, Solver)
        if solver is None:
            raise UnknownGame(f"{game.key} is not solved, so that there is no graph of it.")
        self._game = game
        self._numbers: dict[str, int] = {}
        states: list[Any] = []
        after: list[tuple[int, ...]] = []
        self._number(game.initial(), states)
        for state in states:
            following = [game.apply(state, action) for action in game.actions(state)]
            after.append(tuple(dict.fromkeys(self._number(each, states) for each in following)))
        solved = solver.solution(game)
        self.positions = [
            SolvedPosition(state, numbers, *solved.value(state)) for state, numbers in zip(states, after, strict=True)
        ]

    def find(self, state: Any) -> int | None:
        """The number of the position of a state; None if no game comes to it."""
        return self._numbers.get(canonical(self._game, state).key)

    def _number(self, state: Any, states: list[Any]) -> int:
        found = canonical(self._game, state)
        if found.key not in self._numbers:
            if len(states) == MOST_POSITIONS:
                raise OptionError(f"With these options the game has more than {MOST_POSITIONS} positions to draw.")
            self._numbers[found.key] = len(states)
            view: AnyView = self._game.view(state, SPECTATOR)
            states.append(found.symmetries[0].state(self._game.decode(view["position"])))
        return self._numbers[found.key]


def graph(question: Document) -> Iterator[Document]:
    """Yield the graph of a game in one document; `at` is the number of the position asked for."""
    game, states = read_states(question)
    drawn = StateGraph(game)
    positions = [
        {"position": game.encode(each.state), "after": each.after, "result": each.result, "plies": each.plies}
        for each in drawn.positions
    ]
    yield {"positions": positions, "at": drawn.find(states[-1])}
