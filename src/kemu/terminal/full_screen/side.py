"""Beside the board: who plays, with clocks, and the log of actions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from textwrap import wrap

from rich.style import Style
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from kemu.core.game import Seat
from kemu.terminal.screen import colour
from kemu.terminal.words import time_text


@dataclass(frozen=True)
class SeatLine:
    """What is shown of a seat."""

    name: str
    facts: Sequence[str]
    on_turn: bool
    thinking: bool = False
    left_ms: int | None = None  # None: time is not counted


def _lines(seat: SeatLine) -> tuple[Sequence[str], bool]:
    """All of a seat that changes how many lines it takes."""
    return seat.facts, seat.thinking


class PlayersPanel(Widget):
    """One block for each seat: whose turn it is, name, clock, and what the seat has."""

    DEFAULT_CSS = "PlayersPanel { height: auto; }"
    COMPONENT_CLASSES = {"players--turn", "players--soft", "players--short"}  # noqa: RUF012  Textual's word
    SHORT_MS = 30_000

    def __init__(self, inks: Mapping[str, str]) -> None:
        super().__init__()
        self._inks = inks
        self._seats: Sequence[SeatLine] = ()

    def show(self, seats: Sequence[SeatLine]) -> None:
        """Show these seats."""
        layout = [_lines(seat) for seat in seats] != [_lines(seat) for seat in self._seats]
        self._seats = seats
        self.refresh(layout=layout)

    def render(self) -> Text:
        """The blocks under each other; with more than two seats without empty lines between."""
        blocks = [self._block(seat) for seat in self._seats]
        return Text("\n" if len(blocks) > 2 else "\n\n").join(blocks)

    def _block(self, seat: SeatLine) -> Text:
        turn, soft, short = (self._style(name) for name in ("turn", "soft", "short"))
        head = Text.assemble(("▶ " if seat.on_turn else "  ", turn), (seat.name, turn if seat.on_turn else ""))
        if seat.left_ms is not None:
            time = time_text(seat.left_ms)
            head.append(" " * max(1, self.size.width - head.cell_len - len(time)))
            head.append(time, short if seat.left_ms < self.SHORT_MS else turn if seat.on_turn else soft)
        facts = (line for fact in seat.facts for line in wrap(fact, max(1, self.size.width - 2)))
        lines = [head, *(Text(f"  {line}", soft) for line in facts)]
        if seat.thinking:
            lines.append(Text("  is thinking…", turn))
        block = Text("\n").join(lines)
        colour(block, self._inks)
        return block

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"players--{name}", partial=True)


class LogPanel(VerticalScroll, can_focus=True):
    """The actions so far, one line for each actor's actions in a row, the last one in view."""

    def __init__(self) -> None:
        super().__init__(id="log")
        self.border_title = "Log"
        self._lines = Static(id="log-lines")

    def compose(self) -> ComposeResult:
        """Only the lines."""
        yield self._lines

    def show(self, log: Sequence[tuple[Seat, str]], names: Mapping[Seat, str]) -> None:
        """Show a log with the names of those who act."""
        rows, number = Table.grid(padding=(0, 1)), 0
        rows.add_column(justify="right", style="dim")
        rows.add_column(style="dim", no_wrap=True)
        rows.add_column()
        for actor, entries in groupby(log, key=itemgetter(0)):
            actions = [line for _, line in entries]
            number += len(actions)
            rows.add_row(str(number), names[actor], Text(" ".join(actions)))
        self._lines.update(rows)
        self.scroll_end(animate=False)
