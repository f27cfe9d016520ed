"""What a search is asked and what it answers, the same for every game."""

from dataclasses import dataclass
from typing import Generic

from kemu.core.errors import OptionError
from kemu.core.game import A


@dataclass(frozen=True)
class Budget:
    """How much a search may do: either a number of nodes, which makes it repeatable, or a time in milliseconds."""

    nodes: int | None = None
    ms: int | None = None

    def __post_init__(self) -> None:
        given = [limit for limit in (self.nodes, self.ms) if limit is not None]
        if len(given) != 1 or type(given[0]) is not int or given[0] < 1:
            raise OptionError("A budget is a whole number of nodes or of milliseconds, at least 1, and not both.")


@dataclass(frozen=True)
class Line(Generic[A]):
    """One way to go on: its first action, what that is worth, and how the search expects the game to continue."""

    action: A
    value: float  # for the side to act, from -1, lost, to 1, won
    pv: tuple[A, ...]  # the action itself comes first
    proven: str | None = None  # such as "win in 5": certain, with so many stones of the winner at most


@dataclass(frozen=True)
class Analysis(Generic[A]):
    """What a search found: the best lines, the best one first, and what it spent."""

    lines: tuple[Line[A], ...]
    nodes: int
    ms: int

    @property
    def action(self) -> A:
        return self.lines[0].action

    @property
    def value(self) -> float:
        return self.lines[0].value

    @property
    def proven(self) -> str | None:
        return self.lines[0].proven
