"""Plain UCT on the kernel of Moeraki-Kemu, as a bot: the yardstick for the real search."""

import random
from collections.abc import Sequence
from typing import Any, Final

from kemu.core.game import AnyGame
from kemu.engines.analysis import Budget


class Uct:
    """Takes the action that random games through a growing tree visit most; it knows nothing but the rules."""

    name: Final = "uct"

    def __init__(self, game: AnyGame, seed: int | None, budget: Budget) -> None:
        self._game: Any = game
        self._source = random.Random(seed)
        self._budget = budget
        self._tree: Any = None

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """The most visited action; a node of the budget is a playout."""
        if len(actions) == 1:
            return actions[0]
        from kemu.engines.moeraki.uct import Uct as Tree

        if self._tree is None:
            self._tree = Tree(self._game, self._source.getrandbits(62))
        return self._tree.choose(self._game.decode(view["position"]), self._budget)
