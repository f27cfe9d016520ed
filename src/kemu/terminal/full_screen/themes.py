"""The colours of the full screen, dark and light, and what the inks of the games become in each."""

import os
from typing import Final

from rich.terminal_theme import TerminalTheme
from textual.theme import Theme

DARK: Final = Theme(
    name="kemu-dark",
    primary="#4fd0a4",
    secondary="#e8c07a",
    accent="#e8c07a",
    warning="#e8c07a",
    error="#ff9b82",
    success="#4fd0a4",
    foreground="#ece6d8",
    background="#0e1517",
    surface="#172124",
    panel="#22302f",
    dark=True,
    variables={
        "footer-key-foreground": "#e8c07a",
        "field": "#24363a",
        "target": "#31534d",
        "soft": "#a9b4ae",
        "line": "#3d5054",
    },
)
LIGHT: Final = Theme(
    name="kemu-light",
    primary="#0b6a50",
    secondary="#8a5a17",
    accent="#8a5a17",
    warning="#8a5a17",
    error="#9c2f17",
    success="#0b6a50",
    foreground="#1b2829",
    background="#f5efe3",
    surface="#fffdf8",
    panel="#ece3d1",
    dark=False,
    variables={
        "footer-key-foreground": "#8a5a17",
        "field": "#e6dac2",
        "target": "#cfe0cf",
        "soft": "#55605d",
        "line": "#c9b994",
    },
)

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
    """The theme for the terminal's own ground, where it tells (COLORFGBG); else the dark one."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT.name if ground in _LIGHT_GROUNDS else DARK.name
