"""Mū tōrere solved by retrograde analysis: the value and distance of every reachable state, for any options.

All states are walked forward from the start with the reference rules; then, from the lost ends backward, a state
is won if some action leads to a lost one and lost if every action leads to a won one. What remains is drawn.
Repetition is left out of the solution: it only turns what goes on for ever into the draw that it is.
"""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from kemu.engines.capabilities import Progress
from kemu.games.mu_torere.rules import Move, MuTorere, State

WIN: Final = "win"
LOSS: Final = "loss"
DRAW: Final = "draw"

_REPORT_STATES: Final = 4096
"""States between two reports of progress."""

FADING: Final = 0.8
"""Discount of a chance to go wrong two plies later."""

S = TypeVar("S", bound=Hashable)


class Value(NamedTuple):
    """Result of best play for the side to move, and its distance in plies; a draw has none."""

    result: str
    plies: int | None


@dataclass(frozen=True)
class Census:
    """The solution in numbers; distances are plies to the end, classes are counted up to rotation and reflection."""

    states: int
    wins: int
    losses: int
    draws: int
    by_distance: dict[int, int]
    boards: int
    board_classes: int
    state_classes: int
    start: Value


class Solution:
    """Every reachable state with its value."""

    def __init__(self, game: MuTorere, values: dict[State, Value]) -> None:
        self.game = game
        self._values = values
        self._slips: dict[tuple[State, int], float] = {}  # what was measured so far

    def __iter__(self) -> Iterator[State]:
        """All reachable states."""
        return iter(self._values)

    def __contains__(self, state: object) -> bool:
        """Whether a game can come to this state."""
        return state in self._values

    def value(self, state: State) -> Value:
        """The value of a state for the side to move, whatever its past."""
        return self._values[state._replace(past=())]

    def best(self, state: State) -> Sequence[Move]:
        """All actions that keep the value: the quickest wins, the longest defences, or every drawing action."""
        state = state._replace(past=())
        value = self.value(state)
        return tuple(move for move in self.game.actions(state) if self._gained(state, move) == value)

    def line(self, state: State) -> Sequence[Move]:
        """A line of perfect play to the end, or, where it is a draw, until a position comes back."""
        state = state._replace(past=())
        line: list[Move] = []
        met: set[State] = set()
        while state not in met and (best := self.best(state)):
            met.add(state)
            line.append(best[0])
            state = self.game.apply(state, best[0])
        return line

    def slip(self, state: State, plies: int = 8) -> float:
        """How likely the side to move, which could draw, loses: the share of its actions that lose, then deeper."""
        state = state._replace(past=())
        if plies <= 0 or self.value(state).result != DRAW:
            return float(self.value(state).result == LOSS)
        if (state, plies) not in self._slips:
            answers = [self.game.apply(state, action) for action in self.game.actions(state)]
            self._slips[state, plies] = sum(self._after_slip(answer, plies) for answer in answers) / len(answers)
        return self._slips[state, plies]

    def _after_slip(self, state: State, plies: int) -> float:
        """Return the value of a reply of the side that may slip, while the other sets the next trap."""
        if (result := self.value(state).result) != DRAW:
            return float(result == WIN)
        following = (self.game.apply(state, action) for action in self.best(state))
        return FADING * max(self.slip(each, plies - 2) for each in following)

    def census(self) -> Census:
        """The numbers of the whole solution."""
        results = Counter(value.result for value in self._values.values())
        distances = Counter(value.plies for value in self._values.values() if value.plies is not None)
        boards = {state.position.points for state in self._values}
        return Census(
            states=len(self._values),
            wins=results[WIN],
            losses=results[LOSS],
            draws=results[DRAW],
            by_distance=dict(sorted(distances.items())),
            boards=len(boards),
            board_classes=len({least(points) for points in boards}),
            state_classes=len({(least(points), turn, ply) for (points, turn), ply, _ in self._values}),
            start=self.value(self.game.initial()),
        )

    def _gained(self, state: State, move: Move) -> Value:
        """Return the value of an action for the seat that takes it."""
        result, plies = self.value(self.game.apply(state, move))
        mine = {WIN: LOSS, LOSS: WIN, DRAW: DRAW}[result]
        return Value(mine, None if plies is None else plies + 1)


def silent(what: str, done: int) -> None:
    """Report no progress."""


def solve(game: MuTorere, progress: Progress = silent) -> Solution:
    """The solution for these options."""
    game = replace(game, repetition=False)

    def following(state: State) -> list[State]:
        return [game.apply(state, move) for move in game.actions(state)]

    return Solution(game, solve_graph(game.initial(), following, progress))


@lru_cache(maxsize=4)
def _kept(game: MuTorere, progress: Progress) -> Solution:
    return solve(game, progress)


def solution(game: MuTorere, progress: Progress | None = None) -> Solution:
    """Return the solution for the options of a game; those used lately are kept."""
    return _kept(game, progress or silent)


def solve_graph(start: S, following: Callable[[S], Sequence[S]], progress: Progress = silent) -> dict[S, Value]:
    """The value of every state that can be reached, from the states after each; a state with none after it is lost."""
    states, befores, unanswered = _explore(start, following, progress)
    results = [DRAW] * len(states)
    plies: list[int | None] = [None] * len(states)
    settled = deque(number for number, count in enumerate(unanswered) if count == 0)
    for number in settled:
        results[number], plies[number] = LOSS, 0
    done = 0
    while settled:
        number = settled.popleft()
        done += 1
        if done % _REPORT_STATES == 0:
            progress("working back from the ends", done)
        distance = plies[number]
        assert distance is not None, "only settled states wait here"
        for before in befores[number]:
            if plies[before] is not None:
                continue
            unanswered[before] -= 1
            if results[number] == LOSS:
                results[before] = WIN
            elif unanswered[before] == 0:
                results[before] = LOSS
            else:
                continue
            plies[before] = distance + 1
            settled.append(before)
    return {state: Value(results[n], plies[n]) for n, state in enumerate(states)}


def _explore(
    start: S, following: Callable[[S], Sequence[S]], progress: Progress
) -> tuple[list[S], list[list[int]], list[int]]:
    """All reachable states; for each the numbers of those that lead to it, and how many come after it."""
    states = [start]
    number = {start: 0}
    befores: list[list[int]] = [[]]
    counts: list[int] = []
    for before, state in enumerate(states):
        found = following(state)
        counts.append(len(found))
        if before % _REPORT_STATES == 0:
            progress("finding all states", before)
        for after in found:
            if after not in number:
                number[after] = len(states)
                states.append(after)
                befores.append([])
            befores[number[after]].append(before)
    return states, befores, counts


def least(points: str) -> str:
    """Return the first in order of all rotations and reflections of a board."""
    kewai, putahi = points[:-1], points[-1]
    arms = len(kewai)
    return min(twice[turn : turn + arms] for twice in (2 * kewai, 2 * kewai[::-1]) for turn in range(arms)) + putahi
