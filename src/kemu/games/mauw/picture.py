"""MAUW as a picture: the zones of all players, the piles, and the cards of the seat that looks."""

from collections.abc import Iterator
from typing import Final

from kemu.core.display import document, tag
from kemu.games.mauw.rules import Mauw, View
from kemu.games.mauw.state import COLOURS, FACES, LETTERS

_WIDTH: Final = 50.0
_HEIGHT: Final = 70.0
_STEP: Final = 8.0
"""How far a card on a column lies below the Mauw under it."""

_COLUMN: Final = 60.0
_ZONE: Final = 145.0
_PANEL: Final = 150.0
_TONES: Final = {"red": "#a8231c", "orange": "#93500a", "green": "#1d6a37", "blue": "#1d4f93"}
_SPIRIT: Final = "#55467a"


def svg(game: Mauw, view: View) -> str:
    """A row for each zone, with the worth of every column; beside them the piles, below the hand."""
    parts = [_zone(seat, view) for seat in range(game.players)]
    rows = game.players
    parts += _piles(view)
    if view["hand"] is not None and view["seat"] is not None:
        cards = [_card(card, 34 + _COLUMN * number, _ZONE * rows + 22) for number, card in enumerate(view["hand"])]
        parts += [_words(f"hand of player {view['seat'] + 1}", 34, _ZONE * rows + 16), *cards]
        rows += 1
    width, height = 44 + _COLUMN * len(LETTERS) + _PANEL, _ZONE * rows
    ground = tag("rect", width=width, height=height, rx=9, fill="#14332f")
    return document("MAUW", (0, 0, width, height), ground, *parts)


def _zone(seat: int, view: View) -> str:
    top = _ZONE * seat
    acts = " ←" if view["to_act"] == seat else ""
    parts = [_words(f"player {seat + 1}: {view['scores'][seat]}{acts}", 34, top + 16)]
    for number, (column, worth) in enumerate(zip(view["zones"][seat], view["worths"][seat], strict=True)):
        left = 34 + _COLUMN * number
        parts.append(tag("rect", x=left, y=top + 24, width=_WIDTH, height=_HEIGHT, rx=5.5, **_PLACE_STYLE))
        parts.append(_words(LETTERS[number], left + _WIDTH / 2 - 4, top + 62))
        lying = ["back"] * column["mauw"] + ([column["top"]] if column["top"] else [])
        parts += [_card(card, left, top + 24 + _STEP * place) for place, card in enumerate(lying)]
        parts += [_words(str(worth), left + 4, top + _ZONE - 10)] if lying else []
    return tag("g", *parts)


_PLACE_STYLE: Final = {"fill": "none", "stroke": "#3c7f6c", "stroke_dasharray": "4 3"}


def _piles(view: View) -> Iterator[str]:
    """How many cards are in the pile, which are discarded, and what is going on inside a turn."""
    left = 44 + _COLUMN * len(LETTERS)
    yield _card("back", left, 24)
    yield _words(f"pile: {view['pile']}", left, 16)
    yield _words("discards", left + 70, 16)
    for row, (card, number) in enumerate(view["discards"].items()):
        yield _words(f"{number} × {card}", left + 70, 34 + 14 * row)
    if view["step"] and "play" in view["step"]:
        yield _words(f"played: {view['step']['play']}", left, 116)


def _card(text: str, x: float, y: float) -> str:
    """A card, a face, or the back, which is a Mauw."""
    back = text == "back"
    value = FACES[text] % 10 if not back and text != "m" else None
    tone = "#ffe1a0" if back else _TONES[COLOURS[value]] if value else _SPIRIT if value == 0 else "#2b231a"
    label = "9 ×2" if back else {None: "?", 0: "0"}.get(value, str(value))
    paper = tag(
        "rect", x=x, y=y, width=_WIDTH, height=_HEIGHT, rx=5.5, fill="#1b3233" if back else "#fffaf0", stroke="#57d3a7"
    )
    parts = [paper, _words(label, x + 6, y + 20, tone, 15)]
    if text.startswith("m"):
        parts.append(_words("Maui", x + 6, y + _HEIGHT - 8, tone, 11))
    return tag("g", *parts)


def _words(text: str, x: float, y: float, ink: str = "#e9f3ee", size: float = 12) -> str:
    return tag("text", text, x=x, y=y, fill=ink, font_size=size, font_family="sans-serif")
