"""Answers to puzzles in memory."""

from msgspec.structs import replace

from kemu.storage.rows import PuzzleAnswerRow, PuzzleRatingRow, PuzzleStandingRow
from kemu.storage.store import RatePuzzle


class MemoryPuzzles:
    """The Puzzles of a store in memory."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str, str], PuzzleAnswerRow] = {}
        self._standings: dict[tuple[str, str], PuzzleStandingRow] = {}
        self._ratings: dict[str, PuzzleRatingRow] = {}

    async def puzzle_answers(self, player: str, game: str) -> list[PuzzleAnswerRow]:
        found = [row for row in self._answers.values() if (row.player, row.game) == (player, game)]
        return sorted(found, key=lambda row: (row.due, row.puzzle))

    async def puzzle_standing(self, player: str, game: str) -> PuzzleStandingRow | None:
        return self._standings.get((player, game))

    async def puzzle_rating(self, puzzle: str) -> PuzzleRatingRow | None:
        return self._ratings.get(puzzle)

    async def answer_puzzle(self, answer: PuzzleAnswerRow, rate: RatePuzzle) -> bool:
        key, player = (answer.player, answer.game, answer.puzzle), (answer.player, answer.game)
        before = self._answers.get(key)
        if before is not None:
            self._answers[key] = replace(before, due=answer.due, card=answer.card)
            return False
        self._answers[key] = answer
        self._standings[player], self._ratings[answer.puzzle] = rate(
            (self._standings.get(player), self._ratings.get(answer.puzzle))
        )
        return True
