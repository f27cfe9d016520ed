"""Relations between players: following somebody, and blocking somebody so that the two do not meet any more."""

from collections.abc import Collection
from typing import Final, Literal, TypeAlias

from kemu.core.errors import KemuError

RelationKind: TypeAlias = Literal["follow", "block"]

MOST_RELATIONS: Final = 1000
"""How many players somebody can follow, and how many somebody can block."""


APART: Final = "one of you has blocked the other, or is a pupil of a class."
"""Why two players do not meet."""


class WithYourself(KemuError, code="yourself"):
    """Nobody follows, blocks, challenges or reports themselves."""


class Blocked(KemuError, code="blocked"):
    """One of two players has blocked the other."""


class RelationLimit(KemuError, code="relation-limit"):
    """A player follows or blocks as many players as one may."""


def check_relation(player: str, other: str, kind: RelationKind, count: int, blocked: Collection[str]) -> None:
    """Check that a player may follow or block another one.

    `count` is how many the player follows or blocks already, and `blocked` are the players kept apart from this one by
    a block of either side. Raises WithYourself, RelationLimit, and Blocked for following one of those.
    """
    if player == other:
        raise WithYourself("This is you; follow or block somebody else.")
    if kind == "follow" and other in blocked:
        raise Blocked(f"You cannot follow this player: {APART}")
    if count >= MOST_RELATIONS:
        raise RelationLimit(f"You {kind} {count} players; stop with some first.")


def check_apart(blocked: Collection[str]) -> None:
    """Raise Blocked if a player would meet somebody from whom a block or a class keeps them apart.

    It does not say whose block or class.
    """
    if blocked:
        raise Blocked(f"You and another player here do not meet: {APART}")
