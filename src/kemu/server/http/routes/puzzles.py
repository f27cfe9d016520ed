"""Puzzles: the next one, the one of the day, answers, solutions, and how you do."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, NamedTuple

from litestar import get, post
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta, Struct

from kemu.analysis.puzzles import trainer
from kemu.analysis.puzzles.puzzle import Puzzle, puzzle_finder, puzzle_games, shipped_puzzle, shipped_puzzles
from kemu.core.document import Document, read_json
from kemu.core.errors import ParseError
from kemu.core.game import Seat
from kemu.games import manifest
from kemu.server.http.requests import GUEST, PLAY, READ, Caller, FromCaller
from kemu.server.http.routes.games import ReplayView, Step, replay_steps
from kemu.server.runtime import now_ms
from kemu.storage.puzzles import PuzzleAnswerRow, PuzzleRatingRow, PuzzleRows, Puzzles, PuzzleStandingRow

OFFLINE_PUZZLES: Final = 20
"""The number of puzzles that a client may keep for times without a connection."""


class PuzzleAttempt(Struct, frozen=True, forbid_unknown_fields=True):
    """All actions of the solver from the position of a puzzle on."""

    actions: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(min_length=1, max_length=20)]


class PuzzleQuestion(Struct, frozen=True):
    """A puzzle without its solution; `solved` is how your first answer ended, null if you gave none."""

    id: str
    game: str
    options: dict[str, Any]
    goal: Literal["win", "draw", "save", "best"]
    themes: list[str]
    rating: int
    seat: Seat
    step: Step
    solved: bool | None = None
    review: bool = False
    day: str | None = None


class PuzzleProgress(Struct, frozen=True):
    """How you do with the puzzles of a game; `due` are mistakes that come again now."""

    game: str
    rating: int
    deviation: int
    answered: int
    solved: int
    streak: int
    best: int
    due: int
    puzzles: int
    themes: list[str]


class PuzzleSolution(Struct, frozen=True):
    """A solution: the main line step by step, a tree that answers every reply, and what refutes the other actions.

    `certificate` is the proof that the game is saved, where it is no win.
    """

    line: list[str]
    steps: list[Step]
    refutations: list[dict[str, str]]
    tree: dict[str, Any] | None
    certificate: str | None


class PuzzleReply(Struct, frozen=True):
    """Verdict on an answer; `steps` show its last action and the replies. `counted` if it changed your rating."""

    right: bool
    done: bool
    steps: list[Step]
    counted: bool
    progress: PuzzleProgress
    solution: PuzzleSolution | None = None


class OfflinePuzzle(Struct, frozen=True):
    """A puzzle with its solution, to be solved without the server."""

    question: PuzzleQuestion
    solution: PuzzleSolution


class PuzzlePlayer(NamedTuple):
    """A player at the puzzles of one game, whose answers the store keeps."""

    puzzles: Puzzles
    player: str
    game: str
    account: bool

    async def training(self) -> trainer.Training:
        """Read what the player has answered, and how they do."""
        rows = await self.puzzles.puzzle_answers(self.player, self.game)
        answers = {row.puzzle: trainer.PuzzleAnswer(row.solved, row.card, row.due) for row in rows}
        return trainer.Training(self.game, await self._standing(), answers)

    async def answer(self, puzzle: Puzzle, actions: Sequence[str]) -> PuzzleReply:
        """Judge the actions of the solver; a puzzle that is solved or failed is recorded. Raises IllegalAction."""
        judged, training, counted = trainer.judge(puzzle, actions), await self.training(), False
        if judged.done:
            counted, training = await self.record(training, puzzle, judged.right)
        shown = show(puzzle, judged.actions)[-1 - len(judged.replies) :]
        solution = solve(puzzle) if judged.done and judged.right else None
        return PuzzleReply(judged.right, judged.done, shown, counted, progress_of(training), solution)

    async def record(self, training: trainer.Training, puzzle: Puzzle, solved: bool) -> tuple[bool, trainer.Training]:
        """Store how an answer ended; returns whether it was the first to the puzzle, and the training after it."""
        now = now_ms()
        answer = training.answer(puzzle, solved, now)
        row = PuzzleAnswerRow(self.player, self.game, puzzle.id, solved, now, answer.due, answer.card)
        first = trainer.first_rating(puzzle)
        counted = await self.puzzles.answer_puzzle(row, lambda before: self._rated(before, row, first))
        answers = {**training.answers, puzzle.id: answer}
        return counted, replace(training, standing=await self._standing(), answers=answers)

    def _rated(
        self, before: PuzzleRows, row: PuzzleAnswerRow, first: trainer.GlickoRating
    ) -> tuple[PuzzleStandingRow, PuzzleRatingRow]:
        """Return the rows after a first answer.

        A puzzle is rated by accounts that have answered some puzzles: guests, and accounts made for it, are too cheap.
        """
        standing, rated = _standing(before[0]), before[1]
        known = trainer.GlickoRating(rated.mean, rated.deviation) if rated else first
        (rating, *counts), moved = standing.after_answer(known, row.solved, row.at)
        is_judge = self.account and standing.rating.deviation <= trainer.PUZZLE_DEVIATION
        answers = (rated.answers if rated else 0) + is_judge
        after = PuzzleStandingRow(row.player, row.game, *rating, *counts)
        return after, PuzzleRatingRow(row.puzzle, *(moved if is_judge else known), answers)

    async def question(self, puzzle: Puzzle, training: trainer.Training, day: str | None = None) -> PuzzleQuestion:
        """Return a puzzle without its solution."""
        known = training.answers.get(puzzle.id)
        rated = await self.puzzles.puzzle_rating(puzzle.id)
        return PuzzleQuestion(
            puzzle.id,
            puzzle.key,
            dict(puzzle.found.options),
            puzzle.found.goal,
            list(puzzle.found.themes),
            round(rated.mean) if rated else puzzle.found.grade,
            puzzle.seat,
            show(puzzle, ())[0],
            known.solved if known else None,
            known is not None and not known.solved,
            day,
        )

    async def _standing(self) -> trainer.Standing:
        return _standing(await self.puzzles.puzzle_standing(self.player, self.game))


def progress_of(training: trainer.Training) -> PuzzleProgress:
    """Return how a player does."""
    standing, puzzles = training.standing, shipped_puzzles(training.game)
    themes = {theme for puzzle in puzzles.values() for theme in puzzle.found.themes}
    return PuzzleProgress(
        training.game,
        round(standing.rating.mean),
        round(standing.rating.deviation),
        standing.answered,
        standing.solved,
        standing.streak,
        standing.best,
        len(training.due(now_ms())),
        len(puzzles),
        [theme for theme in puzzle_finder(training.game).THEMES if theme in themes],
    )


def show(puzzle: Puzzle, actions: Sequence[str]) -> list[Step]:
    """Return the position of a puzzle and those after some actions; of a game with secrets only what its seat knows."""
    found = puzzle.found
    if not manifest(puzzle.key).hidden:
        return replay_steps(puzzle.game, found.position, actions, ReplayView(puzzle.seat)).steps
    seat, [only] = puzzle.seat, found.steps
    choices = sorted([only.action, *only.refutations])
    first = Step(None, None, found.position, seat, choices, None)
    # What comes after an action depends on cards that the seat does not know.
    return [first, *(Step(seat, text, found.position, None, [], None) for text in actions)]


def solve(puzzle: Puzzle) -> PuzzleSolution:
    """Return the solution of a puzzle."""
    found = puzzle.found
    refutations = [dict(step.refutations) for step in found.steps]
    return PuzzleSolution(list(puzzle.line), show(puzzle, puzzle.line), refutations, found.tree, found.certificate)


def _standing(row: PuzzleStandingRow | None) -> trainer.Standing:
    if row is None:
        return trainer.FIRST_STANDING
    rating = trainer.GlickoRating(row.mean, row.deviation)
    return trainer.Standing(rating, row.answered, row.solved, row.streak, row.best, row.at)


def read_met(text: str) -> list[Document]:
    """Return the options in the query of the next puzzle; raises ParseError."""
    met = read_json(text)
    if not isinstance(met, list) or not all(isinstance(each, dict) for each in met):
        raise ParseError("'met' is a list of options.")
    return met


def solver(caller: Caller, game: str) -> PuzzlePlayer:
    """Return the caller at the puzzles of a game; raises UnknownGame."""
    manifest(game)
    player = caller.visitor.player
    return PuzzlePlayer(caller.services.runtime.store.puzzles, player.id, game, player.account)


@get("/api/puzzles", opt=READ)
async def games_with_puzzles() -> list[str]:
    """List the keys of the games that have puzzles."""
    return puzzle_games()


@get("/api/puzzles/{game:str}/next", opt=READ)
async def next_one(
    caller: FromCaller, game: FromPath[str], theme: FromQuery[str | None] = None, met: FromQuery[str] = "[]"
) -> PuzzleQuestion:
    """Return a mistake of yours that is due again, or a new puzzle near your rating.

    `met` lists options that you know as JSON, such as `[{"variant": "basic"}]`; other variants come later.
    """
    own = solver(caller, game)
    training = await own.training()
    return await own.question(training.choose(theme, now_ms(), random.Random(), read_met(met)), training)


@get("/api/puzzles/{game:str}/daily", opt=READ)
async def daily(caller: FromCaller, game: FromPath[str]) -> PuzzleQuestion:
    """Return the puzzle of the day, the same for everybody."""
    today, own = datetime.now(UTC).date(), solver(caller, game)
    puzzle = trainer.daily_puzzle(shipped_puzzles(game), today)
    return await own.question(puzzle, await own.training(), today.isoformat())


@get("/api/puzzles/{game:str}/progress", opt=READ)
async def progress(caller: FromCaller, game: FromPath[str]) -> PuzzleProgress:
    """Return your rating, streaks and mistakes."""
    return progress_of(await solver(caller, game).training())


@get("/api/puzzles/{game:str}/offline", opt=READ)
async def offline(caller: FromCaller, game: FromPath[str]) -> list[OfflinePuzzle]:
    """Return some puzzles with their solutions, to be solved without a connection."""
    own, chosen = solver(caller, game), list(shipped_puzzles(game).values())
    training = await own.training()
    fresh = [puzzle for puzzle in chosen if puzzle.id not in training.answers] or chosen
    picked = random.sample(fresh, min(OFFLINE_PUZZLES, len(fresh)))
    return [OfflinePuzzle(await own.question(puzzle, training), solve(puzzle)) for puzzle in picked]


@get("/api/puzzles/{game:str}/{puzzle:str}", opt=READ)
async def one(caller: FromCaller, game: FromPath[str], puzzle: FromPath[str]) -> PuzzleQuestion:
    """Return a puzzle without its solution."""
    own = solver(caller, game)
    return await own.question(shipped_puzzle(game, puzzle), await own.training())


@post("/api/puzzles/{game:str}/{puzzle:str}/answer", status_code=200, opt=PLAY | GUEST)
async def answer(
    caller: FromCaller, game: FromPath[str], puzzle: FromPath[str], data: JSONBody[PuzzleAttempt]
) -> PuzzleReply:
    """Answer a puzzle; the first answer to each puzzle counts."""
    return await solver(caller, game).answer(shipped_puzzle(game, puzzle), data.actions)


@post("/api/puzzles/{game:str}/{puzzle:str}/solution", status_code=200, opt=PLAY | GUEST)
async def solution(caller: FromCaller, game: FromPath[str], puzzle: FromPath[str]) -> PuzzleSolution:
    """Give up and see the solution; a puzzle that you have not answered counts as failed."""
    own, found = solver(caller, game), shipped_puzzle(game, puzzle)
    training = await own.training()
    if puzzle not in training.answers:
        await own.record(training, found, solved=False)
    return solve(found)
