"""Plain UCT on the kernel of Moeraki-Kemu, as a bot: the yardstick for the real search."""

import random
import time
from collections.abc import Sequence
from typing import Any, Final

from kemu.core.game import AnyGame
from kemu.engines.analysis import Budget

_ROUND: Final = 2000
"""So many playouts lie between two looks at the clock."""

_MOST_NODES: Final = 1 << 21


class Uct:
    """Takes the action that random games through a growing tree visit most; it knows nothing but the rules."""

    name: Final = "uct"

    def __init__(self, game: AnyGame, seed: int | None, budget: Budget) -> None:
        self._game: Any = game
        self._source = random.Random(seed)
        self._budget = budget

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """The most visited action; a node of the budget is a playout."""
        if len(actions) == 1:
            return actions[0]
        import numpy as np

        from kemu.engines.moeraki import kernel, uct
        from kemu.engines.moeraki.tables import LINES
        from kemu.engines.moeraki.translation import kernel_rules, kernel_state, rules_action

        begin = time.perf_counter()
        rules, state = kernel_rules(self._game), kernel_state(self._game, self._game.decode(view["position"]))
        tree, wins = np.empty((4, _MOST_NODES), np.int64), np.empty(_MOST_NODES)
        tree[:, 0], wins[0] = (uct.NONE, uct.NONE, 0, 0), 0.0
        lines = LINES[int(rules[kernel.EYE_OPTION])]
        used, done, stream = 1, 0, np.uint64(self._source.getrandbits(63))
        while rest := self._rest(done, begin):
            used, stream = uct.grow(state, rules, lines, tree, wins, rest, used, stream)
            used, stream, done = int(used), np.uint64(stream), done + rest
        children = [int(tree[0, 0])]
        while (following := int(tree[1, children[-1]])) != uct.NONE:
            children.append(following)
        return rules_action(int(tree[2, max(children, key=lambda child: int(tree[3, child]))]))

    def _rest(self, done: int, begin: float) -> int:
        """How many playouts come next."""
        if self._budget.nodes:
            return min(_ROUND, self._budget.nodes - done)
        assert self._budget.ms, "a budget is nodes or time"
        return _ROUND if 1000 * (time.perf_counter() - begin) < self._budget.ms else 0
