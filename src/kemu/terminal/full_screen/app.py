"""The full-screen application: from the start screen to a match, and on to the next."""

import sys
from typing import ClassVar, Final

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType

from kemu.terminal.full_screen.match_screen import MatchScreen
from kemu.terminal.full_screen.match_view import WIDE_COLUMNS
from kemu.terminal.full_screen.start_screen import StartScreen
from kemu.terminal.full_screen.themes import DARK, DARK_INKS, LIGHT, LIGHT_INKS, default_theme
from kemu.terminal.match import TerminalMatch
from kemu.terminal.start import Seating, following_match

BOT_PAUSE_S: Final = 0.5
"""So long a bot takes at least, so that people can follow."""


class KemuApp(App[None]):
    """Plays matches one after the other; begins with the start screen if there is no match."""

    TITLE = "Kemu"
    CSS_PATH = "kemu.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (40, "-narrow"), (WIDE_COLUMNS, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (16, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("t", "switch_theme", "Theme"),
    ]

    def __init__(self, match: TerminalMatch | None, seating: Seating, pause_s: float = BOT_PAUSE_S) -> None:
        super().__init__()
        self.match = match
        self._seating = seating
        self._pause_s = pause_s
        self.ansi_theme_dark = DARK_INKS
        self.ansi_theme_light = LIGHT_INKS
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = default_theme()

    def on_mount(self) -> None:
        """Begin."""
        self._play()

    @work
    async def _play(self) -> None:
        """Matches until somebody leaves."""
        while True:
            self.match = self.match or await self.push_screen_wait(StartScreen(self._seating))
            if self.match is None:
                break
            wanted = await self.push_screen_wait(MatchScreen(self.match, self._pause_s))
            if wanted == "quit":
                break
            self.match = following_match(self.match, self._seating) if wanted == "again" else None
        self.exit()

    def action_switch_theme(self) -> None:
        """Dark to light and back."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name


def play_full_screen(match: TerminalMatch | None, seating: Seating) -> None:
    """Play until somebody leaves, then say where the last match is kept."""
    app = KemuApp(match, seating)
    app.run()
    if app.match:
        over = app.match.table.turn is None
        path = app.match.file.path
        sys.stdout.write(
            f"The record is {path}\n" if over else f"The game is kept. Go on with: kemu play --load {path}\n"
        )
