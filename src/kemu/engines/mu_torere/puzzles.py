"""Puzzles of Mū tōrere: every state of the solution in which one move alone wins, or alone does not lose."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from kemu.core.document import Document
from kemu.core.game import options
from kemu.engines.capabilities import FoundPuzzle, Goal, PuzzleStep, UnsoundPuzzle, Verifier
from kemu.engines.mu_torere.certificate import FLANKS, write_table
from kemu.engines.mu_torere.solver import DRAW, LOSS, Solution, least, solution
from kemu.games.mu_torere.rules import MEN, Move, MuTorere, State

ARMS: Final = (6, 8, 10, 12)

# What `PuzzleFinder` asks for.
THEMES: tuple[str, ...] = ("attack", "defence", "block", "flank")
OPTIONS: tuple[Mapping[str, Any], ...] = tuple({"arms": arms, "flank": flank} for arms in ARMS for flank in FLANKS)
BOTS: tuple[str, ...] = ()
ALIKE_SHARE = Fraction(1, 3)
SHIPPED = Path(__file__).with_name("puzzles.jsonl.gz")

BLOCK_ARMS: Final = 8
"""On a larger board a move that blocks at once is no puzzle."""

MOST_STEPS: Final = 6
LEAST_GRADE: Final = 600
ARM_GRADE: Final = 40
MOVE_GRADE: Final = 150


def find(game: MuTorere, actions: Sequence[str], seed: int) -> Iterator[FoundPuzzle]:
    """All puzzles of a game, one for each class of states under rotation, reflection and exchange of colours."""
    solved, met = solution(game), set[str]()
    for state in solved:
        found = _puzzle(game, solved, state)
        if found is not None and (text := canonical(found)) not in met:
            met.add(text)
            yield found


def check(game: MuTorere, puzzle: FoundPuzzle, verify: Verifier) -> None:
    """Gives the table of the game to the verifier and compares each step with the values; raises UnsoundPuzzle."""
    try:
        _verified(game.arms, game.flank, verify)
    except ValueError as error:
        raise UnsoundPuzzle(f"The table is refused: {error}") from None
    solved, state = solution(game), game.decode(puzzle.position)
    for step in puzzle.steps:
        only = _only(solved, state)
        if only is None or game.format(only) != step.action or solved.value(state).result != puzzle.goal:
            raise UnsoundPuzzle(f"{step.action} is not the only move.")
        for text in (step.action, *step.replies):
            state = game.apply(state, game.parse(text))


@lru_cache(maxsize=8)
def _verified(arms: int, flank: str, verify: Verifier) -> None:
    verify(write_table(arms, flank))


def canonical(puzzle: FoundPuzzle) -> str:
    """The first of all rotations and reflections in the order of texts, from the side of the solver."""
    points: str = puzzle.position["points"]
    if puzzle.position["turn"]:
        points = points.translate(str.maketrans("".join(MEN), "".join(reversed(MEN))))
    return f"{least(points)} {puzzle.options['flank']} {puzzle.position.get('ply', '')}"


def _only(solved: Solution, state: State) -> Move | None:
    """The only move that keeps a win or a draw, None if there is none or no other move."""
    after = {move: solved.value(solved.game.apply(state, move)) for move in solved.game.actions(state)}
    wins = [move for move, value in after.items() if value.result == LOSS]
    kept = wins or [move for move, value in after.items() if value.result == DRAW]
    return kept[0] if len(kept) == 1 < len(after) else None


def _puzzle(game: MuTorere, solved: Solution, state: State) -> FoundPuzzle | None:
    """The puzzle of a state, None if there is none of interest."""
    value, only = solved.value(state), _only(solved, state)
    if only is None or (value.plies == 1 and game.arms > BLOCK_ARMS):
        return None
    steps = tuple(_steps(solved, state))
    depth = (value.plies + 1) // 2 if value.plies else len(steps) + 1
    tree = _tree(solved, state) if value.plies else None
    grade = LEAST_GRADE + ARM_GRADE * (game.arms - ARMS[0]) + MOVE_GRADE * depth
    trap = ("flank",) if _is_flank_trap(game, solved, state) else ()
    themes = ("defence", *trap) if tree is None else ("attack", "block", *trap)
    goal: Goal = "draw" if tree is None else "win"
    return FoundPuzzle(options(game), game.encode(state), goal, steps, themes, depth, grade, tree)


def _steps(solved: Solution, state: State) -> Iterator[PuzzleStep]:
    """The moves of the main line as long as each is the only one."""
    game = solved.game
    for number in range(MOST_STEPS):
        only = _only(solved, state)
        if only is None:
            return
        after, refutations = game.apply(state, only), _refutations(solved, state, only)
        reply = _reply(solved, after) if number + 1 < MOST_STEPS else None
        if reply is None or _only(solved, game.apply(after, reply)) is None:
            yield PuzzleStep(game.format(only), (), refutations)
            return
        yield PuzzleStep(game.format(only), (game.format(reply),), refutations)
        state = game.apply(after, reply)


def _reply(solved: Solution, state: State) -> Move | None:
    """The reply that holds out longest, or sets a trap where it is a draw; None if there is none."""
    game = solved.game
    moves = {move: game.apply(state, move) for move in game.actions(state)}
    if solved.value(state).result == DRAW:
        return next((move for move, after in moves.items() if _only(solved, after) is not None), None)
    return max(moves, key=lambda move: solved.value(moves[move]).plies or 0, default=None)


def _refutations(solved: Solution, state: State, only: Move) -> dict[str, str]:
    """The best reply to each other move."""
    game = solved.game
    others = [move for move in game.actions(state) if move != only]
    return {game.format(move): game.format(solved.best(game.apply(state, move))[0]) for move in others}


def _tree(solved: Solution, state: State) -> Document:
    """The winner's move and his answer to every reply."""
    game = solved.game
    move = _only(solved, state) or solved.best(state)[0]
    after = game.apply(state, move)
    node: Document = {"do": game.format(move)}
    replies = {game.format(reply): _tree(solved, game.apply(after, reply)) for reply in game.actions(after)}
    return {**node, "then": replies} if replies else node


def _is_flank_trap(game: MuTorere, solved: Solution, state: State) -> bool:
    """Whether the flanking rule makes the puzzle: without it the position or a move would have another value."""
    free = solution(replace(game, flank="never"))
    reached = [state, *(game.apply(state, move) for move in game.actions(state))]
    for each in reached:
        same = free.game.decode({"points": each.position.points, "turn": each.position.turn})
        if same in free and free.value(same).result != solved.value(each).result:
            return True
    return False
