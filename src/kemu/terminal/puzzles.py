"""Puzzles in plain lines: the position, an answer, what refutes it, and how the person does."""

import random
import time
from collections.abc import Sequence
from datetime import date
from typing import Any, Final, Literal

import msgspec

from kemu.analysis.puzzles.puzzle import Puzzle, shipped_puzzle, shipped_puzzles
from kemu.analysis.puzzles.trainer import PuzzleAnswer, Standing, Training, daily_puzzle, first_rating, judge
from kemu.core.errors import IllegalAction, OptionError, ParseError
from kemu.core.record import replay
from kemu.games import manifest, text
from kemu.terminal.match import data_folder, write_whole
from kemu.terminal.screen import PlainScreen, open_screen

GOALS: Final = {
    "win": "{name} to move and win.",
    "draw": "{name} to move and draw.",
    "save": "{name} to move: only one action does not lose.",
    "best": "{name} to move: find the best action.",
}
NEXT: Final = "next"


class Notebook(msgspec.Struct):
    """The answers and standings of one person in all games, as a file holds them."""

    version: Literal[1] = msgspec.field(default=1, name="kemu-puzzles")
    standings: dict[str, Standing] = {}
    answers: dict[str, PuzzleAnswer] = {}

    def training(self, game: str) -> Training:
        """Return the person at the puzzles of a game."""
        return Training(game, self.standings.get(game, Standing()), self.answers)

    def record(self, puzzle: Puzzle, solved: bool, now_ms: int) -> bool:
        """Note how an answer ended; returns whether it was the first to this puzzle and changed the standing."""
        training, first = self.training(puzzle.key), puzzle.id not in self.answers
        self.answers[puzzle.id] = training.answer(puzzle, solved, now_ms)
        if first:
            standing, _ = training.standing.after_answer(first_rating(puzzle), solved, now_ms)
            self.standings[puzzle.key] = standing
        return first

    def to_text(self) -> str:
        """Return the notebook as JSON."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_text(cls, text: str) -> "Notebook":
        """Return the notebook of a text that `to_text` gave; raises ParseError."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError:
            raise ParseError("This is no notebook of puzzles.") from None


def solve_puzzles(key: str, which: str, theme: str | None, screen: PlainScreen) -> None:
    """Ask puzzles until an empty line is typed: `which` is an id, "daily", or "next" for one after the other.

    Raises UnknownGame, UnknownPuzzle or OptionError.
    """
    path = data_folder() / "puzzles.json"
    notebook = Notebook.from_text(path.read_text(encoding="utf-8")) if path.exists() else Notebook()
    try:
        while True:
            puzzle = _chosen(notebook.training(key), which, theme)
            solved = _solve(puzzle, screen)
            notebook.record(puzzle, solved, _now_ms())
            write_whole(path, notebook.to_text().encode())
            standing = notebook.training(key).standing
            screen.say(
                f"Your rating: {standing.rating.mean:.0f}. Streak: {standing.streak}. Best: {standing.best}.", ""
            )
            if which != NEXT:
                return
    except (EOFError, KeyboardInterrupt):
        screen.say("")


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _chosen(training: Training, which: str, theme: str | None) -> Puzzle:
    if which == NEXT:
        return training.choose(theme, _now_ms(), random.Random())
    if theme is not None:
        raise OptionError("A theme is for puzzles one after the other; leave it out.")
    puzzles = shipped_puzzles(training.game)
    return daily_puzzle(puzzles, date.today()) if which == "daily" else shipped_puzzle(training.game, which)


def _solve(puzzle: Puzzle, screen: PlainScreen) -> bool:
    """Return whether the person solves a puzzle at the first attempt; after that the solution is shown."""
    game, shown, board = puzzle.game, text(puzzle.key), open_screen()
    goal = GOALS[puzzle.found.goal].format(name=shown.seat_name(game, puzzle.seat))
    screen.say(
        f"Puzzle {puzzle.id}, rating {puzzle.found.grade}. {goal} (? shows the solution, an empty line leaves)",
        shown.draw(game, _view(puzzle, ())),
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
    """Return what the solver sees after some actions; of a game with secrets the view that the puzzle is."""
    if manifest(puzzle.key).hidden:
        return puzzle.found.position
    game = puzzle.game
    *_, state = replay(game, actions, game.decode(puzzle.found.position))
    return game.view(state, puzzle.seat)
