"""Puzzles as clients see them, and what an answer changes."""

import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeAlias

from kemu.games import manifest
from kemu.server.http.responses import PuzzleProgress, PuzzleQuestion, PuzzleReply, PuzzleSolution, Step
from kemu.server.http.study import StudyView, study
from kemu.server.runtime import now_ms
from kemu.storage.rows import PuzzleAnswerRow, PuzzleRatingRow, PuzzleStandingRow
from kemu.storage.store import PuzzleRows, Puzzles
from kemu.study.puzzles.puzzle import Puzzle, puzzle_finder, shipped_puzzles
from kemu.study.puzzles.rating import PUZZLE_DEVIATION, GlickoRating, Standing
from kemu.study.puzzles.solving import judge
from kemu.study.puzzles.training import daily_puzzle, next_puzzle, review

OFFLINE_PUZZLES: Final = 20
"""How many puzzles a client may keep for times without a connection."""


Answers: TypeAlias = Mapping[str, PuzzleAnswerRow]
"""By puzzle, those due first at first."""


class Solver(NamedTuple):
    """A player at the puzzles of one game."""

    puzzles: Puzzles
    player: str
    game: str
    account: bool

    async def answers(self) -> Answers:
        """What the player has answered."""
        return {row.puzzle: row for row in await self.puzzles.puzzle_answers(self.player, self.game)}

    async def question(self, puzzle: Puzzle, answers: Answers, day: str | None = None) -> PuzzleQuestion:
        """A puzzle without its solution."""
        known = answers.get(puzzle.id)
        rated = await self.puzzles.puzzle_rating(puzzle.id)
        return PuzzleQuestion(
            puzzle.id,
            puzzle.key,
            dict(puzzle.found.options),
            puzzle.found.goal,
            list(puzzle.found.themes),
            round(rated.mean) if rated else puzzle.found.grade,
            solver_seat(puzzle),
            show(puzzle, ())[0],
            known.solved if known else None,
            known is not None and _is_mistake(known),
            day,
        )

    async def choose(self, theme: str | None, answers: Answers) -> Puzzle:
        """The next puzzle: a mistake that is due, or a new one near the rating of the player. Raises OptionError."""
        puzzles, now = shipped_puzzles(self.game), now_ms()
        if theme is None:
            for row in answers.values():
                if row.due <= now and _is_mistake(row) and row.puzzle in puzzles:
                    return puzzles[row.puzzle]
        rating = _standing(await self.puzzles.puzzle_standing(self.player, self.game)).rating
        return next_puzzle(puzzles, rating.mean, answers, theme, random.Random())

    async def answer(self, puzzle: Puzzle, actions: Sequence[str]) -> PuzzleReply:
        """Judges the actions of the solver; a puzzle that is solved or failed is recorded. Raises IllegalAction."""
        judged = judge(puzzle, actions)
        counted = await self.record(puzzle, judged.right) if judged.done else False
        shown = show(puzzle, judged.actions)[-1 - len(judged.replies) :]
        solution = solve(puzzle) if judged.done and judged.right else None
        return PuzzleReply(judged.right, judged.done, shown, counted, await self.progress(), solution)

    async def record(self, puzzle: Puzzle, solved: bool) -> bool:
        """Stores how an answer ended; whether it was the first to this puzzle and changed the ratings."""
        now = now_ms()
        known = (await self.answers()).get(puzzle.id)
        # A card of a puzzle that was solved at once is not asked for again.
        card, due = review(known.card if known else None, solved, now)
        row = PuzzleAnswerRow(self.player, self.game, puzzle.id, solved, now, due, card)
        return await self.puzzles.answer_puzzle(row, lambda before: self._rated(before, row, puzzle.found.grade))

    def _rated(self, before: PuzzleRows, row: PuzzleAnswerRow, grade: int) -> tuple[PuzzleStandingRow, PuzzleRatingRow]:
        """The rows after a first answer.

        A puzzle is rated by accounts that have answered some puzzles: guests, and accounts made for it, are too cheap.
        """
        standing, rated = _standing(before[0]), before[1]
        known = GlickoRating(rated.mean, rated.deviation) if rated else GlickoRating(grade, PUZZLE_DEVIATION)
        (rating, *counts), moved = standing.after_answer(known, row.solved, row.at)
        is_judge = self.account and standing.rating.deviation <= PUZZLE_DEVIATION
        answers = (rated.answers if rated else 0) + is_judge
        after = PuzzleStandingRow(row.player, row.game, *rating, *counts)
        return after, PuzzleRatingRow(row.puzzle, *(moved if is_judge else known), answers)

    async def progress(self) -> PuzzleProgress:
        """How the player does."""
        standing = _standing(await self.puzzles.puzzle_standing(self.player, self.game))
        answers = (await self.answers()).values()
        now = now_ms()
        puzzles = shipped_puzzles(self.game)
        return PuzzleProgress(
            self.game,
            round(standing.rating.mean),
            round(standing.rating.deviation),
            standing.answered,
            standing.solved,
            standing.streak,
            standing.best,
            sum(row.due <= now and _is_mistake(row) for row in answers),
            len(puzzles),
            [
                theme
                for theme in puzzle_finder(self.game).themes
                if any(theme in p.found.themes for p in puzzles.values())
            ],
        )


def todays_puzzle(game: str) -> tuple[Puzzle, str]:
    """The puzzle of this day in UTC, and the day; raises UnknownGame."""
    today = datetime.now(UTC).date()
    return daily_puzzle(shipped_puzzles(game), today), today.isoformat()


def solver_seat(puzzle: Puzzle) -> int:
    """The seat that is to solve a puzzle."""
    if manifest(puzzle.key).hidden:
        return int(puzzle.found.position["seat"])
    turn = puzzle.game.turn(puzzle.game.decode(puzzle.found.position))
    assert turn is not None, "a puzzle begins where somebody is to act"
    return turn


def show(puzzle: Puzzle, actions: Sequence[str]) -> list[Step]:
    """The position of a puzzle and those after some actions; of a game with secrets only what its seat knows."""
    found = puzzle.found
    if not manifest(puzzle.key).hidden:
        return study(puzzle.game, found.position, actions, StudyView(solver_seat(puzzle))).steps
    seat, [only] = solver_seat(puzzle), found.steps
    choices = sorted([only.action, *only.refutations])
    first = Step(None, None, found.position, seat, choices, None)
    # What comes after an action depends on cards that the seat does not know.
    return [first, *(Step(seat, text, found.position, None, [], None) for text in actions)]


def solve(puzzle: Puzzle) -> PuzzleSolution:
    """The solution of a puzzle."""
    found = puzzle.found
    refutations = [dict(step.refutations) for step in found.steps]
    return PuzzleSolution(list(puzzle.line), show(puzzle, puzzle.line), refutations, found.tree, found.certificate)


def _is_mistake(row: PuzzleAnswerRow) -> bool:
    """Whether a puzzle was failed at first, so that it comes again."""
    return not row.solved


def _standing(row: PuzzleStandingRow | None) -> Standing:
    if row is None:
        return Standing()
    counts = (row.answered, row.solved, row.streak, row.best, row.at)
    return Standing(GlickoRating(row.mean, row.deviation), *counts)
