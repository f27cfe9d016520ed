"""The engines as bots and programs ask them: one analyst for each game, from views and logs to lines."""

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

from kemu.bots.perfect import solution
from kemu.core.errors import KemuError, OptionError, ParseError
from kemu.core.game import AnyGame, Seat
from kemu.core.record import replay
from kemu.engines.analysis import Analysis, Budget, Line
from kemu.engines.mauw.information_set import consistent_state, view_from_log
from kemu.engines.mu_torere.solver import WIN, Solution
from kemu.engines.mu_torere.traps import Traps
from kemu.games.mu_torere.rules import OCCURRENCES, Move, Position, State


class Analyst(Protocol):
    """Finds the best actions for whoever has this view and this log."""

    def analyse(self, view: Any, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]: ...

    def state(self, view: Any) -> Any:
        """A state with this view; what it hides may be anything that can be."""


class MoerakiAnalyst:
    """Searches Moeraki-Kemu; with a budget of time it remembers what it found before."""

    def __init__(self, game: AnyGame, sight: int | None = None, threads: int = 1) -> None:
        self._game: Any = game
        self._threads = threads
        self._searcher: Any = None

    def analyse(self, view: Any, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]:
        from kemu.engines.moeraki.search import Searcher

        # With a budget of nodes the same question must get the same answer, so that nothing is remembered.
        if self._searcher is None or budget.nodes:
            self._searcher = Searcher(self._game)
        found: Analysis[Any] = self._searcher.search(self.state(view), budget, lines, seed, self._threads)
        return found

    def state(self, view: Any) -> Any:
        return self._game.decode(view["position"])


class MauwAnalyst:
    """Searches MAUW from what one seat knows."""

    def __init__(self, game: AnyGame, sight: int | None = None, threads: int = 1) -> None:
        self._game: Any = game
        self._searcher: Any = None
        _one_thread(game, threads)

    def analyse(self, view: Any, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]:
        from kemu.engines.mauw.search import Searcher

        if self._searcher is None:
            self._searcher = Searcher(self._game)
        found: Analysis[Any] = self._searcher.search(view, log, budget, lines, seed)
        return found

    def state(self, view: Any) -> Any:
        return consistent_state(self._game, view)


class MuTorereAnalyst:
    """Reads the solution of Mū tōrere; with a limited sight whatever lies farther away looks drawn."""

    def __init__(self, game: AnyGame, sight: int | None = None, threads: int = 1) -> None:
        self._game: Any = game
        self._sight = sight
        _one_thread(game, threads)

    def analyse(self, view: Any, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Move]:
        """The best actions first; among drawn ones that after which the opponent is likeliest to slip."""
        begin = time.perf_counter()
        solved = solution(self._game)
        state = self.state(view)
        if state not in solved:
            raise ParseError("No game with these options comes to this position, so that the solution lacks it.")
        past = _past(self._game, log, state)
        dice = random.Random(seed)
        ranked = []
        for action in solved.game.actions(state):
            line = self._line(solved, state, action)
            after = solved.game.apply(state, action)
            ended = past[after.position] >= OCCURRENCES - 1
            hope = 0.0 if line.value or ended else _traps(solved).slip(after) / (1 + past[after.position])
            plies = solved.value(after).plies or 0
            # A quick win, a long defence.
            ranked.append((line.value, -plies * line.value, hope, dice.random(), line))
        ranked.sort(key=lambda each: each[:-1], reverse=True)
        found = tuple(line for *_, line in ranked[:lines])
        return Analysis(found, len(ranked), round(1000 * (time.perf_counter() - begin)))

    def state(self, view: Any) -> State:
        state: State = self._game.decode(view["position"])
        return state._replace(past=())

    def _line(self, solved: Solution, state: State, action: Move) -> Line[Move]:
        after = solved.game.apply(state, action)
        result, plies = solved.value(after)
        if plies is not None and self._sight is not None and plies + 1 > self._sight:
            plies = None
        pv = (action, *_pv(solved, after))
        if plies is None:
            return Line(action, 0.0, pv, "draw" if self._sight is None else None)
        if result == WIN:
            return Line(action, -1.0, pv, f"loss in {(plies + 1) // 2}")
        return Line(action, 1.0, pv, f"win in {plies // 2 + 1}")


@lru_cache(maxsize=4)
def _traps(solved: Solution) -> Traps:
    return Traps(solved)


@lru_cache(maxsize=4096)
def _pv(solved: Solution, state: State) -> Sequence[Move]:
    return solved.line(state)


def _past(game: AnyGame, log: Sequence[str], state: State) -> Counter[Position]:
    """How often each position has come up, if the log leads to this one."""
    try:
        states: list[State] = list(replay(game, log))
    except KemuError:
        return Counter()
    return Counter(each.position for each in states) if states[-1].position == state.position else Counter()


def _one_thread(game: AnyGame, threads: int) -> None:
    if threads != 1:
        raise OptionError(f"{game.key} is searched by one thread, not {threads}.")


ANALYSTS: Final[Mapping[str, Callable[[AnyGame, int | None, int], Analyst]]] = {
    "moeraki-kemu": MoerakiAnalyst,
    "mu-torere": MuTorereAnalyst,
    "mauw": MauwAnalyst,
}
"""By the key of the game."""

RECALL: Final[Mapping[str, Callable[[Any, Seat, Sequence[str], int], Any]]] = {"mauw": view_from_log}
"""For games with secrets, the view of a seat from what it was told."""


def analyst(game: AnyGame, sight: int | None = None, threads: int = 1) -> Analyst:
    """An analyst of this game, with its full sight if none is named."""
    if game.key not in ANALYSTS:
        raise OptionError(f"{game.key} has no engine; games with one are {', '.join(ANALYSTS)}.")
    return ANALYSTS[game.key](game, sight, threads)
