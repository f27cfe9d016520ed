"""MAUW, the card game of Māori warrior cats by Vincent Joassin."""

from kemu.games.mauw.rules import Mauw as Rules

TITLE = "MAUW"
SUMMARY = "a card game for two to six by Vincent Joassin: warrior cats and their nine lives"

__all__ = ["SUMMARY", "TITLE", "Rules"]
