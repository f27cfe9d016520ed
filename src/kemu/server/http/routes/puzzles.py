"""Puzzles: the next one, the one of the day, answers, solutions, and how you do."""

import random
from typing import Any

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from kemu.games import manifest
from kemu.server.http.caller import GUEST, PLAY, READ, Caller
from kemu.server.http.puzzles import OFFLINE_PUZZLES, Solver, solve, todays_puzzle
from kemu.server.http.requests import PuzzleAttempt
from kemu.server.http.responses import OfflinePuzzle, PuzzleProgress, PuzzleQuestion, PuzzleReply, PuzzleSolution
from kemu.study.puzzles.puzzle import puzzle_games, shipped_puzzle, shipped_puzzles


def solver(caller: Caller, game: str) -> Solver:
    """The caller at the puzzles of a game; raises UnknownGame."""
    manifest(game)
    player = caller.visitor.player
    return Solver(caller.services.runtime.store.puzzles, player.id, game, player.account)


@get("/api/puzzles", opt=READ)
async def games_with_puzzles() -> list[str]:
    """The keys of the games that have puzzles."""
    return puzzle_games()


@get("/api/puzzles/{game:str}/next", opt=READ)
async def next_one(
    caller: NamedDependency[Caller], game: FromPath[str], theme: FromQuery[str | None] = None
) -> PuzzleQuestion:
    """A mistake of yours that is due again, or a new puzzle near your rating."""
    own = solver(caller, game)
    answers = await own.answers()
    return await own.question(await own.choose(theme, answers), answers)


@get("/api/puzzles/{game:str}/daily", opt=READ)
async def daily(caller: NamedDependency[Caller], game: FromPath[str]) -> PuzzleQuestion:
    """The puzzle of the day, the same for everybody."""
    puzzle, day = todays_puzzle(game)
    own = solver(caller, game)
    return await own.question(puzzle, await own.answers(), day)


@get("/api/puzzles/{game:str}/progress", opt=READ)
async def progress(caller: NamedDependency[Caller], game: FromPath[str]) -> PuzzleProgress:
    """Your rating, streaks and mistakes."""
    return await solver(caller, game).progress()


@get("/api/puzzles/{game:str}/offline", opt=READ)
async def offline(caller: NamedDependency[Caller], game: FromPath[str]) -> list[OfflinePuzzle]:
    """Some puzzles with their solutions, to be solved without a connection."""
    own, chosen = solver(caller, game), list(shipped_puzzles(game).values())
    answers = await own.answers()
    fresh = [puzzle for puzzle in chosen if puzzle.id not in answers] or chosen
    picked = random.sample(fresh, min(OFFLINE_PUZZLES, len(fresh)))
    return [OfflinePuzzle(await own.question(puzzle, answers), solve(puzzle)) for puzzle in picked]


@get("/api/puzzles/{game:str}/{puzzle:str}", opt=READ)
async def one(caller: NamedDependency[Caller], game: FromPath[str], puzzle: FromPath[str]) -> PuzzleQuestion:
    """A puzzle without its solution."""
    own = solver(caller, game)
    return await own.question(shipped_puzzle(game, puzzle), await own.answers())


@post("/api/puzzles/{game:str}/{puzzle:str}/answer", status_code=200, opt=PLAY | GUEST)
async def answer(
    caller: NamedDependency[Caller], game: FromPath[str], puzzle: FromPath[str], data: JSONBody[PuzzleAttempt]
) -> PuzzleReply:
    """Answer a puzzle; the first answer to each puzzle counts."""
    return await solver(caller, game).answer(shipped_puzzle(game, puzzle), data.actions)


@post("/api/puzzles/{game:str}/{puzzle:str}/solution", status_code=200, opt=PLAY | GUEST)
async def solution(caller: NamedDependency[Caller], game: FromPath[str], puzzle: FromPath[str]) -> PuzzleSolution:
    """Give up and see the solution; a puzzle that you have not answered counts as failed."""
    own, found = solver(caller, game), shipped_puzzle(game, puzzle)
    if puzzle not in await own.answers():
        await own.record(found, solved=False)
    return solve(found)


handlers: list[Any] = [games_with_puzzles, next_one, daily, progress, offline, one, answer, solution]
