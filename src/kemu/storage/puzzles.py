"""Answers to puzzles, standings of players and ratings of puzzles: rows, statements and methods."""

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import bindparam, select, update

from kemu.storage.database import Aggregate, Transaction, first, transaction
from kemu.storage.schema import puzzle_answers, puzzle_ratings, puzzle_standings
from kemu.storage.statements import insert_new, plain, upsert


class PuzzleAnswerRow(Struct, frozen=True):
    """The answer of a player to a puzzle: how the first one ended, and when the puzzle is due again."""

    player: str
    game: str
    puzzle: str
    solved: bool
    at: int  # ms, of the first answer
    due: int  # ms
    card: str  # what the scheduler of repetitions keeps


class PuzzleStandingRow(Struct, frozen=True):
    """How a player does with the puzzles of a game."""

    player: str
    game: str
    mean: float
    deviation: float
    answered: int
    solved: int
    streak: int  # puzzles solved one after the other
    best: int  # the longest streak
    at: int  # ms, of the last answer


class PuzzleRatingRow(Struct, frozen=True):
    """The rating of a puzzle and the number of answers behind it."""

    puzzle: str
    mean: float
    deviation: float
    answers: int


PuzzleRows: TypeAlias = tuple[PuzzleStandingRow | None, PuzzleRatingRow | None]
"""The standing of a player and the rating of a puzzle, None for what is not stored yet."""

RatePuzzle: TypeAlias = Callable[[PuzzleRows], tuple[PuzzleStandingRow, PuzzleRatingRow]]
"""The rows after an answer from those before it."""

_ANSWER: Final = puzzle_answers.c
_STANDING: Final = puzzle_standings.c

_ANSWERS: Final = plain(
    select(puzzle_answers)
    .where(_ANSWER.player == bindparam("by"), _ANSWER.game == bindparam("of"))
    .order_by(_ANSWER.due, _ANSWER.puzzle)
)
_INSERT_ANSWERS: Final = insert_new(puzzle_answers)
_SCHEDULE: Final = plain(
    update(puzzle_answers)
    .values(due=bindparam("due"), card=bindparam("card"))
    .where(_ANSWER.player == bindparam("by"), _ANSWER.game == bindparam("of"), _ANSWER.puzzle == bindparam("this"))
)
_STANDINGS: Final = plain(
    select(puzzle_standings).where(_STANDING.player == bindparam("by"), _STANDING.game == bindparam("of"))
)
_ALL_STANDINGS: Final = plain(
    select(puzzle_standings).where(_STANDING.player == bindparam("by")).order_by(_STANDING.game)
)
_RATING: Final = plain(select(puzzle_ratings).where(puzzle_ratings.c.puzzle == bindparam("this")))
_SAVE_STANDINGS: Final = upsert(puzzle_standings)
_SAVE_RATINGS: Final = upsert(puzzle_ratings)


class Puzzles(Aggregate):
    """Answers of players, how they stand, and the ratings of puzzles."""

    async def puzzle_answers(self, player: str, game: str) -> list[PuzzleAnswerRow]:
        """Return the answers of a player to the puzzles of a game, by the time when they are due."""
        found = await self._database.fetch(_ANSWERS, by=player, of=game)
        return [PuzzleAnswerRow(who, key, puzzle, bool(solved), *rest) for who, key, puzzle, solved, *rest in found]

    async def puzzle_standing(self, player: str, game: str) -> PuzzleStandingRow | None:
        """Return how a player does with the puzzles of a game; None before the first answer."""
        return first(PuzzleStandingRow, await self._database.fetch(_STANDINGS, by=player, of=game))

    async def standings(self, player: str) -> list[PuzzleStandingRow]:
        """Return how a player does with the puzzles of each game, by game."""
        return [PuzzleStandingRow(*row) for row in await self._database.fetch(_ALL_STANDINGS, by=player)]

    async def puzzle_rating(self, puzzle: str) -> PuzzleRatingRow | None:
        """Return the rating of a puzzle; None before the first answer."""
        return first(PuzzleRatingRow, await self._database.fetch(_RATING, this=puzzle))

    @transaction
    def answer_puzzle(self, answer: PuzzleAnswerRow, rate: RatePuzzle) -> Transaction[bool]:
        """Store an answer; the first one to a puzzle also changes the ratings, together with it.

        Returns whether it was the first; of a later one only `due` and `card` are kept.
        """
        place = {"by": answer.player, "of": answer.game}
        if not (yield _INSERT_ANSWERS, [astuple(answer)]):
            yield _SCHEDULE, {**place, "this": answer.puzzle, "due": answer.due, "card": answer.card}
            return False
        standing = first(PuzzleStandingRow, (yield _STANDINGS, place))
        rating = first(PuzzleRatingRow, (yield _RATING, {"this": answer.puzzle}))
        standing, rating = rate((standing, rating))
        yield _SAVE_STANDINGS, [astuple(standing)]
        yield _SAVE_RATINGS, [astuple(rating)]
        return True
