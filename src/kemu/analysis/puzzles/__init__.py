"""Puzzles: positions with one right action, how they are made, kept, checked and trained with."""
