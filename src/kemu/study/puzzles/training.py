"""Which puzzle comes next: near the player's rating, by theme, mistakes again when they are due, and one each day."""

import hashlib
import random
from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from typing import Final

from fsrs import Card, Rating, Scheduler

from kemu.core.errors import OptionError
from kemu.study.puzzles.puzzle import Puzzle, UnknownPuzzle

NEAREST: Final = 12
"""The next puzzle is drawn from so many nearest to the player's rating."""

_SCHEDULER: Final = Scheduler(enable_fuzzing=False)


def daily_puzzle(puzzles: Mapping[str, Puzzle], day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody; every puzzle comes before one comes again. Raises UnknownPuzzle."""
    if not puzzles:
        raise UnknownPuzzle("This game has no puzzles.")
    ranked = sorted(puzzles, key=lambda each: hashlib.sha256(f"daily {each}".encode()).digest())
    return puzzles[ranked[day.toordinal() % len(ranked)]]


def next_puzzle(
    puzzles: Mapping[str, Puzzle], rating: float, answered: Collection[str], theme: str | None, dice: random.Random
) -> Puzzle:
    """A puzzle that was not answered yet, near a rating; one answered before if none is left.

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
    """The card of a puzzle after an answer, and when (ms) it is due again; None is a card that is new."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    known = Card(card_id=0, due=at) if card is None else Card.from_json(card)
    changed, _ = _SCHEDULER.review_card(known, Rating.Good if solved else Rating.Again, at)
    return changed.to_json(), round(changed.due.timestamp() * 1000)
