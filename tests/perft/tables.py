"""Tables of counts: the format of .perft files."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kemu.core.document import Document
from kemu.core.errors import ParseError
from kemu.core.game import AnyGame


@dataclass(frozen=True)
class CountedPosition:
    """One position of a perft table: its counts by depth, and what they guard."""

    name: str
    guards: str
    options: Document
    position: Document | None
    counts: tuple[tuple[int, int], ...]

    def state(self, game: AnyGame) -> Any:
        """The position to count from."""
        return game.initial() if self.position is None else game.decode(self.position)


def read_table(text: str) -> Iterator[CountedPosition]:
    """The entries of a .perft file: blocks of `word value` lines, `perft DEPTH COUNT` for each count."""
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            yield _read_position(lines)


def _read_position(lines: list[str]) -> CountedPosition:
    words: dict[str, str] = {}
    counts: list[tuple[int, int]] = []
    for line in lines:
        word, _, value = line.partition(" ")
        if word == "perft":
            depth, count = value.split()
            counts.append((int(depth), int(count)))
        elif word in ("id", "guards", "options", "position"):
            words[word] = value
        else:
            raise ParseError(f"A perft table has no line '{word}'.")
    position = words.get("position")
    return CountedPosition(
        name=words["id"],
        guards=words["guards"],
        options=json.loads(words.get("options", "{}")),
        position=None if position is None else json.loads(position),
        counts=tuple(counts),
    )
