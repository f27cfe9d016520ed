"""Certificates of what is proved."""

from kemu.core.parts import require

require("engines")
