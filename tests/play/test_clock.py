"""Clocks: every time is given, none is read."""

from kemu.play.clock import DAY, Clock, DayClock, GameClock, NoClock


def test_without_a_clock_nothing_runs_and_nobody_has_a_deadline() -> None:
    clock = Clock(NoClock(), 2)
    clock.run(0, 1000)
    assert clock.running is None
    assert clock.deadline is None
    assert clock.left(9_999_999) == [0, 0]


def test_only_the_time_of_who_is_to_act_runs() -> None:
    clock = Clock(GameClock(60), 2)
    clock.run(0, 1_000)
    assert clock.left(11_000) == [50_000, 60_000]
    clock.run(1, 11_000)
    assert clock.left(21_000) == [50_000, 50_000]


def test_the_increment_is_given_when_the_turn_passes_and_not_before() -> None:
    clock = Clock(GameClock(60, increment=5), 2)
    clock.run(0, 0)
    clock.run(0, 10_000)  # the same seat acts again
    assert clock.left(10_000) == [50_000, 60_000]
    clock.run(1, 20_000)
    assert clock.left(20_000) == [45_000, 60_000]


def test_days_are_for_each_turn_and_come_back_when_it_passes() -> None:
    clock = Clock(DayClock(3), 2)
    clock.run(0, 0)
    assert clock.deadline == 3 * DAY
    clock.run(0, DAY)
    assert clock.left(DAY) == [2 * DAY, 3 * DAY]
    clock.run(1, 2 * DAY)
    assert clock.left(2 * DAY) == [3 * DAY, 3 * DAY]


def test_the_deadline_is_when_the_time_is_used_up_and_no_time_is_less_than_nothing() -> None:
    clock = Clock(GameClock(60), 2)
    clock.run(1, 500)
    assert clock.deadline == 60_500
    assert clock.left(70_000) == [60_000, 0]
    clock.run(None, 70_000)
    assert clock.left(70_000) == [60_000, 0]


def test_a_stopped_clock_keeps_what_was_left() -> None:
    clock = Clock(GameClock(60), 2)
    clock.run(0, 0)
    clock.run(None, 15_000)
    assert clock.deadline is None
    assert clock.left(99_000) == [45_000, 60_000]
