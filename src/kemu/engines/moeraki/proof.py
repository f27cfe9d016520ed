"""Writes out the proof of a win in the form that `verifier` checks."""

from typing import Final

import numpy as np

from kemu.core.document import Document
from kemu.core.game import options
from kemu.engines.analysis import Budget
from kemu.engines.moeraki import kernel, threats
from kemu.engines.moeraki.root import LAST_HOLLOWS, UNLIMITED, Root
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.tables import HOLLOWS as ALL
from kemu.engines.moeraki.tables import Words
from kemu.engines.moeraki.translation import kernel_state, rules_action
from kemu.engines.moeraki.transposition import PROVEN
from kemu.games.moeraki.actions import format_action
from kemu.games.moeraki.position import State

NODES: Final = 3_000_000
"""What the writer may spend to find one stone of the winner again."""

LARGEST: Final = 20_000
"""Nodes of the largest proof of an ending that is written out."""


def write_proof(searcher: Searcher, state: State) -> Document | None:
    """The proof that the side to move wins, None if no search finds one or it would be too large."""
    words = kernel_state(searcher.game, state)
    if words[kernel.STEP] != kernel.LAY:
        return None
    root = Root(searcher.workspace, words, 1, 0)
    tree = _Writer(root).node_or_none() or _Ending(root).node_or_none()
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
            return {"lay": _text(wins[0])}
        stone = self.stone(own, other)
        laid = own | np.uint64(1 << stone)
        holes = _cells(threats.winning(laid, self.workspace.lines) & empty & ~np.uint64(1 << stone))
        if holes:
            answer = {"lay": _text(holes[1])} if len(holes) > 1 else self.node(laid, other | np.uint64(1 << holes[0]))
            return {"lay": _text(stone), "then": {_text(holes[0]): answer}, "else": {"lay": _text(holes[0])}}
        if self.workspace.attack(laid, other) is None:
            return {"lay": _text(stone), "then": self.replies(laid, other, empty & ~np.uint64(1 << stone))}
        replies = self.replies(laid, other, self.workspace.answers(laid, other))
        return {"lay": _text(stone), "then": replies, "else": self.node(laid, other)}

    def replies(self, own: np.uint64, other: np.uint64, answers: np.uint64) -> Document:
        """The winner's reply to each of some answers."""
        return {_text(cell): self.node(own, other | np.uint64(1 << cell)) for cell in _cells(answers)}

    def stone(self, own: np.uint64, other: np.uint64) -> int:
        """A stone that wins: by threats, by quiet stones that threaten, or by what the whole search finds."""
        if (found := self.workspace.attack(own, other)) is not None:
            return found[0]
        proof = self.workspace.prove(own, other, NODES)
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


class _Ending:
    """Writes the tree of an ending that the solver decides, down to full boards; states are the kernel's."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.written = 0
        root.workspace.begin(NODES)

    def node_or_none(self) -> Document | None:
        if self.root.left > max(LAST_HOLLOWS):
            return None
        try:
            return self.node(self.root.state)
        except _Unproven:
            return None

    def node(self, state: Words) -> Document:
        """What the winner does until it is the loser's turn, and his reply to every answer."""
        self.written += 1
        if self.written > LARGEST:
            raise _Unproven
        node: Document = {}
        for field in ("before", "lay", "after"):
            if self.acts(state) and (state[kernel.STEP] == kernel.LAY) == (field == "lay"):
                action = self.winning(state)
                state = self.root.after(state, action)
                if action != kernel.KEEP:
                    node[field] = _text(action)
        if replies := self.replies(state, ()):
            node["then"] = replies
        return node

    def replies(self, state: Words, answer: tuple[str, ...]) -> Document:
        """The nodes for all that the loser can do from a state in which he has done this."""
        if state[kernel.STEP] == kernel.OVER:
            return {}
        if self.acts(state):
            return {" ".join(answer): self.node(state)}
        replies: Document = {}
        for action in self.root.legal(state):
            texts = answer if action == kernel.KEEP else (*answer, _text(action))
            replies |= self.replies(self.root.after(state, action), texts)
        return replies

    def acts(self, state: Words) -> bool:
        """Whether it is the winner's turn."""
        return bool(state[kernel.STEP] != kernel.OVER and state[kernel.TURN] == self.root.seat)

    def winning(self, state: Words) -> int:
        """The first action of the winner that the solver finds to win."""
        for action in self.root.legal(state):
            after = self.root.after(state, action)
            value = self.root.workspace.solve(after)
            if value == (1 if after[kernel.TURN] == self.root.seat else -1):
                return action
        raise _Unproven


def _cells(board: np.uint64) -> list[int]:
    return [bit for bit in range(64) if int(board) >> bit & 1]


def _text(action: int) -> str:
    return format_action(rules_action(action))
