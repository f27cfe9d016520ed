"""Learning from games of the search against itself."""

from kemu.core.parts import require

require("engines")
