"""Paces: the kinds of clock that have ratings of their own."""

from typing import Final, Literal, TypeAlias, get_args

from kemu.play.terms import ClockTerms, GameClock, NoClock

Pace: TypeAlias = Literal["blitz", "rapid", "correspondence", "table"]
"""For two players by the clock; `table` is for three and more, whatever the clock."""

PACES: Final[tuple[Pace, ...]] = get_args(Pace)

EXPECTED_TURNS: Final = 30
"""How many turns of a player the increments of a game are counted for."""

RAPID_SECONDS: Final = 600
"""How much time for a player makes a game rapid."""


def pace_of(clock: ClockTerms, seats: int) -> Pace | None:
    """Return the pace of a match with this clock and so many seats; None for two players without a clock."""
    if seats > 2:
        return "table"
    match clock:
        case NoClock():
            return None
        case GameClock(seconds=seconds, increment=increment):
            return "rapid" if seconds + EXPECTED_TURNS * increment >= RAPID_SECONDS else "blitz"
        case _:
            return "correspondence"
