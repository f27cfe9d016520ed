"""Puzzles about lines: one stone wins or saves the game, every other one is refuted by proof.

Lines depend on the stones alone, so that all of it holds in every variant; that a stone does not win is claimed in the
beginner's game only, where a side that completes no line has not won. Boards are those of the kernel.
"""

from typing import Final, NamedTuple

from kemu.engines.moeraki.lineproof import NAMES, LineProver, bits
from kemu.engines.moeraki.linewriter import Claim, Unwritten, certificate
from kemu.engines.puzzles import Goal, UnsoundPuzzle, Verifier

SURVIVORS: Final = 10
"""With more stones that threats alone do not refute, a position is left out."""

NODES: Final = 6_000
"""What one question about a stone may take."""

FIRST_STONES: Final = 6
"""On a board with fewer stones nothing is asked."""


class OnlyStone(NamedTuple):
    """The only right stone of a position."""

    stone: int  # its bit
    goal: Goal
    refutations: dict[int, int]  # by the bit of each other stone: the opponent's answer to it


class LinePuzzles:
    """Looks for the only stones of positions with the ball in the hollow of a prover."""

    def __init__(self, prover: LineProver, draws: bool) -> None:
        """`draws` if a side that completes no line has not won, as in the beginner's game."""
        self.prover = prover
        self.draws = draws

    def only_stone(self, own: int, other: int) -> OnlyStone | None:
        """The stone of the side to move that is the only one to win or to save the game, None if that is not proved."""
        prover = self.prover
        empty = prover.empty(own, other)
        laid = (own | other).bit_count()
        if laid < FIRST_STONES or prover.holes(own, empty) or prover.holes(other, empty):
            return None
        if prover.attack(other, own) is not None:
            return self.only_answer(own, other)
        if self.draws and (prover.attack(own, other) is not None or prover.quiet_win(own, other, NODES) is not None):
            return self.only_win(own, other)
        return None

    def only_answer(self, own: int, other: int) -> OnlyStone | None:
        """The stone after which alone the opponent does not win, where he would by threats."""
        prover = self.prover
        refuted: dict[int, int] = {}
        open_stones = []
        for bit in bits(prover.empty(own, other)):
            answer = prover.attack(other, own | 1 << bit)
            if answer is not None:
                refuted[bit] = answer
            else:
                open_stones.append(bit)
        if not 0 < len(open_stones) <= SURVIVORS:
            return None
        held: list[int] = []
        for bit in open_stones:
            pn, dn, answer = prover.decide(other, own | 1 << bit, True, NODES)
            if pn == 0 and answer is not None:
                refuted[bit] = answer
            elif dn == 0 and not held:
                held.append(bit)
            else:
                return None
        if not held:
            return None
        pn, dn, _ = prover.decide(own | 1 << held[0], other, False, NODES)
        return OnlyStone(held[0], "win" if pn == 0 else "draw" if dn == 0 and self.draws else "save", refuted)

    def only_win(self, own: int, other: int) -> OnlyStone | None:
        """The stone that alone wins, in a game in which no other one does."""
        prover = self.prover
        wins: list[int] = []
        refuted: dict[int, int] = {}
        for bit in bits(prover.empty(own, other)):
            laid = own | 1 << bit
            pn, dn, answer = prover.decide(laid, other, False, NODES)
            if pn == 0:
                wins.append(bit)
            if len(wins) > 1 or (pn and dn):
                return None
            if dn == 0:
                refuted[bit] = self.holding_answer(laid, other, answer)
        return OnlyStone(wins[0], "win", refuted) if wins else None

    def holding_answer(self, attacker: int, keeper: int, found: int | None) -> int:
        """A stone of the keeper, to move, after which the attacker completes no line."""
        prover = self.prover
        if (best := prover.attack(keeper, attacker)) is not None:
            return best
        empty = prover.empty(attacker, keeper)
        if found is not None and empty >> found & 1:
            return found
        pairs = prover.pairs(keeper, attacker) or []
        # With a pairing any stone holds; one of a pair is as good as another.
        return next((bit for pair in pairs for bit in pair), bits(empty)[0])

    def prove(self, own: int, other: int, only: OnlyStone, verify: Verifier) -> None:
        """Gives a certificate of every claim about an only stone to the verifier; raises UnsoundPuzzle."""
        try:
            for bit in only.refutations:
                loses = self.loses(own | 1 << bit, other)
                if not loses and not (self.draws and only.goal == "win"):
                    raise UnsoundPuzzle(f"{NAMES[bit]} is not refuted.")
                verify(certificate(self.prover, other, own | 1 << bit, "prover", "win" if loses else "hold"))
            claim: Claim = "win" if only.goal == "win" else "hold"
            verify(certificate(self.prover, own | 1 << only.stone, other, "other", claim))
            if only.goal == "draw":
                verify(certificate(self.prover, other, own | 1 << only.stone, "prover", "hold"))
        except (Unwritten, ValueError) as error:
            raise UnsoundPuzzle(f"No certificate: {error}") from None

    def holding_proof(self, own: int, other: int, stone: int) -> str:
        """The proof of the certificate that the side to move completes the game without a loss after this stone."""
        try:
            text = certificate(self.prover, own | 1 << stone, other, "other", "hold")
        except Unwritten:
            raise UnsoundPuzzle("The proof that the stone holds is not found again.") from None
        return text.partition("\nproof\n")[2].removesuffix("\nend\n")

    def loses(self, own: int, other: int) -> bool:
        """Whether the opponent, to move, is proved to complete a line."""
        if self.prover.attack(other, own) is not None:
            return True
        pn, _, _ = self.prover.decide(other, own, True, NODES)
        return pn == 0
