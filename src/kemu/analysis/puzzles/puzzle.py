"""Puzzles: their compact form, those that come with Kemu, and the making of new ones.

They are made out of games between bots, in rounds of batches that any number of processes can work on.
"""

import gzip
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from kemu.bots.arena import Job, Setting, play
from kemu.bots.engines import capability, games_with
from kemu.core.document import Document
from kemu.core.errors import KemuError, UnknownGame
from kemu.core.game import AnyGame, Seat, options
from kemu.engines.capabilities import FoundPuzzle, PuzzleFinder, PuzzleMaker, PuzzleStep, UnsoundPuzzle
from kemu.engines.certificates import check
from kemu.games import game, manifest

ID_DIGITS: Final = 10
_OFTEN_EMPTY: Final = ("tree", "certificate", "log")

GAMES_PER_BATCH: Final = 20
BATCHES_PER_ROUND: Final = 12
"""Of each round, whatever the number of workers, so that their number changes nothing."""

LONGEST_OPENING: Final = 8
"""Random actions at the start of a game, at most, so that no two games are the same."""

EASIEST_SHARE: Final = Fraction(1, 3)
EASIEST_DEPTH: Final = 2
"""Upper bound of the puzzles that are solved with the second action."""


class UnknownPuzzle(KemuError, code="unknown-puzzle"):
    """No puzzle has this id."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle of a game; its id depends on the position alone, whichever of its symmetries it is."""

    id: str
    key: str  # of the game
    found: FoundPuzzle

    @property
    def game(self) -> AnyGame:
        """The game with the options of the puzzle."""
        return game(self.key, **self.found.options)

    @property
    def seat(self) -> Seat:
        """The seat that is to solve it."""
        if manifest(self.key).hidden:
            return int(self.found.position["seat"])
        turn = self.game.turn(self.game.decode(self.found.position))
        assert turn is not None, "a puzzle begins where somebody is to act"
        return turn

    @property
    def line(self) -> tuple[str, ...]:
        """The actions of the main line, the solver's first."""
        return tuple(text for step in self.found.steps for text in (step.action, *step.replies))


def puzzle_finder(key: str) -> PuzzleFinder:
    """Return the puzzle finder of a game; raises UnknownGame if it has none."""
    maker = capability(game(key), PuzzleMaker)
    if maker is None:
        known = ", ".join(games_with(PuzzleMaker))
        raise UnknownGame(f"There are no puzzles for {key}; games with puzzles are {known}.")
    return maker.puzzles()


def puzzle_games() -> list[str]:
    """Return the keys of the games that come with puzzles."""
    return [key for key in games_with(PuzzleMaker) if puzzle_finder(key).SHIPPED.exists()]


def name_puzzle(key: str, found: FoundPuzzle) -> Puzzle:
    """Return a puzzle with its id."""
    text = f"{key} {puzzle_finder(key).canonical(found)}"
    return Puzzle(hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS], key, found)


@lru_cache(maxsize=8)
def shipped_puzzles(key: str) -> Mapping[str, Puzzle]:
    """Return the puzzles of a game that come with Kemu, by id; raises UnknownGame."""
    path = puzzle_finder(key).SHIPPED
    return {puzzle.id: puzzle for puzzle in read_puzzles(key, path)} if path.exists() else {}


def shipped_puzzle(key: str, puzzle_id: str) -> Puzzle:
    """Return the puzzle of an id; raises UnknownGame or UnknownPuzzle."""
    found = shipped_puzzles(key).get(puzzle_id)
    if found is None:
        raise UnknownPuzzle(f"There is no puzzle {puzzle_id}.")
    return found


def read_puzzles(key: str, path: Path) -> Sequence[Puzzle]:
    """Return the puzzles of a file, one on each line, compressed or not."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8")
    return [read_puzzle(key, json.loads(line)) for line in text.splitlines()]


def write_puzzles(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write puzzles into a file, compressed if its name ends with .gz; the same puzzles give the same bytes."""
    rows = (json.dumps(write_puzzle(each), ensure_ascii=False, separators=(",", ":")) for each in puzzles)
    data = "".join(f"{row}\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data, 9, mtime=0) if path.suffix == ".gz" else data)


def write_puzzle(puzzle: Puzzle) -> Document:
    """Return a puzzle as a short document: options as they differ from the usual ones, refutations by reply."""
    found, usual = puzzle.found, options(game(puzzle.key))
    document: Document = {"id": puzzle.id, **vars(found)}
    document["options"] = {name: value for name, value in found.options.items() if usual[name] != value}
    document["steps"] = [_write_step(step) for step in found.steps]
    return {name: value for name, value in document.items() if value or name not in _OFTEN_EMPTY}


def read_puzzle(key: str, document: Any) -> Puzzle:
    """Return the puzzle of a document that `write_puzzle` wrote."""
    found = {name: value for name, value in document.items() if name != "id"}
    found["options"] = options(game(key, **document["options"]))
    found["steps"] = tuple(_read_step(step) for step in document["steps"])
    found |= {"themes": tuple(document["themes"]), "log": tuple(document.get("log", ()))}
    return Puzzle(document["id"], key, FoundPuzzle(**found))


def _write_step(step: PuzzleStep) -> list[Any]:
    by_reply: dict[str, list[str]] = {}
    for action, reply in step.refutations.items():
        by_reply.setdefault(reply, []).append(action)
    return [step.action, list(step.replies), {reply: " ".join(actions) for reply, actions in by_reply.items()}]


def _read_step(row: Any) -> PuzzleStep:
    action, replies, by_reply = row
    refutations = {wrong: reply for reply, actions in by_reply.items() for wrong in actions.split(" ")}
    return PuzzleStep(action, tuple(replies), refutations)


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
        """Return whether a puzzle is new and there is room for its options, themes and grade; count it if so."""
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
    """Return the puzzles found in the games of a batch, or without games if the finder needs none."""
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
    """Prove every claim of a puzzle again and give the proofs to the verifiers; raises UnsoundPuzzle."""
    puzzle_finder(puzzle.key).check(puzzle.game, puzzle.found, check)
