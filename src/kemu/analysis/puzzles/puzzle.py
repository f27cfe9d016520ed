"""A puzzle and its compact form, and the puzzles that come with Kemu."""

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from kemu.bots.engines import capability, games_with
from kemu.core.document import Document
from kemu.core.errors import KemuError, UnknownGame
from kemu.core.game import AnyGame, Seat, options
from kemu.engines.capabilities import FoundPuzzle, PuzzleFinder, PuzzleMaker, PuzzleStep
from kemu.games import game, manifest

ID_DIGITS: Final = 10
_OFTEN_EMPTY: Final = ("tree", "certificate", "log")


class UnknownPuzzle(KemuError):
    """No puzzle has this id."""

    code = "unknown-puzzle"


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
    """What finds puzzles of a game; raises UnknownGame if there are none for it."""
    maker = capability(game(key), PuzzleMaker)
    if maker is None:
        raise UnknownGame(
            f"There are no puzzles for {key}; games with puzzles are {', '.join(games_with(PuzzleMaker))}."
        )
    return maker.puzzles()


def puzzle_games() -> list[str]:
    """The keys of the games that come with puzzles."""
    return [key for key in games_with(PuzzleMaker) if puzzle_finder(key).SHIPPED.exists()]


def name_puzzle(key: str, found: FoundPuzzle) -> Puzzle:
    """A puzzle with its id."""
    text = f"{key} {puzzle_finder(key).canonical(found)}"
    return Puzzle(hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS], key, found)


@lru_cache(maxsize=8)
def shipped_puzzles(key: str) -> Mapping[str, Puzzle]:
    """The puzzles of a game that come with Kemu, by id; raises UnknownGame."""
    path = puzzle_finder(key).SHIPPED
    return {puzzle.id: puzzle for puzzle in read_puzzles(key, path)} if path.exists() else {}


def shipped_puzzle(key: str, puzzle_id: str) -> Puzzle:
    """The puzzle of an id; raises UnknownGame or UnknownPuzzle."""
    found = shipped_puzzles(key).get(puzzle_id)
    if found is None:
        raise UnknownPuzzle(f"There is no puzzle {puzzle_id}.")
    return found


def read_puzzles(key: str, path: Path) -> Sequence[Puzzle]:
    """The puzzles of a file, one on each line, compressed or not."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8")
    return [read_puzzle(key, json.loads(line)) for line in text.splitlines()]


def write_puzzles(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Writes puzzles into a file, compressed if its name ends with .gz; the same puzzles give the same bytes."""
    rows = (json.dumps(write_puzzle(each), ensure_ascii=False, separators=(",", ":")) for each in puzzles)
    data = "".join(f"{row}\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data, 9, mtime=0) if path.suffix == ".gz" else data)


def write_puzzle(puzzle: Puzzle) -> Document:
    """A puzzle as a document of few letters: options as they differ from the usual ones, refutations by reply."""
    found, usual = puzzle.found, options(game(puzzle.key))
    document: Document = {"id": puzzle.id, **vars(found)}
    document["options"] = {name: value for name, value in found.options.items() if usual[name] != value}
    document["steps"] = [_write_step(step) for step in found.steps]
    return {name: value for name, value in document.items() if value or name not in _OFTEN_EMPTY}


def read_puzzle(key: str, document: Any) -> Puzzle:
    """The puzzle of a document that `write_puzzle` wrote."""
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
