"""Puzzles of Moeraki-Kemu out of the states of a game, their themes and grades, and their proofs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from kemu.core.document import Document
from kemu.core.game import options
from kemu.core.record import replay
from kemu.engines.capabilities import FoundPuzzle, PuzzleStep, UnsoundPuzzle, Verifier
from kemu.games.moeraki.actions import KEEP
from kemu.games.moeraki.board import AREA, AREAS, DIRECTIONS, HOLLOWS, SIZE
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.symmetry import symmetries

# What `PuzzleFinder` asks for. Strong players leave few positions that one stone decides.
THEMES: tuple[str, ...] = ("attack", "defence", "block", "quiet", "tahuna", "awa", "ara", "corner", "marae", "tane")
OPTIONS: tuple[Mapping[str, Any], ...] = tuple({"variant": variant} for variant in VARIANTS)
BOTS: tuple[str, ...] = ("reflex", "reflex", "reflex", "3")
ALIKE_SHARE = Fraction(1, 3)
SHIPPED = Path(__file__).with_name("puzzles.jsonl.gz")

LEAST_GRADE: Final = 600
"""Of the easiest puzzle."""


# The provers are compiled code, which is not loaded to read puzzles only.


@lru_cache(maxsize=len(VARIANTS))
def _line_puzzles(game: MoerakiKemu) -> Any:
    from kemu.engines.moeraki.puzzles.lines import LinePuzzles

    return LinePuzzles(game)


@lru_cache(maxsize=len(VARIANTS))
def _ending_puzzles(game: MoerakiKemu) -> Any:
    from kemu.engines.moeraki.puzzles.endings import EndingPuzzles

    return EndingPuzzles(game)


def find(game: MoerakiKemu, actions: Sequence[str], seed: int) -> Iterator[FoundPuzzle]:
    """The puzzles among the states of a game that was played, none that repeats the stones of one before it."""
    solved: set[tuple[int, str]] = set()
    for state, found in chain(_of_game(game, actions), _about_tane(game, actions)):
        if (state.turn, found.steps[0].action) not in solved:
            solved |= {(state.turn, step.action) for step in found.steps}
            yield found


def _of_game(game: MoerakiKemu, actions: Sequence[str]) -> Iterator[tuple[State, FoundPuzzle]]:
    """Return the puzzles of all states of a game."""
    for state in replay(game, actions):
        if not state.ball or game.outcome(state) is not None:
            continue
        found = _ending(game, state) or (_line(game, state) if state.step is None else None)
        if found is not None:
            yield state, found


def _about_tane(game: MoerakiKemu, actions: Sequence[str]) -> Iterator[tuple[State, FoundPuzzle]]:
    """Endings about a Tane with the stones of a game, in which both sides have kept theirs."""
    if game.variant != "master":
        return
    state = game.initial()
    for text in actions:
        if text == "-" or text.startswith("T"):
            continue
        state = game.apply(state, game.parse(text))
        while game.outcome(state) is None:
            found = _ending(game, state)
            if found is not None and "tane" in found.themes:
                yield state, found
            if state.step is None:
                break
            state = game.apply(state, KEEP)


def check(game: MoerakiKemu, puzzle: FoundPuzzle, verify: Verifier) -> None:
    """Prove every claim of a puzzle again and gives the proofs to the verifiers; raises UnsoundPuzzle."""
    state = game.decode(puzzle.position)
    if "marae" not in puzzle.themes:
        _line_puzzles(game).check(state, puzzle, verify)
        return
    endings = _ending_puzzles(game)
    for step in puzzle.steps:
        endings.prove_only(state, step.action)
        for text in (step.action, *step.replies):
            state = game.apply(state, game.parse(text))


def canonical(puzzle: FoundPuzzle) -> str:
    """Return the position from the solver's side in the first of its eight symmetries by the order of texts."""
    game = MoerakiKemu(**puzzle.options)
    state = game.decode(puzzle.position)
    # Lines depend on the stones alone, so that such puzzles are the same in the basic and the master's game.
    variant = game.variant if "marae" in puzzle.themes else VARIANTS.index(game.variant) == 0
    return min(_solver_text(game.encode(each.state(state)), variant) for each in symmetries(game))


def _solver_text(position: Document, variant: str | bool) -> str:
    """Return a position as a text that is the same for both colours."""
    seats = (position["turn"], 1 - position["turn"])
    document = {
        "variant": variant,
        "ball": position["ball"],
        "stones": [sorted(position["stones"][seat]) for seat in seats],
        "tane": [_sight(position["tane"][seat]) for seat in seats],
        "step": position["step"]["stone"] if "step" in position else None,
    }
    return json.dumps(document, sort_keys=True)


def _sight(tane: Document | None) -> list[str] | None:
    """Return where a Tane stands and the next point that it sees, empty if that is off the board."""
    if tane is None:
        return None
    at, (dx, dy) = AREAS[AREA[tane["at"]]], DIRECTIONS[tane["looks"]]
    ahead = at.step(dx, dy)
    return [tane["at"], ahead.name if max(abs(ahead.x), abs(ahead.y)) <= SIZE else ""]


def _line(game: MoerakiKemu, state: State) -> FoundPuzzle | None:
    """Return a puzzle about a line, if one stone decides."""
    found: FoundPuzzle | None = None
    with suppress(UnsoundPuzzle):
        found = _line_puzzles(game).puzzle(state)
    return found


def _ending(game: MoerakiKemu, state: State) -> FoundPuzzle | None:
    """Return a puzzle about an ending, if one action decides."""
    try:
        steps = tuple(_ending_puzzles(game).steps(state))
        tane = bool(steps) and _is_about_tane(game, state, steps)
    except UnsoundPuzzle:
        return None
    if not steps:
        return None
    left = len(HOLLOWS) - state.occupied.bit_count()
    grade = LEAST_GRADE + 100 * left + 100 * len(steps) + 100 * tane
    themes = ("marae", "tane") if tane else ("marae",)
    depth = max(1, (left + 1) // 2)
    return FoundPuzzle(options(game), game.encode(state), "win", steps, themes, depth, grade)


def _is_about_tane(game: MoerakiKemu, state: State, steps: Sequence[PuzzleStep]) -> bool:
    """Return whether a Tane is to be placed or kept, or the first stone would not alone win if there were none."""
    if game.variant != "master":
        return False
    if state.step is not None or any(step.action.startswith("T") for step in steps):
        return True
    basic = _ending_puzzles(replace(game, variant="basic"))
    only = basic.only_win(state._replace(tane=(None, None)))
    return only is None or game.format(only[0]) != steps[0].action
