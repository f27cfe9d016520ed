"""Answers to puzzles in SQL."""

from msgspec.structs import astuple

from kemu.storage.executor import Executor, Transaction, storable
from kemu.storage.puzzle_statements import PuzzleStatements
from kemu.storage.rows import PuzzleAnswerRow, PuzzleRatingRow, PuzzleStandingRow
from kemu.storage.statements import Database
from kemu.storage.store import RatePuzzle


class SqlPuzzles:
    """The Puzzles of a store in SQL."""

    def __init__(self, executor: Executor, database: Database) -> None:
        self._executor = executor
        self._statements = PuzzleStatements(database)

    async def puzzle_answers(self, player: str, game: str) -> list[PuzzleAnswerRow]:
        found = await self._executor.fetch(self._statements.answers, {"player": player, "game": game})
        return [PuzzleAnswerRow(who, key, puzzle, bool(solved), *rest) for who, key, puzzle, solved, *rest in found]

    async def puzzle_standing(self, player: str, game: str) -> PuzzleStandingRow | None:
        found = await self._executor.fetch(self._statements.standing, {"player": player, "game": game})
        return PuzzleStandingRow(*found[0]) if found else None

    async def puzzle_rating(self, puzzle: str) -> PuzzleRatingRow | None:
        if not storable(puzzle):
            return None
        found = await self._executor.fetch(self._statements.rating, {"puzzle": puzzle})
        return PuzzleRatingRow(*found[0]) if found else None

    async def answer_puzzle(self, answer: PuzzleAnswerRow, rate: RatePuzzle) -> bool:
        return await self._executor.transact(self._answer(answer, rate))

    def _answer(self, answer: PuzzleAnswerRow, rate: RatePuzzle) -> Transaction[bool]:
        if not (yield self._statements.insert_answers, [astuple(answer)]):
            known = {"who": answer.player, "key": answer.game, "which": answer.puzzle}
            yield self._statements.schedule, {**known, "due": answer.due, "card": answer.card}
            return False
        standings = yield self._statements.standing, {"player": answer.player, "game": answer.game}
        ratings = yield self._statements.rating, {"puzzle": answer.puzzle}
        standing, rating = rate(
            (
                PuzzleStandingRow(*standings[0]) if standings else None,
                PuzzleRatingRow(*ratings[0]) if ratings else None,
            )
        )
        yield self._statements.upsert_standings, [astuple(standing)]
        yield self._statements.upsert_ratings, [astuple(rating)]
        return True
