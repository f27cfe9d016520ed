"""Vacations: how long the clocks of a player's correspondence matches may stand still in a year.

A player has a stock of days, which is used up during a vacation and fills up again over a year.
"""

from typing import Final

from msgspec import Struct

from kemu.play.errors import NoVacation
from kemu.play.terms import DAY_MS

MOST_DAYS: Final = 30
"""The most days of vacation that a player can save up, and how many come back in a year."""

YEAR_DAYS: Final = 365

_MOST_MS: Final = MOST_DAYS * DAY_MS


class VacationStock(Struct, frozen=True):
    """The stock of a player: `saved` milliseconds at the moment `at`, and since when a vacation lasts, if one does."""

    saved: int
    at: int
    since: int | None = None

    def left(self, now: int) -> int:
        """Return how many milliseconds of vacation are left at a moment."""
        if self.since is not None:
            return max(0, self.saved - (now - self.since))
        return min(_MOST_MS, self.saved + (now - self.at) * MOST_DAYS // YEAR_DAYS)

    @property
    def until(self) -> int | None:
        """When the vacation ends by itself at the latest; None without one."""
        return None if self.since is None else self.since + self.saved


def full_stock(now: int) -> VacationStock:
    """Return the stock of a player who never was on vacation."""
    return VacationStock(_MOST_MS, now)


def begin_vacation(vacation: VacationStock, now: int) -> VacationStock:
    """Return the stock of a player whose vacation begins. Raises NoVacation during one, and for less than a day."""
    if vacation.since is not None:
        raise NoVacation("You are on vacation already.")
    left = vacation.left(now)
    if left < DAY_MS:
        raise NoVacation("You have less than a day of vacation left; days come back over the year.")
    return VacationStock(left, now, now)


def end_vacation(vacation: VacationStock, now: int) -> VacationStock:
    """Return the stock of a player whose vacation ends. Raises NoVacation without one."""
    if vacation.since is None:
        raise NoVacation("You are not on vacation.")
    return VacationStock(vacation.left(now), now)
