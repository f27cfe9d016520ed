"""Writes out proofs: certificates of lines, see docs/certificates.md, and trees of wins, see `win_checker`."""

from collections import Counter
from contextlib import suppress
from typing import Final, Literal

import numpy as np

from kemu.core.document import Document
from kemu.core.game import options
from kemu.engines.analysis import Budget
from kemu.engines.arrays import Words
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.kernel import empty_hollows, winning
from kemu.engines.moeraki.board.tables import HOLLOW_BIT, NAMES, bits
from kemu.engines.moeraki.board.translation import kernel_state, rules_action
from kemu.engines.moeraki.prove.lines import ALL, FIRST_NODES, Board, LineProver, Result
from kemu.engines.moeraki.search.alphabeta import PROVEN
from kemu.engines.moeraki.search.root import LAST_HOLLOWS, UNLIMITED, Root
from kemu.engines.moeraki.search.searcher import Searcher
from kemu.games.moeraki.actions import format_action
from kemu.games.moeraki.position import State
from kemu.games.moeraki.symmetry import MAPS

Claim = Literal["hold", "win"]

SEARCH_NODES: Final = 3_000_000
"""Nodes that a writer may spend to find one stone of the side that proves again."""


SYMMETRIES: Final = tuple(
    {HOLLOW_BIT[hollow]: HOLLOW_BIT[image] for hollow, image in enumerate(each.hollows)} for each in MAPS
)
"""Where each bit of a hollow goes in the eight symmetries of the board."""


def moved(board: int, symmetry: dict[int, int]) -> int:
    """Return a board after a symmetry."""
    return sum(1 << symmetry[bit] for bit in bits(board))


def distinct_replies(mine: int, theirs: int, ball: int) -> list[int]:
    """Return the bits of the empty hollows, one of those that differ by a symmetry of the position only."""
    same = [turn for turn in SYMMETRIES if all(moved(board, turn) == board for board in (mine, theirs, ball))]
    kept: list[int] = []
    for bit in bits(ALL & ~(mine | theirs | ball)):
        if not any(turn[bit] in kept for turn in same):
            kept.append(bit)
    return kept


class Unwritten(Exception):
    """Raised when a proof is not found, or not found again, within the limits of a writer."""


HEAD: Final = ("kemu-certificate", "game", "variant", "ball", "prover", "other", "turn", "claim", "proof")


def head(variant: str, ball: str, prover: int, other: int, turn: str, claim: str) -> str:
    """Return the lines of a certificate before its proof."""
    mine, theirs = (" ".join(sorted(NAMES[bit] for bit in bits(board))) for board in (prover, other))
    values = ("1", "moeraki-kemu", variant, ball, mine, theirs, turn, claim, "")
    return "".join(f"{key} {value}".rstrip() + "\n" for key, value in zip(HEAD, values, strict=True))


def certificates(prover: LineProver, board: Board, result: Result) -> list[str]:
    """Return the certificates of a verdict: one for a win of either side, two for a draw; raises Unwritten."""
    own, other = board
    sides = (own, other, "prover"), (other, own, "other")
    if result == "drawn":
        return [certificate(prover, *each, "hold") for each in sides]
    return [certificate(prover, *sides[0 if result == "won" else 1], "win")]


def certificate(prover: LineProver, mine: int, theirs: int, turn: str, claim: Claim) -> str:
    """Return the text of a certificate that the stones `mine` hold or win against `theirs`."""
    proof = _LineWriter(prover, claim).text(mine, theirs, turn == "prover")
    return f"{head('beginner', prover.ball_name, mine, theirs, turn, claim)}{proof}\nend\n"


class _LineWriter:
    """Writes the tree below a position; `mine` are the stones of the prover, `theirs` those of the other."""

    def __init__(self, prover: LineProver, claim: Claim) -> None:
        self.prover = prover
        self.claim = claim
        self.texts: dict[tuple[int, int, bool], str] = {}

    def text(self, mine: int, theirs: int, moving: bool) -> str:
        """Return the proof of a position; `moving` if the prover is to move."""
        key = (mine, theirs, moving)
        if key not in self.texts:
            self.texts[key] = self.mine(mine, theirs) if moving else self.theirs(mine, theirs)
        return self.texts[key]

    def mine(self, mine: int, theirs: int) -> str:
        """Return the proof where the prover is to move."""
        empty = self.prover.empty(mine, theirs)
        if not empty:
            return ""
        if wins := self.prover.holes(mine, empty):
            return NAMES[wins[0]]
        if self.claim == "hold" and (leaf := self.leaf(mine, theirs)):
            return leaf
        stone = self.stone(mine, theirs, self.prover.holes(theirs, empty))
        return " ".join(filter(None, (NAMES[stone], self.text(mine | 1 << stone, theirs, False))))

    def theirs(self, mine: int, theirs: int) -> str:
        """Return the proof where the other is to move."""
        empty = self.prover.empty(mine, theirs)
        threats = self.prover.holes(mine, empty)
        if not empty or len(threats) > 1:
            return ""
        if threats:
            return self.text(mine, theirs | 1 << threats[0], True)
        if self.claim == "hold" and (leaf := self.leaf(mine, theirs)):
            return leaf
        replies = {
            bit: self.text(mine, theirs | 1 << bit, True)
            for bit in distinct_replies(mine, theirs, int(self.prover.ball))
        }
        common, times = Counter(replies.values()).most_common(1)[0]
        if len(replies) < empty.bit_count():  # `*` would stand for the replies left out too
            times = 1
        listed = [f"{NAMES[bit]} {text}" for bit, text in replies.items() if times < 2 or text != common]
        return " ".join(("(", *listed, *(("*", common) if times > 1 else ()), ")"))

    def leaf(self, mine: int, theirs: int) -> str:
        """Return a pairing as a leaf, empty if there is none."""
        pairs = self.prover.pairs(mine, theirs)
        return "" if pairs is None else " ".join(("{", *(f"{NAMES[a]}-{NAMES[b]}" for a, b in pairs), "}"))

    def stone(self, mine: int, theirs: int, must: list[int]) -> int:
        """Return the prover's stone: a forced one, one that wins by threats, or what the search finds."""
        if must:
            return must[0]
        if (stone := self.prover.attack(mine, theirs)) is not None:
            return stone
        if self.claim == "hold":
            _, dn, stone = self.prover.search(theirs, mine, False, SEARCH_NODES)
            if dn == 0:
                return stone
        nodes = FIRST_NODES
        while nodes < SEARCH_NODES and self.claim == "win":
            if (found := self.prover.quiet_win(mine, theirs, nodes)) is not None:
                return found
            pn, _, stone = self.prover.search(mine, theirs, True, nodes)
            if pn == 0:
                return stone
            nodes *= 2
        raise Unwritten


LARGEST_TREE: Final = 20_000
"""Nodes of the largest proof of an ending that is written out."""


def write_proof(searcher: Searcher, state: State) -> Document | None:
    """Return the proof that the side to move wins, None if no search finds one or it would be too large."""
    words = kernel_state(searcher.game, state)
    if words[kernel.STEP] != kernel.LAY:
        return None
    root = Root(searcher.workspace, words, 1, 0)
    game = searcher.game
    for writer in (_WinWriter, _EndingWriter):
        with suppress(Unwritten):
            tree = writer(root).tree()
            return {"game": game.key, "options": options(game), "position": game.encode(state), "tree": tree}
    return None


class _WinWriter:
    """Writes the tree below a root; boards are the winner's stones and the loser's, from the winner's turn on."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.workspace = root.workspace
        self.workspace.begin(UNLIMITED)

    def tree(self) -> Document:
        return self.node(self.root.own, self.root.other)

    def node(self, own: np.uint64, other: np.uint64) -> Document:
        """Return the winner's stone and his reply to every answer."""
        empty = empty_hollows(own, other, self.workspace.ball)
        if wins := bits(int(winning(own, self.workspace.lines) & empty)):
            return {"do": _text(wins[0])}
        stone = self.stone(own, other)
        laid = own | np.uint64(1 << stone)
        holes = bits(int(winning(laid, self.workspace.lines) & empty & ~np.uint64(1 << stone)))
        if holes:
            answer = {"do": _text(holes[1])} if len(holes) > 1 else self.node(laid, other | np.uint64(1 << holes[0]))
            return {"do": _text(stone), "then": {_text(holes[0]): answer}, "else": {"do": _text(holes[0])}}
        if self.workspace.attack(laid, other) is None:
            return {"do": _text(stone), "then": self.replies(laid, other, empty & ~np.uint64(1 << stone))}
        replies = self.replies(laid, other, self.workspace.answers(laid, other))
        return {"do": _text(stone), "then": replies, "else": self.node(laid, other)}

    def replies(self, own: np.uint64, other: np.uint64, answers: np.uint64) -> Document:
        """Return the winner's reply to each of some answers."""
        return {_text(cell): self.node(own, other | np.uint64(1 << cell)) for cell in bits(int(answers))}

    def stone(self, own: np.uint64, other: np.uint64) -> int:
        """Return a stone that wins: by threats, by quiet stones that threaten, or by what the whole search finds."""
        if (found := self.workspace.attack(own, other)) is not None:
            return found[0]
        proof = self.workspace.prove(own, other, SEARCH_NODES)
        if proof.pn == 0:
            return proof.stone
        state = self.root.state.copy()
        state[self.root.seat], state[1 - self.root.seat] = own, other
        deeper = Root(self.workspace, state, 1, 0)
        deeper.run(Budget(nodes=SEARCH_NODES), 1)
        self.workspace.begin(UNLIMITED)
        if deeper.candidates[0].score <= PROVEN:
            raise Unwritten
        return deeper.candidates[0].action


class _EndingWriter:
    """Writes the tree of an ending that the solver decides, down to full boards; states are the kernel's."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.written = 0
        root.workspace.begin(SEARCH_NODES)

    def tree(self) -> Document:
        if self.root.left > max(LAST_HOLLOWS):
            raise Unwritten
        return self.node(self.root.state)

    def node(self, state: Words) -> Document:
        """Return what the winner does until it is the loser's turn, and his reply to every answer."""
        self.written += 1
        if self.written > LARGEST_TREE:
            raise Unwritten
        node: Document = {}
        for field in ("before", "do", "after"):
            if self.acts(state) and (state[kernel.STEP] == kernel.LAY) == (field == "do"):
                action = self.winning(state)
                state = self.root.after(state, action)
                if action != kernel.KEEP:
                    node[field] = _text(action)
        if replies := self.replies(state, ()):
            node["then"] = replies
        return node

    def replies(self, state: Words, answer: tuple[str, ...]) -> Document:
        """Return the nodes for all that the loser can do from a state in which he has done this."""
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
        """Return whether it is the winner's turn."""
        return bool(state[kernel.STEP] != kernel.OVER and state[kernel.TURN] == self.root.seat)

    def winning(self, state: Words) -> int:
        """Return the first action of the winner that the solver finds to win."""
        for action in self.root.legal(state):
            after = self.root.after(state, action)
            value = self.root.workspace.solve(after)
            if value == (1 if after[kernel.TURN] == self.root.seat else -1):
                return action
        raise Unwritten


def _text(action: int) -> str:
    return format_action(rules_action(action))
