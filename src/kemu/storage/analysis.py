"""Storage of analyses: reviews by a digest of their record, the index of the explorer, and answers to puzzles."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import bindparam, delete, select, update

from kemu.storage.database import Aggregate, Transaction, first, transaction
from kemu.storage.matches import end_pending
from kemu.storage.schema import explorer, puzzle_answers, puzzle_ratings, puzzle_standings, reviews
from kemu.storage.statements import insert_new, lookup, plain, upsert

PRUNED: Final = 500
"""How many reviews are deleted at once."""

_REVIEW: Final = plain(select(reviews.c.review).where(reviews.c.id == bindparam("digest")))
_SAVE_REVIEW: Final = insert_new(reviews)
_OLDEST_REVIEWS: Final = select(reviews.c.id).order_by(reviews.c.created).limit(PRUNED)
_PRUNE_REVIEWS: Final = plain(
    delete(reviews).where(reviews.c.id.in_(_OLDEST_REVIEWS.where(reviews.c.created < bindparam("before"))))
)


class Reviews(Aggregate):
    """Reviews that were made before."""

    async def review(self, digest: str) -> str | None:
        """Return a review that was saved."""
        found = await self._database.fetch(_REVIEW, digest=digest)
        return str(found[0][0]) if found else None

    async def save_review(self, digest: str, text: str, at: int) -> None:
        """Save a review that was made at this time (ms), unless there is one."""
        await self._database.change(_SAVE_REVIEW, [(digest, text, at)])

    async def prune_reviews(self, before: int) -> None:
        """Delete the oldest reviews, a limited number, that were made before a time (ms); they can be made again."""
        await self._database.change(_PRUNE_REVIEWS, {"before": before})


class TallyRow(Struct, frozen=True):
    """How often an action was taken in a position, by how the match ended for the player who took it.

    A scope is "public", "bots" or the id of a player; see `kemu.analysis.explorer`.
    """

    scope: str
    position: str
    action: str
    won: int
    drawn: int
    lost: int


_ADD_TALLIES: Final = upsert(
    explorer, lambda new: {name: explorer.c[name] + new[name] for name in ("won", "drawn", "lost")}
)
_TALLIES: Final = lookup(explorer, "position", "scope", order="action")


class Explorer(Aggregate):
    """The index of finished matches by position."""

    @transaction
    def add_explored(self, match: str, tallies: Sequence[TallyRow]) -> Transaction[bool]:
        """Add a pending match to the index, each action of each scope once; return False if it is not pending."""
        if not (yield from end_pending("explore", match)):
            return False
        if tallies:  # in one order, so processes never wait for each other in a circle
            yield _ADD_TALLIES, sorted(astuple(tally) for tally in tallies)
        return True

    async def tallies(self, position: str, scope: str) -> list[TallyRow]:
        """Return what was played from a position, by action."""
        return [TallyRow(*row) for row in await self._database.find(_TALLIES, position, scope)]


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
