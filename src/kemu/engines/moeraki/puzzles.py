"""Puzzles of Moeraki-Kemu out of the states of a game, their themes and grades, and their proofs."""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from kemu.core.document import Document
from kemu.core.game import AnyGame, options
from kemu.core.record import replay
from kemu.engines.puzzles import FoundPuzzle, PuzzleFinder, UnsoundPuzzle, Verifier
from kemu.games.moeraki.actions import KEEP
from kemu.games.moeraki.board import DIRECTIONS, HOLLOWS, MOERAKI, Point
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

THEMES: Final = ("attack", "defence", "block", "quiet", "tahuna", "awa", "ara", "corner", "marae", "tane")
BOTS: Final = ("reflex", "reflex", "reflex", "3")
"""Whose games are searched; strong players leave few positions that one stone decides."""

LEAST_GRADE: Final = 600
"""Of the easiest puzzle."""


# The provers are compiled code, which whoever only reads puzzles does not load.


@lru_cache(maxsize=len(MOERAKI))
def _line_prover(ball: str) -> Any:
    from kemu.engines.moeraki.lineproof import LineProver

    return LineProver(ball)


@lru_cache(maxsize=len(VARIANTS))
def _line_writer(game: MoerakiKemu) -> Any:
    from kemu.engines.moeraki.line_solutions import SolutionWriter

    return SolutionWriter(game)


def _line_solution(game: MoerakiKemu, state: State) -> Any:
    from kemu.engines.moeraki.line_puzzles import LinePuzzles
    from kemu.engines.moeraki.line_solutions import LineSolution

    ball = HOLLOWS[state.ball.bit_length() - 1].name
    return LineSolution(_line_writer(game), LinePuzzles(_line_prover(ball), game.variant == "beginner"))


@lru_cache(maxsize=len(VARIANTS))
def _ending_puzzles(game: MoerakiKemu) -> Any:
    from kemu.engines.moeraki.ending_puzzles import EndingPuzzles

    return EndingPuzzles(game)


def find(game: AnyGame, actions: Sequence[str], seed: int) -> Iterator[FoundPuzzle]:
    """The puzzles among the states of a game that was played, none that goes on with the stones of one before it."""
    assert isinstance(game, MoerakiKemu), "this engine finds puzzles of Moeraki-Kemu"
    solved: set[tuple[int, str]] = set()
    for state in replay(game, actions):
        if not state.ball or game.outcome(state) is not None:
            continue
        try:
            found = _ending(game, state) or (_line(game, state) if state.step is None else None)
        except UnsoundPuzzle:
            continue
        if found is not None and (state.turn, found.steps[0].action) not in solved:
            solved |= {(state.turn, step.action) for step in found.steps}
            yield found
    if game.variant == "master":
        yield from _tane_puzzles(game, actions)


def _tane_puzzles(game: MoerakiKemu, actions: Sequence[str]) -> Iterator[FoundPuzzle]:
    """Endings about a Tane with the stones of a game, in which both sides have kept theirs."""
    state = game.initial()
    stones = (game.parse(text) for text in actions if text[0] != "T" and text != "-")
    for stone in stones:
        state = game.apply(state, stone)
        while state.step is not None and game.outcome(state) is None:
            found = _ending(game, state)
            if found is not None and "tane" in found.themes:
                yield found
            state = game.apply(state, KEEP)


def check(game: AnyGame, puzzle: FoundPuzzle, verify: Verifier) -> None:
    """Proves every claim of a puzzle again and gives the proofs to the verifiers; raises UnsoundPuzzle."""
    assert isinstance(game, MoerakiKemu), "this engine checks puzzles of Moeraki-Kemu"
    state = game.decode(puzzle.position)
    if "marae" not in puzzle.themes:
        _line_solution(game, state).check(state, puzzle, verify)
        return
    endings = _ending_puzzles(game)
    for step in puzzle.steps:
        endings.prove_only(state, step.action)
        for text in (step.action, *step.replies):
            state = game.apply(state, game.parse(text))


def canonical(puzzle: FoundPuzzle) -> str:
    """The position from the solver's side in the first of its eight symmetries by the order of texts."""
    position, turn = puzzle.position, puzzle.position["turn"]
    variant = puzzle.options["variant"] if "marae" in puzzle.themes else VARIANTS.index(puzzle.options["variant"]) == 0
    texts = []
    for across in (1, -1):
        for up in (1, -1):
            for turned in (False, True):
                moved = _mover(across, up, turned)
                document = {
                    "variant": variant,
                    "ball": moved(position["ball"]),
                    "stones": [sorted(map(moved, position["stones"][seat])) for seat in (turn, 1 - turn)],
                    "tane": [_moved_tane(position["tane"][seat], moved) for seat in (turn, 1 - turn)],
                    "step": moved(position["step"]["stone"]) if "step" in position else None,
                }
                texts.append(json.dumps(document, sort_keys=True))
    return min(texts)


def _mover(across: int, up: int, turned: bool) -> Any:
    """A symmetry of the board as a map of names."""

    def moved(name: str) -> str:
        x, y = "abcdefghijk".index(name[0]) - 5, int(name[1:]) - 6
        point = Point(across * x, up * y)
        return (Point(point.y, point.x) if turned else point).name

    return moved


def _moved_tane(tane: Document | None, moved: Any) -> list[str] | None:
    """Where a Tane stands and the next point that it sees."""
    if tane is None:
        return None
    x, y = "abcdefghijk".index(tane["at"][0]) - 5, int(tane["at"][1:]) - 6
    dx, dy = DIRECTIONS[tane["looks"]]
    ahead = Point(x + dx, y + dy)
    # A Tane at the rim may look off the board, where points have no letters.
    inside = abs(ahead.x) <= 5 and abs(ahead.y) <= 5
    return [moved(tane["at"]), moved(ahead.name) if inside else ""]


def _line(game: MoerakiKemu, state: State) -> FoundPuzzle | None:
    """A puzzle about a line, if one stone decides."""
    found: FoundPuzzle | None = _line_solution(game, state).puzzle(state)
    return found


def _ending(game: MoerakiKemu, state: State) -> FoundPuzzle | None:
    """A puzzle about an ending, if one action decides."""
    steps = tuple(_ending_puzzles(game).steps(state))
    if not steps:
        return None
    tane = any(step.action.startswith("T") for step in steps)
    left = len(HOLLOWS) - state.occupied.bit_count()
    grade = LEAST_GRADE + 100 * left + 100 * len(steps) + 100 * tane
    themes = ("marae", "tane") if tane else ("marae",)
    return FoundPuzzle(options(game), game.encode(state), "win", steps, themes, (left + 1) // 2, grade)


FINDER: Final = PuzzleFinder(
    themes=THEMES,
    options=tuple({"variant": variant} for variant in VARIANTS),
    bots=BOTS,
    find=find,
    check=check,
    canonical=canonical,
    shipped=Path(__file__).with_name("puzzles.jsonl.gz"),
)
