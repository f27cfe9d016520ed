"""The options of Moeraki-Kemu."""

from dataclasses import dataclass
from typing import Final

from kemu.core.document import quote
from kemu.core.errors import OptionError
from kemu.core.game import Seat
from kemu.games.moeraki.board import HOLLOWS, MOERAKI

VARIANTS: Final = ("beginner", "basic", "master")
_NINE: Final = tuple(HOLLOWS[hollow].name for hollow in MOERAKI)


@dataclass(frozen=True)
class Options:
    """Which of the three games is played, and how it begins."""

    variant: str = "master"
    starter: Seat = 0  # who places the ball
    moved_from: str | None = None  # where the ball lay in the game before, not to be used again (R2)
    eye: bool = False  # a further early win of the later edition (R7)
    swap: bool = False  # the starter may take over the first stone (R9)
    stay: bool = False  # in a series the ball may lie where it lay in the game before (R2)

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise OptionError(f"variant is 'beginner', 'basic' or 'master', not {quote(self.variant)}.")
        if type(self.starter) is not int or self.starter not in (0, 1):
            raise OptionError(f"starter is seat 0 or 1, not {quote(self.starter)}.")
        if self.moved_from is not None and self.moved_from not in _NINE:
            raise OptionError(f"moved_from is one of {', '.join(_NINE)} or nothing, not {quote(self.moved_from)}.")
        for name in ("eye", "swap", "stay"):
            if type(getattr(self, name)) is not bool:
                raise OptionError(f"{name} is true or false, not {quote(getattr(self, name))}.")
        if self.eye and self.variant == "beginner":
            raise OptionError("eye belongs to the basic and the master's game, not to variant 'beginner'.")
