"""Puzzles of MAUW: one action is better by far than every other one, over many worlds that a seat may be in.

A puzzle is the view and the log of the seat that is to act; no state is in it. Nothing is proved here: the margin is
that of several searches, each through thousands of worlds drawn from what the seat knows.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from kemu.core.game import options
from kemu.core.record import SeatLogs
from kemu.engines.analysis import Budget
from kemu.engines.capabilities import FoundPuzzle, PuzzleStep, UnsoundPuzzle, Verifier
from kemu.engines.mauw.log import AnyView
from kemu.games.mauw.actions import Action, Answer, GiveIn, PlayCard, format_action
from kemu.games.mauw.rules import Mauw

# What `PuzzleFinder` asks for.
THEMES: tuple[str, ...] = ("attack", "build", "defence", "maui")
OPTIONS: tuple[Mapping[str, Any], ...] = ({"players": 2}, {"players": 3})
BOTS: tuple[str, ...] = ("4", "5", "5")
ALIKE_SHARE = Fraction(2, 3)  # few positions are about anything but building and attacking
SHIPPED = Path(__file__).with_name("puzzles.jsonl.gz")

FIRST_WORLDS: Final = 150
"""Playouts of the first look at a view."""

WORLDS: Final = 2_000
SEARCHES: Final = 3
"""Playouts of each search, one for each seed."""

MARGIN: Final = 0.15
"""Required lead of the best action on [-1, 1], on average over the searches; half of it in each."""

LEAST_CHOICE: Final = 3
MOST_LINES: Final = 1000
"""More than a hand has actions."""

LEAST_GRADE: Final = 800
SURE_GRADE: Final = 800
CHOICE_GRADE: Final = 40


@lru_cache(maxsize=4)
def _searcher(game: Mauw) -> Any:
    from kemu.engines.mauw.search import Searcher

    return Searcher(game)


def find(game: Mauw, actions: Sequence[str], seed: int) -> Iterator[FoundPuzzle]:
    """The puzzles among the views of a game that was played."""
    state = game.initial()
    logs = SeatLogs(game, range(game.seats))
    for text in actions:
        action, seat = game.parse(text), game.turn(state)
        choices = game.actions(state)
        if seat is not None and seat >= 0 and len(choices) >= LEAST_CHOICE:
            found = _puzzle(game, game.view(state, seat), logs[seat], choices)
            if found is not None:
                yield found
        logs = logs.after(state, action)
        state = game.apply(state, action)


def check(game: Mauw, puzzle: FoundPuzzle, verify: Verifier) -> None:
    """Searches the view again with other seeds and half the margin; raises UnsoundPuzzle."""
    [step] = puzzle.steps
    choices = [game.parse(text) for text in (step.action, *step.refutations)]
    ahead = _margins(game, puzzle.position, puzzle.log, choices, range(SEARCHES, 2 * SEARCHES))
    if ahead is None or min(ahead.values()) < MARGIN / 2 or step.action in ahead:
        raise UnsoundPuzzle(f"{step.action} is not ahead by {MARGIN / 2}.")


def canonical(puzzle: FoundPuzzle) -> str:
    """The view as text; no two seats or columns are exchanged."""
    return json.dumps(puzzle.position, sort_keys=True)


def _puzzle(game: Mauw, view: AnyView, log: Sequence[str], choices: Sequence[Action]) -> FoundPuzzle | None:
    """The puzzle of a view, None if no action is ahead of all others."""
    first = _values(game, view, log, 0, FIRST_WORLDS)
    if len(first) < len(choices) or _ahead(first) < MARGIN:
        return None
    ahead = _margins(game, view, log, choices, range(SEARCHES))
    if ahead is None or min(ahead.values()) < MARGIN:
        return None
    [best] = [action for action in choices if game.format(action) not in ahead]
    refutations = dict.fromkeys(sorted(ahead), "")
    steps = (PuzzleStep(game.format(best), (), refutations),)
    grade = LEAST_GRADE + round(SURE_GRADE * (1 - min(1.0, min(ahead.values())))) + CHOICE_GRADE * len(choices)
    themes = _themes(best, view["seat"])
    return FoundPuzzle(options(game), dict(view), "best", steps, themes, 1, grade, log=tuple(log))


def _margins(
    game: Mauw, view: AnyView, log: Sequence[str], choices: Sequence[Action], seeds: Sequence[int]
) -> Mapping[str, float] | None:
    """By the text of each other action how far the best one is ahead of it; None as soon as a search denies it."""
    searches: list[dict[Action, float]] = []
    for seed in seeds:
        values = _values(game, view, log, seed, WORLDS)
        searches.append(values)
        first = max(searches[0], key=lambda action: searches[0][action])
        if len(values) < len(choices) or values[first] < max(values.values()) or _ahead(values) < MARGIN / 2:
            return None
    means = {action: fmean(values[action] for values in searches) for action in choices}
    return {game.format(action): means[first] - mean for action, mean in means.items() if action != first}


def _values(game: Mauw, view: AnyView, log: Sequence[str], seed: int, playouts: int) -> dict[Action, float]:
    """The value of each action that a search tells apart."""
    found = _searcher(game).search(view, log, Budget(nodes=playouts), MOST_LINES, seed)
    return {line.action: line.value for line in found.lines}


def _ahead(values: Mapping[Action, float]) -> float:
    """How far the best action is ahead of the second."""
    first, second = sorted(values.values(), reverse=True)[:2]
    return first - second


def _themes(action: Action, seat: int) -> tuple[str, ...]:
    if isinstance(action, Answer | GiveIn):
        return ("defence",)
    if not isinstance(action, PlayCard):
        return ("build",)
    joker = ("maui",) if format_action(action).startswith("m") else ()
    return ("build" if action.owner == seat else "attack", *joker)
