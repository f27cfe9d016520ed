"""The evaluation of a position and what it was learned from."""
