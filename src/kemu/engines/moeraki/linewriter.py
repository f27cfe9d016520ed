"""Writes what `lineproof` finds as certificates, in the form that docs/certificates.md describes."""

from collections import Counter
from typing import Final, Literal

from kemu.engines.moeraki.lineproof import ALL, FIRST_NODES, NAMES, Board, LineProver, Result, bits, names
from kemu.engines.moeraki.tables import HOLLOW_BIT
from kemu.games.moeraki.board import HOLLOWS as POINTS
from kemu.games.moeraki.board import Point

Claim = Literal["hold", "win"]

SEARCH_NODES: Final = 3_000_000
"""What the writer may spend to find one stone of the prover again."""


_BIT: Final = {point: HOLLOW_BIT[number] for number, point in enumerate(POINTS)}

SYMMETRIES: Final = tuple(
    {bit: _BIT[Point(s * x, t * y) if upright else Point(t * y, s * x)] for (x, y), bit in _BIT.items()}
    for s in (1, -1)
    for t in (1, -1)
    for upright in (True, False)
)
"""Where each bit of a hollow goes in the eight symmetries of the board."""


def moved(board: int, symmetry: dict[int, int]) -> int:
    """A board after a symmetry."""
    return sum(1 << symmetry[bit] for bit in bits(board))


def distinct_replies(mine: int, theirs: int, ball: int) -> list[int]:
    """The bits of the empty hollows, one of those that differ by a symmetry of the position only."""
    same = [turn for turn in SYMMETRIES if all(moved(board, turn) == board for board in (mine, theirs, ball))]
    kept: list[int] = []
    for bit in bits(ALL & ~(mine | theirs | ball)):
        if not any(turn[bit] in kept for turn in same):
            kept.append(bit)
    return kept


class Unwritten(Exception):
    """A proof that was found before is not found again within the limit."""


def head(variant: str, ball: str, prover: int, other: int, turn: str, claim: str) -> str:
    """The lines of a certificate before its proof."""
    return (
        f"kemu-certificate 1\ngame moeraki-kemu\nvariant {variant}\nball {ball}\nprover {names(prover)}".rstrip()
        + f"\nother {names(other)}".rstrip()
        + f"\nturn {turn}\nclaim {claim}\nproof\n"
    )


def certificates(prover: LineProver, board: Board, result: Result, variant: str = "beginner") -> list[str]:
    """The certificates of a verdict: one for a win of either side, two for a draw; Unwritten if one is not found."""
    own, other = board
    if result == "won":
        return [certificate(prover, own, other, "prover", "win", variant)]
    if result == "lost":
        return [certificate(prover, other, own, "other", "win", variant)]
    return [
        certificate(prover, own, other, "prover", "hold", variant),
        certificate(prover, other, own, "other", "hold", variant),
    ]


def certificate(prover: LineProver, mine: int, theirs: int, turn: str, claim: Claim, variant: str = "beginner") -> str:
    """The text of a certificate that the stones `mine` hold or win against `theirs`."""
    writer = _Writer(prover, claim)
    proof = writer.mine(mine, theirs) if turn == "prover" else writer.theirs(mine, theirs)
    return f"{head(variant, prover.ball_name, mine, theirs, turn, claim)}{proof}\nend\n"


class _Writer:
    """Writes the tree below a position; `mine` are the stones of the prover, `theirs` those of the other."""

    def __init__(self, prover: LineProver, claim: Claim) -> None:
        self.prover = prover
        self.claim = claim
        self.texts: dict[tuple[int, int, bool], str] = {}

    def mine(self, mine: int, theirs: int) -> str:
        """The proof where the prover is to move."""
        key = (mine, theirs, True)
        if key not in self.texts:
            self.texts[key] = self.new_mine(mine, theirs)
        return self.texts[key]

    def theirs(self, mine: int, theirs: int) -> str:
        """The proof where the other is to move."""
        key = (mine, theirs, False)
        if key not in self.texts:
            self.texts[key] = self.new_theirs(mine, theirs)
        return self.texts[key]

    def new_mine(self, mine: int, theirs: int) -> str:
        empty = self.prover.empty(mine, theirs)
        if not empty:
            return ""
        if wins := self.prover.holes(mine, empty):
            return NAMES[wins[0]]
        if self.claim == "hold" and (leaf := self.leaf(mine, theirs)):
            return leaf
        stone = self.stone(mine, theirs, self.prover.holes(theirs, empty))
        return " ".join(filter(None, (NAMES[stone], self.theirs(mine | 1 << stone, theirs))))

    def new_theirs(self, mine: int, theirs: int) -> str:
        empty = self.prover.empty(mine, theirs)
        threats = self.prover.holes(mine, empty)
        if not empty or len(threats) > 1:
            return ""
        if threats:
            return self.mine(mine, theirs | 1 << threats[0])
        if self.claim == "hold" and (leaf := self.leaf(mine, theirs)):
            return leaf
        replies = {
            bit: self.mine(mine, theirs | 1 << bit) for bit in distinct_replies(mine, theirs, int(self.prover.ball))
        }
        common, times = Counter(replies.values()).most_common(1)[0]
        if len(replies) < empty.bit_count():  # `*` would stand for the replies left out too
            times = 1
        listed = [f"{NAMES[bit]} {text}" for bit, text in replies.items() if times < 2 or text != common]
        return " ".join(("(", *listed, *(("*", common) if times > 1 else ()), ")"))

    def leaf(self, mine: int, theirs: int) -> str:
        """A pairing as a leaf, empty if there is none."""
        pairs = self.prover.pairs(mine, theirs)
        return "" if pairs is None else " ".join(("{", *(f"{NAMES[a]}-{NAMES[b]}" for a, b in pairs), "}"))

    def stone(self, mine: int, theirs: int, must: list[int]) -> int:
        """The prover's stone: a forced one, one that wins by threats, or what the search finds."""
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
