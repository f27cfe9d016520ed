"""Opponents by name."""

from kemu.bots.engines import solution
from kemu.bots.registry import DEFAULT, bot, bot_elo, bots, default_bot

__all__ = ["DEFAULT", "bot", "bot_elo", "bots", "default_bot", "solution"]
