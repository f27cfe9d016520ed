"""Puzzles of Moeraki-Kemu and their solutions."""
