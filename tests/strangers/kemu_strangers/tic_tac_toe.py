"""Tic-tac-toe: rules, text and encoding."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from kemu.core.document import quote, read_object, read_text
from kemu.core.errors import IllegalAction, ParseError
from kemu.core.game import CHANCE, Outcome, Seat

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
INK: dict[str, str] = {}


@dataclass(frozen=True)
class TicTacToe:
    """Three in a row; a state is the text of the nine cells."""

    key: ClassVar[str] = "tic-tac-toe"
    seats: ClassVar[int] = 2

    def initial(self) -> str:
        return "." * 9

    def turn(self, state: str) -> Seat | None:
        return None if self.outcome(state) else (9 - state.count(".")) % 2

    def actions(self, state: str) -> Sequence[int]:
        return () if self.outcome(state) else [cell for cell in range(9) if state[cell] == "."]

    def odds(self, state: str) -> Sequence[tuple[int, Fraction]]:
        return ()

    def apply(self, state: str, action: int) -> str:
        if action not in self.actions(state):
            raise IllegalAction(f"Cell {quote(action)} cannot be taken.")
        return state[:action] + "XO"[self.turn(state) or 0] + state[action + 1 :]

    def outcome(self, state: str) -> Outcome | None:
        for seat, mark in enumerate("XO"):
            if any(all(state[cell] == mark for cell in line) for line in LINES):
                return Outcome((seat,), "row")
        return None if "." in state else Outcome((), "full")

    def view(self, state: str, seat: Seat) -> object:
        return {"position": self.encode(state)}

    def seen(self, state: str, action: int, seat: Seat) -> str:
        return self.format(action)

    def format(self, action: int) -> str:
        return str(action)

    def parse(self, text: str) -> int:
        if text not in tuple("012345678"):
            raise ParseError(f"An action is a cell from 0 to 8, not {quote(text)}.")
        return int(text)

    def encode(self, state: str) -> dict[str, Any]:
        return {"cells": state}

    def decode(self, document: dict[str, Any]) -> str:
        cells = read_text(read_object(document, "A position", ("cells",))["cells"], "'cells'")
        if len(cells) != 9 or set(cells) - set("XO.") or cells.count("X") - cells.count("O") not in (0, 1):
            raise ParseError("'cells' are nine of X, O and a dot.")
        return cells


@dataclass(frozen=True)
class TicTacToeEncoding:
    """A plane for each mark."""

    game: TicTacToe
    most_seats: ClassVar[int] = 2
    shape: ClassVar[tuple[int, ...]] = (2, 3, 3)
    hidden_lines: ClassVar[Sequence[str]] = ()

    def longest(self, first: str) -> int:
        return 9

    def actions(self, seat: Seat) -> Sequence[int]:
        return () if seat == CHANCE else range(9)

    def observation(self, view: Any, seat: Seat) -> bytes:
        cells = view["position"]["cells"]
        return bytes(cell == mark for mark in ("XO" if seat <= 0 else "OX") for cell in cells)


def draw(game: TicTacToe, view: Any) -> str:
    cells = view["position"]["cells"]
    return "\n".join(cells[row : row + 3] for row in (0, 3, 6))


tell = draw


def explain(game: TicTacToe, view: Any, action: int) -> str:
    return f"cell {action}"


def seat_name(game: TicTacToe, seat: Seat) -> str:
    return "XO"[seat]
