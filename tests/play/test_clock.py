"""Clocks: every time is given, none is read."""

from kemu.play.terms import DAY_MS, DayClock, GameClock, NoClock, new_clock


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
