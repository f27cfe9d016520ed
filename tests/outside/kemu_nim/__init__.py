"""Nim for Kemu."""
