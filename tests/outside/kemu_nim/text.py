"""Nim in text."""

from kemu.core.game import Seat
from kemu_nim.rules import Nim, View

INK = {"|": "yellow"}


def draw(game: Nim, view: View) -> str:
    return "|" * view["position"]["sticks"]


def tell(game: Nim, view: View) -> str:
    return f"{view['position']['sticks']} sticks are left."


def explain(game: Nim, view: View, action: int) -> str:
    return f"leaves {view['position']['sticks'] - action}"


def seat_name(game: Nim, seat: Seat) -> str:
    return ("First", "Second")[seat]
