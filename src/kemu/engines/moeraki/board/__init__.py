"""The rules of Moeraki-Kemu on 64-bit boards."""

from kemu.core.parts import require

require("engines")
