"""What one person has answered, without a server: standings and cards of all games as one JSON document."""

import json
import random
from dataclasses import dataclass, field

from kemu.core.errors import ParseError
from kemu.study.puzzles.puzzle import Puzzle, shipped_puzzles
from kemu.study.puzzles.rating import PUZZLE_DEVIATION, GlickoRating, Standing
from kemu.study.puzzles.training import next_puzzle, review


@dataclass
class Notebook:
    """Standings by game, and by puzzle how its first answer ended, its card and when (ms) it is due."""

    standings: dict[str, Standing] = field(default_factory=dict)
    answers: dict[str, tuple[bool, str, int]] = field(default_factory=dict)

    def standing(self, game: str) -> Standing:
        """How the person does with the puzzles of a game."""
        return self.standings.get(game, Standing())

    def choose(self, game: str, theme: str | None, now_ms: int, dice: random.Random) -> Puzzle:
        """A mistake that is due, or a new puzzle near the rating; raises UnknownGame, UnknownPuzzle or OptionError."""
        puzzles = shipped_puzzles(game)
        due = [
            puzzles[name]
            for name, (solved, _, at) in self.answers.items()
            if not solved and at <= now_ms and name in puzzles
        ]
        if due and theme is None:
            return due[0]
        return next_puzzle(puzzles, self.standing(game).rating.mean, self.answers.keys(), theme, dice)

    def record(self, puzzle: Puzzle, solved: bool, now_ms: int) -> bool:
        """Notes how an answer ended; whether it was the first to this puzzle and changed the standing."""
        known = self.answers.get(puzzle.id)
        card, due = review(known[1] if known else None, solved, now_ms)
        self.answers[puzzle.id] = (known[0] if known else solved, card, due)
        if known is None:
            rating = GlickoRating(puzzle.found.grade, PUZZLE_DEVIATION)
            self.standings[puzzle.key], _ = self.standing(puzzle.key).after_answer(rating, solved, now_ms)
        return known is None

    def to_text(self) -> str:
        """The notebook as JSON."""
        return json.dumps({"kemu-puzzles": 1, "standings": self.standings, "answers": self.answers})

    @classmethod
    def from_text(cls, text: str) -> "Notebook":
        """The notebook of a text that `to_text` gave; raises ParseError."""
        try:
            document = json.loads(text)
            standings = {
                game: Standing(GlickoRating(*rating), *counts)
                for game, (rating, *counts) in document["standings"].items()
            }
            answers = {
                name: (bool(solved), str(card), int(due)) for name, (solved, card, due) in document["answers"].items()
            }
        except (ValueError, TypeError, KeyError, AttributeError):
            raise ParseError("This is no notebook of puzzles.") from None
        return cls(standings, answers)
