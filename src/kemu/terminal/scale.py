"""The Moeraki scale in text: a marker for each player climbs a field with every game he wins."""

from collections.abc import Mapping, Sequence
from typing import Final

MARKERS: Final = "●○◆◇▲△"
"""One for each player, as many as there are seats in any game."""


def scale(wins: Sequence[int], to: int, lengths: Mapping[str, int]) -> str:
    """The scale up to `to` won games, at most 20 columns wide, with a marker for each player at his wins.

    `lengths` are the fields that have a name.
    """
    names = {count: name for name, count in lengths.items()}
    return "\n".join(_field(wins, count, names.get(count, ""), count in (0, to)) for count in range(to, -1, -1))


def _field(wins: Sequence[int], count: int, name: str, at_end: bool) -> str:
    here = "".join(MARKERS[player] if won == count else " " for player, won in enumerate(wins))
    edge = "╞" if at_end else "├"
    return f"{name:>9}{count:3} {edge}{here}".rstrip()
