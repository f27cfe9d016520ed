"""Random proofs about endings of Moeraki-Kemu, most of them wrong, with what the rules say of their claims."""

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.differential.brute_force import quiet_ending

GAME: Final = MoerakiKemu("basic")
LINE: Final = 200
"""More half tiles than any lead: the other completes a line; less than minus this number: the prover does."""


class Attempt(NamedTuple):
    """A certificate, and whether its claim is true."""

    text: str
    true: bool


def lead_of_other(state: State, prover: int) -> int:
    """The half tiles by which the other leads at the end with best play by both, beyond LINE if a line decides."""
    outcome = GAME.outcome(state)
    if outcome is not None and outcome.reason != "marae":
        return -LINE if outcome.winners == (prover,) else LINE
    if outcome is not None:
        assert outcome.scores is not None
        return int(2 * (Fraction(outcome.scores[1 - prover]) - Fraction(outcome.scores[prover])))
    leads = [lead_of_other(GAME.apply(state, action), prover) for action in GAME.actions(state)]
    return min(leads) if state.turn == prover else max(leads)


class _Proofs:
    """Proofs with the right grammar and stones by chance."""

    def __init__(self, source: random.Random, prover: int) -> None:
        self.source, self.prover = source, prover

    def tree(self, state: State) -> str:
        """A proof from a state on; it ends where the verifiers expect no token."""
        outcome, empty = GAME.outcome(state), self.empty(state)
        if outcome is not None:
            return ""
        if self.source.random() < 2 / (1 + len(empty)):
            return self.leaf(empty)
        if state.turn == self.prover:
            stone = self.source.choice(empty)
            return f"{stone} {self.tree(self.after(state, stone))}"
        threats = [stone for stone in empty if GAME.outcome(self.after(state._replace(turn=self.prover), stone))]
        if threats and len(empty) > 1:
            return self.tree(self.after(state, threats[0])) if len(threats) == 1 else ""
        listed = [stone for stone in empty if self.source.random() < 0.9]
        replies = " ".join(f"{stone} {self.tree(self.after(state, stone))}" for stone in listed)
        rest = [stone for stone in empty if stone not in listed]
        return f"( {replies} {'* ' + self.tree(self.after(state, rest[0])) if rest else ''} )"

    def leaf(self, empty: list[str]) -> str:
        """Items of these hollows, a few left out at times."""
        order = self.source.sample(empty, len(empty) - (self.source.random() < 0.1))
        cuts = sorted({0, len(order), *(self.source.randrange(len(order) + 1) for _ in range(3))})
        return f"{{ {' '.join(self.item(order[start:end]) for start, end in pairwise(cuts))} }}"

    def item(self, cells: list[str]) -> str:
        """One item of some hollows: they alone, pairs, or a region with answers by chance."""
        if len(cells) < 3:
            return "-".join(cells)
        parts = []
        for reply in cells:
            answer = self.source.choice([cell for cell in cells if cell != reply])
            rest = [cell for cell in cells if cell not in (reply, answer)]
            parts.append(f"{reply} {answer} {{ {self.item(rest) if rest else ''} }}")
        return f"( {' '.join(parts)} )"

    @staticmethod
    def empty(state: State) -> list[str]:
        return [point.name for number, point in enumerate(HOLLOWS) if not state.occupied >> number & 1]

    @staticmethod
    def after(state: State, stone: str) -> State:
        return GAME.apply(state, GAME.parse(stone))


def attempts(seed: str, proofs: int) -> list[Attempt]:
    """Certificates about one ending, with claims near the truth."""
    source = random.Random(seed)
    state, prover = quiet_ending(GAME, source.randrange(2, 6), seed), source.randrange(2)
    lead, tie = lead_of_other(state, prover), 0 if prover == GAME.starter else -1
    margin = max(-104, min(104, lead if abs(lead) < LINE else 0)) + source.choice((-1, 0, 0, 1, 4))
    claims: dict[tuple[str, str], Callable[[int], bool]] = {
        ("beginner", "hold"): lambda least: least < LINE,
        ("beginner", "win"): lambda least: least <= -LINE,
        ("basic", "win"): lambda least: least <= tie,
        ("basic", f"margin {margin}"): lambda least: least <= margin,
    }
    document = GAME.encode(state)
    stones, turn = document["stones"], "prover" if state.turn == prover else "other"
    found = []
    for _ in range(proofs):
        (variant, claim), holds = source.choice(list(claims.items()))
        proof = _Proofs(source, prover).tree(state)
        head = f"kemu-certificate 1\ngame moeraki-kemu\nvariant {variant}\nball {document['ball']}\n"
        sides = f"prover {' '.join(stones[prover])}\nother {' '.join(stones[1 - prover])}\nturn {turn}\n"
        found.append(Attempt(f"{head}{sides}claim {claim}\nproof\n{proof}\nend\n", holds(lead)))
    return found
