"""The player of Mū tōrere, see `kemu.engines.capabilities`: its ladder and analyst, which read the solution."""

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import comb
from typing import Any, Final

from kemu.core.errors import KemuError, ParseError
from kemu.core.game import AnyGame
from kemu.core.record import replay
from kemu.engines import capabilities
from kemu.engines.analysis import Analysis, Budget, Comparison, Line, ThreatAnalysis, ThreatLine
from kemu.engines.capabilities import ONE_SECOND, Level, chance_to_notice, searching
from kemu.engines.mu_torere.solver import LOSS, WIN, Solution
from kemu.engines.mu_torere.solver import solution as solution
from kemu.engines.threats import ReflexBot, search_turns
from kemu.games.mu_torere.rules import OCCURRENCES, Move, MuTorere, Position, State, View

LEVELS: Final = (
    searching(1, slip=0.92, attention=0.3, depth=1, temperature=1.0),
    searching(1, slip=0.54, depth=1, temperature=1.0, elo=101),
    searching(1, slip=0.38, depth=2, temperature=1.0, elo=215),
    searching(1, slip=0.27, depth=3, temperature=1.0, elo=311),
    searching(1, slip=0.18, depth=5, temperature=1.0, elo=419),
    searching(1, slip=0.11, depth=9, temperature=1.0, elo=507),
    searching(1, slip=0.06, depth=15, elo=585),
    Level(ONE_SECOND, elo=682),
)
"""Chosen by matches, see docs/strength.md; Elo by the shares of neighbours there."""


BLOCK_DIFFICULTY: Final = 1.0
"""Of a move that blocks the opponent at once, for a quick choice."""


def levels(game: AnyGame) -> Sequence[Level]:
    """The ladder, the same with all options."""
    return LEVELS


def motifs(game: AnyGame) -> Mapping[str, float]:
    """A quick choice may notice how to block the opponent at once."""
    return {"block": BLOCK_DIFFICULTY}


def states_to_solve(game: MuTorere) -> int:
    """How many states there are: the empty point, the men of one side among the others, and who is to move."""
    return 2 * (game.arms + 1) * comb(game.arms, game.arms // 2)


class MuTorereAnalyst:
    """Reads the solution; with a limited depth whatever lies farther ahead counts as drawn."""

    def __init__(self, game: MuTorere, depth: int | None) -> None:
        self._game = game
        self._depth = depth

    def analyse(self, view: View, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Move]:
        """The best actions first; among drawn ones that after which the opponent is likeliest to slip."""
        begin = time.perf_counter()
        solved = solution(self._game)
        state = self.state(view)
        if state not in solved:
            raise ParseError("No game with these options comes to this position, so that the solution lacks it.")
        past = _past(self._game, log, state)
        repeated = any(count >= OCCURRENCES - 1 for count in past.values())
        dice = random.Random(seed)
        ranked = []
        for action in solved.game.actions(state):
            line = self._line(solved, state, action)
            if repeated and line.value:  # the way to the win may lead through a position that would end the game
                line = replace(line, proven=None)
            after = solved.game.apply(state, action)
            ended = past[after.position] >= OCCURRENCES - 1
            chance = 0.0 if line.value or ended else solved.slip(after) / (1 + past[after.position])
            plies = solved.value(after).plies or 0
            # A quick win, a long defence.
            ranked.append((line.value, -plies * line.value, chance, dice.random(), line))
        ranked.sort(key=lambda each: each[:-1], reverse=True)
        found = tuple(line for *_, line in ranked[:lines])
        return Analysis(found, len(ranked), round(1000 * (time.perf_counter() - begin)))

    def compare(self, view: View, log: Sequence[str], budget: Budget, action: Any, seed: int) -> Comparison[Move]:
        """All actions with their values, which are exact."""
        lines = self.analyse(view, log, budget, self._game.arms, seed).lines
        return Comparison(lines, (0.0,) * len(lines))

    def state(self, view: View) -> State:
        return self._game.decode(view["position"])._replace(past=())

    def _line(self, solved: Solution, state: State, action: Move) -> Line[Move]:
        after = solved.game.apply(state, action)
        result, plies = solved.value(after)
        if plies is not None and self._depth is not None and plies + 1 > self._depth:
            plies = None
        pv = (action, *_pv(solved, after))
        if plies is None:
            return Line(action, 0.0, pv, "draw" if self._depth is None else None)
        if result == WIN:
            return Line(action, -1.0, pv, f"loss in {(plies + 1) // 2}")
        return Line(action, 1.0, pv, f"win in {plies // 2 + 1}")


def threats(game: MuTorere, state: Any) -> ThreatAnalysis[Move]:
    """The moves that block the opponent at once, and those that do not lose by the solution if others do.

    The lines are the moves by which the opponent would block this side, after a move of it that allows that.
    """
    solved, alone = solution(game), state._replace(past=())
    if alone not in solved:
        return search_turns(game, state)
    rules = solved.game
    after = {move: rules.apply(alone, move) for move in rules.actions(alone)}
    safe = tuple(move for move in after if solved.value(after[move]).result != WIN)
    blocks = dict.fromkeys(reply for each in after.values() for reply in _wins(rules, each))
    lines = tuple(_line(rules, reply) for reply in blocks)
    return ThreatAnalysis(
        tuple(_wins(rules, alone)), safe if len(safe) < len(after) else (), lines, solved.value(alone).result == LOSS
    )


def _line(rules: MuTorere, move: Move) -> ThreatLine:
    """A move that blocks: from where to where."""
    text = rules.format(move)
    cells = tuple(text.split("-"))
    return ThreatLine(text, cells, cells[1:], "blocked")


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


def quick_choice(game: MuTorere, view: View, actions: Sequence[Move], attention: float, dice: random.Random) -> Move:
    """Blocks the opponent at once if it notices, otherwise takes any action."""
    wins = _wins(game, game.decode(view["position"]))
    noticed = dice.random() < chance_to_notice(attention, BLOCK_DIFFICULTY) if wins else False
    return dice.choice(wins if noticed else actions)


def reflex(game: MuTorere, state: State, actions: Sequence[Move]) -> Sequence[Move]:
    """Return the moves that win at once, else those after which the opponent cannot win at once."""
    return _wins(game, state) or [move for move in actions if not _wins(game, game.apply(state, move))]


def _wins(game: MuTorere, state: State) -> list[Move]:
    """Return the moves that block the opponent at once."""
    return [move for move in game.actions(state) if not game.actions(game.apply(state, move))]


class PerfectBot:
    """Plays by the solution; among equally good actions it takes any."""

    name: Final = "perfect"

    def __init__(self, game: MuTorere, seed: int | None = None) -> None:
        self._game = game
        self._source = random.Random(seed)

    def choose(self, view: View, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """Return one of the best actions."""
        best = solution(self._game).best(self._game.decode(view["position"]))
        return self._source.choice([action for action in actions if action in best])


def analyst(game: MuTorere, depth: int | None, threads: int) -> MuTorereAnalyst:
    """Return an analyst that looks this many plies ahead, to the end if it is None; it has one thread."""
    capabilities.require_one_thread(game, threads)
    return MuTorereAnalyst(game, depth)


def sparring_bots() -> Mapping[str, capabilities.Maker]:
    """Return the reflex bot and the perfect bot."""
    return {"reflex": partial(ReflexBot, reflex), "perfect": PerfectBot}


def review_budget() -> capabilities.ReviewBudget:
    """Return one node for each position: the solution is read."""
    return capabilities.ReviewBudget(1, 1)


def theorems() -> capabilities.Theorems:
    """Return tables of values for every number of arms; a goal is such as "18 always", with its flanking rule."""
    from kemu.engines.mu_torere import certificate

    return certificate


def puzzles() -> capabilities.PuzzleFinder:
    """Return what finds puzzles."""
    from kemu.engines.mu_torere import puzzles

    return puzzles
