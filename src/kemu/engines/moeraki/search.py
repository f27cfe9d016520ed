"""The search of Moeraki-Kemu for states of the reference rules."""

import time

from kemu.engines.analysis import Analysis, Budget
from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.root import Root
from kemu.engines.moeraki.tables import HOLLOW_AT, Words
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.variation import analysis_line
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu


class Searcher:
    """Analyses states of one game; it remembers what it found from one state to the next."""

    def __init__(self, game: MoerakiKemu) -> None:
        self.game = game
        self.workspace = Workspace(kernel_rules(game))

    def search(self, state: State, budget: Budget, lines: int = 1, seed: int = 0, threads: int = 1) -> Analysis[Action]:
        """The best actions of a state, found within a budget; only one thread with nodes repeats exactly."""
        begin = time.perf_counter()
        words = kernel_state(self.game, state)
        assert words[kernel.STEP] != kernel.OVER, "a state that is over has no action to find"
        if words[kernel.STEP] == kernel.PLACE:
            root = _place(self.workspace, words, budget, seed)
        else:
            root = Root(self.workspace, words, lines, seed)
            root.run(budget, threads)
        found = tuple(analysis_line(root, candidate) for candidate in root.candidates[:lines])
        return Analysis(found, root.nodes, round(1000 * (time.perf_counter() - begin)))


def _place(workspace: Workspace, state: Words, budget: Budget, seed: int) -> Root:
    """Searches each way to place the ball that is not the mirror image of another."""
    workspace.place_ball(kernel.NOWHERE)
    root = Root(workspace, state, 1, seed)
    kinds: dict[tuple[int, ...], int] = {}
    share = Budget(budget.nodes and max(budget.nodes // 3, 1), budget.ms and max(budget.ms // 3, 1))
    for candidate in root.candidates:
        point = HOLLOWS[HOLLOW_AT[candidate.action - kernel.BALL]]
        kind = tuple(sorted((abs(point.x), abs(point.y))))
        if kind not in kinds:
            after = Root(workspace, candidate.state, 1, seed)
            after.run(share, 1)
            root.nodes += after.nodes
            kinds[kind] = -after.candidates[0].score
        candidate.score = kinds[kind]
    root.candidates.sort(key=lambda candidate: -candidate.score)
    return root
