"""Moeraki-Kemu by Stefan Kiehl (Kiehly, 2011)."""

from kemu.games.moeraki.rules import MoerakiKemu as Rules

TITLE = "Moeraki-Kemu"
SUMMARY = "a tactics game for two by Stefan Kiehl: beaches, rivers, paths and holy ground"

__all__ = ["SUMMARY", "TITLE", "Rules"]
