"""Puzzles in plain lines: the position, an answer, what refutes it, and how the person does."""

import random
import time
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from kemu.core.errors import IllegalAction, OptionError
from kemu.games import manifest, text
from kemu.study.puzzles.notebook import Notebook
from kemu.study.puzzles.puzzle import Puzzle, shipped_puzzle, shipped_puzzles
from kemu.study.puzzles.solving import judge
from kemu.study.puzzles.training import daily_puzzle
from kemu.terminal.records import data_folder, write_whole
from kemu.terminal.screen import PlainScreen, open_screen

GOALS: Final = {
    "win": "{name} to move and win.",
    "draw": "{name} to move and draw.",
    "save": "{name} to move: only one action does not lose.",
    "best": "{name} to move: find the best action.",
}
DAILY: Final = "daily"
NEXT: Final = "next"


def solve_puzzles(key: str, which: str, theme: str | None, screen: PlainScreen) -> None:
    """Asks puzzles until an empty line is typed: `which` is an id, "daily", or "next" for one after the other.

    Raises UnknownGame, UnknownPuzzle or OptionError.
    """
    path = data_folder() / "puzzles.json"
    notebook = Notebook.from_text(path.read_text(encoding="utf-8")) if path.exists() else Notebook()
    try:
        while True:
            puzzle = _chosen(notebook, key, which, theme)
            solved = _solve(puzzle, screen)
            notebook.record(puzzle, solved, _now_ms())
            write_whole(path, notebook.to_text())
            standing = notebook.standing(key)
            screen.say(
                f"Your rating: {standing.rating.mean:.0f}. Streak: {standing.streak}. Best: {standing.best}.", ""
            )
            if which != NEXT:
                return
    except (EOFError, KeyboardInterrupt):
        screen.say("")


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _chosen(notebook: Notebook, key: str, which: str, theme: str | None) -> Puzzle:
    if which == NEXT:
        return notebook.choose(key, theme, _now_ms(), random.Random())
    if theme is not None:
        raise OptionError("A theme is for puzzles one after the other; leave it out.")
    return daily_puzzle(shipped_puzzles(key), date.today()) if which == DAILY else shipped_puzzle(key, which)


def _solve(puzzle: Puzzle, screen: PlainScreen) -> bool:
    """Whether the person solves a puzzle at the first attempt; after that the solution is shown."""
    game, shown, board = puzzle.game, text(puzzle.key), open_screen()
    view = _view(puzzle, ())
    seat = view["seat"] if manifest(puzzle.key).hidden else game.turn(game.decode(puzzle.found.position))
    assert seat is not None, "a puzzle begins where somebody is to act"
    goal = GOALS[puzzle.found.goal].format(name=shown.seat_name(game, seat))
    screen.say(
        f"Puzzle {puzzle.id}, rating {puzzle.found.grade}. {goal} (? shows the solution, an empty line leaves)",
        shown.draw(game, view),
    )
    actions: list[str] = []
    while True:
        typed = screen.ask("Your action:")
        if not typed:
            raise EOFError
        if typed == "?":
            break
        try:
            judged = judge(puzzle, [*actions, typed])
        except IllegalAction as error:
            screen.say(str(error))
            continue
        if not judged.right:
            screen.say(f"No{': ' + ' '.join(judged.replies) + ' refutes it' if judged.replies else ''}.")
            break
        if judged.done:
            screen.say("Solved!")
            return True
        actions.append(typed)
        screen.say(f"Right. {' '.join(judged.replies)}")
        board.show(shown, game, _view(puzzle, judged.actions))
    screen.say(f"The solution: {' '.join(puzzle.line)}")
    return False


def _view(puzzle: Puzzle, actions: Sequence[str]) -> Any:
    """What the solver sees after some actions; of a game with secrets the view that the puzzle is."""
    if manifest(puzzle.key).hidden:
        return puzzle.found.position
    game = puzzle.game
    state = game.decode(puzzle.found.position)
    seat = game.turn(state)
    assert seat is not None, "a puzzle begins where somebody is to act"
    for action in actions:
        state = game.apply(state, game.parse(action))
    return game.view(state, seat)
