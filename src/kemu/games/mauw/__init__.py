"""MAUW, the card game of Māori warrior cats by Vincent Joassin."""
