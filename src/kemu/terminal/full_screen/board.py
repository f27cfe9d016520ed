"""The board: a drawing with places that keys and mouse point at, and what was pointed at so far."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from kemu.core.display import Board, Place
from kemu.terminal.screen import colour

NOTHING: Final = Board((), {})
_STEPS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
LOUD: Final = ("board--chosen", "board--won")
"""The marks that go over the inks of the game."""

_ROW_COLUMNS: Final = 2
"""The height of a row in widths of a column."""


@dataclass(frozen=True)
class Selection:
    """The places that were pointed at one after the other, among the paths of the legal actions."""

    paths: Mapping[Any, tuple[str, ...]]
    """The path of each legal action; empty while nobody here is to act."""
    chosen: tuple[str, ...] = ()

    @property
    def targets(self) -> frozenset[str]:
        """The places that can be pointed at next."""
        return self._next(self.chosen)

    @property
    def listed(self) -> list[Any]:
        """The actions that no further place tells apart, to be picked from a list."""
        return [action for action, path in self.paths.items() if path == self.chosen]

    @property
    def decided(self) -> Any | None:
        """The action that was pointed at to the end, if it is only one."""
        listed = self.listed
        return listed[0] if self.chosen and len(listed) == 1 and not self.targets else None

    def pick(self, place: str) -> "Selection | None":
        """Return it with one more place, begun anew there, or without the last one; None if the place leads nowhere."""
        if place in self.targets:
            return replace(self, chosen=(*self.chosen, place))
        if self.chosen and place == self.chosen[-1]:
            return replace(self, chosen=self.chosen[:-1])
        return replace(self, chosen=(place,)) if place in self._next(()) else None

    def through(self, place: str) -> list[Any]:
        """Return the actions that are left if this place is picked."""
        picked = self.pick(place)
        chosen = picked.chosen if picked else None
        return [action for action, path in self.paths.items() if chosen and path[: len(chosen)] == chosen]

    def _next(self, chosen: tuple[str, ...]) -> frozenset[str]:
        length = len(chosen)
        return frozenset(path[length] for path in self.paths.values() if len(path) > length and path[:length] == chosen)


class BoardWidget(Widget, can_focus=True):
    """Shows a board with a cursor and reports which place is picked."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"step('{key}')", show=False) for key in _STEPS),
        Binding("enter,space", "pick", "Choose", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"board--{part}" for part in ("field", "target", "chosen", "hint", "won", "cursor")
    }

    cursor: reactive[str | None] = reactive(None)

    @dataclass
    class Picked(Message):
        """A place was clicked, or chosen by the keyboard."""

        place: str

    def __init__(self, inks: Mapping[str, str]) -> None:
        super().__init__()
        self._inks = inks
        self._board = NOTHING
        self._marks: dict[str, str] = {}

    def show(self, board: Board, targets: Collection[str], marks: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Draw a board; the cursor goes to the nearest of the targets, which can be picked.

        `marks` are component classes and the places that have them, later ones over earlier ones.
        """
        self._board = board
        marked = (("board--target", targets), *marks)
        self._marks = {place: name for name, places in marked for place in places if place in board.places}
        self._move_cursor([place for place in board.places if place in targets])
        self.styles.width = self.width
        self.styles.height = len(board.lines)
        self.refresh()

    def _move_cursor(self, targets: list[str]) -> None:
        places = self._board.places
        known = self.cursor if self.cursor in places else None
        if known is None or (targets and known not in targets):
            middle = Place(len(self._board.lines) // 2, self.width // 2, 1)
            self.cursor = nearest(places, targets or list(places), places[known] if known else middle)

    def render(self) -> Text:
        """Draw the lines on the grounds of their places, in the inks of the game, then the marks that go over them."""
        text = Text("\n".join(line.ljust(self.width) for line in self._board.lines), no_wrap=True)
        for name, place in self._board.places.items():
            if place.field:
                self._stylize(text, place, "board--field")
            if name in self._marks:
                self._stylize(text, place, self._marks[name])
        colour(text, self._inks)
        for name, mark in self._marks.items():
            if mark in LOUD:
                self._stylize(text, self._board.places[name], mark)
        if self.cursor and self.has_focus:
            self._stylize(text, self._board.places[self.cursor], "board--cursor")
        return text

    def _stylize(self, text: Text, place: Place, component: str) -> None:
        style = self.get_component_rich_style(component, partial=True)
        for row in range(place.row, place.row + place.height):
            start = row * (self.width + 1) + place.column
            text.stylize(style, start, start + place.width)

    @property
    def width(self) -> int:
        """The columns of the drawing and its places."""
        ends = (place.column + place.width for place in self._board.places.values())
        return max((*map(len, self._board.lines), *ends), default=0)

    def place_at(self, column: int, row: int) -> str | None:
        """Return the place that covers this character."""
        places = self._board.places
        return next((name for name, place in places.items() if _region(place).contains(column, row)), None)

    def on_click(self, event: events.Click) -> None:
        """Pick the place under the mouse."""
        place = self.place_at(event.x, event.y)
        if place:
            self.cursor = place
            self.post_message(self.Picked(place))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Let the cursor follow the mouse."""
        self.cursor = self.place_at(event.x, event.y) or self.cursor

    def action_pick(self) -> None:
        """Pick the place under the cursor."""
        if self.cursor:
            self.post_message(self.Picked(self.cursor))

    def action_step(self, key: str) -> None:
        """Move the cursor to the nearest place in a direction, and scroll so that it is in view."""
        if self.cursor:
            self.cursor = neighbour(self._board.places, self.cursor, key) or self.cursor
            region = _region(self._board.places[self.cursor]).translate(self.virtual_region.offset)
            if isinstance(self.parent, Widget):
                self.parent.scroll_to_region(region, animate=False)


def neighbour(places: Mapping[str, Place], start: str, key: str) -> str | None:
    """Return the nearest place in the direction of an arrow key; what lies aside counts twice."""
    down, right = _STEPS[key]
    row, column = _centre(places[start])
    found: list[tuple[float, str]] = []
    for name, place in places.items():
        rows, columns = _centre(place)[0] - row, _centre(place)[1] - column
        ahead, aside = (rows * down, abs(columns)) if down else (columns * right, abs(rows))
        if ahead > 0 and aside <= 3 * ahead:
            found.append((ahead + 2 * aside, name))
    return min(found, default=(0.0, None))[1]


def _centre(place: Place) -> tuple[float, float]:
    """Return the middle of a place in widths of a column, rows first."""
    return _ROW_COLUMNS * (place.row + place.height / 2), place.column + place.width / 2


def _region(place: Place) -> Region:
    return Region(place.column, place.row, place.width, place.height)


def nearest(places: Mapping[str, Place], names: Iterable[str], to: Place) -> str | None:
    """Return the place of these names that is nearest to another, `None` without names."""
    row, column = _centre(to)

    def distance(name: str) -> float:
        rows, columns = _centre(places[name])
        return (rows - row) ** 2 + (columns - column) ** 2

    return min(names, key=distance, default=None)
