"""The tree search, from one position to its best lines."""
