"""How matches change standings: paces, weights, bots, and tables of three and more."""

import pytest
from msgspec.structs import replace

from kemu.people.glicko import MOST_DEVIATION, Score, Strength, after_game, aged
from kemu.people.pace import Pace, pace_of
from kemu.people.ratings import FirstSeat, GameRating, Participant, after_match, bot_standing
from kemu.people.table_ratings import after_table, from_openskill
from kemu.play.terms import DAY_MS, ClockTerms, DayClock, GameClock, NoClock

KNOWN = GameRating("h", "g", "rapid", deviation=60, volatility=0.06, matches=30, at=5 * DAY_MS)
OTHER = replace(KNOWN, player="t")
SEATS = (Participant(KNOWN, 0), Participant(OTHER, 1))
FAIR = FirstSeat()


@pytest.mark.parametrize(
    ("clock", "seats", "pace"),
    [
        (NoClock(), 2, None),
        (GameClock(300, 5), 2, "blitz"),
        (GameClock(599), 2, "blitz"),
        (GameClock(300, 10), 2, "rapid"),
        (GameClock(600), 2, "rapid"),
        (DayClock(3), 2, "correspondence"),
        (DayClock(3), 3, "table"),
        (NoClock(), 6, "table"),
    ],
)
def test_the_pace_of_a_match(clock: ClockTerms, seats: int, pace: Pace | None) -> None:
    assert pace_of(clock, seats) == pace


def test_two_who_are_known_are_rated_as_the_formula_says_after_the_time_without_matches() -> None:
    at = KNOWN.at + 30 * DAY_MS
    won, lost = after_match(SEATS, FAIR, 0, at)
    before = aged(KNOWN.strength, 30 * 0.21436)
    assert won.strength == after_game(before, Score(before, 1), 0)
    assert lost.rating - 1500 == pytest.approx(1500 - won.rating)
    assert (won.matches, won.at) == (31, at)
    drawn, _ = after_match((Participant(KNOWN, 1), Participant(OTHER, 1)), FAIR, 0, at)
    assert drawn.rating == pytest.approx(1500)


def test_the_advantage_is_that_of_the_seat_that_acted_first() -> None:
    gains = [after_match(SEATS, FirstSeat(seat, 100), 0, KNOWN.at)[0].rating for seat in (0, 1)]
    assert gains[0] < after_match(SEATS, FAIR, 0, KNOWN.at)[0].rating < gains[1]


def test_a_change_counts_less_among_people_who_meet_often_and_against_new_ones() -> None:
    full = after_match(SEATS, FAIR, 0, KNOWN.at)[0].rating - 1500
    assert after_match(SEATS, FAIR, 5, KNOWN.at)[0].rating - 1500 == pytest.approx(full / 2)
    newer = replace(OTHER, matches=3)
    assert after_match((SEATS[0], Participant(newer, 1)), FAIR, 0, KNOWN.at)[0].rating - 1500 == pytest.approx(full / 2)


def test_a_bot_keeps_its_rating_and_gives_nothing_to_who_is_far_above() -> None:
    bot = Participant(bot_standing("bot:3", "g", "rapid", 0), 1, is_bot=True)
    won, kept = after_match((SEATS[0], bot), FAIR, 0, KNOWN.at)
    assert won.rating > 1500
    assert kept == bot.standing
    above = replace(KNOWN, rating=1900)
    assert after_match((Participant(above, 0), bot), FAIR, 0, KNOWN.at)[0] == replace(above, matches=31)
    lost, _ = after_match((Participant(above, 1), bot._replace(rank=0)), FAIR, 0, KNOWN.at)
    assert lost.rating < 1900, "a loss counts"


def test_who_is_known_is_among_the_best_until_the_rating_is_provisional() -> None:
    won, _ = after_match(SEATS, FAIR, 0, KNOWN.at)
    assert won.strength_at(won.listed_until - DAY_MS).provisional is False
    assert won.strength_at(won.listed_until + DAY_MS).provisional is True
    for unknown in (replace(KNOWN, matches=8), replace(KNOWN, deviation=300)):
        assert after_match((Participant(unknown, 0), SEATS[1]), FAIR, 0, KNOWN.at)[0].listed_until == 0


def test_a_newcomer_does_not_age() -> None:
    assert GameRating("h", "g", "rapid").strength_at(10**13) == Strength()


def test_tables_of_three_are_rated_by_their_ranks() -> None:
    first, second, last = after_match(
        [Participant(replace(KNOWN, player=name), rank) for name, rank in (("a", 0), ("b", 1), ("c", 2))],
        FAIR,
        0,
        KNOWN.at,
    )
    assert first.rating > second.rating > last.rating
    assert second.rating == pytest.approx(1500, abs=5)
    equal = after_table([Strength(), Strength(), Strength()], [0, 1, 1])
    assert equal[1].rating == pytest.approx(equal[2].rating)
    assert equal[0].deviation < MOST_DEVIATION
    assert from_openskill(25, 25 / 3) == Strength(1500, MOST_DEVIATION)
