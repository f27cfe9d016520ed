"""The full-screen application driven by Textual's pilot, and its pictures."""

import os
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from typing import Final, TypeAlias

from textual import events
from textual.pilot import Pilot
from textual.widgets import Label

import kemu
from kemu.terminal.full_screen.app import KemuApp
from kemu.terminal.full_screen.board import BoardWidget
from kemu.terminal.match import Seating, TerminalMatch, new_match

MESSAGES_IN_A_ROW: Final = 25
"""No message of the application causes longer chains."""

QUIET_ROUNDS: Final = 8
"""How often in a row no widget has a message to handle before all are taken to be handled."""

CHARACTER_WIDTH: Final = 12.2
TEXTS: Final = re.compile(r'<text class="[^"]*" x="([^"]*)" y="([^"]*)"[^>]*>([^<]*)</text>')

AppPilot: TypeAlias = Pilot[None]

WRITE: Final = "KEMU_WRITE_PICTURES"
"""Set this variable to write the pictures anew instead of comparing them, and look at each of them."""


def match_of(key: str, *names: str, seating: Seating | None = None, **options: object) -> TerminalMatch:
    """A new match in the data folder of the test, with the same cards and bots every time."""
    return new_match(kemu.game(key, **options), seating or Seating(names, seed=1))


@asynccontextmanager
async def screen_of(
    match: TerminalMatch | None, size: tuple[int, int] = (80, 24), seating: Seating | None = None
) -> AsyncIterator[AppPilot]:
    """The application on a screen of so many columns and lines, with bots that take no longer than they must."""
    app = KemuApp(match, seating or Seating(seed=1), pause_s=0)
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        yield pilot


async def settle(pilot: AppPilot) -> None:
    """Wait until all messages are handled and no bot is thinking."""
    await _handle_messages(pilot)
    while thinking := [worker for worker in pilot.app.workers if worker.group in ("bot", "hint")]:
        await pilot.app.workers.wait_for_complete(thinking)
        await _handle_messages(pilot)


async def _handle_messages(pilot: AppPilot) -> None:
    # A message may cause others, from a widget up to its screen and on to the next screen. Textual's own `press` waits
    # for the processor to be idle instead, which takes a second on a busy machine.
    quiet, app = 0, pilot.app
    for _ in range(MESSAGES_IN_A_ROW):
        await pilot.pause(0)
        pumps = (app, *app.screen_stack, *app.screen.walk_children())
        quiet = 0 if any(pump.message_queue_size for pump in pumps) else quiet + 1
        if quiet == QUIET_ROUNDS:
            return


async def press(pilot: AppPilot, *keys: str) -> None:
    """Press keys one after the other, each when the one before has had its effect."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await settle(pilot)


async def point(pilot: AppPilot, *places: str) -> None:
    """Choose places of the board by the keyboard, one after the other."""
    for place in places:
        board = pilot.app.screen.query_one(BoardWidget)
        board.focus()
        board.cursor = place
        await press(pilot, "enter")


async def click(pilot: AppPilot, place: str) -> None:
    """Click a place of the board."""
    board = pilot.app.screen.query_one(BoardWidget)
    column, row = next(
        (column, row)
        for row in range(board.size.height)
        for column in range(board.size.width)
        if board.place_at(column, row) == place
    )
    await pilot.click(board, offset=(column, row))
    await settle(pilot)


def now_playing(pilot: AppPilot) -> TerminalMatch:
    """The match on the screen."""
    app = pilot.app
    assert isinstance(app, KemuApp)
    assert app.match is not None
    return app.match


def actions(pilot: AppPilot) -> Sequence[str]:
    """The texts of the actions so far."""
    return now_playing(pilot).table.record().actions


def label(pilot: AppPilot, name: str) -> str:
    """The text of a label of the screen."""
    return str(pilot.app.screen.query_one(f"#{name}", Label).content)


def text_of(pilot: AppPilot) -> str:
    """All that can be read on the screen."""
    rows: dict[str, str] = {}
    for left, row, text in TEXTS.findall(pilot.app.export_screenshot()):
        column = round(float(left) / CHARACTER_WIDTH)
        rows[row] = f"{rows.get(row, ''):{column}}{unescape(text)}"
    return "\n".join(rows.values()).replace("\xa0", " ")


def compare_picture(pilot: AppPilot, file: Path) -> None:
    """Compare the screen with the picture in a file, or write it if that is asked for."""
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", pilot.app.export_screenshot(), flags=re.DOTALL)
    drawn = drawn.replace("Fira Code, monospace", "monospace")
    if os.environ.get(WRITE):
        file.write_text(drawn, encoding="utf-8")
    assert drawn == file.read_text(encoding="utf-8"), f"{file.name} is another; see {WRITE} in {__name__}"
