"""Writes out the proof of a win in the form that `verifier` checks."""

from typing import Final

import numpy as np

from kemu.core.document import Document
from kemu.core.game import options
from kemu.engines.analysis import Budget
from kemu.engines.moeraki import kernel, threats
from kemu.engines.moeraki.alphabeta import PROVEN
from kemu.engines.moeraki.root import UNLIMITED, Root
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.tables import HOLLOW_AT
from kemu.engines.moeraki.tables import HOLLOWS as ALL
from kemu.engines.moeraki.translation import kernel_state
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State

NODES: Final = 3_000_000
"""What the writer may spend to find one stone of the winner again."""


def write_proof(searcher: Searcher, state: State) -> Document | None:
    """The proof that the side to move wins early, None if no search finds one."""
    words = kernel_state(searcher.game, state)
    if words[kernel.STEP] != kernel.LAY:
        return None
    tree = _Writer(Root(searcher.workspace, words, 1, 0)).node_or_none()
    if tree is None:
        return None
    game = searcher.game
    return {"game": game.key, "options": options(game), "position": game.encode(state), "tree": tree}


class _Unproven(Exception):
    """A win that the searches claimed before cannot be found again."""


class _Writer:
    """Writes the tree below a root; boards are the winner's stones and the loser's, from the winner's turn on."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.workspace = root.workspace
        self.workspace.begin(UNLIMITED)

    def node_or_none(self) -> Document | None:
        try:
            return self.node(self.root.own, self.root.other)
        except _Unproven:
            return None

    def node(self, own: np.uint64, other: np.uint64) -> Document:
        """The winner's stone and his reply to every answer."""
        empty = ~(own | other | self.workspace.ball) & ALL
        if wins := _cells(threats.winning(own, self.workspace.lines) & empty):
            return {"lay": _name(wins[0])}
        stone = self.stone(own, other)
        laid = own | np.uint64(1 << stone)
        holes = _cells(threats.winning(laid, self.workspace.lines) & empty & ~np.uint64(1 << stone))
        if holes:
            answer = {"lay": _name(holes[1])} if len(holes) > 1 else self.node(laid, other | np.uint64(1 << holes[0]))
            return {"lay": _name(stone), "then": {_name(holes[0]): answer}, "else": {"lay": _name(holes[0])}}
        if self.workspace.attack(laid, other) is None:
            return {"lay": _name(stone), "then": self.replies(laid, other, empty & ~np.uint64(1 << stone))}
        replies = self.replies(laid, other, self.workspace.answers(laid, other))
        return {"lay": _name(stone), "then": replies, "else": self.node(laid, other)}

    def replies(self, own: np.uint64, other: np.uint64, answers: np.uint64) -> Document:
        """The winner's reply to each of some answers."""
        return {_name(cell): self.node(own, other | np.uint64(1 << cell)) for cell in _cells(answers)}

    def stone(self, own: np.uint64, other: np.uint64) -> int:
        """A stone that wins: by threats, by quiet stones that threaten, or by what the whole search finds."""
        if (found := self.workspace.attack(own, other)) is not None:
            return found[0]
        proof = self.workspace.prove(own, other, True, NODES)
        if proof.found:
            return proof.stone
        state = self.root.state.copy()
        state[self.root.seat], state[1 - self.root.seat] = own, other
        deeper = Root(self.workspace, state, 1, 0)
        deeper.run(Budget(nodes=NODES), 1)
        self.workspace.begin(UNLIMITED)
        if deeper.candidates[0].score <= PROVEN:
            raise _Unproven
        return deeper.candidates[0].action


def _cells(board: np.uint64) -> list[int]:
    return [bit for bit in range(64) if int(board) >> bit & 1]


def _name(bit: int) -> str:
    return HOLLOWS[HOLLOW_AT[bit]].name
