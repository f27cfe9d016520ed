"""The full-screen application: its colours, and the way from the start screen to a match and on to the next."""

import os
import sys
from typing import Any, ClassVar, Final

from rich.terminal_theme import TerminalTheme
from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme

from kemu.terminal.full_screen.match_screen import MatchScreen
from kemu.terminal.full_screen.match_view import WIDE_COLUMNS
from kemu.terminal.full_screen.start_screen import StartScreen
from kemu.terminal.match import Seating, TerminalMatch, following_match

BOT_PAUSE_S: Final = 0.5
"""So long a bot takes at least, so that people can follow."""

# The dark and the light theme: the colours of Textual, then those that only `kemu.tcss` names.
COLOURS: Final = {
    "primary": ("#4fd0a4", "#0b6a50"),
    "secondary": ("#e8c07a", "#8a5a17"),
    "error": ("#ff9b82", "#9c2f17"),
    "foreground": ("#ece6d8", "#1b2829"),
    "background": ("#0e1517", "#f5efe3"),
    "surface": ("#172124", "#fffdf8"),
    "panel": ("#22302f", "#ece3d1"),
}
OWN_COLOURS: Final = {
    "field": ("#24363a", "#e6dac2"),
    "target": ("#31534d", "#cfe0cf"),
    "soft": ("#a9b4ae", "#55605d"),
    "line": ("#3d5054", "#c9b994"),
}


def _theme(name: str, number: int) -> Theme:
    """Return the theme of a column; the colours that Textual uses under several names are given once."""
    own: dict[str, str] = {each: pair[number] for each, pair in OWN_COLOURS.items()}
    colours: dict[str, Any] = {each: pair[number] for each, pair in COLOURS.items()}
    gold, green = colours["secondary"], colours["primary"]
    variables = {"footer-key-foreground": gold, **own}
    return Theme(name, accent=gold, warning=gold, success=green, dark=number == 0, variables=variables, **colours)


DARK: Final = _theme("kemu-dark", 0)
LIGHT: Final = _theme("kemu-light", 1)

# In the order of ANSI: black, red, green, yellow, blue, magenta, cyan, white; games name these in their INK.
DARK_INKS: Final = TerminalTheme(
    (14, 21, 23),
    (236, 230, 216),
    [
        *((44, 59, 62), (255, 127, 108), (111, 214, 140), (255, 209, 102)),
        *((122, 170, 255), (222, 160, 255), (110, 220, 235), (236, 230, 216)),
    ],
)
LIGHT_INKS: Final = TerminalTheme(
    (245, 239, 227),
    (27, 40, 41),
    [
        *((27, 40, 41), (184, 44, 26), (22, 112, 54), (146, 88, 0)),
        *((24, 76, 176), (118, 40, 160), (0, 96, 120), (236, 227, 209)),
    ],
)

_LIGHT_GROUNDS: Final = ("7", "15")


def default_theme() -> str:
    """Return the theme for the ground that the terminal names in COLORFGBG, or the dark one."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT.name if ground in _LIGHT_GROUNDS else DARK.name


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
        """Play matches until somebody leaves."""
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
        """Switch between dark and light."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name


def play_full_screen(match: TerminalMatch | None, seating: Seating) -> None:
    """Play until somebody leaves, then say where the last match is kept."""
    app = KemuApp(match, seating)
    app.run()
    if app.match:
        over = app.match.table.turn is None
        kept = "The record is" if over else "The game is kept. Go on with: kemu play --load"
        sys.stdout.write(f"{kept} {app.match.file.path}\n")
