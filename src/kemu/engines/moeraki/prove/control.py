"""Search control: the counters and limits that a search shares with all its parts.

Compiled code counts in one array, at the places named here. Python reads and sets them through `Control` alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import numpy as np

from kemu.engines.arrays import Numbers
from kemu.engines.compiled import inlined

NODES: Final = 0  # positions that the threat search has looked at
LIMIT: Final = 1  # of these, when the threat search under way gives up
THREAT_LIMIT: Final = 2  # how many it gets for one question
STOP: Final = 3  # not 0 as soon as all must end
TREE_NODES: Final = 4  # positions that the searches around it have looked at
TOTAL_LIMIT: Final = 5  # of both kinds of positions together, when the search under way gives up
GIVEN_UP: Final = 6  # not 0 once the tree search has met its limit
ROOT_DEPTH: Final = 7  # the depth of the round of the tree search
GUESS_LIMIT: Final = 8  # like THREAT_LIMIT where the answer is only a guess
SELECTIVE: Final = 9  # not 0 where the tree search leaves out positions and stones, to go deeper
COUNTERS: Final = 10


@inlined
def is_spent(counters: Numbers) -> bool:
    """Return whether a search must end: it was stopped, or it has looked at as many positions as it may."""
    return counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]


class Control(NamedTuple):
    """The counters and limits of one thread's searches."""

    counters: Numbers

    @property
    def nodes(self) -> int:
        """Positions looked at since `begin`."""
        return int(self.counters[NODES] + self.counters[TREE_NODES])

    @property
    def left(self) -> int:
        """Positions that may still be looked at; negative beyond the limit."""
        return int(self.counters[TOTAL_LIMIT]) - self.nodes

    @property
    def given_up(self) -> bool:
        """Whether the tree search has met its limit or was stopped; its last score means nothing then."""
        return bool(self.counters[GIVEN_UP])

    @property
    def selective(self) -> bool:
        """Whether the tree search leaves out positions and stones."""
        return bool(self.counters[SELECTIVE])

    @property
    def threats_given_up(self) -> bool:
        """Whether the last question of the threat search met its limit."""
        return bool(self.counters[NODES] >= self.counters[LIMIT])

    def begin(self, nodes: int, threats: int = 0, guesses: int = 0, selective: bool = False) -> None:
        """Set everything back, for at most `nodes` positions; `threats` and `guesses` limit each threat search."""
        self.counters[:] = 0
        self.counters[SELECTIVE] = selective
        self.counters[THREAT_LIMIT], self.counters[GUESS_LIMIT] = threats, guesses
        self.counters[TOTAL_LIMIT] = nodes

    def stop(self) -> None:
        """End the searches under way."""
        self.counters[STOP] = 1

    def set_depth(self, depth: int) -> None:
        """Say how deep the next round of the tree search goes."""
        self.counters[ROOT_DEPTH] = depth

    def add_nodes(self, nodes: int) -> None:
        """Add positions that a solver with counters of its own has looked at."""
        self.counters[TREE_NODES] += nodes

    @contextmanager
    def limited(self, nodes: int) -> Iterator[None]:
        """Give the searches inside this many positions more, instead of all that are left."""
        limit = self.counters[TOTAL_LIMIT]
        self.counters[TOTAL_LIMIT] = self.nodes + nodes
        try:
            yield
        finally:
            self.counters[TOTAL_LIMIT] = limit


def new_control() -> Control:
    """Return a control with nothing counted and no position allowed."""
    return Control(np.zeros(COUNTERS, np.int64))
