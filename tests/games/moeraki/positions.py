"""Positions of Moeraki-Kemu for tests: played out, listed, or drawn."""

from typing import Any, Final, NamedTuple

from kemu.core.document import Document
from kemu.core.record import replay
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

MATAU: Final = 0
MANAIA: Final = 1
BASIC: Final = MoerakiKemu(variant="basic")
BEGINNER: Final = MoerakiKemu(variant="beginner")
MASTER: Final = MoerakiKemu()


def play(game: MoerakiKemu, texts: str) -> State:
    """The state after these actions; with seat 0 as starter the first stone is Manaia's."""
    *_, state = replay(game, texts.split())
    return state


def texts(game: MoerakiKemu, state: State) -> list[str]:
    """The legal actions as texts."""
    return [game.format(action) for action in game.actions(state)]


def document(matau: str = "", manaia: str = "", ball: str | None = "f6", turn: int = MANAIA, **more: Any) -> Document:
    """A position document with the stones listed by name."""
    return {"ball": ball, "stones": [matau.split(), manaia.split()], "tane": [None, None], "turn": turn, **more}


def tane(at: str, looks: str) -> Document:
    """A Tane in a position document."""
    return {"at": at, "looks": looks}


class Drawn(NamedTuple):
    """What a picture shows."""

    ball: str
    matau: str
    manaia: str


def drawn(picture: str) -> Drawn:
    """A picture of all the hollows from the top row down: x Matau, o Manaia, @ the ball, . empty."""
    order = sorted(HOLLOWS, key=lambda point: (-point.y, point.x))
    marks = picture.split()
    assert len(marks) == len(order), "a picture shows each hollow"
    held = {mark: [point.name for point, seen in zip(order, marks, strict=True) if seen == mark] for mark in "@xo"}
    return Drawn(" ".join(held["@"]), " ".join(held["x"]), " ".join(held["o"]))


def drawn_document(picture: str, turn: int, **more: Any) -> Document:
    """The position document of a picture."""
    ball, matau, manaia = drawn(picture)
    return document(matau, manaia, ball, turn, **more)


def tiles(game: MoerakiKemu, state: State) -> dict[str, tuple[int, str]]:
    """The tiles on the board by area: whose, and what each is worth."""
    view: Any = game.view(state, MATAU)
    return {tile["at"]: (tile["tribe"], tile["worth"]) for tile in view["tiles"]}


def barred(game: MoerakiKemu, state: State) -> set[str]:
    """The areas where no tile can lie."""
    view: Any = game.view(state, MATAU)
    return set(view["barred"])
