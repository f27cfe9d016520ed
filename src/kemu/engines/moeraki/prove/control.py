"""Search control: the counters and limits that a search shares with all its parts.

Compiled code counts in one array, at the places named here. Python reads and sets them through `Control` alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from kemu.engines.arrays import Numbers
from kemu.engines.compiled import inlined

NODES, LIMIT, THREAT_LIMIT, GUESS_LIMIT, TREE_NODES, TOTAL_LIMIT = range(6)
STOP, GIVEN_UP, ROOT_DEPTH, SELECTIVE, COUNTERS = range(6, 11)
"""The places, and how many there are.

NODES are positions that the threat search has looked at, LIMIT the number of them at which the one under way gives up,
THREAT_LIMIT how many it gets for one question, GUESS_LIMIT the same where the answer is only a guess. TREE_NODES are
positions that the searches around it have looked at, TOTAL_LIMIT the number of both kinds together at which the search
under way gives up. STOP is not 0 as soon as all must end, GIVEN_UP once the tree search has met its limit, SELECTIVE
where it leaves out positions and stones to go deeper. ROOT_DEPTH is the depth of its round.
"""


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
