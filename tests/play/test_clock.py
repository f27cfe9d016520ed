"""Clocks: every time is given, none is read."""

from kemu.play.terms import (
    DAY_MS,
    HOUR_MS,
    BankClock,
    DayClock,
    GameClock,
    NoClock,
    fit_for_rating,
    is_correspondence,
    new_clock,
)


def test_without_a_clock_nothing_runs_and_nobody_has_a_deadline() -> None:
    clock = new_clock(NoClock(), 2)
    clock = clock.run(0, 1000)
    assert clock.running is None
    assert clock.deadline is None
    assert clock.remaining(9_999_999) == [0, 0]


def test_only_the_time_of_who_is_to_act_runs() -> None:
    clock = new_clock(GameClock(60), 2)
    clock = clock.run(0, 1_000)
    assert clock.remaining(11_000) == [50_000, 60_000]
    clock = clock.run(1, 11_000)
    assert clock.remaining(21_000) == [50_000, 50_000]


def test_the_increment_is_given_when_the_turn_passes_and_not_before() -> None:
    clock = new_clock(GameClock(60, increment=5), 2)
    clock = clock.run(0, 0)
    clock = clock.run(0, 10_000)  # the same seat acts again
    assert clock.remaining(10_000) == [50_000, 60_000]
    clock = clock.run(1, 20_000)
    assert clock.remaining(20_000) == [45_000, 60_000]


def test_days_are_for_each_turn_and_come_back_when_it_passes() -> None:
    clock = new_clock(DayClock(3), 2)
    clock = clock.run(0, 0)
    assert clock.deadline == 3 * DAY_MS
    clock = clock.run(0, DAY_MS)
    assert clock.remaining(DAY_MS) == [2 * DAY_MS, 3 * DAY_MS]
    clock = clock.run(1, 2 * DAY_MS)
    assert clock.remaining(2 * DAY_MS) == [3 * DAY_MS, 3 * DAY_MS]


def test_the_deadline_is_when_the_time_is_used_up_and_no_time_is_less_than_nothing() -> None:
    clock = new_clock(GameClock(60), 2)
    clock = clock.run(1, 500)
    assert clock.deadline == 60_500
    assert clock.remaining(70_000) == [60_000, 0]
    clock = clock.run(None, 70_000)
    assert clock.remaining(70_000) == [60_000, 0]


def test_a_stopped_clock_keeps_what_was_left() -> None:
    clock = new_clock(GameClock(60), 2)
    clock = clock.run(0, 0)
    clock = clock.run(None, 15_000)
    assert clock.deadline is None
    assert clock.remaining(99_000) == [45_000, 60_000]


def test_a_bank_grows_with_each_turn_and_never_above_what_it_began_with() -> None:
    clock = new_clock(BankClock(240, 36), 2)
    clock = clock.run(0, 0)
    assert clock.deadline == 240 * HOUR_MS
    clock = clock.run(1, HOUR_MS)
    assert clock.remaining(HOUR_MS) == [240 * HOUR_MS, 240 * HOUR_MS]
    clock = clock.run(0, 101 * HOUR_MS)
    assert clock.remaining(101 * HOUR_MS) == [240 * HOUR_MS, 176 * HOUR_MS]


def test_during_a_vacation_the_time_stands_still_and_a_move_still_brings_its_increment() -> None:
    clock = new_clock(BankClock(10, 1), 2).run(0, 0)
    clock = clock.run(0, 4 * HOUR_MS, paused=True)
    assert clock.deadline is None
    assert clock.reminder is None
    assert clock.remaining(100 * HOUR_MS) == [6 * HOUR_MS, 10 * HOUR_MS]
    moved = clock.run(1, 200 * HOUR_MS)
    assert moved.remaining(200 * HOUR_MS) == [7 * HOUR_MS, 10 * HOUR_MS]
    back = clock.run(0, 200 * HOUR_MS)
    assert back.deadline == 206 * HOUR_MS


def test_a_reminder_comes_a_day_before_the_end_or_after_three_quarters_of_the_time() -> None:
    assert new_clock(DayClock(7), 2).run(0, 0).reminder == 6 * DAY_MS
    assert new_clock(DayClock(1), 2).run(0, 0).reminder == 18 * HOUR_MS
    assert new_clock(GameClock(600), 2).run(0, 0).reminder is None
    assert new_clock(DayClock(1), 2).reminder is None


def test_correspondence_clocks_are_fit_for_rating() -> None:
    assert is_correspondence(DayClock(1))
    assert fit_for_rating(DayClock(1))
    assert is_correspondence(BankClock(1, 1))
    assert fit_for_rating(BankClock(1, 1))
    assert not is_correspondence(NoClock())
    assert not is_correspondence(GameClock(60))
    assert not fit_for_rating(NoClock())
