"""What was pointed at so far, and which actions are left."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Selection:
    """The places that were pointed at one after the other, among the paths of the legal actions."""

    paths: Mapping[Any, tuple[str, ...]]
    """The path of each legal action; empty while nobody here is to act."""
    chosen: tuple[str, ...] = ()

    @property
    def targets(self) -> frozenset[str]:
        """The places that can be pointed at next."""
        return self._next(self.chosen)

    @property
    def listed(self) -> list[Any]:
        """The actions that no further place tells apart, to be picked from a list."""
        return [action for action, path in self.paths.items() if path == self.chosen]

    @property
    def decided(self) -> Any | None:
        """The action that was pointed at to the end, if it is only one."""
        listed = self.listed
        return listed[0] if self.chosen and len(listed) == 1 and not self.targets else None

    def pick(self, place: str) -> "Selection | None":
        """With one more place, or begun anew at it, or without the last one if that is it; None if it leads nowhere."""
        if place in self.targets:
            return replace(self, chosen=(*self.chosen, place))
        if self.chosen and place == self.chosen[-1]:
            return replace(self, chosen=self.chosen[:-1])
        return replace(self, chosen=(place,)) if place in self._next(()) else None

    def through(self, place: str) -> list[Any]:
        """The actions that are left if this place is picked."""
        picked = self.pick(place)
        chosen = picked.chosen if picked else None
        return [action for action, path in self.paths.items() if chosen and path[: len(chosen)] == chosen]

    def _next(self, chosen: tuple[str, ...]) -> frozenset[str]:
        length = len(chosen)
        return frozenset(path[length] for path in self.paths.values() if len(path) > length and path[:length] == chosen)
