"""Opponents by name."""

from kemu.bots.registry import DEFAULT, bot, bot_elo, bots, default_bot, solution

__all__ = ["DEFAULT", "bot", "bot_elo", "bots", "default_bot", "solution"]
