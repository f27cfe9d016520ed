"""MAUW in text: the zones of all players side by side, the own hand, pile and discards."""

from collections.abc import Iterable
from typing import Any, Final

from kemu.core.game import Seat
from kemu.games.mauw.cards import COLOURS, FACES, MAUI, SPIRIT, Face
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import EMPTY, HAND, LETTERS, Column
from kemu.games.mauw.words import column_of, explain, face_name, now
from kemu.games.mauw.zones import worth

__all__ = ["INK", "draw", "explain", "seat_name", "tell"]

SIGNS: Final = {"red": "♥", "orange": "♦", "green": "♣", "blue": "♠"}
"""Each colour has a sign too, for those who see no colours."""

MAUW: Final = "▒"
INK: Final = {"♥": "bold red", "♦": "bold yellow", "♣": "bold green", "♠": "bold blue", MAUW: "magenta", "·": "dim"}
_CELL, _BLOCK, _ABREAST = 6, 26, 3


def draw(game: Mauw, view: Any) -> str:
    """Each zone with its open cards on the Mauw and what the columns are worth."""
    lines = []
    for first in range(0, game.players, _ABREAST):
        blocks = [_zone(view, seat) for seat in range(first, min(first + _ABREAST, game.players))]
        lines += ["".join(f"{part:{_BLOCK}}" for part in row).rstrip() for row in zip(*blocks, strict=True)]
        lines.append("")
    if view["hand"] is not None:
        lines.append(f"Hand      {'  '.join(_sign(FACES[card]) for card in view['hand'])}")
    discards = "  ".join(f"{_sign(FACES[card])}×{number}" for card, number in view["discards"].items())
    lines += [f"Pile      {view['pile']} cards", f"Discards  {discards or 'none'}", now(view)]
    return "\n".join(lines)


def tell(game: Mauw, view: Any) -> str:
    """The same in sentences."""
    lines = []
    if view["hand"] is not None:
        lines.append(f"Your hand: {_listed(view['hand']) or 'no cards'}.")
    for seat in range(game.players):
        you = " (you)" if seat == view["seat"] else ""
        lines.append(f"Player {seat + 1}{you} has {view['scores'][seat]} points and {view['hands'][seat]} cards.")
        columns = [f"{LETTERS[number]} {_told(column_of(view, seat, number))}" for number in range(len(LETTERS))]
        lines.append(f"Player {seat + 1}'s columns: {'; '.join(columns)}.")
    discards = ", ".join(_counted(FACES[card], number) for card, number in view["discards"].items())
    lines += [f"The pile has {view['pile']} cards.", f"The discards: {discards or 'none'}."]
    return "\n".join([*lines, f"{view['turns']} turns were played.", now(view)])


def seat_name(game: Mauw, seat: Seat) -> str:
    """Players are numbered from one."""
    return f"Player {seat + 1}"


def _zone(view: Any, seat: Seat) -> list[str]:
    """One zone as five lines."""
    columns = [column_of(view, seat, number) for number in range(len(LETTERS))]
    mark = "▶" if seat == view["to_act"] else " "
    held = view["hands"][seat]
    more = " you" if seat == view["seat"] else "" if held == HAND else f", {held} cards"
    return [
        f"{mark}Player {seat + 1}: {view['scores'][seat]}{more}",
        _row(LETTERS),
        _row("·" if column == EMPTY else _sign(column.top) for column in columns),
        _row(MAUW * column.mauw for column in columns),
        _row(str(worth(column)) for column in columns),
    ]


def _row(texts: Iterable[str]) -> str:
    return " " + "".join(f"{text:{_CELL}}" for text in texts)


def _sign(face: Face) -> str:
    """A card with the sign of its colour."""
    if face < SPIRIT:
        return ""
    value = face % 10
    name = {SPIRIT: "s", MAUI: "m"}.get(value, str(value)) if face <= MAUI else f"m={value or 's'}"
    return name + (SIGNS[COLOURS[value]] if value in COLOURS else "")


def _told(column: Column) -> str:
    """A column in words."""
    if column == EMPTY:
        return "is empty"
    mauw = f"{column.mauw} Mauw" if column.mauw else ""
    if column.top < SPIRIT:
        return f"has {mauw}, worth {worth(column)}"
    return f"has {face_name(column.top)}{f' on {mauw}' if mauw else ''}, worth {worth(column)}"


def _counted(face: Face, number: int) -> str:
    return f"{number} {'card' if number == 1 else 'cards'} {face_name(face)}"


def _listed(cards: list[str]) -> str:
    return ", ".join(face_name(FACES[card]) for card in cards)
