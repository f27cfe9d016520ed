"""Training with puzzles: whether an answer is right, which puzzle comes next, and what an answer changes.

A player and a puzzle are rated by Glicko (Glickman 1999): an answer is a game between the two, and the first answer to
each puzzle counts. A puzzle that was failed comes again, when FSRS says. All of it is a value: whoever keeps the
answers, a server or a file, reads a `Training`, asks it, and stores the answer with the standing after it.
"""

import hashlib
import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from fsrs import Card, Rating, Scheduler

from kemu.analysis.puzzles.puzzle import Puzzle, UnknownPuzzle, shipped_puzzles
from kemu.core.document import Document
from kemu.core.errors import IllegalAction, OptionError

FIRST_RATING: Final = 1200.0
FIRST_DEVIATION: Final = 180.0
"""As small as for somebody who has answered some: the first miss of a beginner is not to cost a class."""

PUZZLE_DEVIATION: Final = 150.0
"""The deviation of a puzzle that nobody has answered: its grade says something about it."""

LEAST_DEVIATION: Final = 45.0
GROWTH_PER_DAY: Final = 6.0
"""How much less sure an unused rating becomes."""

FIRST_PUZZLES: Final = 5
"""How many puzzles of one move a player solves or fails before the rating chooses."""

MS_PER_DAY: Final = 24 * 60 * 60 * 1000

NEAREST: Final = 12
"""The number of puzzles nearest to the player's rating from which the next one is drawn."""

_Q: Final = math.log(10) / 400
_SCHEDULER: Final = Scheduler(enable_fuzzing=False)


# Answers.


@dataclass(frozen=True)
class Judgement:
    """Verdict on a solver's actions: right so far, done, and all actions with the replies."""

    right: bool
    done: bool
    actions: tuple[str, ...]  # those of both sides from the position of the puzzle on
    replies: tuple[str, ...]  # what follows the last action of the solver


def judge(puzzle: Puzzle, actions: Sequence[str]) -> Judgement:
    """Compare the actions of a solver with the steps of a puzzle; raises IllegalAction for one that cannot be."""
    played: list[str] = []
    for number, (step, action) in enumerate(zip(puzzle.found.steps, actions, strict=False), start=1):
        if action != step.action and action not in step.refutations:
            raise IllegalAction(f"'{action}' is no action of this position.")
        right = action == step.action
        refutation = () if right else tuple(filter(None, [step.refutations[action]]))
        replies = step.replies if right else refutation
        played += [action, *replies]
        last = number == len(puzzle.found.steps)
        if not right or last or number == len(actions):
            if number < len(actions):
                raise IllegalAction("The puzzle was over before these actions.")
            return Judgement(right, last or not right, tuple(played), replies)
    raise IllegalAction("An answer has at least one action.")


# Ratings.


class GlickoRating(NamedTuple):
    """Estimate of a strength: mean and standard deviation."""

    mean: float = FIRST_RATING
    deviation: float = FIRST_DEVIATION

    def after_days(self, days: float) -> "GlickoRating":
        """Return the rating after some days without an answer."""
        wider = math.sqrt(self.deviation**2 + GROWTH_PER_DAY**2 * max(0.0, days))
        return self._replace(deviation=min(FIRST_DEVIATION, wider))


def first_rating(puzzle: Puzzle) -> GlickoRating:
    """Return the rating of a puzzle that nobody has answered."""
    return GlickoRating(puzzle.found.grade, PUZZLE_DEVIATION)


class Standing(NamedTuple):
    """How a player does with the puzzles of a game."""

    rating: GlickoRating = GlickoRating()
    answered: int = 0
    solved: int = 0
    streak: int = 0  # puzzles solved one after the other
    best: int = 0  # the longest streak
    at: int = 0  # ms, of the last answer; 0 before the first

    def after_answer(self, puzzle: GlickoRating, solved: bool, at: int) -> tuple["Standing", GlickoRating]:
        """Return the standing and the rating of the puzzle after a first answer to it."""
        own = self.rating.after_days((at - self.at) / MS_PER_DAY) if self.at else self.rating
        rated, other = rate(own, puzzle, solved)
        streak = self.streak + 1 if solved else 0
        best = max(streak, self.best)
        return Standing(rated, self.answered + 1, self.solved + solved, streak, best, at), other


FIRST_STANDING: Final = Standing()


def expected(player: GlickoRating, other: GlickoRating) -> float:
    """Return the chance that a player wins against another, or solves a puzzle."""
    return 1 / (1 + 10 ** (-_weight(other.deviation) * (player.mean - other.mean) / 400))


def rate(player: GlickoRating, puzzle: GlickoRating, solved: bool) -> tuple[GlickoRating, GlickoRating]:
    """Return the ratings of a player and a puzzle after an answer."""
    score = 1.0 if solved else 0.0
    return _changed(player, puzzle, score), _changed(puzzle, player, 1 - score)


def _weight(deviation: float) -> float:
    return 1 / math.sqrt(1 + 3 * (_Q * deviation / math.pi) ** 2)


def _changed(own: GlickoRating, other: GlickoRating, score: float) -> GlickoRating:
    chance, weight = expected(own, other), _weight(other.deviation)
    information = 1 / own.deviation**2 + (_Q * weight) ** 2 * chance * (1 - chance)
    mean = own.mean + _Q * weight * (score - chance) / information
    return GlickoRating(mean, max(LEAST_DEVIATION, math.sqrt(1 / information)))


# What comes next.


class PuzzleAnswer(NamedTuple):
    """How the first answer to a puzzle ended, its card, and when (ms) the puzzle is due again."""

    solved: bool
    card: str
    due: int


@dataclass(frozen=True)
class Training:
    """A player at the puzzles of one game: how they do, and their answers by puzzle, in the order to repeat them."""

    game: str
    standing: Standing = FIRST_STANDING
    answers: Mapping[str, PuzzleAnswer] = field(default_factory=dict)

    def due(self, now_ms: int) -> list[str]:
        """Return the puzzles that were failed at first and are due again."""
        puzzles = shipped_puzzles(self.game)
        return [
            name
            for name, answer in self.answers.items()
            if not answer.solved and answer.due <= now_ms and name in puzzles
        ]

    def choose(self, theme: str | None, now_ms: int, dice: random.Random, met: Sequence[Document] = ()) -> Puzzle:
        """Return a mistake that is due, or a new puzzle near the rating: an easy one of one move at first.

        `met` are options that the player knows; other variants come when nothing of these is left. Raises UnknownGame,
        UnknownPuzzle if there are no puzzles, and OptionError if none has the theme.
        """
        puzzles = shipped_puzzles(self.game)
        if theme is None and (due := self.due(now_ms)):
            return puzzles[due[0]]
        if theme is None:
            puzzles = familiar(puzzles, met, self.answers)
            if len(self.answers) < FIRST_PUZZLES and (easy := _easiest(puzzles, self.answers)):
                return dice.choice(easy)
        return next_puzzle(puzzles, self.standing.rating.mean, self.answers, theme, dice)

    def answer(self, puzzle: Puzzle, solved: bool, now_ms: int) -> PuzzleAnswer:
        """Return the answer to keep; of a later one only the card changes."""
        known = self.answers.get(puzzle.id)
        card, due = review(known.card if known else None, solved, now_ms)
        return PuzzleAnswer(known.solved if known else solved, card, due)


def familiar(puzzles: Mapping[str, Puzzle], met: Sequence[Document], answered: Collection[str]) -> Mapping[str, Puzzle]:
    """Return the puzzles with options that a player has met; all of them once none of these is left."""
    known = {
        name: puzzle
        for name, puzzle in puzzles.items()
        if any(all(puzzle.found.options.get(option) == value for option, value in some.items()) for some in met)
    }
    return known if any(name not in answered for name in known) else puzzles


def _easiest(puzzles: Mapping[str, Puzzle], answered: Collection[str]) -> list[Puzzle]:
    """Return the easiest new puzzles that one move solves, those that win if there are any."""
    short = [each for each in puzzles.values() if len(each.found.steps) == 1 and each.id not in answered]
    wins = [each for each in short if each.found.goal == "win"]
    return sorted(wins or short, key=lambda each: (each.found.grade, each.id))[:NEAREST]


def daily_puzzle(puzzles: Mapping[str, Puzzle], day: date) -> Puzzle:
    """Return the puzzle of a day, the same for everybody; all come before one comes again. Raises UnknownPuzzle."""
    if not puzzles:
        raise UnknownPuzzle("This game has no puzzles.")
    ranked = sorted(puzzles, key=lambda each: hashlib.sha256(f"daily {each}".encode()).digest())
    return puzzles[ranked[day.toordinal() % len(ranked)]]


def next_puzzle(
    puzzles: Mapping[str, Puzzle], rating: float, answered: Collection[str], theme: str | None, dice: random.Random
) -> Puzzle:
    """Return a puzzle near a rating that was not answered yet; one answered before if none is left.

    Raises UnknownPuzzle if there are none, and OptionError if none has the theme.
    """
    if not puzzles:
        raise UnknownPuzzle("This game has no puzzles.")
    wanted = [each for each in puzzles.values() if theme is None or theme in each.found.themes]
    if not wanted:
        raise OptionError(f"No puzzle has the theme '{theme}'.")
    fresh = [each for each in wanted if each.id not in answered] or wanted
    return dice.choice(sorted(fresh, key=lambda each: (abs(each.found.grade - rating), each.id))[:NEAREST])


def review(card: str | None, solved: bool, at_ms: int) -> tuple[str, int]:
    """Return the card of a puzzle after an answer, and when (ms) it is due again; None is a new card."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    known = Card(card_id=0, due=at) if card is None else Card.from_json(card)
    changed, _ = _SCHEDULER.review_card(known, Rating.Good if solved else Rating.Again, at)
    return changed.to_json(), round(changed.due.timestamp() * 1000)
