"""The only place with randomness in play: chance actions at exactly the odds of the rules, and ids of matches."""

import random
from base64 import urlsafe_b64encode
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Final, TypeVar

A = TypeVar("A")

ID_BYTES: Final = 12


class Dealer:
    """Draws from the system's random source, or from a seed in tests and studies."""

    def __init__(self, seed: int | None = None) -> None:
        self._source = random.SystemRandom() if seed is None else random.Random(seed)

    def deal(self, odds: Sequence[tuple[A, Fraction]]) -> A:
        """Return one action, drawn with exactly its probability."""
        whole = lcm(*(chance.denominator for _, chance in odds))
        shares = accumulate(int(chance * whole) for _, chance in odds)
        return odds[bisect_right(list(shares), self._source.randrange(whole))][0]

    def new_id(self) -> str:
        """Return an unguessable id for a match: knowing it allows opening the match."""
        return urlsafe_b64encode(self._source.randbytes(ID_BYTES)).decode()
