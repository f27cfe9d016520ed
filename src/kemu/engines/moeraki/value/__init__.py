"""The evaluation of a position and what it was learned from."""

from kemu.core.parts import require

require("engines")
