"""Opponents by name."""

from kemu.bots.registry import DEFAULT, bot, bots, default_bot, solution

__all__ = ["DEFAULT", "bot", "bots", "default_bot", "solution"]
