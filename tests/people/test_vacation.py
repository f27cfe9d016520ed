"""Vacations: a stock that is used up, fills up over a year and never overflows."""

import pytest

from kemu.people.vacation import MOST_DAYS, YEAR_DAYS, VacationStock, begin_vacation, end_vacation, full_stock
from kemu.play.errors import NoVacation
from kemu.play.terms import DAY_MS


def test_a_vacation_uses_up_the_stock_while_it_lasts() -> None:
    begun = begin_vacation(full_stock(0), 5 * DAY_MS)
    assert begun.left(5 * DAY_MS) == MOST_DAYS * DAY_MS
    assert begun.left(9 * DAY_MS) == (MOST_DAYS - 4) * DAY_MS
    assert begun.until == (5 + MOST_DAYS) * DAY_MS
    ended = end_vacation(begun, 9 * DAY_MS)
    assert ended == VacationStock((MOST_DAYS - 4) * DAY_MS, 9 * DAY_MS)
    assert ended.until is None


def test_the_days_of_a_year_come_back_in_a_year_and_no_more() -> None:
    empty = VacationStock(0, 0)
    assert empty.left(YEAR_DAYS * DAY_MS) == MOST_DAYS * DAY_MS
    assert empty.left(9 * YEAR_DAYS * DAY_MS) == MOST_DAYS * DAY_MS
    assert empty.left(YEAR_DAYS * DAY_MS // 2) == MOST_DAYS * DAY_MS // 2


def test_a_stock_that_is_used_up_is_not_negative() -> None:
    assert begin_vacation(full_stock(0), 0).left(99 * DAY_MS) == 0


def test_a_vacation_begins_with_a_day_at_least_and_once() -> None:
    begun = begin_vacation(VacationStock(DAY_MS, 0), 0)
    with pytest.raises(NoVacation, match="already"):
        begin_vacation(begun, 0)
    with pytest.raises(NoVacation, match="less than a day"):
        begin_vacation(VacationStock(DAY_MS - 1, 0), 0)
    with pytest.raises(NoVacation, match="not on vacation"):
        end_vacation(full_stock(0), 0)
