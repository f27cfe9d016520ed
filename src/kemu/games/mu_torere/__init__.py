"""Mū tōrere, the Māori star game."""
