"""A game with faults in its rules, for the server to survive."""

from tests.server.broken_game.rules import Broken as Rules

TITLE = "Broken"
SUMMARY = "goes wrong when told to"

__all__ = ["SUMMARY", "TITLE", "Rules"]
