"""Greetings: a few phrases that players say to each other, each shown in the language of its reader."""

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

Phrase: TypeAlias = Literal["kia-ora", "good-luck", "well-played", "thank-you", "good-game", "one-moment", "sorry"]

PHRASES: Final[tuple[Phrase, ...]] = get_args(Phrase)

GREETINGS_PER_MINUTE: Final = 6
"""How many greetings a player can say."""


class Greeter(NamedTuple):
    """What matters of a player for greetings: whether they are off, and whether the account is managed by somebody."""

    quiet: bool = False
    managed: bool = False


def greets(one: Greeter, other: Greeter, *, apart: bool = False) -> bool:
    """Return whether two players greet each other: not if one turned that off, is managed, or has blocked the other."""
    return not (one.quiet or other.quiet or one.managed or other.managed or apart)
