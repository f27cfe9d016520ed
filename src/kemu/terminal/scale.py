"""The Moeraki scale in text: a marker for each player climbs a field with every game he wins."""

from collections.abc import Mapping
from typing import Final

from kemu.play.series import Series

MARKERS: Final = "●○◆◇▲△"
"""One for each player, as many as there are seats in any game."""


def scale(series: Series, lengths: Mapping[str, int]) -> str:
    """The scale up to the length of the series, at most 20 columns wide; fields with a name show it."""
    names = {count: name for name, count in lengths.items()}
    return "\n".join(_field(series, count, names.get(count, "")) for count in range(series.length, -1, -1))


def _field(series: Series, count: int, name: str) -> str:
    here = "".join(MARKERS[player] if wins == count else " " for player, wins in enumerate(series.wins))
    edge = "╞" if count in (0, series.length) else "├"
    return f"{name:>9}{count:3} {edge}{here}".rstrip()
