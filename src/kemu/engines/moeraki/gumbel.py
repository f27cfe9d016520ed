"""The root of PUCT: sequential halving over sampled actions (Danihelka et al., "Policy improvement by planning with
Gumbel", 2022).

Actions are sampled without replacement by adding Gumbel noise to the logarithms of their priors. The budget is split
into equal phases; after each the worse half of the actions is left out, judged by noise, prior and value.
"""

import random
from math import ceil, log, log2
from typing import Final

import numpy as np

from kemu.engines.moeraki.puct import PuctContext, Settings, grow, open_root
from kemu.engines.moeraki.search_tree import OPEN
from kemu.engines.moeraki.tree_root import TreeRoot

CHUNK: Final = 256
"""Evaluations between two looks at the budget."""

SAMPLED: Final = 16
"""So many actions are considered in the first phase."""

NOISE: Final = 0.1
"""How much the noise counts beside the priors: 1 is for learning, less lets the best actions be among those sampled."""

VISITS: Final = 50
SHARPNESS: Final = 1.0
"""How much values count beside priors: SHARPNESS for each visit of the most visited action and VISITS more."""

LEAST_PRIOR: Final = 1e-9
PHASE: Final = 1e9
"""More than any worth of an action."""


class PuctRoot(TreeRoot):
    """A search by PUCT from one state."""

    settings = Settings()
    sampled = SAMPLED

    def deepen_all(self) -> None:
        """Visits ever fewer actions, phase by phase, with proofs by quiet stones in between."""
        workspace = self.workspace
        context = PuctContext(
            workspace.rules, self.tree, workspace.threat_context, workspace.evaluation_context, self.settings
        )
        used = open_root(self.state, context)
        self._draw_noise()
        considered = sorted(self._logits, key=self._worth, reverse=True)[: self.sampled]
        phases = max(1, ceil(log2(max(len(considered), 1))))
        begin = self.spent()
        for phase in range(1, phases + 1):
            self._last_phase.update(dict.fromkeys(considered, phase))
            end = begin + (1 - begin) * phase / phases
            while not self.is_done() and self.spent() < end:
                considered = [child for child in considered or self._logits if self.tree.proof[child] == OPEN]
                if considered:
                    used = grow(self.state, np.array(considered, np.int64), CHUNK, used, context)
            self.rank_candidates(self._place)
            if self.is_done() or self._is_proved():
                return
            considered.sort(key=self._worth, reverse=True)
            considered = considered[: max(2, (len(considered) + 1) // 2)]

    def _draw_noise(self) -> None:
        """Adds the noise of all actions to the logarithms of their priors."""
        source = random.Random(int(self.stream))
        self._logits = {
            child: log(max(float(self.tree.prior[child]), LEAST_PRIOR)) - NOISE * log(-log(source.random() or 0.5))
            for child in self.children().values()
        }
        self._last_phase = dict.fromkeys(self._logits, 0)

    def _place(self, child: int) -> float:
        """What children of the root are sorted by: first by the last phase in which they were visited."""
        return PHASE * self._last_phase[child] + self._worth(child)

    def _worth(self, child: int) -> float:
        """Noise, prior and value of a child of the root together; a value that is not known is that of the root."""
        tree = self.tree
        visits, root_visits = int(tree.visits[child]), int(tree.visits[0])
        most = max(int(tree.visits[each]) for each in self._logits)
        if visits:
            value = float(tree.wins[child]) / visits
        else:
            value = 1 - float(tree.wins[0]) / root_visits if root_visits else 0.5
        return self._logits[child] + (VISITS + most) * SHARPNESS * value

    def _is_proved(self) -> bool:
        """Whether quiet stones win; if the opponent's win after the best action, that one is lost."""
        share = self.proof_share()
        if self.win_by_quiet_stones(share):
            return True
        best = self.candidates[0]
        if self.refute_best(share):
            self.mark_lost(self.children()[best.action])
        return False
