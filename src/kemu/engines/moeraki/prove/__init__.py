"""Proofs: threats, lines, endings and defences."""
