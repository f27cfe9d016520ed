"""Proofs: threats, lines, endings and defences."""

from kemu.core.parts import require

require("engines")
