"""Mū tōrere, the Māori star game."""

from kemu.games.mu_torere.rules import MuTorere as Rules

TITLE = "Mū tōrere"
SUMMARY = "the Māori star game for two: block the other's men"

__all__ = ["SUMMARY", "TITLE", "Rules"]
