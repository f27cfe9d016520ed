"""The options under which every registered game must keep the laws; a new game adds its line."""

from typing import Any

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "mu-torere": [
        {},
        {"flank": "opening"},
        {"flank": "never"},
        {"arms": 4},
        {"arms": 16, "flank": "opening"},
        {"repetition": False},
    ],
    "mauw": [{"players": players} for players in range(2, 7)],
}

GAMES = [(key, options) for key, choices in OPTIONS.items() for options in choices]
