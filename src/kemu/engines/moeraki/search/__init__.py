"""The tree search, from one position to its best lines."""

from kemu.core.parts import require

require("engines")
