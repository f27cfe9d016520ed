"""Makes puzzles out of games between bots, in rounds of batches that any number of processes can work on."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from kemu.analysis.puzzles.puzzle import Puzzle, name_puzzle, puzzle_finder, read_puzzle, write_puzzle
from kemu.bots.arena import Job, Setting, play
from kemu.core.game import AnyGame, options
from kemu.engines.capabilities import FoundPuzzle, UnsoundPuzzle
from kemu.engines.certificates import check
from kemu.games import game

GAMES_PER_BATCH: Final = 20
BATCHES_PER_ROUND: Final = 12
"""Of each round, whatever the number of workers, so that their number changes nothing."""

LONGEST_OPENING: Final = 8
"""Random actions at the start of a game, at most, so that no two games are the same."""

EASIEST_SHARE: Final = Fraction(1, 3)
EASIEST_DEPTH: Final = 2
"""At most so many puzzles are solved with the second action."""


class Collection:
    """Puzzles of one game as they are made: which batches to work on next, and what is kept of their results."""

    def __init__(self, key: str, count: int, seed: int) -> None:
        """Raises UnknownGame if nothing finds puzzles of this game."""
        self.key = key
        self.seed = seed
        self.count = count
        self.finder = puzzle_finder(key)
        self.puzzles: list[Puzzle] = []
        self._ids: set[str] = set()
        self._counts: Counter[object] = Counter()
        self._batches = 0

    @property
    def quota(self) -> int:
        """How many puzzles each set of options gets."""
        return -(-self.count // len(self.finder.OPTIONS))

    def next_batches(self) -> list[int]:
        """Return the numbers of the batches of the next round, none if all puzzles are there."""
        kinds = len(self.finder.OPTIONS)
        wanted = {number for number in range(kinds) if self._counts[number] < self.quota}
        if len(self.puzzles) >= self.count or not wanted or (not self.finder.BOTS and self._batches):
            return []
        batches: list[int] = []
        while len(batches) < (BATCHES_PER_ROUND if self.finder.BOTS else kinds):
            number, self._batches = self._batches, self._batches + 1
            if number % kinds in wanted:
                batches.append(number)
        return batches

    def add(self, results: Mapping[int, str]) -> None:
        """Keep puzzles of the results of a round, in the order of its batches."""
        for batch in sorted(results):
            for document in json.loads(results[batch]):
                puzzle = read_puzzle(self.key, document)
                if self._is_wanted(puzzle, batch % len(self.finder.OPTIONS)):
                    self.puzzles.append(puzzle)

    def _is_wanted(self, puzzle: Puzzle, number: int) -> bool:
        """Whether a puzzle is new and its set of options, its themes and its grade have room; counts it if so."""
        if puzzle.id in self._ids or self._counts[number] >= self.quota or len(self.puzzles) >= self.count:
            return False
        shares: dict[object, Fraction] = {(number, puzzle.found.themes): self.finder.ALIKE_SHARE}
        if 1 < puzzle.found.depth <= EASIEST_DEPTH:
            shares[number, "easiest"] = EASIEST_SHARE
        # Without games to go on there is nothing to choose from.
        if self.finder.BOTS and any(self._counts[name] >= share * self.quota for name, share in shares.items()):
            return False
        self._ids.add(puzzle.id)
        self._counts.update([number, *shares])
        return True


def work_on_batch(key: str, seed: int, batch: int) -> str | None:
    """Return the puzzles of a batch as JSON, each claim of them checked; None if there are none."""
    finder = puzzle_finder(key)
    chosen = game(key, **finder.OPTIONS[batch % len(finder.OPTIONS)])
    kept: dict[str, Puzzle] = {}
    for found in _found(chosen, seed, batch):
        puzzle = name_puzzle(chosen.key, found)
        if puzzle.id in kept:
            continue
        try:
            finder.check(chosen, found, check)
        except UnsoundPuzzle:
            continue
        kept[puzzle.id] = puzzle
    return json.dumps([write_puzzle(puzzle) for puzzle in kept.values()]) if kept else None


def _found(chosen: AnyGame, seed: int, batch: int) -> Iterator[FoundPuzzle]:
    """What the finder finds in the games of a batch, or at once where it needs none."""
    finder = puzzle_finder(chosen.key)
    if not finder.BOTS:
        yield from finder.find(chosen, (), seed)
        return
    for number in range(GAMES_PER_BATCH):
        dice = random.Random(f"{seed}/{batch}/{number}")
        names = tuple(dice.choice(finder.BOTS) for _ in range(chosen.seats))
        opening, game_seed = dice.randrange(LONGEST_OPENING), dice.getrandbits(32)
        setting = Setting(chosen.key, options(chosen), names, 1, opening, game_seed)
        played = play(setting, Job(0, 0, (names[0], names[-1]), names, options(chosen)))
        yield from finder.find(chosen, played.actions, game_seed)


def check_puzzle(puzzle: Puzzle) -> None:
    """Proves every claim of a puzzle again and gives the proofs to the verifiers; raises UnsoundPuzzle."""
    puzzle_finder(puzzle.key).check(puzzle.game, puzzle.found, check)
